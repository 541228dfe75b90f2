// SPDX-License-Identifier: Apache-2.0
// Means and variances of CPI.
#include "model/preemption/drain_estimate.h"

#include <algorithm>

namespace tessera::preemption {

void CpiStatistics::add(Cycle cycles, std::uint64_t instructions) {
  if (instructions == 0) return;
  const Uint128 cpi = std::min<Uint128>((Uint128{cycles} << kCpiFractionBits) / instructions, kMaxCpi);
  ++count_;
  sum_ += cpi;
  sum_of_squares_ += cpi * cpi;
}

// The rounded mean's square is not good enough: it is off by up to twice the mean, which may be more than the spread.
// With the mean m + r / n, and D the sum of squared distances from m, the variance is D / n - (r / n)^2.
Uint128 CpiStatistics::variance() const {
  const Uint128 m = sum_ / count_;
  const Uint128 r = sum_ % count_;
  const Uint128 distances = sum_of_squares_ - (m * m * count_ + 2 * m * r);
  const bool borrows = distances % count_ * count_ < r * r;
  return distances / count_ - (borrows ? 1 : 0);
}

void FinishedTbs::add(Cycle cycles, std::uint64_t instructions) {
  ++count_;
  sum_instructions_ += instructions;
  cpi_.add(cycles, instructions);
}

std::optional<std::uint64_t> expected_cpi(spec::Estimator estimator, const CpiStatistics& running,
                                          const FinishedTbs& finished) {
  const CpiStatistics& past = finished.cpi();
  if (past.count() == 0) return std::nullopt;
  const bool is_running_steadier = running.count() > 0 && running.variance() < past.variance();
  return estimator == spec::Estimator::kLeastSpread && is_running_steadier ? running.mean() : past.mean();
}

Cycle remaining_cycles(std::uint64_t executed, const FinishedTbs& finished, std::uint64_t cpi) {
  if (finished.count() == 0) return kNever;
  const std::uint64_t mean = finished.mean_instructions();
  if (executed >= mean) return 0;
  const Uint128 one = Uint128{1} << kCpiFractionBits;
  return static_cast<Cycle>(std::min<Uint128>((Uint128{mean - executed} * cpi + one - 1) / one, kNever));
}

}  // namespace tessera::preemption
