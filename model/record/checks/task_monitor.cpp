// SPDX-License-Identifier: Apache-2.0
// Verdicts from the ledger's complaints.
#include "model/record/checks/task_monitor.h"

#include "model/record/checks/place_of.h"

namespace tessera::record {

TaskMonitor::TaskMonitor(const TaskFacts& facts)
    : ledger_(facts, [this](task_check::Rule rule, const Record& record, const std::string& what) {
        std::string& first = first_violation_[static_cast<std::size_t>(rule)];
        if (first.empty()) first = place_of(record) + ": " + what;
      }) {}

std::vector<std::pair<std::string, std::string>> TaskMonitor::verdicts() const {
  constexpr std::array kNames{"driver_launches", "driver_stops", "driver_choice"};
  std::vector<std::pair<std::string, std::string>> verdicts;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    verdicts.emplace_back(kNames[i], first_violation_[i].empty() ? "ok" : first_violation_[i]);
  }
  return verdicts;
}

}  // namespace tessera::record
