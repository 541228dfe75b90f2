// SPDX-License-Identifier: Apache-2.0
// How long a policy search and an activation take, by the Spec: one place for all models.
#pragma once

#include <algorithm>

#include "model/base/time.h"
#include "model/spec/spec.h"

namespace tessera::spec {

// From the last row of a pipelined walk to its outcome: rows are compared, the candidate is checked, the outcome is
// judged.
constexpr std::uint32_t kPipelineCycles = 3;  // of the core's clock

// Steps of a walk: `search_width` entries each.
inline std::uint32_t search_steps(const Spec& spec) {
  return (spec.gpu.num_sms + spec.scheduler.search_width - 1) / spec.scheduler.search_width;
}

// Core cycles that a walk takes beyond its steps.
inline std::uint32_t outcome_cycles(const Spec& spec) {
  return spec.gpu.framework.pipelined_search ? kPipelineCycles : 0;
}

// In SM cycles: while rows pass.
inline Cycle step_cycles(const Spec& spec) {
  return Cycle{spec.gpu.framework.search_entry_cycles} * search_steps(spec);
}

// In core cycles, of which there are `tbs_per_cycle` in an SM cycle.
inline Cycle search_core_cycles(const Spec& spec) {
  return step_cycles(spec) * spec.scheduler.tbs_per_cycle + outcome_cycles(spec);
}

// In core cycles. A pipelined search selects the command a cycle before it enters the active queue.
inline Cycle activation_core_cycles(const Spec& spec) {
  const Cycle cycles = Cycle{spec.gpu.framework.kernel_activation_cycles} * spec.scheduler.tbs_per_cycle;
  return spec.gpu.framework.pipelined_search ? std::max<Cycle>(2, cycles) : cycles;
}

}  // namespace tessera::spec
