// SPDX-License-Identifier: Apache-2.0
// What the OS writes, and the order in which it is served (docs/hardware/timing.md 3.2, 5.5, 5.6).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;

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
  CoreParams params = machine(5, kDss | kByProcess);
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
  EXPECT_THAT(bench.dispatches(k), ElementsAre(At{k + 7, 3}));
  EXPECT_EQ(bench.when(is_released, k).size(), 2U);
  EXPECT_EQ(bench.tokens_left(0), 9 - 3);
}

// What the search had found is dropped: BEGIN in the next cycle, whatever the state. JUDGE would be in c + 16.
TEST(Write, OfAPriorityBeginsTheSearchAgain) {
  for (Cycle at = 11; at <= 16; ++at) {
    CoreBench bench(machine());
    bench.launch(0, 0, 0, 1, 1);
    bench.run_to(at);
    ASSERT_TRUE(bench.out().control_ready);
    bench.write(ControlRegister::kPriority, 1, 3);
    bench.run(40);
    // From BEGIN to the pins: 11 cycles.
    EXPECT_THAT(bench.moves(MoveKind::kAssign), ElementsAre(At{at + 1 + 11, 0})) << at;
  }
}

// A set-up's CALC is two cycles before its pins. WRITE of the assign of an SM is in 23: PICK of the set-up 24,
// WRITE 30.
TEST(Write, OfAPageTableHoldsForSetUpsWhoseCalcIsLater) {
  for (const Cycle at : {28, 29}) {
    CoreBench bench(machine());
    bench.write(ControlRegister::kPageTable, 1, 0x55);
    bench.launch(0, 1, 0, 1, 1);
    bench.run_to(at);
    bench.write(ControlRegister::kPageTable, 1, 0xABCD);
    bench.run_to(32);
    ASSERT_TRUE(bench.trace[31].sm_control.valid);
    EXPECT_EQ(bench.trace[31].sm_control.page_table, at == 28 ? 0xABCDU : 0x55U);
  }
}

TEST(Write, ACodeThatIsNotThereLeavesThePolicy) {
  CoreParams params = machine(1, kPpq);
  params.policies = 1U << kPpq | 1U << kSliced;
  CoreBench bench(params);
  bench.write(ControlRegister::kPolicy, 0, kDss | kShared | kDrain);
  bench.run(1);
  EXPECT_EQ(bench.core.search().policy().data(), kPpq | kShared | kDrain);
}

TEST(Write, ATechniqueThatIsNotThereLeavesTheTechnique) {
  CoreBench bench(machine(1, kPpq | kDrain));
  bench.write(ControlRegister::kPolicy, 0, kPpq | kShared | 3U << kTechniqueShift);
  bench.run(1);
  EXPECT_EQ(bench.core.search().policy().data(), kPpq | kShared | kDrain);
}

TEST(SliceTimer, CountsContextsWithActiveKernels) {
  CoreParams params = machine(3, kSliced);
  CoreBench bench(params);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  EXPECT_FALSE(bench.out().slice_timer_enable);
  const Cycle c = bench.now();
  bench.launch(0, 1, 0, 1, 1);
  bench.settle();
  EXPECT_EQ(bench.when([](const SchedulerOutputs& out) { return out.slice_timer_enable; }).front(), c + 11);
}

// ---- commands in order ---------------------------------------------------------------------------------------------

// One KSR is busy with buffer 0's kernel; buffers 3, 2, 1 are filled in this order. Which comes next?
struct Waiting {
  std::uint32_t priority[4];  // by buffer
  std::uint32_t due[4];
  bool has_due[4];
};
std::uint32_t next_buffer(std::uint32_t policy, const Waiting& waiting) {
  CoreParams params = machine(1, policy);
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

TEST(Scan, OfNpEdfFindsTheFirstToArriveOfThoseThatAreDueEarliest) {
  EXPECT_EQ(next_buffer(kNpEdf, {{0, 1, 0, 2}, {0, 0x10, 0xFFFFFFF0, 0x20}, {false, true, true, true}}), 2U)
      << "due before the wrap";
  EXPECT_EQ(next_buffer(kNpEdf, {{}, {}, {false, true, false, false}}), 1U) << "the only one that is due";
  EXPECT_EQ(next_buffer(kNpEdf, {{}, {}, {false, true, true, false}}), 2U) << "two that are due alike";
  EXPECT_EQ(next_buffer(kNpEdf, {{}, {}, {}}), 3U) << "all alike";
}

TEST(Edf, TakesFromTheLeastUrgentAcrossTheWrap) {
  CoreParams params = machine(2, kEdf | kShared);
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
}  // namespace tessera::rtl_model::test
