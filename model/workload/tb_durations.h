// SPDX-License-Identifier: Apache-2.0
// How long each thread block of a launch runs: a counter-based draw, or a list taken from a log.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

// A well-mixed function of its argument (the finaliser of splitmix64).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// What the draws of one launch depend on (docs/readings.md, Chance), so that every model and policy sees a TB take
// the same time.
constexpr std::uint64_t launch_key(std::uint64_t seed, std::uint32_t process, std::uint32_t run,
                                   std::uint32_t launch_in_run) {
  const std::uint64_t of_process = mix64(seed + 0x9E3779B97F4A7C15ULL * (process + 1ULL));
  return mix64(of_process ^ (std::uint64_t{run} << 32 | launch_in_run));
}

class TbDurations {
 public:
  TbDurations() = default;
  TbDurations(TbTime time, std::uint64_t key)
      : key_(key), base_(time.mean - time.half_spread), width_(2 * time.half_spread + 1) {
    if (base_ == 0) base_ = 1;
  }
  // `listed` outlives this object; entry i is the duration of TB i in cycles, at least 1.
  explicit TbDurations(const std::vector<Cycle>& listed) : listed_(listed.data()) {}

  Cycle of(std::uint32_t tb) const {
    if (listed_ != nullptr) return listed_[tb];
    const std::uint64_t draw = mix64(key_ + 0x9E3779B97F4A7C15ULL * (tb + 1ULL));
    return base_ + static_cast<Cycle>(Uint128{draw} * width_ >> 64);
  }

 private:
  const Cycle* listed_ = nullptr;
  std::uint64_t key_ = 0;
  Cycle base_ = 1;
  Cycle width_ = 1;  // durations are base .. base + width - 1
};

}  // namespace tessera::workload
