// SPDX-License-Identifier: Apache-2.0
// The core from its pins, cycle by cycle: every number is worked out from docs/timing_next.md. With N_BUF = 2, and an
// engine that has nothing else to do, a command in c is activated in the WRITE of c + 10: invoked in c, BEGIN c + 1,
// SCAN c + 2 .. c + 5, ACTIVATE and PICK c + 6, ROW, LOAD, CALC, WRITE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model_next/core_bench.h"

namespace tessera::rtl_model_next::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using At = CoreBench::At;
using Cycle = CoreBench::Cycle;
using Out = SchedulerOutputs;

bool is_invoked(const Out& out) { return out.events.policy_invoked; }
bool is_decided(const Out& out) { return out.events.policy_decided; }
bool is_activated(const Out& out) { return out.events.activated; }
bool is_released(const Out& out) { return out.events.released; }
bool is_cancelled(const Out& out) { return out.events.cancelled; }
bool is_kernel_done(const Out& out) { return out.kernel_done.valid; }
bool takes_events(const Out& out) { return out.sm_event_ready; }
bool takes_no_writes(const Out& out) { return !out.control_ready; }
bool is_idle(const Out& out) { return out.idle; }

// ---- reset and arrival ---------------------------------------------------------------------------------------

TEST(Reset, AllIsFreeAndNothingHappens) {
  CoreBench bench(machine());
  bench.run(50);
  for (const Out& out : bench.trace) {
    EXPECT_TRUE(out.buffer_free.has(0) && out.buffer_free.has(1) && !out.buffer_free.has(2));
    EXPECT_TRUE(out.sm_event_ready);
    EXPECT_TRUE(out.control_ready);
    EXPECT_FALSE(out.sm_control.valid || out.dispatch.valid || out.kernel_done.valid || out.slice_timer_enable ||
                 out.events.any());
  }
  EXPECT_FALSE(bench.trace[0].idle);
  EXPECT_TRUE(bench.out().idle);
}

// N_SM = N_KSR = 3, so a walk has three steps: BEGIN 11, WALK 12 .. 14, DRAIN .. 17, JUDGE 18, MOVE and PICK 19, FIND,
// SM, ROW, LOAD, CALC, WRITE 25. In 26 BEGIN, and PICK of the set-up: its WRITE is in 32. JUDGE again in 33, PICK 34,
// WRITE 40; set-up PICK 41, WRITE 47. The walk of BEGIN 41 is judged in 48: nothing is uncovered. `uncovered` of the
// last WRITE settles until 50.
TEST(Arrival, AKernelThatNeedsTwoOfThreeIdleSms) {
  CoreBench bench(machine(3, kDss));
  bench.run(8);
  const Cycle c = bench.now();
  bench.launch(0, 1, 0, 2, 1);
  bench.run(60);
  EXPECT_THAT(bench.when(is_invoked), ElementsAre(c + 1));
  EXPECT_THAT(bench.activations(), ElementsAre(At{c + 11, 0}));
  EXPECT_FALSE(bench.trace[c + 10].buffer_free.has(0));
  EXPECT_TRUE(bench.trace[c + 11].buffer_free.has(0));
  EXPECT_THAT(bench.moves(MoveKind::kAssign), ElementsAre(At{c + 26, 0}, At{c + 41, 1}));
  EXPECT_THAT(bench.set_ups(), ElementsAre(At{c + 33, 0}, At{c + 48, 1}));
  EXPECT_THAT(bench.when(is_decided), ElementsAre(c + 49));
  EXPECT_EQ(bench.trace[c + 33].sm_control.context, 1U);
  EXPECT_EQ(bench.trace[c + 33].sm_control.descriptor, CoreBench::descriptor_of(0));
  // ACTIVATE 6 .. 10, MOVE 19 .. 25 and 34 .. 40.
  std::vector<Cycle> low;
  for (const auto& [first, last] : {std::pair{6, 10}, {19, 25}, {34, 40}}) {
    for (int t = first; t <= last; ++t) low.push_back(c + t);
  }
  EXPECT_EQ(bench.when(takes_no_writes), low);
  // PICK with nothing to pick: 0 .. 5, 11 .. 18; not beside a command (33, 48).
  std::vector<Cycle> ready;
  for (const auto& [first, last] : {std::pair{0, 5}, {11, 18}, {49, 60}}) {
    for (int t = first; t <= last; ++t) ready.push_back(c + t);
  }
  EXPECT_EQ(bench.when(takes_events, c), ready);
  EXPECT_EQ(bench.when(is_idle, c + 1).front(), c + 50);
}

TEST(Arrival, AnActivationTakesAtLeastItsCycles) {
  Params params = machine();
  params.activation_cycles = 40;
  CoreBench bench(params);
  const Cycle begin = bench.now() + 1;
  bench.launch(0, 1, 0, 1, 1);
  bench.run(60);
  EXPECT_THAT(bench.when(is_activated), ElementsAre(begin + 40));  // and BEGIN there
}

TEST(Arrival, TheWalkTakesItsStepsTimesTheirCycles) {
  Params params = machine(3);
  params.search_step_cycles = 5;
  params.num_ksrs = 7;
  params.search_width = 2;
  CoreBench bench(params);
  bench.launch(0, 1, 0, 1, 1);
  bench.run(80);
  // BEGIN 11, four steps of five cycles until 31, DRAIN .. 34, JUDGE 35, PICK 36, WRITE 42.
  EXPECT_THAT(bench.moves(MoveKind::kAssign), ElementsAre(At{43, 0}));
}

// ---- thread blocks -------------------------------------------------------------------------------------------

// Taken in s: WRITE s + 6. PICK of the issue s + 7, BURST s + 13 .. s + 16, a TB on the pins in the cycle after each.
TEST(Issue, FollowsTheSetUpATbACycle) {
  CoreBench bench(machine(1));
  bench.launch(0, 0, 0, 6, 4);
  bench.run(40);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{s + 14, 0}, At{s + 15, 1}, At{s + 16, 2}, At{s + 17, 3}));
  EXPECT_FALSE(bench.trace[s + 17].dispatch.last || bench.trace[s + 17].dispatch.is_restore);
  EXPECT_THAT(bench.when(takes_events, s + 1).front(), s + 18);
}

// The first picture of 6.5.
TEST(Issue, ATbDoneRefillsItsSlot) {
  CoreBench bench(machine(1));
  bench.launch(0, 0, 0, 6, 4);
  bench.settle();
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), t + 8);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 7, 4}, At{t + 15, 5}));
}

// A carry costs a cycle: 258 remain, 257, 256: the third TB borrows. 253 remain after the first five TBs.
TEST(Issue, ACarryCostsACycle) {
  Params params = machine(1);
  CoreBench bench(params);
  bench.launch(0, 0, 0, 258, 4);
  bench.settle();
  const std::vector<At> first = bench.dispatches();
  ASSERT_EQ(first.size(), 4U);
  const Cycle d = first.front().first;
  EXPECT_THAT(first, ElementsAre(At{d, 0}, At{d + 1, 1}, At{d + 2, 2}, At{d + 4, 3}));
  // TB 255 carries into the upper bits of next_tb, as the last of its burst: the next event is a cycle later.
  Cycle last = 0;
  for (std::uint32_t tb = 4; tb <= 255; ++tb) last = bench.take(0, SmEventKind::kTbDone);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), last + 9);
  bench.run(10);
  EXPECT_THAT(bench.dispatches(last), ElementsAre(At{last + 7, 255}, At{last + 16, 256}));
}

// With rounds an SM gets a TB in an SM cycle: after sm_tick in k it is free to be picked in k + 1, on the pins in k
// + 8.
TEST(Issue, InRoundsATbAnSmCycle) {
  Params params = machine(1);
  params.is_breadth_first = params.issues_in_rounds = true;
  CoreBench bench(params);
  const auto run = [&bench](Cycle cycles) {
    for (const Cycle end = bench.now() + cycles; bench.now() < end;) {
      bench.in.sm_tick = bench.now() % 20 == 19;
      bench.tick();
    }
  };
  bench.in.sm_tick = false;
  bench.launch(0, 0, 0, 3, 4);
  run(45);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  bench.event(0, SmEventKind::kSetupDone);
  run(80);  // taken in 45
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{59 + 8, 0}, At{79 + 8, 1}, At{99 + 8, 2}));
}

// ---- preemption ----------------------------------------------------------------------------------------------

// One SM, two KSRs; the SM runs four TBs of a kernel of priority 1.
CoreBench& with_low_kernel(CoreBench& bench, std::uint32_t num_tbs = 8) {
  bench.launch(0, 0, 1, num_tbs, 4);
  bench.settle();
  return bench;
}
Params one_sm(std::uint32_t policy) {
  Params params = machine(1, policy);
  params.num_ksrs = 2;
  return params;
}

// The command in c is activated in the WRITE of c + 10. BEGIN c + 11, two steps, DRAIN .. c + 16, JUDGE c + 17; second
// walk from c + 18, JUDGE c + 23; MOVE and PICK c + 24: from there on the second picture of 6.5.
TEST(Preemption, AReserveAndItsTrap) {
  CoreBench bench(one_sm(kPpq));
  const Cycle c = with_low_kernel(bench).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run(60);
  EXPECT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(At{c + 35, 0}));
  EXPECT_THAT(bench.traps(c), ElementsAre(At{c + 42, 0}));
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
  // 3. BEGIN t + 8, WALK .. t + 10, DRAIN .. t + 13, JUDGE t + 14, PICK t + 15, WRITE t + 21; set-up PICK t + 22, WRITE
  // t + 28.
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{t + 29, 0}));
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
  EXPECT_THAT(bench.dispatches(s + 18), ElementsAre(At{u + 7, 4}));
}

// While the second walk goes over the SM its kernel finishes (WRITE c + 23): the move is rejected in its LOAD (c + 28),
// ends in CALC, and the SM, idle now, is assigned: BEGIN c + 30, WALK .. c + 32, JUDGE c + 36, PICK c + 37, WRITE c
// + 43.
TEST(Preemption, AMoveIsRejectedIfTheSmIsNotWhatItWas) {
  CoreBench bench(one_sm(kPpq));
  const Cycle c = with_low_kernel(bench, 1).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run_to(c + 17);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), c + 17);
  bench.run(40);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(c + 24));
  EXPECT_THAT(bench.moves(MoveKind::kReserve, c), IsEmpty());
  EXPECT_THAT(bench.moves(MoveKind::kAssign, c), ElementsAre(At{c + 44, 0}));
}

// A drained SM is handed over by its last TB done, which finishes its kernel too: visit A's WRITE t + 6, B's t + 10.
TEST(Preemption, AKernelFinishesOnAReservedSm) {
  CoreBench bench(one_sm(kPpq | kDrain));
  const Cycle c = with_low_kernel(bench, 1).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run_to(c + 60);
  ASSERT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(At{c + 35, 0}));
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(t + 7));
  EXPECT_THAT(bench.hand_overs(), ElementsAre(At{t + 11, 1}));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{t + 18, 0}));
  EXPECT_THAT(bench.traps(), IsEmpty());
}

// Two SMs are reserved for a context switch. One runs a TB, the other is set up still: it gives way when that is done.
TEST(Preemption, AnSmInSetUpHasNothingToSave) {
  Params params = machine(2, kPpq);
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
  Params params = machine(2, kPpq);
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
  Params params = machine(2, kPpq);
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

// The only TB of a kernel is saved, comes back, and ends before its restore done was taken. The SM, drained for another
// kernel meanwhile, waits for that: WRITE r + 6, PICK of *leave* r + 7, visit A (of nobody) r + 10 .. r + 13, B's WRITE
// r + 17.
TEST(Preemption, AnSmIsHandedOverOnlyWhenItIsRestored) {
  CoreBench bench(one_sm(kPpq));
  with_low_kernel(bench, 1);
  bench.launch(1, 1, 5, 1, 1);
  bench.run(60);
  bench.handle(0, 0);
  bench.tick();
  bench.take(0, SmEventKind::kPreempted);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();  // the handle is sent
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
  // BEGIN c + 1, WALK .. c + 3, DRAIN .. c + 6, JUDGE c + 7, second walk, JUDGE c + 13, PICK c + 14, visit B's WRITE c
  // + 24.
  EXPECT_THAT(bench.moves(MoveKind::kRetarget), ElementsAre(At{c + 25, 0}));
  EXPECT_THAT(bench.when(is_cancelled), ElementsAre(c + 25));
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(10);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 7, 4}));
}

// ---- what the OS writes --------------------------------------------------------------------------------------

// DEAL c + 1: entry; c + 2, c + 3; offered and PICK c + 4, WRITE c + 8; c + 9: no entry; BEGIN c + 10.
TEST(Deal, FollowsAPolicyWrite) {
  CoreBench bench(one_sm(kDss));
  const Cycle c = with_low_kernel(bench).now();
  bench.write(ControlRegister::kPolicy, 0, kDss | kDrain);
  bench.run(10);
  EXPECT_THAT(bench.when(takes_no_writes, c).front(), c + 1);
  EXPECT_THAT(bench.when(takes_no_writes, c).back(), c + 9);
  EXPECT_THAT(bench.when(is_invoked, c), ElementsAre(c + 1));
  // One SM, three contexts: no token of its own, one of the pool, and an SM held.
  bench.run(1);
  EXPECT_EQ(bench.tokens_left(0), 0);
  EXPECT_EQ(bench.core.tables().tokens.pool(), 0U);
}

TEST(Deal, PassesOverKernelsOfOtherContexts) {
  CoreBench bench(one_sm(kDss));
  const Cycle c = with_low_kernel(bench).now();
  bench.write(ControlRegister::kTokens, 2, 7);
  bench.run(20);
  EXPECT_THAT(bench.when(takes_no_writes, c), ElementsAre(c + 1, c + 2, c + 3, c + 4));
}

TEST(Deal, ABudgetReturnsThePoolsToken) {
  CoreBench bench(one_sm(kDss));
  with_low_kernel(bench);
  ASSERT_EQ(bench.core.tables().tokens.pool(), 0U);
  bench.write(ControlRegister::kTokens, 0, 7);
  bench.run(20);
  EXPECT_EQ(bench.tokens_left(0), 6);
  EXPECT_EQ(bench.core.tables().tokens.pool(), 1U);
}

// Two SMs have to leave a kernel whose last TB a third one got. The second leaves when the deal is over: with token
// scope process the context's tokens would else be stepped between the deals of its two kernels.
TEST(Deal, IsNotDisturbedByAnSmThatLeaves) {
  Params params = machine(5, kDss | kByProcess);
  params.is_breadth_first = params.issues_in_rounds = true;
  CoreBench bench(params);
  const auto run = [&bench](Cycle cycles) {  // within an SM cycle
    for (; cycles > 0; --cycles) {
      bench.in.sm_tick = false;
      bench.tick();
    }
  };
  const auto sm_cycle = [&] {
    bench.in.sm_tick = true;
    bench.tick();
    run(30);
  };
  const auto set_up_done = [&](std::uint32_t sm) {
    bench.event(sm, SmEventKind::kSetupDone);
    run(8);
  };
  bench.launch(0, 0, 0, 1, 1);
  run(80);
  set_up_done(0);
  sm_cycle();
  // 1. Four SMs for four TBs; the first takes three of them.
  bench.launch(0, 0, 0, 4, 4);
  run(120);
  ASSERT_EQ(bench.set_ups().size(), 5U);
  set_up_done(1);
  for (int i = 0; i < 3; ++i) sm_cycle();
  for (const std::uint32_t sm : {2U, 3U, 4U}) set_up_done(sm);
  // 2. The last goes to SM 2: PICK k + 1, WRITE k + 8. SMs 3 and 4 leave while the tokens are dealt anew.
  const Cycle k = bench.now();
  bench.in.sm_tick = true;
  bench.tick();
  run(2);
  bench.write(ControlRegister::kTokens, 0, 9);
  run(100);
  EXPECT_THAT(bench.dispatches(k), ElementsAre(At{k + 8, 3}));
  EXPECT_EQ(bench.when(is_released, k).size(), 2U);
  EXPECT_EQ(bench.tokens_left(0), 9 - 3);
}

// What the search had found is dropped: BEGIN in the next cycle, whatever the state. JUDGE would be in c + 18.
TEST(Write, OfAPriorityBeginsTheSearchAgain) {
  for (Cycle at = 11; at <= 18; ++at) {
    CoreBench bench(machine());
    bench.launch(0, 0, 0, 1, 1);
    bench.run_to(at);
    ASSERT_TRUE(bench.out().control_ready);
    bench.write(ControlRegister::kPriority, 1, 3);
    bench.run(40);
    // From BEGIN to the pins: 15 cycles.
    EXPECT_THAT(bench.moves(MoveKind::kAssign), ElementsAre(At{at + 1 + 15, 0})) << at;
  }
}

// A set-up's CALC is two cycles before its pins (33 in the picture of the arrival).
TEST(Write, OfAPageTableHoldsForSetUpsWhoseCalcIsLater) {
  for (const Cycle at : {30, 31}) {
    CoreBench bench(machine());
    bench.launch(0, 1, 0, 1, 1);
    bench.run_to(at);
    bench.write(ControlRegister::kPageTable, 1, 0xABCD);
    bench.run_to(34);
    ASSERT_TRUE(bench.trace[33].sm_control.valid);
    EXPECT_EQ(bench.trace[33].sm_control.page_table, at == 30 ? 0xABCDU : 0U);
  }
}

TEST(Write, ACodeThatIsNotThereLeavesThePolicy) {
  Params params = machine(1, kPpq);
  params.policies = 1U << kPpq | 1U << kSliced;
  CoreBench bench(params);
  bench.write(ControlRegister::kPolicy, 0, kDss | kShared | kDrain);
  bench.run(1);
  EXPECT_EQ(bench.core.search().policy().data(), kPpq | kShared | kDrain);
}

TEST(SliceTimer, CountsContextsWithActiveKernels) {
  Params params = machine(3, kSliced);
  CoreBench bench(params);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  EXPECT_FALSE(bench.out().slice_timer_enable);
  const Cycle c = bench.now();
  bench.launch(0, 1, 0, 1, 1);
  bench.settle();
  EXPECT_EQ(bench.when([](const Out& out) { return out.slice_timer_enable; }).front(), c + 11);
}

// ---- commands in order ---------------------------------------------------------------------------------------

// One KSR is busy with buffer 0's kernel; buffers 3, 2, 1 are filled in this order. Which comes next?
struct Waiting {
  std::uint32_t priority[4];  // by buffer
  std::uint32_t due[4];
  bool has_due[4];
};
std::uint32_t next_buffer(std::uint32_t policy, const Waiting& waiting) {
  Params params = machine(1, policy);
  params.num_command_buffers = 4;
  CoreBench bench(params);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  for (const std::uint32_t buffer : {3U, 2U, 1U}) {
    bench.launch(buffer, 0, waiting.priority[buffer], 1, 1);
    bench.in.command.has_due = waiting.has_due[buffer];
    bench.in.command.due = waiting.due[buffer];
    bench.tick();
  }
  bench.run(50);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(30);
  const std::vector<At> activations = bench.activations(t);
  return activations.size() == 1 ? activations.front().second : kNone;
}

TEST(Scan, HasTheOrderOfThePolicy) {
  const Waiting waiting{{0, 5, 5, 1}, {0, 0x10, 0xFFFFFFF0, 0x20}, {false, true, true, true}};
  EXPECT_EQ(next_buffer(kFcfs, waiting), 3U);                               // arrived first
  EXPECT_EQ(next_buffer(kNpq, waiting), 2U);                                // npq: the older of the highest
  EXPECT_EQ(next_buffer(kPpq, waiting), 1U);                                // the first in turn of the highest
  EXPECT_EQ(next_buffer(kDss, waiting), 1U);                                // in turn
  EXPECT_EQ(next_buffer(kSliced, waiting), 1U);                             // in turn
  EXPECT_EQ(next_buffer(kEdf, waiting), 2U);                                // due before the wrap
  EXPECT_EQ(next_buffer(kEdf, {{}, {}, {false, false, true, false}}), 2U);  // the only one that is due
  EXPECT_EQ(next_buffer(kEdf, {{}, {}, {}}), 1U);                           // all alike: in turn
}

TEST(Edf, TakesFromTheLeastUrgentAcrossTheWrap) {
  Params params = machine(2, kEdf | kShared);
  params.num_ksrs = 3;
  CoreBench bench(params);
  bench.launch_due(0, 0x10, 1, 1);  // after the wrap
  bench.settle();
  bench.launch_due(0, 0xFFFFFFF0, 1, 1);  // before it
  bench.settle();
  ASSERT_EQ(bench.dispatches().size(), 2U);
  const Cycle c = bench.now();
  bench.launch_due(0, 0xFFFFFFF8, 1, 1);  // between them: takes SM 0 from the first
  bench.run(80);
  EXPECT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(testing::Pair(testing::_, 0U)));
}

}  // namespace
}  // namespace tessera::rtl_model_next::test
