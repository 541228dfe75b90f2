// SPDX-License-Identifier: Apache-2.0
// Replays the records of a driver that holds groups back ([K11]; docs/concepts/readings.md, TimeGraph) on a ledger of
// groups and budgets, and reports what is impossible. Used by the full-log check and by the monitor of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record/checks/driver/driver_order.h"
#include "model/record/checks/driver/driver_state.h"

namespace tessera::record::driver_check {

// The records of a cycle are checked together, in the driver's order: completions, replenishments, arrivals,
// submissions. They describe the previous cycle.
class Ledger {
 public:
  // Both, and what they refer to, must outlive this object.
  Ledger(const DriverFacts& facts, Complain complain);

  // Other records are ignored; those of the driver must name existing processes.
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
  std::vector<Record> of_kind(Kind kind) const;  // of this cycle, sorted by group or reserve

  DriverFacts facts_;
  Complain complain_;
  State state_;
  OrderRules order_;
  std::vector<Record> cycle_;
  Cycle last_ = 0;  // last cycle with records
};

}  // namespace tessera::record::driver_check
