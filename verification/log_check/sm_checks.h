// SPDX-License-Identifier: Apache-2.0
// An SM has one owner at a time; preemptions, saves and restores end as they began. Internal to the log checker.
#pragma once

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"
#include "verification/log_check/victim_checks.h"

namespace tessera::verification::log_check {

class SmChecks {
 public:
  SmChecks(Ledger& ledger, VictimChecks& victims, Complaints& complaints)
      : ledger_(ledger), victims_(victims), complaints_(complaints) {}

  void visit(const record::Record& record, Sm& sm, const Launch& launch);

 private:
  void set_up(const record::Record& record, Sm& sm, const Launch& launch);
  void released(const record::Record& record, Sm& sm);
  void busy(const record::Record& record, Sm& sm);
  void slots(const record::Record& record, Sm& sm, const Launch& launch);
  void preemption_requested(const record::Record& record, Sm& sm);
  void preemption_retargeted(const record::Record& record, Sm& sm);
  void preemption_done(const record::Record& record, Sm& sm);
  void handed_over(const record::Record& record, Sm& sm);
  void save_started(const record::Record& record, Sm& sm);
  void restore_started(const record::Record& record, Sm& sm);
  void restore_done(const record::Record& record, Sm& sm);
  // A launch that gets the SM now or later is of a partition that has it.
  void require_own_partition(const record::Record& record, std::uint64_t launch);
  void require_empty(const record::Record& record, const Sm& sm);

  Ledger& ledger_;
  VictimChecks& victims_;
  Complaints& complaints_;
};

}  // namespace tessera::verification::log_check
