// SPDX-License-Identifier: Apache-2.0
// Admission control: reserves that together would take more than the limit are refused ([K11] 3).
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::command_scheduling {

class Admission {
 public:
  explicit Admission(std::uint32_t limit_percent);  // 0 .. 100

  // True, and counted, if the sum of C / T stays at or below the limit; a refused one leaves no trace.
  bool admit(Cycle capacity, Cycle period);

 private:
  std::uint32_t limit_percent_;
  Uint128 sum_ = 0;  // of C / T, each rounded down to 2^-64: what adds up to the limit exactly is never refused
};

}  // namespace tessera::command_scheduling
