// SPDX-License-Identifier: Apache-2.0
// Which SM is taken.
#include "model/policy/selection.h"

namespace tessera::policy {

Decision take_sm(const SchedulingTables& tables, const IVictimPort* port, KsrId kernel, KsrId victim) {
  SmSet reserved;
  SmSet running;
  for (std::size_t i = 0; i < tables.smst().size(); ++i) {
    const SmId sm{static_cast<std::uint16_t>(i)};
    const SmEntry& entry = tables.sm(sm);
    const bool is_its = victim == kNoKsr ? tables.is_foreign(sm) : tables.claimant(sm) == victim;
    if (!is_its || entry.is_shared) continue;
    if (tables.is_partitioned() && !tables.is_in_partition(kernel, sm)) continue;
    (entry.status == SmStatus::kReserved ? reserved : running).set(static_cast<std::uint32_t>(i));
  }
  Decision taken;
  taken.kernel = kernel;
  taken.victim = victim;
  if (reserved.any()) {
    taken.action = Action::kRetarget;
    taken.sm = SmId(reserved.lowest());
  } else if (running.any()) {
    taken.action = Action::kReserve;
    taken.sm = port == nullptr ? SmId(running.lowest()) : port->choose(running, kernel);
  } else {
    return {};
  }
  return taken;
}

}  // namespace tessera::policy
