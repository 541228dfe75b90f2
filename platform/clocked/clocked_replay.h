// SPDX-License-Identifier: Apache-2.0
// Replays a thread-block log on the clocked engine (docs/readings.md, Logged order).
#pragma once

#include "rtl_model/interfaces/i_scheduler_core.h"
#include "tlm/replay/log_replay.h"

namespace tessera::platform {

struct ClockedReplay {
  tlm_model::LogReplay replay;
  std::uint32_t clock_ratio = 0;  // scheduler clock over SM clock
};

// The driver serves one SM in a core cycle, so its clock is faster than the SMs': in an SM cycle it gives every SM a
// thread block, and then takes every completion. SystemC: once in a process.
ClockedReplay replay_log_clocked(const workload::TbLog& log, const rtl_model::SchedulerFactory& make_scheduler = {});

}  // namespace tessera::platform
