// SPDX-License-Identifier: Apache-2.0
// Dynamic spatial sharing, one step of Algorithm 1 a call.
#include "model/policy/dss.h"

#include <algorithm>
#include <limits>

#include "model/policy/selection.h"

namespace tessera::policy {

DssPolicy::DssPolicy(const PolicyConfig& config)
    : is_per_process_(config.scheduler.token_scope == spec::TokenScope::kProcess),
      debt_(config.scheduler.debt),
      is_remainder_pooled_(config.scheduler.remainder == spec::Remainder::kPool),
      victims_(config.victims),
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
  // 1. The walk finds the kernel with most tokens that needs an SM and the one with fewest that holds one.
  const KsrId max = richest_that_needs_sms(tables);
  if (max == kNoKsr) return {};
  // 2. Idle SMs first, whatever the gap, as far as own tokens and debt go.
  const SmId idle = tables.lowest_idle_sm();
  if (idle != kNoSm && may_use_idle_sm(tables, max)) return {Action::kAssign, idle, max, limit_for(tables, max)};
  // 3. Else one SM moves, as long as that brings the counts closer together.
  const KsrId min = poorest_that_holds_sms(tables);
  if (min == kNoKsr || !is_gap(tables, max, min)) return {};
  return take_sm(tables, victims_, max, min);
}

// As many SMs as it would get one by one: no more than its tokens, or without end in debt that lasts, and until the
// runner-up, which has another budget, would come first.
std::uint32_t DssPolicy::limit_for(const SchedulingTables& tables, KsrId kernel) const {
  const std::int32_t own = token_count(tables, kernel);
  std::int32_t limit = is_debt_lasting(tables, kernel) ? std::numeric_limits<std::int32_t>::max() : std::max(own, 1);
  KsrId runner_up = kNoKsr;
  bool is_first = false;  // before the runner-up in the queue
  bool has_passed = false;
  for (const KsrId id : tables.active_queue()) {
    has_passed = has_passed || id == kernel;
    if (tables.ksr(id).uncovered_tbs() <= 0 || has_same_budget(tables, id, kernel)) continue;
    if (runner_up != kNoKsr && token_count(tables, id) <= token_count(tables, runner_up)) continue;
    runner_up = id;
    is_first = has_passed;
  }
  if (runner_up != kNoKsr) limit = std::min(limit, own - token_count(tables, runner_up) + (is_first ? 1 : 0));
  return static_cast<std::uint32_t>(limit);
}

KsrId DssPolicy::richest_that_needs_sms(const SchedulingTables& tables) const {
  KsrId max = kNoKsr;
  for (const KsrId id : tables.active_queue()) {
    if (tables.ksr(id).uncovered_tbs() <= 0) continue;
    if (max == kNoKsr || token_count(tables, id) > token_count(tables, max)) max = id;
  }
  return max;
}

KsrId DssPolicy::poorest_that_holds_sms(const SchedulingTables& tables) const {
  return lowest_holder(tables, [&](KsrId id) { return token_count(tables, id); });
}

bool DssPolicy::is_gap(const SchedulingTables& tables, KsrId rich, KsrId poor) const {
  return token_count(tables, rich) > token_count(tables, poor) + 1;
}

// ---- debt ------------------------------------------------------------------------------------------------------

// Nobody who has fewer tokens than the richest gets one before it does.
bool DssPolicy::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  return token_count(tables, ksr) > 0 || may_go_into_debt(tables, ksr);
}

bool DssPolicy::withholds_idle_sms(const SchedulingTables& tables) const {
  if (debt_ == spec::Debt::kAlways || tables.lowest_idle_sm() == kNoSm) return false;
  const KsrId max = richest_that_needs_sms(tables);
  return max != kNoKsr && !may_use_idle_sm(tables, max);
}

bool DssPolicy::may_go_into_debt(const SchedulingTables& tables, KsrId kernel) const {
  switch (debt_) {
    case spec::Debt::kAlways:
      return true;
    case spec::Debt::kGap: {
      const KsrId min = poorest_that_holds_sms(tables);
      return min == kNoKsr || is_gap(tables, kernel, min) || is_only_budget(tables, kernel);
    }
    case spec::Debt::kLone:
      return is_only_budget(tables, kernel);
    case spec::Debt::kNever:
      return false;
  }
  return false;
}

// Whether that will be so with each SM more.
bool DssPolicy::is_debt_lasting(const SchedulingTables& tables, KsrId kernel) const {
  return debt_ == spec::Debt::kAlways || (debt_ != spec::Debt::kNever && is_only_budget(tables, kernel));
}

// No other kernel, or where a process shares one no other process, is active.
bool DssPolicy::is_only_budget(const SchedulingTables& tables, KsrId kernel) const {
  const auto& queue = tables.active_queue();
  return std::all_of(queue.begin(), queue.end(), [&](KsrId id) { return has_same_budget(tables, id, kernel); });
}

bool DssPolicy::has_same_budget(const SchedulingTables& tables, KsrId a, KsrId b) const {
  return is_per_process_ ? tables.ksr(a).context == tables.ksr(b).context : a == b;
}

// ---- budgets ---------------------------------------------------------------------------------------------------

std::int32_t DssPolicy::take_tokens(ContextId context) {
  const bool is_new_holder = num_kernels_[index(context)]++ == 0 || !is_per_process_;
  if (assigned_[index(context)]) return *assigned_[index(context)];
  std::uint32_t& held = from_pool_[index(context)];
  const bool takes_one = is_new_holder && pool_ > 0 && !(is_per_process_ && held > 0);
  if (takes_one) {
    --pool_;
    ++held;
  }
  return equal_share_ + static_cast<std::int32_t>(is_per_process_ ? held : takes_one);
}

// What is given out once a process keeps, and a kernel takes with it.
void DssPolicy::return_tokens(const SchedulingTables& tables, KsrId finished) {
  const KsrEntry& ksr = tables.ksr(finished);
  std::uint32_t& held = from_pool_[index(ksr.context)];
  const bool is_last_kernel = --num_kernels_[index(ksr.context)] == 0;
  const bool is_last_holder = is_per_process_ ? is_last_kernel && is_remainder_pooled_ : ksr.tokens > equal_share_;
  if (!assigned_[index(ksr.context)] && held > 0 && is_last_holder) {
    --held;
    if (is_remainder_pooled_) ++pool_;
  }
}

void DssPolicy::set_tokens(ContextId context, std::int32_t tokens) {
  if (is_remainder_pooled_) pool_ += from_pool_[index(context)];  // an assigned budget has none of these in it
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

std::unique_ptr<IPolicy> make_dss(const PolicyConfig& config) { return std::make_unique<DssPolicy>(config); }

}  // namespace tessera::policy
