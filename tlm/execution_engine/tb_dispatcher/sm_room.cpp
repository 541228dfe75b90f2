// SPDX-License-Identifier: Apache-2.0
// Registers are given out by warps, shared memory with the system's share, as for a kernel that is alone.
#include "tlm/execution_engine/tb_dispatcher/sm_room.h"

#include <algorithm>

namespace tessera::tlm_model {
namespace {

Resources of_tb(const spec::GpuSpec& gpu, const KernelLaunch& launch) {
  std::uint32_t registers = launch.regs_per_tb;
  if (gpu.register_allocation_warps > 1) {
    const std::uint32_t warps =
        std::max<std::uint32_t>(1, (launch.threads_per_tb + spec::kThreadsPerWarp - 1) / spec::kThreadsPerWarp);
    registers = (registers + warps - 1) / warps * warps;
  }
  return {static_cast<std::int32_t>(registers), static_cast<std::int32_t>(launch.smem_bytes_per_tb),
          static_cast<std::int32_t>(launch.threads_per_tb), 1};
}

std::uint32_t largest_share(const Resources& some, const Resources& all) {
  const auto share = [](std::int32_t part, std::int32_t whole) {
    return static_cast<std::uint32_t>(std::int64_t{part} * 1'000'000 / std::max(1, whole));
  };
  return std::max({share(some.registers, all.registers), share(some.threads, all.threads), share(some.slots, all.slots),
                   share(some.shared_memory_bytes, all.shared_memory_bytes)});
}

bool holds(const Resources& free, const Resources& some) {
  return free.registers >= some.registers && free.shared_memory_bytes >= some.shared_memory_bytes &&
         free.threads >= some.threads && free.slots >= some.slots;
}

}  // namespace

SmRoom::SmRoom(const spec::GpuSpec& gpu)
    : gpu_(gpu),
      free_(gpu.num_sms, resources_of_sm(gpu)),
      kernels_(gpu.framework.num_ksrs),
      num_on_(std::size_t{gpu.framework.num_ksrs} * gpu.num_sms),
      leaving_(gpu.framework.dispatcher.size()) {}

void SmRoom::begin(KsrId kernel, LaunchId id, const KernelLaunch& launch, std::uint32_t tbs_per_sm) {
  OfKernel& begun = kernels_[index(kernel)];
  const auto& size = gpu_.framework.dispatch_class(launch.threads_per_tb);
  begun.per_tb = of_tb(gpu_, launch);
  begun.most_per_sm = tbs_per_sm;
  begun.size = static_cast<std::uint32_t>(&size - gpu_.framework.dispatcher.data());
  begun.id = id;
  begun.share_ppm = largest_share(begun.per_tb, resources_of_sm(gpu_));
  std::fill_n(num_on_.begin() + static_cast<std::ptrdiff_t>(index(kernel) * free_.size()), free_.size(), 0);
}

bool SmRoom::fits(SmId sm, KsrId kernel) const {
  const OfKernel& of = kernels_[index(kernel)];
  return holds(free_[index(sm)], of.per_tb) && num_on(sm, kernel) < of.most_per_sm;
}

void SmRoom::take(SmId sm, KsrId kernel) {
  free_[index(sm)].take(kernels_[index(kernel)].per_tb);
  ++num_on(sm, kernel);
}

void SmRoom::give_back(SmId sm, KsrId kernel) {
  free_[index(sm)].give_back(kernels_[index(kernel)].per_tb);
  --num_on(sm, kernel);
}

void SmRoom::ended(SmId sm, KsrId kernel, LaunchId launch, Cycle now) {
  const OfKernel& of = kernels_[index(kernel)];
  const Cycle turnaround = gpu_.framework.dispatcher[of.size].turnaround_cycles;
  leaving_[of.size].push_back({now + turnaround, sm, kernel, launch, of.per_tb, of.share_ppm});
}

void SmRoom::give_back(const Left& left) {
  free_[index(left.sm)].give_back(left.resources);
  if (kernels_[index(left.kernel)].id == left.launch) --num_on(left.sm, left.kernel);
}

Cycle SmRoom::next() const {
  Cycle next = kNever;
  for (const std::deque<Left>& of_size : leaving_) {
    if (!of_size.empty()) next = std::min(next, of_size.front().free_from);
  }
  return next;
}

}  // namespace tessera::tlm_model
