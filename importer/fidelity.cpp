// SPDX-License-Identifier: Apache-2.0
// Recorded against simulated times, and what is done about the difference.
#include "importer/fidelity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/workload/kernel_times.h"

namespace tessera::importer {
namespace {

constexpr double kWorthAChange = 0.002;
constexpr double kMostChange = 8;  // of a time at once
constexpr double kMaxFactor = 999;

// By kernel, its launches in the order of the program: that in which they arrive, but for other streams and branches.
template <typename Program>
auto launches_by_kernel(const KernelGroups& groups, Program& program) {
  using Launch = decltype(&program.steps.front());
  std::vector<std::vector<Launch>> launches(groups.groups.size());
  for (auto& step : program.steps) {
    if (step.kind == StepKind::kLaunch) launches[step.target].push_back(&step);
    if (step.kind != StepKind::kGraph) continue;
    for (auto& node : program.graphs[step.graph].nodes) {
      if (node.kind == StepKind::kLaunch) launches[node.target].push_back(&node);
    }
  }
  return launches;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

struct BusyTimes {
  double busy_us = 0;
  double overlap_us = 0;
};

BusyTimes busy_times(const Profile& profile, const Workload& workload) {
  std::vector<std::pair<Nanoseconds, Nanoseconds>> intervals;
  for (const Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    intervals.emplace_back(activity.start, activity.end());
  }
  std::sort(intervals.begin(), intervals.end());
  Nanoseconds busy = 0;
  Nanoseconds all = 0;
  Nanoseconds end = intervals.front().first;
  for (const auto& [start, stop] : intervals) {
    all += stop - start;
    busy += std::max<Nanoseconds>(0, stop - std::max(start, end));
    end = std::max(end, stop);
  }
  return {static_cast<double>(busy) / 1e3, static_cast<double>(all - busy) / 1e3};
}

double bounded_ratio(double recorded, double simulated) {
  return std::clamp(recorded / simulated, 1 / kMostChange, kMostChange);
}

bool is_off(double recorded, double simulated) {
  return recorded > 0 && simulated > 0 && std::abs(simulated / recorded - 1) > kWorthAChange;
}

}  // namespace

Fidelity compare(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                 const HostProgram& program, const SimulatedRun& run, bool is_exact) {
  Fidelity fidelity;
  fidelity.recorded_span_us = static_cast<double>(workload.end - workload.begin) / 1e3;
  fidelity.simulated_span_us = run.span_ns / 1e3;
  const BusyTimes times = busy_times(profile, workload);
  fidelity.recorded_busy_us = times.busy_us;
  fidelity.recorded_overlap_us = times.overlap_us;
  const auto steps = launches_by_kernel(groups, program);
  for (std::size_t k = 0; k < groups.groups.size(); ++k) {
    const KernelGroup& group = groups.groups[k];
    const std::vector<double>& simulated = run.kernel_ns[k];
    if (group.recorded_mean_ns <= 0 || simulated.empty()) continue;
    KernelFidelity kernel{group.kernel.name,
                          group.num_launches,
                          group.recorded_mean_ns / 1e3,
                          mean(simulated) / 1e3,
                          0,
                          group.num_overlapped,
                          0};
    kernel.worst_error = kernel.error();
    kernel.num_beyond = std::abs(kernel.error()) > kMaxKernelError ? 1 : 0;
    if (is_exact) {
      kernel.worst_error = 0;
      kernel.num_beyond = 0;
      for (std::size_t i = 0; i < simulated.size() && i < steps[k].size(); ++i) {
        const double recorded = groups.time_ns[steps[k][i]->operation];
        if (recorded <= 0) continue;
        const double error = simulated[i] / recorded - 1;
        if (std::abs(error) > std::abs(kernel.worst_error)) kernel.worst_error = error;
        kernel.num_beyond += std::abs(error) > kMaxKernelError ? 1 : 0;
      }
    }
    fidelity.kernels.push_back(kernel);
  }
  return fidelity;
}

bool fit_to_company(const KernelGroups& recorded, const SimulatedRun& run, bool is_exact, KernelGroups& groups,
                    HostProgram& program) {
  bool is_changed = false;
  const auto steps = launches_by_kernel(groups, program);
  for (std::size_t k = 0; k < groups.groups.size(); ++k) {
    KernelGroup& group = groups.groups[k];
    const std::vector<double>& simulated = run.kernel_ns[k];
    if (simulated.empty() || !group.kernel.kernel_time) continue;
    if (is_exact) {
      for (std::size_t i = 0; i < simulated.size() && i < steps[k].size(); ++i) {
        Step& step = *steps[k][i];
        const double wanted = recorded.time_ns[step.operation];
        if (!is_off(wanted, simulated[i])) continue;
        const double factor = step.factor_ppm * bounded_ratio(wanted, simulated[i]);
        step.factor_ppm = static_cast<std::uint32_t>(std::clamp(std::round(factor), 1.0, kMaxFactor * 1e6));
        is_changed = true;
      }
    } else if (is_off(group.recorded_mean_ns, mean(simulated))) {
      const double time =
          static_cast<double>(*group.kernel.kernel_time) * bounded_ratio(group.recorded_mean_ns, mean(simulated));
      group.kernel.kernel_time = std::max<Picoseconds>(1, static_cast<Picoseconds>(std::llround(time)));
      is_changed = true;
    }
  }
  return is_changed;
}

void set_exact_factors(const spec::Spec& spec, KernelGroups& groups, HostProgram& program) {
  const auto steps = launches_by_kernel(groups, program);
  for (std::size_t k = 0; k < groups.groups.size(); ++k) {
    KernelGroup& group = groups.groups[k];
    group.kernel.kernel_time_spread_ppm = 0;
    if (!group.kernel.kernel_time) continue;
    // The longest launch may take kMaxFactor times the kernel's time at most.
    double longest = 0;
    for (const Step* const step : steps[k]) longest = std::max(longest, groups.time_ns[step->operation]);
    const double time_ns = std::max(static_cast<double>(*group.kernel.kernel_time) / 1e3, longest / kMaxFactor * 2);
    group.kernel.kernel_time = std::max<Picoseconds>(1, static_cast<Picoseconds>(std::llround(time_ns * 1e3)));
    // Factors are of thread blocks: overheads of the machine do not grow with them.
    const double overhead_ns = static_cast<double>(workload::cycles_alone(spec, group.kernel, {1, 0})) * 1e9 /
                               static_cast<double>(spec.gpu.clock_hz);
    for (Step* const step : steps[k]) {
      const double wanted = std::max(1e-3, groups.time_ns[step->operation] - overhead_ns);
      const double factor = wanted / std::max(1e-3, time_ns - overhead_ns);
      step->factor_ppm = static_cast<std::uint32_t>(std::clamp(std::round(factor * 1e6), 1.0, kMaxFactor * 1e6));
    }
  }
}

}  // namespace tessera::importer
