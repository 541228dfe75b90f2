// SPDX-License-Identifier: Apache-2.0
// Checks the order of submissions ([K11] 4.1). Internal to the driver's ledger.
#pragma once

#include <vector>

#include "model/record/checks/driver/driver_state.h"

namespace tessera::record::driver_check {

class OrderRules {
 public:
  OrderRules(const State& state, const Complain& complain) : state_(state), complain_(complain) {}

  // Call before a cycle's submitted groups are removed from the waiting ones.
  void judge_turns(const std::vector<Record>& submitted) const;
  // Call when one of them is online.
  void judge_company(const Record& submitted) const;
  // Call after a cycle, with one of its records.
  void judge_idleness(const Record& record) const;

 private:
  void judge_head(const Record& record, const std::vector<Record>& submitted) const;

  const State& state_;
  const Complain& complain_;
};

}  // namespace tessera::record::driver_check
