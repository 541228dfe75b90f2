// SPDX-License-Identifier: Apache-2.0
// Preemptive time slicing between contexts.
#include "model/policy/time_slice.h"

#include <algorithm>

#include "model/policy/kept_time_slice.h"
#include "model/policy/selection.h"

namespace tessera::policy {

CommandBufferId TimeSlicePolicy::select_command(const SchedulingTables& tables) const {
  return next_command_in_turn(tables, [](const CommandEntry&) { return true; });
}

Decision TimeSlicePolicy::step(const SchedulingTables& tables) {
  pass_turn_from_idle_owner(tables);
  // 1. The kernel nearest to its turn that needs an SM; under exclusive access only the owner's.
  KsrId kernel = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.uncovered_tbs() <= 0 || (is_exclusive_ && ksr.context != owner_)) continue;
    if (kernel == kNoKsr || distance(ksr.context) < distance(tables.ksr(kernel).context)) kernel = id;
  }
  if (kernel == kNoKsr) return {};
  // 2. It gets idle SMs, or, in its own turn, one from the context whose turn is farthest away.
  const SmId idle = tables.lowest_idle_sm();
  if (idle != kNoSm) return {Action::kAssign, idle, kernel};
  if (tables.ksr(kernel).context != owner_) return {};
  return take_from_farthest(tables, victims_, kernel, [&](ContextId context) { return distance(context); });
}

bool TimeSlicePolicy::wants_timer(const SchedulingTables& tables) const {
  const auto& queue = tables.active_queue();
  return std::any_of(queue.begin(), queue.end(),
                     [&](KsrId id) { return tables.ksr(id).context != tables.ksr(queue.front()).context; });
}

void TimeSlicePolicy::on_timer(const SchedulingTables& tables) {
  owner_ = ContextId((index(owner_) + 1) % num_contexts_);
  pass_turn_from_idle_owner(tables);
}

// Under exclusive access only in its turn, unless it is alone.
bool TimeSlicePolicy::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  const auto& queue = tables.active_queue();
  return !is_exclusive_ || std::all_of(queue.begin(), queue.end(), [&](KsrId other) {
    return tables.ksr(other).context == tables.ksr(ksr).context;
  });
}

std::uint32_t TimeSlicePolicy::distance(ContextId context) const {
  return static_cast<std::uint32_t>((index(context) + num_contexts_ - index(owner_)) % num_contexts_);
}

void TimeSlicePolicy::pass_turn_from_idle_owner(const SchedulingTables& tables) {
  if (tables.active_queue().empty()) return;
  const KsrId next = *std::min_element(
      tables.active_queue().begin(), tables.active_queue().end(),
      [&](KsrId a, KsrId b) { return distance(tables.ksr(a).context) < distance(tables.ksr(b).context); });
  owner_ = tables.ksr(next).context;
}

std::unique_ptr<IPolicy> make_time_slice(const PolicyConfig& config) {
  if (config.turn != nullptr) return std::make_unique<KeptTimeSlicePolicy>(config);
  return std::make_unique<TimeSlicePolicy>(config);
}

}  // namespace tessera::policy
