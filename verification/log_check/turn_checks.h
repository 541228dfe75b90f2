// SPDX-License-Identifier: Apache-2.0
// A turn that contexts keep (docs/hardware/timing.md 3.12). Internal to the log checker.
#pragma once

#include <optional>

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class TurnChecks {
 public:
  TurnChecks(const Ledger& ledger, Complaints& complaints) : ledger_(ledger), complaints_(complaints) {}

  // kTurnPassed and kTurnBegan, and where all SMs change hands at once, set-ups and starts of thread blocks.
  void visit(const record::Record& record);
  void finish();

 private:
  struct Passed {
    std::uint16_t process = record::kNoIndex;
    Cycle cycle = 0;
  };
  void began(const record::Record& record);
  void passed(const record::Record& record);
  void gained(const record::Record& record);
  void lost(const record::Record& record);
  void started(const record::Record& record);

  const Ledger& ledger_;
  Complaints& complaints_;
  std::optional<std::uint16_t> owner_;
  std::optional<Passed> passed_;         // the last time
  std::optional<record::Record> early_;  // a kTurnPassed of a context whose turn has not begun so far
};

}  // namespace tessera::verification::log_check
