// SPDX-License-Identifier: Apache-2.0
// SMs change hands, cycle by cycle (docs/hardware/timing.md 6.4, 6.5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The command in c is activated in the WRITE of c + 10. BEGIN c + 11, two steps, DRAIN .. c + 16, JUDGE c + 17, MOVE
// and PICK c + 18: from there on the second picture of 6.5.
TEST(Preemption, AReserveAndItsTrap) {
  CoreBench bench(one_sm(kPpq));
  const Cycle c = with_low_kernel(bench).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run(60);
  EXPECT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(At{c + 29, 0}));
  EXPECT_THAT(bench.traps(c), ElementsAre(At{c + 36, 0}));
  EXPECT_EQ(bench.kernel(0).promised, 4U);
}

TEST(Preemption, HandlesGoOutAndComeBack) {
  CoreBench bench(one_sm(kPpq));
  const Cycle c = with_low_kernel(bench).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run_to(c + 60);
  // 1. Four handles. *Preempted* in p: visit A's WRITE in p + 6, B's in p + 10, the set-up's in p + 17.
  for (std::uint32_t tb = 0; tb < 4; ++tb) {
    bench.handle(0, tb);
    bench.tick();
  }
  const Cycle p = bench.take(0, SmEventKind::kPreempted);
  EXPECT_EQ(p, c + 64);
  bench.run(30);
  EXPECT_THAT(bench.when(is_invoked, p), ElementsAre(p + 8));
  EXPECT_THAT(bench.hand_overs(), ElementsAre(At{p + 11, 1}));
  EXPECT_THAT(bench.set_ups(p), ElementsAre(At{p + 18, 0}));
  // 2. The other kernel runs and finishes; nobody is left on the SM.
  bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  bench.take(0, SmEventKind::kTbDone);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(60);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(t + 7));
  EXPECT_THAT(bench.when(is_invoked, t), ElementsAre(t + 8));
  EXPECT_THAT(bench.when(is_released, t), IsEmpty());
  // 3. BEGIN t + 8, WALK t + 9, DRAIN .. t + 12, JUDGE t + 13, PICK t + 14, BURST t + 18 and t + 19, WRITE t + 20;
  // set-up PICK t + 21, WRITE t + 27.
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{t + 28, 0}));
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(s), ElementsAre(At{s + 14, 0}, At{s + 15, 1}, At{s + 16, 2}, At{s + 17, 3}));
  for (Cycle i = 0; i < 4; ++i) {
    const DispatchPins& pins = bench.trace[s + 14 + i].dispatch;
    EXPECT_TRUE(pins.is_restore);
    EXPECT_EQ(pins.last, i == 3);
    EXPECT_EQ(pins.stack_pointer, 700 + i);
  }
  // 4. Nothing more until it is restored; then a fresh TB for a slot that becomes free.
  bench.take(0, SmEventKind::kRestoreDone);
  const Cycle u = bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(s + 18), ElementsAre(At{u + 6, 4}));
}

// The victim finishes in WRITE c + 23: FIND, in c + 25, finds no SM of it. The job is rejected in LOAD (c + 28), ends
// in CALC, and the SM, idle now, is assigned: BEGIN c + 30, WALK c + 31, JUDGE c + 35, PICK c + 36, BURST c + 40.
TEST(Preemption, ATakeIsRejectedIfTheVictimHasNoSmAnyMore) {
  CoreBench bench(one_sm(kPpq));
  const Cycle c = with_low_kernel(bench, 1).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run_to(c + 17);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), c + 17);
  bench.run(40);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(c + 24));
  EXPECT_THAT(bench.moves(MoveKind::kReserve, c), IsEmpty());
  EXPECT_THAT(bench.moves(MoveKind::kAssign, c), ElementsAre(At{c + 41, 0}));
}

// A drained SM is handed over by its last TB done, which finishes its kernel too: visit A's WRITE t + 6, B's t + 10.
TEST(Preemption, AKernelFinishesOnAReservedSm) {
  CoreBench bench(one_sm(kPpq | kDrain));
  const Cycle c = with_low_kernel(bench, 1).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run_to(c + 60);
  ASSERT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(At{c + 29, 0}));
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(t + 7));
  EXPECT_THAT(bench.hand_overs(), ElementsAre(At{t + 11, 1}));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{t + 18, 0}));
  EXPECT_THAT(bench.traps(), IsEmpty());
}

// Two SMs are reserved for a context switch. One runs a TB, the other is set up still: it gives way when that is done.
TEST(Preemption, AnSmInSetUpHasNothingToSave) {
  CoreParams params = machine(2, kPpq);
  CoreBench bench(params);
  bench.launch(0, 0, 1, 2, 1);
  bench.run(60);
  ASSERT_EQ(bench.set_ups().size(), 2U);
  bench.take(0, SmEventKind::kSetupDone);
  bench.run(30);  // TB 0 is on SM 0; SM 1 sets up
  bench.launch(1, 1, 5, 2, 1);
  bench.run(100);
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 2U);
  ASSERT_THAT(bench.traps(), ElementsAre(testing::Pair(testing::_, 0U)));
  const Cycle s = bench.take(1, SmEventKind::kSetupDone);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(), ElementsAre(At{s + 11, 1}));
  EXPECT_THAT(bench.traps(s), IsEmpty());
}

// Ring of two: SM 0's TBs are promised all of it. SM 1's trap is tried again after each event, and is not sent.
TEST(Preemption, ATrapWaitsForRoomInTheRing) {
  CoreParams params = machine(2, kPpq);
  params.max_tbs_per_sm = params.ptbq_depth = 2;
  CoreBench bench(params);
  bench.launch(0, 0, 1, 8, 2);
  bench.settle();
  bench.launch(1, 1, 5, 4, 2);
  bench.run(150);
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 2U);
  ASSERT_EQ(bench.traps().size(), 1U);
  EXPECT_TRUE(bench.out().idle);
  const Cycle t = bench.take(1, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(t), IsEmpty());
  const Cycle u = bench.take(1, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(t), ElementsAre(At{u + 11, 1}));
  EXPECT_EQ(bench.traps().size(), 1U);
}

// Ring of three: once one of SM 1's TBs is done the other has a place. TB done in t, WRITE t + 6; PICK of the trap t
// + 7.
TEST(Preemption, ATrapIsTriedAgainWhenAnEventWasTaken) {
  CoreParams params = machine(2, kPpq);
  params.max_tbs_per_sm = 2;
  params.ptbq_depth = 3;
  CoreBench bench(params);
  bench.launch(0, 0, 1, 8, 2);
  bench.settle();
  bench.launch(1, 1, 5, 4, 2);
  bench.run(150);
  ASSERT_EQ(bench.traps().size(), 1U);
  const Cycle t = bench.take(1, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.traps(t), ElementsAre(At{t + 14, 1}));
}

// While the traps of SM 1 and 2 are tried again, for which the ring has no room, SM 0, which was just handed over, is
// taken by a kernel that has become more urgent. Preempted in p, hand-over in p + 10, trap PICK p + 11 and p + 17.
// Priority in p + 3: BEGIN p + 4, JUDGE p + 12, PICK p + 17, visit B's WRITE p + 27. SM 2's trap is tried, PICK p + 28.
// The set-up goes out all the same: PICK p + 34.
TEST(Preemption, AnSmMayBeReservedBeforeItsSetUpIsSent) {
  CoreParams params = machine(3, kPpq | kShared);
  params.max_tbs_per_sm = params.ptbq_depth = 2;
  params.num_ksrs = params.num_contexts = params.num_command_buffers = 4;
  CoreBench bench(params);
  bench.launch(0, 0, 1, 8, 2);
  bench.settle();
  bench.launch(1, 1, 5, 2, 2);
  bench.run(150);
  bench.launch(2, 2, 12, 4, 2);
  bench.run(250);
  bench.launch(3, 3, 0, 2, 2);
  bench.run(150);
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 3U);
  ASSERT_EQ(bench.traps().size(), 1U);
  for (std::uint32_t tb = 0; tb < 2; ++tb) {
    bench.handle(0, tb);
    bench.tick();
  }
  const Cycle p = bench.take(0, SmEventKind::kPreempted);
  bench.run_to(p + 3);
  bench.write(ControlRegister::kPriority, 3, 9);
  bench.run(80);
  EXPECT_THAT(bench.hand_overs(p), ElementsAre(At{p + 11, 1}));
  EXPECT_THAT(bench.moves(MoveKind::kReserve, p), ElementsAre(At{p + 28, 0}));
  EXPECT_THAT(bench.set_ups(p), ElementsAre(At{p + 41, 0}));
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(s), ElementsAre(At{s + 11, 3}));
  EXPECT_THAT(bench.traps(p), IsEmpty());
}

// The only TB of a kernel is saved, comes back, and ends before its restore done was taken. The SM, drained for another
// kernel meanwhile, waits for that: WRITE r + 6, PICK of *leave* r + 7, visit A (of nobody) r + 10 .. r + 13, B's WRITE
// r + 17.
TEST(Preemption, AnSmIsHandedOverOnlyWhenItIsRestored) {
  CoreBench bench(one_sm(kPpq));
  restore_the_only_tb(bench);
  ASSERT_TRUE(bench.core.tables().smst.flags.restoring.has(0));
  bench.write(ControlRegister::kPolicy, 0, kPpq | kDrain);
  bench.run(60);
  const Cycle c = bench.now();
  bench.launch(1, 1, 5, 1, 1);
  bench.run(60);
  ASSERT_EQ(bench.moves(MoveKind::kReserve, c).size(), 1U);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(40);
  EXPECT_THAT(bench.when(is_kernel_done, t), ElementsAre(t + 7));
  EXPECT_THAT(bench.hand_overs(t), IsEmpty());
  const Cycle r = bench.take(0, SmEventKind::kRestoreDone);
  bench.run(40);
  EXPECT_THAT(bench.hand_overs(t), ElementsAre(At{r + 18, 1}));
}

// As above, and the kernel that was to get the SM has finished on the other one: visit A's WRITE, r + 13, is the last.
TEST(Preemption, AnSmThatLeavesByItselfGoesToNobodyIfItsNextHasFinished) {
  CoreBench bench(machine(2, kPpq));
  bench.launch(0, 0, 1, 2, 1);
  bench.settle();  // TB 0 on SM 0, TB 1 on SM 1
  bench.launch(1, 1, 5, 1, 1);
  bench.run(80);
  bench.handle(0, 0);
  bench.tick();
  bench.take(0, SmEventKind::kPreempted);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  ASSERT_TRUE(bench.core.tables().smst.flags.restoring.has(0));
  bench.write(ControlRegister::kPolicy, 0, kPpq | kDrain);
  bench.run(60);
  const Cycle c = bench.now();
  bench.launch(1, 1, 5, 2, 1);
  bench.run(150);
  ASSERT_EQ(bench.moves(MoveKind::kReserve, c).size(), 2U);
  bench.take(1, SmEventKind::kTbDone);
  bench.settle();  // SM 1 runs the first TB of the other kernel
  bench.take(0, SmEventKind::kTbDone);
  bench.take(1, SmEventKind::kTbDone);
  bench.settle();
  bench.take(1, SmEventKind::kTbDone);
  bench.settle();
  ASSERT_EQ(bench.when(is_kernel_done, c).size(), 2U);
  const Cycle r = bench.take(0, SmEventKind::kRestoreDone);
  bench.run(40);
  EXPECT_THAT(bench.when(is_released, r), ElementsAre(r + 14));
}

// The owner's priority rises above that of who was to get its draining SM: it keeps it.
TEST(Preemption, ADrainIsCancelled) {
  CoreBench bench(one_sm(kPpq | kDrain));
  with_low_kernel(bench);
  bench.launch(1, 1, 5, 2, 2);
  bench.run(60);
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 1U);
  const Cycle c = bench.now();
  bench.write(ControlRegister::kPriority, 0, 9);
  bench.run(60);
  // BEGIN c + 1, WALK .. c + 3, DRAIN .. c + 6, JUDGE c + 7, PICK c + 8, visit B's WRITE c + 18.
  EXPECT_THAT(bench.moves(MoveKind::kRetarget), ElementsAre(At{c + 19, 0}));
  EXPECT_THAT(bench.when(is_cancelled), ElementsAre(c + 19));
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(10);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 6, 4}));
}

}  // namespace
}  // namespace tessera::rtl_model::test
