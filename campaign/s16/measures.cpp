// SPDX-License-Identifier: Apache-2.0
// From requests to numbers: of a benchmark, and of all.
#include <algorithm>
#include <cmath>

#include "campaign/s16/study.h"

namespace tessera::campaign::s16 {
namespace {

constexpr double kPercent = 100;

double number(std::uint64_t count) { return static_cast<double>(count); }

Cycle cycles(const spec::GpuSpec& gpu, Picoseconds time) { return Clock(gpu.clock_hz).cycles_in(time); }

}  // namespace

stats::Estimate of_benchmark(const Sample& sample, const std::string& benchmark, const Measure& measure) {
  std::vector<stats::Observation> observations;
  double count = 0;
  for (std::size_t v = 0; v < sample.study->victims.size(); ++v) {
    const Victim& victim = sample.study->victims[v];
    if (victim.benchmark != benchmark) continue;
    for (const Probe& probe : sample.probes[v]) {
      const Addend part = measure(probe);
      observations.push_back({static_cast<std::uint32_t>(v), victim.weight * part.sum, victim.weight * part.count});
      count += part.count;
    }
  }
  if (count == 0) return {};
  return stats::estimate(observations);
}

stats::Estimate average(const Sample& sample, const Measure& measure, std::vector<std::string> benchmarks) {
  if (benchmarks.empty()) benchmarks = sample.study->benchmarks();
  stats::Estimate all;
  double variance = 0;
  double count = 0;
  for (const std::string& benchmark : benchmarks) {
    const stats::Estimate one = of_benchmark(sample, benchmark, measure);
    if (one.number == 0) continue;  // nobody was preempted there, or nobody drained
    all.mean += one.mean;
    all.number += one.number;
    variance += one.half_width * one.half_width;
    ++count;
  }
  if (count == 0) return {};
  all.mean /= count;
  all.half_width = std::sqrt(variance) / count;
  return all;
}

Measure late_sms(const spec::GpuSpec& gpu, Picoseconds limit) {
  return [limit = cycles(gpu, limit)](const Probe& probe) {
    return Addend{kPercent * number(probe.late_sms(limit)), number(probe.waits.size())};
  };
}

Measure late_requests(const spec::GpuSpec& gpu, Picoseconds limit) {
  return [limit = cycles(gpu, limit)](const Probe& probe) {
    return Addend{probe.late_sms(limit) > 0 ? kPercent : 0, probe.waits.empty() ? 0.0 : 1.0};
  };
}

Measure late_places() {
  return [](const Probe& probe) { return Addend{kPercent * number(probe.late), number(probe.places)}; };
}

Measure late_completions(const spec::GpuSpec& gpu, Picoseconds limit) {
  return [limit = cycles(gpu, limit)](const Probe& probe) {
    if (probe.waits.empty()) return Addend{};  // it met nobody
    return Addend{probe.guest_took > limit + probe.guest_alone ? kPercent : 0, 1};
  };
}

Measure overhead() {
  return [](const Probe& probe) { return Addend{kPercent * number(probe.wasted), number(probe.executed)}; };
}

Measure utilisation() {
  return [](const Probe& probe) {
    return Addend{kPercent * number(probe.registers_held), number(probe.registers_there)};
  };
}

Measure utilisation_before() {
  return [](const Probe& probe) {
    return Addend{kPercent * number(probe.registers_before), number(probe.registers_all)};
  };
}

Measure estimate_error() {
  return [](const Probe& probe) { return Addend{kPercent * probe.relative_errors, number(probe.drained)}; };
}

Measure total_estimate_error() {
  return [](const Probe& probe) { return Addend{kPercent * number(probe.errors), number(probe.drain_cycles)}; };
}

Measure share_of(preemption::Exit exit) {
  return [exit](const Probe& probe) {
    const auto& exits = probe.exits;
    return Addend{kPercent * number(exits[static_cast<std::size_t>(exit)]), number(exits[0] + exits[1] + exits[2])};
  };
}

}  // namespace tessera::campaign::s16
