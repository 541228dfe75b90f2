// SPDX-License-Identifier: Apache-2.0
// What thread blocks with close numbers have in common: they work on neighbouring data ([S16] 3.3.2;
// docs/concepts/readings.md, Progress 2).
#include "model/workload/tb_durations.h"

#include <algorithm>

namespace tessera::workload {

// One factor in kStep TBs is drawn; those between lie on a straight line.
Cycle TbDurations::with_neighbours(std::uint32_t tb, Cycle drawn) const {
  constexpr std::uint64_t kStep = 64;
  const std::uint64_t key = stream_key(key_, Stream::kNeighbourCpi);
  const std::uint64_t below = tb / kStep, beyond = tb % kStep;
  const std::uint64_t factor = (kStep - beyond) * draw_around(key, below, kMillion, neighbour_ppm_) +
                               beyond * draw_around(key, below + 1, kMillion, neighbour_ppm_);
  return std::max<Cycle>(1, mul_div_round(drawn, factor, kStep * kMillion));
}

}  // namespace tessera::workload
