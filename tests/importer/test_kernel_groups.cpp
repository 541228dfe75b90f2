// SPDX-License-Identifier: Apache-2.0
// Launches of one name and shape are a kernel.
#include <gmock/gmock.h>

#include "importer/kernel_groups.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

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
