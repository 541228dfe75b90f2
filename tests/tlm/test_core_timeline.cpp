// SPDX-License-Identifier: Apache-2.0
// Timelines worked out by hand, cycle by cycle: issue, queues, and [T14] Figure 2 under three policies.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;

// ---- issue ---------------------------------------------------------------------------------------------------

TEST(CoreTimeline, AKernelWithFewerTbsThanAnSmHoldsGetsOneSm) {
  CoreBench bench(machine(3, 1, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 3, {100}, 4});
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(1 + t.activation));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, k), ElementsAre(1 + t.assign()));
  for (std::uint32_t i = 0; i < 3; ++i) {  // the driver issues one TB a cycle
    EXPECT_THAT(bench.tb(Kind::kTbIssued, k, i), ElementsAre(start + i));
    EXPECT_EQ(bench.records(Kind::kTbIssued)[i].slot, i);
  }
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(start + 2 + 100));
}

TEST(CoreTimeline, ADecisionLastsItsSearchesTheFinalCheckIncluded) {
  for (const std::uint32_t width : {1U, 2U, 5U, 13U}) {
    spec::Spec spec = machine(13, 1, PolicyKind::kFcfs);
    spec.scheduler.search_width = width;
    spec.gpu.framework.search_entry_cycles = 3;
    CoreBench bench(spec);
    bench.launch(1, {0, 2, {100}, 1});
    bench.run();
    const Cycle search = 3 * ((13 + width - 1) / width);
    // Two SMs assigned by one search, and a last one that finds nothing to do.
    EXPECT_EQ(bench.records(Kind::kPolicyDecided).front().value, spec.gpu.framework.kernel_activation_cycles + search);
    EXPECT_EQ(bench.records(Kind::kPolicyDecided).front().cycles,
              spec.gpu.framework.kernel_activation_cycles + 2 * search);
    EXPECT_THAT(bench.kernel(Kind::kSmSetUp, 0), ElementsAre(1 + spec.gpu.framework.kernel_activation_cycles + search,
                                                             1 + spec.gpu.framework.kernel_activation_cycles + search));
  }
}

TEST(CoreTimeline, OneSmIsFilledBeforeTheNext) {
  CoreBench bench(machine(2, 1, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 5, {100}, 4});
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  // SM 1 is set up with SM 0, whose TBs keep the driver busy for 4 cycles.
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(1 + t.assign()));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(start, start + 1, start + 2, start + 3));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 4), ElementsAre(start + 4));
  EXPECT_EQ(bench.records(Kind::kTbIssued)[4].sm, 1);
  EXPECT_EQ(bench.records(Kind::kTbIssued)[4].slot, 0);
}

TEST(CoreTimeline, TheDriverIssuesAsManyTbsACycleAsItMay) {
  spec::Spec spec = machine(1, 1, PolicyKind::kFcfs);
  spec.scheduler.tbs_per_cycle = 3;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 4, {100}, 4});
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(start, start, start, start + 1));
}

// Three in five cycles: one takes the driver 5/3 of a cycle, and starts in the cycle in which that begins.
TEST(CoreTimeline, TheDriverIssuesFewerThanATbACycleWhereTheMachineIsSoSlow) {
  for (const spec::Fill fill : {spec::Fill::kDepthFirst, spec::Fill::kBreadthFirst}) {
    spec::Spec spec = machine(1, 1, PolicyKind::kFcfs);
    spec.gpu.framework.tb_issue_hz = spec.gpu.clock_hz / 5 * 3;
    ASSERT_EQ(spec.gpu.framework.tb_issue_hz * 5, spec.gpu.clock_hz * 3);
    spec.scheduler.fill = fill;
    CoreBench bench(spec);
    const Latencies& t = bench.latencies();
    bench.launch(1, {0, 6, {100}, 4});
    bench.run();
    const Cycle start = 1 + t.assign() + t.start();
    // Four fill the SM; two follow those that end in start + 100 and + 101, when the driver has long been free.
    EXPECT_THAT(bench.sm(Kind::kTbIssued, 0),
                ElementsAre(start, start + 1, start + 3, start + 5, start + 100 + t.issue, start + 100 + t.issue + 1));
  }
}

TEST(CoreTimeline, SlotsFreedInOneCycleAreRefilledLowestFirst) {
  CoreBench bench(machine(1, 1, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 4, {100, 99, 50, 50}, 2});
  bench.run();
  const Cycle both_end = 1 + t.assign() + t.start() + 100;
  EXPECT_THAT(bench.sm(Kind::kTbFinished, 0),
              ElementsAre(both_end, both_end, both_end + t.issue + 50, both_end + t.issue + 1 + 50));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 2), ElementsAre(both_end + t.issue));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 3), ElementsAre(both_end + t.issue + 1));
  EXPECT_EQ(bench.records(Kind::kTbIssued)[2].slot, 0);
  EXPECT_EQ(bench.records(Kind::kTbIssued)[3].slot, 1);
}

// ---- [T14] Figure 2: K1 and K2 have low priority, K3 high; they arrive in this order ---------------------------

struct Figure2 {
  explicit Figure2(const spec::Spec& spec) : bench(spec) {
    k1 = bench.launch(1, first);
    k2 = bench.launch(201, second);
    k3 = bench.launch(kArrivalOfK3, third);
    bench.run();
  }
  static constexpr Cycle kArrivalOfK3 = 301;
  // The cycle in which a kernel of one TB ends that begins to enter the idle engine in `from`.
  Cycle end_of(Cycle from, const Kernel& kernel) const {
    return from + bench.latencies().assign() + bench.latencies().start() + kernel.durations[0];
  }
  Cycle end_of_k1_undisturbed() const {  // its second TB follows the first in its slot
    return end_of(1, first) + bench.latencies().issue + first.durations[0];
  }

  Kernel first{0, 2, {1000}, 1, 0};
  Kernel second{1, 1, {400}, 1, 0};
  Kernel third{2, 1, {500}, 1, 1};
  CoreBench bench;
  std::uint32_t k1 = 0, k2 = 0, k3 = 0;
};

TEST(CoreFigure2, FcfsRunsKernelsInOrderOfArrival) {
  const Figure2 f(machine(1, 3, PolicyKind::kFcfs));
  const Cycle end1 = f.end_of_k1_undisturbed();
  const Cycle end2 = f.end_of(end1, f.second);
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k1), ElementsAre(end1));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k2), ElementsAre(end2));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k3), ElementsAre(f.end_of(end2, f.third)));
  EXPECT_THAT(f.bench.records(Kind::kPreemptionRequested), IsEmpty());
}

TEST(CoreFigure2, NpqLetsTheUrgentKernelOvertakeTheWaitingOne) {
  const Figure2 f(machine(1, 3, PolicyKind::kNpq));
  const Cycle end1 = f.end_of_k1_undisturbed();
  const Cycle end3 = f.end_of(end1, f.third);
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k1), ElementsAre(end1));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k3), ElementsAre(end3));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k2), ElementsAre(f.end_of(end3, f.second)));
  EXPECT_THAT(f.bench.records(Kind::kPreemptionRequested), IsEmpty());
}

TEST(CoreFigure2, PpqPreemptsTheRunningKernelByContextSwitch) {
  const Figure2 f(machine(1, 3, PolicyKind::kPpq));
  const Latencies& t = f.bench.latencies();
  // K3 is activated, found, and its victim is found.
  const Cycle reserved = Figure2::kArrivalOfK3 + t.activation + t.search;
  const Cycle frozen = reserved + t.freeze;
  const Cycle saved = frozen + t.trap + f.first.move();
  const Cycle end3 = saved + t.start() + 500;
  EXPECT_THAT(f.bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
  EXPECT_THAT(f.bench.sm(Kind::kSaveStarted, 0), ElementsAre(frozen + t.trap));
  EXPECT_THAT(f.bench.tb(Kind::kTbSaved, f.k1, 0), ElementsAre(saved));
  EXPECT_THAT(f.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(saved));
  EXPECT_EQ(f.bench.records(Kind::kPreemptionDone)[0].bytes, f.first.context_bytes());
  EXPECT_EQ(f.bench.records(Kind::kPreemptionDone)[0].cycles, saved - reserved);
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k3), ElementsAre(end3));
  // K1, the earlier of the two others, comes back: its TB runs on from where it stood.
  const Cycle started = 1 + t.assign() + t.start();
  const Cycle restored = end3 + t.search + t.start() + f.first.move();
  const Cycle end1 = restored + (1000 - (frozen - started)) + t.issue + 1000;
  EXPECT_THAT(f.bench.tb(Kind::kTbRestored, f.k1, 0), ElementsAre(restored));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k1), ElementsAre(end1));
  // K2 has been active since its arrival and needs no activation.
  EXPECT_THAT(f.bench.kernel(Kind::kKernelActivated, f.k2), ElementsAre(201 + t.activation));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k2), ElementsAre(end1 + t.search + t.start() + 400));
}

TEST(CoreFigure2, PpqWaitsForTheRunningTbUnderDrain) {
  spec::Spec spec = machine(1, 3, PolicyKind::kPpq);
  spec.scheduler.technique = TechniqueKind::kDrain;
  const Figure2 f(spec);
  const Latencies& t = f.bench.latencies();
  const Cycle drained = f.end_of(1, f.first);
  const Cycle end3 = drained + t.start() + 500;
  EXPECT_THAT(f.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(drained));
  EXPECT_THAT(f.bench.kernel(Kind::kKernelFinished, f.k3), ElementsAre(end3));
  EXPECT_THAT(f.bench.tb(Kind::kTbIssued, f.k1, 1), ElementsAre(end3 + t.search + t.start()));
}

// ---- queues --------------------------------------------------------------------------------------------------

TEST(CoreTimeline, KernelsOfOneContextRunBackToBack) {
  CoreBench bench(machine(2, 1, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const auto first = bench.launch(1, {0, 2, {100, 500}, 1});
  const auto second = bench.launch(61, {0, 2, {300}, 1});
  bench.run();
  // The second kernel gets SM 0 while the first still runs on SM 1, which is then not needed any more.
  const Cycle idle = 1 + t.assign() + t.start() + 100;
  const Cycle start = idle + t.search + t.start();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, second), ElementsAre(61 + t.activation));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 0), ElementsAre(start));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 1), ElementsAre(start + 300 + t.issue));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(1 + t.assign() + t.start() + 1 + 500));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, second), ElementsAre(idle + t.search));
}

TEST(CoreTimeline, AWaitingKernelOfAnotherContextBlocksLaterArrivals) {
  CoreBench bench(machine(2, 2, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const auto first = bench.launch(1, {0, 1, {500}, 1});
  const auto other = bench.launch(61, {1, 1, {200}, 1});
  const auto second = bench.launch(71, {0, 1, {300}, 1});  // SM 1 is idle, and stays so
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + 500;
  const Cycle other_end = first_end + overhead + 200;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(first_end));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, other), ElementsAre(other_end));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(other_end + overhead + 300));
}

TEST(CoreTimeline, AKernelWaitsForAFreeEntryOfTheActiveQueue) {
  spec::Spec spec = machine(2, 3, PolicyKind::kDss);
  spec.gpu.framework.num_ksrs = 2;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 1, {2000}, 1});
  const auto short_one = bench.launch(101, {1, 1, {500}, 1});
  const auto waiting = bench.launch(201, {2, 1, {300}, 1});
  bench.run();
  const Cycle freed = 101 + t.assign() + t.start() + 500;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, short_one), ElementsAre(freed));
  EXPECT_THAT(bench.kernel(Kind::kKernelArrived, waiting), ElementsAre(201));
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, waiting), ElementsAre(freed + t.activation));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, waiting), ElementsAre(freed + t.assign() + t.start() + 300));
}

TEST(CoreTimeline, AContextWithoutACommandBufferEntersOneACycleAfterItIsFree) {
  spec::Spec spec = machine(1, 3, PolicyKind::kFcfs);
  spec.gpu.framework.num_command_buffers = 1;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const auto first = bench.launch(1, {0, 1, {1000}, 1});
  const auto second = bench.launch(101, {1, 1, {500}, 1});
  const auto third = bench.launch(201, {2, 1, {300}, 1});
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + 1000;
  const Cycle second_end = first_end + overhead + 500;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(first_end));
  EXPECT_THAT(bench.kernel(Kind::kKernelArrived, second), ElementsAre(101));
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, second), ElementsAre(first_end + t.activation));
  EXPECT_THAT(bench.kernel(Kind::kKernelArrived, third), ElementsAre(first_end + t.activation + 1));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, third), ElementsAre(second_end + overhead + 300));
}

// docs/concepts/readings.md, Order in a cycle: completions, then commands. The kernel that arrives in the cycle in
// which the last one ends finds the engine idle, and one decision serves both events.
TEST(CoreTimeline, CompletionsComeBeforeCommandsInACycle) {
  CoreBench bench(machine(1, 2, PolicyKind::kFcfs));
  const Latencies& t = bench.latencies();
  const Cycle first_end = 1 + t.assign() + t.start() + 500;
  bench.launch(1, {0, 1, {500}, 1});
  const auto second = bench.launch(first_end, {1, 1, {300}, 1});
  bench.run();
  // The end invoked the policy, which finds the buffers empty and searches; the kernel is seen after that.
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, second), ElementsAre(first_end + t.search + t.activation));
}

}  // namespace
}  // namespace tessera::tlm_model::test
