// SPDX-License-Identifier: Apache-2.0
// First come first served and non-preemptive priority queues.
#include "model/policy/one_context.h"

#include "model/policy/urgency_search.h"

namespace tessera::policy {

CommandBufferId OneContextPolicy::select_command(const SchedulingTables& tables) const {
  const CommandBufferId head = first_command(tables, before_);
  if (head == kNoCommandBuffer || tables.active_queue().empty()) return head;
  const ContextId current = tables.ksr(tables.active_queue().front()).context;
  return tables.command_buffers()[index(head)].context == current ? head : kNoCommandBuffer;
}

Decision OneContextPolicy::step(const SchedulingTables& tables) {
  const SmId idle = tables.lowest_idle_sm();
  const KsrId kernel = first_uncovered(tables, [](const KsrEntry&) { return true; });
  if (idle == kNoSm || kernel == kNoKsr) return {};
  return {Action::kAssign, idle, kernel};
}

std::unique_ptr<IPolicy> make_fcfs(const PolicyConfig&) { return std::make_unique<OneContextPolicy>(arrived_earlier); }

std::unique_ptr<IPolicy> make_npq(const PolicyConfig&) {
  return std::make_unique<OneContextPolicy>(is_ahead<ByPriority>);
}

}  // namespace tessera::policy
