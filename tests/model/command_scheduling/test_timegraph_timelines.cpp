// SPDX-License-Identifier: Apache-2.0
// Two schedules event for event, of the kind of [K11] Figures 5 and 6, with all rows worked out by hand.
#include "tests/model/command_scheduling/timegraph_bench.h"

namespace tessera::command_scheduling::test {
namespace {

using ::testing::ElementsAre;

// ---- A: three tasks, the end of a group is seen 1 later ---------------------------------------------------------

struct ThreeTasks {
  explicit ThreeTasks(Dispatch dispatch, bool has_third_of_mp = false) : bench({}, 1) {
    Script of_mp = {at(0, 4), after_return(1, 4)};
    if (has_third_of_mp) of_mp.push_back(at(3, 4));
    hp = bench.add_task({dispatch, 3}, {at(2, 3), after_return(2, 3)});
    mp = bench.add_task({dispatch, 2}, of_mp);
    lp = bench.add_task({dispatch, 1}, {at(6, 2)});
    bench.run();
  }
  TimeGraphBench bench;
  TaskId hp{}, mp{}, lp{};
};

TEST(TimeGraphTimeline, PrtDecidesAfterEveryGroup) {
  const ThreeTasks t(Dispatch::kPrt);
  EXPECT_THAT(t.bench.spans(), ElementsAre(Span{t.mp, 0, 4}, Span{t.hp, 5, 8}, Span{t.hp, 9, 12}, Span{t.mp, 13, 17},
                                           Span{t.lp, 18, 20}));
}

TEST(TimeGraphTimeline, HtGoesOnWithoutABubble) {
  const ThreeTasks t(Dispatch::kHt);
  EXPECT_THAT(t.bench.spans(), ElementsAre(Span{t.mp, 0, 4}, Span{t.mp, 4, 8}, Span{t.hp, 9, 12}, Span{t.hp, 12, 15},
                                           Span{t.lp, 16, 18}));
}

TEST(TimeGraphTimeline, HtEndsItsChainForAMoreUrgentTask) {
  const ThreeTasks t(Dispatch::kHt, true);
  EXPECT_THAT(t.bench.spans(), ElementsAre(Span{t.mp, 0, 4}, Span{t.mp, 4, 8}, Span{t.hp, 9, 12}, Span{t.hp, 12, 15},
                                           Span{t.mp, 16, 20}, Span{t.lp, 21, 23}));
}

// ---- B: one PRT task with 40 every 100, nothing but groups takes time -------------------------------------------

struct OneTask {
  explicit OneTask(bool enforces_apriori, const Script& script, Accounting accounting = Accounting::kAtCompletion,
                   const std::vector<std::pair<GroupKey, Cycle>>& known = {})
      : bench(of(accounting)) {
    bench.warm_up(known);
    task = bench.add_task({Dispatch::kPrt, 0, false, bench.add_reserve({40, 100, 0, enforces_apriori})}, script);
  }
  static TimeGraphParameters of(Accounting accounting) {
    TimeGraphParameters parameters;
    parameters.accounting = accounting;
    return parameters;
  }
  std::vector<Span> run(Cycle until) {
    bench.run(until);
    return bench.spans();
  }
  Span ran(Cycle begin, Cycle end) const { return {task, begin, end}; }
  TimeGraphBench bench;
  TaskId task{};
};

const Script kFourGroups = {at(0, 20), at(30, 50), after_done(10, 5), after_return(3, 38)};
const std::vector<std::pair<GroupKey, Cycle>> kExact = {{{20}, 20}, {{50}, 50}, {{5}, 5}, {{38}, 38}, {{75}, 75}};

TEST(TimeGraphBudget, PosteriorEnforcementOverrunsAndPaysLater) {
  OneTask t(false, kFourGroups);
  EXPECT_THAT(t.run(300), ElementsAre(t.ran(0, 20), t.ran(30, 80), t.ran(100, 105), t.ran(105, 143)));
  EXPECT_THAT(t.bench.budgets(), ElementsAre(BudgetAt{20, 20}, BudgetAt{80, -30}, BudgetAt{100, 10}, BudgetAt{105, 5},
                                             BudgetAt{143, -33}, BudgetAt{200, 7}, BudgetAt{300, 40}));
  EXPECT_THAT(t.bench.suspensions(), ElementsAre(2));  // the fourth waits for the GPU, not for the budget
}

TEST(TimeGraphBudget, AprioriEnforcementWaitsUntilTheCostIsAfforded) {
  OneTask t(true, kFourGroups, Accounting::kAtCompletion, kExact);
  EXPECT_THAT(t.run(400), ElementsAre(t.ran(0, 20), t.ran(100, 150), t.ran(200, 205), t.ran(300, 338)));
  EXPECT_THAT(t.bench.budgets(),
              ElementsAre(BudgetAt{20, 20}, BudgetAt{100, 50}, BudgetAt{150, 0}, BudgetAt{200, 40}, BudgetAt{205, 35},
                          BudgetAt{300, 40}, BudgetAt{338, 2}, BudgetAt{400, 40}));
  // The second and the third on arrival; the fourth arrives at 203 with x = 38 <= e = 40, and at 205 e is 35.
  EXPECT_THAT(t.bench.suspensions(), ElementsAre(1, 2, 3));
}

TEST(TimeGraphBudget, ACostlyGroupSavesUpOverSeveralPeriods) {
  OneTask t(true, {at(0, 20), at(30, 75)}, Accounting::kAtCompletion, kExact);
  EXPECT_THAT(t.run(275), ElementsAre(t.ran(0, 20), t.ran(200, 275)));
  EXPECT_THAT(t.bench.budgets(), ElementsAre(BudgetAt{20, 20}, BudgetAt{100, 60}, BudgetAt{200, 75}, BudgetAt{275, 0}));
}

// A strict e > x never lets it run: the budget is bounded by max(C, x) = x.
TEST(TimeGraphBudget, AGroupThatCostsTheCapacityRuns) {
  OneTask t(true, {at(0, 40)}, Accounting::kAtCompletion, {{{40}, 40}});
  EXPECT_THAT(t.run(99), ElementsAre(t.ran(0, 40)));
}

TEST(TimeGraphBudget, AGroupThatCostsMoreThanTheCapacityRunsAPeriodLater) {
  OneTask t(true, {at(0, 41)}, Accounting::kAtCompletion, {{{41}, 41}});
  EXPECT_THAT(t.run(199), ElementsAre(t.ran(100, 141)));
  EXPECT_THAT(t.bench.budgets(), ElementsAre(BudgetAt{100, 41}, BudgetAt{141, 0}));
}

TEST(TimeGraphBudget, TheActualCostIsChargedWhateverWasPredicted) {
  OneTask t(true, {at(0, 50, {7})}, Accounting::kAtCompletion, {{{7}, 20}});
  EXPECT_THAT(t.run(100), ElementsAre(t.ran(0, 50)));
  EXPECT_EQ(t.bench.groups().at(0).predicted, 20u);
  EXPECT_THAT(t.bench.budgets(), ElementsAre(BudgetAt{50, -10}, BudgetAt{100, 30}));
}

// ---- a group of 250, more than two periods -----------------------------------------------------------------------

const Script kLongThenShort = {at(0, 250), at(251, 1)};

TEST(TimeGraphBudget, ChargedAtCompletionALongGroupForfeitsReplenishments) {
  OneTask t(false, kLongThenShort);
  EXPECT_THAT(t.run(800), ElementsAre(t.ran(0, 250), t.ran(800, 801)));
  EXPECT_THAT(t.bench.budgets(), ElementsAre(BudgetAt{100, 40}, BudgetAt{200, 40}, BudgetAt{250, -210},
                                             BudgetAt{300, -170}, BudgetAt{400, -130}, BudgetAt{500, -90},
                                             BudgetAt{600, -50}, BudgetAt{700, -10}, BudgetAt{800, 30}));
}

TEST(TimeGraphBudget, ChargedContinuouslyItForfeitsNone) {
  OneTask t(false, kLongThenShort, Accounting::kContinuous);
  EXPECT_THAT(t.run(600), ElementsAre(t.ran(0, 250), t.ran(600, 601)));
  EXPECT_THAT(t.bench.budgets(),
              ElementsAre(BudgetAt{100, 40 - 100 + 40}, BudgetAt{200, -20 - 100 + 40}, BudgetAt{250, -80 - 50},
                          BudgetAt{300, -90}, BudgetAt{400, -50}, BudgetAt{500, -10}, BudgetAt{600, 30}));
  EXPECT_EQ(t.bench.groups().at(0).charged, 250u);  // in all
}

TEST(TimeGraphBudget, WhatIsMeasuredIsChargedNotTheWallTime) {
  TimeGraphParameters parameters;
  parameters.accounting = Accounting::kMeasured;
  TimeGraphBench bench(parameters, 9);
  bench.add_task({Dispatch::kPrt, 0, false, bench.add_reserve({40, 100})}, {at(0, 30)});
  bench.run(99);
  EXPECT_THAT(bench.budgets(), ElementsAre(BudgetAt{39, 10}));
}

}  // namespace
}  // namespace tessera::command_scheduling::test
