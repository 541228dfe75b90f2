// SPDX-License-Identifier: Apache-2.0
// How long a thread block still runs, as far as its SM can know: the instructions that it lacks, times the cycles that
// one takes ([S16] 3.3.2; docs/concepts/readings.md, Draining estimates). Fixed point; the rounding is part of the
// definition.
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::preemption {

// Cycles per instruction have so many bits behind the point.
inline constexpr unsigned kCpiFractionBits = 16;
// The most there are of them, almost 2^32: then the squares of as many TBs as a kernel can have add up in 128 bits.
inline constexpr std::uint64_t kMaxCpi = (std::uint64_t{1} << 48) - 1;

// Of a number of TBs: the mean of their CPIs, and how far these lie apart.
class CpiStatistics {
 public:
  // Of one TB: rounded down, kMaxCpi at most. One without instructions has no CPI.
  void add(Cycle cycles, std::uint64_t instructions);

  std::uint64_t count() const { return count_; }
  // Both are the exact ones rounded down; require count() > 0, and at most 2^32.
  std::uint64_t mean() const { return static_cast<std::uint64_t>(sum_ / count_); }
  Uint128 variance() const;

 private:
  std::uint64_t count_ = 0;
  Uint128 sum_ = 0;
  Uint128 sum_of_squares_ = 0;
};

// Of the TBs of a kernel that have finished.
class FinishedTbs {
 public:
  void add(Cycle cycles, std::uint64_t instructions);

  const CpiStatistics& cpi() const { return cpi_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t mean_instructions() const { return static_cast<std::uint64_t>(sum_instructions_ / count_); }

 private:
  std::uint64_t count_ = 0;
  Uint128 sum_instructions_ = 0;
  CpiStatistics cpi_;
};

// The CPI that a kernel's TBs on an SM are expected to go on with; none: too little is known. `running`: of those TBs.
std::optional<std::uint64_t> expected_cpi(spec::Estimator estimator, const CpiStatistics& running,
                                          const FinishedTbs& finished);

// What a TB that has executed so many instructions still needs, rounded up; kNever where no TB has finished.
Cycle remaining_cycles(std::uint64_t executed, const FinishedTbs& finished, std::uint64_t cpi);

}  // namespace tessera::preemption
