// SPDX-License-Identifier: Apache-2.0
// How fast a thread block runs beside others (docs/concepts/readings.md, Occupancy and speed), by hand.
#include <gtest/gtest.h>

#include "model/workload/occupancy_pace.h"

namespace tessera::workload {
namespace {

double speed(double p, std::uint32_t full, std::uint32_t resident) {
  const Pace pace = pace_at(static_cast<std::int32_t>(p * 1e6), full, resident);
  return static_cast<double>(pace.numerator) / static_cast<double>(pace.denominator);
}

TEST(OccupancyPace, IsOneOnAFullSmAndWhereNothingIsShared) {
  for (const double p : {-1.0, -0.25, 0.0, 0.25, 1.0}) EXPECT_DOUBLE_EQ(speed(p, 6, 6), 1.0) << p;
  for (const std::uint32_t n : {1U, 3U, 9U}) EXPECT_DOUBLE_EQ(speed(0, 6, n), 1.0) << n;
}

// 1 + p (T / n - 1).
TEST(OccupancyPace, OfThoseThatShareIsFasterWithFewerAndSlowerWithMore) {
  EXPECT_DOUBLE_EQ(speed(1, 8, 4), 2.0);
  EXPECT_DOUBLE_EQ(speed(1, 8, 1), 8.0);
  EXPECT_DOUBLE_EQ(speed(0.5, 6, 3), 1.5);
  EXPECT_DOUBLE_EQ(speed(1, 4, 8), 0.5);
  EXPECT_DOUBLE_EQ(speed(0.5, 4, 8), 0.75);
}

// 1 / (1 - p (T / n - 1)).
TEST(OccupancyPace, OfThoseThatHelpEachOtherIsSlowerWithFewerAndFasterWithMore) {
  EXPECT_DOUBLE_EQ(speed(-1, 8, 4), 0.5);
  EXPECT_DOUBLE_EQ(speed(-1, 8, 1), 0.125);
  EXPECT_DOUBLE_EQ(speed(-0.5, 6, 3), 1 / 1.5);
  EXPECT_DOUBLE_EQ(speed(-1, 4, 8), 2.0);
}

TEST(OccupancyPace, WorkIsDoneAtThePaceOfEachStretch) {
  PacedWork work(1000, 100, 0);
  EXPECT_EQ(work.ends_at(pace_at(1'000'000, 4, 4)), 1100U);
  work.run_until(500, pace_at(1'000'000, 4, 4));  // 400 done
  EXPECT_EQ(work.ends_at(pace_at(1'000'000, 4, 2)), 800U);
  EXPECT_EQ(work.left_at(600, pace_at(1'000'000, 4, 2)), 400U);
  work.run_until(600, pace_at(1'000'000, 4, 2));
  EXPECT_EQ(work.ends_at(pace_at(-1'000'000, 4, 2)), 1400U);
  EXPECT_EQ(work.ran_for(600), 500U);
}

TEST(OccupancyPace, WhatItTakesIsRoundedUpAndWhatIsDoneDown) {
  PacedWork work(10, 0, 0);
  const Pace three_quarters = pace_at(-1'000'000, 4, 3);
  EXPECT_EQ(work.ends_at(three_quarters), 14U);     // 13.3
  EXPECT_EQ(work.left_at(1, three_quarters), 10U);  // 9.25
  EXPECT_EQ(work.left_at(4, three_quarters), 7U);
}

TEST(OccupancyPace, OfATbThatHasNotStartedNothingIsDone) {
  PacedWork work(1000, 100, 0);
  work.run_until(40, pace_at(1'000'000, 4, 1));
  EXPECT_EQ(work.ends_at(pace_at(1'000'000, 4, 4)), 1100U);
}

TEST(OccupancyPace, ATbThatComesBackHasRunBefore) {
  const PacedWork work(600, 5000, 400);
  EXPECT_EQ(work.ran_for(5100), 500U);
}

}  // namespace
}  // namespace tessera::workload
