// SPDX-License-Identifier: Apache-2.0
// Flushing ([S16] 2.3, 4.1; docs/concepts/readings.md, Flush), cycle by cycle: who is dropped, what becomes of the
// rest, and how a dropped TB comes back.
#include "tests/model/workload/uneven_tb.h"
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::FlushFallback;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint32_t kAlways = 1'000'000;

// Process 0 is low, process 1 high, on one SM.
spec::Spec flushing_machine(FlushFallback fallback = FlushFallback::kContextSwitch) {
  spec::Spec spec = machine(1, 2, spec::PolicyKind::kPpq);
  spec.scheduler.technique = spec::TechniqueKind::kFlush;
  spec.scheduler.flush_fallback = fallback;
  return spec;
}

// As many TBs as durations, all on the SM at once.
Kernel restartable(std::vector<Cycle> durations, std::uint32_t idempotent_until_ppm) {
  const auto num_tbs = static_cast<std::uint32_t>(durations.size());
  return {0, num_tbs, std::move(durations), num_tbs, 0, 64, 0, idempotent_until_ppm};
}
Kernel urgent(Cycle duration) { return {1, 1, {duration}, 1, 1}; }

// Runs `victim` from cycle 1 on, and the SM is reserved for a TB of 500 cycles in `reserved`.
struct OnePreemption {
  OnePreemption(const spec::Spec& spec, const Kernel& kernel, Cycle reserved)
      : bench(spec),
        t(spec),
        victim(bench.launch(1, kernel)),
        winner(bench.launch(arrival_to_reserve_in(t, reserved), urgent(500))) {
    bench.run();
  }
  Cycle done() const { return first_of(bench.sm(Kind::kPreemptionDone, 0)); }
  // The first handle's TB starts: the winner has ended, and the SM was set up again.
  Cycle back() const { return done() + t.start() + 500 + t.search + t.start(); }

  CoreBench bench;
  Latencies t;
  std::uint32_t victim, winner;
};

Cycle first_start(const spec::Spec& spec) {
  const Latencies t(spec);
  return 1 + t.assign() + t.start();
}

// The readings' timeline, row `flush`: all four are dropped, and 3600 cycles of theirs are lost but for set-up and
// issue.
TEST(CoreFlush, IdempotentTbsAreGoneInTheNextCycleAndStartAgainFromNothing) {
  const spec::Spec spec = flushing_machine();
  const Cycle start = first_start(spec), reserved = start + 899;
  const std::vector<Cycle> durations{1000, 1400, 1800, 2200};
  const OnePreemption run(spec, restartable(durations, kAlways), reserved);
  EXPECT_EQ(run.done(), reserved + 1);
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 0), ElementsAre(reserved + 1 + run.t.start()));
  // One TB a cycle was issued: they had run for 900, 899, 898 and 897 cycles.
  const std::vector<Record> flushed = run.bench.records(Kind::kSmFlushed);
  ASSERT_THAT(flushed, SizeIs(1));
  EXPECT_EQ(flushed[0].cycle, reserved + 1);
  EXPECT_EQ(flushed[0].value, 4U);
  EXPECT_EQ(flushed[0].cycles, 900U + 899 + 898 + 897);
  EXPECT_EQ(run.bench.records(Kind::kPreemptionDone)[0].bytes, 0U);
  EXPECT_THAT(run.bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(run.bench.records(Kind::kRestoreStarted), IsEmpty());
  for (std::uint32_t tb = 0; tb < 4; ++tb) {
    EXPECT_THAT(run.bench.tb(Kind::kTbRestarted, run.victim, tb), ElementsAre(run.back() + tb));
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, tb), ElementsAre(run.back() + tb + durations[tb]));
  }
}

// Of 1000 cycles at 40 %: 399 are before the point, 400 are not.
TEST(CoreFlush, ATbAtItsPointIsSavedOneBeforeItIsDropped) {
  const spec::Spec spec = flushing_machine();
  const Cycle start = first_start(spec);
  for (const Cycle executed : {399, 400}) {
    const OnePreemption run(spec, restartable({1000}, 400'000), start + executed - 1);
    const bool is_flushed = executed < 400;
    EXPECT_THAT(run.bench.tb(Kind::kTbFlushed, run.victim, 0), SizeIs(is_flushed ? 1 : 0)) << executed;
    EXPECT_THAT(run.bench.tb(Kind::kTbSaved, run.victim, 0), SizeIs(is_flushed ? 0 : 1)) << executed;
  }
}

// The point is one of instructions, not of time: at 50 % of them, in the cycle that the segments' weights give.
TEST(CoreFlush, ThePointIsWhereUnevenSegmentsReachIt) {
  const spec::Spec spec = flushing_machine();
  const Cycle start = first_start(spec), point = workload::test::cycles_to_half(workload::test::kUneven, 1000);
  EXPECT_GT(point > 500 ? point - 500 : 500 - point, 50U);
  Kernel kernel = restartable({1000}, 500'000);
  kernel.progress = workload::test::kUneven;
  for (const Cycle executed : {point - 1, point}) {
    const OnePreemption run(spec, kernel, start + executed - 1);
    const bool is_flushed = executed < point;
    EXPECT_THAT(run.bench.tb(Kind::kTbFlushed, run.victim, 0), SizeIs(is_flushed ? 1 : 0)) << executed;
    EXPECT_THAT(run.bench.tb(Kind::kTbSaved, run.victim, 0), SizeIs(is_flushed ? 0 : 1)) << executed;
    if (is_flushed) {
      EXPECT_EQ(run.bench.records(Kind::kSmFlushed)[0].cycles, executed);  // cycles all the same
    }
  }
}

TEST(CoreFlush, ATbThatEndsInTheCyclesOfTheCommandIsNotFlushed) {
  const spec::Spec spec = flushing_machine();
  const Cycle start = first_start(spec), reserved = start + 899;
  for (const Cycle end : {reserved, reserved + 1}) {
    const OnePreemption run(spec, restartable({end - start}, kAlways), reserved);
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 0), ElementsAre(end));
    EXPECT_THAT(run.bench.records(Kind::kSmFlushed), IsEmpty());
  }
  const OnePreemption later(spec, restartable({reserved + 2 - start}, kAlways), reserved);
  EXPECT_THAT(later.bench.records(Kind::kSmFlushed), SizeIs(1));
}

// At 50 %: 600 of 1000 cycles are beyond the point, 599 of 2000 are not.
TEST(CoreFlush, TheRestIsSavedAndBothKindsComeBackTogether) {
  const spec::Spec spec = flushing_machine();
  const Cycle start = first_start(spec), reserved = start + 599;
  const Kernel kernel = restartable({1000, 2000}, 500'000);
  const OnePreemption run(spec, kernel, reserved);
  EXPECT_THAT(run.bench.tb(Kind::kTbFlushed, run.victim, 1), ElementsAre(reserved + 1));
  // TB 0 runs on while the pipeline drains; its context alone is moved.
  const Cycle saved = reserved + run.t.freeze + run.t.trap + kernel.move(1);
  EXPECT_THAT(run.bench.tb(Kind::kTbSaved, run.victim, 0), ElementsAre(saved));
  EXPECT_EQ(run.done(), saved);
  EXPECT_EQ(run.bench.records(Kind::kPreemptionDone)[0].bytes, kernel.context_bytes());
  // Handles in slot order. The flushed TB starts when its handle comes, the other when its context is in.
  const Cycle issued = run.back() + 1;
  EXPECT_THAT(run.bench.tb(Kind::kTbRestarted, run.victim, 1), ElementsAre(issued));
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 1), ElementsAre(issued + 2000));
  const Cycle restored = issued + kernel.move(1);
  EXPECT_THAT(run.bench.tb(Kind::kTbRestored, run.victim, 0), ElementsAre(restored));
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 0),
              ElementsAre(restored + 1000 - (reserved + run.t.freeze - start)));
}

TEST(CoreFlush, TheRestRunsToItsEndWhereItIsToBeDrained) {
  const spec::Spec spec = flushing_machine(FlushFallback::kDrain);
  const Cycle start = first_start(spec), reserved = start + 599;
  const OnePreemption run(spec, restartable({1000, 2000}, 500'000), reserved);
  EXPECT_THAT(run.bench.tb(Kind::kTbFlushed, run.victim, 1), ElementsAre(reserved + 1));
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 0), ElementsAre(start + 1000));
  EXPECT_EQ(run.done(), start + 1000);
  EXPECT_THAT(run.bench.tb(Kind::kTbRestarted, run.victim, 1), ElementsAre(run.back()));
}

// The count survives the save in between, or the third request would drop the TB again.
TEST(CoreFlush, ATbThatWasFlushedOftenEnoughIsSavedFromThenOn) {
  spec::Spec spec = flushing_machine();
  spec.scheduler.max_flushes_per_tb = 1;
  CoreBench bench(spec);
  const auto victim = bench.launch(1, restartable({20'000}, kAlways));
  for (const Cycle arrival : {1'000, 3'000, 5'000}) bench.launch(arrival, urgent(500));
  bench.run();
  EXPECT_THAT(bench.tb(Kind::kTbFlushed, victim, 0), SizeIs(1));
  EXPECT_THAT(bench.tb(Kind::kTbRestarted, victim, 0), SizeIs(1));
  EXPECT_THAT(bench.tb(Kind::kTbSaved, victim, 0), SizeIs(2));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, victim, 0), SizeIs(1));
}

TEST(CoreFlush, AKernelIsFlushedAsOftenAsItIsAllowed) {
  for (const std::uint32_t max : {1U, 2U, spec::kMaxFlushes}) {
    spec::Spec spec = flushing_machine();
    spec.scheduler.max_flushes_per_tb = max;
    CoreBench bench(spec);
    const auto victim = bench.launch(1, restartable({3'000}, kAlways));
    for (Cycle arrival = 1'000; arrival < 40'000; arrival += 2'000) bench.launch(arrival, urgent(500));
    bench.run();
    EXPECT_THAT(bench.tb(Kind::kTbFlushed, victim, 0), SizeIs(max));
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
