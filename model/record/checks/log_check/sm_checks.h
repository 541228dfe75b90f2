// SPDX-License-Identifier: Apache-2.0
// An SM has one owner at a time; preemptions, saves and restores end as they began. Internal to the log checker.
#pragma once

#include "model/record/checks/log_check/complaints.h"
#include "model/record/checks/log_check/ledger.h"
#include "model/record/checks/log_check/victim_checks.h"

namespace tessera::record::log_check {

class SmChecks {
 public:
  SmChecks(Ledger& ledger, VictimChecks& victims, Complaints& complaints)
      : ledger_(ledger), victims_(victims), complaints_(complaints) {}

  void visit(const Record& record, Sm& sm, const Launch& launch);

 private:
  void set_up(const Record& record, Sm& sm, const Launch& launch);
  void released(const Record& record, Sm& sm);
  void busy(const Record& record, Sm& sm);
  void slots(const Record& record, Sm& sm, const Launch& launch);
  void preemption_requested(const Record& record, Sm& sm);
  void preemption_retargeted(const Record& record, Sm& sm);
  void preemption_done(const Record& record, Sm& sm);
  void handed_over(const Record& record, Sm& sm);
  void save_started(const Record& record, Sm& sm);
  void restore_started(const Record& record, Sm& sm);
  void restore_done(const Record& record, Sm& sm);
  // A launch that gets the SM now or later is of a partition that has it.
  void require_own_partition(const Record& record, std::uint64_t launch);
  void require_empty(const Record& record, const Sm& sm);

  Ledger& ledger_;
  VictimChecks& victims_;
  Complaints& complaints_;
};

}  // namespace tessera::record::log_check
