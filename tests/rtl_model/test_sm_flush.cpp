// SPDX-License-Identifier: Apache-2.0
// An SM that flushes, seen from its pins (docs/hardware/timing.md section 7), with the latencies of machine.h: issue 7,
// drain 41, trap entry 11; the 256 bytes of a TB take 16 cycles. A TB sent in cycle t starts in t + 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/workload/uneven_tb.h"
#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr Cycle kContextMove = 256 / kBytesPerCycle;
constexpr Cycle kFlushAt = 60;               // on the pins
constexpr Cycle kDropped = kFlushAt + 1;     // the SM looks at its TBs
constexpr Cycle kStopped = kFlushAt + 41;    // what is saved stands still
constexpr Cycle kFirstStart = 51;            // of TB 0; the others a cycle later each
constexpr std::uint32_t kWhole = 1'000'000;  // ppm

// `num_tbs` TBs of 500 cycles, and a flush.
struct FlushedSm {
  FlushedSm(std::uint32_t num_tbs, std::uint32_t idempotent_until_ppm,
            spec::FlushFallback fallback = spec::FlushFallback::kContextSwitch, std::uint32_t max_flushes = 4)
      : bench(with(fallback, max_flushes)),
        descriptor(bench.kernel(std::vector<Cycle>(num_tbs, 500), idempotent_until_ppm)) {
    bench.bring_up(descriptor);
    for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
      bench.dispatch(0, tb);
      bench.tick();
    }
    bench.run_to(kFlushAt);
    bench.flush(0);
    bench.run_to(600);
  }
  static spec::Spec with(spec::FlushFallback fallback, std::uint32_t max_flushes) {
    spec::Spec spec = machine(1);
    spec.scheduler.flush_fallback = fallback;
    spec.scheduler.max_flushes_per_tb = max_flushes;
    return spec;
  }
  // Its kernel comes back with what it gave back, in one batch; returns the cycle of the last handle.
  Cycle come_back() {
    const std::vector<SmBench::Handle> batch = bench.handles;
    bench.handles.clear();
    bench.set_up(0, descriptor);
    bench.run_to(bench.now() + 40);
    bench.events.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      bench.restore(0, batch[i], i + 1 == batch.size());
      bench.tick();
    }
    return bench.now() - 1;
  }
  SmBench bench;
  std::uint64_t descriptor;
};

TEST(SmFlush, DropsItsTbsInTheNextCycleAndGivesThemBackOneACycle) {
  const FlushedSm sm(3, kWhole);
  EXPECT_THAT(sm.bench.watcher.flushed, ElementsAre(Pair(0, kDropped), Pair(1, kDropped), Pair(2, kDropped)));
  EXPECT_EQ(sm.bench.watcher.lost_cycles, 3 * (kDropped - kFirstStart) - 1 - 2);
  ASSERT_EQ(sm.bench.handles.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sm.bench.handles[i].at, kDropped + 1 + i);
    EXPECT_EQ(sm.bench.handles[i].tb, i);
    EXPECT_EQ(sm.bench.handles[i].stack_pointer, 0xFFFF'FFFFU);
  }
  EXPECT_THAT(sm.bench.taken(SmEventKind::kPreempted), ElementsAre(kDropped + 3 + 1));
  EXPECT_EQ(sm.bench.watcher.save_start, 0U);
}

// TB 0 has executed 10 of 500 cycles, 2 %; TB 1 9 of 500.
constexpr std::uint32_t kPointOfTb0 = (kDropped - kFirstStart) * kWhole / 500;

TEST(SmFlush, ATbAtItsPointIsSavedAndOneBeforeItIsNot) {
  EXPECT_THAT(FlushedSm(1, kPointOfTb0).bench.watcher.flushed, IsEmpty());
  EXPECT_THAT(FlushedSm(1, kPointOfTb0 + 1).bench.watcher.flushed, ElementsAre(Pair(0, kDropped)));
  const FlushedSm sm(2, kPointOfTb0);
  EXPECT_THAT(sm.bench.watcher.flushed, ElementsAre(Pair(1, kDropped)));
  // As a trap in the command's cycle would have; both handles leave before the image is out.
  EXPECT_EQ(sm.bench.watcher.frozen_at, kStopped);
  EXPECT_EQ(sm.bench.watcher.num_stopped, 1U);
  const Cycle end = kStopped + 11 + kContextMove;
  ASSERT_EQ(sm.bench.handles.size(), 2U);
  for (std::uint32_t i = 0; i < 2; ++i) EXPECT_EQ(sm.bench.handles[i].at, end - 2 + i);
  EXPECT_EQ(sm.bench.handles[0].tb, 0U);
  EXPECT_EQ(sm.bench.handles[1].stack_pointer, 0xFFFF'FFFFU);
  EXPECT_THAT(sm.bench.taken(SmEventKind::kPreempted), ElementsAre(end));
}

TEST(SmFlush, ThePointIsWhereUnevenSegmentsReachIt) {
  const Cycle point = workload::test::cycles_to_half(workload::test::kUneven, 500);
  EXPECT_GT(point > 250 ? point - 250 : 250 - point, 25U);
  for (const Cycle executed : {point - 1, point}) {
    SmBench bench(machine(1));
    bench.bring_up(bench.kernel({500}, kWhole / 2, workload::test::kUneven));
    bench.dispatch(0, 0);
    bench.run_to(kFirstStart + executed - 1);  // it looks a cycle later
    bench.flush(0);
    bench.run_to(600);
    EXPECT_EQ(bench.watcher.flushed.size(), executed < point ? 1U : 0U) << executed;
    EXPECT_EQ(bench.watcher.num_stopped, executed < point ? 0U : 1U) << executed;
    EXPECT_EQ(bench.watcher.lost_cycles, executed < point ? executed : 0U) << "cycles, not instructions";
  }
}

TEST(SmFlush, TheRestMayRunToItsEnd) {
  const FlushedSm sm(2, kPointOfTb0, spec::FlushFallback::kDrain);
  const Cycle end = kFirstStart + 500;
  EXPECT_THAT(sm.bench.taken(SmEventKind::kTbDone), ElementsAre(end));
  ASSERT_EQ(sm.bench.handles.size(), 1U);
  EXPECT_EQ(sm.bench.handles[0].at, end + 1);
  EXPECT_THAT(sm.bench.taken(SmEventKind::kPreempted), ElementsAre(end + 2));
}

TEST(SmFlush, OfAnEmptySmHasNothingToWaitFor) {
  EXPECT_THAT(FlushedSm(0, kWhole).bench.taken(SmEventKind::kPreempted), ElementsAre(kFlushAt + 1));
}

TEST(SmFlush, ATbThatEndsInTheCycleOfTheFlushHasEnded) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({kDropped - kFirstStart}, kWhole));
  bench.dispatch(0, 0);
  bench.run_to(kFlushAt);
  bench.flush(0);
  bench.run_to(200);
  EXPECT_THAT(bench.watcher.flushed, IsEmpty());
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(kDropped));
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(kDropped + 1));
}

// Handles have the issue latency behind them: they start as they come.
TEST(SmFlush, ARestartedTbRunsFromNothing) {
  FlushedSm sm(2, kWhole);
  const Cycle last = sm.come_back();
  sm.bench.run_to(last + 600);
  EXPECT_THAT(sm.bench.watcher.restarted, ElementsAre(Pair(0, last - 1), Pair(1, last)));
  EXPECT_THAT(sm.bench.taken(SmEventKind::kTbDone), ElementsAre(last - 1 + 500, last + 500));
  // There is nothing to wait for.
  EXPECT_THAT(sm.bench.taken(SmEventKind::kRestoreDone), ElementsAre(last + 1));
}

TEST(SmFlush, ABatchIsInWhenItsContextsAre) {
  FlushedSm sm(2, kPointOfTb0);
  const Cycle last = sm.come_back();
  sm.bench.run_to(last + 600);
  EXPECT_EQ(sm.bench.watcher.restore_start, last);
  EXPECT_THAT(sm.bench.taken(SmEventKind::kRestoreDone), ElementsAre(last + kContextMove));
  EXPECT_FALSE(sm.bench.watcher.has_mismatch);
  // The one that was saved has what it had left; the other all.
  const Cycle left = kFirstStart + 500 - kStopped;
  EXPECT_THAT(sm.bench.taken(SmEventKind::kTbDone), ElementsAre(last + kContextMove + left, last + 500));
}

TEST(SmFlush, ATbIsFlushedOnlySoOften) {
  for (const std::uint32_t max_flushes : {1U, 2U}) {
    FlushedSm sm(1, kWhole, spec::FlushFallback::kContextSwitch, max_flushes);
    sm.come_back();
    sm.bench.run_to(sm.bench.now() + 20);
    sm.bench.flush(0);
    sm.bench.run_to(sm.bench.now() + 200);
    ASSERT_EQ(sm.bench.handles.size(), 1U);
    EXPECT_EQ(sm.bench.handles[0].stack_pointer == 0xFFFF'FFFEU, max_flushes == 2);
    EXPECT_EQ(sm.bench.watcher.num_stopped, max_flushes == 1 ? 1U : 0U);
  }
}

TEST(SmFlush, TheCountIsPartOfTheContext) {
  FlushedSm sm(1, kWhole);
  sm.come_back();
  sm.bench.trap(0);  // saved this time
  sm.bench.run_to(sm.bench.now() + 200);
  ASSERT_EQ(sm.bench.watcher.num_stopped, 1U);
  sm.come_back();
  sm.bench.run_to(sm.bench.now() + 100);
  sm.bench.flush(0);
  sm.bench.run_to(sm.bench.now() + 20);
  ASSERT_EQ(sm.bench.handles.size(), 1U);
  EXPECT_EQ(sm.bench.handles[0].stack_pointer, 0xFFFF'FFFEU);
}

}  // namespace
}  // namespace tessera::rtl_model::test
