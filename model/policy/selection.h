// SPDX-License-Identifier: Apache-2.0
// Searches that several policies make over the tables.
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

// The victim: the first in the active queue of the kernels with the lowest key that hold an SM, among those for which
// `allowed(ksr)` holds; kNoKsr when none. `key(id)` is less for those that lose SMs first.
template <typename Key, typename Allowed>
KsrId lowest_holder(const SchedulingTables& tables, Key key, Allowed allowed) {
  KsrId victim = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    if (tables.ksr(id).takable_sms() <= 0 || !allowed(tables.ksr(id))) continue;
    if (victim == kNoKsr || key(id) < key(victim)) victim = id;
  }
  return victim;
}
template <typename Key>
KsrId lowest_holder(const SchedulingTables& tables, Key key) {
  return lowest_holder(tables, key, [](const KsrEntry&) { return true; });
}

// The SM that `kernel` takes from `victim`, or, for kNoKsr, of those that are foreign: the lowest that is reserved (it
// is already being emptied), else the running one that the technique's port chooses, or the lowest without a port.
Decision take_sm(const SchedulingTables& tables, const IVictimPort* port, KsrId kernel, KsrId victim);

// `kernel` takes an SM from the kernel whose context is farthest from its turn, if that is not its own.
template <typename Distance>
Decision take_from_farthest(const SchedulingTables& tables, const IVictimPort* port, KsrId kernel, Distance distance) {
  const auto key = [&](KsrId id) { return -static_cast<std::int64_t>(distance(tables.ksr(id).context)); };
  const KsrId victim = lowest_holder(tables, key);
  return victim == kNoKsr || key(victim) >= key(kernel) ? Decision{} : take_sm(tables, port, kernel, victim);
}

}  // namespace tessera::policy
