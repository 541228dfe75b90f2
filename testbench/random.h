// SPDX-License-Identifier: Apache-2.0
// The testbench's draws: a generator and distributions of our own, so that a seed means the same everywhere.
#pragma once

#include <array>
#include <cstdint>

#include "model/base/time.h"
#include "model/workload/tb_durations.h"

namespace tessera::testbench {

// A number of cycles (or of anything else) between two bounds, both included.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(workload::mix64(seed ^ 0x7E55E7A5EEDULL)) {}

  std::uint64_t next() { return workload::mix64(state_ += 0x9E3779B97F4A7C15ULL); }
  std::uint64_t in(std::uint64_t first, std::uint64_t last) {
    return first + static_cast<std::uint64_t>(Uint128{next()} * (last - first + 1) >> 64);
  }
  std::uint64_t in(const Range& range) { return in(range.first, range.last); }
  std::uint32_t in32(std::uint32_t first, std::uint32_t last) { return static_cast<std::uint32_t>(in(first, last)); }
  bool one_in(std::uint64_t n) { return in(1, n) == 1; }
  bool chance(unsigned permille) { return permille != 0 && in(1, 1000) <= permille; }
  // One of the bits that are set, each as likely as the others.
  std::uint32_t bit_of(std::uint32_t mask) {
    std::uint32_t bit = in32(0, 31);
    while ((mask >> bit & 1) == 0) bit = in32(0, 31);
    return bit;
  }
  template <typename T, std::size_t N>
  T of(const std::array<T, N>& values) {
    return values[in(0, N - 1)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace tessera::testbench
