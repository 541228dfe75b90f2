// SPDX-License-Identifier: Apache-2.0
// XSched's and GCAPS's decisions by themselves: progressive launching, turns by weights, who is suspended, who is on
// the run list, and a schedule of suspensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/command_scheduling/progressive_launching.h"
#include "model/command_scheduling/run_list.h"
#include "model/command_scheduling/suspensions.h"
#include "model/command_scheduling/weighted_turns.h"
#include "model/command_scheduling/xsched.h"
#include "model/workload/draws.h"

namespace tessera::command_scheduling {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TaskId kA{0}, kB{1}, kC{2};

// ---- progressive launching ---------------------------------------------------------------------------------------

// As many as it lets through now.
std::uint32_t hand_over_all(ProgressiveLaunching& task) {
  std::uint32_t launches = 0;
  for (; task.may_hand_over(); ++launches) task.hand_over();
  return launches;
}

TEST(ProgressiveLaunching, AtTheThresholdTheHostWaitsForTheOldestBatchAndTopsUpAgain) {
  ProgressiveLaunching task(8, 4);
  for (int i = 0; i < 64; ++i) task.arrive();
  EXPECT_EQ(hand_over_all(task), 8U);
  for (int i = 0; i < 3; ++i) {
    task.complete(1);
    EXPECT_FALSE(task.may_hand_over());
  }
  task.complete(1);
  EXPECT_EQ(hand_over_all(task), 4U);
  EXPECT_EQ(task.in_flight(), 8U);
}

TEST(ProgressiveLaunching, BelowTheThresholdNobodyWaits) {
  ProgressiveLaunching task(8, 4);
  for (int i = 0; i < 7; ++i) task.arrive();
  EXPECT_EQ(hand_over_all(task), 7U);
  task.complete(1);
  task.arrive();
  EXPECT_EQ(hand_over_all(task), 1U);
  EXPECT_EQ(task.in_flight(), 7U);
}

TEST(ProgressiveLaunching, ABatchOfAllEmptiesTheGpuBeforeTheNextLaunch) {
  ProgressiveLaunching task(1, 1);
  task.arrive();
  task.arrive();
  EXPECT_EQ(hand_over_all(task), 1U);
  task.complete(1);
  EXPECT_EQ(hand_over_all(task), 1U);
  task.complete(1);
  EXPECT_TRUE(task.is_idle());
}

// ---- turns by weights ----------------------------------------------------------------------------------------------

TEST(WeightedTurns, DivideARoundByWeights) {
  WeightedTurns turns({3, 1}, 8000);
  const std::vector<bool> both{true, true};
  EXPECT_EQ(turns.choose(100, both), kA);
  EXPECT_EQ(turns.end(), 6100U);
  EXPECT_EQ(turns.choose(6099, both), kA);
  EXPECT_EQ(turns.choose(6100, both), kB);
  EXPECT_EQ(turns.end(), 8100U);
  EXPECT_EQ(turns.choose(8100, both), kA);
}

TEST(WeightedTurns, WhoIsNotReadyLosesTheRestOfItsTurn) {
  WeightedTurns turns({1, 1, 1}, 3000);
  EXPECT_EQ(turns.choose(0, {true, false, true}), kA);
  EXPECT_EQ(turns.choose(10, {false, false, true}), kC);
  EXPECT_EQ(turns.end(), 1010U);
  EXPECT_EQ(turns.choose(20, {true, true, true}), kC) << "the others wait for its end";
  EXPECT_EQ(turns.choose(1010, {true, true, true}), kA);
}

TEST(WeightedTurns, ALoneTaskGetsItsNextTurnAtOnceAndNobodyGetsNone) {
  WeightedTurns turns({1, 1}, 200);
  EXPECT_EQ(turns.choose(0, {false, true}), kB);
  EXPECT_EQ(turns.choose(100, {false, true}), kB);
  EXPECT_EQ(turns.end(), 200U);
  EXPECT_EQ(turns.choose(150, {false, false}), std::nullopt);
  EXPECT_EQ(turns.end(), kNever);
}

TEST(WeightedTurns, ATurnLastsACycleAtLeast) {
  WeightedTurns turns({1'000'000, 1}, 10);
  EXPECT_EQ(turns.choose(0, {false, true}), kB);
  EXPECT_EQ(turns.end(), 1U);
}

// ---- run list
// ----------------------------------------------------------------------------------------------------------

std::vector<std::string> said(const std::vector<RunList::Change>& changes) {
  std::vector<std::string> text;
  for (const RunList::Change& change : changes) {
    text.push_back((change.is_listed ? "+" : "-") + std::to_string(static_cast<int>(change.task)));
  }
  return text;
}

TEST(RunList, TheHighestPriorityWithWorkIsAloneOnIt) {
  RunList list({1, 3, 2});
  EXPECT_TRUE(list.set_ready(kA, true));
  EXPECT_THAT(said(list.update()), ElementsAre("+0"));
  EXPECT_TRUE(list.set_ready(kB, true));
  EXPECT_THAT(said(list.update()), ElementsAre("-0", "+1"));
  EXPECT_FALSE(list.set_ready(kC, true)) << "it waits: nothing changes";
  EXPECT_TRUE(list.set_ready(kB, false));
  EXPECT_THAT(said(list.update()), ElementsAre("-1", "+2"));
  EXPECT_TRUE(list.set_ready(kC, false));
  EXPECT_THAT(said(list.update()), ElementsAre("-2", "+0"));
}

TEST(RunList, TasksOfEqualPriorityShareTheGpu) {
  RunList list({0, 0});
  EXPECT_TRUE(list.set_ready(kA, true));
  list.update();
  EXPECT_TRUE(list.set_ready(kB, true));
  EXPECT_THAT(said(list.update()), ElementsAre("+1"));
  EXPECT_TRUE(list.set_ready(kA, false));
  EXPECT_THAT(said(list.update()), ElementsAre("-0"));
}

// ---- XSched
// ------------------------------------------------------------------------------------------------------------

// Its word on each task: r ready, i idle, s suspended, g goes on, l launches.
class Words : public IXschedObserver {
 public:
  std::vector<std::string> take() { return std::exchange(words_, {}); }

 private:
  void on_ready(TaskId task) override { add("r", task); }
  void on_idle(TaskId task) override { add("i", task); }
  void on_suspended(TaskId task) override { add("s", task); }
  void on_resumed(TaskId task) override { add("g", task); }
  void on_handed_over(TaskId task) override { add("l", task); }
  void add(const char* word, TaskId task) { words_.push_back(word + std::to_string(static_cast<int>(task))); }

  std::vector<std::string> words_;
};

XschedParameters tasks_of(std::vector<XschedTask> tasks, Cycle round = 0) { return {std::move(tasks), round}; }

TEST(Xsched, ALowerPriorityIsSuspendedWhileAHigherOneHasWork) {
  Words words;
  Xsched core(tasks_of({{8, 4, 0}, {8, 4, 1}}), words);
  core.arrive(kA);
  core.dispatch(0);
  EXPECT_THAT(words.take(), ElementsAre("r0", "l0"));
  core.arrive(kB);
  core.arrive(kA);
  core.dispatch(1);
  EXPECT_THAT(words.take(), ElementsAre("r1", "s0", "l1"));
  core.complete(kA, 1);
  core.dispatch(2);
  EXPECT_THAT(words.take(), IsEmpty()) << "nothing of it is handed over";
  core.complete(kB, 1);
  core.dispatch(3);
  EXPECT_THAT(words.take(), ElementsAre("i1", "g0", "l0"));
}

TEST(Xsched, EqualPrioritiesLeaveEachOtherAlone) {
  Words words;
  Xsched core(tasks_of({{8, 4, 2}, {8, 4, 2}}), words);
  core.arrive(kA);
  core.arrive(kB);
  core.dispatch(0);
  EXPECT_THAT(words.take(), ElementsAre("r0", "r1", "l0", "l1"));
}

TEST(Xsched, WithWeightsEveryTaskButTheOneInTurnIsSuspended) {
  Words words;
  Xsched core(tasks_of({{1, 1, 0, 3}, {1, 1, 0, 1}}, 400), words);
  for (int i = 0; i < 9; ++i) core.arrive(kA);
  for (int i = 0; i < 9; ++i) core.arrive(kB);
  core.dispatch(0);
  EXPECT_THAT(words.take(), ElementsAre("r0", "r1", "s1", "l0"));
  EXPECT_EQ(core.next_due(), 300U);
  core.complete(kA, 1);
  core.dispatch(300);
  EXPECT_THAT(words.take(), ElementsAre("s0", "g1", "l1"));
  core.dispatch(400);
  EXPECT_THAT(words.take(), ElementsAre("s1", "g0", "l0"));
}

TEST(Xsched, SomebodyElseMaySuspendATaskWhateverThePolicySays) {
  Words words;
  Xsched core(tasks_of({{2, 1}}), words);
  for (int i = 0; i < 3; ++i) core.arrive(kA);
  core.dispatch(0);
  EXPECT_THAT(words.take(), ElementsAre("r0", "l0", "l0"));
  core.ask_to_stop(kA, true);
  core.complete(kA, 2);
  core.dispatch(1);
  EXPECT_THAT(words.take(), ElementsAre("s0"));
  core.ask_to_stop(kA, false);
  core.dispatch(2);
  EXPECT_THAT(words.take(), ElementsAre("g0", "l0"));
}

// Whatever happens: never more than the threshold, no launch of a suspended task, and all launches in the end.
TEST(Xsched, KeepsItsThresholdsOverRandomEvents) {
  struct Check : IXschedObserver {
    void on_ready(TaskId) override {}
    void on_idle(TaskId) override {}
    void on_suspended(TaskId) override {}
    void on_resumed(TaskId) override {}
    void on_handed_over(TaskId task) override {
      const auto i = static_cast<std::size_t>(task);
      ++in_flight[i], ++launched[i];
      EXPECT_LE(in_flight[i], i + 1) << "threshold";
      EXPECT_FALSE(core->is_suspended(task));
    }
    Xsched* core = nullptr;
    std::vector<std::uint64_t> in_flight{0, 0, 0}, launched{0, 0, 0};
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto roll = [seed, n = std::uint64_t{0}](std::uint64_t below) mutable {
      return workload::draw_below(workload::mix64(seed + 1), n++, below);
    };
    Check check;
    Xsched core(tasks_of({{1, 1, 0, 1}, {2, 1, 1, 2}, {3, 2, 1, 5}}, seed % 2 == 0 ? 0 : 50), check);
    check.core = &core;
    std::vector<std::uint64_t> arrived{0, 0, 0};
    Cycle now = 0;
    const auto step = [&](bool arrives) {
      const auto i = static_cast<std::size_t>(roll(3));
      if (arrives && roll(2) == 0) core.arrive(TaskId(i)), ++arrived[i];
      for (std::size_t done = 0; done < 3; ++done) {
        if (check.in_flight[done] == 0 || roll(3) != 0) continue;
        core.complete(TaskId(done), 1);
        --check.in_flight[done];
      }
      core.dispatch(now += 1 + roll(9));
    };
    for (int i = 0; i < 500; ++i) step(true);
    for (int i = 0; i < 20'000 && check.launched != arrived; ++i) step(false);
    EXPECT_EQ(check.launched, arrived) << "seed " << seed;
  }
}

// ---- suspensions from outside ---------------------------------------------------------------------------------------

TEST(Suspensions, LieInTheirRangesAndFollowFromTheSeed) {
  const SuspensionParameters parameters{10, 20, 100, 100, 5};
  Suspensions times(parameters, 7), same(parameters, 7), others(parameters, 8);
  bool is_least_drawn = false, is_most_drawn = false, differs = false;
  for (int i = 0; i < 1000; ++i) {
    const Cycle run = times.next_run();
    EXPECT_EQ(run, same.next_run());
    differs = differs || run != others.next_run();
    EXPECT_GE(run, 15U);
    EXPECT_LE(run, 25U);
    is_least_drawn = is_least_drawn || run == 15;
    is_most_drawn = is_most_drawn || run == 25;
    EXPECT_EQ(times.next_pause(), 105U);
    same.next_pause(), others.next_pause();
  }
  EXPECT_TRUE(is_least_drawn && is_most_drawn && differs);
}

}  // namespace
}  // namespace tessera::command_scheduling
