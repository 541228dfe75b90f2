// SPDX-License-Identifier: Apache-2.0
// Preemptive priority queues.
#include "model/policy/ppq.h"

#include <algorithm>

#include "model/policy/selection.h"

namespace tessera::policy {
namespace {

// The earliest kernel of the highest active priority; the active queue is not empty.
KsrId most_urgent(const SchedulingTables& tables) {
  const auto& queue = tables.active_queue();
  return *std::max_element(queue.begin(), queue.end(),
                           [&](KsrId a, KsrId b) { return tables.ksr(a).priority < tables.ksr(b).priority; });
}

}  // namespace

CommandBufferId PpqPolicy::select_command(const SchedulingTables& tables) const {
  const CommandBufferId urgent = first_command(tables, more_urgent);
  if (urgent == kNoCommandBuffer) return urgent;
  const std::uint32_t priority = tables.command_buffers()[index(urgent)].priority;
  return next_command_in_turn(tables, [&](const CommandEntry& command) { return command.priority == priority; });
}

Decision PpqPolicy::step(const SchedulingTables& tables) {
  if (tables.active_queue().empty()) return {};
  // 1. An idle SM goes to the most urgent kernel that needs one and may have it.
  const KsrId kernel = neediest(tables);
  const SmId idle = tables.lowest_idle_sm();
  if (kernel != kNoKsr && idle != kNoSm) return {Action::kAssign, idle, kernel};
  // 2. Without one, it takes an SM from a lower priority.
  if (kernel != kNoKsr) return preempt(tables, kernel);
  // 3. Exclusive access to the whole engine: lower priorities leave even the SMs that nobody needs.
  if (empties_engine_) return preempt(tables, most_urgent(tables));
  return {};
}

KsrId PpqPolicy::neediest(const SchedulingTables& tables) const {
  const std::uint32_t top = tables.ksr(most_urgent(tables)).priority;
  KsrId best = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.uncovered_tbs() <= 0 || (is_exclusive_ && ksr.priority < top)) continue;
    if (best == kNoKsr || ksr.priority > tables.ksr(best).priority) best = id;
  }
  return best;
}

Decision PpqPolicy::preempt(const SchedulingTables& tables, KsrId kernel) const {
  // The lowest priority that holds an SM; only one below the kernel's own gives it up.
  std::uint32_t lowest = tables.ksr(kernel).priority;
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.sms_held() > 0) lowest = std::min(lowest, ksr.priority);
  }
  if (lowest == tables.ksr(kernel).priority) return {Action::kNone, kNoSm, kNoKsr, 2};
  return take_sm(tables, kernel, [&](KsrId victim) { return tables.ksr(victim).priority == lowest; });
}

}  // namespace tessera::policy
