// SPDX-License-Identifier: Apache-2.0
// fcfs, npq, np_edf: one context in the engine at a time, never preempted ([T14] 2.3, 2.4). Kernels of that context
// run back to back; the first waiting kernel of another context blocks those behind it. They differ in the order of
// waiting commands.
#pragma once

#include "model/policy/policy.h"

namespace tessera::policy {

class OneContextPolicy final : public IPolicy {
 public:
  using Before = bool (*)(const CommandEntry&, const CommandEntry&);  // a strict order of the waiting commands
  explicit OneContextPolicy(Before before) : before_(before) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;

 private:
  Before before_;
};

}  // namespace tessera::policy
