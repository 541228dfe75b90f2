// SPDX-License-Identifier: Apache-2.0
// Admission control: refuses reserves that together would exceed the limit ([K11] 3).
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::command_scheduling {

class Admission {
 public:
  explicit Admission(std::uint32_t limit_percent);  // 0 .. 100

  // Admits the reserve and returns true if the sum of C / T stays at or below the limit; a refused one changes nothing.
  bool admit(Cycle capacity, Cycle period);

 private:
  std::uint32_t limit_percent_;
  Uint128 sum_ = 0;  // of C / T, each rounded down to 2^-64, so that a sum of exactly the limit is never refused
};

}  // namespace tessera::command_scheduling
