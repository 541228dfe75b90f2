// SPDX-License-Identifier: Apache-2.0
// A reserve: capacity C every period T, and its budget e, which may be negative ([K11] 5.1, 5.2;
// docs/concepts/readings.md).
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::command_scheduling {

struct ReserveParameters {
  Cycle capacity = 0;             // >= 1
  Cycle period = 0;               // >= 1
  Cycle phase = 0;                // start of its first period
  bool enforces_apriori = false;  // AE: enforces the predicted cost; else PE
};

class Reserve {
 public:
  explicit Reserve(const ReserveParameters& parameters);  // with e = C

  // Whether a group with predicted cost x may start: e > 0 and e >= x. PE: x is taken as 0.
  bool affords(Cycle predicted) const;
  void charge(Cycle used);
  // e' = min(max(C, x), e + C); x: predicted cost of the first waiting group, 0: none waits. The next replenishment is
  // one period later.
  void replenish(Cycle predicted_of_first);
  Cycle next_replenishment() const { return next_; }
  std::int64_t budget() const { return budget_; }
  const ReserveParameters& parameters() const { return parameters_; }
  // For the invariant e = C + grants - charges.
  std::int64_t granted() const { return granted_; }
  std::uint64_t charged() const { return charged_; }

 private:
  ReserveParameters parameters_;
  std::int64_t budget_;
  Cycle next_;
  std::int64_t granted_ = 0;
  std::uint64_t charged_ = 0;
};

}  // namespace tessera::command_scheduling
