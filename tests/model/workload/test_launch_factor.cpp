// SPDX-License-Identifier: Apache-2.0
// Launches of one kernel differ, and take the kernel's time in the mean.
#include <gtest/gtest.h>

#include <set>

#include "model/workload/launch_factor.h"

namespace tessera::workload {
namespace {

constexpr std::uint32_t kSpread = 300'000;

TEST(LaunchFactor, TheMeanOfARunIsOneHoweverFewLaunchesThereAre) {
  for (std::uint64_t count = 1; count <= 40; ++count) {
    for (const std::uint64_t key : {1U, 7U, 1234U}) {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < count; ++i) sum += spread_factor_ppm(kSpread, key, i, count);
      EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(count), 1e6, 1) << count << " launches";
    }
  }
}

TEST(LaunchFactor, EveryLaunchHasAnotherValueBetweenTheBounds) {
  constexpr std::uint64_t kCount = 100;
  std::set<std::uint64_t> values;
  for (std::uint64_t i = 0; i < kCount; ++i) values.insert(spread_factor_ppm(kSpread, 5, i, kCount));
  EXPECT_EQ(values.size(), kCount);
  // The outermost of `count` values lie half a step inside the bounds.
  EXPECT_EQ(*values.begin(), 1'000'000 - kSpread + kSpread / kCount);
  EXPECT_EQ(*values.rbegin(), 1'000'000 + kSpread - kSpread / kCount);
}

TEST(LaunchFactor, WithoutSpreadOrASecondLaunchNothingChanges) {
  EXPECT_EQ(spread_factor_ppm(0, 3, 1, 9), 1'000'000U);
  EXPECT_EQ(spread_factor_ppm(kSpread, 3, 0, 1), 1'000'000U);
}

TEST(LaunchFactor, ScalesTheMeanAndItsSpreadAlike) {
  const TbTime half = scaled({1000, 300}, 500'000);
  EXPECT_EQ(half.mean, 500U);
  EXPECT_EQ(half.half_spread, 150U);
  EXPECT_EQ(scaled({3, 2}, 1).mean, 1U);  // a thread block takes a cycle at least
  EXPECT_EQ(scaled({3, 2}, 1).half_spread, 0U);
  EXPECT_EQ(scaled({kNever, 0}, 2'000'000).mean, kNever);
}

}  // namespace
}  // namespace tessera::workload
