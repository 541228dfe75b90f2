// SPDX-License-Identifier: Apache-2.0
// A position that is free needs threads and a slot too: whom else it takes, by hand and against all subsets.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/preemption/victim_selection.h"
#include "tests/model/preemption/victim_support.h"

namespace tessera::preemption {
namespace {

using test::extended;
using test::plan_set;
using test::set_of;

constexpr SwitchPrice kPrice{spec::SwitchPricing::kChannel, 20, 0, 5000, 1};
constexpr Cycle kLimit = 1000;

// A TB that can only be flushed in time, at this cost.
TbStatus costs(std::uint32_t slot, std::uint64_t executed) { return {slot, executed, 900, kNever, true, false, 0}; }
TbStatus leaving(std::uint32_t slot, Cycle leaves_in) { return {slot, 0, 0, kNever, false, true, leaves_in}; }

std::optional<std::uint64_t> extend(const std::vector<TbStatus>& tbs, std::uint64_t slots, const Spare& spare,
                                    std::uint32_t threads_of_tb = 256, std::uint32_t threads_of_guest = 256) {
  return extended(tbs, slots, threads_of_tb, threads_of_guest, spare, kLimit, kPrice, {});
}

TEST(VictimExtension, TakesNobodyWhereThereIsRoom) {
  EXPECT_EQ(extend({costs(0, 5)}, 0, {256, 1, 256, 1}), 0U);
  EXPECT_EQ(extend({}, 0, {256, 1, 256, 1}), 0U);
}

TEST(VictimExtension, TakesTheCheapestWhereAThreadOrTheSlotIsMissing) {
  const std::vector<TbStatus> tbs = {costs(0, 7), costs(1, 5), costs(2, 6)};
  EXPECT_EQ(extend(tbs, 0, {255, 1, 255, 1}), set_of({1}));
  EXPECT_EQ(extend(tbs, 0, {999, 0, 999, 0}), set_of({1}));
}

TEST(VictimExtension, TakesAsManyAsTheGuestsThreadsNeed) {
  const std::vector<TbStatus> tbs = {costs(0, 7), costs(1, 5), costs(2, 6), costs(3, 8)};
  EXPECT_EQ(extend(tbs, 0, {0, 1, 0, 1}, 100, 200), set_of({1, 2}));
  EXPECT_EQ(extend(tbs, 0, {0, 1, 0, 1}, 100, 201), set_of({0, 1, 2}));
  EXPECT_EQ(extend(tbs, 0, {0, 1, 0, 1}, 100, 400), set_of({0, 1, 2, 3}));
  EXPECT_EQ(extend(tbs, 0, {0, 1, 0, 1}, 100, 401), std::nullopt);
}

TEST(VictimExtension, CountsThoseWhoGoAnyway) {
  EXPECT_EQ(extend({costs(0, 7), costs(1, 5)}, set_of({0}), {0, 0, 0, 0}), set_of({0}));
}

TEST(VictimExtension, PrefersATbInTimeToACheaperOneThatIsNot) {
  const TbStatus late{1, 5, 900, kNever, false, false, 0};  // its switch takes 5020
  EXPECT_EQ(extend({costs(0, 7), late}, 0, {0, 1, 0, 1}), set_of({0}));
}

TEST(VictimExtension, WaitsForThoseThatAreLeavingInsteadOfTakingAnother) {
  const std::vector<TbStatus> tbs = {costs(0, 7), leaving(1, 300)};
  EXPECT_EQ(extend(tbs, 0, {256, 1, 0, 0}), set_of({1}));
  EXPECT_EQ(extend(tbs, 0, {256, 1, 256, 0}), set_of({1})) << "only the slot is not free yet";
  EXPECT_EQ(extend(tbs, 0, {512, 2, 256, 1}), 0U) << "enough is free now";
}

// 100 threads are free and 256 will be; a guest's TB that was promised 256 has not come yet.
TEST(VictimExtension, LeavesPromisedThreadsToThoseTheyWerePromisedTo) {
  const std::vector<TbStatus> tbs = {costs(0, 7), leaving(1, 300)};
  EXPECT_EQ(extend(tbs, 0, {356, 3, 100, 2}), set_of({1})) << "nothing is promised";
  EXPECT_EQ(extend(tbs, 0, {356 - 256, 2, 100 - 256, 1}), set_of({0, 1})) << "TB 0 goes, and TB 1 is waited for";
  EXPECT_EQ(extend({costs(0, 7)}, 0, {-256, 1, -256, 1}), std::nullopt) << "two TBs would have to go";
  EXPECT_EQ(extend({costs(0, 7)}, 0, {256, -1, 256, -1}), std::nullopt);
}

TEST(VictimExtension, OfTbsThatAreLeavingTakesNoneAgain) {
  EXPECT_EQ(extend({leaving(0, 5), leaving(1, 5)}, 0, {255, 1, 0, 0}), std::nullopt);
}

// ---- all subsets ---------------------------------------------------------------------------------------------------

struct Case {
  std::vector<TbStatus> tbs;
  std::uint64_t slots = 0;
  std::uint32_t threads_of_tb = 0;
  std::uint32_t threads_of_guest = 0;
  Spare spare;
};

bool fits(const Case& c, std::int64_t threads, std::int64_t slots, int num_gone) {
  return threads + num_gone * std::int64_t{c.threads_of_tb} >= c.threads_of_guest && slots + num_gone >= 1;
}

int count(const std::vector<TbStatus>& tbs, std::uint64_t set, bool is_leaving) {
  return static_cast<int>(std::count_if(tbs.begin(), tbs.end(), [&](const TbStatus& tb) {
    return (set >> tb.slot & 1) != 0 && tb.is_leaving == is_leaving;
  }));
}

// What a TB alone would cost, in the order of preference.
bool is_cheaper(const std::vector<TbStatus>& tbs, std::uint32_t a, std::uint32_t b) {
  return is_better(plan_set(tbs, set_of({a}), kLimit, kPrice, {}), plan_set(tbs, set_of({b}), kLimit, kPrice, {}));
}

void expect_least(const Case& c, std::optional<std::uint64_t> result) {
  std::uint64_t others = 0;  // who may be taken besides
  std::uint64_t all_leaving = 0;
  for (const TbStatus& tb : c.tbs) {
    const std::uint64_t bit = std::uint64_t{1} << tb.slot;
    if (tb.is_leaving) all_leaving |= bit;
    if (!tb.is_leaving && (c.slots & bit) == 0) others |= bit;
  }
  int least = -1;  // the least number of others with which it fits in the end, of all subsets
  for (std::uint64_t subset = 0; subset < 64; ++subset) {
    if ((subset & ~others) != 0) continue;
    const int added = count(c.tbs, subset, false);
    if (!fits(c, c.spare.threads, c.spare.slots, count(c.tbs, c.slots | subset, false))) continue;
    if (least < 0 || added < least) least = added;
  }
  ASSERT_EQ(result.has_value(), least >= 0);
  if (!result) return;
  EXPECT_EQ(*result & c.slots, c.slots);
  const std::uint64_t added = *result & others;
  EXPECT_EQ(count(c.tbs, added, false), least);
  for (const TbStatus& in : c.tbs) {
    for (const TbStatus& out : c.tbs) {
      const bool is_swap = (added >> in.slot & 1) != 0 && (others & ~added & std::uint64_t{1} << out.slot) != 0;
      EXPECT_FALSE(is_swap && is_cheaper(c.tbs, out.slot, in.slot));
    }
  }
  const std::uint64_t going = c.slots | added;
  const bool waits =
      !fits(c, c.spare.threads_now, c.spare.slots_now, count(c.tbs, going, false) + count(c.tbs, going, true));
  if (!waits) {
    EXPECT_EQ(*result, going);
    return;
  }
  // Those that are leaving, the first to go first, until there is enough.
  std::vector<TbStatus> in_order;
  for (const TbStatus& tb : c.tbs) {
    if ((all_leaving & ~going & std::uint64_t{1} << tb.slot) != 0) in_order.push_back(tb);
  }
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const TbStatus& a, const TbStatus& b) { return a.leaves_in < b.leaves_in; });
  std::uint64_t awaited = going;
  for (const TbStatus& tb : in_order) {
    if (fits(c, c.spare.threads_now, c.spare.slots_now, __builtin_popcountll(awaited))) break;
    awaited |= std::uint64_t{1} << tb.slot;
  }
  EXPECT_EQ(*result, awaited);
}

TEST(VictimExtension, OfRandomSmsIsTheLeastNumberOfTheCheapest) {
  std::mt19937_64 bits(16);
  const auto in = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  };
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    Case c;
    c.threads_of_tb = static_cast<std::uint32_t>(in(1, 4));
    c.threads_of_guest = static_cast<std::uint32_t>(in(1, 9));
    std::int64_t going = 0;
    for (std::uint32_t slot = 0; slot < 6; ++slot) {
      if (in(0, 3) == 0) continue;
      c.tbs.push_back(in(0, 3) == 0 ? leaving(slot, static_cast<Cycle>(in(1, 3)))
                                    : costs(slot, static_cast<std::uint64_t>(in(1, 5))));
      if (in(0, 3) == 0) c.tbs.back().is_flushable = false;
      going += c.tbs.back().is_leaving ? 1 : 0;
      c.slots |= static_cast<std::uint64_t>(in(0, 3) == 0) << slot;
    }
    c.spare.threads_now = in(-6, 6);
    c.spare.slots_now = in(-2, 2);
    c.spare.threads = c.spare.threads_now + going * c.threads_of_tb;
    c.spare.slots = c.spare.slots_now + going;
    const auto result = extend(c.tbs, c.slots, c.spare, c.threads_of_tb, c.threads_of_guest);
    expect_least(c, result);
    ASSERT_FALSE(HasFailure()) << i;
    taken += result && *result != c.slots ? 1 : 0;
  }
  EXPECT_GT(taken, 1000);
}

}  // namespace
}  // namespace tessera::preemption
