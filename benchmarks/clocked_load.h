// SPDX-License-Identifier: Apache-2.0
// What keeps a clocked engine busy: a kernel that never runs out of thread blocks, on 13 SMs.
#pragma once

#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/i_execution_core.h"

namespace tessera::bench {

// Always active: a TB ends in every cycle. Mostly idle: ten in a thousand.
struct Load {
  Cycle tb_cycles = 0;
  std::uint32_t tbs_per_sm = 0;
};
inline constexpr Load kAlwaysActive{13 * 16 - 1, 16};
inline constexpr Load kMostlyIdle{1300, 1};

spec::Spec machine(std::uint32_t num_processes);
tlm_model::EngineMessage launch(const Load& load);

}  // namespace tessera::bench
