// SPDX-License-Identifier: Apache-2.0
// Summary of a distribution of durations.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "model/base/time.h"
#include "model/record/metrics/histogram.h"

namespace tessera::record {

// In cycles. The mean is sum / count; p99 as in Histogram.
struct CycleStats {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  Cycle min = 0;
  Cycle p99 = 0;
  Cycle max = 0;

  double mean() const { return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count); }
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CycleStats, count, sum, min, p99, max)

inline CycleStats stats_of(const Histogram& histogram) {
  return {histogram.count(), histogram.sum(), histogram.min(), histogram.percentile(99), histogram.max()};
}

}  // namespace tessera::record
