// SPDX-License-Identifier: Apache-2.0
// The sizes that determine the scheduling framework's tables; names as the parameters of rtl/tsr_scheduler.v.
#pragma once

#include <cstdint>

#include "model/spec/spec_fwd.h"

namespace tessera::storage {

struct CoreSizes {
  explicit CoreSizes(const spec::GpuSpec& gpu);

  std::uint32_t num_sms;
  std::uint32_t max_tbs_per_sm;
  std::uint32_t num_ksrs;
  std::uint32_t num_command_buffers;
  std::uint32_t num_contexts;  // each may wait in its own command buffer
  std::uint32_t ptbq_depth;    // handles per KSR: all that can be preempted at the same time
  std::uint32_t tb_width;
  std::uint32_t search_width = 1;
  std::uint32_t tag_width;   // of a set-up's tag; 0: none
  bool has_refill_lane;      // thread blocks end and start beside the engine's jobs
  std::uint32_t wait_width;  // default width of the latency straps
  bool keeps_turn = false;   // under time_slice a context can keep its turn
};

}  // namespace tessera::storage
