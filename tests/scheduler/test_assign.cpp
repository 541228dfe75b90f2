// SPDX-License-Identifier: Apache-2.0
// How many SMs an assign gives (docs/hardware/timing.md 5.4, 6.4), and what becomes of those that wait for a set-up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "tests/scheduler/lane_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Cycle and KSR of each SM that is given.
std::vector<At> given(const CoreBench& bench) {
  std::vector<At> list;
  for (const Cycle t : bench.when([](const SchedulerOutputs& out) { return out.events.moved; })) {
    list.emplace_back(t, bench.trace[t].events.ksr);
  }
  return list;
}

std::vector<std::uint32_t> owners(const CoreBench& bench) {
  std::vector<std::uint32_t> ksrs;
  for (const auto& [t, ksr] : given(bench)) ksrs.push_back(ksr);
  return ksrs;
}

std::vector<std::int32_t> usage(const CoreBench& bench) {
  std::vector<std::int32_t> freed;
  for (const Cycle t : bench.when([](const SchedulerOutputs& out) { return out.usage.valid; })) {
    freed.push_back(bench.trace[t].usage.freed);
  }
  return freed;
}

// BURST of the first in 21, as in test_issue.cpp.
TEST(Assign, GivesAsManySmsAsTheKernelsThreadBlocksFill) {
  for (const auto& [num_tbs, num_sms] : {std::pair{1U, 1U}, {4U, 1U}, {5U, 2U}, {12U, 3U}, {13U, 4U}, {99U, 5U}}) {
    CoreBench bench(machine(5, kFcfs));
    bench.launch(0, 0, 0, num_tbs, 4);
    bench.run(40);
    std::vector<At> expected;
    for (std::uint32_t sm = 0; sm < num_sms; ++sm) expected.emplace_back(22 + sm, sm);
    EXPECT_EQ(bench.moves(MoveKind::kAssign), expected) << num_tbs;
    // A WRITE behind the cycle of BURST that gives none.
    EXPECT_THAT(bench.when([](const SchedulerOutputs& out) { return out.usage.valid; }), ElementsAre(23 + num_sms));
    EXPECT_THAT(usage(bench), ElementsAre(-static_cast<std::int32_t>(num_sms)));
    EXPECT_EQ(bench.kernel(0).owned, num_sms);
    EXPECT_EQ(bench.kernel(0).covered, num_sms * 4);
  }
}

TEST(Assign, GivesAnSmForEachThreadBlockBreadthFirst) {
  for (const auto& [num_tbs, num_sms] : {std::pair{1U, 1U}, {3U, 3U}, {9U, 5U}}) {
    CoreParams params = machine(5, kFcfs);
    params.is_breadth_first = true;
    CoreBench bench(params);
    bench.launch(0, 0, 0, num_tbs, 4);
    bench.run(40);
    EXPECT_THAT(bench.moves(MoveKind::kAssign), SizeIs(num_sms)) << num_tbs;
  }
}

// The second kernel waits in the same walks, for the SMs that the first does not need.
TEST(Assign, LeavesTheOtherSmsToTheNextKernel) {
  CoreBench bench(machine(5, kFcfs));
  bench.launch(0, 0, 0, 8, 4);
  bench.tick();
  bench.launch(1, 0, 0, 99, 4);
  bench.run(120);
  EXPECT_THAT(owners(bench), ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(usage(bench), ElementsAre(-2, -3));
}

// Six SMs, two tokens for each context, and kernels of two contexts that need them all. 2 and 2: each time the
// runner-up has as many or one less. In debt it goes on like that.
TEST(Assign, OfDssGivesAsManyAsThePolicyWouldChooseOneByOne) {
  const CoreParams params = machine(6, kDss);
  const auto run = [&params](std::uint32_t budget) {
    CoreBench bench(params);
    if (budget > 0) bench.write(ControlRegister::kTokens, 0, budget);
    bench.run(20);
    bench.launch(0, 0, 0, 99, 4);
    bench.tick();
    bench.launch(1, 1, 0, 99, 4);
    bench.run(250);
    return std::pair{owners(bench), usage(bench)};
  };
  EXPECT_THAT(run(0).first, ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_THAT(run(0).second, ElementsAre(-1, -1, -1, -1, -1, -1));
  // 4 and 2: three at once, since it comes first at 2 and 2; then 1 and 2, 1 and 1, 0 and 1.
  EXPECT_THAT(run(4).first, ElementsAre(0, 0, 0, 1, 0, 1));
  EXPECT_THAT(run(4).second, ElementsAre(-3, -1, -1, -1));
  EXPECT_THAT(run(9).first, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(run(9).second, ElementsAre(-6));
}

// Alone, it gets what its tokens are worth; and the others with them, if it may go into debt.
TEST(Assign, OfDssEndsWithTheTokensWhereDebtDoes) {
  constexpr std::uint32_t kDebtGap = 1 << 10, kDebtNever = 3 << 10;
  for (const std::uint32_t debt : {0U, kDebtGap, kDebtNever}) {
    CoreBench bench(machine(6, kDss | debt));
    bench.launch(0, 0, 0, 99, 4);
    bench.run(150);
    EXPECT_THAT(usage(bench), ElementsAre(debt == kDebtNever ? -2 : -6));
  }
}

// Two kernels of priority 5 have run on SMs 0 and 1; the hold-off of the one that left SM 1 is over. One of priority 0
// comes in c: BEGIN c + 13, JUDGE c + 19, which sees SM 1 free. Meanwhile the other kernel ends, TB done in c + 15,
// WRITE c + 21: the hold-off that begins keeps both SMs. PICK c + 22, BURST c + 26, WRITE c + 27, BEGIN c + 28, JUDGE c
// + 33.
TEST(Assign, GivesNothingIfAHoldOffHasBegunMeanwhile) {
  CoreParams params = machine(2, kPpq | kShared);
  params.num_ksrs = params.num_command_buffers = 4;
  params.lingers = true;
  CoreBench bench(params);
  for (int i = 0; i < 2; ++i) {
    bench.launch(0, 0, 5, 1, 1);
    bench.settle();
  }
  bench.take(1, SmEventKind::kTbDone);
  bench.settle();
  bench.in.linger_over = true;
  bench.settle();
  const Cycle c = bench.now();
  bench.launch(0, 1, 0, 8, 4);
  bench.run_to(c + 15);
  ASSERT_EQ(bench.take(0, SmEventKind::kTbDone), c + 15);
  bench.run_to(c + 26);
  EXPECT_EQ(bench.core.engine().phase(), JobEngine::Phase::kBurst);
  EXPECT_EQ(bench.core.engine().job(), JobEngine::Job::kAssign);
  bench.tick();
  EXPECT_EQ(bench.core.engine().phase(), JobEngine::Phase::kWrite);
  bench.run(40);
  EXPECT_THAT(bench.moves(MoveKind::kAssign, c), IsEmpty());
  EXPECT_THAT(bench.when([](const SchedulerOutputs& out) { return out.usage.valid; }, c), ElementsAre(c + 22));
  EXPECT_THAT(bench.when(is_decided, c), ElementsAre(c + 34));
  EXPECT_EQ(bench.kernel(bench.core.tables().active_queue.at(0)).owned, 0U);
}

// ---- a whole GPU ---------------------------------------------------------------------------------------------------

// Set-ups are done at once: from the activation to the last thread block of the first fill.
Cycle cycles_to_fill(bool is_breadth_first) {
  CoreParams params = laned(132, 8, kPpq);
  params.is_breadth_first = is_breadth_first;
  TsrScheduler core(params);
  std::deque<std::uint32_t> set_up;
  Cycle activated = 0, t = 0;
  for (std::uint32_t issued = 0; issued < 132 * 8 && t < 10'000; ++t) {
    const SchedulerOutputs& out = core.outputs();
    if (out.events.activated) activated = t;
    if (out.dispatch.valid) ++issued;
    SchedulerInputs in;
    in.command = {t == 0, 0, 0, 1, 5000, 8};
    if (!set_up.empty()) {
      const std::uint32_t sm = set_up.front();
      in.sm_event = {true, sm, SmEventKind::kSetupDone, core.tables().set_up_tags.tag(sm)};
      if (out.sm_event_ready) set_up.pop_front();
    }
    if (out.sm_control.valid) set_up.push_back(out.sm_control.sm);
    core.step(in);
  }
  return t - 1 - activated;
}

TEST(Assign, FillsAWholeGpuWithinFourteenHundredCycles) {
  EXPECT_LE(cycles_to_fill(false), 1'400U);
  EXPECT_LE(cycles_to_fill(true), 1'400U);
}

// ---- a kernel that finishes before its set-ups are sent ----------------------------------------------------------

TEST(SetUpPending, EndsWithTheKernel) {
  Smst smst(machine(3));
  smst.own(0, 1, true);
  smst.own(1, 1, true);
  smst.own(2, 0, true);
  smst.reserve(1, 2);
  const SmSet left = smst.forget_kernel(1);
  EXPECT_EQ(left, SmSet::of(0));
  EXPECT_EQ(smst.row(0).state, SmState::kIdle);
  EXPECT_EQ(smst.flags.set_up_pending, SmSet::of(2));
  // Who was to get it gets it.
  EXPECT_EQ(smst.row(1).state, SmState::kReserved);
  EXPECT_EQ(smst.row(1).next, 2U);
  EXPECT_EQ(smst.leaves(), SmSet::of(1));
}

}  // namespace
}  // namespace tessera::rtl_model::test
