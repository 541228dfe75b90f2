// SPDX-License-Identifier: Apache-2.0
// By rising cost, and of equal cost the best first: the front is what is better than all before it.
#include "sweep/pareto.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace tessera::sweep {

std::vector<bool> pareto_front(const std::vector<ParetoPoint>& points, spec::Better x, spec::Better y) {
  const auto cost = [&](std::size_t i) { return x == spec::Better::kMin ? points[i].x : -points[i].x; };
  const auto loss = [&](std::size_t i) { return y == spec::Better::kMin ? points[i].y : -points[i].y; };
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return cost(a) != cost(b) ? cost(a) < cost(b) : loss(a) < loss(b); });
  std::vector<bool> is_on_front(points.size());
  double least = std::numeric_limits<double>::infinity();
  double cost_of_least = 0;
  for (const std::size_t i : order) {
    const bool is_twin = loss(i) == least && cost(i) == cost_of_least;  // of one on the front
    if (loss(i) < least || is_twin) {
      is_on_front[i] = true;
      least = loss(i);
      cost_of_least = cost(i);
    }
  }
  return is_on_front;
}

}  // namespace tessera::sweep
