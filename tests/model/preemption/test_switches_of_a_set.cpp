// SPDX-License-Identifier: Apache-2.0
// Thread blocks of one set that are saved share the SM's way to memory: how many of them the limit leaves time for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/preemption/victim_selection.h"
#include "tests/model/preemption/victim_support.h"

namespace tessera::preemption {
namespace {

using test::plan_set;

constexpr Cycle kContext = 100;  // cycles to save one
constexpr Cycle kRunFor = 10'000;

SwitchPrice price(spec::SwitchPricing pricing) {
  SwitchPrice price;
  price.pricing = pricing;
  price.numerator = kContext;
  return price;
}

// They have executed so much that flushing is the dearest way, and their ends are far.
std::vector<TbStatus> tbs(std::uint32_t count, bool is_flushable) {
  std::vector<TbStatus> all;
  for (std::uint32_t slot = 0; slot < count; ++slot) all.push_back({slot, kRunFor, kRunFor, kRunFor, is_flushable});
  return all;
}

std::vector<Exit> exits(const SetPlan& plan) {
  std::vector<Exit> ways;
  for (const ExitPlan& exit : plan.exits) ways.push_back(exit.exit);
  return ways;
}

TEST(SwitchesOfASet, OnTheChannelAreAsManyAsTheLimitLeavesTimeFor) {
  const SetPlan plan = plan_set(tbs(4, true), 0b1111, 3 * kContext, price(spec::SwitchPricing::kChannel), {});
  EXPECT_THAT(exits(plan), ::testing::ElementsAre(Exit::kSwitch, Exit::kSwitch, Exit::kSwitch, Exit::kFlush));
  EXPECT_EQ(plan.latency, 3 * kContext);
  EXPECT_TRUE(plan.meets_limit);
}

TEST(SwitchesOfASet, ACycleLessAndOneMoreIsFlushed) {
  const SetPlan plan = plan_set(tbs(4, true), 0b1111, 3 * kContext - 1, price(spec::SwitchPricing::kChannel), {});
  EXPECT_THAT(exits(plan), ::testing::ElementsAre(Exit::kSwitch, Exit::kSwitch, Exit::kFlush, Exit::kFlush));
  EXPECT_TRUE(plan.meets_limit);
}

TEST(SwitchesOfASet, GoToThoseFirstThatCannotStartAgain) {
  std::vector<TbStatus> all = tbs(4, true);
  all[3].is_flushable = false;
  const SetPlan plan = plan_set(all, 0b1111, 2 * kContext, price(spec::SwitchPricing::kChannel), {});
  EXPECT_THAT(exits(plan), ::testing::ElementsAre(Exit::kSwitch, Exit::kFlush, Exit::kFlush, Exit::kSwitch));
  EXPECT_TRUE(plan.meets_limit);
}

TEST(SwitchesOfASet, DoNotWaitForEachOtherAtAPricePerTb) {
  const SetPlan plan = plan_set(tbs(4, true), 0b1111, kContext, price(spec::SwitchPricing::kPerTb), {});
  EXPECT_THAT(exits(plan), ::testing::Each(Exit::kSwitch));
  EXPECT_EQ(plan.latency, kContext);
}

TEST(SwitchesOfASet, AreLateWhereNothingElseIsLeft) {
  const SetPlan plan = plan_set(tbs(2, false), 0b11, kContext, price(spec::SwitchPricing::kChannel), {});
  EXPECT_THAT(exits(plan), ::testing::Each(Exit::kSwitch));
  EXPECT_EQ(plan.latency, 2 * kContext);
  EXPECT_FALSE(plan.meets_limit);
}

}  // namespace
}  // namespace tessera::preemption
