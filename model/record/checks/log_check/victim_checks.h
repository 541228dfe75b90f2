// SPDX-License-Identifier: Apache-2.0
// Thread blocks that are chosen leave in the way chosen, and the places of a second kernel are granted before it comes
// ([S16]). Internal to the log checker.
#pragma once

#include "model/record/checks/log_check/complaints.h"
#include "model/record/checks/log_check/ledger.h"

namespace tessera::record::log_check {

class VictimChecks {
 public:
  VictimChecks(Ledger& ledger, Complaints& complaints) : ledger_(ledger), complaints_(complaints) {}

  static bool is_about_sharing(Kind kind) {
    return kind == Kind::kVictimChosen || kind == Kind::kVictimLeft || kind == Kind::kPositionGranted ||
           kind == Kind::kSmPassed;
  }
  void visit(const Record& record, Sm& sm, const Launch& launch);

  // A TB is in its slot, or has left it.
  void tb_came(const Record& record, Sm& sm);
  void tb_went(const Record& record, Sm& sm, Technique way);
  // The part of these that techniques without victims do not have.
  void sm_flushed(const Record& record, Sm& sm);
  void save_started(const Record& record, Sm& sm);
  void retargeted(const Record& record, Sm& sm);
  void preemption_done(const Record& record, Sm& sm);
  void owner_left(const Record& record, Sm& sm);
  void finish();

 private:
  void victim_chosen(const Record& record, Sm& sm);
  void victim_left(const Record& record, Sm& sm);
  void position_granted(const Record& record, Sm& sm, const Launch& launch);
  void one_position_granted(const Record& record, Sm& sm, const Launch& launch);
  void sm_passed(const Record& record, Sm& sm);
  void cancelled(const Record& record, Sm& sm);
  void require_accounted(const Record& record, const Sm& sm);

  Ledger& ledger_;
  Complaints& complaints_;
};

}  // namespace tessera::record::log_check
