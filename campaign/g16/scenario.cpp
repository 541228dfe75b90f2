// SPDX-License-Identifier: Apache-2.0
// Simulations in worker processes.
#include "campaign/g16/scenario.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "platform/simulation.h"

namespace tessera::campaign::g16 {

// On its way between processes.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Session, suspensions, killed, revoked, yield_delay_us)

namespace {

// Whatever the technique: an experiment has one.
void add_preemptions(Outcome& outcome, const record::RunResult& result, double hz) {
  std::uint64_t cycles = 0;
  std::uint64_t bytes = 0;
  for (const auto& [technique, preemptions] : result.preemptions) {
    cycles += preemptions.latency.sum;
    bytes += preemptions.bytes_saved;
  }
  if (outcome.effort.preemptions == 0) return;
  const auto number = static_cast<double>(outcome.effort.preemptions);
  outcome.preemption_us = 1e6 * static_cast<double>(cycles) / number / hz;
  outcome.preemption_bytes = static_cast<double>(bytes) / number;
}

Outcome summed_up(const spec::Spec& spec, const record::RunResult& result, const std::string& name) {
  const auto hz = static_cast<double>(spec.gpu.clock_hz);
  Outcome outcome;
  std::uint64_t io_cycles = 0;
  std::uint64_t suspended_cycles = 0;
  for (const record::ProcessResult& process : result.processes) {
    if (process.runs + process.killed_runs == 0) throw std::runtime_error(name + ": a process completed no run");
    const auto runs = static_cast<double>(std::max<std::uint64_t>(1, process.runs));
    outcome.seconds.push_back(static_cast<double>(process.turnaround_cycles) / runs / hz);
  }
  for (const record::GloopProcessResult& gloop : result.gloop) {
    outcome.sessions.push_back({gloop.suspensions, gloop.killed, gloop.revoked, 1e6 * gloop.yield_delay.mean() / hz});
    outcome.suspensions += gloop.suspensions;
    io_cycles += gloop.io_time.sum;
    suspended_cycles += gloop.io_suspended;
  }
  if (io_cycles > 0)
    outcome.io_while_suspended = static_cast<double>(suspended_cycles) / static_cast<double>(io_cycles);
  outcome.effort = effort_of(result, spec);
  add_preemptions(outcome, result, hz);
  outcome.faults = faults_of(result, name);
  return outcome;
}

nlohmann::json sent(const Outcome& o) {
  return {o.seconds,       o.sessions,         o.suspensions, o.io_while_suspended,
          o.preemption_us, o.preemption_bytes, o.effort,      o.faults};
}

Outcome received(const nlohmann::json& json) {
  Outcome outcome;
  std::size_t i = 0;
  const auto next = [&](auto& field) { json.at(i++).get_to(field); };
  next(outcome.seconds);
  next(outcome.sessions);
  next(outcome.suspensions);
  next(outcome.io_while_suspended);
  next(outcome.preemption_us);
  next(outcome.preemption_bytes);
  next(outcome.effort);
  next(outcome.faults);
  return outcome;
}

// One process, again and again.
void put_instances(spec::Spec& spec, const Scenario& scenario) {
  const auto its =
      std::find_if(spec.processes.begin(), spec.processes.end(),
                   [&scenario](const spec::ProcessSpec& process) { return process.name == scenario.application; });
  if (its == spec.processes.end()) throw std::out_of_range("no process " + scenario.application);
  spec::ProcessSpec process = *its;
  process.runs = 1;
  spec.processes.clear();
  for (std::uint32_t i = 0; i < scenario.instances; ++i) {
    process.name = "concurrent" + std::to_string(i + 1);
    spec.processes.push_back(process);
  }
}

}  // namespace

spec::Spec spec_of(const spec::Spec& base, const Scenario& scenario) {
  spec::Spec spec = base;
  if (!scenario.application.empty()) put_instances(spec, scenario);
  if (scenario.change) scenario.change(spec);
  return spec;
}

std::vector<Outcome> run(const Request& request, const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) request.load(scenario.overrides);  // mistakes are told first
  std::vector<std::function<nlohmann::json()>> work;
  for (const Scenario& scenario : scenarios) {
    work.emplace_back([&scenario, &request]() -> nlohmann::json {
      const spec::Spec spec = spec_of(request.load(scenario.overrides), scenario);
      const record::RunResult result = platform::simulate(spec, {}, request.options.is_interrupted);
      if (request.options.is_interrupted()) return nullptr;
      return sent(summed_up(spec, result, scenario.name));
    });
  }
  const std::vector<nlohmann::json> answers = answers_of(work, request.options);
  std::vector<Outcome> outcomes;
  for (const nlohmann::json& answer : answers) outcomes.push_back(received(answer));
  return outcomes;
}

}  // namespace tessera::campaign::g16
