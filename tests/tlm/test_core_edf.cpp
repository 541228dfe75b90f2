// SPDX-License-Identifier: Apache-2.0
// Earliest deadline first, cycle by cycle: deadlines count from a kernel's arrival at its command buffer, in units of
// 1024 cycles since the start.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cycle kUnit = Cycle{1} << policy::kDeadlineUnitBits;

Kernel due(Kernel kernel, Cycle deadline) {
  kernel.deadline = deadline;
  return kernel;
}

const Kernel kBackground{0, 30, {1000}, 1, 0};  // holds every SM it is given

// ---- who comes first -------------------------------------------------------------------------------------------

TEST(CoreEdf, AKernelThatIsDueEarlierTakesTheSm) {
  CoreBench bench(machine(1, 2, PolicyKind::kEdf));
  const Latencies& t = bench.latencies();
  const auto busy = bench.launch(1, due(kBackground, 50 * kUnit));
  const auto urgent = bench.launch(301, due({1, 1, {300}}, 4 * kUnit));
  bench.run();
  const Cycle reserved = 301 + t.activation + t.search;
  const Cycle saved = reserved + t.freeze + t.trap + kBackground.move();
  const Cycle end = saved + t.start() + 300;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, urgent), ElementsAre(end));
  // The SM goes back, and the TB that was saved goes on from where it stood.
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(1 + t.assign(), saved, end + t.search));
  EXPECT_THAT(bench.kernel(Kind::kTbRestored, busy), ElementsAre(end + t.search + t.start() + kBackground.move()));
}

TEST(CoreEdf, ByDrainTheTbThatRunsEndsFirst) {
  spec::Spec spec = machine(1, 2, PolicyKind::kEdf);
  spec.scheduler.technique = TechniqueKind::kDrain;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, due(kBackground, 50 * kUnit));
  const auto urgent = bench.launch(301, due({1, 1, {300}}, 4 * kUnit));
  bench.run();
  const Cycle first_tb_ends = 1 + t.assign() + t.start() + 1000;
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(first_tb_ends));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, urgent), ElementsAre(first_tb_ends + t.start() + 300));
}

TEST(CoreEdf, AKernelThatIsDueLaterOrNeverWaits) {
  for (const Cycle deadline : {60 * kUnit, Cycle{0}}) {
    CoreBench bench(machine(1, 2, PolicyKind::kEdf));
    const Latencies& t = bench.latencies();
    const auto first = bench.launch(1, due({0, 3, {1000}}, 50 * kUnit));
    const auto second = bench.launch(301, due({1, 1, {300}}, deadline));
    bench.run();
    const Cycle first_end = 1 + t.assign() + t.start() + 3 * 1000 + 2 * t.issue;
    EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(first_end));
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(first_end + t.search + t.start() + 300));
  }
}

TEST(CoreEdf, PrioritiesOrderNothing) {
  CoreBench bench(machine(1, 2, PolicyKind::kEdf));
  bench.launch(1, due({0, 3, {1000}, 1, 0}, 50 * kUnit));
  bench.launch(301, due({1, 1, {300}, 1, 15}, 60 * kUnit));
  bench.set_priority(501, 1, 7);
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

// Three wait while a fourth runs: they start in the order in which they are due.
TEST(CoreEdf, WaitingKernelsEnterInTheOrderOfTheirDeadlines) {
  spec::Spec spec = machine(1, 4, PolicyKind::kEdf);
  spec.gpu.framework.num_ksrs = 1;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, due({0, 1, {1000}}, kUnit));
  const auto never = bench.launch(101, {1, 1, {300}});
  const auto late = bench.launch(201, due({2, 1, {300}}, 30 * kUnit));
  const auto early = bench.launch(301, due({3, 1, {300}}, 20 * kUnit));
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + 1000;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, early), ElementsAre(first_end + overhead + 300));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, late), ElementsAre(first_end + 2 * (overhead + 300)));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, never), ElementsAre(first_end + 3 * (overhead + 300)));
}

// ---- units, and where they are counted from ----------------------------------------------------------------------

// The first kernel is due in cycle 10 * kUnit; the second just before or just within that unit.
TEST(CoreEdf, OnlyAnEarlierUnitOf1024CyclesPreempts) {
  for (const Cycle due_at : {10 * kUnit - 1, 10 * kUnit, 11 * kUnit - 1}) {
    CoreBench bench(machine(1, 2, PolicyKind::kEdf));
    bench.launch(1, due(kBackground, 10 * kUnit - 1));
    bench.launch(301, due({1, 1, {300}}, due_at - 301));
    bench.run();
    EXPECT_EQ(bench.records(Kind::kPreemptionRequested).size(), due_at < 10 * kUnit ? 1U : 0U) << due_at;
  }
}

// The same deadline counts from each kernel's own arrival: who came a unit later is due a unit later.
TEST(CoreEdf, DeadlinesCountFromTheArrival) {
  CoreBench bench(machine(1, 2, PolicyKind::kEdf));
  bench.launch(1, due(kBackground, 20 * kUnit));
  bench.launch(1 + kUnit, due({1, 1, {300}}, 20 * kUnit));
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

// Processes 0 and 2 share a command buffer: what waits outside of it has not arrived, and its time has not begun.
TEST(CoreEdf, AKernelWithoutACommandBufferHasNotArrived) {
  spec::Spec spec = machine(1, 3, PolicyKind::kEdf);
  spec.gpu.framework.num_command_buffers = 2;
  spec.gpu.framework.num_ksrs = 1;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  constexpr Cycle kLong = 4 * kUnit;
  bench.launch(1, due({0, 1, {kLong}}, kUnit));
  const auto holder = bench.launch(101, due({2, 1, {300}}, 30 * kUnit));
  const auto other = bench.launch(201, due({1, 1, {300}}, 32 * kUnit));
  const auto outside = bench.launch(301, due({0, 1, {300}}, 30 * kUnit));  // earlier than that, had it arrived
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + kLong;
  EXPECT_THAT(bench.kernel(Kind::kKernelArrived, outside), ElementsAre(first_end + t.activation + 1));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, holder), ElementsAre(first_end + overhead + 300));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, other), ElementsAre(first_end + 2 * (overhead + 300)));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, outside), ElementsAre(first_end + 3 * (overhead + 300)));
}

// A deadline that has passed is still the earliest.
TEST(CoreEdf, AKernelThatIsLateKeepsItsPlace) {
  CoreBench bench(machine(1, 2, PolicyKind::kEdf));
  const Latencies& t = bench.latencies();
  const auto late = bench.launch(1, due({0, 1, {5 * kUnit}}, kUnit));
  bench.launch(1 + 3 * kUnit, due({1, 1, {300}}, kUnit));
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, late), ElementsAre(1 + t.assign() + t.start() + 5 * kUnit));
}

// ---- access ------------------------------------------------------------------------------------------------------

// The urgent kernel has a short TB on SM 0 and a long one on SM 1.
TEST(CoreEdf, AnIdleSmGoesToALaterDeadlineUnderSharedAccessOnly) {
  for (const spec::Access access : {spec::Access::kExclusive, spec::Access::kShared}) {
    CoreBench bench(machine(3, 2, PolicyKind::kEdf, access));
    const Latencies& t = bench.latencies();
    bench.launch(1, due(kBackground, 50 * kUnit));
    bench.launch(301, due({1, 2, {100, 3000}}, 10 * kUnit));
    bench.run();
    const Cycle saved = 301 + t.activation + t.search + t.freeze + t.trap + kBackground.move();
    const Cycle idle = saved + t.start() + 100;
    const Cycle end = saved + t.search + t.start() + 3000;
    EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), Contains(idle));
    EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0),
                ElementsAre(1 + t.assign(), saved, (access == spec::Access::kShared ? idle : end) + t.search));
  }
}

TEST(CoreEdf, ExclusiveAccessToAllEmptiesTheEngine) {
  spec::Spec spec = machine(3, 2, PolicyKind::kEdf);
  spec.scheduler.exclusive_scope = spec::ExclusiveScope::kAll;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, due(kBackground, 50 * kUnit));
  bench.launch(301, due({1, 1, {3000}}, 10 * kUnit));
  bench.run();
  const Cycle reserved = 301 + t.activation + t.search;
  for (std::uint16_t sm = 0; sm < 3; ++sm) {
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, sm), ElementsAre(reserved + sm * t.search));
  }
}

// ---- written while kernels run -----------------------------------------------------------------------------------

TEST(CoreEdf, KernelsHaveTheirDeadlinesWhenThePolicyTakesOver) {
  spec::Spec spec = machine(1, 2, PolicyKind::kFcfs);
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, due(kBackground, 50 * kUnit));
  bench.launch(101, due({1, 1, {300}}, 4 * kUnit));
  spec.scheduler.policy = PolicyKind::kEdf;
  bench.set_policy(501, spec.scheduler);
  bench.run();
  EXPECT_EQ(first_of(bench.sm(Kind::kPreemptionRequested, 0)), 501 + t.activation + t.search);
}

}  // namespace
}  // namespace tessera::tlm_model::test
