// SPDX-License-Identifier: Apache-2.0
// Duration of each thread block of a launch: a counter-based draw, or a list from a log.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/workload/draws.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

// Key of a launch's draws (docs/concepts/readings.md, Chance); a TB takes the same time in every model and under every
// policy.
constexpr std::uint64_t launch_key(std::uint64_t seed, std::uint32_t process, std::uint32_t run,
                                   std::uint32_t launch_in_run) {
  return mix64(draw(seed, process) ^ (std::uint64_t{run} << 32 | launch_in_run));
}

class TbDurations {
 public:
  TbDurations() = default;
  // With `neighbour_ppm` above 0, TBs with close numbers become longer or shorter together (docs/concepts/readings.md,
  // Progress 2). It has no effect on TBs that never end.
  TbDurations(TbTime time, std::uint64_t key, std::uint32_t neighbour_ppm = 0)
      : key_(key),
        base_(time.mean - time.half_spread),
        width_(2 * time.half_spread + 1),
        neighbour_ppm_(time.mean >= kNever ? 0 : neighbour_ppm) {
    if (base_ == 0) base_ = 1;
  }
  // `listed` must outlive this object; entry i is the duration of TB i in cycles, at least 1.
  explicit TbDurations(const std::vector<Cycle>& listed) : listed_(listed.data()) {}

  Cycle of(std::uint32_t tb) const {
    const Cycle cycles = drawn(tb);
    return neighbour_ppm_ == 0 ? cycles : with_neighbours(tb, cycles);
  }
  // The duration without the common variation of neighbouring TBs.
  Cycle drawn(std::uint32_t tb) const {
    if (listed_ != nullptr) return listed_[tb];
    return base_ + draw_below(key_, tb, width_);
  }
  // Mean of the draws; for a list, the TB's own duration.
  Cycle mean(std::uint32_t tb) const { return listed_ != nullptr ? listed_[tb] : base_ + width_ / 2; }

 private:
  Cycle with_neighbours(std::uint32_t tb, Cycle drawn) const;

  const Cycle* listed_ = nullptr;
  std::uint64_t key_ = 0;
  Cycle base_ = 1;
  Cycle width_ = 1;  // draws are base .. base + width - 1
  std::uint32_t neighbour_ppm_ = 0;
};

}  // namespace tessera::workload
