// SPDX-License-Identifier: Apache-2.0
// Small ones.
#include "campaign/silicon/statistics.h"

#include <algorithm>
#include <numeric>

#include "stats/percentile.h"

namespace tessera::campaign {

using spec::Measure;

double percent_of(const spec::Quantity& quantity) {
  return static_cast<double>(quantity.percentile) / spec::kPercentileUnit;
}

std::optional<double> percentile_of(std::vector<double> samples, const spec::Quantity& quantity) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return stats::percentile(samples, percent_of(quantity));
}

std::optional<double> median_of(const std::vector<double>& samples) {
  return samples.empty() ? std::nullopt : std::optional<double>(stats::median(samples));
}

std::optional<double> mean_of(const std::vector<double>& samples) {
  if (samples.empty()) return std::nullopt;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

std::optional<double> of_runs(const std::vector<RunTimes>& runs, const spec::Quantity& quantity,
                              const std::optional<std::size_t>& process) {
  if (quantity.measure == Measure::kThroughput && !process) {
    return std::accumulate(runs.begin(), runs.end(), 0.0,
                           [](double sum, const RunTimes& one) { return sum + one.per_second(); });
  }
  const RunTimes& its = runs.at(process.value_or(0));
  if (its.ended.empty()) return std::nullopt;
  if (quantity.measure == Measure::kThroughput) return its.per_second();
  if (quantity.measure == Measure::kLargest) return its.longest();
  return percentile_of(its.latencies(), quantity);
}

double pairs_in_order(const std::vector<double>& measured, const std::vector<double>& ours) {
  int count = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_alike = (measured[i] < measured[j]) == (ours.at(i) < ours.at(j)) &&
                            (measured[i] > measured[j]) == (ours.at(i) > ours.at(j));
      count += is_alike || measured[i] == measured[j] ? 1 : 0;
    }
  }
  return count;
}

}  // namespace tessera::campaign
