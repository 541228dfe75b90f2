// SPDX-License-Identifier: Apache-2.0
// Preemptive priority queues, time slices, and what the OS writes while kernels run, cycle by cycle.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::ExclusiveScope;
using spec::PolicyKind;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// ---- ppq -----------------------------------------------------------------------------------------------------

const Kernel kBusy{0, 30, {1000}, 1, 0};  // holds every SM it is given

TEST(CorePpq, ExclusiveAccessReservesWhatIsNeededAndLetsTheRestGoOn) {
  CoreBench bench(machine(3, 2, PolicyKind::kPpq));
  const Latencies& t = bench.latencies();
  const auto busy = bench.launch(1, kBusy);
  const auto urgent = bench.launch(301, {1, 1, {3000}, 1, 1});
  bench.run();
  const Cycle saved = 301 + t.activation + t.search + t.freeze + t.trap + kBusy.move();
  const Cycle end = saved + t.start() + 3000;
  const Cycle second_start = 1 + t.assign() + t.start() + 1;  // SMs are set up at once, and TBs issued one a cycle
  EXPECT_EQ(bench.records(Kind::kPreemptionRequested).size(), 1U);
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, urgent), ElementsAre(end));
  // SM 1 goes on although a more urgent kernel is active: first with the TB that SM 0 gave up.
  EXPECT_EQ(first_of(bench.sm(Kind::kTbRestored, 1)), second_start + 1000 + t.issue + kBusy.move());
  // SM 0 comes back when that has ended.
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(1 + t.assign(), saved, end + t.search));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, busy), testing::SizeIs(1));
}

TEST(CorePpq, ExclusiveAccessToAllEmptiesTheEngine) {
  spec::Spec spec = machine(3, 2, PolicyKind::kPpq);
  spec.scheduler.exclusive_scope = ExclusiveScope::kAll;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, kBusy);
  bench.launch(301, {1, 1, {3000}, 1, 1});
  bench.run();
  const Cycle reserved = 301 + t.activation + t.search;
  const Cycle to_save = t.freeze + t.trap + kBusy.move();
  const Cycle end = reserved + to_save + t.start() + 3000;
  for (std::uint16_t sm = 0; sm < 3; ++sm) {
    const Cycle own_reserved = reserved + sm * t.search;
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, sm), ElementsAre(own_reserved));
    EXPECT_THAT(bench.sm(Kind::kPreemptionDone, sm), ElementsAre(own_reserved + to_save));
    // All idle SMs go back, after one search.
    EXPECT_THAT(bench.sm(Kind::kSmSetUp, sm), Contains(end + t.search));
  }
  // SM 1 is handed over before the urgent TB is on its way to SM 0; it then finds nothing and is idle until the end.
  const Cycle handed_over = reserved + t.search + to_save;
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(1 + t.assign(), handed_over, end + t.search));
  EXPECT_EQ(first_of(bench.sm(Kind::kSmReleased, 1)), handed_over + t.setup);
}

// The urgent kernel has a short TB on SM 0 and a long one on SM 1.
TEST(CorePpq, AnIdleSmGoesToALowerPriorityUnderSharedAccessOnly) {
  for (const spec::Access access : {spec::Access::kExclusive, spec::Access::kShared}) {
    CoreBench bench(machine(3, 2, PolicyKind::kPpq, access));
    const Latencies& t = bench.latencies();
    bench.launch(1, kBusy);
    bench.launch(301, {1, 2, {100, 3000}, 1, 1});
    bench.run();
    const Cycle saved = 301 + t.activation + t.search + t.freeze + t.trap + kBusy.move();
    const Cycle idle = saved + t.start() + 100;
    const Cycle end = saved + t.search + t.start() + 3000;
    EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), Contains(idle));
    EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0),
                ElementsAre(1 + t.assign(), saved, (access == spec::Access::kShared ? idle : end) + t.search));
  }
}

TEST(CorePpq, TheLowestPriorityGivesUpItsSmFirst) {
  CoreBench bench(machine(2, 3, PolicyKind::kPpq, spec::Access::kShared));
  const auto middle = bench.launch(1, {0, 1, {5000}, 1, 1});
  const auto lowest = bench.launch(101, {1, 1, {5000}, 1, 0});
  bench.launch(1001, {2, 1, {300}, 1, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kPreemptionRequested, middle), IsEmpty());
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 1), testing::SizeIs(1));
  EXPECT_EQ(bench.records(Kind::kPreemptionRequested)[0].launch, lowest);
}

TEST(CorePpq, KernelsOfOnePriorityDoNotPreemptEachOther) {
  CoreBench bench(machine(1, 2, PolicyKind::kPpq));
  const Latencies& t = bench.latencies();
  const auto first = bench.launch(1, {0, 3, {1000}, 1, 1});
  const auto second = bench.launch(101, {1, 1, {300}, 1, 1});
  bench.run();
  const Cycle first_end = 1 + t.assign() + t.start() + 3 * 1000 + 2 * t.issue;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(first_end));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(first_end + t.search + t.start() + 300));
}

// ---- what the OS writes ----------------------------------------------------------------------------------------

TEST(CoreOsWrites, APriorityWrittenToAnActiveKernelPreemptsAtOnce) {
  CoreBench bench(machine(1, 2, PolicyKind::kPpq));
  const Latencies& t = bench.latencies();
  bench.launch(1, kBusy);
  const auto raised = bench.launch(101, {1, 1, {300}, 1, 0});
  bench.set_priority(501, 1, 1);
  bench.run();
  const Cycle reserved = 501 + t.search;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, raised),
              ElementsAre(reserved + t.freeze + t.trap + kBusy.move() + t.start() + 300));
}

TEST(CoreOsWrites, APriorityWrittenToAWaitingKernelReordersTheQueue) {
  CoreBench bench(machine(1, 3, PolicyKind::kNpq));
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 1, {1000}, 1, 0});
  const auto second = bench.launch(101, {1, 1, {300}, 1, 0});
  const auto third = bench.launch(201, {2, 1, {300}, 1, 0});
  bench.set_priority(501, 2, 1);
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + 1000;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, third), ElementsAre(first_end + overhead + 300));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(first_end + 2 * (overhead + 300)));
}

// Processes 0 and 2 share a command buffer: the second kernel of process 0 waits outside it when the OS writes.
TEST(CoreOsWrites, APriorityWrittenToAKernelWithoutACommandBufferHolds) {
  spec::Spec spec = machine(1, 3, PolicyKind::kNpq);
  spec.gpu.framework.num_command_buffers = 2;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 1, {1000}, 1});
  const auto second = bench.launch(101, {2, 1, {300}, 1});
  const auto third = bench.launch(201, {1, 1, {300}, 1});
  const auto outside = bench.launch(301, {0, 1, {300}, 1});
  bench.set_priority(501, 0, 7);
  bench.run();
  const Cycle overhead = t.assign() + t.start();
  const Cycle first_end = 1 + overhead + 1000;
  const Cycle second_end = first_end + overhead + 300;
  EXPECT_THAT(bench.kernel(Kind::kKernelArrived, outside), ElementsAre(first_end + t.activation + 1));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(second_end));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, outside), ElementsAre(second_end + overhead + 300));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, third), ElementsAre(second_end + 2 * (overhead + 300)));
}

TEST(CoreOsWrites, APolicyWrittenWhileKernelsRunTakesOver) {
  spec::Spec spec = machine(1, 2, PolicyKind::kFcfs);
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, kBusy);
  const auto urgent = bench.launch(101, {1, 1, {300}, 1, 1});
  spec.scheduler.policy = PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  bench.set_policy(501, spec.scheduler);
  bench.run();
  // The kernel that fcfs kept waiting enters the active queue and takes the SM.
  const Cycle reserved = 501 + t.activation + t.search;
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, urgent), ElementsAre(501 + t.activation));
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
  EXPECT_EQ(bench.records(Kind::kPreemptionRequested)[0].technique, record::Technique::kContextSwitch);
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, urgent),
              ElementsAre(reserved + t.freeze + t.trap + kBusy.move() + t.start() + 300));
}

TEST(CoreOsWrites, TheLastWriteOfACycleHolds) {
  CoreBench bench(machine(1, 2, PolicyKind::kPpq));
  bench.launch(1, kBusy);
  bench.launch(101, {1, 1, {300}, 1, 0});
  bench.set_priority(501, 1, 1);
  bench.set_priority(501, 1, 0);
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

TEST(CoreOsWrites, AnSmIsSetUpWithItsKernelsContextAndPageTable) {
  CoreBench bench(machine(1, 2, PolicyKind::kFcfs));
  bench.core().send({0, 0, SetPageTable{ContextId{1}, 0xABC000}});
  bench.launch(2, {1, 1, {1000}, 1});
  bench.run_before(500);
  EXPECT_EQ(bench.core().owners().sm(SmId{0}).context, ContextId{1});
  EXPECT_EQ(bench.core().owners().sm(SmId{0}).base_page_table, 0xABC000U);
}

// ---- time_slice ------------------------------------------------------------------------------------------------

constexpr Cycle kQuantum = 2000;

spec::Spec sliced(std::uint32_t num_sms, spec::Access access) {
  spec::Spec spec = machine(num_sms, 2, PolicyKind::kTimeSlice, access);
  spec.scheduler.time_slice = kQuantum * 1000;  // a cycle is 1000 ps
  return spec;
}

TEST(CoreTimeSlice, ContextsTakeTurnsFromTheCycleInWhichThereAreTwo) {
  CoreBench bench(sliced(1, spec::Access::kExclusive));
  const Latencies& t = bench.latencies();
  const Kernel kernel{0, 1, {10'000}, 1};
  const auto first = bench.launch(1, kernel);
  const auto second = bench.launch(101, {1, 1, {3'000}, 1});
  bench.run();
  const Cycle two = 101 + t.activation;
  const Cycle to_save = t.freeze + t.trap + kernel.move();
  const auto turn = [&](Cycle n) { return two + n * kQuantum + t.search; };  // n-th reservation
  // Turns 1 and 3 are the second kernel's. In the first it starts, in the other it resumes and ends.
  const Cycle second_start = turn(1) + to_save + t.start();
  const Cycle second_ran = turn(2) + t.freeze - second_start;
  const Cycle second_resumed = turn(3) + to_save + t.start() + kernel.move();
  const Cycle second_end = second_resumed + 3'000 - second_ran;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(turn(1), turn(2), turn(3)));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 0), ElementsAre(second_start));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, second, 0), ElementsAre(second_resumed));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(second_end));
  // Alone again, the first kernel keeps its turn to the end.
  const Cycle first_start = 1 + t.assign() + t.start();
  const Cycle first_ran_first = turn(1) + t.freeze - first_start;
  const Cycle first_ran_then = turn(3) + t.freeze - (turn(2) + to_save + t.start() + kernel.move());
  const Cycle first_resumed = second_end + t.search + t.start() + kernel.move();
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first),
              ElementsAre(first_resumed + 10'000 - first_ran_first - first_ran_then));
}

TEST(CoreTimeSlice, OnlySharedAccessLendsIdleSmsToTheOtherContext) {
  for (const spec::Access access : {spec::Access::kExclusive, spec::Access::kShared}) {
    CoreBench bench(sliced(2, access));
    const Latencies& t = bench.latencies();
    bench.launch(1, {0, 1, {10'000}, 1});
    const auto guest = bench.launch(101, {1, 1, {500}, 1});
    bench.run();
    const Cycle active = 101 + t.activation;
    EXPECT_THAT(bench.kernel(Kind::kSmSetUp, guest),
                ElementsAre((access == spec::Access::kShared ? active : active + kQuantum) + t.search));
  }
}

TEST(CoreTimeSlice, AQuantumWrittenWhileKernelsRunHoldsFromTheNextTurn) {
  spec::Spec spec = sliced(1, spec::Access::kExclusive);
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 1, {20'000}, 1});
  bench.launch(101, {1, 1, {20'000}, 1});
  spec.scheduler.time_slice = 3 * kQuantum * 1000;
  bench.set_policy(201, spec.scheduler);
  bench.run_and_stop(101 + 5 * kQuantum);
  const Cycle two = 101 + t.activation;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0),
              ElementsAre(two + kQuantum + t.search, two + 4 * kQuantum + t.search));
}

// A save that lasts longer than a slice: the ticks meanwhile do not count, or nobody would ever run.
TEST(CoreTimeSlice, ATickIsIgnoredWhileAnSmChangesHands) {
  CoreBench bench(sliced(1, spec::Access::kExclusive));
  const Latencies& t = bench.latencies();
  Kernel kernel{0, 1, {10'000}, 1};
  kernel.regs_per_tb = 12'000;  // 48,000 bytes: 3000 cycles out, 3000 in
  ASSERT_GT(kernel.move(), kQuantum);
  bench.launch(1, kernel);
  bench.launch(101, {1, 1, {20'000}, 1});
  bench.run_and_stop(9'000);
  const Cycle two = 101 + t.activation;
  const Cycle first = two + kQuantum + t.search;
  const Cycle saved = first + t.freeze + t.trap + kernel.move();
  // The next tick after the other kernel runs: 2 slices into the save, the third falls behind its end.
  const Cycle tick = two + 3 * kQuantum;
  ASSERT_GT(tick, saved + t.setup);
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(first, tick + t.search));
}

}  // namespace
}  // namespace tessera::tlm_model::test
