// SPDX-License-Identifier: Apache-2.0
// Values and claims, both with the numbers they rest on.
#include "campaign/measure.h"

#include <fmt/format.h>

#include <cmath>

namespace tessera::campaign {

Value measure(const Group& group, std::string panel, std::string series, const Observe& observe) {
  std::vector<stats::Observation> all;
  std::vector<stats::Observation> halves[2];
  for (const Cell& cell : group.cells) {
    const std::optional<stats::Observation> one = observe(cell);
    if (!one) continue;
    all.push_back(*one);
    halves[cell.workload.is_held_out ? 1 : 0].push_back(*one);
  }
  Value value{std::move(panel), std::move(series), group.num_processes, {}, {}, stats::estimate(all), {}, {}};
  if (halves[0].empty() || halves[1].empty()) return value;
  value.calibration = stats::estimate(halves[0]);
  value.held_out = stats::estimate(halves[1]);
  return value;
}

double mean_of(const Figure& figure, const std::string& panel, const std::string& series, std::uint32_t num_processes) {
  for (const Value& value : figure.values) {
    if (value.panel == panel && value.series == series && value.num_processes == num_processes) return value.ours.mean;
  }
  return std::nan("");
}

void claim(Figure& figure, std::string text, const std::vector<std::uint32_t>& num_processes,
           const std::function<Comparison(std::uint32_t)>& compare, const std::function<bool(double, double)>& holds) {
  Ordering ordering{std::move(text), true, ""};
  for (const std::uint32_t n : num_processes) {
    const auto [left, right] = compare(n);
    if (std::isnan(left) || std::isnan(right)) continue;
    ordering.holds = ordering.holds && holds(left, right);
    ordering.evidence += fmt::format("{}{}: {:.3g} and {:.3g}", ordering.evidence.empty() ? "" : "; ", n, left, right);
  }
  if (!ordering.evidence.empty()) figure.orderings.push_back(std::move(ordering));
}

}  // namespace tessera::campaign
