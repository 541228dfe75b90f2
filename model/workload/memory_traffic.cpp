// SPDX-License-Identifier: Apache-2.0
// The fixed point: traffic makes latency, and latency makes traffic. More of the one is less of the other, so there is
// one, and halving finds it.
#include "model/workload/memory_traffic.h"

#include <algorithm>

#include "model/base/time.h"
#include "model/spec/gpu_spec.h"

namespace tessera::workload {
namespace {

constexpr std::uint64_t kMovedByOneOf = 64;

// `most` over a factor; sums of `most` are below 2^56.
std::uint64_t over(std::uint64_t most, std::uint64_t factor) {
  constexpr unsigned kHalf = kFactorBits / 2;
  return (most << kHalf) / factor << kHalf;
}

}  // namespace

LatencyCurve::LatencyCurve(const spec::MemoryLatencySpec& spec) : points_(1) {
  for (const spec::LatencyPoint& point : spec.curve) {
    points_.push_back({point.bytes_per_s, mul_div_round(point.factor_ppm, kUnloaded, 1'000'000)});
  }
}

bool LatencyCurve::is_above(std::uint64_t traffic, std::uint64_t factor) const {
  if (traffic > points_.back().traffic) return true;
  const auto at = std::lower_bound(points_.begin(), points_.end(), traffic,
                                   [](const Point& point, std::uint64_t x) { return point.traffic < x; });
  if (at == points_.begin()) return false;
  const Point& from = *(at - 1);
  const std::uint64_t rise =
      mul_div_floor(at->factor - from.factor, traffic - from.traffic, at->traffic - from.traffic);
  return from.factor + rise > factor;
}

MemoryDemand MemoryTraffic::demand(std::uint64_t asks, std::uint64_t most) {
  if (asks >= most) return unlimited(most);
  const std::uint64_t spread = std::max<std::uint64_t>(1, asks);
  return {spread, most, bin_of((most << kFactorBits) / spread)};
}

std::uint32_t MemoryTraffic::bin_of(std::uint64_t factor) {
  if (factor < kUnloaded) return 0;
  const auto octave = static_cast<std::uint32_t>(63 - __builtin_clzll(factor)) - kFactorBits;
  if (octave >= kOctaves) return kBins + 1;
  const auto step = static_cast<std::uint32_t>(factor >> (octave + kFactorBits - kStepBits)) & ((1U << kStepBits) - 1);
  return 1 + (octave << kStepBits | step);
}

std::uint64_t MemoryTraffic::edge(std::uint32_t bin) {
  const std::uint32_t octave = (bin - 1) >> kStepBits;
  const std::uint64_t step = (bin - 1) & ((1U << kStepBits) - 1);
  return ((std::uint64_t{1} << kStepBits) + step) << (octave + kFactorBits - kStepBits);
}

void MemoryTraffic::add(const MemoryDemand& demand) {
  bins_[demand.bin].spread += demand.spread;
  bins_[demand.bin].most += demand.most;
  if (demand.bin < bin_) slowed_ += demand.most;
  if (demand.bin > bin_) working_ += demand.spread;
}

void MemoryTraffic::remove(const MemoryDemand& demand) {
  bins_[demand.bin].spread -= demand.spread;
  bins_[demand.bin].most -= demand.most;
  if (demand.bin < bin_) slowed_ -= demand.most;
  if (demand.bin > bin_) working_ -= demand.spread;
}

std::uint64_t MemoryTraffic::at(std::uint64_t factor) const {
  const Sums& here = bins_[bin_];
  return fixed_ + working_ + over(slowed_, factor) + std::min(here.spread, over(here.most, factor));
}

bool MemoryTraffic::settle() {
  const std::uint64_t asked = at(factor_);
  const std::uint64_t moved = asked > settled_ ? asked - settled_ : settled_ - asked;
  if (moved <= settled_ / kMovedByOneOf) return false;
  const std::uint64_t before = factor_;
  find();
  settled_ = at(factor_);
  return factor_ != before;
}

void MemoryTraffic::find() {
  // 1. The bin: up while memory answers later than its upper edge, down while not later than its lower one.
  while (bin_ < kBins && is_too_fast(edge(bin_ + 1))) {
    slowed_ += bins_[bin_].most;
    working_ -= bins_[++bin_].spread;
  }
  while (bin_ > 1 && !is_too_fast(edge(bin_))) {
    working_ += bins_[bin_].spread;
    slowed_ -= bins_[--bin_].most;
  }
  // 2. The least factor in it at which memory answers no later than that.
  std::uint64_t low = edge(bin_);
  std::uint64_t high = edge(bin_ + 1);
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    is_too_fast(middle) ? low = middle + 1 : high = middle;
  }
  factor_ = low;
}

}  // namespace tessera::workload
