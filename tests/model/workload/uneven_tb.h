// SPDX-License-Identifier: Apache-2.0
// A thread block whose segments take very different shares of its time, and when it is half done.
#pragma once

#include <numeric>

#include "model/workload/tb_progress.h"

namespace tessera::workload::test {

inline const TbProgress kUneven({0, kMaxProgressSpreadPpm, 0}, 3);

// Half of the instructions are the first four of eight segments: the first cycle at whose start TB 0 has executed them.
inline Cycle cycles_to_half(const TbProgress& progress, Cycle duration) {
  const auto weights = progress.segment_weights(0);
  const std::uint64_t first_half = std::accumulate(weights.begin(), weights.begin() + 4, std::uint64_t{0});
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  return mul_div_ceil(duration, first_half, all);
}

}  // namespace tessera::workload::test
