// SPDX-License-Identifier: Apache-2.0
// A policy of SMs that kernels share (docs/concepts/shared_sms.md): it says which kernels enter the active queue. No SM
// is anybody's, so that it makes no moves.
#pragma once

#include <memory>
#include <utility>

#include "model/policy/policy.h"

namespace tessera::policy {

class SharedSmsPolicy final : public IPolicy {
 public:
  // `of_commands`: the policy of the same machine with SMs of one kernel.
  explicit SharedSmsPolicy(std::unique_ptr<IPolicy> of_commands) : of_commands_(std::move(of_commands)) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override {
    return of_commands_->select_command(tables);
  }
  Decision step(const SchedulingTables&) override { return {}; }
  bool may_use_idle_sm(const SchedulingTables&, KsrId) const override { return false; }

 private:
  std::unique_ptr<IPolicy> of_commands_;
};

}  // namespace tessera::policy
