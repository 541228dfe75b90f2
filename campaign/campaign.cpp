// SPDX-License-Identifier: Apache-2.0
// Every simulation is a task of the worker pool. Tasks run in random order, so that the time that is left can be
// told from their number; what they come to stands where the plan has it.
#include "campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <stdexcept>

#include "model/workload/kernel_times.h"
#include "model/workload/recorded_traffic.h"
#include "platform/alone.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"

namespace tessera::campaign {
namespace {

// One simulation: an application alone, or a workload under a scheme.
struct Task {
  std::size_t plan = 0;
  bool is_alone = false;
  std::uint32_t application = 0;  // alone
  std::size_t group = 0;          // of the plan's results
  std::size_t cell = 0;
  std::size_t scheme = 0;
};

// What it came to, on its way through JSON.
struct Outcome {
  record::RunResult result;
  LatencyResult latency;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outcome, result, latency)

// Pairs are all there in the first part of a plan that goes on.
std::vector<Workload> workloads_of(const Plan& plan, std::uint32_t num_processes) {
  const auto num_applications = static_cast<std::uint32_t>(plan.base.processes.size());
  std::vector<Workload> workloads;
  if (!plan.has_all_pairs || num_processes != 2) {
    workloads =
        make_workloads(num_applications, num_processes, plan.num_workloads, plan.base.seed, plan.first_workload);
  } else if (plan.first_workload == 0) {
    workloads = all_pairs(num_applications);
  }
  if (plan.starts_within > 0) draw_starts(workloads, plan.starts_within, plan.base.seed);
  return workloads;
}

std::vector<Group> empty_groups(const Plan& plan) {
  std::vector<Group> groups;
  for (const Study& study : plan.studies) {
    for (const std::uint32_t num_processes : plan.num_processes) {
      Group& group = groups.emplace_back(Group{&study, num_processes, {}});
      for (Workload& workload : workloads_of(plan, num_processes)) {
        group.cells.push_back({std::move(workload), std::vector<Measurement>(study.schemes.size())});
      }
    }
  }
  return groups;
}

std::vector<Task> tasks_of(const std::vector<Plan>& plans, const std::vector<Results>& results) {
  std::vector<Task> tasks;
  for (std::size_t plan = 0; plan < plans.size(); ++plan) {
    for (std::uint32_t i = 0; i < plans[plan].base.processes.size(); ++i) tasks.push_back({plan, true, i, 0, 0, 0});
    const std::vector<Group>& groups = results[plan].groups;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (std::size_t cell = 0; cell < groups[group].cells.size(); ++cell) {
        for (std::size_t scheme = 0; scheme < groups[group].study->schemes.size(); ++scheme) {
          tasks.push_back({plan, false, 0, group, cell, scheme});
        }
      }
    }
  }
  std::mt19937 random;  // the same order every time
  for (std::size_t i = tasks.size(); i > 1; --i) std::swap(tasks[i - 1], tasks[random() % i]);
  return tasks;
}

spec::Spec spec_of_task(const Task& task, const Plan& plan, const Results& results) {
  if (task.is_alone) return platform::alone(plan.base, plan.base.processes.at(task.application).application);
  const Group& group = results.groups[task.group];
  return spec_of(plan, *group.study, group.study->schemes[task.scheme], group.cells[task.cell].workload);
}

nlohmann::json run_one(const spec::Spec& spec, const workload::KernelTimes& times,
                       const std::function<bool()>& is_interrupted) {
  if (is_interrupted()) return Outcome{};
  LatencySink latency(spec, 0);
  const record::RunResult result = platform::simulate(spec, times, {&latency}, is_interrupted);
  return Outcome{result, latency.result()};
}

// Names a simulation to a person.
std::string name_of(const Task& task, const Plan& plan, const Results& results) {
  if (task.is_alone) return plan.base.processes[task.application].name + " alone";
  const Group& group = results.groups[task.group];
  std::string name = group.study->name + " study, " + group.study->schemes[task.scheme].name + ":";
  for (const std::uint32_t application : group.cells[task.cell].workload.applications) {
    name += " " + plan.base.processes[application].name;
  }
  return name;
}

double mean_turnaround_us(const record::ProcessResult& process, const spec::Spec& spec, const std::string& simulation) {
  if (process.runs == 0) throw std::runtime_error(simulation + ": a process completed no run (stop.max_time_us?)");
  const double cycles = static_cast<double>(process.turnaround_cycles) / static_cast<double>(process.runs);
  return cycles * 1e6 / static_cast<double>(spec.gpu.clock_hz);
}

void collect_alone(const record::RunResult& result, const Task& task, const Plan& plan, Results& into) {
  into.alone_us[task.application] = mean_turnaround_us(result.processes.at(0), plan.base, name_of(task, plan, into));
}

void collect_shared(Outcome& outcome, const Task& task, const Plan& plan, Results& into) {
  Cell& cell = into.groups[task.group].cells[task.cell];
  Measurement& measurement = cell.schemes[task.scheme];
  measurement.latency = std::move(outcome.latency);
  for (std::size_t place = 0; place < cell.workload.applications.size(); ++place) {
    const double us = mean_turnaround_us(outcome.result.processes.at(place), plan.base, name_of(task, plan, into));
    measurement.ntt.push_back(us / into.alone_us[cell.workload.applications[place]]);
  }
}

// First the applications alone, then what is measured against them.
void collect(const std::vector<Task>& tasks, const std::vector<nlohmann::json>& answers, const std::vector<Plan>& plans,
             std::vector<Results>& results) {
  for (const bool is_alone : {true, false}) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const Task& task = tasks[i];
      if (task.is_alone != is_alone) continue;
      const Plan& plan = plans[task.plan];
      Results& into = results[task.plan];
      auto outcome = answers[i].get<Outcome>();
      into.effort.add(effort_of(outcome.result, plan.base));
      for (std::string& fault : faults_of(outcome.result, name_of(task, plan, into))) {
        into.violations.push_back(std::move(fault));
      }
      is_alone ? collect_alone(outcome.result, task, plan, into) : collect_shared(outcome, task, plan, into);
    }
  }
}

}  // namespace

std::vector<std::string> faults_of(const record::RunResult& result, const std::string& what) {
  std::vector<std::string> faults;
  for (const auto& [invariant, verdict] : result.invariants) {
    if (verdict != "ok" && verdict != "not checked") faults.push_back(what + ": " + invariant + ": " + verdict);
  }
  if (result.stop_reason != "min_runs") faults.push_back(what + ": ended by " + result.stop_reason);
  return faults;
}

std::vector<nlohmann::json> run_tasks(const std::vector<std::function<nlohmann::json()>>& tasks, const Options& options,
                                      std::vector<std::string>& violations) {
  std::vector<nlohmann::json> answers = answers_of(tasks, options);
  for (const nlohmann::json& answer : answers) {
    for (const nlohmann::json& fault : answer.at("faults")) violations.push_back(fault);
  }
  return answers;
}

std::vector<nlohmann::json> answers_of(const std::vector<std::function<nlohmann::json()>>& tasks,
                                       const Options& options) {
  const auto on_done = [&](std::size_t done) {
    if (options.on_progress) options.on_progress(done, tasks.size());
  };
  std::vector<nlohmann::json> answers =
      platform::run_in_workers(tasks, options.num_workers, on_done, {}, options.is_interrupted);
  if (options.is_interrupted()) throw Interrupted();
  return answers;
}

double Measurement::antt() const {
  return std::accumulate(ntt.begin(), ntt.end(), 0.0) / static_cast<double>(ntt.size());
}

double Measurement::stp() const {
  return std::accumulate(ntt.begin(), ntt.end(), 0.0, [](double sum, double one) { return sum + 1 / one; });
}

double Measurement::fairness() const {
  const auto [least, most] = std::minmax_element(ntt.begin(), ntt.end());
  return *least / *most;
}

std::size_t Group::scheme(const std::string& name) const {
  for (std::size_t i = 0; i < study->schemes.size(); ++i) {
    if (study->schemes[i].name == name) return i;
  }
  throw std::out_of_range("no scheme " + name);
}

const Group& Results::group(const std::string& study, std::uint32_t num_processes) const {
  for (const Group& group : groups) {
    if (group.study->name == study && group.num_processes == num_processes) return group;
  }
  throw std::out_of_range(fmt::format("no study {} of {} processes", study, num_processes));
}

void Effort::add(const Effort& other) {
  simulations += other.simulations;
  tbs += other.tbs;
  preemptions += other.preemptions;
  simulated_seconds += other.simulated_seconds;
}

nlohmann::ordered_json effort_json(const Effort& effort) {
  return {{"simulations", effort.simulations},
          {"tbs", effort.tbs},
          {"preemptions", effort.preemptions},
          {"simulated_seconds", effort.simulated_seconds}};
}

Effort effort_of(const record::RunResult& result, const spec::Spec& spec) {
  Effort effort;
  effort.simulations = 1;
  effort.tbs = result.tbs_completed;
  effort.simulated_seconds = static_cast<double>(result.cycles) / static_cast<double>(spec.gpu.clock_hz);
  for (const auto& [technique, preemptions] : result.preemptions) effort.preemptions += preemptions.latency.count;
  return effort;
}

void Results::append(Results more) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::move(more.groups[i].cells.begin(), more.groups[i].cells.end(), std::back_inserter(groups[i].cells));
  }
  effort.add(more.effort);
  std::move(more.violations.begin(), more.violations.end(), std::back_inserter(violations));
}

std::string measurements_csv(const Plan& plan, const Results& results) {
  std::string csv = "study,processes,workload,half,scheme,place,application,ntt\n";
  for (const Group& group : results.groups) {
    for (std::size_t cell = 0; cell < group.cells.size(); ++cell) {
      const auto& [workload, schemes] = group.cells[cell];
      for (std::size_t scheme = 0; scheme < schemes.size(); ++scheme) {
        for (std::size_t place = 0; place < workload.applications.size(); ++place) {
          csv += fmt::format("{},{},{},{},{},{},{},{}\n", group.study->name, group.num_processes, cell,
                             workload.is_held_out ? "held_out" : "calibration", group.study->schemes[scheme].name,
                             place, plan.base.processes[workload.applications[place]].name, schemes[scheme].ntt[place]);
        }
      }
    }
  }
  return csv;
}

spec::Spec spec_of(const Plan& plan, const Study& study, const Scheme& scheme, const Workload& workload) {
  spec::Spec spec = plan.base;
  spec.baseline.reset();
  spec.scheduler = scheme.scheduler;
  if (scheme.search_cycles) {  // one step over all rows
    spec.scheduler.search_width = spec.gpu.num_sms;
    spec.gpu.framework.search_entry_cycles = *scheme.search_cycles;
  }
  spec.dma_policy = study.dma_policy;
  spec.processes.clear();
  for (const std::uint32_t application : workload.applications) {
    spec::ProcessSpec process = plan.base.processes.at(application);
    process.priority = study.has_high_priority && spec.processes.empty() ? 1 : 0;
    process.start = workload.starts.empty() ? 0 : workload.starts[spec.processes.size()];
    process.is_background = false;
    spec.processes.push_back(std::move(process));
  }
  return spec;
}

std::vector<Results> run_campaign(const std::vector<Plan>& plans, const Options& options) {
  std::vector<Results> results;
  std::vector<workload::KernelTimes> times;
  for (const Plan& plan : plans) {
    results.push_back({empty_groups(plan), std::vector<double>(plan.base.processes.size()), {}, {}});
    times.emplace_back(workload::with_recorded_traffic(plan.base), options.is_interrupted);
  }
  const std::vector<Task> tasks = tasks_of(plans, results);
  std::vector<std::function<nlohmann::json()>> work;
  for (const Task& task : tasks) {
    work.emplace_back([&] {
      const spec::Spec spec = spec_of_task(task, plans[task.plan], results[task.plan]);
      return run_one(workload::with_recorded_traffic(spec), times[task.plan], options.is_interrupted);
    });
  }
  const std::vector<nlohmann::json> answers = answers_of(work, options);
  collect(tasks, answers, plans, results);
  return results;
}

}  // namespace tessera::campaign
