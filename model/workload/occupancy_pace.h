// SPDX-License-Identifier: Apache-2.0
// How fast a thread block runs beside so many others ([S16] 4.2; docs/concepts/readings.md, Occupancy and speed): on an
// SM that its kernel fills it takes its own time; with fewer, or more, it is faster or slower.
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::workload {

inline constexpr std::uint32_t kMaxOccupancySpeedupPpm = 1'000'000;  // either way

// Work per cycle: 1 on a full SM.
struct Pace {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

// p = speedup_ppm / 10^6, T = tbs_per_sm, n = resident: 1 + p (T / n - 1), and with p below 0 the other way round,
// 1 / (1 - p (T / n - 1)). `tbs_per_sm` and `resident` are 1 or more.
Pace pace_at(std::int32_t speedup_ppm, std::uint32_t tbs_per_sm, std::uint32_t resident);

// What a TB still has to do, while its pace changes: in 2^-16 of what it does in a cycle on a full SM. Rounding is part
// of the definition: what is done is rounded down, and what it takes up.
class PacedWork {
 public:
  PacedWork() = default;
  // `cycles` on a full SM, from `start` on; it has run for `ran_for` before.
  PacedWork(Cycle cycles, Cycle start, Cycle ran_for);

  void run_until(Cycle now, Pace pace);  // at this pace since the last time that this was called
  Cycle ends_at(Pace pace) const;        // from there on at this pace
  // Of a TB that runs at this pace: in cycles on a full SM, rounded up.
  Cycle left_at(Cycle now, Pace pace) const;
  Cycle ran_for(Cycle now) const { return now - began_; }

 private:
  std::uint64_t left_ = 0;
  Cycle since_ = 0;  // may lie ahead: it has not started
  Cycle began_ = 0;
};

}  // namespace tessera::workload
