// SPDX-License-Identifier: Apache-2.0
#include "model/command_scheduling/suspensions.h"

#include "model/workload/draws.h"

namespace tessera::command_scheduling {

Cycle Suspensions::draw(Cycle least, Cycle most) {
  return least + workload::draw_below(key_, drawn_++, most - least + 1) + parameters_.slack;
}

}  // namespace tessera::command_scheduling
