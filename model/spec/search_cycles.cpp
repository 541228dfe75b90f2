// SPDX-License-Identifier: Apache-2.0
// Counts and latencies of the search.
#include "model/spec/search_cycles.h"

#include "model/spec/spec.h"

namespace tessera::spec {

std::uint32_t search_steps(const Spec& spec) {
  return (spec.gpu.num_sms + spec.scheduler.search_width - 1) / spec.scheduler.search_width;
}

Cycle search_core_cycles(const Spec& spec) {
  if (spec.gpu.framework.shares_sms()) return 1;  // kernels that are active stand in line at once
  return Cycle{spec.gpu.framework.search_entry_cycles} * search_steps(spec) * spec.scheduler.tbs_per_cycle;
}

}  // namespace tessera::spec
