// SPDX-License-Identifier: Apache-2.0
// Speed of a thread block depending on the number resident on its SM ([S16] 4.2; docs/concepts/readings.md, Occupancy
// and speed): on an SM filled by its kernel it takes its nominal time; with fewer or more it is faster or slower.
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::workload {

inline constexpr std::uint32_t kMaxOccupancySpeedupPpm = 1'000'000;  // in both directions

// Work per cycle: 1 on a full SM.
struct Pace {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

// With p = speedup_ppm / 10^6, T = tbs_per_sm, n = resident: 1 + p (T / n - 1), and for p < 0 the inverse, 1 / (1 - p
// (T / n - 1)). `tbs_per_sm` and `resident` must be at least 1.
Pace pace_at(std::int32_t speedup_ppm, std::uint32_t tbs_per_sm, std::uint32_t resident);

// Remaining work of a TB whose pace changes, in units of 2^-16 of the work per cycle on a full SM. Rounding is part of
// the definition: work done is rounded down, time is rounded up.
class PacedWork {
 public:
  PacedWork() = default;
  // `cycles` of work on a full SM from `start` on; the TB has already run for `ran_for`.
  PacedWork(Cycle cycles, Cycle start, Cycle ran_for);

  void run_until(Cycle now, Pace pace);  // at this pace since the last call
  Cycle ends_at(Pace pace) const;        // at this pace from the last run_until() on
  // Remaining cycles on a full SM, rounded up, of a TB that has run at this pace.
  Cycle left_at(Cycle now, Pace pace) const;
  Cycle ran_for(Cycle now) const { return now - began_; }

 private:
  std::uint64_t left_ = 0;
  Cycle since_ = 0;  // in the future: not yet started
  Cycle began_ = 0;
};

}  // namespace tessera::workload
