// SPDX-License-Identifier: Apache-2.0
// Searches that several policies make over the tables; each is one walk in hardware.
#pragma once

#include "model/base/sm_set.h"
#include "model/policy/policy.h"

namespace tessera::policy {

// The first kernel in the active queue with unmet demand for which `allowed(ksr)` holds; kNoKsr when none.
template <typename Allowed>
KsrId first_uncovered(const SchedulingTables& tables, Allowed allowed) {
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.uncovered_tbs() > 0 && allowed(ksr)) return id;
  }
  return kNoKsr;
}

// The valid command that comes first in the order `before(a, b)`; kNoCommandBuffer when none.
template <typename Before>
CommandBufferId first_command(const SchedulingTables& tables, Before before) {
  const auto& buffers = tables.command_buffers();
  CommandBufferId first = kNoCommandBuffer;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].is_valid) continue;
    if (first == kNoCommandBuffer || before(buffers[i], buffers[index(first)])) first = CommandBufferId(i);
  }
  return first;
}

inline bool arrived_earlier(const CommandEntry& a, const CommandEntry& b) { return a.arrival_order < b.arrival_order; }

// The valid command whose turn it is, round robin after the one activated last, among those for which
// `allowed(command)` holds; kNoCommandBuffer when none.
template <typename Allowed>
CommandBufferId next_command_in_turn(const SchedulingTables& tables, Allowed allowed) {
  const auto& buffers = tables.command_buffers();
  const CommandBufferId last = tables.last_command_activated();
  const std::size_t start = last == kNoCommandBuffer ? 0 : index(last) + 1;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t at = (start + i) % buffers.size();
    if (buffers[at].is_valid && allowed(buffers[at])) return CommandBufferId(at);
  }
  return kNoCommandBuffer;
}

// The SM to take among those for which `is_candidate(sm)` holds, from a kernel for which `is_victim(ksr)` holds: the
// lowest SM reserved for such a kernel (it is already being emptied), else the running one that the technique's port
// chooses, or the lowest without a port. It is a second search, after the one that found `kernel`.
template <typename IsCandidate, typename IsVictim>
Decision take_sm(const SchedulingTables& tables, const IVictimPort* port, KsrId kernel, IsCandidate is_candidate,
                 IsVictim is_victim) {
  const auto candidates = [&](SmStatus status) {
    SmSet sms;
    for (std::size_t i = 0; i < tables.smst().size(); ++i) {
      const SmEntry& sm = tables.smst()[i];
      const KsrId claimant = tables.claimant(SmId(i));
      if (sm.status == status && !sm.is_shared && is_candidate(SmId(i)) && claimant != kNoKsr && is_victim(claimant))
        sms.set(static_cast<std::uint32_t>(i));
    }
    return sms;
  };
  if (const SmSet reserved = candidates(SmStatus::kReserved); reserved.any())
    return {Action::kRetarget, SmId(reserved.lowest()), kernel, 2};
  const SmSet running = candidates(SmStatus::kRunning);
  if (!running.any()) return {Action::kNone, kNoSm, kNoKsr, 2};
  return {Action::kReserve, port == nullptr ? SmId(running.lowest()) : port->choose(running, kernel), kernel, 2};
}
// The same over all SMs.
template <typename IsVictim>
Decision take_sm(const SchedulingTables& tables, const IVictimPort* port, KsrId kernel, IsVictim is_victim) {
  return take_sm(
      tables, port, kernel, [](SmId) { return true; }, is_victim);
}

}  // namespace tessera::policy
