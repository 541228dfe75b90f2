// SPDX-License-Identifier: Apache-2.0
// What an SM reports about its running thread blocks before any of them is chosen to leave ([S16] 3.4.4, Figure 3.10).
// It does not include how long a TB will really take.
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::preemption {

// How a TB leaves its SM.
enum class Exit : std::uint8_t { kDrain, kFlush, kSwitch };

struct TbStatus {
  std::uint32_t slot = 0;
  std::uint64_t executed = 0;  // instructions
  Cycle run_for = 0;           // cycles in which it ran, without those in which it was stopped
  Cycle drains_in = kNever;    // estimated remaining cycles; kNever: no estimate
  bool is_flushable = false;   // before its point and not flushed too often
  bool is_leaving = false;     // chosen earlier: the fields above are not valid
  Cycle leaves_in = 0;         // then: estimated cycles until it has left
};

}  // namespace tessera::preemption
