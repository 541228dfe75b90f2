// SPDX-License-Identifier: Apache-2.0
// How many instructions a thread block has executed, and whether it can still start again from nothing ([S16] 2.3,
// 3.3.2; docs/concepts/readings.md, Progress). Instructions are not simulated: progress is a function of the time that
// it ran.
#pragma once

#include <array>
#include <cstdint>

#include "model/base/time.h"
#include "model/workload/tb_durations.h"

namespace tessera::workload {

inline constexpr std::uint32_t kMaxProgressSpreadPpm = 900'000;  // a tenth is left of what may never be nothing

// What TBs of a kernel have in common, in parts per million.
struct ProgressSpreads {
  std::uint32_t work_ppm = 0;       // of what a TB's time differs from the mean: instructions; the rest is CPI
  std::uint32_t segment_ppm = 0;    // how much CPI differs between the eighths of a TB's instructions
  std::uint32_t neighbour_ppm = 0;  // and alike for TBs with close numbers: in their durations already

  bool are_allowed() const {
    return work_ppm <= kMillion && segment_ppm <= kMaxProgressSpreadPpm && neighbour_ppm <= kMaxProgressSpreadPpm;
  }
};

// Cycles are those for which the TB ran, in all, whatever preempted it meanwhile.
class TbProgress {
 public:
  static constexpr std::uint32_t kNumSegments = 8;
  static constexpr std::uint32_t kMeanWeight = 65'536;

  TbProgress() = default;                                  // one instruction a cycle
  TbProgress(ProgressSpreads spreads, std::uint64_t key);  // key: the launch_key of the launch

  // `durations` are those of the launch
  std::uint64_t instructions(const TbDurations& durations, std::uint32_t tb) const;             // kNumSegments at least
  std::uint64_t executed(const TbDurations& durations, std::uint32_t tb, Cycle run_for) const;  // instructions
  // Whether it has executed less than `until_ppm` of its instructions.
  bool is_before_point(const TbDurations& durations, std::uint32_t tb, Cycle run_for, std::uint32_t until_ppm) const;
  // Segments of equal instructions, and in which ratio they share its time.
  std::array<std::uint32_t, kNumSegments> segment_weights(std::uint32_t tb) const;

 private:
  // An exact ratio of two integers below 2^71: times a million or a number of instructions they fit.
  struct Share {
    Uint128 part, whole;
  };
  Share share_executed(Cycle duration, std::uint32_t tb, Cycle run_for) const;

  ProgressSpreads spreads_;
  std::uint64_t key_ = 0;
};

}  // namespace tessera::workload
