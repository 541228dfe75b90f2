// SPDX-License-Identifier: Apache-2.0
// Replays what a driver that holds groups back says that it did ([K11]; docs/concepts/readings.md, TimeGraph), on a
// ledger of groups and budgets, and names what cannot be. For the full-log check and for the monitor of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record/checks/driver/driver_order.h"
#include "model/record/checks/driver/driver_state.h"

namespace tessera::record::driver_check {

// The records of a cycle are judged together, in the order in which the driver works: completions, replenishments,
// arrivals, submissions. They tell what happened in the cycle before.
class Ledger {
 public:
  // Both must outlive this object, as what they refer to.
  Ledger(const DriverFacts& facts, Complain complain);

  // Records of others are ignored; those of the driver name processes that there are.
  void visit(const Record& record);
  void finish();

 private:
  void settle();
  void take_completions();
  void take_completion(const Record& record);
  void take_replenishments();
  void replenish(std::size_t reserve, const Record* record);
  Cycle charge_running(std::size_t reserve, Cycle until);
  void take_arrivals();
  void take_suspensions();
  void take_submissions();
  bool can_submit(const Record& record);
  void check_window(std::size_t reserve);
  Cycle take_time(const OnlineGroup& group, Cycle until);
  bool require(bool holds, Rule rule, const Record& record, const std::string& what);
  std::vector<Record> of_kind(Kind kind) const;  // of this cycle, by group or reserve

  DriverFacts facts_;
  Complain complain_;
  State state_;
  OrderRules order_;
  std::vector<Record> cycle_;
  Cycle last_ = 0;  // cycle with records
};

}  // namespace tessera::record::driver_check
