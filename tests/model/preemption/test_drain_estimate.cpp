// SPDX-License-Identifier: Apache-2.0
// Estimates of what a thread block still needs: the written rounding against exact fractions, and who is believed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "model/preemption/drain_estimate.h"

namespace tessera::preemption {
namespace {

using spec::Estimator;
using Tbs = std::vector<std::pair<Cycle, std::uint64_t>>;  // cycles, instructions

constexpr std::uint64_t kOne = std::uint64_t{1} << kCpiFractionBits;
constexpr std::uint64_t k2To47 = std::uint64_t{1} << 47;

CpiStatistics statistics_of(const Tbs& tbs) {
  CpiStatistics statistics;
  for (const auto& [cycles, instructions] : tbs) statistics.add(cycles, instructions);
  return statistics;
}
FinishedTbs finished_of(const Tbs& tbs) {
  FinishedTbs finished;
  for (const auto& [cycles, instructions] : tbs) finished.add(cycles, instructions);
  return finished;
}

// The largest x in [0, limit) with `holds`, of those that hold up to one of them.
template <typename Holds>
Uint128 last_with(Uint128 limit, const Holds& holds) {
  Uint128 low = 0;
  while (limit - low > 1) {
    const Uint128 middle = low + (limit - low) / 2;
    (holds(middle) ? low : limit) = middle;
  }
  return low;
}

// ---- CPI -----------------------------------------------------------------------------------------------------------

TEST(CpiStatistics, AreExactWhereFractionsAre) {
  const CpiStatistics cpi = statistics_of({{300, 100}, {500, 100}});  // 3 and 5
  EXPECT_EQ(cpi.count(), 2U);
  EXPECT_EQ(cpi.mean(), 4 * kOne);
  EXPECT_EQ(cpi.variance(), Uint128{kOne} * kOne);
}

TEST(CpiStatistics, RoundTheCpiOfATbDown) {
  EXPECT_EQ(statistics_of({{1, 3}}).mean(), 21845U);  // 65536 / 3 = 21845.33
  EXPECT_EQ(statistics_of({{2, 3}}).mean(), 43690U);  // 43690.67
  EXPECT_EQ(statistics_of({{1, kOne}}).mean(), 1U);
  EXPECT_EQ(statistics_of({{1, kOne + 1}}).mean(), 0U);
}

TEST(CpiStatistics, LeaveOutTbsWithoutInstructions) {
  const CpiStatistics cpi = statistics_of({{100, 0}, {7, 7}, {0, 0}});
  EXPECT_EQ(cpi.count(), 1U);
  EXPECT_EQ(cpi.mean(), kOne);
  EXPECT_EQ(statistics_of({{100, 0}}).count(), 0U);
}

TEST(CpiStatistics, OfEqualTbsDoNotVary) {
  for (const std::uint64_t cycles : {1U, 77U, 12345U}) {
    EXPECT_EQ(statistics_of(Tbs(7, {cycles, 13})).variance(), Uint128{0}) << cycles;
  }
}

// n x mean <= sum < n x (mean + 1); n^2 x variance <= n x (sum of squares) - sum^2 < n^2 x (variance + 1).
RC_GTEST_PROP(CpiStatistics, MeanAndVarianceAreTheExactOnesRoundedDown, ()) {
  const auto width = *rc::gen::element(1, 4, 8, 14, 20, 24);
  const auto value = rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << width);
  const auto tbs = *rc::gen::nonEmpty(rc::gen::container<Tbs>(rc::gen::pair(value, value)));
  std::vector<Uint128> cpis;
  Uint128 sum = 0;
  for (const auto& [cycles, instructions] : tbs) {
    cpis.push_back(Uint128{cycles} * kOne / instructions);
    sum += cpis.back();
  }
  const CpiStatistics cpi = statistics_of(tbs);
  const Uint128 n = tbs.size();
  RC_ASSERT(cpi.count() == n);
  RC_ASSERT(n * cpi.mean() <= sum);
  RC_ASSERT(sum < n * (Uint128{cpi.mean()} + 1));
  // n x (sum of squares) - sum^2 is the sum over all pairs of their squared distances.
  Uint128 spread = 0;
  for (std::size_t i = 0; i < cpis.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Uint128 apart = cpis[i] > cpis[j] ? cpis[i] - cpis[j] : cpis[j] - cpis[i];
      spread += apart * apart;
    }
  }
  RC_ASSERT(n * n * cpi.variance() <= spread);
  RC_ASSERT(spread < n * n * (cpi.variance() + 1));
}

// Values that lie beside each other: where the mean's own rounding weighs more than the spread.
TEST(CpiStatistics, VarianceDoesNotGrowWithTheMeansRounding) {
  CpiStatistics cpi;
  cpi.add(1000 * kOne, kOne);      // 1000
  cpi.add(1000 * kOne + 1, kOne);  // and one unit more: a variance of 1/4
  EXPECT_EQ(cpi.mean(), 1000 * kOne);
  EXPECT_EQ(cpi.variance(), Uint128{0});
  cpi.add(1000 * kOne + 3, kOne);  // 0, 1, 3: 14 / 9
  EXPECT_EQ(cpi.variance(), Uint128{1});
}

// ---- large numbers -------------------------------------------------------------------------------------------------

TEST(CpiStatistics, SaturateSoThatAsManyTbsAsAKernelMayHaveFit) {
  const CpiStatistics cpi = statistics_of(Tbs(100, {k2To47, 1}));
  EXPECT_EQ(cpi.mean(), kMaxCpi);
  EXPECT_EQ(cpi.variance(), Uint128{0});
  // So many TBs have a number (framework.tb_id_bits); the sum of their squares, and what the variance takes of it.
  const Uint128 all = Uint128{1} << 32;
  EXPECT_EQ(all * kMaxCpi * kMaxCpi / all, Uint128{kMaxCpi} * kMaxCpi);
  EXPECT_EQ(statistics_of({{k2To47, k2To47}}).mean(), kOne);
  EXPECT_EQ(statistics_of({{kMaxCpi, kOne}}).mean(), kMaxCpi);
  EXPECT_EQ(statistics_of({{kMaxCpi - 1, kOne}}).mean(), kMaxCpi - 1);
  EXPECT_EQ(statistics_of({{kMaxCpi + 1, kOne}}).mean(), kMaxCpi);
}

TEST(CpiStatistics, OfTheFarthestValuesHaveTheirExactVariance) {
  const CpiStatistics cpi = statistics_of({{k2To47, 1}, {0, 1}, {k2To47, 1}, {0, 1}});
  EXPECT_EQ(cpi.mean(), kMaxCpi / 2);
  // Twice a and twice 0: a^2 / 4.
  EXPECT_EQ(cpi.variance(), Uint128{kMaxCpi} * kMaxCpi / 4);
}

TEST(DrainEstimate, OfLongTbsDoesNotOverflow) {
  const FinishedTbs finished = finished_of(Tbs(1000, {k2To47, k2To47}));
  EXPECT_EQ(finished.mean_instructions(), k2To47);
  EXPECT_EQ(remaining_cycles(0, finished, kOne), k2To47);
  EXPECT_EQ(remaining_cycles(0, finished, 2 * kOne - 1), 2 * k2To47 - (k2To47 >> kCpiFractionBits));
  EXPECT_EQ(remaining_cycles(0, finished, 2 * kOne), kNever) << "2^48, and kNever is one less";
  EXPECT_EQ(remaining_cycles(0, finished, kMaxCpi), kNever);
}

// ---- what remains --------------------------------------------------------------------------------------------------

TEST(DrainEstimate, IsMissingInstructionsTimesCpiRoundedUp) {
  const FinishedTbs finished = finished_of({{100, 100}, {100, 201}});  // a mean of 150.5: 150
  EXPECT_EQ(finished.mean_instructions(), 150U);
  EXPECT_EQ(remaining_cycles(50, finished, 3 * kOne), 300U);
  EXPECT_EQ(remaining_cycles(149, finished, kOne + 1), 2U);
  EXPECT_EQ(remaining_cycles(149, finished, kOne), 1U);
  EXPECT_EQ(remaining_cycles(149, finished, 1), 1U);
  EXPECT_EQ(remaining_cycles(149, finished, 0), 0U);
}

TEST(DrainEstimate, IsNothingForATbThatHasExecutedTheMeanOrMore) {
  const FinishedTbs finished = finished_of({{100, 100}});
  EXPECT_EQ(remaining_cycles(99, finished, kOne), 1U);
  EXPECT_EQ(remaining_cycles(100, finished, kOne), 0U);
  EXPECT_EQ(remaining_cycles(101, finished, kOne), 0U);
  EXPECT_EQ(remaining_cycles(~std::uint64_t{0}, finished, kOne), 0U);
}

TEST(DrainEstimate, IsTheMaximumWhereNoTbHasFinished) {
  EXPECT_EQ(remaining_cycles(5, FinishedTbs{}, kOne), kNever);
  for (const Estimator estimator : {Estimator::kFinishedMean, Estimator::kLeastSpread}) {
    EXPECT_EQ(expected_cpi(estimator, statistics_of({{10, 10}, {11, 10}}), FinishedTbs{}), std::nullopt);
  }
}

RC_GTEST_PROP(DrainEstimate, IsTheLeastNumberOfCyclesThatIsEnough, ()) {
  const auto mean = *rc::gen::inRange<std::uint64_t>(1, 1U << 30);
  const auto executed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
  const auto cpi = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 33);
  const FinishedTbs finished = finished_of({{1, mean}});
  const Uint128 needed = executed < mean ? Uint128{mean - executed} * cpi : 0;
  const Uint128 too_few = last_with(Uint128{kNever} + 2, [&](Uint128 cycles) { return cycles * kOne < needed; });
  RC_ASSERT(remaining_cycles(executed, finished, cpi) == (needed == 0 ? 0 : too_few + 1));
}

// ---- who is believed -----------------------------------------------------------------------------------------------

TEST(ExpectedCpi, OfLeastSpreadIsThatOfRunningTbsOnlyWhereTheyAreStrictlySteadier) {
  const FinishedTbs finished = finished_of({{100, 100}, {300, 100}});  // 1 and 3: the variance is 1
  const auto expected = [&](const Tbs& running) {
    return expected_cpi(Estimator::kLeastSpread, statistics_of(running), finished);
  };
  EXPECT_EQ(expected({{500, 100}, {700, 100}}), 2 * kOne) << "as far apart";
  EXPECT_EQ(expected({{500 * kOne, 100 * kOne}, {700 * kOne - 100, 100 * kOne}}), 6 * kOne - 1) << "5, and almost 7";
  EXPECT_EQ(expected({{500, 100}, {701, 100}}), 2 * kOne);
  EXPECT_EQ(expected({{900, 100}}), 9 * kOne) << "one alone does not vary";
  EXPECT_EQ(expected({}), 2 * kOne);
  EXPECT_EQ(expected({{900, 0}}), 2 * kOne) << "nothing executed yet";
}

TEST(ExpectedCpi, OfFinishedMeanIsAlwaysThatOfFinishedTbs) {
  const FinishedTbs finished = finished_of({{100, 100}, {300, 100}});
  for (const Tbs& running : {Tbs{}, Tbs{{900, 100}}, Tbs{{500, 100}, {501, 100}}}) {
    EXPECT_EQ(expected_cpi(Estimator::kFinishedMean, statistics_of(running), finished), 2 * kOne);
  }
}

TEST(ExpectedCpi, OfOneFinishedTbIsBelievedUnlessNothingVaries) {
  const FinishedTbs finished = finished_of({{200, 100}});
  EXPECT_EQ(expected_cpi(Estimator::kLeastSpread, statistics_of({{900, 100}}), finished), 2 * kOne);
}

}  // namespace
}  // namespace tessera::preemption
