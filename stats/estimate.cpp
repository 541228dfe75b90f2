// SPDX-License-Identifier: Apache-2.0
// The variance of a ratio is that of the residuals sum - mean * count, stratum by stratum.
#include "stats/estimate.h"

#include <cmath>
#include <map>

namespace tessera::stats {
namespace {

constexpr double kZ = 1.959964;  // the normal distribution's

struct Moments {
  double sum = 0;
  double squares = 0;
  std::size_t number = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++number;
  }
  // n times the variance of a single value, the mean taken from the same values.
  double variance_of_sum() const {
    const auto n = static_cast<double>(number);
    return std::fmax(0, squares - sum * sum / n) * n / (n - 1);
  }
};

using Strata = std::map<std::uint32_t, Moments>;

Strata residuals_by_stratum(const std::vector<Observation>& observations, double mean, bool is_stratified) {
  Strata strata;
  for (const Observation& one : observations) strata[is_stratified ? one.stratum : 0].add(one.sum - mean * one.count);
  return strata;
}

bool has_single(const Strata& strata) {
  for (const auto& [stratum, residuals] : strata) {
    if (residuals.number < 2) return true;
  }
  return false;
}

}  // namespace

Estimate estimate(const std::vector<Observation>& observations) {
  double sum = 0;
  double count = 0;
  for (const Observation& one : observations) {
    sum += one.sum;
    count += one.count;
  }
  if (count == 0) return {};
  Estimate result{sum / count, 0, observations.size()};
  if (observations.size() < 2) return result;
  Strata strata = residuals_by_stratum(observations, result.mean, true);
  if (has_single(strata)) strata = residuals_by_stratum(observations, result.mean, false);
  double variance = 0;
  double by_freedom = 0;
  for (const auto& [stratum, residuals] : strata) {
    const double one = residuals.variance_of_sum();
    variance += one;
    by_freedom += one * one / static_cast<double>(residuals.number - 1);
  }
  if (variance == 0) return result;
  result.half_width = t_quantile_95(variance * variance / by_freedom) * std::sqrt(variance) / count;
  return result;
}

Estimate estimate_percent(std::size_t times, std::size_t number) {
  if (number == 0) return {};
  const auto n = static_cast<double>(number);
  const double rate = static_cast<double>(times) / n;
  constexpr double kZSquared = kZ * kZ;
  const double centre = (rate + kZSquared / (2 * n)) / (1 + kZSquared / n);
  const double half = kZ / (1 + kZSquared / n) * std::sqrt(rate * (1 - rate) / n + kZSquared / (4 * n * n));
  return {100 * rate, 100 * (half + std::abs(centre - rate)), number};
}

double t_quantile_95(double degrees_of_freedom) {
  constexpr double kAtOne = 12.706;
  constexpr double kAtTwo = 4.303;
  if (degrees_of_freedom <= 1) return kAtOne;
  // Geometric between whole ones, where the expansion is no use.
  if (degrees_of_freedom <= 2) return kAtOne * std::pow(kAtTwo / kAtOne, degrees_of_freedom - 1);
  constexpr double kAtThree = 3.182;
  if (degrees_of_freedom < 3) return kAtTwo * std::pow(kAtThree / kAtTwo, degrees_of_freedom - 2);
  const double n = degrees_of_freedom;
  constexpr double z = kZ;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

}  // namespace tessera::stats
