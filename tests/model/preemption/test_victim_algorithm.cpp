// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 on random SMs against slow restatements: every assignment of ways out to every set where sets are priced
// per thread block, and the written rule, step by step, where they share the channel.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "model/preemption/victim_selection.h"
#include "tests/model/preemption/victim_support.h"

namespace tessera::preemption {
namespace {

using spec::ChimeraMix;
using spec::SwitchPricing;
using test::best_of;
using test::plan_set;

constexpr std::array kWays{Exit::kDrain, Exit::kFlush, Exit::kSwitch};

// Small numbers: limits are met exactly, and costs are equal, all the time.
class Random {
 public:
  std::uint64_t in(std::uint64_t low, std::uint64_t high) { return low + bits_() % (high - low + 1); }
  bool one_in(std::uint64_t n) { return in(1, n) == 1; }

  std::vector<TbStatus> tbs(std::uint64_t most) {
    std::vector<TbStatus> all(in(0, most));
    for (TbStatus& tb : all) {
      tb.slot = static_cast<std::uint32_t>(&tb - all.data()) * 3;  // slots between them are free
      tb.run_for = in(0, 12);
      tb.executed = tb.run_for * in(0, 3);
      tb.drains_in = one_in(6) ? kNever : in(0, 15);
      tb.is_flushable = !one_in(3);
      tb.is_leaving = one_in(5);
      tb.leaves_in = in(0, 12);
    }
    return all;
  }
  std::uint64_t set(const std::vector<TbStatus>& tbs) {
    std::uint64_t slots = 0;
    for (const TbStatus& tb : tbs) slots |= in(0, 1) << tb.slot;
    return slots;
  }
  SwitchPrice price(SwitchPricing pricing) { return {pricing, in(0, 3), in(0, 4), in(0, 20), in(1, 3)}; }

 private:
  std::mt19937_64 bits_{16};
};

// ---- slow ----------------------------------------------------------------------------------------------------------

struct Outcome {
  Cycle latency = 0;
  std::uint64_t wasted = 0;
  std::uint64_t idle = 0;
};

std::vector<TbStatus> chosen_now(const std::vector<TbStatus>& tbs, std::uint64_t set) {
  std::vector<TbStatus> chosen;
  for (const TbStatus& tb : tbs) {
    if ((set >> tb.slot & 1) != 0 && !tb.is_leaving) chosen.push_back(tb);
  }
  return chosen;
}

std::uint64_t switches_of(const std::vector<Exit>& ways) {
  return static_cast<std::uint64_t>(std::count(ways.begin(), ways.end(), Exit::kSwitch));
}

// One way, where `switched` contexts move: so many contexts one after the other, a cycle begun is a cycle taken.
Outcome outcome(const TbStatus& tb, Exit way, std::uint64_t switched, const SwitchPrice& price) {
  if (way == Exit::kDrain) return {tb.drains_in, 0, 0};
  if (way == Exit::kFlush) return {0, tb.executed, 0};
  const bool shares = price.pricing == SwitchPricing::kChannel;
  const std::uint64_t work = price.numerator * (shares ? switched : 1);
  Cycle stall = 0;
  while (stall * price.denominator < work) ++stall;
  const std::uint64_t wasted = tb.run_for == 0 ? 0 : 2 * stall * tb.executed / tb.run_for;
  return {price.stop + stall + (shares ? price.waits_for : 0), wasted, 0};
}

// A set whose TBs leave in these ways.
Outcome outcome(const std::vector<TbStatus>& tbs, std::uint64_t set, const std::vector<Exit>& ways,
                const SwitchPrice& price) {
  const auto chosen = chosen_now(tbs, set);
  Outcome sum;
  for (const TbStatus& tb : tbs) {
    if ((set >> tb.slot & 1) != 0 && tb.is_leaving) sum.latency = std::max(sum.latency, tb.leaves_in);
  }
  std::vector<Outcome> each;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    each.push_back(outcome(chosen[i], ways[i], switches_of(ways), price));
    sum.latency = std::max(sum.latency, each[i].latency);
    sum.wasted += each[i].wasted;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i].run_for == 0) continue;
    sum.idle += (sum.latency - each[i].latency) * chosen[i].executed / chosen[i].run_for;
  }
  return sum;
}

void expect_is(const SetPlan& plan, const Outcome& expected, Cycle limit, bool counts_idle) {
  EXPECT_EQ(plan.latency, expected.latency);
  EXPECT_EQ(plan.wasted, expected.wasted);
  EXPECT_EQ(plan.cost, expected.wasted + (counts_idle ? expected.idle : 0));
  EXPECT_EQ(plan.meets_limit, expected.latency <= limit);
}

// Whether the plan says what its own ways out amount to, TB by TB.
void expect_is_sound(const SetPlan& plan, const std::vector<TbStatus>& tbs, std::uint64_t set, Cycle limit,
                     const SwitchPrice& price, bool counts_idle) {
  const auto chosen = chosen_now(tbs, set);
  const auto ways = test::exits_of(plan);
  EXPECT_EQ(plan.slots, set);
  ASSERT_EQ(ways.size(), chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Outcome one = outcome(chosen[i], ways[i], switches_of(ways), price);
    EXPECT_EQ(plan.exits[i].slot, chosen[i].slot);
    EXPECT_EQ(plan.exits[i].latency, one.latency);
    EXPECT_EQ(plan.exits[i].wasted, one.wasted);
    EXPECT_TRUE(ways[i] != Exit::kFlush || chosen[i].is_flushable);
  }
  expect_is(plan, outcome(tbs, set, ways, price), limit, counts_idle);
}

// Calls `look` with every assignment of open ways out to the TBs of a set.
template <typename Look>
void for_each_assignment(const std::vector<TbStatus>& chosen, std::vector<Exit>& ways, const Look& look) {
  if (ways.size() == chosen.size()) return look(ways);
  for (const Exit way : kWays) {
    if (way == Exit::kFlush && !chosen[ways.size()].is_flushable) continue;
    ways.push_back(way);
    for_each_assignment(chosen, ways, look);
    ways.pop_back();
  }
}

// ---- per thread block ----------------------------------------------------------------------------------------------

TEST(VictimAlgorithm, PricedPerTbFindsTheLeastWasteInTimeElseTheLeastLatencyOfAllAssignments) {
  Random random;
  int in_time = 0;
  int too_late = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto tbs = random.tbs(4);
    const SwitchPrice price = random.price(SwitchPricing::kPerTb);
    const Cycle limit = random.in(0, 12);
    std::vector<SetPlan> plans;
    std::uint64_t least_waste = ~std::uint64_t{0};
    Cycle least_latency = ~Cycle{0};
    for (std::uint64_t sets = random.in(1, 3); sets > 0; --sets) {
      const std::uint64_t set = random.set(tbs);
      plans.push_back(plan_set(tbs, set, limit, price, {}));
      expect_is_sound(plans.back(), tbs, set, limit, price, false);
      std::vector<Exit> ways;
      for_each_assignment(chosen_now(tbs, set), ways, [&](const std::vector<Exit>& assigned) {
        const Outcome found = outcome(tbs, set, assigned, price);
        least_latency = std::min(least_latency, found.latency);
        if (found.latency <= limit) least_waste = std::min(least_waste, found.wasted);
      });
    }
    const SetPlan& best = plans[best_of(plans)];
    const bool is_possible = least_latency <= limit;
    ASSERT_EQ(best.meets_limit, is_possible) << i;
    ASSERT_EQ(is_possible ? best.wasted : best.latency, is_possible ? least_waste : least_latency) << i;
    ASSERT_FALSE(HasFailure()) << i;
    ++(is_possible ? in_time : too_late);
  }
  EXPECT_GT(in_time, 10'000);
  EXPECT_GT(too_late, 10'000);
}

// ---- through the channel -------------------------------------------------------------------------------------------

// What one TB does by itself: in time and cheap, then soon; or else soon, then cheap. Drain before flush before switch.
Exit choice(const TbStatus& tb, Cycle limit, const SwitchPrice& price, std::uint64_t switched) {
  std::vector<Exit> ways(kWays.begin(), kWays.end());
  if (!tb.is_flushable) ways.erase(ways.begin() + 1);
  std::stable_sort(ways.begin(), ways.end(), [&](Exit a, Exit b) {
    const Outcome left = outcome(tb, a, switched, price);
    const Outcome right = outcome(tb, b, switched, price);
    const bool left_in_time = left.latency <= limit;
    const bool right_in_time = right.latency <= limit;
    if (left_in_time != right_in_time) return left_in_time;
    if (!left_in_time && left.latency != right.latency) return left.latency < right.latency;
    return left.wasted != right.wasted ? left.wasted < right.wasted : left.latency < right.latency;
  });
  return ways.front();
}

TEST(VictimAlgorithm, PricedByTheChannelTbsChooseInTurnAndTheSetPaysForAllItsSwitches) {
  Random random;
  int violated_by_the_sum = 0;
  for (int i = 0; i < 30'000; ++i) {
    const auto tbs = random.tbs(6);
    const std::uint64_t set = random.set(tbs);
    const SwitchPrice price = random.price(SwitchPricing::kChannel);
    const Cycle limit = random.in(0, 14);
    const bool counts_idle = random.one_in(2);
    // Those that cannot start again first, by slot, and each behind the contexts of those before.
    std::map<std::uint32_t, Exit> by_slot;
    bool is_each_in_time = true;
    std::uint64_t saved = 0;
    for (const bool is_flushable : {false, true}) {
      for (const TbStatus& tb : chosen_now(tbs, set)) {
        if (tb.is_flushable != is_flushable) continue;
        const Exit way = choice(tb, limit, price, saved + 1);
        by_slot[tb.slot] = way;
        saved += way == Exit::kSwitch ? 1 : 0;
        is_each_in_time = is_each_in_time && outcome(tb, way, 1, price).latency <= limit;
      }
    }
    std::vector<Exit> ways;
    for (const auto& [slot, way] : by_slot) ways.push_back(way);
    const SetPlan plan = plan_set(tbs, set, limit, price, {ChimeraMix::kTb, counts_idle});
    ASSERT_EQ(test::exits_of(plan), ways) << i;
    expect_is_sound(plan, tbs, set, limit, price, counts_idle);
    ASSERT_FALSE(HasFailure()) << i;
    if (is_each_in_time && !plan.meets_limit) ++violated_by_the_sum;
  }
  EXPECT_GT(violated_by_the_sum, 100);
}

// ---- one way for all -----------------------------------------------------------------------------------------------

TEST(VictimAlgorithm, OneWayForAllIsTheBestOfThree) {
  Random random;
  for (int i = 0; i < 30'000; ++i) {
    const auto tbs = random.tbs(6);
    const std::uint64_t set = random.set(tbs);
    const SwitchPrice price = random.price(random.one_in(2) ? SwitchPricing::kPerTb : SwitchPricing::kChannel);
    const Cycle limit = random.in(0, 14);
    const bool counts_idle = random.one_in(2);
    const auto chosen = chosen_now(tbs, set);
    const bool can_flush =
        std::all_of(chosen.begin(), chosen.end(), [](const TbStatus& tb) { return tb.is_flushable; });
    std::uint64_t least_cost = ~std::uint64_t{0};
    Cycle least_latency = ~Cycle{0};
    for (const Exit way : kWays) {
      if (way == Exit::kFlush && !can_flush) continue;
      const Outcome all = outcome(tbs, set, std::vector<Exit>(chosen.size(), way), price);
      least_latency = std::min(least_latency, all.latency);
      if (all.latency <= limit) least_cost = std::min(least_cost, all.wasted + (counts_idle ? all.idle : 0));
    }
    const SetPlan plan = plan_set(tbs, set, limit, price, {ChimeraMix::kSm, counts_idle});
    const auto ways = test::exits_of(plan);
    ASSERT_TRUE(std::adjacent_find(ways.begin(), ways.end(), std::not_equal_to<>()) == ways.end()) << i;
    ASSERT_EQ(plan.meets_limit, least_latency <= limit) << i;
    ASSERT_EQ(plan.meets_limit ? plan.cost : plan.latency, plan.meets_limit ? least_cost : least_latency) << i;
    expect_is_sound(plan, tbs, set, limit, price, counts_idle);
    ASSERT_FALSE(HasFailure()) << i;
  }
}

}  // namespace
}  // namespace tessera::preemption
