// SPDX-License-Identifier: Apache-2.0
// Dynamic spatial sharing, one step of Algorithm 1 a call.
#include "model/policy/dss.h"

#include "model/policy/selection.h"

namespace tessera::policy {

DssPolicy::DssPolicy(const PolicyConfig& config)
    : is_per_process_(config.scheduler.token_scope == spec::TokenScope::kProcess),
      equal_share_(static_cast<std::int32_t>(config.num_sms / config.num_processes)),
      pool_(config.num_sms % config.num_processes),
      from_pool_(config.tokens.size(), 0),
      num_kernels_(config.tokens.size(), 0) {
  for (const auto& tokens : config.tokens) assigned_.emplace_back(tokens);
}

CommandBufferId DssPolicy::select_command(const SchedulingTables& tables) const {
  return next_command_in_turn(tables, [](const CommandEntry&) { return true; });
}

Decision DssPolicy::step(const SchedulingTables& tables) {
  // 1. One walk finds the kernel with most tokens that needs an SM, the one with fewest that holds one, and an
  //    idle SM.
  KsrId max = kNoKsr;
  KsrId min = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    const KsrEntry& ksr = tables.ksr(id);
    const std::int32_t count = token_count(tables, id);
    if (ksr.uncovered_tbs() > 0 && (max == kNoKsr || count > token_count(tables, max))) max = id;
    if (ksr.sms_held() > 0 && (min == kNoKsr || count < token_count(tables, min))) min = id;
  }
  if (max == kNoKsr) return {};
  // 2. Idle SMs first, whatever the gap: debt is better than an idle SM.
  const SmId idle = tables.lowest_idle_sm();
  if (idle != kNoSm) return {Action::kAssign, idle, max};
  // 3. Else one SM moves, as long as that brings the counts closer together.
  if (min == kNoKsr || token_count(tables, max) <= token_count(tables, min) + 1) return {};
  return take_sm(tables, max, [&](KsrId victim) { return victim == min; });
}

std::int32_t DssPolicy::take_tokens(ContextId context) {
  const bool is_new_holder = num_kernels_[index(context)]++ == 0 || !is_per_process_;
  if (assigned_[index(context)]) return *assigned_[index(context)];
  std::uint32_t& held = from_pool_[index(context)];
  const bool takes_one = is_new_holder && pool_ > 0;
  if (takes_one) {
    --pool_;
    ++held;
  }
  return equal_share_ + static_cast<std::int32_t>(is_per_process_ ? held : takes_one);
}

void DssPolicy::return_tokens(const SchedulingTables& tables, KsrId finished) {
  const KsrEntry& ksr = tables.ksr(finished);
  std::uint32_t& held = from_pool_[index(ksr.context)];
  const bool is_last_kernel = --num_kernels_[index(ksr.context)] == 0;
  const bool is_last_holder = is_per_process_ ? is_last_kernel : ksr.tokens > equal_share_;
  if (!assigned_[index(ksr.context)] && held > 0 && is_last_holder) {
    --held;
    ++pool_;
  }
}

void DssPolicy::set_tokens(ContextId context, std::int32_t tokens) {
  pool_ += from_pool_[index(context)];  // an assigned budget has no remainder tokens in it
  from_pool_[index(context)] = 0;
  assigned_[index(context)] = tokens;
}

std::int32_t DssPolicy::token_count(const SchedulingTables& tables, KsrId id) const {
  const KsrEntry& ksr = tables.ksr(id);
  if (!is_per_process_) return ksr.token_count();
  std::int32_t count = ksr.tokens;
  for (const KsrId other : tables.active_queue()) {
    if (tables.ksr(other).context == ksr.context) count -= tables.ksr(other).sms_held();
  }
  return count;
}

}  // namespace tessera::policy
