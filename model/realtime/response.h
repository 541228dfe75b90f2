// SPDX-License-Identifier: Apache-2.0
// Worst-case response times under preemptive EDF in a partition of m SMs: M. Spuri's bound ("Analysis of Deadline
// Scheduled Real-Time Systems", 1996), exact over all offsets of the tasks' releases.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/realtime/task_set.h"

namespace tessera::realtime {

// Bound for each of the tasks (indices into the set) that share a partition, from its release, rounded up; empty if
// their utilisation is above 1. Throws std::length_error if the busy period has more than TestPoints::kMaxPoints
// deadlines.
std::vector<std::optional<Nanoseconds>> response_bounds(const TaskSet& set, const std::vector<std::uint32_t>& tasks,
                                                        std::uint32_t num_sms);

}  // namespace tessera::realtime
