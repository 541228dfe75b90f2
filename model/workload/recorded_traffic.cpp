// SPDX-License-Identifier: Apache-2.0
// A kernel's recorded time holds the latency of its own traffic: here it is taken out, wave by wave.
#include "model/workload/recorded_traffic.h"

#include <algorithm>

#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "model/workload/memory_traffic.h"

namespace tessera::workload {
namespace {

// How much later memory answers so many thread blocks.
std::uint64_t factor_of(const spec::MemoryLatencySpec& memory, std::uint64_t num_tbs, std::uint64_t in_flight) {
  MemoryTraffic traffic(memory);
  traffic.add(MemoryTraffic::unlimited(num_tbs * mul_div_floor(in_flight, kPicosecondsPerSecond, memory.unloaded)));
  traffic.settle();
  return traffic.factor();
}

// The mean of the kernel's waves, alone on the GPU.
std::uint64_t mean_factor(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel, std::uint32_t tbs_per_sm) {
  const std::uint64_t slots = std::uint64_t{gpu.num_sms} * tbs_per_sm;
  const std::uint64_t full_waves = kernel.num_tbs / slots;
  const std::uint64_t rest = kernel.num_tbs % slots;
  const std::uint64_t in_flight = kernel.bytes_in_flight_per_tb;
  std::uint64_t sum = full_waves > 0 ? full_waves * factor_of(*gpu.memory_latency, slots, in_flight) : 0;
  if (rest > 0) sum += factor_of(*gpu.memory_latency, rest, in_flight);
  return sum / (full_waves + (rest > 0 ? 1 : 0));
}

void take_out_latency(const spec::Spec& spec, std::uint32_t share_ppm, const IsInterrupted& is_interrupted,
                      spec::KernelSpec& kernel) {
  const spec::MemoryLatencySpec& memory = *spec.gpu.memory_latency;
  // 1. What its thread blocks have on their way.
  const std::uint32_t tbs_per_sm = occupancy(spec.gpu, kernel).tbs_per_sm;
  const std::uint64_t of_sm = mul_div_floor(memory.sm_bytes_per_s, memory.unloaded, kPicosecondsPerSecond);
  const std::uint64_t in_flight = mul_div_floor(of_sm, share_ppm, 1'000'000) / tbs_per_sm;
  kernel.bytes_in_flight_per_tb = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, in_flight));
  kernel.loads_all_along = true;
  // 2. How long they take as recorded, and without what their own traffic adds.
  const Cycle recorded = tb_time(spec, kernel, is_interrupted).mean;
  const Picoseconds time = Clock(spec.gpu.clock_hz).time_of(recorded);
  kernel.tb_time = std::max<Picoseconds>(1, mul_div_round(time, kUnloaded, mean_factor(spec.gpu, kernel, tbs_per_sm)));
  kernel.kernel_time.reset();
}

}  // namespace

bool has_recorded_traffic(const spec::Spec& spec) {
  return std::any_of(spec.applications.begin(), spec.applications.end(),
                     [](const spec::ApplicationSpec& application) { return application.in_flight_share_ppm > 0; });
}

spec::Spec with_recorded_traffic(const spec::Spec& spec, const IsInterrupted& is_interrupted) {
  spec::Spec with = spec;
  for (spec::ApplicationSpec& application : with.applications) {
    if (application.in_flight_share_ppm == 0) continue;
    for (spec::KernelSpec& kernel : application.kernels) {
      if (is_interrupted && is_interrupted()) break;
      take_out_latency(spec, application.in_flight_share_ppm, is_interrupted, kernel);
    }
    application.in_flight_share_ppm = 0;
  }
  return with;
}

}  // namespace tessera::workload
