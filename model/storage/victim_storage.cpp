// SPDX-License-Identifier: Apache-2.0
#include "model/storage/victim_storage.h"

#include "model/spec/gpu_spec.h"
#include "model/storage/core_sizes.h"
#include "model/storage/widths.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kProcessIds = 32768;    // Linux's default for the largest process id
constexpr std::uint32_t kKernels = 32;          // Hyper-Q runs so many at once
constexpr std::uint32_t kMinThreadsPerTb = 32;  // a warp
constexpr std::uint32_t kCounterBits = 32;      // 2^32 cycles of 1.4 GHz are 3 s

constexpr const char* kAllocationStatus = "Preempting Kernel Allocation Status";
constexpr const char* kAllocationPositions = "Preempting Kernel Allocation Positions";
constexpr const char* kVictimSets = "Candidate Victim Sets";
constexpr const char* kTbStatus = "Running TB Status";

double sum(const std::vector<VictimField>& fields, bool is_shared) {
  double bytes = 0;
  for (const VictimField& field : fields) {
    if (field.is_shared == is_shared) bytes += field.bytes();
  }
  return bytes;
}

}  // namespace

VictimSizes VictimSizes::of(const spec::GpuSpec& gpu) {
  return {gpu.num_sms, gpu.max_tbs_per_sm, gpu.max_threads_per_sm, gpu.registers_per_sm,
          gpu.shared_memory_bytes.back()};
}

std::vector<VictimField> printed_layout(const VictimSizes& sizes) {
  const std::uint32_t slots = sizes.max_tbs_per_sm;
  const std::uint32_t slot = bits_for(slots);
  const std::uint32_t positions = sizes.max_threads_per_sm / kMinThreadsPerTb;
  return {
      {kAllocationStatus, "TB-to-SM Mapping", slot, std::uint64_t{slots} * sizes.num_sms, true,
       "a TB's number on its SM, for each TB that an SM holds"},
      {kAllocationPositions, "Process ID", bits_for(kProcessIds), 1, false, "Linux's process ids end at 32768"},
      {kAllocationPositions, "Kernel ID", bits_for(kKernels), 1, false, "32 kernels at once"},
      {kAllocationPositions, "Register", bits_for(sizes.registers_per_sm), positions, false,
       "where each position begins; as many as TBs of one warp have the SM's threads"},
      {kAllocationPositions, "Shared Memory", bits_for(sizes.shared_memory_bytes), positions, false, "likewise"},
      {kVictimSets, "Thread Block ID", slot, std::uint64_t{slots} * slots, false, "a list of TBs for each candidate"},
      {kTbStatus, "Instructions", kCounterBits, slots, false, "executed, of all warps"},
      {kTbStatus, "Issue Cycle", kCounterBits, slots, false, "for the CPI"},
      {kTbStatus, "Flush Bit", 1, slots, false, "may it start again?"},
  };
}

std::vector<VictimField> lean_layout(const spec::GpuSpec& gpu) {
  const std::uint32_t slots = gpu.max_tbs_per_sm;
  const std::uint32_t positions = slots;  // a guest's TB takes a slot, too
  return {
      {kAllocationStatus, "Issued Positions", 1, positions, false,
       "Figure 3.6 has true or false for each; the SM itself is where the bit stands"},
      {kAllocationPositions, "Guest's KSR", index_or_count(CoreSizes(gpu).num_ksrs), 1, false,
       "the KSR has process and kernel"},
      {kAllocationPositions, "Registers of a Guest's TB", index_or_count(gpu.registers_per_sm), 1, false,
       "position k begins at k times as much: an adder walks them"},
      {kAllocationPositions, "Shared Memory of a Guest's TB", index_or_count(gpu.shared_memory_bytes.back()), 1, false,
       "likewise"},
      {kVictimSets, "Bitsets", slots, positions, false, "Figures 3.8 and 3.9: a bit a slot, evicted by AND"},
      {kTbStatus, "Instructions", kCounterBits, slots, false, "executed, of all warps"},
      {kTbStatus, "Issue Cycle", kCounterBits, slots, false, "for the CPI"},
      {kTbStatus, "Flush Bit", 1, slots, false, "may it start again?"},
  };
}

double per_sm_bytes(const std::vector<VictimField>& fields) { return sum(fields, false); }

double shared_bytes(const std::vector<VictimField>& fields) { return sum(fields, true); }

double sm_capacity_bytes(const spec::GpuSpec& gpu) {
  constexpr double kBytesPerRegister = 4;
  return kBytesPerRegister * gpu.registers_per_sm + gpu.shared_memory_bytes.back();
}

}  // namespace tessera::storage
