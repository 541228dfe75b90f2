// SPDX-License-Identifier: Apache-2.0
// Thread blocks that are chosen leave in the way chosen, and the places of a second kernel are granted before it comes
// ([S16]). Internal to the log checker.
#pragma once

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class VictimChecks {
 public:
  VictimChecks(Ledger& ledger, Complaints& complaints) : ledger_(ledger), complaints_(complaints) {}

  static bool is_about_sharing(record::Kind kind) {
    return kind == record::Kind::kVictimChosen || kind == record::Kind::kVictimLeft ||
           kind == record::Kind::kPositionGranted || kind == record::Kind::kSmPassed;
  }
  void visit(const record::Record& record, Sm& sm, const Launch& launch);

  // A TB is in its slot, or has left it.
  void tb_came(const record::Record& record, Sm& sm);
  void tb_went(const record::Record& record, Sm& sm, record::Technique way);
  // The part of these that techniques without victims do not have.
  void sm_flushed(const record::Record& record, Sm& sm);
  void save_started(const record::Record& record, Sm& sm);
  void retargeted(const record::Record& record, Sm& sm);
  void preemption_done(const record::Record& record, Sm& sm);
  void owner_left(const record::Record& record, Sm& sm);
  void finish();

 private:
  void victim_chosen(const record::Record& record, Sm& sm);
  void victim_left(const record::Record& record, Sm& sm);
  void position_granted(const record::Record& record, Sm& sm, const Launch& launch);
  void one_position_granted(const record::Record& record, Sm& sm, const Launch& launch);
  void sm_passed(const record::Record& record, Sm& sm);
  void cancelled(const record::Record& record, Sm& sm);
  void require_accounted(const record::Record& record, const Sm& sm);

  Ledger& ledger_;
  Complaints& complaints_;
};

}  // namespace tessera::verification::log_check
