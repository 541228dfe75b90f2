// SPDX-License-Identifier: Apache-2.0
// Turns of ready tasks by weights, XSched's bandwidth policy (OSDI 2025): in a ring, each for its share of a round. A
// task that is not ready loses the rest of its turn to one that is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/task.h"

namespace tessera::command_scheduling {

class WeightedTurns {
 public:
  // Weights of at least 1, by task; a task's turn lasts `round` times its weight over the sum, and at least a cycle.
  WeightedTurns(const std::vector<std::uint32_t>& weights, Cycle round);

  // Call in order of time. `is_ready`: by task. None: no task is ready.
  std::optional<TaskId> choose(Cycle now, const std::vector<bool>& is_ready);
  Cycle end() const { return owner_ ? end_ : kNever; }  // of the turn

 private:
  std::vector<Cycle> turns_;
  std::optional<TaskId> owner_;
  std::size_t last_ = 0;  // task after which the ring goes on
  Cycle end_ = 0;
};

}  // namespace tessera::command_scheduling
