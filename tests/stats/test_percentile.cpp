// SPDX-License-Identifier: Apache-2.0
// Percentiles by hand, and intervals where chance is known.
#include <gtest/gtest.h>

#include "stats/percentile.h"

namespace tessera::stats {
namespace {

TEST(Percentile, LiesBetweenTheTwoSamplesAroundIt) {
  const std::vector<double> sorted{10, 20, 30, 50};
  EXPECT_DOUBLE_EQ(percentile(sorted, 0), 10);
  EXPECT_DOUBLE_EQ(percentile(sorted, 50), 25);
  EXPECT_DOUBLE_EQ(percentile(sorted, 90), 44);  // rank 2.7
  EXPECT_DOUBLE_EQ(percentile(sorted, 100), 50);
}

TEST(Percentile, OfOneSampleIsThatSample) { EXPECT_DOUBLE_EQ(percentile({7}, 95), 7); }

TEST(Median, NeedsNoOrder) { EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3); }

TEST(DrawnInterval, OfSamplesThatAreAllAlikeHasNoWidth) {
  const Interval interval = drawn_interval({4, 4, 4, 4}, 75, 10, 1);
  EXPECT_DOUBLE_EQ(interval.low, 4);
  EXPECT_DOUBLE_EQ(interval.high, 4);
  EXPECT_TRUE(interval.holds(4));
  EXPECT_FALSE(interval.holds(4.1));
}

// The median of n uniform draws has a standard deviation of 1 / (2 sqrt(n)): 0.05 for 100, so 1.96 of them each way.
TEST(DrawnInterval, OfAMedianIsAsWideAsChanceMakesIt) {
  std::vector<double> sorted;
  for (int i = 0; i <= 10'000; ++i) sorted.push_back(i / 10'000.0);
  const Interval interval = drawn_interval(sorted, 50, 100, 3);
  EXPECT_NEAR(interval.low, 0.5 - 1.96 * 0.05, 0.01);
  EXPECT_NEAR(interval.high, 0.5 + 1.96 * 0.05, 0.01);
}

TEST(DrawnInterval, IsTheSameForTheSameSeed) {
  const std::vector<double> sorted{1, 2, 3, 4, 5, 6};
  EXPECT_DOUBLE_EQ(drawn_interval(sorted, 95, 20, 9).high, drawn_interval(sorted, 95, 20, 9).high);
}

}  // namespace
}  // namespace tessera::stats
