// SPDX-License-Identifier: Apache-2.0
// Sizes of the scheduler core to be synthesised: the input of `tessera synth`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/spec/policies.h"

namespace tessera::spec {

// Names and ranges follow the parameters of rtl/tsr_scheduler.v.
struct CoreSpec {
  std::uint32_t num_sms = 13;
  std::uint32_t max_tbs_per_sm = 16;
  std::uint32_t num_ksrs = 0;  // 0: as many as SMs
  std::uint32_t num_command_buffers = 16;
  std::uint32_t num_contexts = 16;
  std::uint32_t tb_id_bits = 32;
  std::uint32_t search_width = 1;  // 1, 2, 4
  std::uint32_t wait_bits = 8;
  std::uint32_t parity_bits = 0;     // per word of RAM: 0, 1
  std::uint32_t linger = 0;          // 1: with hold-off of SMs that a kernel leaves
  std::uint32_t kept_turn = 0;       // 1: under time_slice contexts can keep their turn
  std::uint32_t setup_tag_bits = 0;  // of the tag that links and the lane need
  std::uint32_t refill_lane = 0;     // 1: thread blocks end and start beside the engine's jobs
  // The default policies of rtl/tsr_scheduler.v.
  std::vector<PolicyKind> policies = plain_policies_of(Cores::kClocked);

  bool operator==(const CoreSpec& other) const;
};

struct SynthesisSpec {
  std::string name;
  std::uint32_t target_mhz = 250;  // clock for which gates are sized
  // The core, then the combinations of each sweep; dependent sizes are computed, and duplicates removed.
  std::vector<CoreSpec> cores;
};

}  // namespace tessera::spec
