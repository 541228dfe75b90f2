// SPDX-License-Identifier: Apache-2.0
// What the paper does not have: its task sets on a machine.
#pragma once

#include "campaign/figure.h"
#include "campaign/z21/survival.h"

namespace tessera::campaign::z21 {

// Called once for what they want to be run, and again for the figure.
Figure fig_execution(Survival& survival);   // who schedules how much, over contention
Figure fig_co_running(Survival& survival);  // the same where only those contend that meet
Figure fig_techniques(Survival& survival);  // over the length of thread blocks, and of time units
Figure fig_bounds(Survival& survival);      // how near to its bounds responses come, and who misses all the same

}  // namespace tessera::campaign::z21
