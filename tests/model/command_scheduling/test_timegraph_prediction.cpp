// SPDX-License-Identifier: Apache-2.0
// Predicted costs as TimeGraph uses them: hits, misses, changes of context, whose history ([K11] 5.3).
#include "tests/model/command_scheduling/timegraph_bench.h"
#include "tests/model/command_scheduling/timegraph_by_hand.h"

namespace tessera::command_scheduling::test {
namespace {

const GroupKey kFrame = {3, 100};

// A task that is predicted, and one that is not.
struct Predicted : TimeGraphByHand {
  explicit Predicted(const TimeGraphParameters& parameters = {}) : TimeGraphByHand(parameters) {}
  const ReserveId ample = core.add_reserve({100'000, 100'000, 0, true});
  const TaskId game = core.add_task({Dispatch::kPrt, 0, false, ample});
  const TaskId other = core.add_task({Dispatch::kPrt, 1});
  // 10 alone, 17 after another context.
  void learn() {
    run(0, 10, game, kFrame);
    run(10, 20, other, {9});
    run(20, 37, game, kFrame);
  }
};

TEST(TimeGraphPrediction, AFirstGroupIsAMissAndNoChangeOfContext) {
  Predicted p;
  p.run(0, 10, p.game, kFrame);
  EXPECT_EQ(p.predicted_at_submission, 0u);
  EXPECT_EQ(p.core.history(p.game).size(), 1u);
  p.run(10, 20, p.game, kFrame);
  EXPECT_EQ(p.predicted_at_submission, 10u);
  EXPECT_EQ(p.core.history(p.game).switch_impact(), 0);
}

TEST(TimeGraphPrediction, TheImpactIsAddedAfterAnotherTasksGroupOnly) {
  Predicted p;
  p.learn();
  EXPECT_EQ(p.core.history(p.game).switch_impact(), 7);
  p.arrive(37, p.game, kComputeEngine, kFrame);
  EXPECT_EQ(p.predicted_at_submission, 10u);
  p.complete(47, p.last_group);
  p.run(47, 50, p.other, {9});
  p.arrive(50, p.game, kComputeEngine, kFrame);
  EXPECT_EQ(p.predicted_at_arrival, 17u);
  EXPECT_EQ(p.predicted_at_submission, 17u);
}

TEST(TimeGraphPrediction, IsLookedAtAnewWhenAnotherTaskGoesFirst) {
  Predicted p;
  p.learn();
  p.arrive(37, p.game, kComputeEngine, kFrame);
  const GroupId first = p.last_group;
  p.arrive(38, p.game, kComputeEngine, kFrame);
  EXPECT_EQ(p.predicted_at_arrival, 10u);
  p.arrive(39, p.other);
  p.complete(47, first);
  p.complete(50, p.last_group);
  EXPECT_EQ(p.predicted_at_submission, 17u);
}

TEST(TimeGraphPrediction, AMissHasTheWorstCostAndNoImpact) {
  Predicted p;
  p.learn();
  p.run(40, 45, p.other, {9});
  p.arrive(45, p.game, kComputeEngine, {3, 101});
  EXPECT_EQ(p.predicted_at_submission, 10u);
}

TEST(TimeGraphPrediction, IsNeverBelowZero) {
  Predicted p;
  p.run(0, 50, p.game, kFrame);
  p.run(50, 60, p.other, {9});
  p.run(60, 61, p.game, kFrame);  // impact -49
  p.run(61, 64, p.game, {4, 1});
  p.run(64, 70, p.other, {9});
  p.arrive(70, p.game, kComputeEngine, {4, 1});
  EXPECT_EQ(p.predicted_at_submission, 0u);
}

TEST(TimeGraphPrediction, NobodyElseIsPredictedOrRemembered) {
  TimeGraphByHand h;
  const TaskId posterior = h.core.add_task({Dispatch::kPrt, 0, false, h.core.add_reserve({100, 100})});
  const TaskId free = h.core.add_task({});
  h.run(0, 10, posterior, kFrame);
  h.run(10, 20, free, kFrame);
  EXPECT_EQ(h.core.history(posterior).size(), 0u);
  EXPECT_EQ(h.core.history(free).size(), 0u);
  h.run(20, 30, posterior, kFrame);
  EXPECT_EQ(h.predicted_at_submission, 0u);
}

// ---- whose history ----------------------------------------------------------------------------------------------

Cycle predicted_after_a_bomb_of_fresh_keys(bool has_history_per_task) {
  TimeGraphParameters parameters;
  parameters.has_history_per_task = has_history_per_task;
  Predicted p(parameters);
  const TaskId bomb = p.core.add_task({Dispatch::kPrt, 0, false, p.ample});
  p.run(0, 10, p.game, kFrame);
  for (Cycle n = 1; n <= parameters.max_history_records; ++n) p.run(n * 100, n * 100 + 80, bomb, {1000 + n, 1});
  p.arrive(100'000, p.game, kComputeEngine, kFrame);
  return p.predicted_at_submission;
}

TEST(TimeGraphPrediction, ABombOfFreshKeysFlushesAGlobalHistoryOnly) {
  EXPECT_EQ(predicted_after_a_bomb_of_fresh_keys(false), 80u);  // a miss: the bomb's cost
  EXPECT_EQ(predicted_after_a_bomb_of_fresh_keys(true), 10u);
}

TEST(TimeGraphPrediction, InAGlobalHistoryTheKeyAloneIdentifies) {
  for (const bool is_per_task : {false, true}) {
    TimeGraphParameters parameters;
    parameters.has_history_per_task = is_per_task;
    Predicted p(parameters);
    const TaskId twin = p.core.add_task({Dispatch::kPrt, 0, false, p.ample});
    p.run(0, 10, p.game, kFrame);
    p.arrive(20, twin, kComputeEngine, kFrame);
    EXPECT_EQ(p.predicted_at_submission, is_per_task ? 0u : 10u);
  }
}

// A prediction that grows while a group waits takes its readiness away; it is told so once.
TEST(TimeGraphPrediction, AReadyGroupIsSuspendedWhenAChangeOfContextMakesItTooCostly) {
  TimeGraphBench bench;
  const ReserveId reserve = bench.add_reserve({40, 100, 0, true});
  const TaskId game = bench.add_task({Dispatch::kPrt, 0, false, reserve},
                                     {at(0, 10, kFrame), at(100, 25, kFrame), at(200, 30, kFrame), at(201, 8, kFrame)});
  const TaskId other = bench.add_task({Dispatch::kPrt, 1}, {at(20, 10), at(202, 5)});
  bench.run(400);
  // Record 10, impact 15 from 125 on. At 200 the last group is the game's: x = 10, runs 30, so at 230 e = 10 and the
  // record's mean is 20. At 201 x = 10 <= 40; at 230, e = 10, it is affordable still, but once the other has gone
  // first x = 25: suspended until 300.
  EXPECT_THAT(bench.spans(), ::testing::ElementsAre(Span{game, 0, 10}, Span{other, 20, 30}, Span{game, 100, 125},
                                                    Span{game, 200, 230}, Span{other, 230, 235}, Span{game, 300, 308}));
  EXPECT_THAT(bench.suspensions(), ::testing::ElementsAre(4));
}

}  // namespace
}  // namespace tessera::command_scheduling::test
