// SPDX-License-Identifier: Apache-2.0
// Every TB is issued once, and again only after it was saved or flushed; what is resident fits its SM. Internal to the
// log checker.
#pragma once

#include "model/record/checks/log_check/complaints.h"
#include "model/record/checks/log_check/ledger.h"
#include "model/record/checks/log_check/victim_checks.h"

namespace tessera::record::log_check {

class TbChecks {
 public:
  TbChecks(Ledger& ledger, VictimChecks& victims, Complaints& complaints)
      : ledger_(ledger), victims_(victims), complaints_(complaints) {}

  void visit(const Record& record, Sm& sm, Launch& launch);

 private:
  bool take_from_slot(const Record& record, Sm& sm, Launch& launch);
  void put_into_slot(const Record& record, Sm& sm, Launch& launch);
  void check_resources(const Record& record, const Sm& sm);
  void tb_finished(const Record& record, Sm& sm, Launch& launch);
  void tb_saved(const Record& record, Sm& sm, Launch& launch);
  void tb_flushed(const Record& record, Sm& sm, Launch& launch);
  void tb_restored(const Record& record, Sm& sm, Launch& launch);
  void tb_issued(const Record& record, Sm& sm, Launch& launch);
  void tb_restarted(const Record& record, Sm& sm, Launch& launch);
  void check_ptbq(const Record& record, const Launch& launch);

  Ledger& ledger_;
  VictimChecks& victims_;
  Complaints& complaints_;
};

}  // namespace tessera::record::log_check
