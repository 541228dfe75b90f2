// SPDX-License-Identifier: Apache-2.0
// Draws by a generator of the standard library, reduced by hand: its distributions differ between libraries.
#include "stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::stats {
namespace {

constexpr std::size_t kRepetitions = 2000;

}  // namespace

double percentile(const std::vector<double>& sorted, double percent) {
  const double rank = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return percentile(samples, 50);
}

Interval drawn_interval(const std::vector<double>& sorted, double percent, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> found;
  std::vector<std::size_t> places(count);  // sorting these sorts what they name
  std::vector<double> drawn(count);
  for (std::size_t i = 0; i < kRepetitions; ++i) {
    for (std::size_t& place : places) place = random() % sorted.size();
    std::sort(places.begin(), places.end());
    for (std::size_t k = 0; k < count; ++k) drawn[k] = sorted[places[k]];
    found.push_back(percentile(drawn, percent));
  }
  std::sort(found.begin(), found.end());
  return {percentile(found, 2.5), percentile(found, 97.5)};
}

}  // namespace tessera::stats
