// SPDX-License-Identifier: Apache-2.0
// Verdicts from the ledger's complaints.
#include "model/record/checks/cpu_monitor.h"

#include "model/record/checks/place_of.h"

namespace tessera::record {

CpuMonitor::CpuMonitor(const CpuFacts& facts)
    : ledger_(facts, [this](cpu_check::Rule rule, const Record& record, const std::string& what) {
        std::string& first = first_violation_[static_cast<std::size_t>(rule)];
        if (first.empty()) first = place_of(record) + ": " + what;
      }) {}

std::vector<std::pair<std::string, std::string>> CpuMonitor::verdicts() const {
  std::vector<std::pair<std::string, std::string>> verdicts;
  for (std::size_t i = 0; i < first_violation_.size(); ++i) {
    verdicts.emplace_back(cpu_check::to_string(static_cast<cpu_check::Rule>(i)),
                          first_violation_[i].empty() ? "ok" : first_violation_[i]);
  }
  return verdicts;
}

}  // namespace tessera::record
