// SPDX-License-Identifier: Apache-2.0
// When runs are released: evenly, as listed, or by draws that are exponential, integers, and always the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/spec/spec.h"
#include "model/workload/draws.h"
#include "model/workload/releases.h"

namespace tessera::workload {
namespace {

using testing::ElementsAre;

constexpr Picoseconds kUs = 1'000'000;

spec::Spec spec_of(const spec::ReleaseSpec& releases, Picoseconds start = 0) {
  spec::Spec spec;
  spec.processes.resize(2);
  for (spec::ProcessSpec& process : spec.processes) {
    process.releases = releases;
    process.start = start;
  }
  return spec;
}

std::vector<Picoseconds> first_of(const spec::Spec& spec, std::size_t count, std::uint32_t process = 0) {
  ReleaseTimes times(spec, process);
  std::vector<Picoseconds> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(times.next().value());
  return all;
}

TEST(ReleaseTimes, ArePeriodicFromStartAndOffset) {
  const spec::Spec spec = spec_of({spec::Arrivals::kPeriodic, 7 * kUs, 2 * kUs}, 100 * kUs);
  EXPECT_THAT(first_of(spec, 3), ElementsAre(102 * kUs, 109 * kUs, 116 * kUs));
}

TEST(ReleaseTimes, AreThoseOfAFileFromStartAndOffsetAndThenOver) {
  const spec::Spec spec =
      spec_of({spec::Arrivals::kFile, 0, 2 * kUs, spec::Overrun::kQueue, {0, 5 * kUs, 5 * kUs}}, 100 * kUs);
  ReleaseTimes times(spec, 0);
  EXPECT_EQ(times.next(), 102 * kUs);
  EXPECT_EQ(times.next(), 107 * kUs);
  EXPECT_EQ(times.next(), 107 * kUs);
  EXPECT_EQ(times.next(), std::nullopt);
  EXPECT_EQ(times.next(), std::nullopt);
}

// With 2^-64 for the unit of a draw, it is -ln of the draw that follows: never that of 0.
TEST(NegativeLog, IsThatOfTheMathematicalLibrary) {
  constexpr double kUnit = 1.0 / (std::uint64_t{1} << kLogBits);
  std::vector<std::uint64_t> draws{0, 1, 2, 3, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, ~std::uint64_t{0}};
  for (std::uint64_t i = 0; i < 10'000; ++i) draws.push_back(mix64(i) >> i % 64);
  for (const std::uint64_t draw : draws) {
    const double u = std::ldexp(static_cast<double>(draw) + 1, -64);
    EXPECT_NEAR(static_cast<double>(negative_log(draw)) * kUnit, -std::log(u), 4 * kUnit + 1e-12) << draw;
  }
  EXPECT_EQ(negative_log(~std::uint64_t{0}), 0U);
}

TEST(ReleaseTimes, ThatAreDrawnAreExponentiallyApart) {
  constexpr std::size_t kCount = 100'000;
  constexpr double kMean = 250.0 * kUs;
  const spec::Spec spec = spec_of({spec::Arrivals::kPoisson, 250 * kUs});
  const std::vector<Picoseconds> times = first_of(spec, kCount);
  double sum = 0, squares = 0;
  std::size_t num_beyond_mean = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto gap = static_cast<double>(times[i] - (i == 0 ? 0 : times[i - 1]));
    sum += gap;
    squares += gap * gap;
    num_beyond_mean += gap > kMean ? 1 : 0;
  }
  // Of so many, mean and deviation lie that close to their expectation with three standard errors and more.
  EXPECT_NEAR(sum / kCount, kMean, 0.01 * kMean);
  EXPECT_NEAR(std::sqrt(squares / kCount - sum / kCount * sum / kCount), kMean, 0.02 * kMean);
  EXPECT_NEAR(static_cast<double>(num_beyond_mean) / kCount, std::exp(-1.0), 0.01);
}

TEST(ReleaseTimes, ThatAreUniformBeginAtOnceAndKeepToTheSpread) {
  spec::ReleaseSpec releases{spec::Arrivals::kUniform, 100 * kUs, 2 * kUs};
  releases.period_spread_ppm = 500'000;
  const std::vector<Picoseconds> times = first_of(spec_of(releases, 10 * kUs), 20'000);
  EXPECT_EQ(times[0], 12 * kUs);
  Picoseconds least = times[1] - times[0], most = least;
  for (std::size_t i = 1; i < times.size(); ++i) {
    least = std::min(least, times[i] - times[i - 1]);
    most = std::max(most, times[i] - times[i - 1]);
  }
  EXPECT_GE(least, 50 * kUs);
  EXPECT_LT(least, 50.1 * kUs);
  EXPECT_LE(most, 150 * kUs);
  EXPECT_GT(most, 149.9 * kUs);
  EXPECT_NEAR(static_cast<double>(times.back()) / 19'999, 100.0 * kUs, 1.0 * kUs);
}

TEST(Pauses, AreDrawnForEachRunWithinTheSpread) {
  spec::Spec spec;
  spec.processes.resize(1);
  spec.processes[0].pause = 100 * kUs;
  EXPECT_EQ(pause_before(spec, 0, 3), 100 * kUs);
  spec.processes[0].pause_spread_ppm = 250'000;
  double sum = 0;
  for (std::uint32_t run = 0; run < 10'000; ++run) {
    const Picoseconds pause = pause_before(spec, 0, run);
    EXPECT_TRUE(75 * kUs <= pause && pause <= 125 * kUs) << pause;
    sum += static_cast<double>(pause);
  }
  EXPECT_NEAR(sum / 10'000, 100.0 * kUs, 0.5 * kUs);
  EXPECT_NE(pause_before(spec, 0, 0), pause_before(spec, 0, 1));
}

TEST(ReleaseTimes, HangOnSeedProcessAndNumberAlone) {
  spec::Spec spec = spec_of({spec::Arrivals::kPoisson, 250 * kUs});
  const std::vector<Picoseconds> times = first_of(spec, 100);
  EXPECT_EQ(times, first_of(spec, 100));
  EXPECT_NE(times, first_of(spec, 100, 1)) << "another process";
  spec::Spec other = spec;
  other.scheduler.policy = spec::PolicyKind::kDss;
  other.processes[0].deadline = kUs;
  EXPECT_EQ(times, first_of(other, 100));
  other.seed = 2;
  EXPECT_NE(times, first_of(other, 100));
  spec.processes[0].releases->period = 500 * kUs;
  const std::vector<Picoseconds> slower = first_of(spec, 100);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(slower[i]), 2.0 * static_cast<double>(times[i]), 100) << "the same draws";
  }
}

}  // namespace
}  // namespace tessera::workload
