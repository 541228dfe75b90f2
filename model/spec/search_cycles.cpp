// SPDX-License-Identifier: Apache-2.0
// Counts and latencies of the search.
#include "model/spec/search_cycles.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::spec {

std::uint32_t search_steps(const Spec& spec) {
  return (spec.gpu.num_sms + spec.scheduler.search_width - 1) / spec.scheduler.search_width;
}

std::uint32_t outcome_cycles(const Spec& spec) { return spec.gpu.framework.pipelined_search ? kPipelineCycles : 0; }

Cycle step_cycles(const Spec& spec) { return Cycle{spec.gpu.framework.search_entry_cycles} * search_steps(spec); }

Cycle search_core_cycles(const Spec& spec) {
  return step_cycles(spec) * spec.scheduler.tbs_per_cycle + outcome_cycles(spec);
}

Cycle activation_core_cycles(const Spec& spec) {
  const Cycle cycles = Cycle{spec.gpu.framework.kernel_activation_cycles} * spec.scheduler.tbs_per_cycle;
  return spec.gpu.framework.pipelined_search ? std::max<Cycle>(2, cycles) : cycles;
}

}  // namespace tessera::spec
