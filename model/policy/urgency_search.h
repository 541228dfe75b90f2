// SPDX-License-Identifier: Apache-2.0
// The searches of preemptive queues by urgency, which is the priority ([T14] 4.2, 4.3) or the deadline, over the whole
// GPU or in one partition of it. A kernel takes as many SMs from less urgent ones as its unmet demand requires.
// `exclusive` keeps SMs that become idle from less urgent kernels; `shared` gives them away.
#pragma once

#include <algorithm>
#include <type_traits>

#include "model/policy/selection.h"

namespace tessera::policy {

// Urgency of a KSR or a waiting command: larger is more urgent.
struct ByPriority {
  template <typename Entry>
  static std::uint32_t urgency(const Entry& entry) {
    return entry.priority;
  }
};
struct ByDeadline {
  template <typename Entry>
  static std::uint64_t urgency(const Entry& entry) {
    return kNoDeadline - entry.deadline_unit;
  }
};

// Scope of a search: all kernels, ...
struct WholeGpu {
  static bool has(const KsrEntry&) { return true; }
};
// ... or the kernels and SMs of one partition.
struct OnePartition {
  PartitionId id{};
  bool has(const KsrEntry& kernel) const { return kernel.partition == id; }
};

// Whether command a is more urgent than b or, if equal, arrived earlier.
template <typename By>
bool is_ahead(const CommandEntry& a, const CommandEntry& b) {
  return By::urgency(a) != By::urgency(b) ? By::urgency(a) > By::urgency(b) : arrived_earlier(a, b);
}

// The most urgent of the waiting commands, round robin among equal ones.
template <typename By>
CommandBufferId most_urgent_command(const SchedulingTables& tables) {
  const CommandBufferId urgent = first_command(
      tables, [&](const CommandEntry& a, const CommandEntry& b) { return By::urgency(a) > By::urgency(b); });
  if (urgent == kNoCommandBuffer) return urgent;
  const auto most = By::urgency(tables.command_buffers()[index(urgent)]);
  return next_command_in_turn(tables, [&](const CommandEntry& command) { return By::urgency(command) == most; });
}

// `By` and the scope are template parameters since they are evaluated for every row of every search.
template <typename By>
class UrgencySearch {
 public:
  explicit UrgencySearch(const PolicyConfig& config)
      : is_exclusive_(config.scheduler.access == spec::Access::kExclusive),
        empties_engine_(is_exclusive_ && config.scheduler.exclusive_scope == spec::ExclusiveScope::kAll),
        victims_(config.victims) {}

  template <typename Scope>
  Decision step(const SchedulingTables& tables, const Scope& scope) const {
    const KsrId top = most_urgent(tables, scope);
    if (top == kNoKsr) return {};
    // 1. An idle SM goes to the most urgent kernel that needs one and may have it.
    const KsrId kernel = neediest(tables, scope, By::urgency(tables.ksr(top)));
    const SmId idle = kernel != kNoKsr ? tables.idle_sm_for(kernel) : kNoSm;
    if (idle != kNoSm) return {Action::kAssign, idle, kernel};
    // 2. Without one, it takes an SM from a less urgent kernel.
    if (kernel != kNoKsr) return preempt(tables, scope, kernel);
    // 3. Exclusive access to all: less urgent kernels leave even SMs that no kernel needs.
    if (!empties_engine_ || (victims_ != nullptr && !victims_->takes_more(top))) return {};
    Decision taken = preempt(tables, scope, top);
    taken.is_needed = false;
    return taken;
  }

  template <typename Scope>
  bool may_use_idle_sm(const SchedulingTables& tables, const Scope& scope, KsrId ksr) const {
    const auto& queue = tables.active_queue();
    return !is_exclusive_ || std::none_of(queue.begin(), queue.end(), [&](KsrId other) {
      return scope.has(tables.ksr(other)) && By::urgency(tables.ksr(other)) > By::urgency(tables.ksr(ksr));
    });
  }

 private:
  using Urgency = decltype(By::urgency(KsrEntry{}));

  // The earliest of the most urgent active kernels.
  template <typename Scope>
  KsrId most_urgent(const SchedulingTables& tables, const Scope& scope) const {
    KsrId best = kNoKsr;
    for (const KsrId id : tables.active_queue()) {
      if (!scope.has(tables.ksr(id))) continue;
      if (best == kNoKsr || By::urgency(tables.ksr(id)) > By::urgency(tables.ksr(best))) best = id;
    }
    return best;
  }

  // The same among kernels with unmet demand that may have an SM.
  template <typename Scope>
  KsrId neediest(const SchedulingTables& tables, const Scope& scope, Urgency top) const {
    KsrId best = kNoKsr;
    for (const KsrId id : tables.active_queue()) {
      const KsrEntry& ksr = tables.ksr(id);
      if (!scope.has(ksr) || ksr.uncovered_tbs() <= 0 || (is_exclusive_ && By::urgency(ksr) < top)) continue;
      if (best == kNoKsr || By::urgency(ksr) > By::urgency(tables.ksr(best))) best = id;
    }
    return best;
  }

  // Takes an SM from the least urgent kernel that holds one, if it is less urgent than the kernel itself; in a
  // partition a foreign one first, whoever has it.
  template <typename Scope>
  Decision preempt(const SchedulingTables& tables, const Scope& scope, KsrId kernel) const {
    if constexpr (std::is_same_v<Scope, OnePartition>) {
      const Decision foreign = take_sm(tables, victims_, kernel, kNoKsr);
      if (foreign.action != Action::kNone) return foreign;
    }
    const KsrId victim = lowest_holder(
        tables, [&](KsrId id) { return By::urgency(tables.ksr(id)); },
        [&](const KsrEntry& ksr) { return scope.has(ksr); });
    if (victim == kNoKsr || By::urgency(tables.ksr(victim)) >= By::urgency(tables.ksr(kernel))) return {};
    return take_sm(tables, victims_, kernel, victim);
  }

  bool is_exclusive_;
  bool empties_engine_;  // exclusive_scope: all
  const IVictimPort* victims_;
};

}  // namespace tessera::policy
