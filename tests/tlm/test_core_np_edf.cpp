// SPDX-License-Identifier: Apache-2.0
// Non-preemptive earliest deadline first, cycle by cycle: a context at a time, the waiting kernel that is due earliest
// next. Deadlines count as under edf.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cycle kDueUnit = Cycle{1} << policy::kDeadlineUnitBits;
constexpr Cycle kShort = 300;

Kernel kernel_of(std::uint16_t process, Cycle deadline, std::uint32_t priority = 0) {
  Kernel kernel{process, 1, {kShort}, 1, priority};
  kernel.deadline = deadline;
  return kernel;
}

// Process 0 runs alone on the GPU, never due; the others' kernels come meanwhile.
struct Busy {
  explicit Busy(const spec::Spec& spec) : bench(spec) { bench.launch(1, {0, 1, {1000}}); }
  // When the n-th kernel behind the first one ends, one after the other: it enters the empty engine (activation,
  // search), its SM is set up, its TB issued.
  Cycle end(Cycle n) const {
    const Cycle overhead = bench.latencies().assign() + bench.latencies().start();
    return 1 + overhead + 1000 + n * (overhead + kShort);
  }
  void expect_end(std::uint32_t launch, Cycle n) const {
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, launch), ElementsAre(end(n))) << "launch " << launch;
  }
  CoreBench bench;
};

TEST(CoreNpEdf, WaitingKernelsRunOneByOneInTheOrderInWhichTheyAreDue) {
  Busy busy(machine(1, 4, PolicyKind::kNpEdf));
  const auto never = busy.bench.launch(101, kernel_of(1, 0, 15));
  const auto late = busy.bench.launch(201, kernel_of(2, 30 * kDueUnit, 7));
  const auto early = busy.bench.launch(301, kernel_of(3, 20 * kDueUnit));
  busy.bench.run();
  busy.expect_end(early, 1);
  busy.expect_end(late, 2);
  busy.expect_end(never, 3);
}

// SM 1 is idle all the while, and SM 0 runs what is never due.
TEST(CoreNpEdf, NeitherAnSmThatRunsNorAnIdleOneIsForAnotherContext) {
  Busy busy(machine(2, 2, PolicyKind::kNpEdf));
  const auto urgent = busy.bench.launch(101, kernel_of(1, kDueUnit));
  busy.bench.run();
  busy.expect_end(urgent, 1);
  EXPECT_THAT(busy.bench.records(Kind::kPreemptionRequested), IsEmpty());
  EXPECT_THAT(busy.bench.sm(Kind::kSmSetUp, 1), IsEmpty());
}

TEST(CoreNpEdf, AKernelOfTheContextThatRunsJoinsItIfItIsDueFirst) {
  Busy busy(machine(2, 2, PolicyKind::kNpEdf));
  const Latencies& t = busy.bench.latencies();
  const auto joins = busy.bench.launch(101, kernel_of(0, 20 * kDueUnit));
  const auto other = busy.bench.launch(201, kernel_of(1, 30 * kDueUnit));
  busy.bench.run();
  EXPECT_THAT(busy.bench.sm(Kind::kSmSetUp, 1), ElementsAre(101 + t.assign()));
  EXPECT_THAT(busy.bench.kernel(Kind::kKernelFinished, joins), ElementsAre(101 + t.assign() + t.start() + kShort));
  busy.expect_end(other, 1);
}

TEST(CoreNpEdf, AKernelOfTheContextThatRunsWaitsBehindOneThatIsDueEarlier) {
  Busy busy(machine(2, 2, PolicyKind::kNpEdf));
  const auto first = busy.bench.launch(101, kernel_of(1, 20 * kDueUnit));
  const auto own = busy.bench.launch(201, kernel_of(0, 30 * kDueUnit));
  busy.bench.run();
  busy.expect_end(first, 1);
  busy.expect_end(own, 2);
}

// Process 1's command buffer is the next in turn. It comes later, and is due in cycle 10 * kDueUnit - 1, or when that
// unit of 1024 cycles begins or ends.
TEST(CoreNpEdf, WithinAUnitOf1024CyclesTheFirstToArriveIsFirst) {
  for (const Cycle due_at : {10 * kDueUnit - 1, 10 * kDueUnit, 11 * kDueUnit - 1}) {
    Busy busy(machine(1, 3, PolicyKind::kNpEdf));
    const auto earlier = busy.bench.launch(101, kernel_of(2, 11 * kDueUnit - 1 - 101));
    const auto later = busy.bench.launch(201, kernel_of(1, due_at - 201));
    busy.bench.run();
    const bool overtakes = due_at < 10 * kDueUnit;
    busy.expect_end(earlier, overtakes ? 2 : 1);
    busy.expect_end(later, overtakes ? 1 : 2);
  }
}

TEST(CoreNpEdf, KernelsThatAreNeverDueRunInOrderOfArrival) {
  Busy busy(machine(1, 3, PolicyKind::kNpEdf));
  const auto first = busy.bench.launch(101, kernel_of(2, 0));
  const auto second = busy.bench.launch(201, kernel_of(1, 0, 15));
  busy.bench.run();
  busy.expect_end(first, 1);
  busy.expect_end(second, 2);
}

// Under fcfs the earlier arrival would be next.
TEST(CoreNpEdf, WaitingKernelsHaveTheirDeadlinesWhenThePolicyTakesOver) {
  spec::Spec spec = machine(1, 3, PolicyKind::kFcfs);
  Busy busy(spec);
  const auto late = busy.bench.launch(101, kernel_of(1, 30 * kDueUnit));
  const auto early = busy.bench.launch(201, kernel_of(2, 20 * kDueUnit));
  spec.scheduler.policy = PolicyKind::kNpEdf;
  busy.bench.set_policy(501, spec.scheduler);
  busy.bench.run();
  busy.expect_end(early, 1);
  busy.expect_end(late, 2);
}

}  // namespace
}  // namespace tessera::tlm_model::test
