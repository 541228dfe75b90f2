// SPDX-License-Identifier: Apache-2.0
// Minimum, mean, percentiles and maximum of many cycle counts in flat memory.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/base/time.h"

namespace tessera::record {

// Number of values in from .. to.
struct CycleRange {
  Cycle from = 0;
  Cycle to = 0;
  std::uint64_t count = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CycleRange, from, to, count)

// Log-linear: each power of two is divided into 1024 buckets. Values below 2048 are exact; a percentile above is the
// largest value of its bucket (never more than the maximum), so it is at most 1/1024 too high, never too low. Count,
// sum, minimum and maximum are always exact. Uses at most 0.5 MiB, independent of the number of values.
class Histogram {
 public:
  void add(Cycle value);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  Cycle min() const { return min_; }  // 0 if empty, like max()
  Cycle max() const { return max_; }
  // Nearest rank: the smallest value that at least `percent` of all do not exceed, percent in 1 .. 100; 0 if empty.
  Cycle percentile(std::uint32_t percent) const;

  // All values in ascending order, without empty ranges. Ranges are buckets, which are single values below 2048, if
  // there are at most kMaxRanges of them; otherwise powers of two.
  std::vector<CycleRange> ranges() const;
  static constexpr std::size_t kMaxRanges = 32;

  // JSON in both directions, lossless; only non-empty buckets are stored.
  friend void to_json(nlohmann::json& json, const Histogram& histogram);
  friend void from_json(const nlohmann::json& json, Histogram& histogram);

 private:
  static std::size_t bucket_of(Cycle value);
  static Cycle last_of(std::size_t bucket);
  std::vector<CycleRange> filled_buckets() const;

  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  Cycle min_ = 0;
  Cycle max_ = 0;
  std::vector<std::uint64_t> buckets_;  // up to the bucket of the largest value
};

}  // namespace tessera::record
