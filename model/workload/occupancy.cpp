// SPDX-License-Identifier: Apache-2.0
// How many thread blocks of a kernel an SM holds, and what their context costs to save.
// The arithmetic of [T14] Table 1 (docs/concepts/readings.md, Occupancy and save time).
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

// Registers belong to whole warps, and each of the SM's parts has as many warps as the others (CUDA's occupancy
// calculator; sm_20 on). Of an SM that is in one part, any that fit.
std::uint32_t limit_by_registers(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const std::uint32_t parts = gpu.register_allocation_warps;
  if (kernel.regs_per_tb == 0 || parts <= 1) return shares(gpu.registers_per_sm, kernel.regs_per_tb);
  const std::uint32_t warps =
      std::max<std::uint32_t>(1, (kernel.threads_per_tb + spec::kThreadsPerWarp - 1) / spec::kThreadsPerWarp);
  const std::uint32_t regs_per_warp = (kernel.regs_per_tb + warps - 1) / warps;
  return gpu.registers_per_sm / parts / regs_per_warp * parts / warps;
}

// The size that an SM has for this kernel, or 0 if none holds one TB; `others`: how many TBs everything else lets in.
std::uint32_t shared_memory_config(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel, std::uint32_t others) {
  const auto& sizes = gpu.shared_memory_bytes;
  auto chosen = std::lower_bound(sizes.begin(), sizes.end(), kernel.smem_bytes_per_tb);
  if (chosen == sizes.end()) return 0;
  if (gpu.shared_memory_choice == spec::SharedMemoryChoice::kSmallestThatFits) return *chosen;
  const auto resident = [&](std::uint32_t size) { return std::min(others, shares(size, kernel.smem_bytes_per_tb)); };
  for (auto size = chosen; size != sizes.end(); ++size) {
    if (resident(*size) > resident(*chosen)) chosen = size;
  }
  return *chosen;
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
    case Limiter::kQuota:
      return "max_tbs_per_sm";
  }
  return "unknown";
}

Occupancy occupancy(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const std::uint32_t by_registers = limit_by_registers(gpu, kernel);
  const std::uint32_t by_threads = shares(gpu.max_threads_per_sm, kernel.threads_per_tb);
  const std::uint32_t quota = kernel.max_tbs_per_sm > 0 ? kernel.max_tbs_per_sm : gpu.max_tbs_per_sm;
  const std::uint32_t config =
      shared_memory_config(gpu, kernel, std::min({by_registers, by_threads, gpu.max_tbs_per_sm, quota}));
  const std::array<std::uint32_t, 5> limits = {
      // in the order of Limiter, which settles ties
      by_registers, shares(config, kernel.smem_bytes_per_tb), by_threads, gpu.max_tbs_per_sm, quota};
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
