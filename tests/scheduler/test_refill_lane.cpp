// SPDX-License-Identifier: Apache-2.0
// The refill lane, cycle by cycle: every number is worked out from docs/hardware/timing.md 6.7. What is taken in t is
// in A in t + 1, in S in t + 2, in R in t + 3, and in W in t + 6. What R offers in t + 4 is picked in that cycle, if
// the engine has nothing before it: SM t + 5, ROW t + 6, LOAD, CALC t + 8, and BURST or WRITE t + 9.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/lane_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Cycle and SM of what is dispatched.
std::vector<At> sms_served(const CoreBench& bench, Cycle from) {
  std::vector<At> served;
  for (const Cycle t : bench.when([](const SchedulerOutputs& out) { return out.dispatch.valid; }, from)) {
    served.emplace_back(t, bench.trace[t].dispatch.sm);
  }
  return served;
}

// ---- a thread block a cycle --------------------------------------------------------------------------------------

TEST(RefillLane, FillsEachSlotSixCyclesAfterItsTbIsDone) {
  CoreBench bench(laned(1));
  bench.launch(0, 0, 0, 40, 4);
  bench.settle();
  const Cycle t = bench.now();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), t + i);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 6, 4}, At{t + 7, 5}, At{t + 8, 6}, At{t + 9, 7}));
  EXPECT_EQ(bench.sm(0).running, 4U);
}

TEST(RefillLane, FillsSlotsOfSeveralKernelsOneCycleAfterTheOther) {
  CoreBench bench(laned(3, 4, kPartitioned));
  run_kernels(bench, {40, 40, 40});
  const Cycle t = bench.now();
  for (const std::uint32_t sm : {0U, 1U, 2U, 1U, 1U, 0U}) bench.take(sm, SmEventKind::kTbDone);
  EXPECT_EQ(bench.now(), t + 6);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(t),
              ElementsAre(At{t + 6, 4}, At{t + 7, 4}, At{t + 8, 4}, At{t + 9, 5}, At{t + 10, 6}, At{t + 11, 5}));
  EXPECT_THAT(sms_served(bench, t),
              ElementsAre(At{t + 6, 0}, At{t + 7, 1}, At{t + 8, 2}, At{t + 9, 1}, At{t + 10, 1}, At{t + 11, 0}));
}

// Taken in s, in R in s + 3: the SM asks in s + 4, and its issue is in R from s + 7 on.
TEST(RefillLane, ASetUpDoneIsFollowedByATbACycle) {
  CoreBench bench(laned(1));
  bench.launch(0, 0, 0, 40, 4);
  bench.run(60);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run_to(s + 3);
  EXPECT_FALSE(bench.is_active(0));
  EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(0), 1U);
  bench.tick();
  EXPECT_TRUE(bench.is_active(0));
  EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(0), 0U);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{s + 10, 0}, At{s + 11, 1}, At{s + 12, 2}, At{s + 13, 3}));
  // An SM that asks comes before the next event, if the last to enter was one.
  EXPECT_FALSE(bench.trace[s + 4].sm_event_ready);
  EXPECT_TRUE(bench.trace[s + 3].sm_event_ready && bench.trace[s + 5].sm_event_ready);
}

TEST(RefillLane, IsNotIdleWhileItHoldsSomethingOrAnSmAsks) {
  CoreBench bench(laned(1));
  bench.launch(0, 0, 0, 40, 4);
  bench.run(60);
  ASSERT_TRUE(bench.out().idle);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  // The last TB is in W in s + 13; its counters settle in the two cycles after.
  EXPECT_EQ(bench.when(is_idle, s + 1).front(), s + 16);
}

// ---- breadth first -----------------------------------------------------------------------------------------------

// The SMs ask from s + 4, s + 5 and s + 6 on, each again once its issue has left R: four cycles after it entered.
TEST(RefillLane, BreadthFirstSmsGetATbInTurn) {
  CoreParams params = laned(3);
  params.is_breadth_first = true;
  CoreBench bench(params);
  bench.launch(0, 0, 0, 40, 4);
  bench.run(120);
  ASSERT_EQ(bench.set_ups().size(), 3U);
  const Cycle s = bench.now();
  for (std::uint32_t sm = 0; sm < 3; ++sm) EXPECT_EQ(bench.take(sm, SmEventKind::kSetupDone), s + sm);
  bench.run(40);
  std::vector<At> expected;
  for (std::uint32_t i = 0; i < 12; ++i) expected.emplace_back(s + 10 + i / 3 * 4 + i % 3, i % 3);
  EXPECT_EQ(sms_served(bench, s), expected);
}

// SM 1 enters in s + 2. SM 0 asks from s + 4 on, when an event is taken; SM 2 from s + 5 on, and comes first: it is the
// next behind SM 1.
TEST(RefillLane, BreadthFirstTheTurnGoesOnBehindTheLastIssue) {
  CoreParams params = laned(3);
  params.is_breadth_first = true;
  CoreBench bench(params);
  bench.launch(0, 0, 0, 40, 4);
  bench.run(120);
  ASSERT_EQ(bench.set_ups().size(), 3U);
  const Cycle s = bench.take(1, SmEventKind::kSetupDone) + 10;
  bench.run_to(s);
  bench.take(0, SmEventKind::kSetupDone);
  bench.take(2, SmEventKind::kSetupDone);
  bench.run_to(s + 4);
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), s + 4);
  EXPECT_FALSE(bench.out().sm_event_ready);
  bench.run(20);
  std::vector<At> served = sms_served(bench, s + 8);
  ASSERT_GE(served.size(), 5U);
  served.resize(5);
  EXPECT_THAT(served, ElementsAre(At{s + 8, 1}, At{s + 10, 1}, At{s + 11, 2}, At{s + 12, 0}, At{s + 13, 1}));
}

// The SM cycle ends in 19, 39, ..; who asks enters in the next cycle, and is on the pins six later.
TEST(RefillLane, InRoundsAnSmGetsATbAnSmCycle) {
  CoreParams params = laned(1);
  params.is_breadth_first = params.issues_in_rounds = true;
  CoreBench bench(params);
  const auto run_to = [&bench](Cycle end) {
    while (bench.now() < end) {
      bench.in.sm_tick = bench.now() % 20 == 19;
      bench.tick();
    }
  };
  bench.in.sm_tick = false;
  bench.launch(0, 0, 0, 40, 3);
  run_to(45);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  bench.event(0, SmEventKind::kSetupDone);
  run_to(130);
  EXPECT_THAT(bench.dispatches(), ElementsAre(At{60 + 6, 0}, At{80 + 6, 1}, At{100 + 6, 2}));
  // A TB that is done in 145 is counted, and its slot filled in the next SM cycle.
  run_to(145);
  bench.event(0, SmEventKind::kTbDone);
  run_to(149);
  EXPECT_EQ(bench.sm(0).running, 2U);
  run_to(200);
  EXPECT_THAT(bench.dispatches(140), ElementsAre(At{160 + 6, 3}));
  EXPECT_EQ(bench.sm(0).running, 3U);
}

// ---- what the lane counts ----------------------------------------------------------------------------------------

// A drain: the SM's row steps at the end of R, the kernel's at the end of W.
TEST(RefillLane, CountsTheTbsOfAnSmThatDrainsButForItsLast) {
  CoreParams params = with_lane(one_sm(kPpq | kDrain));
  CoreBench bench(params);
  const Cycle c = with_low_kernel(bench, 40).now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run(60);
  ASSERT_THAT(bench.moves(MoveKind::kReserve, c), ElementsAre(At{c + 29, 0}));
  const Cycle t = bench.now();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), t + i);
  for (const auto& [cycle, running, outstanding] :
       {std::tuple{3U, 4U, 4U}, {4U, 3U, 4U}, {5U, 2U, 4U}, {6U, 1U, 4U}, {7U, 1U, 3U}, {8U, 1U, 2U}, {9U, 1U, 1U}}) {
    bench.run_to(t + cycle);
    EXPECT_EQ(bench.sm(0).running, running) << cycle;
    EXPECT_EQ(bench.kernel(0).outstanding, outstanding) << cycle;
  }
  bench.run(20);
  EXPECT_THAT(bench.dispatches(t), IsEmpty());
  // The last one's job hands the SM over: visit A's WRITE in u + 9, B's in u + 13.
  const Cycle u = bench.take(0, SmEventKind::kTbDone);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(), ElementsAre(At{u + 14, 1}));
}

TEST(RefillLane, LeavesTheLastTbOfAKernelToTheEngine) {
  CoreBench bench(laned(1));
  bench.launch(0, 0, 0, 1, 4);
  bench.settle();
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(t + 10));
}

// ---- few left ----------------------------------------------------------------------------------------------------

// With 4 TBs left the engine refills.
TEST(RefillLane, LeavesTheLastRefillsOfAKernelToTheEngine) {
  CoreBench bench(laned(1));
  bench.launch(0, 0, 0, 10, 4);
  bench.settle();
  const Cycle t = bench.now();
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  const Cycle u = bench.now();
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 6, 4}, At{t + 27, 5}, At{u + 9, 6}));
}

// In R from r on, TB j is in W in r + 3 + j. TB 7 is the first that leaves fewer than 5; what has gone before `refills`
// falls, in r + 11, goes on. The rest is the engine's: offered in r + 12, BURST in r + 17.
TEST(RefillLane, ABurstEndsWithAnIssueJobIfFewTbsAreLeft) {
  CoreBench bench(laned(1, 12));
  bench.launch(0, 0, 0, 12, 12);
  bench.run(60);
  const Cycle r = bench.take(0, SmEventKind::kSetupDone) + 7;
  bench.run(40);
  std::vector<At> expected;
  for (std::uint32_t tb = 0; tb <= 10; ++tb) expected.emplace_back(r + 3 + tb, tb);
  expected.emplace_back(r + 17, 11);
  EXPECT_EQ(bench.dispatches(), expected);
}

// L is 12: near 4,096 the engine issues, then the lane goes on. So it does where `remaining` borrows.
TEST(RefillLane, CountersCarryInTheEngine) {
  for (const auto& [num_tbs, first] : {std::pair{9'000U, 4'080U}, std::pair{4'096U + 20U, 2U}}) {
    CoreBench bench(laned(1, 8));
    bench.launch(0, 0, 0, num_tbs, 8);
    bench.run(60);
    bench.core.start_late(0, first);
    bench.take(0, SmEventKind::kSetupDone);
    bench.run(30);
    for (int i = 0; i < 60; ++i) bench.take(0, SmEventKind::kTbDone);
    bench.run(40);
    const std::vector<At> all = bench.dispatches();
    ASSERT_EQ(all.size(), 68U);
    for (std::uint32_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].second, first + i);
    EXPECT_EQ(all[67].first - all[57].first, 10U);  // a TB a cycle
    EXPECT_EQ(bench.kernel(0).next_tb, first + 68);
    EXPECT_EQ(bench.kernel(0).remaining, num_tbs - first - 68);
    EXPECT_TRUE(bench.core.tables().ksrt.refills(0));
  }
}

// A width below 12: L is tb_width.
TEST(RefillLane, TheLastTbsOfTheWidestKernelAreTheEngines) {
  CoreParams params = laned(1);
  params.tb_width = 4;
  CoreBench bench(params);
  bench.launch(0, 0, 0, 15, 4);
  bench.settle();
  // Behind TB 10 there are 4 left, and next_tb is 11 of 16.
  const Cycle t = bench.now();
  std::vector<At> expected;
  for (std::uint32_t tb = 4; tb < 15; ++tb) {
    const Cycle taken = bench.take(0, SmEventKind::kTbDone);
    expected.emplace_back(taken + (tb <= 10 ? 6 : 9), tb);
    bench.run(20);
  }
  EXPECT_EQ(bench.dispatches(t), expected);
}

// ---- answers -----------------------------------------------------------------------------------------------------

// A kernel that has finished on SM 0 before SM 1 has answered its set-up, and a command in c for both SMs.
Cycle assign_again(CoreBench& bench) {
  bench.launch(0, 0, 1, 2, 1);
  bench.run(80);
  EXPECT_EQ(bench.set_ups().size(), 2U);
  bench.take(0, SmEventKind::kSetupDone);
  bench.run(30);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(30);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(60);
  EXPECT_EQ(bench.when(is_kernel_done).size(), 1U);
  const Cycle c = bench.now();
  bench.launch(1, 1, 1, 20, 4);
  return c;
}

// The burst for both SMs ends with the WRITE of w. SM 0's set-up: PICK w + 1, WRITE w + 7, on the pins in w + 8. An
// answer of SM 1 to its first set-up has the last set-up's tag, but is not current, since another is pending. It is in
// R in w + 7 at the latest, and is offered in w + 8: it goes before the set-up of SM 1, which would follow another. Its
// job: SM w + 9, WRITE w + 13; the set-up: PICK w + 14. If it comes too late for that: PICK w + 8.
TEST(RefillLane, AnAnswerToTheSetUpBeforeThePendingOneIsStale) {
  CoreBench first(laned(2));
  const Cycle before = assign_again(first);
  first.run(100);
  const Cycle w = first.moves(MoveKind::kAssign, before).back().first + 1;
  for (const Cycle in_r : {w + 1, w + 2, w + 7, w + 8}) {
    CoreBench bench(laned(2));
    assign_again(bench);
    bench.run_to(in_r - 3);
    bench.in.sm_event = {true, 1, SmEventKind::kSetupDone, 1};
    bench.tick();
    bench.run_to(in_r);
    EXPECT_TRUE(bench.core.tables().smst.flags.set_up_pending.has(1));
    bench.run(40);
    EXPECT_THAT(bench.set_ups(w), ElementsAre(At{w + 8, 0}, At{in_r <= w + 7 ? w + 21 : w + 15, 1}));
    EXPECT_EQ(bench.core.tables().set_up_tags.tag(1), 0U);
    EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(1), 1U);
    EXPECT_FALSE(bench.is_active(1));
    bench.take(1, SmEventKind::kSetupDone);
    bench.run(30);
    EXPECT_TRUE(bench.is_active(1));
    EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(1), 0U);
  }
}

// An event may be taken in the cycle of a command to its SM; the tag tells.
TEST(RefillLane, AnAnswerThatIsTakenBesideTheNextSetUpIsStale) {
  CoreBench bench(laned(2));
  const Cycle c = assign_again(bench);
  while (bench.set_ups(c).size() < 2) bench.tick();
  ASSERT_TRUE(bench.out().sm_control.valid && bench.out().sm_control.sm == 1);
  EXPECT_TRUE(bench.out().sm_event_ready);
  bench.in.sm_event = {true, 1, SmEventKind::kSetupDone, 1};
  const Cycle t = bench.now();
  bench.run_to(t + 9);
  EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(1), 2U);
  bench.tick();
  EXPECT_EQ(bench.core.tables().set_up_tags.unanswered(1), 1U);
  bench.run(30);
  EXPECT_FALSE(bench.is_active(1));
}

// Its job in the engine releases the SM: WRITE t + 9.
TEST(RefillLane, AnSmThatItsKernelNeedsNoMoreIsReleasedByItsAnswer) {
  CoreBench bench(laned(2));
  bench.launch(0, 0, 1, 2, 1);
  bench.run(80);
  ASSERT_EQ(bench.set_ups().size(), 2U);
  bench.take(0, SmEventKind::kSetupDone);
  bench.run(30);
  bench.take(0, SmEventKind::kTbDone);  // the second TB goes there, too
  bench.run(30);
  const Cycle t = bench.take(1, SmEventKind::kSetupDone);
  bench.run(30);
  EXPECT_THAT(bench.when(is_released), ElementsAre(t + 10));
}

}  // namespace
}  // namespace tessera::rtl_model::test
