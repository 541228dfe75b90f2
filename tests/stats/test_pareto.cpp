// SPDX-License-Identifier: Apache-2.0
// A front against its definition.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "stats/pareto.h"

namespace tessera::stats {
namespace {

bool beats(const ParetoPoint& a, const ParetoPoint& b) { return a.x <= b.x && a.y <= b.y && (a.x < b.x || a.y < b.y); }

TEST(ParetoFront, HoldsExactlyThosePointsThatNoOtherBeats) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<ParetoPoint> points(1 + random() % 30);
    for (ParetoPoint& point : points) point = {static_cast<double>(random() % 8), static_cast<double>(random() % 8)};
    const std::vector<bool> front = pareto_front(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool is_beaten =
          std::any_of(points.begin(), points.end(), [&](const ParetoPoint& other) { return beats(other, points[i]); });
      ASSERT_EQ(front[i], !is_beaten) << points[i].x << ' ' << points[i].y;
    }
  }
}

TEST(ParetoFront, MoreIsBetterWithTheSignTurned) {
  EXPECT_THAT(pareto_front({{1, -1}, {2, -3}, {3, -2}, {2, -1}}), testing::ElementsAre(true, true, false, false));
  EXPECT_THAT(pareto_front({{-1, -1}, {-2, -3}, {-3, -2}, {-2, -1}}), testing::ElementsAre(false, true, true, false));
}

}  // namespace
}  // namespace tessera::stats
