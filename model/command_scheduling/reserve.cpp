// SPDX-License-Identifier: Apache-2.0
// A reserve's budget: charged at will, replenished once a period.
#include "model/command_scheduling/reserve.h"

#include <algorithm>

namespace tessera::command_scheduling {

Reserve::Reserve(const ReserveParameters& parameters)
    : parameters_(parameters),
      budget_(static_cast<std::int64_t>(parameters.capacity)),
      next_(parameters.phase + parameters.period) {}

bool Reserve::affords(Cycle predicted) const {
  if (budget_ <= 0) return false;
  return !parameters_.enforces_apriori || static_cast<Cycle>(budget_) >= predicted;
}

void Reserve::charge(Cycle used) {
  budget_ -= static_cast<std::int64_t>(used);
  charged_ += used;
}

void Reserve::replenish(Cycle predicted_of_first) {
  const Cycle bound = std::max(parameters_.capacity, parameters_.enforces_apriori ? predicted_of_first : 0);
  const std::int64_t before = budget_;
  budget_ = std::min(static_cast<std::int64_t>(bound), before + static_cast<std::int64_t>(parameters_.capacity));
  granted_ += budget_ - before;
  next_ += parameters_.period;
}

}  // namespace tessera::command_scheduling
