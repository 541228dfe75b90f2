// SPDX-License-Identifier: Apache-2.0
// SMs are emptied as a kept turn passes with scope GPU (docs/hardware/timing.md 3.12.7 to 9, 5.1, 6.4), by slice end.
#include <gmock/gmock.h>

#include "tests/scheduler/turn_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kDrainEnd = 1, kWaitEnd = 2, kSaveEnd = 3;

// Two SMs, each with a kernel of context 0 of one TB; context 1 has a kernel, too.
struct TwoKernels : TurnBench {
  explicit TwoKernels(std::uint32_t policy = kKeptByGpu) : TurnBench(keeping(2, policy)) {
    launch_one(0, 0);
    settle();
    launch_one(1, 0);
    settle();
    launch_one(2, 1);
    settle();
  }
  // Cycle and SMs freed.
  std::vector<std::pair<Cycle, std::int32_t>> usages(Cycle from) const {
    std::vector<std::pair<Cycle, std::int32_t>> list;
    for (const Cycle t : when([](const SchedulerOutputs& out) { return out.usage.valid; }, from)) {
      list.emplace_back(t, trace[t].usage.freed);
    }
    return list;
  }
};

TEST(Eviction, TakesAllSmsFromAllKernelsByAVisitToEach) {
  TwoKernels bench;
  ASSERT_EQ(bench.sm(0).ksr, 0U);
  ASSERT_EQ(bench.sm(1).ksr, 1U);
  const Cycle t = bench.now();
  bench.tick_slice();
  bench.run(40);
  // The tick's walk: BEGIN in 1, three steps, JUDGE in 8. BEGIN of the pass in 9; EVICT, and its PICK, in 10.
  EXPECT_THAT(bench.when(takes_no_writes, t).front(), t + 10);
  // PICK FIND ROW LOAD CALC WRITE, FIND ROW LOAD CALC WRITE.
  EXPECT_THAT(bench.usages(t), ElementsAre(std::pair(t + 16, 1), std::pair(t + 21, 1)));
  EXPECT_THAT(bench.when(has_evicted), ElementsAre(t + 21));
  EXPECT_THAT(bench.when(takes_no_writes, t), SizeIs(11));
  // Traps go out one by one.
  EXPECT_THAT(bench.traps(t), ElementsAre(At{t + 28, 0}, At{t + 35, 1}));
  EXPECT_THAT(bench.moves(MoveKind::kAssign, t), IsEmpty());
  for (const std::uint32_t sm : {0U, 1U}) EXPECT_EQ(bench.sm(sm).state, SmState::kReserved);
}

TEST(Eviction, IsFollowedByTheSwitchWhenTheLastSmIsEmpty) {
  TwoKernels bench;
  bench.tick_slice();
  bench.run(40);
  bench.save(1);
  bench.run(20);
  const Cycle w = bench.save(0) + kEventToWrite;
  bench.run(20);
  // Idle in w + 1.
  ASSERT_THAT(bench.when(starts_switch), ElementsAre(w + 2));
  EXPECT_TRUE(bench.trace[w + 2].switch_runs);
  EXPECT_EQ(bench.kernel(0).preempted, 1U);
  EXPECT_EQ(bench.kernel(1).preempted, 1U);
}

TEST(Eviction, ComesBackAsItWas) {
  TwoKernels bench;
  bench.tick_slice();
  bench.run(40);
  bench.save(0);
  bench.save(1);
  bench.run(20);
  bench.end_switch();
  bench.settle();
  bench.take(bench.moves(MoveKind::kAssign).back().second, SmEventKind::kTbDone);  // context 1's kernel
  bench.run(20);
  bench.end_switch();
  const Cycle from = bench.now();
  bench.settle();
  EXPECT_THAT(bench.moves(MoveKind::kAssign, from), SizeIs(2));
  const std::vector<Cycle> restores =
      bench.when([](const SchedulerOutputs& out) { return out.dispatch.valid && out.dispatch.is_restore; }, from);
  EXPECT_THAT(restores, SizeIs(2));
}

TEST(Eviction, OfAnSmThatIsBeingSetUpWaitsForItsAnswer) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  while (bench.set_ups().empty()) bench.tick();
  bench.list(0, false);
  bench.run(60);
  EXPECT_THAT(bench.when(has_evicted), SizeIs(1));
  EXPECT_THAT(bench.traps(), IsEmpty());
  bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_EQ(bench.sm(0).state, SmState::kIdle);
  EXPECT_EQ(bench.state(), Turn::State::kNobody);
}

TEST(Eviction, IsDroppedWhereNoKernelHoldsAnSm) {
  TurnBench bench(keeping(1, kKeptByGpu, 1));
  bench.launch_one(0, 1);
  bench.list(1, false);  // off the list as its command is taken: its kernel never gets an SM
  bench.settle();
  bench.list(1, true);
  bench.run(6);
  bench.list(1, false);
  bench.settle();
  EXPECT_THAT(bench.when(has_evicted), IsEmpty());
  EXPECT_EQ(bench.state(), Turn::State::kNobody);
  EXPECT_FALSE(bench.core.turn().evicts());
}

// An assign that was under way as the turn passed is carried out, and undone.
TEST(Eviction, UndoesAnAssignThatWasUnderWay) {
  TurnBench bench(keeping(2));
  bench.launch(0, 0, 0, 8, 4);
  while (bench.core.search().state() != Search::State::kMove) bench.tick();
  bench.list(0, false);
  bench.run(60);
  EXPECT_THAT(bench.moves(MoveKind::kAssign), SizeIs(2));
  EXPECT_THAT(bench.when(has_evicted), SizeIs(1));
}

// ---- slice ends ----------------------------------------------------------------------------------------------

TEST(SliceEnd, IsTheTechniqueUnlessItIsWritten) {
  TwoKernels bench(kKeptByGpu | kDrain);
  bench.tick_slice();
  bench.run(60);
  EXPECT_THAT(bench.when(has_evicted), SizeIs(1));
  EXPECT_THAT(bench.traps(), IsEmpty());
}

TEST(SliceEnd, DrainLetsThreadBlocksRunToTheirEndsAndStartsNoOther) {
  TurnBench bench(keeping(1));
  bench.write(ControlRegister::kSliceEnd, 0, kDrainEnd);
  bench.tick();
  bench.launch(0, 0, 0, 2, 1);
  bench.settle();
  bench.launch_one(1, 1);
  bench.settle();
  bench.tick_slice();
  bench.run(60);
  EXPECT_THAT(bench.traps(), IsEmpty());
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run(30);
  EXPECT_THAT(bench.dispatches(), SizeIs(1));
  EXPECT_THAT(bench.when(starts_switch), ElementsAre(w + 2));
}

TEST(SliceEnd, ContextSwitchSavesThreadBlocksUnderTheTechniqueDrain) {
  TwoKernels bench(kKeptByGpu | kDrain);
  bench.write(ControlRegister::kSliceEnd, 0, kSaveEnd);
  bench.settle();
  bench.tick_slice();
  bench.run(60);
  EXPECT_THAT(bench.traps(), SizeIs(2));
}

// One SM, a kernel of context 0 on it and another one that is active, with a slice end of *wait*; context 1 waits, and
// the slice is over.
struct LeavingByWait : TurnBench {
  LeavingByWait() : TurnBench(keeping(1)) {
    write(ControlRegister::kSliceEnd, 0, kWaitEnd);
    tick();
    for (const std::uint32_t buffer : {0U, 1U}) {
      launch_one(buffer, 0);
      settle();
    }
    launch_one(2, 1);
    settle();
    tick_slice();
    run(30);
  }
};

TEST(SliceEnd, WaitLetsActiveKernelsRunToTheirEnds) {
  LeavingByWait bench;
  ASSERT_EQ(bench.state(), Turn::State::kLeaving);
  EXPECT_THAT(bench.when(has_evicted), IsEmpty());
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  EXPECT_EQ(bench.state(), Turn::State::kLeaving);  // the second kernel has the SM
  EXPECT_THAT(bench.moves(MoveKind::kAssign), SizeIs(2));
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run(30);
  EXPECT_THAT(bench.when(starts_switch), ElementsAre(w + 2));
}

TEST(SliceEnd, WaitActivatesNoOtherCommandOfWhoLeaves) {
  LeavingByWait bench;
  const std::size_t before = bench.activations().size();
  bench.launch_one(0, 0);
  bench.run(60);
  EXPECT_THAT(bench.activations(), SizeIs(before));
  EXPECT_EQ(bench.state(), Turn::State::kLeaving);
}

TEST(SliceEnd, IsThatOfTheCycleInWhichTheTurnPasses) {
  TwoKernels bench;
  bench.tick_slice();  // the turn passes in the next cycle
  bench.write(ControlRegister::kSliceEnd, 0, kWaitEnd);
  bench.run(60);
  EXPECT_TRUE(bench.core.turn().slice_end(0) == spec::SliceEnd::kWait);
  EXPECT_THAT(bench.when(has_evicted), SizeIs(1));  // it was written too late
}

}  // namespace
}  // namespace tessera::rtl_model::test
