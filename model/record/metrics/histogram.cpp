// SPDX-License-Identifier: Apache-2.0
// Bucket arithmetic: the leading 11 bits of a value, and how far they were shifted.
#include "model/record/metrics/histogram.h"

#include <algorithm>

namespace tessera::record {
namespace {

constexpr unsigned kSubBits = 10;
constexpr Cycle kFirstInexact = Cycle{1} << (kSubBits + 1);

}  // namespace

std::size_t Histogram::bucket_of(Cycle value) {
  if (value < kFirstInexact) return value;
  const unsigned shift = 63U - static_cast<unsigned>(__builtin_clzll(value)) - kSubBits;
  return (std::size_t{shift} << kSubBits) + (value >> shift);
}

Cycle Histogram::last_of(std::size_t bucket) {
  if (bucket < kFirstInexact) return bucket;
  const unsigned shift = static_cast<unsigned>(bucket >> kSubBits) - 1;
  const Cycle leading_bits = bucket - (std::size_t{shift} << kSubBits);
  return ((leading_bits + 1) << shift) - 1;
}

void Histogram::add(Cycle value) {
  const std::size_t bucket = bucket_of(value);
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  ++count_;
  sum_ += value;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

void to_json(nlohmann::json& json, const Histogram& histogram) {
  nlohmann::json buckets = nlohmann::json::array();
  for (std::size_t i = 0; i < histogram.buckets_.size(); ++i) {
    if (histogram.buckets_[i] != 0) buckets.push_back({i, histogram.buckets_[i]});
  }
  json = {{"sum", histogram.sum_}, {"min", histogram.min_}, {"max", histogram.max_}, {"buckets", buckets}};
}

void from_json(const nlohmann::json& json, Histogram& histogram) {
  histogram = Histogram();
  json.at("sum").get_to(histogram.sum_);
  json.at("min").get_to(histogram.min_);
  json.at("max").get_to(histogram.max_);
  for (const nlohmann::json& bucket : json.at("buckets")) {
    const auto index = bucket.at(0).get<std::size_t>();
    if (index >= histogram.buckets_.size()) histogram.buckets_.resize(index + 1);
    histogram.buckets_[index] = bucket.at(1).get<std::uint64_t>();
    histogram.count_ += histogram.buckets_[index];
  }
}

Cycle Histogram::percentile(std::uint32_t percent) const {
  const std::uint64_t rank = mul_div_ceil(count_, percent, 100);
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) return std::min(last_of(bucket), max_);
  }
  return max_;
}

std::vector<CycleRange> Histogram::filled_buckets() const {
  std::vector<CycleRange> ranges;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    if (buckets_[bucket] == 0) continue;
    ranges.push_back({bucket == 0 ? 0 : last_of(bucket - 1) + 1, last_of(bucket), buckets_[bucket]});
  }
  return ranges;
}

std::vector<CycleRange> Histogram::ranges() const {
  const std::vector<CycleRange> filled = filled_buckets();
  if (filled.size() <= kMaxRanges) return filled;
  // No bucket lies across a power of two.
  std::vector<CycleRange> ranges;
  for (const CycleRange& bucket : filled) {
    if (ranges.empty() || bucket.from > ranges.back().to) {
      Cycle from = bucket.from;
      while ((from & (from - 1)) != 0) from &= from - 1;  // its highest bit
      ranges.push_back({from, from == 0 ? 0 : 2 * from - 1, 0});
    }
    ranges.back().count += bucket.count;
  }
  return ranges;
}

}  // namespace tessera::record
