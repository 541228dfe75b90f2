// SPDX-License-Identifier: Apache-2.0
// From a command to thread blocks, cycle by cycle: every number is worked out from docs/hardware/timing.md. With N_BUF
// = 2, and an engine that has nothing else to do, a command in c is activated in the WRITE of c + 10: invoked in c,
// BEGIN c
// + 1, SCAN c + 2 .. c + 5, ACTIVATE and PICK c + 6, ROW, LOAD, CALC, WRITE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/core_bench.h"
#include "tests/scheduler/tick_in_pick.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;

TEST(Reset, AllIsFreeAndNothingHappens) {
  CoreBench bench(machine());
  bench.run(50);
  for (const SchedulerOutputs& out : bench.trace) {
    EXPECT_TRUE(out.buffer_free.has(0) && out.buffer_free.has(1) && !out.buffer_free.has(2));
    EXPECT_TRUE(out.sm_event_ready);
    EXPECT_TRUE(out.control_ready);
    EXPECT_FALSE(out.sm_control.valid || out.dispatch.valid || out.kernel_done.valid || out.slice_timer_enable ||
                 out.events.any());
  }
  EXPECT_FALSE(bench.trace[0].idle);
  EXPECT_TRUE(bench.out().idle);
}

// The picture of the contract: BEGIN 11, WALK 12, DRAIN .. 15, JUDGE 16, MOVE and PICK 17, ROW, LOAD, CALC, BURST 21
// .. 23, WRITE 24. In 25 BEGIN, and PICK of the set-up: its WRITE is in 31, that of the other SM's in 38. The walk of
// BEGIN 25 is judged in 30: nothing is uncovered.
TEST(Arrival, AKernelThatNeedsTwoOfThreeIdleSms) {
  CoreBench bench(machine(3, kFcfs));
  bench.run(8);
  const Cycle c = bench.now();
  bench.launch(0, 1, 0, 2, 1);
  bench.run(60);
  EXPECT_THAT(bench.when(is_invoked), ElementsAre(c + 1));
  EXPECT_THAT(bench.activations(), ElementsAre(At{c + 11, 0}));
  EXPECT_FALSE(bench.trace[c + 10].buffer_free.has(0));
  EXPECT_TRUE(bench.trace[c + 11].buffer_free.has(0));
  EXPECT_THAT(bench.moves(MoveKind::kAssign), ElementsAre(At{c + 22, 0}, At{c + 23, 1}));
  EXPECT_THAT(bench.when([](const SchedulerOutputs& out) { return out.usage.valid; }), ElementsAre(c + 25));
  EXPECT_EQ(bench.trace[c + 25].usage.freed, -2);
  EXPECT_THAT(bench.set_ups(), ElementsAre(At{c + 32, 0}, At{c + 39, 1}));
  EXPECT_THAT(bench.when(is_decided), ElementsAre(c + 31));
  EXPECT_EQ(bench.trace[c + 32].sm_control.context, 1U);
  EXPECT_EQ(bench.trace[c + 32].sm_control.descriptor, CoreBench::descriptor_of(0));
  // ACTIVATE 6 .. 10, MOVE 17 .. 24.
  std::vector<Cycle> low;
  for (const auto& [first, last] : {std::pair{6, 10}, {17, 24}}) {
    for (int t = first; t <= last; ++t) low.push_back(c + t);
  }
  EXPECT_EQ(bench.when(takes_no_writes), low);
  // PICK with nothing to pick: 0 .. 5, 11 .. 16, from 39 on; not beside a command (39).
  std::vector<Cycle> ready;
  for (const auto& [first, last] : {std::pair{0, 5}, {11, 16}, {40, 60}}) {
    for (int t = first; t <= last; ++t) ready.push_back(c + t);
  }
  EXPECT_EQ(bench.when(takes_events, c), ready);
  EXPECT_EQ(bench.when(is_idle, c + 1).front(), c + 41);
}

TEST(Arrival, AnActivationTakesAtLeastItsCycles) {
  CoreParams params = machine();
  params.activation_cycles = 40;
  CoreBench bench(params);
  const Cycle begin = bench.now() + 1;
  bench.launch(0, 1, 0, 1, 1);
  bench.run(60);
  EXPECT_THAT(bench.when(is_activated), ElementsAre(begin + 40));  // and BEGIN there
}

// A walk is as long as the active queue, in steps of two entries; over an empty one it takes a step. A priority write
// in t: BEGIN t + 1, M steps of five cycles, DRAIN, JUDGE t + 5 + 5 M, and IDLE.
TEST(Arrival, TheWalkTakesItsStepsTimesTheirCycles) {
  for (const auto& [num_kernels, steps] : {std::pair{0U, 1U}, {1U, 1U}, {2U, 1U}, {3U, 2U}, {4U, 2U}, {5U, 3U}}) {
    CoreParams params = machine(3);
    params.search_step_cycles = 5;
    params.num_ksrs = 7;
    params.search_width = 2;
    CoreBench bench(params);
    for (std::uint32_t i = 0; i < num_kernels; ++i) {
      bench.launch(0, 0, 0, 1, 1);
      bench.settle();
    }
    const Cycle t = bench.now();
    bench.write(ControlRegister::kPriority, 2, 1);
    bench.run(40);
    EXPECT_THAT(bench.when(is_decided, t), ElementsAre(t + 6 + 5 * steps)) << num_kernels;
  }
}

// ---- thread blocks -------------------------------------------------------------------------------------------------

// Taken in s: WRITE s + 6. PICK of the issue s + 7, BURST s + 13 .. s + 16, a TB on the pins in each, WRITE s + 17.
TEST(Issue, FollowsTheSetUpATbACycle) {
  CoreBench bench(machine(1));
  bench.launch(0, 0, 0, 6, 4);
  bench.run(40);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{s + 13, 0}, At{s + 14, 1}, At{s + 15, 2}, At{s + 16, 3}));
  EXPECT_FALSE(bench.trace[s + 16].dispatch.last || bench.trace[s + 16].dispatch.is_restore);
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
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 6, 4}, At{t + 14, 5}));
}

// A carry costs a cycle: 258 remain, 257, 256: the third TB borrows. 253 remain after the first five TBs.
TEST(Issue, ACarryCostsACycle) {
  CoreParams params = machine(1);
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
  EXPECT_THAT(bench.dispatches(last), ElementsAre(At{last + 6, 255}, At{last + 15, 256}));
}

// With rounds an SM gets a TB in an SM cycle: after sm_tick in k it is free to be picked in k + 1, on the pins in k
// + 8.
TEST(Issue, InRoundsATbAnSmCycle) {
  CoreParams params = machine(1);
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
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{59 + 7, 0}, At{79 + 7, 1}, At{99 + 7, 2}));
}

TEST(Issue, ATickInPickCountsForWhichSmGetsTheTb) {
  CoreParams params = machine(3, kFcfs);
  params.is_breadth_first = params.issues_in_rounds = true;
  TsrScheduler core(params);
  EXPECT_EQ(TickInPick<TsrScheduler>(core).run(), kDispatchesOfTickInPick);
}

}  // namespace
}  // namespace tessera::rtl_model::test
