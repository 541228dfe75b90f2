// SPDX-License-Identifier: Apache-2.0
// A kept turn, cycle by cycle (docs/hardware/timing.md 3.12): when it passes, to whom, and when it begins.
#include <gmock/gmock.h>

#include "tests/scheduler/turn_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One SM; context 0 has the turn, and a kernel of one TB, which runs; context 1 has another.
struct TwoContexts : TurnBench {
  explicit TwoContexts(std::uint32_t policy = kKeptByGpu, std::uint32_t num_sms = 1)
      : TurnBench(keeping(num_sms, policy)) {
    launch_one(0, 0);
    settle();
    launch_one(1, 1);
    settle();
  }
};

// ---- how it begins -------------------------------------------------------------------------------------------

TEST(Turn, OfTheFirstOwnerComesWithoutASwitch) {
  for (const bool is_of_gpu : {true, false}) {
    TurnBench bench(keeping(1, is_of_gpu ? kKeptByGpu : kKeptBySm));
    bench.run(5);
    const Cycle c = bench.now();
    bench.launch_one(0, 1);
    bench.run(20);
    // Valid in c + 1, the SMs are looked at in c + 2 with scope GPU, then a cycle of SWITCHING.
    EXPECT_THAT(bench.when(has_begun), ElementsAre(c + (is_of_gpu ? 4 : 3)));
    EXPECT_THAT(bench.when(starts_switch), IsEmpty());
    EXPECT_EQ(bench.out().turn, 1U);
  }
}

TEST(Turn, BeginsForAContextThatMerelyWaits) {
  TurnBench bench(keeping(1));
  bench.run(5);
  const Cycle c = bench.now();
  bench.wait(2);
  bench.run(20);
  EXPECT_THAT(bench.when(has_begun), ElementsAre(c + 4));
  EXPECT_EQ(bench.out().turn, 2U);
  EXPECT_TRUE(bench.out().slice_timer_enable);
}

TEST(Turn, IsNobodysWhileNobodyIsListed) {
  TurnBench bench(keeping(1));
  for (const std::uint32_t context : {0U, 1U, 2U}) bench.list(context, false);
  bench.launch_one(0, 0);
  bench.settle();
  EXPECT_EQ(bench.state(), Turn::State::kNobody);
  EXPECT_THAT(bench.moves(MoveKind::kAssign), IsEmpty());
  const Cycle c = bench.now();
  bench.list(0, true);
  bench.settle();
  EXPECT_THAT(bench.when(has_begun), ElementsAre(c + 4));
  EXPECT_EQ(bench.moves(MoveKind::kAssign).size(), 1U);
}

// ---- an owner that runs dry: the picture ---------------------------------------------------------------------

TEST(Turn, PassesAtOnceWhenItsOwnerHasRunDry) {
  TwoContexts bench;
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run_to(w + 23);
  bench.end_switch();
  bench.run(20);
  EXPECT_THAT(bench.when(has_passed), ElementsAre(w + 2));
  EXPECT_EQ(bench.trace[w + 2].events.turn_cause, TurnCause::kDry);
  EXPECT_THAT(bench.when(starts_switch), ElementsAre(w + 3));
  EXPECT_FALSE(bench.trace[w + 3].switch_runs);
  EXPECT_THAT(bench.when(has_begun, w), ElementsAre(w + 24));
  EXPECT_EQ(bench.trace[w + 2].turn, 0U);
  EXPECT_EQ(bench.trace[w + 3].turn, 1U);
  EXPECT_TRUE(bench.trace[w].slice_timer_enable);
  EXPECT_EQ(bench.when(is_timed, w + 1).front(), w + 24);
  EXPECT_THAT(bench.when(is_invoked, w + 2), ElementsAre(w + 2, w + 24));
  // BEGIN in 24, a walk of one step, JUDGE in 29: BURST in 34.
  EXPECT_THAT(bench.moves(MoveKind::kAssign, w), ElementsAre(At{w + 35, 0}));
}

TEST(Turn, StaysWithAnOwnerThatRunsDryAlone) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 1);
  bench.settle();
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run(40);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
  EXPECT_FALSE(bench.trace[w + 1].slice_timer_enable);
  const Cycle c = bench.now();
  bench.launch_one(0, 2);
  bench.run(40);
  // Another context is there in c + 1.
  EXPECT_THAT(bench.when(has_passed), ElementsAre(c + 2));
  EXPECT_THAT(bench.when(starts_switch), ElementsAre(c + 3));
}

TEST(Turn, IsKeptThroughAGapWhileALaunchIsOnItsWay) {
  TwoContexts bench;
  bench.wait(0);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(50);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
  bench.launch_one(0, 0);
  bench.wait(0);
  bench.tick();
  bench.wait(0, false);
  bench.settle();
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
  EXPECT_EQ(bench.moves(MoveKind::kAssign).size(), 2U);
}

TEST(Turn, FallsWhereTheCommandIsAsItIsTaken) {
  TwoContexts bench;
  bench.wait(0);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(50);
  bench.wait(0, false);  // no command: now it is dry
  const Cycle c = bench.now();
  bench.run(10);
  EXPECT_THAT(bench.when(has_passed), ElementsAre(c + 2));
}

// `tick` is 1 a cycle after the tick, and so are no kernels after the WRITE of the last one.
TEST(Turn, PassesForDrynessWhereATickWaitsTooAndForTheTickOfTheCycleBefore) {
  for (const Cycle before : {1, 0}) {
    TwoContexts bench;
    const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
    bench.run_to(w - before);
    bench.tick_slice();
    bench.run(5);
    const Cycle passed = w + 2 - before;
    ASSERT_THAT(bench.when(has_passed), ElementsAre(passed));
    EXPECT_EQ(bench.trace[passed].events.turn_cause, before == 0 ? TurnCause::kDry : TurnCause::kSliceOver);
  }
}

// ---- slices --------------------------------------------------------------------------------------------------

TEST(Turn, PassesAtTheEndOfASliceForWhoeverWaits) {
  TwoContexts bench;
  const Cycle t = bench.now();
  bench.tick_slice();
  bench.run(3);
  // `tick` is 1 in t + 1.
  ASSERT_THAT(bench.when(has_passed), ElementsAre(t + 2));
  EXPECT_EQ(bench.trace[t + 2].events.turn_cause, TurnCause::kSliceOver);
}

TEST(Turn, PassesToWhoComesInTheCycleOfTheTickAndIsRenewedBeforeWhoComesInTheNext) {
  for (const Cycle after : {0, 1}) {
    TurnBench bench(keeping(1));
    bench.launch_one(0, 0);
    bench.settle();
    bench.wait(0);
    bench.tick();
    const Cycle t = bench.now();
    if (after == 0) bench.wait(1);
    bench.tick_slice();
    if (after == 1) bench.wait(1);
    bench.run(40);
    if (after == 0) {
      EXPECT_THAT(bench.when(has_passed), ElementsAre(t + 2));
    } else {
      EXPECT_THAT(bench.when(has_passed), IsEmpty());
    }
  }
}

TEST(Turn, IsRenewedWhileCommandsWaitAndNobodyElseDoes) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  bench.wait(0);
  bench.tick();
  const Cycle t = bench.now();
  bench.tick_slice();
  bench.run(20);
  EXPECT_EQ(bench.when(is_timed, t).size(), bench.now() - t + 1);
  bench.launch_one(1, 1);
  bench.run(30);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
}

TEST(Turn, IsOverWhereNothingWaitsBehindWhatRuns) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  const Cycle t = bench.now();
  bench.tick_slice();
  bench.run(20);
  EXPECT_TRUE(bench.trace[t + 1].slice_timer_enable);
  EXPECT_THAT(bench.when(is_timed, t + 2), IsEmpty());
  const Cycle c = bench.now();
  bench.launch_one(1, 1);
  bench.run(5);
  ASSERT_THAT(bench.when(has_passed), ElementsAre(c + 2));
  EXPECT_EQ(bench.trace[c + 2].events.turn_cause, TurnCause::kSliceOver);
}

TEST(Turn, StartsAnotherSliceWhenACommandComesToOneThatIsOver) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  bench.tick_slice();
  bench.run(20);
  const Cycle c = bench.now();
  bench.launch_one(1, 0);
  bench.run(30);
  // Queued in c + 1, not over in c + 2.
  EXPECT_EQ(bench.when(is_timed, c).front(), c + 2);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
}

TEST(Turn, StartsAnotherSliceForAnOwnerThatWasIdle) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  bench.tick_slice();  // an idle owner's tick does nothing
  bench.run(20);
  const Cycle c = bench.now();
  bench.launch_one(0, 0);
  bench.settle();
  EXPECT_EQ(bench.when(is_timed, c).front(), c + 1);
  bench.launch_one(1, 1);
  bench.run(30);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
}

// A context always runs a cycle, however soon its slice is over.
TEST(Turn, DefersATickWhileAnSmChangesHands) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  while (bench.set_ups().empty()) bench.tick();
  bench.launch_one(1, 1);
  bench.tick();
  bench.tick_slice();
  bench.run(40);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
  const Cycle w = bench.take(0, SmEventKind::kSetupDone) + kEventToWrite;
  bench.run(10);
  // The SM is `active` in w + 1.
  EXPECT_THAT(bench.when(has_passed), ElementsAre(w + 2));
}

// ---- who is next ---------------------------------------------------------------------------------------------

// Context 0 owns; 2 comes first, then 1. Who gets the turn at the tick?
std::uint32_t next_of(bool has_queue, std::uint32_t policy) {
  TurnBench bench(keeping(1, policy));
  bench.launch_one(0, 0);
  bench.settle();
  if (has_queue) bench.wait(0);
  bench.launch_one(1, 2);
  bench.settle();
  bench.launch_one(2, 1);
  bench.settle();
  bench.tick_slice();
  bench.run(60);
  for (std::uint32_t sm = 0; policy == kKeptByGpu && sm < 1; ++sm) bench.save(sm);
  bench.run(10);
  return bench.out().turn;
}

TEST(Turn, GoesToWhoCameFirstAfterTheLastCommandHadStarted) {
  EXPECT_EQ(next_of(false, kKeptByGpu), 2U);
  EXPECT_EQ(next_of(false, kKeptBySm), 2U);
}

TEST(Turn, GoesToTheFirstBehindTheOwnerWhileThatHasCommands) {
  EXPECT_EQ(next_of(true, kKeptByGpu), 1U);
  EXPECT_EQ(next_of(true, kKeptBySm), 1U);
}

TEST(Turn, FixesAnewWhoIsNextWhenThatOneIsGone) {
  TwoContexts bench;
  ASSERT_TRUE(bench.core.turn().registers().has_next);
  bench.list(1, false);
  bench.wait(2);
  bench.run(2);
  EXPECT_FALSE(bench.core.turn().registers().has_next);
  bench.run(1);
  EXPECT_TRUE(bench.core.turn().registers().has_next);
  EXPECT_EQ(bench.core.turn().registers().next, 2U);
}

// ---- switches ------------------------------------------------------------------------------------------------

TEST(Turn, IsNotBegunByTheEndOfASwitchInTheCycleOfItsStart) {
  TwoContexts bench;
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run_to(w + 3);
  ASSERT_TRUE(bench.out().switch_start);
  bench.end_switch();
  bench.run(10);
  EXPECT_THAT(bench.when(has_begun, w), IsEmpty());
  const Cycle t = bench.now();
  bench.end_switch();
  bench.run(2);
  EXPECT_THAT(bench.when(has_begun, w), ElementsAre(t + 1));
}

TEST(Turn, IsBegunByTheEndOfASwitchInTheNextCycle) {
  TwoContexts bench;
  const Cycle w = bench.take(0, SmEventKind::kTbDone) + kEventToWrite;
  bench.run_to(w + 4);
  bench.end_switch();
  bench.run(10);
  EXPECT_THAT(bench.when(has_begun, w), ElementsAre(w + 5));
}

TEST(Turn, WithScopeSmIsPassedBeforeSmsAreTaken) {
  TwoContexts bench(kKeptBySm);
  const Cycle t = bench.now();
  bench.tick_slice();
  bench.run(20);
  EXPECT_THAT(bench.when(has_passed), ElementsAre(t + 2));
  EXPECT_THAT(bench.when(starts_switch), ElementsAre(t + 2));
  EXPECT_TRUE(bench.trace[t + 2].switch_runs);
  EXPECT_EQ(bench.trace[t + 2].turn, 1U);
  EXPECT_THAT(bench.when(has_evicted), IsEmpty());
  EXPECT_THAT(bench.moves(MoveKind::kReserve), IsEmpty());
  bench.end_switch();
  bench.run(60);
  EXPECT_THAT(bench.moves(MoveKind::kReserve), testing::SizeIs(1));
  EXPECT_EQ(bench.traps().size(), 1U);
}

// ---- the run list --------------------------------------------------------------------------------------------

TEST(Turn, IsTakenFromAnOwnerThatIsTakenOffTheRunList) {
  TwoContexts bench;
  const Cycle c = bench.now();
  bench.list(0, false);
  bench.run(40);
  // Not present in c + 1.
  ASSERT_THAT(bench.when(has_passed), ElementsAre(c + 2));
  EXPECT_EQ(bench.trace[c + 2].events.turn_cause, TurnCause::kUnlisted);
  EXPECT_EQ(bench.traps().size(), 1U);
}

TEST(Turn, ComesBackFromNobodyToItsLastOwnerWithoutASwitch) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  bench.list(0, false);
  bench.run(40);
  const Cycle p = bench.save(0);
  bench.run(20);
  EXPECT_EQ(bench.state(), Turn::State::kNobody);
  EXPECT_THAT(bench.when(has_passed), testing::SizeIs(1));
  const Cycle c = bench.now();
  bench.list(0, true);
  bench.run(40);
  EXPECT_THAT(bench.when(has_begun, p), ElementsAre(c + 4));
  EXPECT_THAT(bench.when(starts_switch), IsEmpty());
  EXPECT_EQ(bench.moves(MoveKind::kAssign).size(), 2U);
}

TEST(Turn, GoesFromNobodyToAnotherWithASwitch) {
  TurnBench bench(keeping(1));
  bench.launch_one(0, 0);
  bench.settle();
  bench.list(0, false);
  bench.run(40);
  bench.save(0);
  bench.run(20);
  const Cycle c = bench.now();
  bench.launch_one(1, 1);
  bench.run(40);
  ASSERT_THAT(bench.when(starts_switch), ElementsAre(c + 3));
  EXPECT_FALSE(bench.trace[c + 3].switch_runs);
}

// ---- writes --------------------------------------------------------------------------------------------------

TEST(Turn, IsNobodysAfterAPolicyWriteAndStartsWithContextZero) {
  TwoContexts bench;
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  bench.end_switch();
  bench.settle();
  ASSERT_EQ(bench.out().turn, 1U);
  const Cycle t = bench.now();
  bench.write(ControlRegister::kPolicy, 0, kKeptByGpu);
  bench.run(100);
  EXPECT_EQ(bench.trace[t + 1].turn, 0U);
  EXPECT_THAT(bench.when(has_passed, t), IsEmpty());
  // Its kernel runs: SMs are emptied first, by the technique; whoever comes is the first owner again.
  EXPECT_THAT(bench.when(has_evicted, t), testing::SizeIs(1));
  bench.save(0);
  bench.run(20);
  EXPECT_THAT(bench.when(starts_switch, t), IsEmpty());
  EXPECT_EQ(bench.out().turn, 1U);
}

TEST(Turn, DoesNotPassInTheCycleOfAPolicyWrite) {
  TwoContexts bench;
  bench.tick_slice();
  bench.write(ControlRegister::kPolicy, 0, kSliced);
  bench.run(30);
  EXPECT_THAT(bench.when(has_passed), IsEmpty());
  EXPECT_FALSE(bench.out().switch_start);
}

TEST(Turn, IsPassedInACoreThatCannotKeepIt) {
  CoreParams params = keeping(1);
  params.has_kept_turn = false;
  TurnBench bench(params);
  bench.launch_one(0, 0);
  bench.settle();
  EXPECT_EQ(bench.core.search().policy().data(), kSliced);
  bench.write(ControlRegister::kPolicy, 0, kKeptByGpu);
  bench.write(ControlRegister::kSliceEnd, 0, 1);
  bench.run(30);
  EXPECT_EQ(bench.core.search().policy().data(), kSliced);
  EXPECT_EQ(bench.core.turn().slice_end(0), spec::SliceEnd::kTechnique);
  EXPECT_THAT(bench.when(has_begun), IsEmpty());
}

// ---- what comes back (6.5) -----------------------------------------------------------------------------------

// Four slots on each of two SMs, and a kernel of three TBs. Breadth first, two are saved on the first SM and one on the
// second. Returns how many handles each batch of them has once the turn comes back.
std::vector<std::uint32_t> batches_of_three(bool is_breadth_first) {
  CoreParams params = keeping(2);
  params.is_breadth_first = is_breadth_first;
  TurnBench bench(params);
  bench.launch(0, 0, 0, 3, 4);
  bench.settle();
  bench.wait(1);
  bench.tick_slice();
  bench.settle();
  for (const std::uint32_t sm : {0U, 1U}) {
    if (bench.sm(sm).running == 0) continue;
    for (std::uint32_t left = bench.sm(sm).running; left > 0; --left) {
      bench.handle(sm, left);
      bench.tick();
    }
    bench.take(sm, SmEventKind::kPreempted);
  }
  bench.settle();
  bench.end_switch();
  bench.wait(1, false);
  const Cycle back = bench.now();
  bench.settle();
  bench.end_switch();
  bench.settle();
  std::vector<std::uint32_t> batches{0};
  for (Cycle t = back; t < bench.now(); ++t) {
    const DispatchPins& dispatch = bench.trace[t].dispatch;
    if (!dispatch.valid || !dispatch.is_restore) continue;
    ++batches.back();
    if (dispatch.last) batches.push_back(0);
  }
  batches.pop_back();
  return batches;
}

TEST(Turn, NoSmGetsMoreTbsBackThanOneHadIfTheFillIsBreadthFirst) {
  EXPECT_THAT(batches_of_three(true), ElementsAre(2, 1));
  EXPECT_THAT(batches_of_three(false), ElementsAre(3));
}

}  // namespace
}  // namespace tessera::rtl_model::test
