// SPDX-License-Identifier: Apache-2.0
// The engine under SystemC against the same core in a bare loop, and against itself stepwise; ten million TBs.
#include <benchmark/benchmark.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "engine_runs.h"
#include "measurement.h"
#include "model/spec/spec.h"
#include "workload.h"

namespace tessera::bench {
namespace {

constexpr int kRepetitions = 11;
constexpr std::uint64_t kTotalTbs = 2'000'000;  // of the batch processes; the interactive one adds its own

using Run = std::function<RunReport()>;

RunReport run_in_child(const Run& run) {
  return in_child([&run] { return nlohmann::json(run()); }).get<RunReport>();
}

void expect_same_work(const RunReport& a, const RunReport& b) {
  if (a.digest != b.digest || a.tbs != b.tbs || a.end != b.end)
    throw std::logic_error("the two sides did not do the same work");
}

// Reports the median of time(reference) / time(measured): 1 when `measured` costs nothing over the reference.
void compare(benchmark::State& state, const Run& reference, const Run& measured) {
  std::vector<double> ratios;
  std::vector<double> seconds;
  RunReport report;
  for (auto _ : state) {
    const RunReport of_reference = run_in_child(reference);
    report = run_in_child(measured);
    expect_same_work(of_reference, report);
    ratios.push_back(of_reference.seconds / report.seconds);
    seconds.push_back(report.seconds);
    state.SetIterationTime(report.seconds);
  }
  state.counters["ratio"] = median(ratios);
  state.counters["M_TB/s"] = static_cast<double>(report.tbs) / 1e6 / median(seconds);
  state.counters["kernels"] = static_cast<double>(report.kernels);
  state.counters["preemptions"] = static_cast<double>(report.preemptions);
}

std::uint64_t kernels_per_process(std::uint64_t tbs_per_kernel) {
  return kTotalTbs / kNumBatchProcesses / tbs_per_kernel + 1;
}

void machine_over_bare(benchmark::State& state) {
  const spec::Spec spec = shared_machine(static_cast<std::uint32_t>(state.range(0)), kTotalTbs);
  const RunReport recorded = run_in_child([&] { return run_machine(spec, Pace::kRunAhead); });
  compare(
      state, [&] { return run_bare(spec, recorded); }, [&] { return run_machine(spec, Pace::kRunAhead); });
}

void engine_over_bare(benchmark::State& state) {
  const auto tbs_per_kernel = static_cast<std::uint32_t>(state.range(0));
  const spec::Spec spec = shared_machine(tbs_per_kernel, kTotalTbs);
  const auto engine = [&] { return run_engine_alone(spec, Pace::kRunAhead, kernels_per_process(tbs_per_kernel)); };
  const RunReport recorded = run_in_child(engine);
  compare(
      state, [&] { return run_bare(spec, recorded); }, engine);
}

void run_ahead_over_stepwise(benchmark::State& state) {
  const spec::Spec spec = shared_machine(static_cast<std::uint32_t>(state.range(0)), kTotalTbs);
  compare(
      state, [&] { return run_machine(spec, Pace::kStepwise); }, [&] { return run_machine(spec, Pace::kRunAhead); });
}

void ten_million_tbs(benchmark::State& state) {
  const spec::Spec spec = shared_machine(static_cast<std::uint32_t>(state.range(0)), 10'000'000);
  std::vector<double> seconds;
  for (auto _ : state) {
    const RunReport report = run_in_child([&] { return run_machine(spec, Pace::kRunAhead); });
    seconds.push_back(report.seconds);
    state.SetIterationTime(report.seconds);
    state.counters["M_TB"] = static_cast<double>(report.tbs) / 1e6;
  }
  state.counters["engine_s"] = median(seconds);
}

BENCHMARK(machine_over_bare)->Arg(8000)->Arg(340)->Arg(70)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK(engine_over_bare)->Arg(8000)->Arg(340)->Arg(70)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK(run_ahead_over_stepwise)->Arg(8000)->Arg(340)->Arg(70)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK(ten_million_tbs)->Arg(8000)->Iterations(kRepetitions)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
