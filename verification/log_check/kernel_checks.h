// SPDX-License-Identifier: Apache-2.0
// A kernel arrives, is activated, and finishes with all its TBs or is left. Internal to the log checker.
#pragma once

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class KernelChecks {
 public:
  KernelChecks(Ledger& ledger, Complaints& complaints) : ledger_(ledger), complaints_(complaints) {}

  void visit(const record::Record& record);
  // The log has ended at `end`: counts what is open into the report.
  void finish(Cycle end, LogReport& report);

 private:
  void arrived(const record::Record& record);
  void finished(const record::Record& record, Launch& launch);
  void check_left(Cycle end, std::uint32_t id, const Launch& launch, LogReport& report);

  Ledger& ledger_;
  Complaints& complaints_;
};

}  // namespace tessera::verification::log_check
