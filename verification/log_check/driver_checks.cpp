// SPDX-License-Identifier: Apache-2.0
// The driver's ledger, its complaints among the others.
#include "verification/log_check/driver_checks.h"

namespace tessera::verification::log_check {

using record::Record;

DriverChecks::DriverChecks(const record::DriverFacts& facts, Complaints& complaints) : complaints_(complaints) {
  if (!facts.stops.is_empty()) {
    tasks_.emplace(facts.stops, [this](record::task_check::Rule, const Record& record, const std::string& what) {
      complaints_.fail(record, "{}", what);
    });
  }
  if (facts.is_empty()) return;
  ledger_.emplace(facts, [this](record::driver_check::Rule, const Record& record, const std::string& what) {
    complaints_.fail(record, "{}", what);
  });
}

void DriverChecks::visit(const Record& record) {
  if (tasks_) {
    tasks_->visit(record);
  } else {
    complaints_.require(!record::is_of_tasks(record.kind), record, "the driver stops no tasks");
  }
  if (!record::is_of_driver(record.kind)) return;
  if (complaints_.require(ledger_.has_value(), record, "the driver holds nothing back")) ledger_->visit(record);
}

void DriverChecks::finish() {
  if (ledger_) ledger_->finish();
  if (tasks_) tasks_->finish();
}

}  // namespace tessera::verification::log_check
