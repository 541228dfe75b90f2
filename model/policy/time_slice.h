// SPDX-License-Identifier: Apache-2.0
// time_slice: contexts take turns on the whole engine, a quantum each, in the order of their ids. `exclusive` leaves
// SMs that the owner cannot use idle; `shared` lends them to the next contexts in turn.
#pragma once

#include "model/policy/policy.h"

namespace tessera::policy {

class TimeSlicePolicy final : public IPolicy {
 public:
  explicit TimeSlicePolicy(const PolicyConfig& config)
      : is_exclusive_(config.scheduler.access == spec::Access::kExclusive),
        num_contexts_(config.num_processes),
        victims_(config.victims) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;
  bool wants_timer(const SchedulingTables& tables) const override;
  void on_timer(const SchedulingTables& tables) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;

 private:
  // How far a context is from its turn: 0 for the owner.
  std::uint32_t distance(ContextId context) const;
  void pass_turn_from_idle_owner(const SchedulingTables& tables);

  bool is_exclusive_;
  std::uint32_t num_contexts_;
  const IVictimPort* victims_;
  ContextId owner_{0};
};

}  // namespace tessera::policy
