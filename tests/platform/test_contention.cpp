// SPDX-License-Identifier: Apache-2.0
// Contention on the whole machine: the kind of a kernel in an application reaches the engine with its launch.
#include <algorithm>
#include <map>

#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::KernelKind;
using testing::Each;

constexpr Cycle kTimeOfLong = 5000;
constexpr Cycle kTimeOfShort = 3000;

// A long kernel on SM 0 and a short one on SM 1, which comes later and ends earlier.
spec::Spec contending_partitions(KernelKind of_long, KernelKind of_short) {
  spec::Spec spec = tiny_platform(2);
  spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
  spec.partitions = {spec::PartitionSpec{"long", {0}}, spec::PartitionSpec{"short", {1}}};
  spec.contention.model = spec::ContentionModel::kCoRunning;
  spec.contention.domain = spec::ContentionDomain::kGpu;
  add_process(spec, {kernel_of("long", 40, kTimeOfLong)}, {launch(0), synchronise()}).runs = 1;
  add_process(spec, {kernel_of("short", 5, kTimeOfShort)}, {cpu(50'000), launch(0), synchronise()}).runs = 1;
  spec.processes[1].partition = 1;
  spec.applications[0].kernels[0].kind = of_long;
  spec.applications[1].kernels[0].kind = of_short;
  return spec;
}

// How long the thread blocks of the SM ran.
std::vector<Cycle> tb_times_on(const Log& log, std::uint16_t sm) {
  std::map<std::uint32_t, Cycle> issued;
  std::vector<Cycle> times;
  for (const Record& record : log.records) {
    if (record.sm != sm) continue;
    if (record.kind == Kind::kTbIssued) issued[record.tb] = record.cycle;
    if (record.kind == Kind::kTbFinished) times.push_back(record.cycle - issued.at(record.tb));
  }
  return times;
}

TEST(Contention, TheKindsOfApplicationsDecideWhoIsSlowed) {
  const Log alike = simulate_checked(contending_partitions(KernelKind::kMemory, KernelKind::kMemory));
  const std::vector<Cycle> of_long = tb_times_on(alike, 0);
  const auto num_alone = std::count(of_long.begin(), of_long.end(), kTimeOfLong);
  const auto num_slowed = std::count(of_long.begin(), of_long.end(), kTimeOfLong * 23 / 10);
  EXPECT_GT(num_alone, 0);
  EXPECT_GT(num_slowed, 0);
  EXPECT_EQ(num_alone + num_slowed, 40);
  EXPECT_THAT(tb_times_on(alike, 1), Each(kTimeOfShort * 23 / 10));
  const Log different = simulate_checked(contending_partitions(KernelKind::kCompute, KernelKind::kMemory));
  EXPECT_THAT(tb_times_on(different, 0), Each(kTimeOfLong));
  EXPECT_THAT(tb_times_on(different, 1), Each(kTimeOfShort));
}

}  // namespace
}  // namespace tessera::platform::test
