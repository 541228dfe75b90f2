// SPDX-License-Identifier: Apache-2.0
// The sizes that the scheduling framework's tables follow from, as rtl/tsr_scheduler.v names its parameters.
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
  std::uint32_t num_contexts;  // each may wait in a command buffer of its own
  std::uint32_t ptbq_depth;    // handles of a KSR: all that can be preempted at once
  std::uint32_t tb_width;
  std::uint32_t search_width = 1;
  std::uint32_t wait_width;  // bits of the latency straps, by default
};

}  // namespace tessera::storage
