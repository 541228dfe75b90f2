// SPDX-License-Identifier: Apache-2.0
// time_slice with a kept turn (docs/hardware/timing.md 3.12): SMs go to kernels of the turn's owner alone. Who that is,
// the engine says.
#pragma once

#include "model/policy/kept_turn.h"
#include "model/policy/policy.h"

namespace tessera::policy {

class KeptTimeSlicePolicy final : public IPolicy {
 public:
  // Requires config.turn.
  explicit KeptTimeSlicePolicy(const PolicyConfig& config)
      : turn_(*config.turn), num_contexts_(config.num_processes), victims_(config.victims) {}

  // The owner's commands first; activation does not need the turn.
  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;

 private:
  // How far a context is from its turn: 0 for the owner.
  std::size_t distance(ContextId context) const;

  const SeenTurn& turn_;
  std::size_t num_contexts_;
  const IVictimPort* victims_;
};

}  // namespace tessera::policy
