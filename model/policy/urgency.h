// SPDX-License-Identifier: Apache-2.0
// ppq and edf: preemptive queues by urgency, which is the priority ([T14] 4.2, 4.3) or the deadline. A kernel takes as
// many SMs from less urgent ones as its uncovered TBs need. `exclusive` keeps SMs that become idle from less urgent
// kernels; `shared` gives them away.
#pragma once

#include "model/policy/policy.h"

namespace tessera::policy {

// Of a KSR or a waiting command: more is more urgent.
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

// `By` is known when it is compiled: it is asked for every row of every search.
template <typename By>
class UrgencyPolicy final : public IPolicy {
 public:
  explicit UrgencyPolicy(const PolicyConfig& config)
      : is_exclusive_(config.scheduler.access == spec::Access::kExclusive),
        empties_engine_(is_exclusive_ && config.scheduler.exclusive_scope == spec::ExclusiveScope::kAll),
        victims_(config.victims) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;

 private:
  // The earliest of the most urgent active kernels; the active queue is not empty.
  KsrId most_urgent(const SchedulingTables& tables) const;
  // The same of the kernels with uncovered TBs that may have an SM.
  KsrId neediest(const SchedulingTables& tables) const;
  Decision preempt(const SchedulingTables& tables, KsrId kernel) const;

  bool is_exclusive_;
  bool empties_engine_;  // exclusive_scope: all
  const IVictimPort* victims_;
};

using PpqPolicy = UrgencyPolicy<ByPriority>;
using EdfPolicy = UrgencyPolicy<ByDeadline>;

}  // namespace tessera::policy
