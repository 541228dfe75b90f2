// SPDX-License-Identifier: Apache-2.0
// A job that the search offers to the engine.
#pragma once

#include <cstdint>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

enum class SearchJobKind : std::uint8_t { kActivate, kDeal, kEvict, kAssign, kTake };

struct SearchJob {
  SearchJobKind kind = SearchJobKind::kActivate;
  std::uint32_t buffer = 0;      // activate
  std::uint32_t ksr = kNone;     // the kernel that gets SMs; deal: the kernel that gets tokens
  std::uint32_t victim = kNone;  // take: the kernel that loses an SM; kNone: the SM is a foreign one
  bool takes_idle = false;       // take: for a kernel's unmet demand
  std::uint32_t limit = kNone;   // assign: SMs that may be given; kNone: any number
};

}  // namespace tessera::rtl_model
