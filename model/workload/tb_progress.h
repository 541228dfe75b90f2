// SPDX-License-Identifier: Apache-2.0
// Instructions that a thread block has executed, and whether it can still be restarted ([S16] 2.3, 3.3.2;
// docs/concepts/readings.md, Progress). Instructions are not simulated: progress is a function of its running time.
#pragma once

#include <array>
#include <cstdint>

#include "model/base/time.h"
#include "model/workload/tb_durations.h"

namespace tessera::workload {

inline constexpr std::uint32_t kMaxProgressSpreadPpm = 900'000;  // leaves at least a tenth, since CPI must not become 0

// Variation between TBs of a kernel, in parts per million.
struct ProgressSpreads {
  std::uint32_t work_ppm = 0;       // share of a TB's deviation from the mean time due to instructions; the rest is CPI
  std::uint32_t segment_ppm = 0;    // variation of CPI between the eighths of a TB's instructions
  std::uint32_t neighbour_ppm = 0;  // common variation of TBs with close numbers; already in their durations

  bool are_allowed() const {
    return work_ppm <= kMillion && segment_ppm <= kMaxProgressSpreadPpm && neighbour_ppm <= kMaxProgressSpreadPpm;
  }
};

// Cycles are the TB's total running time, without the times for which it was preempted.
class TbProgress {
 public:
  static constexpr std::uint32_t kNumSegments = 8;
  static constexpr std::uint32_t kMeanWeight = 65'536;

  TbProgress() = default;                                  // one instruction per cycle
  TbProgress(ProgressSpreads spreads, std::uint64_t key);  // key: the launch_key of the launch

  // `durations`: of the launch
  std::uint64_t instructions(const TbDurations& durations, std::uint32_t tb) const;             // at least kNumSegments
  std::uint64_t executed(const TbDurations& durations, std::uint32_t tb, Cycle run_for) const;  // instructions
  // Whether it has executed less than `until_ppm` of its instructions.
  bool is_before_point(const TbDurations& durations, std::uint32_t tb, Cycle run_for, std::uint32_t until_ppm) const;
  // Relative times of a TB's segments, which have equal numbers of instructions.
  std::array<std::uint32_t, kNumSegments> segment_weights(std::uint32_t tb) const;

 private:
  // An exact ratio of two integers below 2^71, so that multiplying by a million or by a number of instructions does not
  // overflow.
  struct Share {
    Uint128 part, whole;
  };
  Share share_executed(Cycle duration, std::uint32_t tb, Cycle run_for) const;

  ProgressSpreads spreads_;
  std::uint64_t key_ = 0;
};

}  // namespace tessera::workload
