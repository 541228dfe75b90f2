// SPDX-License-Identifier: Apache-2.0
// Each kernel alone on 1, 2, .. SMs, once with its memory and once without.
#include "platform/kernel_kinds.h"

#include <algorithm>
#include <utility>

#include "model/realtime/task_kernels.h"
#include "model/spec/spec.h"
#include "model/workload/recorded_traffic.h"

namespace tessera::platform {
namespace {

constexpr realtime::Nanoseconds kNoLonger = 50;  // by a 50th

// Partitions, so that a kernel can have some of the SMs; each launch takes its mean time.
spec::Spec machine_of(const spec::Spec& spec) {
  spec::Spec machine = spec;
  machine.scheduler = {};
  machine.scheduler.policy = spec::PolicyKind::kStaticPartition;
  machine.scheduler.order = spec::PartitionOrder::kPriority;
  machine.scheduler.fill = spec.scheduler.fill;
  machine.scheduler.search_width = spec.scheduler.search_width;
  machine.scheduler.tbs_per_cycle = spec.scheduler.tbs_per_cycle;
  machine.baseline.reset();
  machine.driver = {};
  return machine;
}

spec::KernelSpec with_mean_time(const spec::Spec& machine, spec::KernelSpec kernel) {
  kernel = realtime::with_literal_time(machine, std::move(kernel));
  kernel.tb_time_spread_ppm = 0;
  kernel.kernel_time_spread_ppm = 0;
  kernel.neighbour_cpi_spread_ppm = 0;
  return kernel;
}

spec::KernelSpec without_memory_of(spec::KernelSpec kernel) {
  kernel.dram_bytes_per_tb = 0;
  kernel.bytes_in_flight_per_tb = 0;
  kernel.loads_all_along = false;
  return kernel;
}

std::uint32_t levels_off_at(const TimesOverSms& times) {
  const auto is_longer = [&](realtime::Nanoseconds time) { return time > times.back() + times.back() / kNoLonger; };
  const auto last = std::find_if(times.rbegin(), times.rend(), is_longer);
  return static_cast<std::uint32_t>(times.rend() - last) + 1;
}

// What a kernel takes longer on three quarters of the SMs than on all, in ppm of the latter.
realtime::Nanoseconds gain_of(const TimesOverSms& times) {
  const std::size_t three_quarters = std::max<std::size_t>(1, times.size() * 3 / 4);
  return (times[three_quarters - 1] - times.back()) * 1'000'000 / std::max<realtime::Nanoseconds>(1, times.back());
}

}  // namespace

spec::KernelKind kind_of(const TimesOverSms& times, const TimesOverSms& without_memory) {
  const bool is_memory = 2 * gain_of(times) < gain_of(without_memory);
  return is_memory ? spec::KernelKind::kMemory : spec::KernelKind::kCompute;
}

std::vector<KindOfKernel> measure_kinds(const spec::Spec& spec, unsigned num_workers,
                                        const std::function<bool()>& is_interrupted,
                                        const std::function<void(std::size_t done, std::size_t total)>& on_progress) {
  // 1. The kernels, as they are alone on the whole machine.
  const spec::Spec machine = machine_of(workload::with_recorded_traffic(spec, is_interrupted));
  std::vector<KindOfKernel> kinds;
  std::vector<spec::KernelSpec> kernels;
  for (const spec::ApplicationSpec& application : machine.applications) {
    for (const spec::KernelSpec& kernel : application.kernels) {
      if (kernel.is_persistent) continue;
      kinds.push_back({application.name, kernel.name, {}, {}, 0, {}});
      kernels.push_back(with_mean_time(machine, kernel));
    }
  }
  // 2. Both ways, on each number of SMs.
  const std::size_t count = kernels.size();
  for (std::size_t i = 0; i < count; ++i) kernels.push_back(without_memory_of(kernels[i]));
  std::vector<TimesOverSms> times =
      measure_scaling(machine, kernels, FrameworkTime::kIncluded, num_workers, is_interrupted, on_progress);
  // 3. What they come to.
  for (std::size_t i = 0; i < count; ++i) {
    kinds[i].levels_off = levels_off_at(times[i]);
    kinds[i].kind = kind_of(times[i], times[count + i]);
    kinds[i].times = std::move(times[i]);
    kinds[i].without_memory = std::move(times[count + i]);
  }
  return kinds;
}

}  // namespace tessera::platform
