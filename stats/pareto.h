// SPDX-License-Identifier: Apache-2.0
// Which of several points no other beats.
#pragma once

#include <vector>

namespace tessera::stats {

// Less of both is better; turn the sign of what is not so.
struct ParetoPoint {
  double x = 0;
  double y = 0;
};

// True for those than which no other is better in one and as good in the other.
std::vector<bool> pareto_front(const std::vector<ParetoPoint>& points);

}  // namespace tessera::stats
