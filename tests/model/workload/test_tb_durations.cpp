// SPDX-License-Identifier: Apache-2.0
// How long TBs run, alone and alike with their neighbours (docs/concepts/readings.md, Chance and Progress 2).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/workload/kernel_model.h"
#include "model/workload/tb_durations.h"

namespace tessera::workload {
namespace {

constexpr std::uint32_t kAlike = 500'000;  // ppm
constexpr std::uint32_t kStep = 64;        // TBs from one value that is drawn to the next
constexpr std::uint32_t kMany = 20'000;
constexpr Cycle kMeanCycles = 1'000'000'000;

// The bytes of every experiment without the factor hang on this.
TEST(TbDurations, WithoutNeighboursAreADrawAlone) {
  const TbDurations durations({1000, 300}, 42);
  for (const std::uint32_t tb : {0U, 1U, 63U, 64U, 1'000'000U, ~0U}) {
    const std::uint64_t draw = mix64(42 + 0x9E3779B97F4A7C15ULL * (tb + 1ULL));
    EXPECT_EQ(durations.of(tb), 700 + static_cast<Cycle>(Uint128{draw} * 601 >> 64));
    EXPECT_EQ(durations.drawn(tb), durations.of(tb));
  }
}

TEST(TbDurations, OfNeighboursDifferByNoMoreThanAStepOfTheLine) {
  const TbDurations durations({kMeanCycles, 0}, 5, kAlike);
  // Ends of a line are at most twice the spread apart; a cycle for the rounding.
  const Cycle most = 2 * mul_div_ceil(kMeanCycles, kAlike, kMillion) / kStep + 1;
  for (std::uint32_t tb = 0; tb < 100 * kStep; ++tb) {
    const Cycle a = durations.of(tb), b = durations.of(tb + 1);
    EXPECT_LE(a > b ? a - b : b - a, most) << tb;
  }
}

TEST(TbDurations, BetweenTwoDrawnNeighboursLieOnALine) {
  const TbDurations durations({kMeanCycles, 0}, 5, kAlike);
  for (std::uint32_t tb = 0; tb < 100 * kStep; tb += kStep) {
    const auto first = static_cast<double>(durations.of(tb)), last = static_cast<double>(durations.of(tb + kStep));
    for (std::uint32_t i = 1; i < kStep; ++i) {
      EXPECT_NEAR(static_cast<double>(durations.of(tb + i)), first + (last - first) * i / kStep, 1);
    }
  }
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  return xy / std::sqrt(xx * yy);
}

TEST(TbDurations, FarApartHaveNothingInCommonAndAMeanFactorOfOne) {
  const TbDurations durations({kMeanCycles, 0}, 5, kAlike);
  std::vector<double> here, next, far;  // about the mean
  double sum = 0;
  const auto factor = [&](std::uint32_t tb) { return static_cast<double>(durations.of(tb)) / kMeanCycles; };
  for (std::uint32_t tb = 0; tb < kMany * kStep; tb += kStep) {
    here.push_back(factor(tb) - 1);
    next.push_back(factor(tb + 1) - 1);
    far.push_back(factor(tb + 2 * kStep) - 1);
    sum += factor(tb);
    EXPECT_LE(std::abs(here.back()), 0.5);
  }
  const double scatter = 4 / std::sqrt(kMany);
  EXPECT_NEAR(sum / kMany, 1, 0.5 / std::sqrt(3.0) * scatter);  // a uniform spread's sigma
  EXPECT_NEAR(correlation(here, far), 0, scatter);
  EXPECT_GT(correlation(here, next), 0.99);
}

TEST(TbDurations, OfAShortTbAreACycleAtLeast) {
  const TbDurations durations({1, 0}, 5, 900'000);
  for (std::uint32_t tb = 0; tb < 1'000; ++tb) EXPECT_GE(durations.of(tb), 1U);
}

TEST(TbDurations, ThatNeverEndAreNotShortened) {
  const TbDurations durations({kNever, 0}, 5, kAlike);
  for (std::uint32_t tb = 0; tb < 1'000; ++tb) EXPECT_EQ(durations.of(tb), kNever);
}

}  // namespace
}  // namespace tessera::workload
