// SPDX-License-Identifier: Apache-2.0
// Two kernels under one name: their times tell. Times in us.
#include <gmock/gmock.h>

#include "importer/kernel_groups.h"
#include "importer/time_modes.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

using Modes = std::vector<std::uint32_t>;

TEST(TimeModes, AGapOfAFactorAbove7Point4PartsTimes) {
  EXPECT_EQ(time_modes({7'000, 12, 13, 7'050}), (Modes{1, 0, 0, 1}));
  EXPECT_EQ(time_modes({10, 75}), (Modes{0, 1}));
  EXPECT_EQ(time_modes({10, 74}), (Modes{0, 0}));  // 7.4 is not above it
}

TEST(TimeModes, TimesThatSpreadAsFarAsTheGapAreOfOneMode) {
  EXPECT_EQ(time_modes({1, 3, 9, 80, 100}), (Modes{0, 0, 0, 0, 0}));  // gap 8.9, and 1 .. 9 is 9
  EXPECT_EQ(time_modes({1, 3, 8, 80, 100}), (Modes{0, 0, 0, 1, 1}));  // gap 10, and 1 .. 8 is 8
  EXPECT_EQ(time_modes({10, 100, 1'000}), (Modes{0, 0, 0}));          // gaps alike: 100 .. 1,000 is as far
}

TEST(TimeModes, EachPartIsPartedInTheSameWay) {
  EXPECT_EQ(time_modes({1'300, 12, 110, 13, 1'250, 115}), (Modes{2, 0, 1, 0, 2, 1}));
}

TEST(TimeModes, TimesThatAreNotMeasuredPartNothing) {
  EXPECT_EQ(time_modes({0, 10, 12}), (Modes{0, 0, 0}));
  EXPECT_EQ(time_modes({}), Modes{});
}

// ---- in a profile --------------------------------------------------------------------------------------------

TEST(TimeModes, EveryLaunchOfAProfileIsOfItsOwnMode) {
  Trace trace;
  double at = 100;
  double sum = 0;
  for (int i = 0; i < 30; ++i) {
    const double duration = i % 5 == 0 ? 4'000 + i : 20 + i % 3;
    trace.kernel("exchange", at, duration, 7, at - 8);
    trace.wait(at - 4, duration + 6);
    at += duration + 20;
    sum += duration;
  }
  Import import;
  const ImportedApplication application = import.of(trace.text()).applications.front();
  ASSERT_EQ(application.fidelity->kernels.size(), 2U);
  EXPECT_EQ(application.fidelity->kernels[0].launches, 6U);
  EXPECT_EQ(application.fidelity->kernels[1].launches, 24U);
  EXPECT_NEAR(application.fidelity->kernels[0].simulated_us, 4'012.5, 40);
  EXPECT_NEAR(application.fidelity->kernels[1].simulated_us, 21, 0.21);
  EXPECT_NEAR(application.fidelity->simulated_span_us, sum + 29 * 20, 0.03 * sum);
  EXPECT_THAT(application.assumptions,
              ::testing::Contains(::testing::HasSubstr("1 kernels of one name and shape whose times lie in groups")));
}

TEST(TimeModes, CollectivesThatTakeTheirShortestTimeStayOneKernel) {
  ProfileBench bench;
  bench.kernel("ncclKernel_AllReduce", 100, 10);
  bench.kernel("ncclKernel_AllReduce", 200, 1'000);
  GroupOptions options;
  options.collectives = Collectives::kShortest;
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  EXPECT_EQ(group_kernels(bench.profile, workload, options).groups.size(), 1U);
  EXPECT_EQ(group_kernels(bench.profile, workload, {}).groups.size(), 2U);
}

TEST(TimeModes, ALongLaunchWithoutAShapeIsNoShortOne) {
  Trace trace;
  for (int i = 0; i < 6; ++i) {
    const double at = 10'000.0 * i;
    trace.call(at, 3).work_without_shape("reduce", at + 8, 9'000, 7);
    trace.kernel("reduce", at + 9'048, 12, 7, at + 9'040, 1);
  }
  const ImportedApplication application = Import().of(trace.text()).applications.front();
  EXPECT_EQ(application.fidelity->kernels.size(), 2U);
  EXPECT_NEAR(application.fidelity->simulated_span_us, 59'052, 600);
}

}  // namespace
}  // namespace tessera::importer::test
