// SPDX-License-Identifier: Apache-2.0
// How far a TB has come (docs/concepts/readings.md, Progress), against a walk through its cycles one by one.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "model/workload/kernel_model.h"
#include "model/workload/tb_progress.h"

namespace tessera::workload {
namespace {

constexpr std::uint32_t kSegments = TbProgress::kNumSegments;
constexpr std::uint64_t kWhole = 1'000'000;  // ppm

// All of the range: rapidcheck would begin with small values only.
std::uint64_t in(std::uint64_t first, std::uint64_t last) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(first, last + 1));
}
std::uint32_t any_spread() { return in(0, 2) == 0 ? 0 : static_cast<std::uint32_t>(in(1, kMaxProgressSpreadPpm)); }

// A cycle is as many ticks as the weights sum up to: a segment takes duration x weight of them, a whole number.
class CycleByCycle {
 public:
  CycleByCycle(const TbProgress& progress, std::uint32_t tb, Cycle duration)
      : weights_(progress.segment_weights(tb)), duration_(duration) {
    for (const std::uint32_t weight : weights_) ticks_per_cycle_ += weight;
  }

  void run_one_cycle() {
    for (std::uint64_t tick = 0; tick < ticks_per_cycle_;) {
      const std::uint64_t step = std::min(ticks_per_cycle_ - tick, duration_ * weights_[segment_] - ticks_in_segment_);
      tick += step;
      ticks_in_segment_ += step;
      if (ticks_in_segment_ < duration_ * weights_[segment_]) continue;
      ticks_in_segment_ = 0;
      if (++segment_ == kSegments) return;
    }
  }
  // `of` times the share executed, rounded down; whether that share is below `ppm`.
  std::uint64_t share_of(std::uint64_t of) const {
    const Uint128 eighths = of * segment_;
    if (segment_ == kSegments) return of;
    const std::uint64_t length = duration_ * weights_[segment_];
    return static_cast<std::uint64_t>((eighths * length + Uint128{of} * ticks_in_segment_) / (kSegments * length));
  }
  bool is_below(std::uint32_t ppm) const {
    if (segment_ == kSegments) return kWhole < ppm;
    const std::uint64_t length = duration_ * weights_[segment_];
    return (Uint128{segment_} * length + ticks_in_segment_) * kWhole < Uint128{kSegments} * length * ppm;
  }

 private:
  std::array<std::uint32_t, kSegments> weights_;
  Cycle duration_;
  std::uint64_t ticks_per_cycle_ = 0, ticks_in_segment_ = 0;
  std::uint32_t segment_ = 0;
};

struct AnyTb {
  explicit AnyTb(Cycle max_mean) {
    const Cycle mean = in(1, max_mean);
    const ProgressSpreads spreads{any_spread(), any_spread(), any_spread()};
    const std::uint64_t key = in(0, ~std::uint64_t{0} - 1);
    durations = TbDurations({mean, in(0, mean - 1)}, key, spreads.neighbour_ppm);
    progress = TbProgress(spreads, key);
    tb = static_cast<std::uint32_t>(in(0, ~std::uint32_t{0}));
  }
  Cycle duration() const { return durations.of(tb); }
  std::uint64_t executed(Cycle run_for) const { return progress.executed(durations, tb, run_for); }

  TbDurations durations;
  TbProgress progress;
  std::uint32_t tb = 0;
};

RC_GTEST_PROP(TbProgress, IsThatOfAWalkThroughItsCycles, ()) {
  const AnyTb any(300);
  const std::uint64_t instructions = any.progress.instructions(any.durations, any.tb);
  CycleByCycle walk(any.progress, any.tb, any.duration());
  const auto until = static_cast<std::uint32_t>(in(0, kWhole));
  for (Cycle run_for = 0; run_for < any.duration(); ++run_for) {
    RC_ASSERT(any.executed(run_for) == walk.share_of(instructions));
    RC_ASSERT(any.progress.is_before_point(any.durations, any.tb, run_for, until) == walk.is_below(until));
    walk.run_one_cycle();
  }
  RC_ASSERT(walk.share_of(1) == 1U);
  RC_ASSERT(any.executed(any.duration()) == instructions);
}

RC_GTEST_PROP(TbProgress, NeverGoesBackAndEndsWithTheLastInstruction, ()) {
  const AnyTb any(kNever / 4);
  const Cycle earlier = in(0, any.duration()), later = in(earlier, any.duration());
  RC_ASSERT(any.executed(0) == 0U);
  RC_ASSERT(any.executed(earlier) <= any.executed(later));
  RC_ASSERT(any.executed(any.duration() - 1) < any.progress.instructions(any.durations, any.tb));
  RC_ASSERT(any.executed(any.duration()) == any.progress.instructions(any.durations, any.tb));
  RC_ASSERT(any.progress.is_before_point(any.durations, any.tb, any.duration() - 1, kWhole));
  RC_ASSERT(!any.progress.is_before_point(any.durations, any.tb, any.duration(), kWhole));
  RC_ASSERT(!any.progress.is_before_point(any.durations, any.tb, 0, 0));
}

RC_GTEST_PROP(TbProgress, WithoutSpreadsIsAnInstructionACycle, ()) {
  const std::vector<Cycle> durations{in(kSegments, kNever - 1)};
  const Cycle run_for = in(0, durations[0]);
  for (const TbProgress& progress : {TbProgress(), TbProgress({}, in(0, kWhole))}) {
    RC_ASSERT(progress.instructions(TbDurations(durations), 0) == durations[0]);
    RC_ASSERT(progress.executed(TbDurations(durations), 0, run_for) == run_for);
  }
}

RC_GTEST_PROP(TbProgress, OfEqualSegmentsReachesThePointAfterThatShareOfItsTime, ()) {
  const std::uint64_t key = in(0, kWhole);
  const TbDurations durations({in(1, kNever / 4), 0}, key, any_spread());
  const TbProgress progress({any_spread(), 0, any_spread()}, key);
  const auto tb = static_cast<std::uint32_t>(in(0, 1'000));
  const auto until = static_cast<std::uint32_t>(in(0, kWhole));
  const Cycle duration = durations.of(tb), about = mul_div_floor(duration, until, kWhole);
  for (const Cycle run_for : {in(0, duration), about, std::min(about + 1, duration)}) {
    RC_ASSERT(progress.is_before_point(durations, tb, run_for, until) ==
              (Uint128{run_for} * kWhole < Uint128{duration} * until));
  }
}

TEST(TbProgress, AShortTbHasAnInstructionForEachSegment) {
  for (Cycle cycles = 1; cycles <= kSegments; ++cycles) {
    EXPECT_EQ(TbProgress().instructions(TbDurations({cycles, 0}, 1), 0), kSegments);
  }
}

// ---- the spreads -----------------------------------------------------------------------------------------

constexpr std::uint32_t kHalf = 500'000;
constexpr std::uint32_t kManyTbs = 20'000;
constexpr Cycle kLong = 1'000'000'000;

// Uniform in 1 +- 0.5: the mean of n scatters by 0.29 / sqrt(n); four times that.
const double kNearOne = 4 * 0.5 / std::sqrt(3.0 * kManyTbs);

// Of a mean of 1000 cycles, by hand: a TB of 1301 differs by 301, of which half is 150.5.
TEST(TbProgress, WorkShareIsThePartOfADurationsDistanceFromTheMeanThatIsInstructions) {
  const TbDurations durations({1000, 400}, 7);
  const TbProgress none({0, 0, 0}, 7), half({500'000, 0, 0}, 7), all({1'000'000, 0, 0}, 7);
  for (std::uint32_t tb = 0; tb < 1000; ++tb) {
    const Cycle cycles = durations.of(tb);
    EXPECT_EQ(none.instructions(durations, tb), 1000U);
    EXPECT_EQ(all.instructions(durations, tb), cycles);
    const Cycle distance = cycles < 1000 ? 1000 - cycles : cycles - 1000;
    const Cycle rounded = (distance + 1) / 2;
    EXPECT_EQ(half.instructions(durations, tb), cycles < 1000 ? 1000 - rounded : 1000 + rounded) << cycles;
  }
}

TEST(TbProgress, WeightsOfSegmentsAreSpreadAroundTheirMeanAndStayInBounds) {
  constexpr std::uint64_t kMean = TbProgress::kMeanWeight;
  const TbProgress progress({0, kHalf, 0}, 9);
  double sum = 0;
  std::set<std::array<std::uint32_t, kSegments>> different;
  for (std::uint32_t tb = 0; tb < kManyTbs; ++tb) {
    const auto weights = progress.segment_weights(tb);
    different.insert(weights);
    for (const std::uint32_t weight : weights) {
      EXPECT_GE(weight, kMean / 2);
      EXPECT_LE(weight, kMean + kMean / 2);
      sum += weight;
    }
  }
  EXPECT_EQ(different.size(), kManyTbs);
  EXPECT_NEAR(sum / (kMean * kSegments * kManyTbs), 1, kNearOne);
}

TEST(TbProgress, NoSpreadChangesWhatAnotherDraws) {
  const TbDurations plain({kLong, kLong / 2}, 9), alike({kLong, kLong / 2}, 9, kHalf);
  const TbProgress one({kHalf, 0, 0}, 9), all({kHalf, kHalf, kHalf}, 9), segments({0, kHalf, 0}, 9);
  for (std::uint32_t tb = 0; tb < 1'000; ++tb) {
    EXPECT_EQ(all.instructions(alike, tb), one.instructions(plain, tb));  // longer, but not more of them
    EXPECT_EQ(all.segment_weights(tb), segments.segment_weights(tb));
    EXPECT_EQ(alike.drawn(tb), plain.of(tb));
  }
}

}  // namespace
}  // namespace tessera::workload
