// SPDX-License-Identifier: Apache-2.0
// Which thread blocks may be dropped and start again from nothing ([S16] 2.3, 4.1; docs/concepts/readings.md, Flush).
#pragma once

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {

// The SM has the last word: at its point, and beyond, a TB has written what it would read again.
inline bool may_be_flushed(const spec::SchedulerSpec& scheduler, const SmArray& array, SmId id, std::uint32_t number,
                           Cycle now) {
  const Slot& slot = array.slot(id, number);
  if (array.end_of(id, number) == kNever || slot.num_flushes == scheduler.max_flushes_per_tb) return false;
  const KernelLaunch& launch = array.kernel(slot.kernel).launch;
  return launch.progress.is_before_point(launch.durations, slot.tb, array.executed(id, number, now),
                                         launch.idempotent_until_ppm);
}

}  // namespace tessera::tlm_model
