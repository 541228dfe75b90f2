// SPDX-License-Identifier: Apache-2.0
// Kernels of launches of one name and shape; fields that are missing; what calls, hand-overs and copies take.
#include "importer/kernel_groups.h"

#include <gmock/gmock.h>

#include "importer/missing_fields.h"
#include "importer/recorded_pace.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

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

TEST(KernelGroups, AKernelNamedNullIsOneAllTheSame) {
  ProfileBench bench;
  bench.kernel("null", 100, 10);
  EXPECT_EQ(groups_of(bench.profile).groups[0].kernel.name, "kernel_null");  // YAML's `null` is no text
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

TEST(KernelGroups, NoMoreThreadBlocksThanTheGpuIssuesInMostOfTheTime) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).grid = {1'000'000, 1, 1};
  bench.kernel("none", 200, 0).grid = {1'000'000, 1, 1};
  bench.kernel("few", 300, 10).grid = {5000, 1, 1};
  GroupOptions options;
  options.num_sms = 108;
  options.tbs_per_us = 1000;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 8000U);  // 80 % of 10 us
  EXPECT_EQ(groups.groups[1].kernel.num_tbs, 108U);   // a thread block an SM
  EXPECT_EQ(groups.groups[2].kernel.num_tbs, 5000U);
  EXPECT_THAT(groups.notes, Contains(HasSubstr("2 kernels of more thread blocks")));
}

// ---- what a profile leaves out, and how fast its machine was ------------------------------------------------

TEST(MissingFields, AreThoseOfOtherLaunchesOfTheName) {
  ProfileBench bench;
  bench.kernel("k", 100, 10);
  GpuActivity& bare = bench.kernel("k", 200, 10);
  bare.grid = bare.block = {};
  bare.regs_per_thread.reset();
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[1].grid, bench.profile.activities[0].grid);
  EXPECT_EQ(bench.profile.activities[1].block, bench.profile.activities[0].block);
  EXPECT_EQ(bench.profile.activities[1].regs_per_thread, 32U);
  EXPECT_THAT(bench.profile.notes, Contains(HasSubstr("1 kernels whose shape is told in part")));
}

TEST(MissingFields, OfSeveralSizesThatOfTheNearestTimeIsTaken) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).grid = {1, 1, 1};
  bench.kernel("k", 200, 8'000).grid = {400, 1, 1};
  for (const double duration : {7'000.0, 12.0, 9'000.0, 3.0}) {
    bench.kernel("k", 10'000, duration).grid = {};
    bench.profile.activities.back().block = {};
  }
  fill_missing_fields(bench.profile);
  std::vector<std::uint32_t> grids;
  for (std::size_t i = 2; i < 6; ++i) grids.push_back(bench.profile.activities[i].grid[0]);
  EXPECT_EQ(grids, (std::vector<std::uint32_t>{400, 1, 400, 1}));
  EXPECT_EQ(bench.profile.activities[5].block[0], 128U);
}

TEST(MissingFields, EachPartIsThatOfALaunchWhichTellsIt) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).regs_per_thread.reset();
  bench.kernel("k", 200, 50).grid = {};
  bench.kernel("k", 300, 11).grid = {};
  bench.profile.activities[1].regs_per_thread = 77;
  bench.profile.activities[2].regs_per_thread.reset();
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[0].regs_per_thread, 77U);
  EXPECT_EQ(bench.profile.activities[2].regs_per_thread, 77U);
  EXPECT_EQ(bench.profile.activities[2].grid[0], 64U);
}

TEST(MissingFields, ADurationIsTheMeanOfItsKindUntilTheNextOfItsStream) {
  ProfileBench bench;
  bench.kernel("k", 100, 10);
  bench.kernel("k", 200, 30);
  bench.kernel("k", 300, 0).duration.reset();
  bench.kernel("k", 400, 0).duration.reset();
  bench.kernel("other", 405, 1);
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[2].duration, ProfileBench::ns(20));
  EXPECT_EQ(bench.profile.activities[3].duration, ProfileBench::ns(5));
  EXPECT_THAT(bench.profile.notes, Contains(HasSubstr("2 operations without a duration")));
}

TEST(RecordedPace, CallsCostNoMoreThanTheyAreApart) {
  ProfileBench close;
  ProfileBench apart;
  for (int i = 0; i < 100; ++i) {
    close.kernel("k", 100 + 1.55 * i, 1, 0, 90 + 1.55 * i);
    apart.kernel("k", 100 + 50 * i, 1, 0, 90 + 50 * i);
  }
  EXPECT_EQ(recorded_call(close.profile, only_workload(close.profile)), 1'500);  // tenths of a microsecond
  EXPECT_EQ(recorded_call(apart.profile, only_workload(apart.profile)), kUsualCall);
}

TEST(RecordedPace, AHandOverIsTheMeanGapBehindWhatWasQueuedFor) {
  ProfileBench bench;
  for (int i = 0; i < 20; ++i) bench.kernel("k", 1000 + 50 * i, i % 2 == 0 ? 49 : 48, 0, 10 + 5 * i);
  // 10 gaps of 1 us and 9 of 2 us.
  EXPECT_EQ(recorded_hand_over(bench.profile, only_workload(bench.profile)), (10 * 1000 + 9 * 2000) / 19);
}

TEST(RecordedPace, ALinkIsAsFastAsCopiesThatTheHostDidNotWaitFor) {
  ProfileBench bench;
  bench.kernel("k", 1, 1);
  for (int i = 0; i < 4; ++i) {
    GpuActivity& copy = bench.kernel("", 100 + 200 * i, 100);
    copy.work = Work::kCopyToHost;
    copy.bytes = 5'500'000;
  }
  EXPECT_EQ(recorded_copy_rate(bench.profile, only_workload(bench.profile)), 55'000);
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
