// SPDX-License-Identifier: Apache-2.0
// The core's hot loop by machine size, what its checks cost, and what tracing costs while nobody traces.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "core_loop.h"
#include "measurement.h"
#include "model/base/event_tree.h"
#include "model/spec/spec.h"
#include "model/workload/tb_durations.h"
#include "workload.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kNumTbs = 2'000'000;
constexpr int kRepetitions = 15;

using RunOneKernel = double (*)(const spec::Spec&);

// The smallest of three: a run that nothing disturbed.
double undisturbed(RunOneKernel run, const spec::Spec& spec) { return std::min({run(spec), run(spec), run(spec)}); }

// Setting the earliest leaf anew, as every thread block does: the limit of any engine built on this tree.
void event_tree(benchmark::State& state) {
  const auto num_leaves = static_cast<std::uint32_t>(state.range(0) * state.range(1));
  EventTree tree(num_leaves);
  const workload::TbDurations durations({1278, 639}, 1);
  std::uint32_t tb = 0;
  for (; tb < num_leaves; ++tb) tree.set(tb, durations.of(tb));
  for (auto _ : state) {
    const EventTree::Key key = tree.min();
    tree.set(EventTree::leaf_of(key), EventTree::time_of(key) + durations.of(tb++));
  }
  benchmark::DoNotOptimize(tree.min());
  state.counters["M_TB/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) / 1e6, benchmark::Counter::kIsRate);
}

void one_kernel_alone(benchmark::State& state) {
  spec::Spec spec =
      one_kernel(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)), kNumTbs);
  spec.checks.enable_invariants = state.range(2) != 0;
  std::vector<double> seconds;
  for (auto _ : state) {
    seconds.push_back(tlm_model::bench::run_one_kernel(spec));
    state.SetIterationTime(seconds.back());
  }
  state.counters["M_TB/s"] = kNumTbs / 1e6 / median(seconds);
}

// 1: the code for tracing costs nothing while nobody traces.
void tracing_off_over_compiled_out(benchmark::State& state) {
  const spec::Spec spec = one_kernel(13, 16, kNumTbs);
  std::vector<double> ratios;
  for (auto _ : state) {
    const double without = undisturbed(tlm_model_without_tb_records::bench::run_one_kernel, spec);
    const double with = undisturbed(tlm_model::bench::run_one_kernel, spec);
    ratios.push_back(without / with);
    state.SetIterationTime(with);
  }
  state.counters["ratio"] = median(ratios);
}

BENCHMARK(event_tree)->ArgNames({"sms", "slots"})->Args({13, 16})->Args({80, 32})->Args({132, 32});
BENCHMARK(one_kernel_alone)
    ->ArgNames({"sms", "slots", "checked"})
    ->ArgsProduct({{13, 80, 132}, {16, 32}, {0, 1}})
    ->Iterations(kRepetitions)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(tracing_off_over_compiled_out)->Iterations(kRepetitions)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
