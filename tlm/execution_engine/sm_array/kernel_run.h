// SPDX-License-Identifier: Apache-2.0
// A kernel whose thread blocks the SM array runs, with the counts of its thread blocks by state.
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/tb_counts.h"
#include "model/base/time.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/sm_array/loaded_memory.h"
#include "tlm/execution_engine/sm_array/resources.h"

namespace tessera::tlm_model {

struct KernelRun {
  LaunchId id{};
  KernelLaunch launch;
  TbCounts tbs;
  std::uint32_t tbs_per_sm = 0;  // capacity of an SM that runs only this kernel
  std::uint32_t fresh_end = 0;   // TBs below this may be issued for the first time now
  Resources resources_per_tb;
  std::uint64_t context_bytes_per_tb = 0;
  MemoryUse memory_per_tb;         // where memory answers later under load
  Cycle next_duration = 0;         // of TB tbs.next, drawn before it is needed
  Cycle last_fresh_start = 0;      // of the last TB, once it has been issued
  Cycle none_waits_from = kNever;  // from when on no TB waits for a slot; kNever: one does

  bool has_fresh() const { return tbs.next < fresh_end; }
};

}  // namespace tessera::tlm_model
