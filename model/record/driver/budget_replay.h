// SPDX-License-Identifier: Apache-2.0
// The budget of a reserve according to its records, for metrics and traces. It is verified elsewhere (checks).
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/record/driver/driver_facts.h"
#include "model/record/numbers.h"

namespace tessera::record {

class BudgetReplay {
 public:
  BudgetReplay(const command_scheduling::ReserveParameters& reserve, command_scheduling::Accounting accounting)
      : budget_(static_cast<std::int64_t>(reserve.capacity)),
        is_continuous_(accounting == command_scheduling::Accounting::kContinuous) {}

  // A group of a member is done. Continuous accounting has already charged for it up to the last replenishment.
  void done(const Record& group_done) {
    const Cycle since = group_done.cycle - replenished_;
    budget_ -= static_cast<std::int64_t>(is_continuous_ ? std::min(number::charged(group_done), since)
                                                        : number::charged(group_done));
  }
  void replenished(const Record& record) {
    budget_ = budget_of(record);
    replenished_ = record.cycle;
  }
  std::int64_t budget() const { return budget_; }

 private:
  std::int64_t budget_;
  Cycle replenished_ = 0;
  bool is_continuous_;
};

}  // namespace tessera::record
