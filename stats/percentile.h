// SPDX-License-Identifier: Apache-2.0
// Percentiles of samples, and how far chance alone moves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::stats {

// Between the two samples around it in proportion (R's type 7, NumPy's default). `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double percent);
double median(std::vector<double> samples);

struct Interval {
  double low = 0;
  double high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
};

// The middle 95 % of the percentile of `count` samples that are drawn from `sorted`, with replacement, again and again:
// where the percentile of so many would come out. The same for the same seed.
Interval drawn_interval(const std::vector<double>& sorted, double percent, std::size_t count, std::uint64_t seed);

}  // namespace tessera::stats
