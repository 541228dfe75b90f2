// SPDX-License-Identifier: Apache-2.0
// Static partitions, cycle by cycle: what each partition does by itself, and what little they share.
#include "model/spec/core_cycles.h"
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;

// A process in each; those behind the last size are in the last partition.
spec::Spec partitioned(const std::vector<std::uint32_t>& sizes, std::uint32_t num_processes) {
  std::uint32_t num_sms = 0;
  std::vector<spec::PartitionSpec> partitions;
  for (const std::uint32_t size : sizes) {
    spec::PartitionSpec& partition = partitions.emplace_back();
    partition.name = "p" + std::to_string(partitions.size());
    for (std::uint32_t i = 0; i < size; ++i) partition.sms.push_back(num_sms++);
  }
  spec::Spec spec = machine(num_sms, num_processes, PolicyKind::kStaticPartition);
  spec.partitions = partitions;
  for (std::uint32_t p = 0; p < num_processes; ++p) {
    spec.processes[p].partition = std::min<std::uint32_t>(p, static_cast<std::uint32_t>(sizes.size()) - 1);
  }
  return spec;
}

Kernel due_in(Kernel kernel, Cycle deadline) {
  kernel.deadline = deadline;
  return kernel;
}

std::vector<Cycle> all_cycles_of(const CoreBench& bench, std::uint16_t sm) {
  std::vector<Cycle> cycles;
  for (const Kind kind : {Kind::kSmSetUp, Kind::kPreemptionRequested, Kind::kPreemptionDone, Kind::kSmReleased}) {
    for (const Cycle cycle : bench.sm(kind, sm)) cycles.push_back(cycle);
  }
  return cycles;
}

// ---- partitions keep to themselves -------------------------------------------------------------------------------

TEST(CoreStaticPartition, KernelsOfTwoPartitionsRunSideBySideUnderExclusiveAccess) {
  CoreBench bench(partitioned({1, 1}, 2));
  const Latencies& t = bench.latencies();
  bench.launch(101, due_in({0, 30, {1000}}, 1'000'000));
  bench.launch(301, due_in({1, 30, {1000}}, 900'000'000));
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(101 + t.assign()));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(301 + t.assign()));
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

// The kernel that is due first of all has TBs for every SM, and gets those of its partition.
TEST(CoreStaticPartition, AnUrgentKernelPreemptsItsPartitionAndNoOther) {
  spec::Spec spec = partitioned({2, 1}, 3);
  spec.processes[2].partition = 0;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(101, due_in({0, 30, {1000}}, 900'000'000));
  bench.launch(301, due_in({1, 30, {1000}}, 900'000'000));
  bench.launch(501, due_in({2, 30, {1000}}, 100'000));
  bench.run();
  const Cycle reserved = 501 + t.activation + t.search;
  EXPECT_EQ(first_of(bench.sm(Kind::kPreemptionRequested, 0)), reserved);
  EXPECT_EQ(first_of(bench.sm(Kind::kPreemptionRequested, 1)), reserved + t.search);
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 2), IsEmpty());
}

TEST(CoreStaticPartition, AnSmInNoPartitionIsNeverUsed) {
  spec::Spec spec = partitioned({1, 1}, 1);
  spec.partitions.pop_back();
  CoreBench bench(spec);
  bench.launch(101, {0, 30, {1000}});
  bench.run();
  EXPECT_EQ(bench.sm(Kind::kSmSetUp, 0).size(), 1U);
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), IsEmpty());
}

// ---- the search is shared: a step for one partition, a step for the next -------------------------------------------

// SMs were written in the first cycle: the steps after that began with partition 0 and ended with it.
TEST(CoreStaticPartition, PartitionsThatNeedSmsInOneDecisionGetThemInTurn) {
  CoreBench bench(partitioned({2, 2}, 2));
  const Latencies& t = bench.latencies();
  bench.launch(101, due_in({0, 30, {1000}}, 100'000));
  bench.launch(101, due_in({1, 30, {1000}}, 900'000'000));
  bench.run();
  const Cycle active = 101 + 2 * t.activation;
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 2), ElementsAre(active + t.search));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(active + 2 * t.search));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 3), ElementsAre(active + t.search));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(active + 2 * t.search));
}

// Each move leaves its partition to be looked at once more, and that finds nothing.
TEST(CoreStaticPartition, ADecisionLooksAtNoPartitionInWhichNothingHasHappened) {
  CoreBench bench(partitioned({1, 1, 1, 1}, 4));
  const Latencies& t = bench.latencies();
  bench.launch(101, {2, 1, {1000}});
  bench.run();
  const std::vector<Record> decided = bench.records(Kind::kPolicyDecided);
  const auto of_launch = std::find_if(decided.begin(), decided.end(), [](const Record& r) { return r.cycle > 100; });
  ASSERT_NE(of_launch, decided.end());
  EXPECT_EQ(of_launch->cycle, 101 + t.activation + 2 * t.search);
}

// Partition 1 has a preemption of its own; what partition 0 does meanwhile, outside of its decisions, shows nowhere.
TEST(CoreStaticPartition, APartitionsTimelineDoesNotDependOnTheOtherPartition) {
  const auto timeline = [](bool is_other_busy) {
    spec::Spec spec = partitioned({2, 2}, 4);
    spec.processes[3].partition = 0;
    CoreBench bench(spec);
    bench.launch(5001, due_in({1, 40, {2000}}, 900'000'000));
    bench.launch(9001, due_in({2, 3, {700}}, 50'000));
    if (is_other_busy) {
      bench.launch(301, due_in({0, 60, {1700}}, 800'000'000));
      bench.launch(7501, due_in({3, 5, {1100}}, 20'000));
    }
    bench.run();
    return std::pair(all_cycles_of(bench, 2), all_cycles_of(bench, 3));
  };
  const auto alone = timeline(false);
  EXPECT_EQ(alone.first.size(), timeline(true).first.size());
  EXPECT_EQ(alone, timeline(true));
}

// ---- the readings' example: draining loses what an accepted set promises -------------------------------------------

// Compute task x: a = 10, T = 50, D = 37.5, in 50 TBs of 0.2. Memory task y: a = 450, T = 4000, D = 3000, in 10 TBs of
// 45. One SM. In units of so many cycles:
constexpr Cycle kTime = 100'000;
constexpr Cycle kPeriodOfX = 50 * kTime;
constexpr Cycle kDeadlineOfX = 75 * kTime / 2;
constexpr std::uint32_t kNumReleases = 7;

const Kernel kX{0, 50, {kTime / 5}};
const Kernel kY{1, 10, {45 * kTime}};

Cycle length_of_x(const Latencies& t) { return 50 * (kTime / 5) + 49 * t.issue; }

std::vector<Cycle> responses_of_x(TechniqueKind technique) {
  spec::Spec spec = partitioned({1}, 2);
  spec.scheduler.technique = technique;
  CoreBench bench(spec);
  std::vector<std::uint32_t> releases;
  for (std::uint32_t i = 0; i < kNumReleases; ++i) {
    releases.push_back(bench.launch(101 + i * kPeriodOfX, due_in(kX, kDeadlineOfX)));
    if (i == 0) bench.launch(101, due_in(kY, 3000 * kTime));
  }
  bench.run();
  std::vector<Cycle> responses;
  for (std::uint32_t i = 0; i < kNumReleases; ++i) {
    const std::vector<Cycle> ends = bench.kernel(Kind::kKernelFinished, releases[i]);
    responses.push_back(first_of(ends) - (101 + i * kPeriodOfX));
  }
  return responses;
}

// Each TB of y ends 5 later after the release of x than the one before: at 300, x waits for 30 and ends at 340.
TEST(CoreStaticPartition, ByDrainAnAcceptedTaskMissesItsDeadline) {
  const Latencies t(partitioned({1}, 2));
  const Cycle x = length_of_x(t);
  std::vector<Cycle> expected{2 * t.activation + t.search + t.start() + x};
  Cycle tb_starts = 101 + expected[0] + t.search + t.start();
  for (std::uint32_t i = 1; i < kNumReleases; ++i) {
    const Cycle x_ends = tb_starts + 45 * kTime + t.start() + x;
    expected.push_back(x_ends - (101 + i * kPeriodOfX));
    tb_starts = x_ends + t.search + t.start();
  }
  const std::vector<Cycle> responses = responses_of_x(TechniqueKind::kDrain);
  EXPECT_EQ(responses, expected);
  EXPECT_EQ(responses.back() / kTime, 40U);
  EXPECT_GT(responses.back(), kDeadlineOfX);
}

// A response is the ten units and what it costs to switch, always.
TEST(CoreStaticPartition, ByContextSwitchTheSameTaskAlwaysTakesItsTimeAndTheSwitch) {
  const Latencies t(partitioned({1}, 2));
  const Cycle switched = t.activation + t.search + t.freeze + t.trap + kY.move() + t.start() + length_of_x(t);
  std::vector<Cycle> expected(kNumReleases, switched);
  expected[0] = 2 * t.activation + t.search + t.start() + length_of_x(t);
  EXPECT_EQ(responses_of_x(TechniqueKind::kContextSwitch), expected);
  EXPECT_LT(switched - 10 * kTime, kTime / 100) << "a thousandth of x";
}

// ---- written while kernels run -----------------------------------------------------------------------------------

TEST(CoreStaticPartition, AnSmThatMovesIsTakenFromItsKernelByOneOfItsNewPartition) {
  CoreBench bench(partitioned({1, 1}, 2));
  const Latencies& t = bench.latencies();
  const Kernel holder = due_in({1, 4, {5000}}, 10'000);  // more urgent, and of the other partition then
  bench.launch(101, due_in({0, 40, {1000}}, 900'000'000));
  bench.launch(301, holder);
  // Not checked against the Spec's partitions, which hold no more.
  bench.forget_partitions();
  bench.set_partition(2001, 1, 0);
  bench.run_and_stop(6000);
  const Cycle reserved = 2001 + t.search;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 1), ElementsAre(reserved));
  const Cycle saved = reserved + t.freeze + t.trap + holder.move();
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(301 + t.assign(), saved));
}

// A write in each cycle of the decision that gives SM 1 to partition 1, one run each.
TEST(CoreStaticPartition, AnSmThatMovesWhileItIsGivenAwayIsNotGivenAway) {
  spec::Spec spec = partitioned({1, 1}, 2);
  spec.gpu.framework.engine = spec::Engine::kSerialised;
  spec.gpu.framework.tb_issue_cycles = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle);
  std::size_t num_dropped = 0;
  bool was_given_away = false;
  for (Cycle written = 101; !was_given_away; ++written) {
    ASSERT_LT(written, 1000U);
    CoreBench bench(spec);
    bench.launch(101, due_in({1, 1, {1000}}, 10'000));
    bench.forget_partitions();
    bench.set_partition(written, 1, 0);
    bench.run_and_stop(5000);
    was_given_away = !bench.sm(Kind::kSmSetUp, 1).empty();
    num_dropped += was_given_away ? 0 : 1;
  }
  EXPECT_GT(num_dropped, spec::kToWrite);
}

// A write that leaves the SM where it is makes it seem foreign. The urgent kernel's take finds in LOAD that it is not
// and ends in CALC, 5 cycles behind its PICK; BEGIN, a walk of 2, DRAIN and JUDGE follow, and now V is looked for.
TEST(CoreStaticPartition, AnSmThatOnlySeemsForeignCostsAJobAndAWalk) {
  spec::Spec spec = partitioned({1}, 2);
  spec.gpu.framework.engine = spec::Engine::kSerialised;
  spec.gpu.framework.tb_issue_cycles = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle);
  const auto reserved = [&](bool is_written) {
    CoreBench bench(spec);
    bench.launch(101, due_in({0, 1, {10'000}}, 900'000'000));
    if (is_written) bench.set_partition(1001, 0, 0);
    bench.launch(2001, due_in({1, 1, {1000}}, 100'000));
    bench.run();
    return first_of(bench.sm(Kind::kPreemptionRequested, 0));
  };
  EXPECT_EQ(reserved(true), reserved(false) + (5 + 1) + (1 + 2 + 3 + 1));
}

TEST(CoreStaticPartition, KernelsAreInTheirPartitionsWhenThePolicyTakesOver) {
  spec::Spec spec = partitioned({1, 1}, 2);
  const spec::SchedulerSpec partitions = spec.scheduler;
  spec.scheduler.policy = PolicyKind::kEdf;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(101, due_in({0, 40, {1000}}, 100'000));  // has both SMs
  bench.launch(301, due_in({1, 4, {1000}}, 900'000'000));
  bench.set_policy(2001, partitions);
  bench.run();
  // Partition 0 first: its kernel needs more SMs, and there is none to take.
  EXPECT_EQ(first_of(bench.sm(Kind::kPreemptionRequested, 1)), 2001 + (1 + 1) * t.search);
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), IsEmpty());
}

}  // namespace
}  // namespace tessera::tlm_model::test
