// SPDX-License-Identifier: Apache-2.0
// One axis of a sweep: a list, a range, or named variants that set several keys.
// Internal to model/spec.
#pragma once

#include <vector>

#include "model/spec/mapping_reader.h"
#include "model/spec/overrides.h"
#include "model/spec/sweep/sweep_spec.h"

namespace tessera::spec {

inline constexpr std::size_t kMaxSweepPoints = 100'000;

struct ReadAxis {
  SweepAxis axis;
  std::vector<std::vector<Override>> values;  // by value: the overrides that it sets
  std::size_t num_values = 0;                 // also for a range that is too long to expand
};

ReadAxis read_axis(const Node& node, const KeyPath& path, Report& report);

}  // namespace tessera::spec
