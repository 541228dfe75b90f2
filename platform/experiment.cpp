// SPDX-License-Identifier: Apache-2.0
// The simulations an experiment is made of, and the summary of their results.
#include "platform/experiment.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "cosim/core_builder.h"
#include "model/record/metrics/summary.h"
#include "model/spec/names.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "model/workload/kernel_times.h"
#include "model/workload/recorded_traffic.h"
#include "platform/alone.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "rtl_model/params.h"

namespace tessera::platform {
namespace {

// The text timeline: wide enough for a terminal, fine enough to see a context being saved (about 10 us).
constexpr std::uint32_t kTimelineColumns = 100;
constexpr Picoseconds kTimelineColumn = 2'000'000;

struct Simulation {
  std::string name;
  spec::Spec spec;
  TraceRequest traces;
  bool is_alone = false;
};

nlohmann::json run_one(const Simulation& simulation, const ExperimentOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const TraceFiles traces(simulation.traces, simulation.spec);
  std::vector<record::ISink*> listeners = traces.sinks();
  record::TimelineSink timeline(simulation.spec.gpu.num_sms, kTimelineColumns,
                                Clock(simulation.spec.gpu.clock_hz).cycles_in(kTimelineColumn));
  if (options.draws_timeline) listeners.push_back(&timeline);
  MachineOptions machine = options.machine;
  machine.waveform = traces.waveform();
  const record::RunResult result = simulate(simulation.spec, listeners, options.is_interrupted, machine);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {{"result", result},
          {"seconds", elapsed.count()},
          {"timeline", timeline.timeline()},
          {"trace_cuts", traces.cuts()}};
}

bool never_ends(const spec::ApplicationSpec& application) {
  return std::any_of(application.kernels.begin(), application.kernels.end(),
                     [](const spec::KernelSpec& kernel) { return kernel.is_persistent; });
}

std::vector<Simulation> simulations_of(const spec::Spec& spec, const TraceRequest& traces) {
  std::vector<Simulation> simulations{{"shared", spec, traces}};
  if (spec.baseline) {
    spec::Spec baseline = spec;
    baseline.scheduler = *spec.baseline;
    baseline.driver = spec.baseline_driver;
    simulations.push_back({"baseline", baseline, {}});
  }
  for (std::uint32_t i = 0; i < spec.applications.size(); ++i) {
    if (!never_ends(spec.applications[i]))
      simulations.push_back({"alone " + spec.applications[i].name, alone(spec, i), {}, true});
  }
  return simulations;
}

// Of each simulation, in their order.
std::vector<nlohmann::json> answers_of(const std::vector<Simulation>& simulations, const ExperimentOptions& options) {
  std::vector<nlohmann::json> answers(simulations.size());
  std::vector<std::size_t> open;
  for (std::size_t i = options.simulates_here ? 1 : 0; i < simulations.size(); ++i) {
    std::optional<nlohmann::json> known;
    if (simulations[i].is_alone && options.alone_results != nullptr) {
      known = options.alone_results->find(simulations[i].spec);
    }
    if (known) {
      answers[i] = std::move(*known);
    } else {
      open.push_back(i);
    }
  }
  // Most of them have the same machine and kernels: fitted here, the times are known to every worker.
  workload::KernelTimes(simulations.front().spec, options.is_interrupted);
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const std::size_t i : open) tasks.emplace_back([&, i] { return run_one(simulations[i], options); });
  const auto on_done = [&](std::size_t done) {
    if (options.on_progress) options.on_progress(done, tasks.size());
  };
  const auto on_result = [&](std::size_t task, const nlohmann::json& answer) {
    const Simulation& simulation = simulations[open[task]];
    const bool is_kept = simulation.is_alone && options.alone_results != nullptr && answer["result"]["complete"];
    if (is_kept) options.alone_results->keep(simulation.spec, answer);
    answers[open[task]] = answer;
  };
  run_in_workers(tasks, options.num_workers, on_done, on_result);
  if (options.simulates_here) answers[0] = run_one(simulations[0], options);
  return answers;
}

// Results by the name of their simulation; timing, interruption and violations go to `experiment`.
std::map<std::string, record::RunResult> collect(const std::vector<Simulation>& simulations,
                                                 const std::vector<nlohmann::json>& answers,
                                                 ExperimentResult& experiment) {
  std::map<std::string, record::RunResult> results;
  for (std::size_t i = 0; i < simulations.size(); ++i) {
    const std::string& name = simulations[i].name;
    const auto result = answers[i].at("result").get<record::RunResult>();
    results[name] = result;
    experiment.timing.push_back({name, answers[i].at("seconds").get<double>(), result.tbs_completed});
    experiment.was_interrupted = experiment.was_interrupted || !result.complete;
    for (const auto& [invariant, verdict] : result.invariants) {
      if (verdict == "ok" || verdict == "not checked") continue;
      experiment.violations.push_back(name + ": " + invariant + ": " + verdict);
    }
  }
  return results;
}

record::SummaryInput summary_input(const spec::Spec& spec, Abstraction abstraction,
                                   const std::map<std::string, record::RunResult>& results) {
  record::SummaryInput input;
  input.tessera_version = TESSERA_VERSION;
  input.abstraction = to_string(abstraction);
  input.engine = spec::to_string(spec.gpu.framework.engine);
  input.spec = spec::to_json(spec);
  input.clock_hz = spec.gpu.clock_hz;
  input.num_sms = spec.gpu.num_sms;
  input.shared = results.at("shared");
  input.driver = record::make_driver_facts(spec);
  if (spec.baseline) {
    spec::Spec baseline = spec;
    baseline.driver = spec.baseline_driver;
    input.baseline_driver = record::make_driver_facts(baseline);
    input.baseline = results.at("baseline");
  }
  for (const spec::ProcessSpec& process : spec.processes) {
    const std::string& application = spec.applications[process.application].name;
    const auto alone = results.find("alone " + application);
    input.processes.push_back({process.name, application, process.priority, process.is_background,
                               alone == results.end() ? record::ProcessResult{} : alone->second.processes.at(0),
                               process.deadline, process.releases.has_value(), process.partition});
  }
  const std::vector<SmSet> sms = spec::sms_of_partitions(spec);
  for (std::size_t i = 0; i < sms.size(); ++i) input.partitions.push_back({spec.partitions[i].name, sms[i]});
  if (spec.preset) {
    const std::uint32_t rounding = spec::sms_of_rounding(spec);
    const bool is_mig = spec.preset->kind == spec::PresetKind::kMig;
    input.preset = {std::string(spec::to_string(spec.preset->kind)), spec.preset->slice_sms, is_mig,
                    is_mig && spec.preset->is_hypothetical, rounding};
  }
  return input;
}

}  // namespace

void build_cores(const spec::Spec& spec, const TraceRequest& traces) {
  for (const Simulation& simulation : simulations_of(spec, traces)) {
    cosim::Variant variant;
    variant.has_wave = !simulation.traces.waveform.fst.empty();
    cosim::build_core(cosim::BuildRequest(cosim::Elaboration(rtl_model::Params(simulation.spec)), variant));
  }
}

ExperimentResult run_experiment(const spec::Spec& spec, const ExperimentOptions& options) {
  // 1. Every simulation in a process of its own, but for what is known already.
  const std::vector<Simulation> simulations =
      simulations_of(workload::with_recorded_traffic(spec, options.is_interrupted), options.traces);
  const std::vector<nlohmann::json> answers = answers_of(simulations, options);
  // 2. What they come to.
  ExperimentResult experiment;
  experiment.timeline = answers.front().at("timeline").get<record::Timeline>();
  experiment.trace_cuts = answers.front().at("trace_cuts").get<std::vector<TraceCut>>();
  record::SummaryInput input =
      summary_input(spec, options.machine.abstraction, collect(simulations, answers, experiment));
  input.shared.complete = !experiment.was_interrupted;
  experiment.summary = record::make_summary(input);
  return experiment;
}

}  // namespace tessera::platform
