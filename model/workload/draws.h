// SPDX-License-Identifier: Apache-2.0
// Random draws from a stateless counter-based generator (docs/concepts/readings.md, Chance).
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::workload {

inline constexpr std::uint64_t kMillion = 1'000'000;  // denominator of ratios in ppm

// A well-mixed function of its argument (the finaliser of splitmix64).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// Draw `number` of the stream `key`: 64 uniform bits.
constexpr std::uint64_t draw(std::uint64_t key, std::uint64_t number) {
  return mix64(key + 0x9E3779B97F4A7C15ULL * (number + 1));
}

// A draw scaled to 0 .. width - 1, rounded down.
constexpr std::uint64_t draw_below(std::uint64_t key, std::uint64_t number, std::uint64_t width) {
  return static_cast<std::uint64_t>(Uint128{draw(key, number)} * width >> 64);
}

// An integer uniform in middle - half .. middle + half.
constexpr std::uint64_t draw_around(std::uint64_t key, std::uint64_t number, std::uint64_t middle, std::uint64_t half) {
  return middle - half + draw_below(key, number, 2 * half + 1);
}

// Further streams of a launch; the TBs' durations use the launch's own key. A process's first launch also has the
// streams of the process's arrivals and suspensions.
enum class Stream : std::uint64_t {
  kNeighbourCpi = 0x6E65696768626F75,
  kSegmentCpi = 0x7365676D656E7400,
  kArrivals = 0x6172726976616C73,
  kSuspensions = 0x73757370656E6473
};
constexpr std::uint64_t stream_key(std::uint64_t launch_key, Stream stream) {
  return mix64(launch_key ^ static_cast<std::uint64_t>(stream));
}

}  // namespace tessera::workload
