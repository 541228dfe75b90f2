// SPDX-License-Identifier: Apache-2.0
// A driver that holds groups back, or stops tasks, keeps its own rules. Internal to the log checker.
#pragma once

#include <optional>

#include "model/record/checks/driver/driver_ledger.h"
#include "model/record/checks/driver/task_ledger.h"
#include "verification/log_check/complaints.h"

namespace tessera::verification::log_check {

class DriverChecks {
 public:
  DriverChecks(const record::DriverFacts& facts, Complaints& complaints);

  void visit(const record::Record& record);
  void finish();

 private:
  Complaints& complaints_;
  std::optional<record::driver_check::Ledger> ledger_;  // none: the driver holds no groups back
  std::optional<record::task_check::Ledger> tasks_;     // none: it stops no tasks
};

}  // namespace tessera::verification::log_check
