// SPDX-License-Identifier: Apache-2.0
// A campaign: many workloads, each simulated under several schemes, set against each application alone
// ([T14] 4.1, after Eyerman and Eeckhout).
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/latency_sink.h"
#include "campaign/workloads.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

struct Scheme {
  std::string name;
  spec::SchedulerSpec scheduler;
  std::optional<std::uint32_t> search_cycles = {};  // a policy search takes so many, of the base's machine or not
};

// What is compared: the schemes run the same workloads.
struct Study {
  std::string name;
  spec::DmaPolicy dma_policy = spec::DmaPolicy::kFcfs;
  bool has_high_priority = false;  // the first process of a workload has priority 1, the others 0
  std::vector<Scheme> schemes;
};

struct Plan {
  spec::Spec base;  // the machine and everything else that the studies do not set; process i runs application i
  std::vector<Study> studies;
  std::vector<std::uint32_t> num_processes;  // 2, 4, 6, 8
  std::uint32_t first_workload = 0;          // of the list that make_workloads() begins
  std::uint32_t num_workloads = 0;           // of each study and number of processes
  bool has_all_pairs = false;                // at 2 processes, in place of as many workloads
  Picoseconds starts_within = 0;             // processes start at random in it; 0: together
};

// One workload under one scheme.
struct Measurement {
  std::vector<double> ntt;  // turnaround shared / alone, by process
  LatencyResult latency;    // of SMs preempted for the high-priority process

  double antt() const;      // their mean
  double stp() const;       // the sum of their inverses
  double fairness() const;  // smallest / largest progress
};

struct Cell {
  Workload workload;
  std::vector<Measurement> schemes;  // as in the Study
};

// The cells of one study with one number of processes.
struct Group {
  const Study* study = nullptr;  // in the Plan
  std::uint32_t num_processes = 0;
  std::vector<Cell> cells;

  std::size_t scheme(const std::string& name) const;  // throws std::out_of_range
};

// How much work it was.
struct Effort {
  std::uint64_t simulations = 0;
  std::uint64_t tbs = 0;
  std::uint64_t preemptions = 0;
  double simulated_seconds = 0;

  void add(const Effort& other);
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Effort, simulations, tbs, preemptions, simulated_seconds)

// As results have it.
nlohmann::ordered_json effort_json(const Effort& effort);

// Of one simulation.
Effort effort_of(const record::RunResult& result, const spec::Spec& spec);

struct Results {
  std::vector<Group> groups;
  std::vector<double> alone_us;  // turnaround of each application alone
  Effort effort;
  std::vector<std::string> violations;  // of invariants, and runs that ended before every process had its runs

  const Group& group(const std::string& study, std::uint32_t num_processes) const;  // throws std::out_of_range
  void append(Results more);  // of further workloads of the same plan
};

struct Options {
  unsigned num_workers = 1;
  std::function<bool()> is_interrupted;                                  // must not be empty
  std::function<void(std::size_t done, std::size_t total)> on_progress;  // in simulations; may be empty
};

// What went wrong in one simulation, a line each; `what` names it. Empty: nothing did.
std::vector<std::string> faults_of(const record::RunResult& result, const std::string& what);

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// What tasks come to, in their order: side by side, with progress told. Throws Interrupted, or std::runtime_error when
// one of them fails.
std::vector<nlohmann::json> answers_of(const std::vector<std::function<nlohmann::json()>>& tasks,
                                       const Options& options);

// The same of tasks whose answers have their faults_of() under "faults", and adds those to `violations`.
std::vector<nlohmann::json> run_tasks(const std::vector<std::function<nlohmann::json()>>& tasks, const Options& options,
                                      std::vector<std::string>& violations);

// Results in the order of the plans, the same for any number of workers. The plans outlive the results.
// Throws Interrupted, or std::runtime_error when a simulation fails or a process completes no run.
std::vector<Results> run_campaign(const std::vector<Plan>& plans, const Options& options);

// A row a process of every simulation: study, number of processes, workload, half, scheme, application, NTT.
std::string measurements_csv(const Plan& plan, const Results& results);

// The experiment that one simulation of the campaign is.
spec::Spec spec_of(const Plan& plan, const Study& study, const Scheme& scheme, const Workload& workload);

}  // namespace tessera::campaign
