// SPDX-License-Identifier: Apache-2.0
// fcfs and npq: one context in the engine at a time, never preempted ([T14] 2.3, 2.4). Kernels of that context
// run back to back; the first waiting kernel of another context blocks those behind it.
#pragma once

#include "model/policy/policy.h"

namespace tessera::policy {

class OneContextPolicy final : public IPolicy {
 public:
  enum class Order { kArrival, kPriority };  // fcfs, npq
  explicit OneContextPolicy(Order order) : order_(order) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;

 private:
  Order order_;
};

}  // namespace tessera::policy
