// SPDX-License-Identifier: Apache-2.0
// Whose turn it is, and who may join whom (docs/concepts/readings.md, TimeGraph), by small schedules worked out by
// hand.
#include "tests/model/command_scheduling/timegraph_bench.h"
#include "tests/model/command_scheduling/timegraph_by_hand.h"

namespace tessera::command_scheduling::test {
namespace {

using ::testing::ElementsAre;

// ---- whose turn -------------------------------------------------------------------------------------------------

TEST(TimeGraphTurn, PriorityThenTheLongestReadyThenTheLowestTask) {
  TimeGraphByHand h;
  const TaskId running = h.core.add_task({});
  const TaskId late = h.core.add_task({}), first = h.core.add_task({}), second = h.core.add_task({});
  const TaskId urgent = h.core.add_task({Dispatch::kPrt, 1});
  h.arrive(0, running);
  for (const TaskId task : {second, first}) h.arrive(1, task);
  for (const TaskId task : {late, urgent}) h.arrive(2, task);
  Cycle now = 10;
  GroupId online = 0;
  for (const TaskId expected : {urgent, first, second, late}) {
    EXPECT_THAT(h.complete(now++, online), ElementsAre(expected));
    online = h.last_group;
  }
}

// The one that waits for its budget from 1 on is ready at 100 only.
TEST(TimeGraphTurn, ReadyCountsFromTheReplenishmentOn) {
  TimeGraphByHand h;
  const TaskId poor = h.core.add_task({Dispatch::kPrt, 0, false, h.core.add_reserve({10, 100})});
  const TaskId other = h.core.add_task({});
  h.arrive(0, poor);
  EXPECT_THAT(h.complete(15, 0), ElementsAre());
  h.arrive(16, poor);
  EXPECT_THAT(h.arrive(17, other), ElementsAre(other));
  h.arrive(50, other);
  h.core.replenish(100);
  EXPECT_THAT(h.complete(150, 2), ElementsAre(other));
  EXPECT_THAT(h.complete(160, 3), ElementsAre(poor));
}

TEST(TimeGraphTurn, AnUnaffordableGroupIsPassed) {
  TimeGraphByHand h;
  const TaskId poor = h.core.add_task({Dispatch::kPrt, 9, false, h.core.add_reserve({10, 100})});
  const TaskId other = h.core.add_task({});
  h.arrive(0, poor);
  h.complete(10, 0);
  EXPECT_THAT(h.arrive(11, poor), ElementsAre());
  EXPECT_THAT(h.arrive(12, other), ElementsAre(other));
}

TEST(TimeGraphTurn, SharedIsServedStrictlyFromItsHead) {
  TimeGraphBench bench;
  bench.warm_up({{{10}, 10}, {{70}, 70}});
  const ReserveId shared = bench.add_reserve({40, 100, 0, true});
  const TaskId large = bench.add_task({Dispatch::kPrt, 0, false, shared}, {at(0, 70)});
  const TaskId small = bench.add_task({Dispatch::kPrt, 0, false, shared}, {at(1, 10), after_return(5, 10)});
  bench.run();
  // Passed, the large one would never find more than 30: 40 at 0, 70 at 100; then the small ones, from 200 on.
  EXPECT_THAT(bench.spans(), ElementsAre(Span{large, 100, 170}, Span{small, 200, 210}, Span{small, 210, 220}));
  EXPECT_THAT(bench.suspensions(), ElementsAre(0, 1));  // behind the head is waiting: the small one is told at 170
}

TEST(TimeGraphTurn, AMoreUrgentTaskBecomesTheHeadOfAReserve) {
  TimeGraphByHand h;
  const ReserveId shared = h.core.add_reserve({10, 100});
  const TaskId low = h.core.add_task({Dispatch::kPrt, 0, false, shared});
  const TaskId high = h.core.add_task({Dispatch::kPrt, 1, false, shared});
  h.arrive(0, low);
  h.arrive(1, low);
  h.arrive(2, high);
  EXPECT_THAT(h.complete(5, 0), ElementsAre(high));
  EXPECT_THAT(h.complete(9, 2), ElementsAre(low));
}

// ---- the foreground ---------------------------------------------------------------------------------------------

TEST(TimeGraphFocus, GoesFirstAmongTheAwareOfItsLevelOnly) {
  TimeGraphByHand h;
  const TaskId running = h.core.add_task({});
  const TaskId background = h.core.add_task({Dispatch::kPrt, 5, true});
  const TaskId focus = h.core.add_task({Dispatch::kPrt, 5, true});
  const TaskId unaware = h.core.add_task({Dispatch::kPrt, 5});
  const TaskId urgent = h.core.add_task({Dispatch::kPrt, 6});
  h.core.set_foreground(focus);
  h.arrive(0, running);
  h.arrive(1, unaware);
  h.arrive(2, background);
  h.arrive(3, focus);
  h.arrive(4, urgent);
  Cycle now = 10;
  GroupId online = 0;
  for (const TaskId expected : {urgent, unaware, focus, background}) {
    EXPECT_THAT(h.complete(now++, online), ElementsAre(expected));
    online = h.last_group;
  }
}

TEST(TimeGraphFocus, MovesAtOnceAndIsNothingToWhoIsNotAware) {
  TimeGraphByHand h;
  const TaskId running = h.core.add_task({});
  const TaskId a = h.core.add_task({Dispatch::kPrt, 5, true}), b = h.core.add_task({Dispatch::kPrt, 5, true});
  const TaskId unaware = h.core.add_task({Dispatch::kPrt, 5});
  h.arrive(0, running);
  Cycle now = 1;
  for (const TaskId task : {a, b, unaware}) h.arrive(now++, task);
  h.core.set_foreground(unaware);
  EXPECT_THAT(h.complete(now++, 0), ElementsAre(a));
  h.arrive(now++, a);
  h.core.set_foreground(b);
  h.core.set_foreground(a);
  EXPECT_THAT(h.complete(now++, 1), ElementsAre(a));
}

// An HT task of the level need not stop for the foreground: it is preferred in a choice, it is not more urgent.
TEST(TimeGraphFocus, EndsNoChainOfAnEqualHtTask) {
  TimeGraphByHand h;
  const TaskId chain = h.core.add_task({Dispatch::kHt, 5, true});
  const TaskId focus = h.core.add_task({Dispatch::kHt, 5, true});
  h.core.set_foreground(focus);
  h.arrive(0, chain);
  EXPECT_THAT(h.arrive(1, focus), ElementsAre());
  EXPECT_THAT(h.arrive(2, chain), ElementsAre(chain));
}

// ---- HT chains --------------------------------------------------------------------------------------------------

TEST(TimeGraphChain, IsNoLongerThanMaxOnline) {
  TimeGraphParameters parameters;
  parameters.max_online = 2;
  TimeGraphByHand h(parameters);
  const TaskId bomb = h.core.add_task({Dispatch::kHt});
  EXPECT_THAT(h.arrive(0, bomb), ElementsAre(bomb));
  EXPECT_THAT(h.arrive(1, bomb), ElementsAre(bomb));
  EXPECT_THAT(h.arrive(2, bomb), ElementsAre());
  EXPECT_THAT(h.complete(3, 0), ElementsAre(bomb));
  EXPECT_EQ(h.core.num_online(), 2u);
}

TEST(TimeGraphChain, APrtTaskHasNone) {
  TimeGraphByHand h;
  const TaskId task = h.core.add_task({});
  h.arrive(0, task);
  EXPECT_THAT(h.arrive(1, task), ElementsAre());
  EXPECT_THAT(h.complete(2, 0), ElementsAre(task));
}

TEST(TimeGraphChain, PassesEqualTasksAndStopsForAReadyMoreUrgentOneOnly) {
  TimeGraphByHand h;
  const TaskId chain = h.core.add_task({Dispatch::kHt, 5});
  const TaskId equal = h.core.add_task({Dispatch::kHt, 5});
  const TaskId poor = h.core.add_task({Dispatch::kPrt, 6, false, h.core.add_reserve({1, 1000})});
  const TaskId urgent = h.core.add_task({Dispatch::kPrt, 6});
  h.arrive(0, poor);
  h.complete(1, 0);
  h.arrive(2, poor);  // not ready
  h.arrive(2, chain);
  h.arrive(3, equal);
  EXPECT_THAT(h.arrive(4, chain), ElementsAre(chain));
  h.arrive(5, urgent);
  EXPECT_THAT(h.arrive(6, chain), ElementsAre());
}

TEST(TimeGraphChain, NeedsABudgetForEveryGroup) {
  TimeGraphByHand h;
  const TaskId chain = h.core.add_task({Dispatch::kHt, 0, false, h.core.add_reserve({10, 1000})});
  h.arrive(0, chain);
  EXPECT_THAT(h.arrive(1, chain), ElementsAre(chain));
  h.complete(10, 0);
  EXPECT_THAT(h.arrive(11, chain), ElementsAre());
}

// Both arrive at 0 or 1; the second runs after the first, and each is charged for its own time.
TEST(TimeGraphChain, CountsNoTimeTwice) {
  TimeGraphBench bench({}, 1);
  bench.add_task({Dispatch::kHt}, {at(0, 10), after_return(1, 20), after_return(50, 3)});
  bench.run();
  EXPECT_EQ(bench.groups().at(0).charged, 11u);
  EXPECT_EQ(bench.groups().at(1).charged, 20u);  // 11 .. 31
  EXPECT_EQ(bench.groups().at(2).charged, 4u);   // 51 .. 55: not from 31 on; no reserve, yet it is said
}

TEST(TimeGraphChain, IsChargedContinuouslyFromItsHead) {
  TimeGraphParameters parameters;
  parameters.accounting = Accounting::kContinuous;
  TimeGraphBench bench(parameters);
  bench.add_task({Dispatch::kHt, 0, false, bench.add_reserve({100, 100})}, {at(0, 150), after_return(1, 100)});
  bench.run();
  EXPECT_THAT(bench.budgets(),
              ElementsAre(BudgetAt{100, 100}, BudgetAt{150, 50}, BudgetAt{200, 100}, BudgetAt{250, 50}));
  EXPECT_EQ(bench.groups().at(0).charged, 150u);
  EXPECT_EQ(bench.groups().at(1).charged, 100u);
}

// ---- replenishments ---------------------------------------------------------------------------------------------

TEST(TimeGraphReplenishment, MakesUpForAllPeriodsThatHavePassedInOrderOfTimeThenReserve) {
  struct Log : ITimeGraphObserver {
    void on_arrived(Cycle, TaskId, GroupId, Cycle) override {}
    void on_suspended(Cycle, TaskId, GroupId) override {}
    void on_submitted(Cycle, TaskId, GroupId, Cycle) override {}
    void on_completed(Cycle, TaskId, GroupId, Cycle) override {}
    void on_replenished(Cycle, ReserveId reserve, std::int64_t) override { reserves.push_back(reserve); }
    std::vector<ReserveId> reserves;
  } log;
  TimeGraph core({}, &log);
  const ReserveId slow = core.add_reserve({1, 20}), fast = core.add_reserve({1, 10});
  core.replenish(9);
  EXPECT_THAT(log.reserves, ElementsAre());
  core.replenish(25);
  EXPECT_THAT(log.reserves, ElementsAre(fast, slow, fast));
  EXPECT_EQ(core.next_replenishment(), 30u);
}

// Two periods are made up for at 250: each is charged its own 100, as if the timer had been on time.
TEST(TimeGraphReplenishment, ThatComesLateChargesEachPeriodItsOwn) {
  TimeGraphParameters parameters;
  parameters.accounting = Accounting::kContinuous;
  TimeGraph core(parameters);
  const ReserveId reserve = core.add_reserve({40, 100});
  core.arrive(0, core.add_task({Dispatch::kPrt, 0, false, reserve}), {1});
  core.dispatch(0);
  core.replenish(250);
  EXPECT_EQ(core.reserve(reserve).budget(), 40 - 100 + 40 - 100 + 40);
}

TEST(TimeGraphReplenishment, NeverComesWithoutAReserve) {
  const TimeGraph core({});
  EXPECT_EQ(core.next_replenishment(), kNever);
}

}  // namespace
}  // namespace tessera::command_scheduling::test
