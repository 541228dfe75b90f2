// SPDX-License-Identifier: Apache-2.0
// Means and intervals against values worked by hand or printed in tables.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stats/estimate.h"

namespace tessera::stats {
namespace {

TEST(TQuantile, IsThatOfTheTablesToOnePercent) {
  const std::pair<double, double> printed[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},   {4, 2.776},
                                               {9, 2.262},  {19, 2.093}, {100, 1.984}, {100'000, 1.960}};
  for (const auto& [degrees, quantile] : printed) {
    EXPECT_NEAR(t_quantile_95(degrees), quantile, quantile / 100) << degrees;
  }
}

TEST(Estimate, OfSingleValuesIsTheirMeanAndStudentsInterval) {
  // 1, 2, 3, 4: mean 2.5, variance 5/3.
  const Estimate ours = estimate({{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}});
  EXPECT_DOUBLE_EQ(ours.mean, 2.5);
  EXPECT_NEAR(ours.half_width, t_quantile_95(3) * std::sqrt(5.0 / 3 / 4), 1e-12);
  EXPECT_EQ(ours.number, 4U);
}

TEST(Estimate, OfSeveralValuesAWorkloadWeighsEveryValueTheSame) {
  // Workloads with 1 and 3 values.
  EXPECT_DOUBLE_EQ(estimate({{0, 10, 1}, {0, 6, 3}}).mean, 4);
}

TEST(Estimate, LeavesTheDifferenceBetweenStrataOutOfTheInterval) {
  const Estimate mixed = estimate({{0, 1, 1}, {0, 2, 1}, {0, 101, 1}, {0, 102, 1}});
  const Estimate stratified = estimate({{0, 1, 1}, {0, 2, 1}, {1, 101, 1}, {1, 102, 1}});
  EXPECT_DOUBLE_EQ(stratified.mean, mixed.mean);
  EXPECT_GT(mixed.half_width, 50);
  // Two strata of variance 1/2 and two values each: the mean's variance is 4 * (1/2) / 16, with two degrees of freedom.
  EXPECT_NEAR(stratified.half_width, t_quantile_95(2) * std::sqrt(4 * 0.5 / 16), 1e-9);
}

TEST(Estimate, TakesStrataTogetherWhereOneHasASingleWorkload) {
  EXPECT_DOUBLE_EQ(estimate({{0, 1, 1}, {1, 2, 1}, {1, 4, 1}}).half_width,
                   estimate({{0, 1, 1}, {0, 2, 1}, {0, 4, 1}}).half_width);
}

TEST(Estimate, IntervalIsThatOfTheStratumThatHoldsTheVariance) {
  // One stratum of two values far apart, nine of equal ones: one degree of freedom, not ten.
  std::vector<Observation> observations{{0, 40, 1}, {0, 80, 1}};
  for (std::uint32_t stratum = 1; stratum < 10; ++stratum) {
    observations.push_back({stratum, 1, 1});
    observations.push_back({stratum, 1, 1});
  }
  // The variance of the mean of 20: 2 values x variance 800 / 20^2.
  EXPECT_NEAR(estimate(observations).half_width, t_quantile_95(1) * std::sqrt(2.0 * 800) / 20, 1e-9);
}

TEST(Estimate, OfNothingIsNothingAndOfOneHasNoInterval) {
  EXPECT_EQ(estimate({}).number, 0U);
  const Estimate one = estimate({{0, 3, 1}});
  EXPECT_DOUBLE_EQ(one.mean, 3);
  EXPECT_DOUBLE_EQ(one.half_width, 0);
}

TEST(Estimate, IntervalCoversTheTrueMeanAsOftenAsItPromises) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> value(5, 2);
  constexpr int kTrials = 4000;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<Observation> observations;
    for (std::uint32_t i = 0; i < 12; ++i) observations.push_back({i % 3, value(random), 1});
    const Estimate ours = estimate(observations);
    if (std::abs(ours.mean - 5) <= ours.half_width) ++covered;
  }
  // One sigma of the share is 0.35 %.
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.95, 0.015);
}

TEST(EstimatePercent, HasWilsonsInterval) {
  // Newcombe, "Two-sided confidence intervals for the single proportion", 1998: 0.2553 .. 0.3662.
  const Estimate ours = estimate_percent(81, 263);
  EXPECT_NEAR(ours.mean, 100.0 * 81 / 263, 1e-9);
  EXPECT_NEAR(ours.mean + ours.half_width, 36.62, 0.01);  // the longer side
  EXPECT_EQ(ours.number, 263U);
}

TEST(EstimatePercent, IsNotCertainOfNoneOrAll) {
  for (const std::size_t times : {std::size_t{0}, std::size_t{100}}) {
    const Estimate ours = estimate_percent(times, 100);
    EXPECT_DOUBLE_EQ(ours.mean, static_cast<double>(times));
    EXPECT_NEAR(ours.half_width, 3.70, 0.01);  // z^2 / (n + z^2)
  }
  EXPECT_EQ(estimate_percent(0, 0).number, 0U);
}

}  // namespace
}  // namespace tessera::stats
