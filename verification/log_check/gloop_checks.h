// SPDX-License-Identifier: Apache-2.0
// Event-driven kernels and the driver of their token keep their rules. Internal to the log checker.
#pragma once

#include <optional>

#include "model/record/checks/gloop/gloop_ledger.h"
#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class GloopChecks {
 public:
  GloopChecks(const Ledger& ledger, Complaints& complaints);

  void visit(const record::Record& record);
  void finish();

 private:
  const Ledger& ledger_;
  Complaints& complaints_;
  std::optional<record::gloop_check::Ledger> loops_;  // none: no kernel is event-driven
};

}  // namespace tessera::verification::log_check
