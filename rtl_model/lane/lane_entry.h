// SPDX-License-Identifier: Apache-2.0
// An entry of the refill lane: an event of an SM, or an SM that is to get a TB.
#pragma once

#include <cstdint>

#include "model/base/sm_set.h"

namespace tessera::rtl_model {

// Events by their codes on the pins, then the lane's own.
enum class LaneEntryKind : std::uint8_t { kTbDone, kSetupDone, kRestoreDone, kPreempted, kIssue };

struct LaneEntry {
  bool valid = false;
  LaneEntryKind kind = LaneEntryKind::kTbDone;
  std::uint32_t sm = kNone;
  std::uint32_t tag = 0;      // kSetupDone: of the set-up that is answered
  std::uint32_t ksr = kNone;  // the SM's owner, as it leaves stage S
};

}  // namespace tessera::rtl_model
