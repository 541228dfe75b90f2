// SPDX-License-Identifier: Apache-2.0
// Lengths of walks and activations.
#include "model/spec/core_cycles.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::spec {

Cycle walk_step_cycles(const Spec& spec) {
  return std::max<Cycle>(1, Cycle{spec.gpu.framework.search_entry_cycles} * spec.scheduler.tbs_per_cycle);
}

Cycle walk_core_cycles(const Spec& spec, std::size_t num_entries) {
  const Cycle steps = (num_entries + spec.scheduler.search_width - 1) / spec.scheduler.search_width;
  return std::max<Cycle>(1, steps) * walk_step_cycles(spec) + kWalkBeyondSteps;
}

Cycle walk_core_cycles(const Spec& spec) { return walk_core_cycles(spec, spec.gpu.framework.num_ksrs); }

Cycle given_activation_cycles(const Spec& spec) {
  return Cycle{spec.gpu.framework.kernel_activation_cycles} * spec.scheduler.tbs_per_cycle;
}

Cycle activation_core_cycles(const Spec& spec) {
  return std::max<Cycle>(given_activation_cycles(spec),
                         spec.gpu.framework.num_command_buffers + kScanBeyond + 1 + 1 + kVisitCycles);
}

Cycle linger_cycles(const Spec& spec) {
  if (spec.scheduler.linger == 0) return 0;
  return std::max<Cycle>(1, Clock(spec.gpu.clock_hz).cycles_in(spec.scheduler.linger));
}

Cycle lane_row_wait_cycles(const Spec& spec) {
  constexpr Cycle kStages = 3;  // X, Y, W
  return spec.gpu.framework.refill_lane ? kStages : 0;
}

Cycle lane_entry_cycles(const Spec& spec) {
  constexpr Cycle kToOffer = 5;  // A, S, R, offered in the cycle after, or one later behind a WRITE
  return spec.gpu.framework.refill_lane ? kToOffer : 0;
}

Cycle longest_job_core_cycles(const Spec& spec) {
  constexpr Cycle kVisits = 2;
  return kToWrite + 1 + std::max<Cycle>(kVisitCycles, Cycle{spec.gpu.max_tbs_per_sm} + 1) +
         kVisits * lane_row_wait_cycles(spec);
}

std::uint32_t min_tb_issue_cycles(std::uint32_t clock_ratio) {
  static_assert(kSerialisedIssueCycles == kToBurst);
  return (static_cast<std::uint32_t>(kToBurst) + clock_ratio - 1) / clock_ratio;
}

bool has_one_job_engine(const Spec& spec) { return spec.gpu.framework.engine == Engine::kSerialised; }

}  // namespace tessera::spec
