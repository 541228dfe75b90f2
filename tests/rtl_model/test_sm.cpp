// SPDX-License-Identifier: Apache-2.0
// An SM seen from its pins (docs/hardware/timing.md section 7), with the latencies of machine.h: set-up 29, issue 7,
// drain 41, trap entry 11; the 256 bytes of a TB take 16 cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cycle kMove = 256 / kBytesPerCycle;

// ---- set-up -------------------------------------------------------------------------------------------------

TEST(SmSetUp, EndsItsLatencyAfterItCame) {
  SmBench bench(machine(1));
  bench.run_to(10);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(60);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(10 + 29));
  EXPECT_EQ(bench.events.size(), 1U);
}

TEST(SmSetUp, OfASingleCycleIsDoneInTheNext) {
  spec::Spec spec = machine(1);
  spec.gpu.framework.sm_setup_cycles = 1;
  SmBench bench(spec);
  bench.run_to(10);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(60);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(11));
}

TEST(SmSetUp, IsShownUntilItIsTaken) {
  SmBench bench(machine(1));
  bench.run_to(10);
  bench.set_up(0, bench.kernel({100}));
  bench.is_ready = false;
  bench.run_to(45);
  bench.is_ready = true;
  bench.run_to(60);
  EXPECT_EQ(bench.first(SmEventKind::kSetupDone), 39U);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(45));
}

TEST(SmSetUp, AnotherOneMakesTheFirstDisappear) {
  SmBench bench(machine(1));
  bench.run_to(10);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(30);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(90);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(30 + 29));
}

// ---- thread blocks ------------------------------------------------------------------------------------------

TEST(SmTb, StartsItsLatencyAfterTheDecisionAndRunsForItsDuration) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({100, 1}));
  bench.dispatch(0, 0);  // in 50: 44, in which its slot was free, and 7
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(200);
  EXPECT_EQ(bench.watcher.issues[0].start, 51U);
  EXPECT_EQ(bench.watcher.issues[1].start, 52U);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(52 + 1, 51 + 100));
}

TEST(SmTb, ThoseThatEndTogetherAreReportedLowestSlotFirst) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({10, 9, 8}));
  for (const std::uint32_t tb : {0U, 1U, 2U}) {
    bench.dispatch(0, tb);
    bench.tick();
  }
  bench.run_to(100);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(61, 62, 63));
  EXPECT_THAT(bench.watcher.finished,
              ElementsAre(std::pair<std::uint32_t, Cycle>{0, 61}, std::pair<std::uint32_t, Cycle>{1, 61},
                          std::pair<std::uint32_t, Cycle>{2, 61}));
}

TEST(SmTb, TakesTheSlotThatIsFreedInItsCycle) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({8, 100, 5, 5}));
  bench.dispatch(0, 0);
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(59);  // TB 0 ends in 51 + 8
  bench.dispatch(0, 2);
  bench.tick();
  bench.dispatch(0, 3);
  bench.run_to(80);
  EXPECT_EQ(bench.watcher.issues[2].slot, 0U);
  EXPECT_EQ(bench.watcher.issues[3].slot, 2U);
}

// ---- trap ---------------------------------------------------------------------------------------------------

// One TB that runs on and a trap in cycle 60: it stands still in 60 + 41 = 101.
constexpr Cycle kFrozen = 101;

TEST(SmTrap, TbsThatEndUpToTheFreezeFinishAndTheOthersAreSaved) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({kFrozen - 51, kFrozen + 1 - 52}));  // the one ends in 101, the other in 102
  bench.dispatch(0, 0);
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(kFrozen));
  EXPECT_EQ(bench.watcher.frozen_at, kFrozen);
  EXPECT_EQ(bench.watcher.num_stopped, 1U);
  EXPECT_EQ(bench.watcher.save_start, kFrozen + 11);
  const Cycle end = kFrozen + 11 + kMove;
  ASSERT_EQ(bench.handles.size(), 1U);
  EXPECT_EQ(bench.handles[0].tb, 1U);
  EXPECT_EQ(bench.handles[0].at, end - 1);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(end));
}

TEST(SmTrap, HandlesLeaveInSlotOrderInTheCyclesBeforeTheImageIsOut) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({500, 400, 300}));
  for (const std::uint32_t tb : {0U, 1U, 2U}) {
    bench.dispatch(0, tb);
    bench.tick();
  }
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(300);
  const Cycle end = kFrozen + 11 + 3 * kMove;
  ASSERT_EQ(bench.handles.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.handles[i].at, end - 3 + i);
    EXPECT_EQ(bench.handles[i].tb, i);
  }
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(end));
}

TEST(SmTrap, WaitsForTheTbThatWasSentJustBefore) {
  spec::Spec spec = machine(1);
  spec.gpu.framework.tb_issue_cycles = 9;
  SmBench bench(spec);
  bench.bring_up(bench.kernel({500}));
  bench.run_to(59);
  bench.dispatch(0, 0);  // starts in 62
  bench.tick();
  bench.trap(0);
  bench.run_to(104);
  EXPECT_EQ(bench.watcher.frozen_at, 62 + 41U);
}

TEST(SmTrap, IsOverWhenTheLastTbHasFinishedWhileThePipelineDrains) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({10, 20}));
  bench.dispatch(0, 0);
  bench.tick();
  bench.dispatch(0, 1);  // ends in 72, before the freeze
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(61, 72));
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(73));
  EXPECT_THAT(bench.handles, IsEmpty());
}

TEST(SmTrap, OfAnEmptySmHasNothingToWaitFor) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({10}));
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(61));
}

TEST(SmTrap, IsReportedAfterTheLastTbThatFinished) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({kFrozen - 51, kFrozen - 52}));  // both end in 101
  bench.dispatch(0, 0);
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(kFrozen, kFrozen + 1));
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(kFrozen + 2));
}

TEST(SmTrap, WithoutDrainFreezesInTheNextCycle) {
  spec::Spec spec = machine(1);
  spec.gpu.framework.pipeline_drain_cycles = 0;
  spec.gpu.framework.trap_entry_cycles = 0;
  SmBench bench(spec);
  bench.bring_up(bench.kernel({500}));
  bench.dispatch(0, 0);
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  EXPECT_EQ(bench.watcher.frozen_at, 61U);
  EXPECT_EQ(bench.watcher.save_start, 62U);  // a core cycle later at the earliest
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(62 + kMove));
}

// ---- restore ------------------------------------------------------------------------------------------------

// Two TBs are saved, set up again and restored: they run on with what was left when they stood still.
TEST(SmRestore, TbsRunOnWithWhatRemained) {
  SmBench bench(machine(1));
  const std::uint64_t kernel = bench.kernel({200, 300});
  bench.bring_up(kernel);
  bench.dispatch(0, 0);  // 51 .. 251
  bench.tick();
  bench.dispatch(0, 1);  // 52 .. 352
  bench.run_to(60);
  bench.trap(0);  // they stand still in 101, with 150 and 251 cycles left
  bench.run_to(200);
  ASSERT_EQ(bench.handles.size(), 2U);
  bench.events.clear();
  bench.set_up(0, kernel);
  bench.run_to(300);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(200 + 29));
  bench.restore(0, bench.handles[1], false);
  bench.tick();
  bench.restore(0, bench.handles[0], true);  // the last one, in 301: the contexts come in
  bench.run_to(700);
  const Cycle end = 301 + 2 * kMove;
  EXPECT_EQ(bench.watcher.restore_start, 301U);
  EXPECT_EQ(bench.watcher.restore_cycles, 2 * kMove);
  EXPECT_THAT(bench.taken(SmEventKind::kRestoreDone), ElementsAre(end));
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(end + 150, end + 251));
  EXPECT_FALSE(bench.watcher.has_mismatch);
}

TEST(SmRestore, ATbThatFinishesMeanwhileIsReportedFirst) {
  SmBench bench(machine(1));
  const std::uint64_t kernel = bench.kernel({kFrozen + 1 - 51});  // a cycle is left
  bench.bring_up(kernel);
  bench.dispatch(0, 0);
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(200);
  bench.set_up(0, kernel);
  bench.run_to(300);
  bench.restore(0, bench.handles[0], true);
  const Cycle end = 300 + kMove;
  bench.run_to(end);
  bench.is_ready = false;
  bench.run_to(end + 2);
  bench.is_ready = true;
  bench.run_to(400);
  EXPECT_EQ(bench.first(SmEventKind::kRestoreDone), end);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(end + 2));
  EXPECT_THAT(bench.taken(SmEventKind::kRestoreDone), ElementsAre(end + 3));
}

// Of the issue latency, the last handle has 7 cycles behind it.
TEST(SmRestore, BeginsAnIssueLatencyAfterTheDecisionButNotBeforeItsLastHandle) {
  for (const std::uint32_t issue : {6U, 7U, 12U}) {
    spec::Spec spec = machine(1);
    spec.gpu.framework.tb_issue_cycles = issue;
    SmBench bench(spec);
    const std::uint64_t kernel = bench.kernel({500});
    bench.bring_up(kernel);
    bench.dispatch(0, 0);
    bench.run_to(60);
    bench.trap(0);
    bench.run_to(200);
    bench.set_up(0, kernel);
    bench.run_to(300);
    bench.restore(0, bench.handles[0], true);
    bench.run_to(400);
    EXPECT_EQ(bench.watcher.restore_start, issue == 12 ? 300U - 7U + 12U : 300U);
    EXPECT_THAT(bench.taken(SmEventKind::kRestoreDone), ElementsAre(bench.watcher.restore_start + kMove));
  }
}

// ---- a core of two cycles in an SM cycle -------------------------------------------------------------------------

// A TB's slot was free six core cycles before the TB is on the pins: three SM cycles.
class FastCoreSm : public testing::TestWithParam<Cycle> {
 protected:
  static spec::Spec spec_of(spec::Fill fill) {
    spec::Spec spec = machine(1);
    spec.scheduler.tbs_per_cycle = 2;
    spec.scheduler.fill = fill;
    return spec;
  }
};
INSTANTIATE_TEST_SUITE_P(CoreCycles, FastCoreSm, testing::Values(0, 1));

TEST_P(FastCoreSm, AnIssueLatencyCountsFromTheSmCycleInWhichTheSlotWasFree) {
  SmBench bench(spec_of(spec::Fill::kDepthFirst));
  bench.run_to(20 + GetParam());  // SM cycle 10
  bench.set_up(0, bench.kernel({500}));
  bench.run_to(100 + GetParam());  // SM cycle 50
  bench.dispatch(0, 0);
  bench.run_to(120 + GetParam());  // SM cycle 60
  bench.trap(0);
  bench.run_to(300);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(2 * (10 + 29)));
  EXPECT_EQ(bench.watcher.issues[0].start, 50 - 3 + 7U);
  EXPECT_EQ(bench.watcher.frozen_at, 60 + 41U);
}

TEST(FasterCoreSm, SetUpsAndTrapsCountFromTheSmCycleInWhichTheyCome) {
  for (const Cycle in_sm_cycle : {0U, 1U, 2U, 3U}) {
    spec::Spec spec = machine(1);
    spec.scheduler.tbs_per_cycle = 4;
    SmBench bench(spec);
    bench.run_to(40 + in_sm_cycle);  // SM cycle 10
    bench.set_up(0, bench.kernel({500}));
    bench.run_to(200);
    bench.dispatch(0, 0);
    bench.run_to(240 + in_sm_cycle);  // SM cycle 60
    bench.trap(0);
    bench.run_to(600);
    EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(4 * (10 + 29))) << in_sm_cycle;
    EXPECT_EQ(bench.watcher.frozen_at, 60 + 41U) << in_sm_cycle;
  }
}

TEST_P(FastCoreSm, ARoundOfBreadthFirstServesWhatBecameFreeInTheCycleBefore) {
  SmBench bench(spec_of(spec::Fill::kBreadthFirst));
  bench.run_to(20);
  bench.set_up(0, bench.kernel({500}));
  bench.run_to(100 + GetParam());
  bench.dispatch(0, 0);
  bench.run_to(120);
  EXPECT_EQ(bench.watcher.issues[0].start, 49U + 7U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
