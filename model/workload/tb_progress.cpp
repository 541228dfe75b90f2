// SPDX-License-Identifier: Apache-2.0
// Progress as exact ratios: two models that ask at the same cycle never differ by a rounding.
#include "model/workload/tb_progress.h"

#include <algorithm>

namespace tessera::workload {

TbProgress::TbProgress(ProgressSpreads spreads, std::uint64_t key) : spreads_(spreads), key_(key) {}

std::uint64_t TbProgress::instructions(const TbDurations& durations, std::uint32_t tb) const {
  const Cycle mean = durations.mean(tb);
  const Cycle drawn = durations.drawn(tb);
  const Cycle by_work = mul_div_round(drawn < mean ? mean - drawn : drawn - mean, spreads_.work_ppm, kMillion);
  return std::max<std::uint64_t>(kNumSegments, drawn < mean ? mean - by_work : mean + by_work);
}

std::uint64_t TbProgress::executed(const TbDurations& durations, std::uint32_t tb, Cycle run_for) const {
  const Share share = share_executed(durations.of(tb), tb, run_for);
  return static_cast<std::uint64_t>(instructions(durations, tb) * share.part / share.whole);
}

bool TbProgress::is_before_point(const TbDurations& durations, std::uint32_t tb, Cycle run_for,
                                 std::uint32_t until_ppm) const {
  const Share share = share_executed(durations.of(tb), tb, run_for);
  return share.part * kMillion < share.whole * until_ppm;
}

std::array<std::uint32_t, TbProgress::kNumSegments> TbProgress::segment_weights(std::uint32_t tb) const {
  const std::uint64_t key = stream_key(key_, Stream::kSegmentCpi);
  const std::uint64_t half = mul_div_round(kMeanWeight, spreads_.segment_ppm, kMillion);
  std::array<std::uint32_t, kNumSegments> weights{};
  for (std::uint32_t i = 0; i < kNumSegments; ++i) {
    const std::uint64_t number = std::uint64_t{tb} * kNumSegments + i;
    weights[i] = static_cast<std::uint32_t>(draw_around(key, number, kMeanWeight, half));
  }
  return weights;
}

// In units of a cycle over the sum of weights, segment i lasts duration x weight i.
TbProgress::Share TbProgress::share_executed(Cycle duration, std::uint32_t tb, Cycle run_for) const {
  if (run_for >= duration) return {1, 1};
  const std::array<std::uint32_t, kNumSegments> weights = segment_weights(tb);
  std::uint64_t sum = 0;
  for (const std::uint32_t weight : weights) sum += weight;
  Uint128 left = Uint128{run_for} * sum;
  std::uint32_t segment = 0;
  while (left >= Uint128{duration} * weights[segment]) left -= Uint128{duration} * weights[segment++];
  const Uint128 length = Uint128{duration} * weights[segment];
  return {segment * length + left, kNumSegments * length};
}

}  // namespace tessera::workload
