// SPDX-License-Identifier: Apache-2.0
// Builds the machine, runs it, collects what it came to.
#include "platform/simulation.h"

#include <optional>

#include "model/record/checks/cpu_monitor.h"
#include "model/record/checks/driver_monitor.h"
#include "model/record/checks/gloop_monitor.h"
#include "model/record/checks/task_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/spec.h"
#include "model/workload/recorded_traffic.h"
#include "platform/machine.h"

namespace tessera::platform {
namespace {

const char* to_string(Machine::StopReason reason) {
  switch (reason) {
    case Machine::StopReason::kMinRuns:
      return "min_runs";
    case Machine::StopReason::kMaxTime:
      return "max_time";
    case Machine::StopReason::kInterrupted:
      break;
  }
  return "interrupted";
}

// Of kernels: where runs are released, the deadline is theirs.
std::vector<Cycle> deadlines_of(const spec::Spec& spec) {
  std::vector<Cycle> deadlines;
  for (const spec::ProcessSpec& process : spec.processes) {
    deadlines.push_back(process.releases ? 0 : spec::deadline_cycles(process, Clock(spec.gpu.clock_hz)));
  }
  return deadlines;
}

}  // namespace

record::RunResult simulate(const spec::Spec& spec, const std::vector<record::ISink*>& listeners,
                           const std::function<bool()>& is_interrupted, const MachineOptions& options) {
  if (workload::has_recorded_traffic(spec)) {
    return simulate(workload::with_recorded_traffic(spec, is_interrupted), listeners, is_interrupted, options);
  }
  return simulate(spec, workload::KernelTimes(spec, is_interrupted), listeners, is_interrupted, options);
}

record::RunResult simulate(const spec::Spec& spec, const workload::KernelTimes& times,
                           const std::vector<record::ISink*>& listeners, const std::function<bool()>& is_interrupted,
                           const MachineOptions& options) {
  const record::DriverFacts driver = record::make_driver_facts(spec);
  record::MetricsSink metrics(spec.processes.size(), deadlines_of(spec),
                              Clock(spec.gpu.clock_hz).cycles_in(spec.scheduler.latency_limit),
                              record::run_starts_of(spec), driver, record::make_partition_facts(spec));
  std::optional<record::DriverMonitor> driver_monitor;
  record::RecordLog log;
  log.add_sink(&metrics);
  if (!driver.is_empty() && spec.checks.enable_invariants) log.add_sink(&driver_monitor.emplace(driver));
  std::optional<record::TaskMonitor> task_monitor;
  if (!driver.stops.is_empty() && spec.checks.enable_invariants) log.add_sink(&task_monitor.emplace(driver.stops));
  std::optional<record::GloopMonitor> gloop_monitor;
  if (record::GloopMonitor::is_wanted(spec) && spec.checks.enable_invariants) {
    log.add_sink(&gloop_monitor.emplace(spec));
  }
  std::optional<record::CpuMonitor> cpu_monitor;
  if (spec.host.cpu && spec.checks.enable_invariants) log.add_sink(&cpu_monitor.emplace(record::make_cpu_facts(spec)));
  for (record::ISink* listener : listeners) log.add_sink(listener);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // "stopped"
  // An interruption may be seen twice before SystemC stops: no word of that on the standard output of a program.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SIMULATION_STOP_CALLED_TWICE_, sc_core::SC_DO_NOTHING);
  Machine machine("machine", spec, times, log, options);
  const Machine::Outcome outcome = machine.run(is_interrupted);
  record::RunResult result = metrics.result();
  result.complete = outcome.reason != Machine::StopReason::kInterrupted;
  result.stop_reason = to_string(outcome.reason);
  result.memory = machine.gpu().execution_engine().core().memory();
  for (const auto& [name, verdict] : machine.gpu().execution_engine().core().monitor().verdicts()) {
    result.invariants[name] = spec.checks.enable_invariants ? verdict : "not checked";
  }
  if (driver_monitor) {
    for (const auto& [name, verdict] : driver_monitor->verdicts()) result.invariants[name] = verdict;
  }
  if (task_monitor) {
    for (const auto& [name, verdict] : task_monitor->verdicts()) result.invariants[name] = verdict;
  }
  if (gloop_monitor) {
    for (const auto& [name, verdict] : gloop_monitor->verdicts()) result.invariants[name] = verdict;
  }
  if (cpu_monitor) {
    for (const auto& [name, verdict] : cpu_monitor->verdicts()) result.invariants[name] = verdict;
  }
  return result;
}

}  // namespace tessera::platform
