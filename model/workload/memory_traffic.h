// SPDX-License-Identifier: Apache-2.0
// What all ask of memory together, and how much later it answers for that (docs/concepts/loaded_memory.md). Rates are
// in bytes a second, latencies factors of the unloaded one in 2^-16.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::workload {

inline constexpr unsigned kFactorBits = 16;
inline constexpr std::uint64_t kUnloaded = std::uint64_t{1} << kFactorBits;

// Latency as a function of traffic, as the card's file has it: linear between points, vertical at the last one.
class LatencyCurve {
 public:
  explicit LatencyCurve(const spec::MemoryLatencySpec& spec);

  // Whether that much traffic is answered later than that.
  bool is_above(std::uint64_t traffic, std::uint64_t factor) const;

 private:
  struct Point {
    std::uint64_t traffic = 0;
    std::uint64_t factor = kUnloaded;
  };
  std::vector<Point> points_;  // the first one is no traffic
};

// What one asks for: `spread` where its work takes longer than its bytes, else `most` over the factor.
struct MemoryDemand {
  std::uint64_t spread = 0;
  std::uint64_t most = 0;
  std::uint32_t bin = 0;  // of the factor from which on its bytes take longer
};

// Sums of demands, by bins of the factor from which on memory limits them: the traffic of all is known without asking
// each. Within the bin of the factor of now the smaller sum counts.
class MemoryTraffic {
 public:
  explicit MemoryTraffic(const spec::MemoryLatencySpec& spec) : curve_(spec) {}

  // `asks`: its bytes over its work; `most`: what it gets at most at the unloaded latency.
  static MemoryDemand demand(std::uint64_t asks, std::uint64_t most);
  // Of one that only memory limits.
  static MemoryDemand unlimited(std::uint64_t most) { return {most, most, 0}; }

  void add(const MemoryDemand& demand);
  void remove(const MemoryDemand& demand);
  // Traffic that memory does not slow down.
  void add_fixed(std::uint64_t rate) { fixed_ += rate; }
  void remove_fixed(std::uint64_t rate) { fixed_ -= rate; }

  // Finds the latency again if what is asked at the latency of now has moved by more than 1/64; true if it has changed.
  bool settle();
  std::uint64_t factor() const { return factor_; }
  std::uint64_t traffic() const { return settled_; }  // when it was found

 private:
  // Bins of equal ratios, 32 an octave, from 1 to 256; the first is of those below, the last of those above.
  static constexpr unsigned kStepBits = 5;
  static constexpr std::uint32_t kOctaves = 8;
  static constexpr std::uint32_t kBins = kOctaves << kStepBits;
  struct Sums {
    std::uint64_t spread = 0;
    std::uint64_t most = 0;
  };
  static std::uint32_t bin_of(std::uint64_t factor);
  static std::uint64_t edge(std::uint32_t bin);  // the lower one, of 1 .. kBins + 1
  std::uint64_t at(std::uint64_t factor) const;  // a factor of bin `bin_`, or its upper edge
  bool is_too_fast(std::uint64_t factor) const { return curve_.is_above(at(factor), factor); }
  void find();

  LatencyCurve curve_;
  std::array<Sums, kBins + 2> bins_{};
  std::uint32_t bin_ = 1;      // of factor_
  std::uint64_t slowed_ = 0;   // `most` of the bins below
  std::uint64_t working_ = 0;  // `spread` of the bins above
  std::uint64_t fixed_ = 0;
  std::uint64_t factor_ = kUnloaded;
  std::uint64_t settled_ = 0;
};

}  // namespace tessera::workload
