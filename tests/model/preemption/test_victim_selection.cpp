// SPDX-License-Identifier: Apache-2.0
// Ways out and sets by hand: the timeline of docs/concepts/readings.md as far as it is decided on paper, limits one
// cycle to either side, and prices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/preemption/victim_selection.h"
#include "tests/model/preemption/victim_support.h"

namespace tessera::preemption {
namespace {

using spec::ChimeraMix;
using spec::SwitchPricing;
using test::best_of;
using test::exits_of;
using test::plan_set;
using test::set_of;
using testing::ElementsAre;

constexpr Exit D = Exit::kDrain;
constexpr Exit F = Exit::kFlush;
constexpr Exit S = Exit::kSwitch;

// ---- the timeline --------------------------------------------------------------------------------------------------

// A: four TBs of 8192 registers, started at 0, that take 1000, 1400, 1800 and 2200 cycles, at CPI 1. B takes 16384
// registers: position 0 needs TBs 0 and 1 gone, position 1 TBs 2 and 3. It is cycle 900; what remains is known.
class VictimTimeline : public testing::Test {
 protected:
  static constexpr Cycle kNow = 900;

  std::vector<TbStatus> tbs(std::uint64_t point_percent) const {
    std::vector<TbStatus> all;
    for (const Cycle duration : {1000, 1400, 1800, 2200}) {
      const bool is_flushable = kNow * 100 < duration * point_percent;
      all.push_back({static_cast<std::uint32_t>(all.size()), kNow, kNow, duration - kNow, is_flushable, false, 0});
    }
    return all;
  }
  static SwitchPrice price(SwitchPricing pricing) { return {pricing, 0, 0, 500, 1}; }
  // Of all sets, back to back: all of it happens at cycle 900.
  std::vector<SetPlan> dual(std::uint64_t point_percent, SwitchPricing pricing, Cycle limit) const {
    std::vector<SetPlan> plans;
    for (const std::uint64_t set : sets_) {
      plans.push_back(plan_set(tbs(point_percent), set, limit, price(pricing), {}));
    }
    return plans;
  }

  const std::vector<std::uint64_t> sets_ = victim_sets({{0, kA}, {1, kA}, {2, kA}, {3, kA}}, 0xF, {16384, 0, 256}, 2);
  static constexpr TbSize kA{8192, 0, 256};
};

TEST_F(VictimTimeline, PositionsNeedTwoTbsEach) { EXPECT_THAT(sets_, ElementsAre(set_of({0, 1}), set_of({2, 3}))); }

TEST_F(VictimTimeline, DualKernelWithIdempotentTbs) {
  const auto plans = dual(101, SwitchPricing::kPerTb, 500);
  EXPECT_THAT(exits_of(plans[0]), ElementsAre(D, D));
  EXPECT_THAT(exits_of(plans[1]), ElementsAre(F, F));
  EXPECT_EQ(kNow + plans[0].latency, 1400U);
  EXPECT_EQ(kNow + plans[1].latency, 900U);
  EXPECT_EQ(plans[0].wasted + plans[1].wasted, 1800U);
  EXPECT_EQ(best_of(plans), 0U) << "first the one that costs nothing";
}

TEST_F(VictimTimeline, ChimeraHandsTheSmOverWhenTheLastHasGone) {
  const SetPlan all = plan_set(tbs(101), 0xF, 500, price(SwitchPricing::kPerTb), {});
  EXPECT_THAT(exits_of(all), ElementsAre(D, D, F, F));
  EXPECT_EQ(kNow + all.latency, 1400U);
  EXPECT_EQ(all.wasted, 1800U);
  EXPECT_TRUE(all.meets_limit);
}

TEST_F(VictimTimeline, ChimerasIdleSlotsCostButAreNotWasted) {
  const SetPlan all = plan_set(tbs(101), 0xF, 500, price(SwitchPricing::kPerTb), {ChimeraMix::kTb, true});
  EXPECT_EQ(all.wasted, 1800U);
  EXPECT_EQ(all.cost, 1800U + 400 + 0 + 500 + 500) << "TB 0 has gone at 100, TB 1 at 500, the others at once";
}

// One way for all: at 500 nobody waits for TB 3, saving costs 4 x 2 x 500, and dropping 4 x 900.
TEST_F(VictimTimeline, ChimeraWithOneWayForAllFlushes) {
  const SetPlan all = plan_set(tbs(101), 0xF, 500, price(SwitchPricing::kPerTb), {ChimeraMix::kSm, false});
  EXPECT_THAT(exits_of(all), ElementsAre(F, F, F, F));
  EXPECT_EQ(kNow + all.latency, 900U);
  EXPECT_EQ(all.wasted, 3600U);
}

TEST_F(VictimTimeline, ChimeraWithOneWayForAllDrainsOnceTheLimitAllowsIt) {
  for (const Cycle limit : {1299, 1300}) {
    const SetPlan all = plan_set(tbs(101), 0xF, limit, price(SwitchPricing::kPerTb), {ChimeraMix::kSm, false});
    EXPECT_EQ(all.wasted, limit == 1300 ? 0U : 3600U);
    EXPECT_EQ(kNow + all.latency, limit == 1300 ? 2200U : 900U);
  }
}

TEST_F(VictimTimeline, OneTbBeyondItsPointKeepsChimeraFromFlushingAll) {
  auto three = tbs(101);
  three[3].is_flushable = false;
  const SetPlan all = plan_set(three, 0xF, 500, price(SwitchPricing::kPerTb), {ChimeraMix::kSm, false});
  EXPECT_THAT(exits_of(all), ElementsAre(S, S, S, S));
  EXPECT_EQ(all.wasted, 4000U);
}

TEST_F(VictimTimeline, DualKernelWithPointsAt40PercentPricedPerTb) {
  const auto plans = dual(40, SwitchPricing::kPerTb, 500);
  EXPECT_THAT(exits_of(plans[0]), ElementsAre(D, D));
  EXPECT_THAT(exits_of(plans[1]), ElementsAre(S, S));
  EXPECT_EQ(kNow + plans[0].latency, 1400U);
  EXPECT_EQ(kNow + plans[1].latency, 1400U);
  EXPECT_EQ(plans[0].wasted + plans[1].wasted, 2000U);
  EXPECT_TRUE(plans[0].meets_limit && plans[1].meets_limit);
}

TEST_F(VictimTimeline, DualKernelWithPointsAt40PercentPricedByTheChannel) {
  const auto plans = dual(40, SwitchPricing::kChannel, 500);
  EXPECT_THAT(exits_of(plans[1]), ElementsAre(S, S));
  EXPECT_EQ(kNow + plans[0].latency, 1400U);
  EXPECT_EQ(kNow + plans[1].latency, 1900U);
  EXPECT_EQ(plans[0].wasted + plans[1].wasted, 4000U);
  EXPECT_TRUE(plans[0].meets_limit);
  EXPECT_FALSE(plans[1].meets_limit);
  EXPECT_EQ(best_of(plans), 0U);
}

TEST_F(VictimTimeline, ALimitOneCycleShorterFlushesTheTbThatDrainedUpToIt) {
  const auto plans = dual(101, SwitchPricing::kPerTb, 499);
  EXPECT_THAT(exits_of(plans[0]), ElementsAre(D, F));
  EXPECT_THAT(exits_of(plans[1]), ElementsAre(F, F));
  EXPECT_EQ(kNow + plans[0].latency, 1000U);
  EXPECT_EQ(kNow + plans[1].latency, 900U);
  EXPECT_EQ(plans[0].wasted + plans[1].wasted, 2700U);
}

// ---- one thread block ----------------------------------------------------------------------------------------------

constexpr SwitchPrice kPerTb{SwitchPricing::kPerTb, 20, 0, 980, 1};  // 1000 until it is saved

SetPlan plan_of(const TbStatus& tb, Cycle limit, const SwitchPrice& price = kPerTb) {
  return plan_set({tb}, std::uint64_t{1} << tb.slot, limit, price, {});
}

TEST(VictimSelection, DrainsUpToTheLimitAndNoLonger) {
  const TbStatus tb{5, 1000, 1000, 700, true, false, 0};
  EXPECT_THAT(exits_of(plan_of(tb, 700)), ElementsAre(D));
  EXPECT_THAT(exits_of(plan_of(tb, 699)), ElementsAre(F));
}

TEST(VictimSelection, SwitchesUpToTheLimitAndNoLonger) {
  const TbStatus tb{5, 9000, 9000, 5000, true, false, 0};
  EXPECT_THAT(exits_of(plan_of(tb, 1000)), ElementsAre(S));
  EXPECT_EQ(plan_of(tb, 1000).wasted, 2U * 980) << "the TB runs on while the pipeline drains";
  EXPECT_THAT(exits_of(plan_of(tb, 999)), ElementsAre(F));
}

// With its own IPC, so many cycles and not more are cheaper to run again than to save and restore.
TEST(VictimSelection, FlushesATbThatHasRunNoLongerThanSavingAndRestoringTake) {
  for (const std::uint64_t ipc : {1, 7}) {
    for (const Cycle run_for : {1959, 1960, 1961}) {
      const TbStatus tb{0, run_for * ipc, run_for, kNever, true, false, 0};
      EXPECT_THAT(exits_of(plan_of(tb, 5000)), ElementsAre(run_for <= 2 * 980 ? F : S)) << run_for;
    }
  }
}

TEST(VictimSelection, DropsNoTbThatMayNotStartAgain) {
  const TbStatus tb{0, 1, 1, kNever, false, false, 0};
  EXPECT_THAT(exits_of(plan_of(tb, 1000)), ElementsAre(S));
  EXPECT_THAT(exits_of(plan_of(tb, 0)), ElementsAre(S)) << "too late too, but sooner than never";
}

TEST(VictimSelection, TakesTheSoonestWayWhereNoneIsInTime) {
  EXPECT_THAT(exits_of(plan_of({0, 10, 10, 999, false, false, 0}, 100)), ElementsAre(D));
  EXPECT_THAT(exits_of(plan_of({0, 10, 10, 1001, false, false, 0}, 100)), ElementsAre(S));
  EXPECT_FALSE(plan_of({0, 10, 10, 999, false, false, 0}, 100).meets_limit);
}

TEST(VictimSelection, WastesNothingOfATbThatHasNotRunYet) {
  const SetPlan plan = plan_of({0, 0, 0, kNever, false, false, 0}, 5000);
  EXPECT_THAT(exits_of(plan), ElementsAre(S));
  EXPECT_EQ(plan.wasted, 0U);
}

// ---- sets ----------------------------------------------------------------------------------------------------------

TEST(VictimSelection, AnEmptySetCostsNothingAtOnce) {
  const SetPlan plan = plan_set({{0, 5, 5, 5, true, false, 0}}, 0, 0, kPerTb, {});
  EXPECT_TRUE(plan.exits.empty());
  EXPECT_TRUE(plan.meets_limit);
  EXPECT_EQ(plan.latency + plan.cost + plan.wasted, 0U);
}

TEST(VictimSelection, ASetWaitsForThoseThatAreLeavingAlready) {
  const std::vector<TbStatus> tbs = {{0, 900, 900, 7, true, true, 300}, {1, 0, 0, 10, true, false, 0}};
  for (const Cycle limit : {299, 300}) {
    const SetPlan plan = plan_set(tbs, 3, limit, kPerTb, {});
    EXPECT_EQ(plan.latency, 300U);
    EXPECT_EQ(plan.wasted, 0U);
    EXPECT_EQ(plan.meets_limit, limit == 300);
    ASSERT_EQ(plan.exits.size(), 1U);
    EXPECT_EQ(plan.exits[0].slot, 1U);
  }
}

TEST(VictimSelection, AmongSetsInTimeTheCheapestWinsThenTheSoonestThenTheFirst) {
  const auto plan = [](std::uint64_t cost, Cycle latency, bool meets) {
    SetPlan one;
    static_cast<SetCost&>(one) = {latency, 0, cost, meets};
    return one;
  };
  EXPECT_EQ(best_of({plan(5, 1, true), plan(4, 9, true), plan(0, 10, false)}), 1U);
  EXPECT_EQ(best_of({plan(4, 9, true), plan(4, 8, true)}), 1U);
  EXPECT_EQ(best_of({plan(4, 8, true), plan(4, 8, true)}), 0U);
  EXPECT_EQ(best_of({plan(0, 30, false), plan(9, 20, false), plan(8, 20, false)}), 2U);
  EXPECT_EQ(best_of({plan(8, 20, false), plan(8, 20, false)}), 0U);
}

// ---- the price of a switch -----------------------------------------------------------------------------------------

TEST(SwitchPrice, OfTheChannelAddsUpContextsAndWhatIsMovingAlready) {
  const SwitchPrice price{SwitchPricing::kChannel, 20, 100, 7, 2};  // 3.5 cycles a context
  EXPECT_EQ(price.stall(1), 4U);
  EXPECT_EQ(price.stall(2), 7U);
  EXPECT_EQ(price.stall(3), 11U);
  EXPECT_EQ(price.latency(3), 100U + 20 + 11);
}

TEST(SwitchPrice, PerTbIsTheSameForAnyNumber) {
  const SwitchPrice price{SwitchPricing::kPerTb, 20, 100, 7, 2};
  EXPECT_EQ(price.stall(3), 4U);
  EXPECT_EQ(price.latency(3), 24U) << "and does not wait";
}

TEST(SwitchPrice, OfNoContextIsNothing) {
  for (const SwitchPricing pricing : {SwitchPricing::kPerTb, SwitchPricing::kChannel}) {
    EXPECT_EQ((SwitchPrice{pricing, 20, 100, 7, 2}.latency(0)), 0U);
    EXPECT_EQ((SwitchPrice{pricing, 20, 100, 7, 2}.stall(0)), 0U);
  }
}

}  // namespace
}  // namespace tessera::preemption
