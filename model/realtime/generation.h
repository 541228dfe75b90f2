// SPDX-License-Identifier: Apache-2.0
// Random task sets ([Z21] 7.1), determined by a seed and a number.
#pragma once

#include <cstdint>
#include <optional>

#include "model/realtime/task_set.h"

namespace tessera::realtime {

struct GenerationOptions {
  std::uint32_t num_tasks = 50;
  std::uint32_t utilisation = 2;      // U, the sum of a / T: exact if the unit is a whole number of ms
  std::uint32_t memory_percent = 50;  // "prm": share of memory-intensive tasks
  std::uint32_t num_sms = 68;
  Nanoseconds time_unit = 1'000'000;                    // unit of periods 50 .. 4000
  std::uint32_t deadline_percent = 75;                  // D / T
  std::optional<std::uint32_t> max_task_utilisation{};  // UUniFast-Discard: redraws sets with a task above it
};

// Set `number` of the endless sequence of this seed. Throws std::runtime_error if 10,000 draws all have a task above
// the limit, or there are more than 5 million tasks per unit of U.
TaskSet generate(const GenerationOptions& options, std::uint64_t seed, std::uint64_t number);

}  // namespace tessera::realtime
