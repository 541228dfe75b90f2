// SPDX-License-Identifier: Apache-2.0
// The counters of the core's tables, recounted from whose each SM is (docs/hardware/timing.md 4.2, 4.3).
#pragma once

#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::rtl_model::test {

// Throws Fault for what does not add up. Between jobs, and with nothing on its way to a table.
bool can_be_recounted(const TsrScheduler& core);
void check_tables(const TsrScheduler& core);

}  // namespace tessera::rtl_model::test
