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
  Cycle phase = 0;                // of its first period
  bool enforces_apriori = false;  // AE: by the predicted cost; else PE
};

class Reserve {
 public:
  explicit Reserve(const ReserveParameters& parameters);  // with e = C

  // May a group with this predicted cost start? PE: x is taken as 0. e > 0 and e >= x.
  bool affords(Cycle predicted) const;
  void charge(Cycle used);
  // e' = min(max(C, x), e + C); x: of the group that waits first, 0: none does. The next time is one period on.
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
