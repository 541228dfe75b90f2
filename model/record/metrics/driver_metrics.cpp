// SPDX-License-Identifier: Apache-2.0
// Groups, budgets and invocations, record by record.
#include "model/record/metrics/driver_metrics.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {

DriverCounter::DriverCounter(DriverFacts facts) : facts_(std::move(facts)), processes_(facts_.plan.tasks.size()) {
  result_.processes.resize(facts_.plan.tasks.size());
  result_.reserves.resize(facts_.plan.reserves.size());
  for (const command_scheduling::PlannedReserve& reserve : facts_.plan.reserves) {
    reserves_.push_back({BudgetReplay(reserve.parameters, facts_.accounting), ChargeWindow(reserve.parameters.period)});
  }
}

void DriverCounter::consume(const Record& record) {
  if (!is_of_driver(record.kind) || facts_.is_empty()) return;
  switch (record.kind) {
    case Kind::kGroupArrived:
      processes_.at(record.process).arrived = record.cycle;
      return;
    case Kind::kGroupSuspended:
      ++result_.processes.at(record.process).suspensions;
      return;
    case Kind::kGroupSubmitted:
      return group_submitted(record);
    case Kind::kGroupDone:
      return group_done(record);
    case Kind::kBudgetReplenished:
      return budget_replenished(record);
    case Kind::kDriverInvoked:
      ++result_.invocations.at(number::cause(record));
      result_.cpu_cycles += record.cycles;
      return;
    default:
      return;
  }
}

void DriverCounter::group_submitted(const Record& record) {
  Process& process = processes_.at(record.process);
  process.waits.add(record.cycle - process.arrived);
  if (number::predicted(record) > 0) process.predictions[number::group(record)] = number::predicted(record);
  if (const auto reserve = facts_.reserve_of(record.process))
    reserves_[*reserve].window.submitted(number::group(record), record.cycle);
}

void DriverCounter::group_done(const Record& record) {
  // 1. What it took.
  DriverProcessResult& result = result_.processes.at(record.process);
  ++result.groups;
  result.gpu_cycles += number::charged(record);
  if (const auto reserve = facts_.reserve_of(record.process)) charge(*reserve, record);
  // 2. How well that was foreseen.
  auto& predictions = processes_[record.process].predictions;
  const auto prediction = predictions.find(number::group(record));
  if (prediction == predictions.end()) return;
  const Cycle charged = number::charged(record);
  const Cycle error = std::max(charged, prediction->second) - std::min(charged, prediction->second);
  ++result.predicted_groups;
  result.predicted_charged += charged;
  result.prediction_error += error;
  result.well_predicted += 5 * error <= charged ? 1 : 0;
  predictions.erase(prediction);
}

void DriverCounter::charge(std::size_t reserve, const Record& record) {
  ReserveResult& result = result_.reserves[reserve];
  result.used_cycles += number::charged(record);
  reserves_[reserve].window.done(number::group(record), number::charged(record));
  reserves_[reserve].budget.done(record);
  const std::int64_t budget = reserves_[reserve].budget.budget();
  if (budget >= 0) return;
  ++result.overruns;
  result.worst_debt = std::max(result.worst_debt, static_cast<std::uint64_t>(-budget));
}

void DriverCounter::budget_replenished(const Record& record) {
  ++result_.reserves.at(number::reserve(record)).replenishments;
  reserves_[number::reserve(record)].budget.replenished(record);
}

DriverResult DriverCounter::result() {
  for (std::size_t i = 0; i < processes_.size(); ++i) result_.processes[i].wait = stats_of(processes_[i].waits);
  for (std::size_t i = 0; i < reserves_.size(); ++i) {
    reserves_[i].window.finish();
    result_.reserves[i].worst_window = reserves_[i].window.worst();
  }
  return result_;
}

}  // namespace tessera::record
