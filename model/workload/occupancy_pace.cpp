// SPDX-License-Identifier: Apache-2.0
// Ratios of integers: two runs never differ by a rounding that is not told.
#include "model/workload/occupancy_pace.h"

#include <algorithm>

namespace tessera::workload {
namespace {

constexpr unsigned kWorkBits = 16;  // behind the point
constexpr std::int64_t kWhole = 1'000'000;

}  // namespace

Pace pace_at(std::int32_t speedup_ppm, std::uint32_t tbs_per_sm, std::uint32_t resident) {
  const std::int64_t full = kWhole * resident;
  const std::int64_t fewer = std::int64_t{tbs_per_sm} - resident;
  if (speedup_ppm >= 0)
    return {static_cast<std::uint64_t>(full + speedup_ppm * fewer), static_cast<std::uint64_t>(full)};
  return {static_cast<std::uint64_t>(full), static_cast<std::uint64_t>(full - speedup_ppm * fewer)};
}

PacedWork::PacedWork(Cycle cycles, Cycle start, Cycle ran_for)
    : left_(cycles << kWorkBits), since_(start), began_(start - std::min(start, ran_for)) {}

void PacedWork::run_until(Cycle now, Pace pace) {
  if (now <= since_) return;
  const std::uint64_t done = mul_div_floor((now - since_) << kWorkBits, pace.numerator, pace.denominator);
  left_ -= std::min(left_, done);
  since_ = now;
}

Cycle PacedWork::ends_at(Pace pace) const {
  return since_ + mul_div_ceil(left_, pace.denominator, pace.numerator << kWorkBits);
}

Cycle PacedWork::left_at(Cycle now, Pace pace) const {
  PacedWork then = *this;
  then.run_until(now, pace);
  return (then.left_ + (std::uint64_t{1} << kWorkBits) - 1) >> kWorkBits;
}

}  // namespace tessera::workload
