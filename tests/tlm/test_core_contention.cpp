// SPDX-License-Identifier: Apache-2.0
// Contention by hand: which thread blocks are issued beside a kernel of their kind, and how long those take.
#include "tests/tlm/core_bench.h"
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::ContentionDomain;
using spec::KernelKind;
using spec::PolicyKind;
using testing::Each;
using testing::ElementsAre;

constexpr Cycle kAlone = 100;
constexpr Cycle kSlowed = 120;  // of those, at 1.2

void contend(spec::Spec& spec, ContentionDomain domain = ContentionDomain::kPartition) {
  spec.contention.model = spec::ContentionModel::kCoRunning;
  spec.contention.domain = domain;
}

// Two SMs, and each process has one and no more.
spec::Spec one_sm_each(spec::Spec spec) {
  spec.scheduler.debt = spec::Debt::kNever;
  for (spec::ProcessSpec& process : spec.processes) process.tokens = 1;
  contend(spec);
  return spec;
}
spec::Spec one_sm_each() { return one_sm_each(machine(2, 2, PolicyKind::kDss)); }

// A partition of one SM for each process.
spec::Spec one_partition_each(ContentionDomain domain) {
  spec::Spec spec = machine(2, 2, PolicyKind::kStaticPartition);
  spec.partitions = {spec::PartitionSpec{"a", {0}}, spec::PartitionSpec{"b", {1}}};
  spec.processes[1].partition = 1;
  contend(spec, domain);
  return spec;
}

Kernel long_kernel(std::optional<KernelKind> kind) {
  Kernel kernel{0, 20, {kAlone}};
  kernel.kind = kind;
  return kernel;
}
Kernel short_kernel(std::optional<KernelKind> kind, std::uint16_t process = 1) {
  Kernel kernel{process, 3, {2 * kAlone}};
  kernel.kind = kind;
  return kernel;
}

// How long each thread block of the launch ran.
std::vector<Cycle> times_of(const CoreBench& bench, std::uint32_t launch, std::uint32_t num_tbs) {
  std::vector<Cycle> times;
  for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
    const Cycle issued = first_of(bench.tb(Kind::kTbIssued, launch, tb));
    times.push_back(first_of(bench.tb(Kind::kTbFinished, launch, tb)) - issued);
  }
  return times;
}

// Both kernels on the machine, the short one from cycle 501 on: the times of each one's thread blocks.
struct Times {
  std::vector<Cycle> of_long;
  std::vector<Cycle> of_short;
};
Times side_by_side(const spec::Spec& spec, const Kernel& first, const Kernel& second) {
  CoreBench bench(spec);
  const std::uint32_t long_launch = bench.launch(101, first);
  const std::uint32_t short_launch = bench.launch(501, second);
  bench.run();
  return {times_of(bench, long_launch, first.num_tbs), times_of(bench, short_launch, second.num_tbs)};
}

// The driver decides when a thread block ends, and its successor runs an issue latency later.
TEST(CoreContention, ThoseThatAreIssuedBesideAKernelOfTheirKindTakeLonger) {
  CoreBench bench(one_sm_each());
  const Latencies& t = bench.latencies();
  const std::uint32_t a = bench.launch(101, long_kernel(KernelKind::kCompute));
  const std::uint32_t b = bench.launch(501, short_kernel(KernelKind::kCompute));
  bench.run();
  const Cycle from = first_of(bench.sm(Kind::kSmSetUp, 1));
  const Cycle until = first_of(bench.sm(Kind::kSmReleased, 1));
  EXPECT_EQ(until, from + t.start() + 3 * 2 * kSlowed + 2 * t.issue);
  Cycle start = 101 + t.assign() + t.start();
  std::uint32_t num_slowed = 0;
  for (std::uint32_t tb = 0; tb < 20; ++tb) {
    const Cycle decided = start - t.issue;
    const bool is_slowed = from <= decided && decided < until;
    num_slowed += is_slowed ? 1 : 0;
    EXPECT_THAT(bench.tb(Kind::kTbIssued, a, tb), ElementsAre(start)) << tb;
    start += is_slowed ? kSlowed : kAlone;
    EXPECT_THAT(bench.tb(Kind::kTbFinished, a, tb), ElementsAre(start)) << tb;
    start += t.issue;
  }
  EXPECT_EQ(num_slowed, 6U);  // every 122 cycles, in about 757
  EXPECT_THAT(times_of(bench, b, 3), Each(2 * kSlowed));
}

TEST(CoreContention, KernelsOfDifferentKindsDoNotContend) {
  for (const auto& [first, second] : std::vector<std::pair<std::optional<KernelKind>, std::optional<KernelKind>>>{
           {KernelKind::kCompute, KernelKind::kMemory},
           {KernelKind::kMemory, KernelKind::kCompute},
           {KernelKind::kCompute, std::nullopt},
           {std::nullopt, std::nullopt}}) {
    const Times times = side_by_side(one_sm_each(), long_kernel(first), short_kernel(second));
    EXPECT_THAT(times.of_long, Each(kAlone));
    EXPECT_THAT(times.of_short, Each(2 * kAlone));
  }
}

TEST(CoreContention, KernelsOfOneProcessDoNotContend) {
  const Times times =
      side_by_side(one_sm_each(), long_kernel(KernelKind::kMemory), short_kernel(KernelKind::kMemory, 0));
  EXPECT_THAT(times.of_long, Each(kAlone));
  EXPECT_THAT(times.of_short, Each(2 * kAlone));
}

TEST(CoreContention, EachKindHasItsFactor) {
  const Times times = side_by_side(one_sm_each(), long_kernel(KernelKind::kMemory), short_kernel(KernelKind::kMemory));
  EXPECT_THAT(times.of_short, Each(Cycle{460}));
}

TEST(CoreContention, PartitionsDoNotContendUnlessTheGpuIsTheDomain) {
  const Kernel first = long_kernel(KernelKind::kCompute);
  const Kernel second = short_kernel(KernelKind::kCompute);
  const Times apart = side_by_side(one_partition_each(ContentionDomain::kPartition), first, second);
  EXPECT_THAT(apart.of_long, Each(kAlone));
  EXPECT_THAT(apart.of_short, Each(2 * kAlone));
  const Times together = side_by_side(one_partition_each(ContentionDomain::kGpu), first, second);
  EXPECT_EQ(std::count(together.of_long.begin(), together.of_long.end(), kSlowed), 6);
  EXPECT_EQ(std::count(together.of_long.begin(), together.of_long.end(), kAlone), 14);
  EXPECT_THAT(together.of_short, Each(2 * kSlowed));
}

// Halves are rounded up; what is left is a cycle at least.
TEST(CoreContention, TimesAreRoundedToTheNearestCycle) {
  spec::Spec spec = one_sm_each();
  spec.contention.factor_ppm = {1'500'000, 1'499'999};
  Kernel first = long_kernel(KernelKind::kCompute);
  Kernel second = short_kernel(KernelKind::kCompute);
  second.durations = {1, 3, 4};
  EXPECT_THAT(side_by_side(spec, first, second).of_short, ElementsAre(2, 5, 6));
  first.kind = second.kind = KernelKind::kMemory;
  EXPECT_THAT(side_by_side(spec, first, second).of_short, ElementsAre(1, 4, 6));
}

// Preempted while it was alone, restored beside a kernel of its kind that came meanwhile: only its successor is slowed.
TEST(CoreContention, AThreadBlockThatIsRestoredKeepsItsTime) {
  spec::Spec spec = machine(2, 3, PolicyKind::kStaticPartition);
  spec.scheduler.order = spec::PartitionOrder::kPriority;
  spec.partitions = {spec::PartitionSpec{"a", {0}}, spec::PartitionSpec{"b", {1}}};
  spec.processes[1].partition = 1;
  Kernel victim{0, 2, {1000}};
  Kernel urgent{2, 1, {3000}, 1, 1};
  Kernel beside{1, 1, {9000}};
  victim.kind = beside.kind = KernelKind::kCompute;
  std::vector<std::vector<Cycle>> finished;
  for (const bool is_on : {false, true}) {
    if (is_on) contend(spec, ContentionDomain::kGpu);
    CoreBench bench(spec);
    const std::uint32_t launch = bench.launch(101, victim);
    bench.launch(301, urgent);
    const std::uint32_t other = bench.launch(1501, beside);
    bench.run();
    ASSERT_EQ(bench.tb(Kind::kTbRestored, launch, 0).size(), 1U);
    EXPECT_LT(first_of(bench.tb(Kind::kTbIssued, other, 0)), first_of(bench.tb(Kind::kTbRestored, launch, 0)));
    EXPECT_THAT(times_of(bench, other, 1), ElementsAre(9000));
    EXPECT_EQ(times_of(bench, launch, 2)[1], is_on ? 1200U : 1000U);
    finished.push_back(bench.tb(Kind::kTbFinished, launch, 0));
  }
  EXPECT_EQ(finished[0], finished[1]);
}

TEST(CoreContention, AnEngineThatDoesOneJobAtATimeSlowsTheSameOnes) {
  OneJobBench bench(one_sm_each(one_job_machine(2, 2, PolicyKind::kDss)));
  const std::uint32_t a = bench.launch(101, long_kernel(KernelKind::kCompute));
  const std::uint32_t b = bench.launch(501, short_kernel(KernelKind::kCompute));
  bench.run();
  const Cycle from = first_of(bench.sm(Kind::kSmSetUp, 1));
  const Cycle until = first_of(bench.sm(Kind::kSmReleased, 1));
  const Cycle issue = bench.latencies().issue;
  const std::vector<Cycle> times = times_of(bench, a, 20);
  for (std::uint32_t tb = 0; tb < 20; ++tb) {
    const Cycle start = first_of(bench.tb(Kind::kTbIssued, a, tb));
    const bool is_slowed = from + issue <= start && start < until + issue;
    EXPECT_EQ(times[tb], is_slowed ? kSlowed : kAlone) << tb;
  }
  EXPECT_GE(std::count(times.begin(), times.end(), kSlowed), 5);
  EXPECT_THAT(times_of(bench, b, 3), Each(2 * kSlowed));
}

}  // namespace
}  // namespace tessera::tlm_model::test
