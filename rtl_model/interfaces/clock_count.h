// SPDX-License-Identifier: Apache-2.0
// The current core cycle and SM cycle.
#pragma once

#include "model/base/time.h"

namespace tessera::rtl_model {

// The SM clock ticks every `clock_ratio` core cycles.
struct ClockCount {
  Cycle core = 0;
  Cycle sm = 0;
  bool is_sm_edge = true;  // the first core cycle of an SM cycle
};

}  // namespace tessera::rtl_model
