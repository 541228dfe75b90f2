// SPDX-License-Identifier: Apache-2.0
// An SM's estimate of how long a thread block still runs: its remaining instructions times the cycles per instruction
// (CPI) ([S16] 3.3.2; docs/concepts/readings.md, Draining estimates). Fixed point; the rounding is part of the
// definition.
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::preemption {

// Fraction bits of a CPI.
inline constexpr unsigned kCpiFractionBits = 16;
// The largest CPI, almost 2^32, so that the sum of squares over all TBs of a kernel fits in 128 bits.
inline constexpr std::uint64_t kMaxCpi = (std::uint64_t{1} << 48) - 1;

// Mean and variance of the CPIs of a set of TBs.
class CpiStatistics {
 public:
  // Adds the CPI of one TB, rounded down and at most kMaxCpi. A TB without instructions has no CPI and is not counted.
  void add(Cycle cycles, std::uint64_t instructions);

  std::uint64_t count() const { return count_; }
  // Both are exact values rounded down. Require 0 < count() <= 2^32.
  std::uint64_t mean() const { return static_cast<std::uint64_t>(sum_ / count_); }
  Uint128 variance() const;

 private:
  std::uint64_t count_ = 0;
  Uint128 sum_ = 0;
  Uint128 sum_of_squares_ = 0;
};

// Statistics of a kernel's finished TBs.
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

// The expected CPI of a kernel's TBs on an SM from now on; empty: too little is known. `running`: statistics of those
// TBs.
std::optional<std::uint64_t> expected_cpi(spec::Estimator estimator, const CpiStatistics& running,
                                          const FinishedTbs& finished);

// Cycles that a TB still needs after `executed` instructions, rounded up; kNever if no TB has finished.
Cycle remaining_cycles(std::uint64_t executed, const FinishedTbs& finished, std::uint64_t cpi);

}  // namespace tessera::preemption
