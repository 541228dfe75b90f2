// SPDX-License-Identifier: Apache-2.0
// dss: dynamic spatial sharing ([T14] 3.4, Algorithm 1), with the readings DSS 1 to 11 of docs/concepts/readings.md.
// Tokens are the SMs that a kernel may own; `scheduler.debt` says whether kernels go into debt rather than leave SMs
// idle.
#pragma once

#include <vector>

#include "model/policy/policy.h"

namespace tessera::policy {

class DssPolicy final : public IPolicy {
 public:
  explicit DssPolicy(const PolicyConfig& config);

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  Decision step(const SchedulingTables& tables) override;
  std::int32_t take_tokens(ContextId context) override;
  void return_tokens(const SchedulingTables& tables, KsrId finished) override;
  void set_tokens(ContextId context, std::int32_t tokens) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;
  bool withholds_idle_sms(const SchedulingTables& tables) const override;
  bool owes_an_sm_to_budgets() const override { return !is_per_process_; }  // else a process's kernels share a budget

 private:
  // The kernels that get and give an SM (DSS 2); kNoKsr: none.
  KsrId richest_that_needs_sms(const SchedulingTables& tables) const;
  KsrId poorest_that_holds_sms(const SchedulingTables& tables) const;
  bool is_gap(const SchedulingTables& tables, KsrId rich, KsrId poor) const;
  bool may_go_into_debt(const SchedulingTables& tables, KsrId kernel) const;
  bool is_debt_lasting(const SchedulingTables& tables, KsrId kernel) const;
  bool is_only_budget(const SchedulingTables& tables, KsrId kernel) const;
  bool has_same_budget(const SchedulingTables& tables, KsrId a, KsrId b) const;
  // SMs that an assign gives at most.
  std::uint32_t limit_for(const SchedulingTables& tables, KsrId kernel) const;
  // Tokens left to a kernel, or to its whole process if that owns the budget.
  std::int32_t token_count(const SchedulingTables& tables, KsrId id) const;

  bool is_per_process_;  // token_scope: process
  spec::Debt debt_;
  bool is_remainder_pooled_;
  const IVictimPort* victims_;
  std::int32_t equal_share_;                           // floor(N_SM / N_p)
  std::uint32_t pool_;                                 // unassigned tokens of the remainder N_SM mod N_p
  std::vector<std::optional<std::int32_t>> assigned_;  // per context: what the OS wrote
  std::vector<std::uint32_t> from_pool_;               // per context: remainder tokens its kernels hold
  std::vector<std::uint32_t> num_kernels_;             // per context: active ones
};

}  // namespace tessera::policy
