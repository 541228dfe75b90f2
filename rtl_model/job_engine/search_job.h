// SPDX-License-Identifier: Apache-2.0
// What the search has for the engine to do.
#pragma once

#include <cstdint>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

enum class SearchJobKind : std::uint8_t { kActivate, kDeal, kAssign, kReserve, kRetarget };

struct SearchJob {
  SearchJobKind kind = SearchJobKind::kActivate;
  std::uint32_t buffer = 0;    // activate
  std::uint32_t sm = kNone;    // a move
  std::uint32_t ksr = kNone;   // who gets the SM; deal: who is dealt to
  std::uint32_t claimant = 0;  // reserve, retarget: the kernel the SM counted against
  bool takes_idle = false;     // a move: for TBs that no slot waits for
};

}  // namespace tessera::rtl_model
