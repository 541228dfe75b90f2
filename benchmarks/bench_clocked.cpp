// SPDX-License-Identifier: Apache-2.0
// The clocked engine gated and free-running, against a plain sc_clock with as many empty methods; and an experiment
// at this abstraction over the same at transaction level.
#include <benchmark/benchmark.h>

#include <string>
#include <systemc>
#include <vector>

#include "clocked_load.h"
#include "measurement.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "platform/clocked/free_running_engine.h"
#include "platform/simulation.h"

namespace tessera::bench {
namespace {

constexpr int kRepetitions = 5;
constexpr Cycle kGatedCycles = 3'000'000;
constexpr Cycle kFreeCycles = 300'000;
constexpr int kNumProcesses = 9 + 13 + 4;  // the core's parts, the SMs, networks, channel, timer, sequencer

nlohmann::json run_gated(const Load& load) {
  record::RecordLog log;
  const spec::Spec spec = machine(1);
  platform::ClockedCore core(spec, log, nullptr);
  core.send(launch(load));
  core.run_until(10'000);
  const std::uint64_t evaluated = core.engine().num_cycles_evaluated();
  const double start = cpu_seconds();
  core.run_until(10'000 + kGatedCycles);
  return {{"seconds", cpu_seconds() - start}, {"evaluated", core.engine().num_cycles_evaluated() - evaluated}};
}

struct Nobody final : tlm_model::IEngineListener {
  void kernel_done(const tlm_model::KernelDone&) override {}
  void loop_requested(const tlm_model::LoopRequest&) override {}
};

nlohmann::json run_free(const Load& load) {
  record::RecordLog log;
  const spec::Spec spec = machine(1);
  Nobody listener;
  platform::FreeRunningEngine engine("engine", spec, log, listener, nullptr);
  engine.send(launch(load));
  sc_core::sc_start(10, sc_core::SC_US);
  const double start = cpu_seconds();
  sc_core::sc_start(sc_core::sc_time(kFreeCycles, sc_core::SC_NS));
  return {{"seconds", cpu_seconds() - start}};
}

class EmptyMethods : public sc_core::sc_module {
 public:
  EmptyMethods(const sc_core::sc_module_name& name, const sc_core::sc_clock& clock) : sc_module(name) {
    for (int i = 0; i < kNumProcesses; ++i) {
      sc_core::sc_spawn_options options;
      options.spawn_method();
      options.set_sensitivity(&clock.posedge_event());
      sc_core::sc_spawn([this] { ++count_; }, ("method_" + std::to_string(i)).c_str(), &options);
    }
  }

 private:
  std::uint64_t count_ = 0;
};

nlohmann::json run_plain() {
  const sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  const EmptyMethods methods("methods", clock);
  const double start = cpu_seconds();
  sc_core::sc_start(sc_core::sc_time(kFreeCycles, sc_core::SC_NS));
  return {{"seconds", cpu_seconds() - start}};
}

// Cycles a second of each; the cost of an active edge, gated over free-running.
void clocked_engine(benchmark::State& state, const Load& load) {
  std::vector<double> gated, free_running, plain, edge_cost;
  for (auto _ : state) {
    const nlohmann::json g = in_child([&] { return run_gated(load); });
    const nlohmann::json f = in_child([&] { return run_free(load); });
    const nlohmann::json p = in_child(run_plain);
    const double gated_s = g.at("seconds");
    const double free_s = f.at("seconds");
    gated.push_back(kGatedCycles / gated_s / 1e6);
    free_running.push_back(kFreeCycles / free_s / 1e6);
    plain.push_back(kFreeCycles / p.at("seconds").get<double>() / 1e6);
    edge_cost.push_back(gated_s / g.at("evaluated").get<double>() / (free_s / kFreeCycles));
    state.counters["active"] = g.at("evaluated").get<double>() / kGatedCycles;
    state.SetIterationTime(gated_s);
  }
  state.counters["gated_M/s"] = median(gated);
  state.counters["free_M/s"] = median(free_running);
  state.counters["plain_M/s"] = median(plain);
  state.counters["gated/plain"] = median(gated) / median(plain);
  state.counters["edge_gated/free"] = median(edge_cost);
}

double run_experiment(platform::Abstraction abstraction) {
  const spec::Spec spec = spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/context_switch_thrashing.yaml",
                                                {"stop.max_time_us=300000"});
  platform::MachineOptions options;
  options.abstraction = abstraction;
  const double start = cpu_seconds();
  platform::simulate(
      spec, {}, [] { return false; }, options);
  return cpu_seconds() - start;
}

// The first 0.3 s of GPU time.
void experiment_over_tlm(benchmark::State& state, platform::Abstraction abstraction) {
  std::vector<double> ratios;
  for (auto _ : state) {
    const double tlm = in_child([] { return run_experiment(platform::Abstraction::kTlm); }).get<double>();
    const double clocked = in_child([&] { return run_experiment(abstraction); }).get<double>();
    ratios.push_back(clocked / tlm);
    state.SetIterationTime(clocked);
  }
  state.counters["time/tlm"] = median(ratios);
}

BENCHMARK_CAPTURE(clocked_engine, always_active, kAlwaysActive)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK_CAPTURE(clocked_engine, mostly_idle, kMostlyIdle)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK_CAPTURE(experiment_over_tlm, rtl_model, platform::Abstraction::kRtlModel)
    ->Iterations(kRepetitions)
    ->UseManualTime();
BENCHMARK_CAPTURE(experiment_over_tlm, rtl, platform::Abstraction::kRtl)->Iterations(kRepetitions)->UseManualTime();

}  // namespace
}  // namespace tessera::bench
