// SPDX-License-Identifier: Apache-2.0
// Calls and kernels are joined by correlation; clocks, streams and waits follow from recorded times.
#include <gmock/gmock.h>

#include "importer/kernel_groups.h"
#include "importer/workload.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Workload only_workload(const Profile& profile) {
  std::vector<Workload> workloads = workloads_of(profile, Collectives::kKeep);
  EXPECT_EQ(workloads.size(), 1U);
  return workloads.front();
}

std::vector<std::string> names_in_order(const Profile& profile, const Workload& workload) {
  std::vector<std::string> names;
  for (const Operation& each : workload.operations)
    names.push_back(profile.names[profile.activities[each.activity].name]);
  return names;
}

TEST(Workload, LaunchesAreJoinedByCorrelationAndNotByOrder) {
  ProfileBench bench;
  bench.kernel("late", 40, 10, 1, 25);
  bench.kernel("early", 45, 10, 2, 20);  // runs later, was launched earlier
  std::swap(bench.profile.calls[0], bench.profile.calls[1]);
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"early", "late"}));
}

TEST(Workload, EveryContextOfEveryDeviceIsOne) {
  ProfileBench bench;
  bench.kernel("a", 10, 1);
  bench.kernel("b", 20, 1).device = 1;
  bench.kernel("c", 30, 1).context = 5;
  EXPECT_EQ(workloads_of(bench.profile, Collectives::kKeep).size(), 3U);
}

TEST(Workload, AClockAheadOfTheGpuIsSetBack) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90, 1);
  bench.kernel("b", 200, 10, 0, 5190, 2);  // the clock of thread 2 is 5 ms ahead
  bench.kernel("c", 300, 10, 0, 5280, 2);
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"a", "b", "c"}));
  for (const Operation& each : workload.operations) {
    EXPECT_LE(each.call_start, bench.profile.activities[each.activity].start);
  }
  EXPECT_EQ(workload.clock_leads.at(2), ProfileBench::ns(4990));  // b: called 4990 us after it began
  EXPECT_THAT(workload.notes, Contains(HasSubstr("is ahead of the GPU's by 4990.000 us")));
}

TEST(Workload, AClockBehindTheGpusIsSeenByTheOrderOfAStream) {
  ProfileBench bench;
  bench.kernel("first", 100, 10, 0, 90, 1);
  bench.kernel("second", 200, 10, 0, 40, 2);  // of the same stream, called earlier by a clock that is behind
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"first", "second"}));
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 calls are recorded before that of the work ahead of them")));
}

TEST(Workload, AStreamThatWaitsForAnEventWaitsForWhatEndedLast) {
  ProfileBench bench;
  bench.kernel("producer", 100, 50, 1, 90);
  bench.call(CallKind::kWaitEvent, 95, 1);
  bench.kernel("consumer", 151, 10, 2, 99);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
  EXPECT_EQ(workload.dependencies[0].later, 1U);
}

TEST(Workload, WithoutCallsALateStartBehindAnotherStreamsEndIsAWait) {
  ProfileBench bench;
  bench.kernel("producer", 100, 500, 1, 90);
  bench.kernel("consumer", 602, 10, 2, 99);
  EXPECT_EQ(only_workload(bench.profile).dependencies.size(), 1U);
}

TEST(Workload, WorkThatWaitsForNothingKnownIsListedAndLaunchedWhenItBegan) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90);
  bench.kernel("b", 5000, 10, 0, 95);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.gaps.size(), 1U);
  EXPECT_EQ(workload.gaps[0].length, ProfileBench::ns(5000 - 110));
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(4990));
}

TEST(Workload, ASynchronisationWaitsForWhatHadEndedWhenItReturned) {
  ProfileBench bench;
  bench.kernel("a", 100, 50, 0, 90);
  bench.kernel("b", 160, 1000, 1, 95);
  bench.call(CallKind::kSynchronise, 110, 42);  // until 152: for a, not for b
  bench.kernel("c", 2000, 10, 0, 1990);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.waits.size(), 1U);
  EXPECT_EQ(workload.waits[0].awaited, 0U);
  EXPECT_EQ(workload.waits[0].before, 2U);
}

TEST(Workload, ASynchronisationDuringWhichAnotherThreadLaunchesIsLeftOut) {
  ProfileBench bench;
  bench.kernel("a", 100, 50, 0, 90, 1);
  bench.call(CallKind::kSynchroniseDevice, 110, 100, 1);
  bench.kernel("b", 190, 10, 0, 150, 2);
  const Workload workload = only_workload(bench.profile);
  EXPECT_TRUE(workload.waits.empty());
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 synchronising calls of one thread are left out")));
}

TEST(Workload, CollectivesMayBeLeftOut) {
  ProfileBench bench;
  bench.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)", 10, 1);
  bench.kernel("a", 30, 1);
  EXPECT_EQ(workloads_of(bench.profile, Collectives::kDrop).front().operations.size(), 1U);
  EXPECT_TRUE(is_collective("ncclKernel_AllReduce_RING_LL_Sum_float"));
  EXPECT_FALSE(is_collective("vectorized_elementwise_kernel"));
}

// ---- groups --------------------------------------------------------------------------------------------------

KernelGroups groups_of(const Profile& profile, const GroupOptions& options = {}) {
  return group_kernels(profile, only_workload(profile), options);
}

TEST(KernelGroups, NameAndShapeMakeAKernelWithItsMeanTime) {
  ProfileBench bench;
  bench.kernel("void ns::f<1>(int)", 100, 10);
  bench.kernel("void ns::f<1>(int)", 200, 20);
  bench.kernel("void ns::f<1>(int)", 300, 7).grid = {65, 1, 1};
  bench.kernel("void ns::f<2>(int)", 400, 7);
  const KernelGroups groups = groups_of(bench.profile);
  ASSERT_EQ(groups.groups.size(), 3U);
  EXPECT_EQ(groups.groups[0].kernel.name, "f");
  EXPECT_EQ(groups.groups[1].kernel.name, "f.2");
  EXPECT_EQ(groups.groups[0].kernel.kernel_time, 15'000'000U);
  // Two values, m (1 - s/2) and m (1 + s/2): 10 and 20 us about 15 us.
  EXPECT_NEAR(groups.groups[0].kernel.kernel_time_spread_ppm, 2 * 5 / 15.0 * 1e6, 1);
}

TEST(KernelGroups, RegistersAreAllocatedForWholeWarpsInUnits) {
  EXPECT_EQ(allocated_registers(30, 128), 4U * 1024);  // 30 x 32 = 960, in units of 256: 1024 a warp
  EXPECT_EQ(allocated_registers(33, 33), 2U * 1280);   // two warps of 1056
  EXPECT_EQ(allocated_registers(0, 1), 256U);
}

TEST(KernelGroups, CollectivesMayTakeTheShortestOfTheirKind) {
  ProfileBench bench;
  bench.kernel("ncclKernel_AllReduce", 100, 10);
  bench.kernel("ncclKernel_AllReduce", 200, 1000);
  GroupOptions options;
  options.collectives = Collectives::kShortest;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.kernel_time, 10'000'000U);
  EXPECT_EQ(groups.groups[0].kernel.kernel_time_spread_ppm, 0U);
}

TEST(KernelGroups, MemsetsAndCopiesOnTheGpuAreKernelsBySizeClass) {
  ProfileBench bench;
  GpuActivity& small = bench.kernel("", 100, 10);
  small.work = Work::kMemset;
  small.bytes = 100'000;
  GpuActivity& same_class = bench.kernel("", 200, 10);
  same_class.work = Work::kMemset;
  same_class.bytes = 131'072;
  bench.kernel("k", 300, 1);
  const KernelGroups groups = groups_of(bench.profile);
  ASSERT_EQ(groups.groups.size(), 2U);
  EXPECT_EQ(groups.groups[0].kernel.name, "memset_131072_bytes");
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 131072U / 16384);
}

TEST(KernelGroups, WhatIsMissingOrOfNoDurationIsTold) {
  ProfileBench bench;
  GpuActivity& kernel = bench.kernel("k", 100, 0);
  kernel.grid = {};
  kernel.regs_per_thread.reset();
  GroupOptions options;
  options.num_sms = 80;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 80U);
  EXPECT_GT(groups.groups[0].kernel.kernel_time, 0U);
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 kernels without grid or block")));
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 kernels without registers")));
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 operations of no duration")));
}

TEST(KernelGroups, MoreShapesThanAnApplicationMayHaveAreMadeCoarser) {
  ProfileBench bench;
  constexpr std::uint32_t kShapes = 5000;
  for (std::uint32_t i = 0; i < kShapes; ++i) bench.kernel("k", 100.0 * i, 10).grid = {i + 1, 1, 1};
  const KernelGroups groups = groups_of(bench.profile);
  EXPECT_EQ(groups.groups.size(), 14U);  // 1, 2, 4, .. 8192
  EXPECT_THAT(groups.notes, Contains(HasSubstr("within a factor of two")));
}

}  // namespace
}  // namespace tessera::importer::test
