// SPDX-License-Identifier: Apache-2.0
// Means over workloads, and how far to trust them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::stats {

// What one workload adds to a mean: the sum of some values and their number. Values of one workload are not
// independent of each other; those of two workloads are. Workloads of one stratum are alike.
struct Observation {
  std::uint32_t stratum = 0;
  double sum = 0;
  double count = 1;
};

struct Estimate {
  double mean = 0;
  double half_width = 0;   // of the 95 % confidence interval; 0 where a single workload tells nothing about it
  std::size_t number = 0;  // of workloads
};

// Sum of all values / number of all values, with the interval of the combined ratio estimator over strata (Cochran,
// "Sampling Techniques", 6.10; degrees of freedom after Satterthwaite, 5.16: a few strata may hold all of the
// variance). Strata count as one where any has a single workload.
Estimate estimate(const std::vector<Observation>& observations);

// How often something is so, in per cent. The interval is Wilson's ("Probable Inference", 1927), which has a width at 0
// and 100 % too; half_width is its longer side.
Estimate estimate_percent(std::size_t times, std::size_t number);

// The two-sided 95 % quantile of Student's t, to 1 % at whole degrees of freedom (a table up to 2, Cornish-Fisher
// above).
double t_quantile_95(double degrees_of_freedom);

}  // namespace tessera::stats
