// SPDX-License-Identifier: Apache-2.0
// Shapes and durations that a profile lacks are those of other launches.
#include <gmock/gmock.h>

#include "importer/missing_fields.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace tessera::importer::test
