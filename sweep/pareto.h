// SPDX-License-Identifier: Apache-2.0
// Which of several points no other beats.
#pragma once

#include <vector>

#include "model/spec/sweep/sweep_spec.h"

namespace tessera::sweep {

struct ParetoPoint {
  double x = 0;
  double y = 0;
};

// True for those than which no other is better in one and as good in the other.
std::vector<bool> pareto_front(const std::vector<ParetoPoint>& points, spec::Better x, spec::Better y);

}  // namespace tessera::sweep
