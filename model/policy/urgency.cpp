// SPDX-License-Identifier: Apache-2.0
// Preemptive queues, by priority or by deadline.
#include "model/policy/urgency.h"

namespace tessera::policy {

template <typename By>
CommandBufferId UrgencyPolicy<By>::select_command(const SchedulingTables& tables) const {
  return most_urgent_command<By>(tables);
}

template <typename By>
Decision UrgencyPolicy<By>::step(const SchedulingTables& tables) {
  return search_.step(tables, WholeGpu{});
}

template <typename By>
bool UrgencyPolicy<By>::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  return search_.may_use_idle_sm(tables, WholeGpu{}, ksr);
}

template class UrgencyPolicy<ByPriority>;
template class UrgencyPolicy<ByDeadline>;

std::unique_ptr<IPolicy> make_ppq(const PolicyConfig& config) { return std::make_unique<PpqPolicy>(config); }
std::unique_ptr<IPolicy> make_edf(const PolicyConfig& config) { return std::make_unique<EdfPolicy>(config); }

}  // namespace tessera::policy
