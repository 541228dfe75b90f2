// SPDX-License-Identifier: Apache-2.0
// Replays a thread-block log on the clocked engine (docs/concepts/readings.md, Logged order).
#pragma once

#include "rtl_model/interfaces/i_scheduler_core.h"
#include "tlm/replay/log_replay.h"

namespace tessera::platform {

struct ClockedReplay {
  tlm_model::LogReplay replay;
  std::uint32_t clock_ratio = 0;  // scheduler clock over SM clock
};

// On a core with a refill lane, whose clock is fast enough to finish within an SM cycle what any cycle of the log asks
// of it. Elaborates SystemC, so call it once per process.
ClockedReplay replay_log_clocked(const workload::TbLog& log, const rtl_model::SchedulerFactory& make_scheduler = {});

}  // namespace tessera::platform
