// SPDX-License-Identifier: Apache-2.0
// The searches of time_slice with a kept turn.
#include "model/policy/kept_time_slice.h"

#include <algorithm>

#include "model/policy/selection.h"

namespace tessera::policy {

CommandBufferId KeptTimeSlicePolicy::select_command(const SchedulingTables& tables) const {
  std::size_t nearest = num_contexts_;
  for (const CommandEntry& command : tables.command_buffers()) {
    if (command.is_valid) nearest = std::min(nearest, distance(command.context));
  }
  if (nearest == 0 && !turn_.activates_owner) return kNoCommandBuffer;
  return next_command_in_turn(tables,
                              [&](const CommandEntry& command) { return distance(command.context) == nearest; });
}

Decision KeptTimeSlicePolicy::step(const SchedulingTables& tables) {
  if (!turn_.gives_sms) return {};
  const KsrId kernel = first_uncovered(tables, [this](const KsrEntry& ksr) { return ksr.context == turn_.owner; });
  if (kernel == kNoKsr) return {};
  const SmId idle = tables.lowest_idle_sm();
  if (idle != kNoSm) return {Action::kAssign, idle, kernel};
  if (!turn_.takes_sms_away) return {};
  return take_from_farthest(tables, victims_, kernel, [&](ContextId context) { return distance(context); });
}

bool KeptTimeSlicePolicy::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  return turn_.gives_sms && tables.ksr(ksr).context == turn_.owner;
}

std::size_t KeptTimeSlicePolicy::distance(ContextId context) const {
  return (index(context) + num_contexts_ - index(turn_.owner)) % num_contexts_;
}

}  // namespace tessera::policy
