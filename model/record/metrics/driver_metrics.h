// SPDX-License-Identifier: Apache-2.0
// Metrics of a driver that holds groups back ([K11] 6): waiting times of groups, use of reserves, and the driver's CPU
// time.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/record/driver/budget_replay.h"
#include "model/record/driver/charge_window.h"
#include "model/record/driver/driver_facts.h"
#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/histogram.h"

namespace tessera::record {

struct DriverProcessResult {
  std::uint64_t groups = 0;      // completed
  std::uint64_t gpu_cycles = 0;  // charged for them
  CycleStats wait;               // from arrival to submission
  std::uint64_t suspensions = 0;
  // Completed groups whose cost was predicted at submission.
  std::uint64_t predicted_groups = 0;
  std::uint64_t predicted_charged = 0;  // cycles
  std::uint64_t prediction_error = 0;   // sum of |charged - predicted|
  std::uint64_t well_predicted = 0;     // with an error of at most a fifth of the charge
};

struct ReserveResult {
  std::uint64_t used_cycles = 0;
  std::uint64_t replenishments = 0;
  std::uint64_t overruns = 0;      // completions that leave it in debt; within a cycle in the order of the log
  std::uint64_t worst_debt = 0;    // largest debt after a completion
  std::uint64_t worst_window = 0;  // largest total charge of groups submitted within a period
};

struct DriverResult {
  std::array<std::uint64_t, 4> invocations{};  // by DriverCause
  std::uint64_t cpu_cycles = 0;                // the driver's CPU time in GPU cycles
  std::vector<DriverProcessResult> processes;  // as in Spec::processes
  std::vector<ReserveResult> reserves;         // as in the driver's plan

  bool is_empty() const { return processes.empty(); }
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DriverProcessResult, groups, gpu_cycles, wait, suspensions, predicted_groups,
                                   predicted_charged, prediction_error, well_predicted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReserveResult, used_cycles, replenishments, overruns, worst_debt, worst_window)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DriverResult, invocations, cpu_cycles, processes, reserves)

// Computes these metrics from a log. Keeps only the groups of one period.
class DriverCounter {
 public:
  explicit DriverCounter(DriverFacts facts);

  void consume(const Record& record);
  DriverResult result();  // call once, at the end

 private:
  struct Process {
    Cycle arrived = 0;  // its waiting group
    Histogram waits;
    std::unordered_map<std::uint64_t, Cycle> predictions;  // of groups that are online
  };
  struct Reserve {
    BudgetReplay budget;
    ChargeWindow window;
  };

  void group_submitted(const Record& record);
  void group_done(const Record& record);
  void charge(std::size_t reserve, const Record& record);
  void budget_replenished(const Record& record);

  DriverFacts facts_;
  DriverResult result_;
  std::vector<Process> processes_;
  std::vector<Reserve> reserves_;
};

}  // namespace tessera::record
