// SPDX-License-Identifier: Apache-2.0
// From the cells of a campaign to the values of a figure, and from values to the claims about them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "campaign/campaign.h"
#include "campaign/figure.h"

namespace tessera::campaign {

// What a workload adds to a value; nothing if it has none of what the value is about.
using Observe = std::function<std::optional<stats::Observation>(const Cell&)>;

// The value over all workloads of the group, and over each half of them where both have some.
Value measure(const Group& group, std::string panel, std::string series, const Observe& observe);

// The mean of a value of the figure; not a number where the figure has none such, since no workload told it.
double mean_of(const Figure& figure, const std::string& panel, const std::string& series, std::uint32_t num_processes);

// A claim about two numbers at each number of processes.
struct Comparison {
  double left = 0;
  double right = 0;
};
// Adds the claim to the figure: it holds if it does wherever there are two numbers to compare. Where there are none
// at all it is left out.
void claim(Figure& figure, std::string text, const std::vector<std::uint32_t>& num_processes,
           const std::function<Comparison(std::uint32_t)>& compare,
           const std::function<bool(double, double)>& holds = std::greater<>());

}  // namespace tessera::campaign
