// SPDX-License-Identifier: Apache-2.0
// How long a policy search and an activation take, by the Spec: one place for all models.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// From the last row of a pipelined walk to its outcome: rows are compared, the candidate is checked, the outcome is
// judged.
constexpr std::uint32_t kPipelineCycles = 3;  // of the core's clock

// Steps of a walk: `search_width` entries each.
std::uint32_t search_steps(const Spec& spec);

// Core cycles that a walk takes beyond its steps.
std::uint32_t outcome_cycles(const Spec& spec);

// In SM cycles: while rows pass.
Cycle step_cycles(const Spec& spec);

// In core cycles, of which there are `tbs_per_cycle` in an SM cycle.
Cycle search_core_cycles(const Spec& spec);

// In core cycles. A pipelined search selects the command a cycle before it enters the active queue.
Cycle activation_core_cycles(const Spec& spec);

}  // namespace tessera::spec
