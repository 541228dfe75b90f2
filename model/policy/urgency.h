// SPDX-License-Identifier: Apache-2.0
// ppq and edf: preemptive queues by urgency (urgency_search.h) on the whole GPU.
#pragma once

#include "model/policy/urgency_search.h"

namespace tessera::policy {

template <typename By>
class UrgencyPolicy final : public IPolicy {
 public:
  explicit UrgencyPolicy(const PolicyConfig& config) : search_(config) {}

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;

 private:
  UrgencySearch<By> search_;
};

using PpqPolicy = UrgencyPolicy<ByPriority>;
using EdfPolicy = UrgencyPolicy<ByDeadline>;

}  // namespace tessera::policy
