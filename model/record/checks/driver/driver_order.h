// SPDX-License-Identifier: Apache-2.0
// Whose turn it was ([K11] 4.1). Internal to the driver's ledger.
#pragma once

#include <vector>

#include "model/record/checks/driver/driver_state.h"

namespace tessera::record::driver_check {

class OrderRules {
 public:
  OrderRules(const State& state, const Complain& complain) : state_(state), complain_(complain) {}

  // Before the groups that are submitted in a cycle leave the waiting ones.
  void judge_turns(const std::vector<Record>& submitted) const;
  // When one of them is online.
  void judge_company(const Record& submitted) const;
  // After a cycle of which `record` is one.
  void judge_idleness(const Record& record) const;

 private:
  void judge_head(const Record& record, const std::vector<Record>& submitted) const;

  const State& state_;
  const Complain& complain_;
};

}  // namespace tessera::record::driver_check
