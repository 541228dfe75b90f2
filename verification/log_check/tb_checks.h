// SPDX-License-Identifier: Apache-2.0
// Every TB is issued once, and again only after it was saved or flushed; what is resident fits its SM. Internal to the
// log checker.
#pragma once

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"
#include "verification/log_check/victim_checks.h"

namespace tessera::verification::log_check {

class TbChecks {
 public:
  TbChecks(Ledger& ledger, VictimChecks& victims, Complaints& complaints)
      : ledger_(ledger), victims_(victims), complaints_(complaints) {}

  void visit(const record::Record& record, Sm& sm, Launch& launch);

 private:
  bool take_from_slot(const record::Record& record, Sm& sm, Launch& launch);
  void put_into_slot(const record::Record& record, Sm& sm, Launch& launch);
  void check_resources(const record::Record& record, const Sm& sm);
  void tb_finished(const record::Record& record, Sm& sm, Launch& launch);
  void tb_saved(const record::Record& record, Sm& sm, Launch& launch);
  void tb_flushed(const record::Record& record, Sm& sm, Launch& launch);
  void tb_restored(const record::Record& record, Sm& sm, Launch& launch);
  void tb_issued(const record::Record& record, Sm& sm, Launch& launch);
  void tb_restarted(const record::Record& record, Sm& sm, Launch& launch);
  void check_ptbq(const record::Record& record, const Launch& launch);

  Ledger& ledger_;
  VictimChecks& victims_;
  Complaints& complaints_;
};

}  // namespace tessera::verification::log_check
