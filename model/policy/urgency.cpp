// SPDX-License-Identifier: Apache-2.0
// Preemptive queues, by priority or by deadline.
#include "model/policy/urgency.h"

#include <algorithm>

#include "model/policy/selection.h"

namespace tessera::policy {

template <typename By>
CommandBufferId UrgencyPolicy<By>::select_command(const SchedulingTables& tables) const {
  const CommandBufferId urgent = first_command(
      tables, [&](const CommandEntry& a, const CommandEntry& b) { return By::urgency(a) > By::urgency(b); });
  if (urgent == kNoCommandBuffer) return urgent;
  const auto most = By::urgency(tables.command_buffers()[index(urgent)]);
  return next_command_in_turn(tables, [&](const CommandEntry& command) { return By::urgency(command) == most; });
}

template <typename By>
Decision UrgencyPolicy<By>::step(const SchedulingTables& tables) {
  if (tables.active_queue().empty()) return {};
  // 1. An idle SM goes to the most urgent kernel that needs one and may have it.
  const KsrId kernel = neediest(tables);
  const SmId idle = kernel != kNoKsr ? tables.lowest_idle_sm_for(kernel) : kNoSm;
  if (idle != kNoSm) return {Action::kAssign, idle, kernel};
  // 2. Without one, it takes an SM from a less urgent kernel.
  if (kernel != kNoKsr) return preempt(tables, kernel);
  // 3. Exclusive access to the whole engine: less urgent kernels leave even the SMs that nobody needs.
  if (empties_engine_) return preempt(tables, most_urgent(tables));
  return {};
}

template <typename By>
bool UrgencyPolicy<By>::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  const auto& queue = tables.active_queue();
  return !is_exclusive_ || std::none_of(queue.begin(), queue.end(), [&](KsrId other) {
    return By::urgency(tables.ksr(other)) > By::urgency(tables.ksr(ksr));
  });
}

template <typename By>
KsrId UrgencyPolicy<By>::most_urgent(const SchedulingTables& tables) const {
  const auto& queue = tables.active_queue();
  return *std::max_element(queue.begin(), queue.end(),
                           [&](KsrId a, KsrId b) { return By::urgency(tables.ksr(a)) < By::urgency(tables.ksr(b)); });
}

template <typename By>
KsrId UrgencyPolicy<By>::neediest(const SchedulingTables& tables) const {
  const auto top = By::urgency(tables.ksr(most_urgent(tables)));
  KsrId best = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.uncovered_tbs() <= 0 || (is_exclusive_ && By::urgency(ksr) < top)) continue;
    if (best == kNoKsr || By::urgency(ksr) > By::urgency(tables.ksr(best))) best = id;
  }
  return best;
}

template <typename By>
Decision UrgencyPolicy<By>::preempt(const SchedulingTables& tables, KsrId kernel) const {
  // The least urgent kernels that hold an SM; only those less urgent than the kernel itself give it up.
  auto lowest = By::urgency(tables.ksr(kernel));
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.takable_sms() > 0) lowest = std::min(lowest, By::urgency(ksr));
  }
  if (lowest == By::urgency(tables.ksr(kernel))) return {Action::kNone, kNoSm, kNoKsr, 2};
  return take_sm(tables, victims_, kernel, [&](KsrId victim) { return By::urgency(tables.ksr(victim)) == lowest; });
}

template class UrgencyPolicy<ByPriority>;
template class UrgencyPolicy<ByDeadline>;

}  // namespace tessera::policy
