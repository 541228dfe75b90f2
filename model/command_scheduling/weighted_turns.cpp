// SPDX-License-Identifier: Apache-2.0
#include "model/command_scheduling/weighted_turns.h"

#include <algorithm>
#include <numeric>

namespace tessera::command_scheduling {

WeightedTurns::WeightedTurns(const std::vector<std::uint32_t>& weights, Cycle round) {
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  for (const std::uint32_t weight : weights) {
    turns_.push_back(std::max<Cycle>(1, static_cast<Cycle>(Uint128{round} * weight / sum)));
  }
  last_ = turns_.empty() ? 0 : turns_.size() - 1;
}

std::optional<TaskId> WeightedTurns::choose(Cycle now, const std::vector<bool>& is_ready) {
  // 1. Who has the turn keeps it until its end, while it is ready.
  if (owner_ && is_ready[static_cast<std::size_t>(*owner_)] && now < end_) return owner_;
  // 2. The next one in the ring that is ready, itself last.
  owner_.reset();
  for (std::size_t i = 1; i <= turns_.size(); ++i) {
    const std::size_t next = (last_ + i) % turns_.size();
    if (!is_ready[next]) continue;
    owner_ = TaskId(next);
    last_ = next;
    end_ = now + turns_[next];
    break;
  }
  return owner_;
}

}  // namespace tessera::command_scheduling
