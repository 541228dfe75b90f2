// SPDX-License-Identifier: Apache-2.0
// Options beyond [K11]: a list of online groups for each engine, and groups that join less urgent ones.
#include "tests/model/command_scheduling/timegraph_by_hand.h"

namespace tessera::command_scheduling::test {
namespace {

using ::testing::ElementsAre;

constexpr std::uint8_t kBothEngines = kComputeEngine | kCopyEngine;

TimeGraphParameters with_lists_of_engines() {
  TimeGraphParameters parameters;
  parameters.has_online_list_per_engine = true;
  return parameters;
}

TimeGraphParameters with_higher_joining() {
  TimeGraphParameters parameters;
  parameters.lets_higher_join = true;
  return parameters;
}

// ---- a list an engine -------------------------------------------------------------------------------------------

TEST(TimeGraphEngines, OneListHoldsCopiesAndKernels) {
  TimeGraphByHand h;
  const TaskId computes = h.core.add_task({}), copies = h.core.add_task({});
  h.arrive(0, computes);
  EXPECT_THAT(h.arrive(1, copies, kCopyEngine), ElementsAre());
}

TEST(TimeGraphEngines, EachHasAListOfItsOwn) {
  TimeGraphByHand h(with_lists_of_engines());
  const TaskId computes = h.core.add_task({}), copies = h.core.add_task({}), other = h.core.add_task({});
  h.arrive(0, computes);
  EXPECT_THAT(h.arrive(1, copies, kCopyEngine), ElementsAre(copies));
  EXPECT_THAT(h.arrive(2, other, kCopyEngine), ElementsAre());
  EXPECT_THAT(h.complete(3, 0), ElementsAre());
  EXPECT_THAT(h.complete(4, 1), ElementsAre(other));
}

TEST(TimeGraphEngines, WhoNeedsBothIsNotPassedOnEither) {
  TimeGraphByHand h(with_lists_of_engines());
  const TaskId computes = h.core.add_task({}), copies = h.core.add_task({});
  const TaskId both = h.core.add_task({Dispatch::kPrt, 1});
  h.arrive(0, computes);
  EXPECT_THAT(h.arrive(1, both, kBothEngines), ElementsAre());
  EXPECT_THAT(h.arrive(2, copies, kCopyEngine), ElementsAre());  // the list is empty, but it is not its turn
  EXPECT_THAT(h.complete(3, 0), ElementsAre(both));
  EXPECT_THAT(h.complete(4, 1), ElementsAre(copies));
}

TEST(TimeGraphEngines, AChainLooksAtItsOwnListsOnly) {
  TimeGraphByHand h(with_lists_of_engines());
  const TaskId chain = h.core.add_task({Dispatch::kHt}), copies = h.core.add_task({});
  const TaskId urgent = h.core.add_task({Dispatch::kPrt, 9});
  h.arrive(0, copies, kCopyEngine);
  h.arrive(1, chain);
  h.arrive(2, urgent, kCopyEngine);
  EXPECT_THAT(h.arrive(3, chain), ElementsAre(chain));
  EXPECT_THAT(h.arrive(4, chain, kBothEngines), ElementsAre());
}

TEST(TimeGraphEngines, TimeIsCountedByList) {
  TimeGraphByHand h(with_lists_of_engines());
  const TaskId computes = h.core.add_task({}), copies = h.core.add_task({});
  h.arrive(0, computes);
  h.arrive(1, copies, kCopyEngine);
  h.complete(10, 0);
  h.complete(15, 1);
  EXPECT_EQ(h.charged, 14u);  // not from 10 on
}

TEST(TimeGraphEngines, AGroupOnBothCountsFromTheLaterOfTheirCompletions) {
  TimeGraphByHand h(with_lists_of_engines());
  const TaskId chain = h.core.add_task({Dispatch::kHt});
  h.arrive(0, chain);
  h.arrive(0, chain, kCopyEngine);
  h.arrive(0, chain, kBothEngines);
  h.complete(10, 0);
  h.complete(12, 1);
  h.complete(20, 2);
  EXPECT_EQ(h.charged, 8u);
}

TEST(TimeGraphEngines, AChainIsLimitedByList) {
  TimeGraphParameters parameters = with_lists_of_engines();
  parameters.max_online = 1;
  TimeGraphByHand h(parameters);
  const TaskId chain = h.core.add_task({Dispatch::kHt});
  h.arrive(0, chain);
  EXPECT_THAT(h.arrive(1, chain, kCopyEngine), ElementsAre(chain));
  EXPECT_THAT(h.arrive(2, chain), ElementsAre());
}

// ---- above preemptive hardware ----------------------------------------------------------------------------------

TEST(TimeGraphJoin, OnlyAStrictlyHigherPriorityJoins) {
  TimeGraphByHand h(with_higher_joining());
  const TaskId low = h.core.add_task({Dispatch::kPrt, 1}), equal = h.core.add_task({Dispatch::kPrt, 1});
  const TaskId high = h.core.add_task({Dispatch::kPrt, 2}), highest = h.core.add_task({Dispatch::kPrt, 3});
  h.arrive(0, low);
  EXPECT_THAT(h.arrive(1, equal), ElementsAre());
  EXPECT_THAT(h.arrive(2, high), ElementsAre(high));
  EXPECT_THAT(h.arrive(3, high), ElementsAre());
  EXPECT_THAT(h.arrive(4, highest), ElementsAre(highest));
  EXPECT_EQ(h.core.num_online(), 3u);
}

TEST(TimeGraphJoin, TheBestJoinsAndTheNextMustBeHigherThanIt) {
  TimeGraphByHand h(with_higher_joining());
  const TaskId low = h.core.add_task({Dispatch::kPrt, 1});
  const TaskId high = h.core.add_task({Dispatch::kPrt, 2}), highest = h.core.add_task({Dispatch::kPrt, 3});
  h.arrive(0, low);
  h.core.arrive(1, high, {1});
  h.core.arrive(1, highest, {1});
  EXPECT_THAT(h.dispatch(1), ElementsAre(highest));
  EXPECT_THAT(h.complete(2, 2), ElementsAre(high));  // the low one is still there
}

TEST(TimeGraphJoin, AChainGoesOnOnlyWhileItIsTheHighestOnline) {
  TimeGraphByHand h(with_higher_joining());
  const TaskId low = h.core.add_task({Dispatch::kPrt, 1});
  const TaskId chain = h.core.add_task({Dispatch::kHt, 2}), highest = h.core.add_task({Dispatch::kPrt, 3});
  h.arrive(0, low);
  h.arrive(1, chain);
  EXPECT_THAT(h.arrive(2, chain), ElementsAre(chain));
  h.arrive(3, highest);
  EXPECT_THAT(h.arrive(4, chain), ElementsAre());
  EXPECT_THAT(h.complete(5, 3), ElementsAre(chain));
}

// It has the GPU, though it came later: what has run of it by 100 is its own.
TEST(TimeGraphJoin, WhoHasJoinedIsChargedContinuously) {
  TimeGraphParameters parameters = with_higher_joining();
  parameters.accounting = Accounting::kContinuous;
  TimeGraphByHand h(parameters);
  const ReserveId reserve = h.core.add_reserve({50, 100});
  const TaskId low = h.core.add_task({Dispatch::kPrt, 1});
  const TaskId high = h.core.add_task({Dispatch::kPrt, 2, false, reserve});
  h.arrive(0, low);
  h.arrive(10, high);
  h.core.replenish(100);
  EXPECT_EQ(h.core.reserve(reserve).charged(), 90u);
  h.complete(110, 1);
  EXPECT_EQ(h.charged, 100u);
}

TEST(TimeGraphJoin, NobodyJoinsWithoutABudget) {
  TimeGraphByHand h(with_higher_joining());
  const TaskId low = h.core.add_task({Dispatch::kPrt, 1});
  const TaskId poor = h.core.add_task({Dispatch::kPrt, 2, false, h.core.add_reserve({5, 100})});
  h.arrive(0, poor);
  h.complete(5, 0);
  h.arrive(6, low);
  EXPECT_THAT(h.arrive(7, poor), ElementsAre());
  h.core.replenish(100);
  EXPECT_THAT(h.dispatch(100), ElementsAre(poor));
}

}  // namespace
}  // namespace tessera::command_scheduling::test
