// SPDX-License-Identifier: Apache-2.0
// The Verilog core in our machine, against a bare loop of eval() and against Verilator's SystemC module on an sc_clock:
// the same core, the same inputs, the same cycles.
#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "clocked_load.h"
#include "measurement.h"
#include "model/spec/spec.h"
#include "platform/clocked/clocked_core.h"
#include "platform/clocked/verilated_scheduler.h"
#include "verilated_loops.h"

namespace tessera::bench {
namespace {

constexpr int kRepetitions = 5;
constexpr Cycle kCycles = 200'000;
constexpr std::uint32_t kNumContexts = 16;  // as rtl/tsr_scheduler.v has it of itself

std::unique_ptr<platform::ClockedCore> loaded_core(const spec::Spec& spec, record::RecordLog& log, const Load& load) {
  auto core = std::make_unique<platform::ClockedCore>(spec, log, nullptr, platform::verilated_scheduler(false));
  core->send(launch(load));
  return core;
}

class Recording final : public rtl_model::IWatcher {
 public:
  explicit Recording(const rtl_model::ClockedEngine& engine) : engine_(engine) {}
  bool wants_every_cycle() const override { return true; }
  void watch(const rtl_model::ClockCount& clock) override {
    if (clock.core >= kCycles) return;
    const rtl_model::SchedulerInputs& in = engine_.inputs();
    if (in.any()) stimulus.busy.push_back({clock.core, in});
    stimulus.num_dispatches += engine_.scheduler().outputs().dispatch.valid;
  }
  Stimulus stimulus;

 private:
  const rtl_model::ClockedEngine& engine_;
};

Stimulus record(const spec::Spec& spec, const Load& load) {
  record::RecordLog log;
  const auto core = loaded_core(spec, log, load);
  Recording recording(core->engine());
  core->engine().add_watcher(&recording);
  core->run_until(kCycles);
  recording.stimulus.cycles = kCycles;
  return recording.stimulus;
}

nlohmann::json run_machine(const spec::Spec& spec, const Load& load) {
  record::RecordLog log;
  const auto core = loaded_core(spec, log, load);
  const double start = cpu_seconds();
  core->run_until(kCycles);
  return {{"seconds", cpu_seconds() - start}, {"active", core->engine().num_cycles_evaluated()}};
}

// The loop must do what the machine did.
double run_loop(LoopResult (*loop)(const Stimulus&), const spec::Spec& spec, const Load& load) {
  const Stimulus stimulus = record(spec, load);
  const LoopResult result = loop(stimulus);
  if (result.num_dispatches != stimulus.num_dispatches) throw std::runtime_error("the loop went another way");
  return result.seconds;
}

void cosimulation(benchmark::State& state, const Load& load) {
  const spec::Spec spec = machine(kNumContexts);
  std::vector<double> machine_s, eval_s, clock_s, outside_us;
  const auto time_of = [&](LoopResult (*loop)(const Stimulus&)) {
    return in_child([&] { return run_loop(loop, spec, load); }).get<double>();
  };
  for (auto _ : state) {
    const nlohmann::json machine = in_child([&] { return run_machine(spec, load); });
    machine_s.push_back(machine.at("seconds"));
    eval_s.push_back(time_of(eval_loop));
    clock_s.push_back(time_of(systemc_clock));
    outside_us.push_back(1e6 * (machine_s.back() / machine.at("active").get<double>() - eval_s.back() / kCycles));
    state.counters["active"] = machine.at("active").get<double>() / kCycles;
    state.SetIterationTime(machine_s.back());
  }
  state.counters["machine_M/s"] = kCycles / median(machine_s) / 1e6;
  state.counters["eval_M/s"] = kCycles / median(eval_s) / 1e6;
  state.counters["machine/eval"] = median(eval_s) / median(machine_s);
  // Of an active cycle.
  state.counters["eval_us"] = 1e6 * median(eval_s) / kCycles;
  state.counters["outside_us"] = median(outside_us);
  state.counters["sc_clock_M/s"] = kCycles / median(clock_s) / 1e6;
  state.counters["machine/sc_clock"] = median(clock_s) / median(machine_s);
}

BENCHMARK_CAPTURE(cosimulation, always_active, kAlwaysActive)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK_CAPTURE(cosimulation, mostly_idle, kMostlyIdle)->Iterations(kRepetitions)->UseManualTime();

}  // namespace
}  // namespace tessera::bench
