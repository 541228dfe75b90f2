// SPDX-License-Identifier: Apache-2.0
// What an SM reports of the thread blocks that run on it, before any of them is chosen to leave ([S16] 3.4.4, Figure
// 3.10). How long a TB will really take is not in it.
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::preemption {

// How a TB leaves its SM.
enum class Exit : std::uint8_t { kDrain, kFlush, kSwitch };

struct TbStatus {
  std::uint32_t slot = 0;
  std::uint64_t executed = 0;  // instructions
  Cycle run_for = 0;           // cycles in which it ran; those in which it stood still do not count
  Cycle drains_in = kNever;    // the estimate of what it still needs; kNever: none
  bool is_flushable = false;   // before its point, and not flushed too often
  bool is_leaving = false;     // chosen before: of the above nothing counts
  Cycle leaves_in = 0;         // then: the estimate of when it will be gone
};

}  // namespace tessera::preemption
