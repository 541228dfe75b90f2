// SPDX-License-Identifier: Apache-2.0
// A job that the search offers to the engine.
#pragma once

#include <cstdint>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

enum class SearchJobKind : std::uint8_t { kActivate, kDeal, kEvict, kAssign, kReserve, kRetarget };

struct SearchJob {
  SearchJobKind kind = SearchJobKind::kActivate;
  std::uint32_t buffer = 0;    // activate
  std::uint32_t sm = kNone;    // a move
  std::uint32_t ksr = kNone;   // the kernel that gets the SM; deal: the kernel that gets tokens
  std::uint32_t claimant = 0;  // reserve, retarget: the kernel to which the SM counted
  bool takes_idle = false;     // a move: for a kernel's unmet demand
};

}  // namespace tessera::rtl_model
