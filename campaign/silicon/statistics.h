// SPDX-License-Identifier: Apache-2.0
// Statistics that rows have of what was measured and of what is predicted.
// Internal to campaign/silicon.
#pragma once

#include <optional>
#include <vector>

#include "campaign/silicon/run_times.h"
#include "model/spec/measured/quantity.h"

namespace tessera::campaign {

double percent_of(const spec::Quantity& quantity);

// Empty without samples.
std::optional<double> percentile_of(std::vector<double> samples, const spec::Quantity& quantity);
std::optional<double> median_of(const std::vector<double>& samples);
std::optional<double> mean_of(const std::vector<double>& samples);

// Of one process, or of all where that has a meaning.
std::optional<double> of_runs(const std::vector<RunTimes>& runs, const spec::Quantity& quantity,
                              const std::optional<std::size_t>& process);

// Of all pairs, those that both sides order alike; a pair that was measured equal is one of them.
double pairs_in_order(const std::vector<double>& measured, const std::vector<double>& ours);

}  // namespace tessera::campaign
