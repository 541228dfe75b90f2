// SPDX-License-Identifier: Apache-2.0
// Whether a thread block may be dropped and restarted ([S16] 2.3, 4.1; docs/concepts/readings.md, Flush).
#pragma once

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {

// Checked when the SM flushes: from its point on, a TB has overwritten data that it would read again.
inline bool may_be_flushed(const spec::SchedulerSpec& scheduler, const SmArray& array, SmId id, std::uint32_t number,
                           Cycle now) {
  const Slot& slot = array.slot(id, number);
  if (array.end_of(id, number) == kNever || slot.num_flushes == scheduler.max_flushes_per_tb) return false;
  const KernelLaunch& launch = array.kernel(slot.kernel).launch;
  return launch.progress.is_before_point(launch.durations, slot.tb, array.executed(id, number, now),
                                         launch.idempotent_until_ppm);
}

}  // namespace tessera::tlm_model
