// SPDX-License-Identifier: Apache-2.0
// By rising x, and of equal x the best first: the front is what is better than all before it.
#include "stats/pareto.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace tessera::stats {

std::vector<bool> pareto_front(const std::vector<ParetoPoint>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return points[a].x != points[b].x ? points[a].x < points[b].x : points[a].y < points[b].y;
  });
  std::vector<bool> is_on_front(points.size());
  ParetoPoint last{0, std::numeric_limits<double>::infinity()};  // on the front
  for (const std::size_t i : order) {
    const bool is_twin = points[i].x == last.x && points[i].y == last.y;
    if (points[i].y < last.y || is_twin) {
      is_on_front[i] = true;
      last = points[i];
    }
  }
  return is_on_front;
}

}  // namespace tessera::stats
