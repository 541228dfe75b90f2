// SPDX-License-Identifier: Apache-2.0
// Events of an SM, most urgent first (docs/hardware/timing.md 7.1); a set of them is a byte.
#pragma once

#include <cstdint>

namespace tessera::tlm_model {

enum SmEvent : std::uint8_t { kTbDone = 1, kSetUpDone = 2, kRestoreDone = 4, kPreempted = 8 };

}  // namespace tessera::tlm_model
