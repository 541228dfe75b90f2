// SPDX-License-Identifier: Apache-2.0
// How many thread blocks of a kernel an SM holds, and what their context costs to save.
// The arithmetic of [T14] Table 1 (docs/readings.md, Occupancy and save time).
#include <algorithm>
#include <array>
#include <limits>

#include "model/spec/application_spec.h"
#include "model/spec/gpu_spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {
namespace {

constexpr std::uint32_t kBytesPerRegister = 4;

// How many shares of `per_tb` fit into `available`; a TB that needs nothing is limited by something else.
std::uint32_t shares(std::uint32_t available, std::uint32_t per_tb) {
  return per_tb == 0 ? std::numeric_limits<std::uint32_t>::max() : available / per_tb;
}

// The smallest selectable size that holds one TB, or 0 if none does.
std::uint32_t shared_memory_config(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const auto& sizes = gpu.shared_memory_bytes;
  const auto it = std::lower_bound(sizes.begin(), sizes.end(), kernel.smem_bytes_per_tb);
  return it == sizes.end() ? 0 : *it;
}

std::uint64_t context_bytes_per_sm(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  return context_bytes_per_tb(kernel) * occupancy(gpu, kernel).tbs_per_sm;
}

}  // namespace

std::string_view to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::kRegisters:
      return "registers";
    case Limiter::kSharedMemory:
      return "shared_memory";
    case Limiter::kThreads:
      return "threads";
    case Limiter::kSlots:
      return "slots";
  }
  return "unknown";
}

Occupancy occupancy(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const std::uint32_t config = shared_memory_config(gpu, kernel);
  const std::array<std::uint32_t, 4> limits = {
      // in the order of Limiter, which settles ties
      shares(gpu.registers_per_sm, kernel.regs_per_tb), shares(config, kernel.smem_bytes_per_tb),
      shares(gpu.max_threads_per_sm, kernel.threads_per_tb), gpu.max_tbs_per_sm};
  const auto tightest = std::min_element(limits.begin(), limits.end());
  return {*tightest, static_cast<Limiter>(tightest - limits.begin()), config};
}

std::uint64_t context_bytes_per_tb(const spec::KernelSpec& kernel) {
  return std::uint64_t{kBytesPerRegister} * kernel.regs_per_tb + kernel.smem_bytes_per_tb;
}

Picoseconds projected_save_time(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  return mul_div_round(context_bytes_per_sm(gpu, kernel) * gpu.num_sms, kPicosecondsPerSecond,
                       gpu.memory_bandwidth_bytes_per_s);
}

std::uint32_t resource_share_ppm(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const std::uint64_t capacity =
      std::uint64_t{kBytesPerRegister} * gpu.registers_per_sm + gpu.shared_memory_bytes.back();
  return static_cast<std::uint32_t>(mul_div_round(context_bytes_per_sm(gpu, kernel), 1'000'000, capacity));
}

}  // namespace tessera::workload
