// SPDX-License-Identifier: Apache-2.0
// ppq: preemptive priority queues ([T14] 4.2, 4.3). A kernel takes as many SMs from lower priorities as its
// uncovered TBs need. `exclusive` keeps SMs that become idle from lower priorities; `shared` gives them away.
#pragma once

#include "model/policy/policy.h"

namespace tessera::policy {

class PpqPolicy final : public IPolicy {
 public:
  explicit PpqPolicy(const spec::SchedulerSpec& scheduler)
      : is_exclusive_(scheduler.access == spec::Access::kExclusive),
        empties_engine_(is_exclusive_ && scheduler.exclusive_scope == spec::ExclusiveScope::kAll) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;

 private:
  // The highest priority, then earliest, of the kernels with uncovered TBs that may have an SM.
  KsrId neediest(const SchedulingTables& tables) const;
  Decision preempt(const SchedulingTables& tables, KsrId kernel) const;

  bool is_exclusive_;
  bool empties_engine_;  // exclusive_scope: all
};

}  // namespace tessera::policy
