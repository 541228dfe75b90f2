// SPDX-License-Identifier: Apache-2.0
// Recounts and steady-state checks.
#include "rtl_model/observe/table_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/policy/urgency.h"

namespace tessera::rtl_model {

using record::Invariant;

namespace {

// docs/hardware/timing.md 4.1.
constexpr std::uint32_t kIdle = 0;
constexpr std::uint32_t kRunning = 1;
constexpr std::uint32_t kReserved = 2;
// docs/hardware/timing.md 3.12.
constexpr std::uint32_t kOwned = 1;

// Of a row's ten bits.
std::int32_t tokens_left(const CoreSnapshot& core, std::uint32_t row) {
  const auto left = static_cast<std::int32_t>(core.tokens[row].left);
  return left >= 512 ? left - 1024 : left;
}

std::int32_t tokens_left(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler, std::uint32_t ksr) {
  return tokens_left(core, scheduler.token_scope == spec::TokenScope::kProcess ? core.ksrt[ksr].context : ksr);
}

// A kernel's budget, with token scope kernel: the core keeps what is left of it.
std::int32_t tokens_of(const CoreSnapshot& core, std::uint32_t ksr) {
  const KsrSnapshot& row = core.ksrt[ksr];
  return tokens_left(core, ksr) + static_cast<std::int32_t>(row.owned + row.reserved);
}

}  // namespace

TableChecks::TableChecks(const Params& params, record::InvariantMonitor& monitor)
    : params_(params), monitor_(monitor), counts_(params.num_ksrs) {}

void TableChecks::recount(const CoreSnapshot& core) {
  std::fill(counts_.begin(), counts_.end(), Count{});
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) count_sm(core, sm);
  for (const std::uint32_t ksr : core.active_queue) check_row(core, ksr);
}

void TableChecks::count_sm(const CoreSnapshot& core, std::uint32_t sm) {
  const SmSnapshot& row = core.smst[sm];
  if (row.state == kIdle) return;
  const bool is_running = row.state == kRunning;
  const std::uint32_t claimant = is_running ? row.ksr : row.next;
  if (is_running && (claimant >= params_.num_ksrs || !core.ksrt[claimant].valid)) {
    return monitor_.violated(Invariant::kSmHasOneOwner,
                             fmt::format("SM {} runs for KSR {}, which is free", sm, claimant));
  }
  if (claimant == kNone) return;
  const KsrSnapshot& kernel = core.ksrt[claimant];
  Count& count = counts_[claimant];
  if (is_running) {
    ++count.owned;
    count.covered += kernel.tbs_per_sm - row.running;
  } else {
    ++count.reserved;
    count.covered += params_.is_breadth_first ? 0 : kernel.tbs_per_sm;
  }
}

void TableChecks::check_row(const CoreSnapshot& core, std::uint32_t ksr) {
  const KsrSnapshot& row = core.ksrt[ksr];
  const Count& count = counts_[ksr];
  const bool is_covered_right = row.covered == count.covered || !core.are_tbs_counted;
  if (row.owned == count.owned && row.reserved == count.reserved && is_covered_right) return;
  monitor_.violated(Invariant::kTokensConserved,
                    fmt::format("KSR {} counts {} SMs, {} reserved, {} slots; there are {}, {}, {}", ksr, row.owned,
                                row.reserved, row.covered, count.owned, count.reserved, count.covered));
}

void TableChecks::steady_state(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler) {
  const bool has_own_budgets = scheduler.token_scope == spec::TokenScope::kKernel;
  if (spec::orders_by(scheduler, spec::PolicyOrder::kTokens) && has_own_budgets) starvation(core);
  const auto is_idle = [this](const SmSnapshot& row) { return row.state == kIdle && can_be_set_up(row); };
  if (std::none_of(core.smst.begin(), core.smst.end(), is_idle)) return;
  const bool in_partitions = spec::is_partitioned(scheduler);
  const auto is_free = [&](const SmSnapshot& row) { return is_idle(row) && !(core.lingers && row.is_kept); };
  const bool is_any_free = std::any_of(core.smst.begin(), core.smst.end(), is_free);
  for (const std::uint32_t ksr : core.active_queue) {
    const KsrSnapshot& row = core.ksrt[ksr];
    const bool is_kept_out = core.lingers && row.priority < core.linger_priority && !is_any_free;
    const bool has_idle = !in_partitions || std::any_of(core.smst.begin(), core.smst.end(), [&](const SmSnapshot& sm) {
      return is_idle(sm) && sm.partition == row.partition;
    });
    if (!has_idle || !is_uncovered(row) || is_kept_out || !may_use_idle_sm(core, scheduler, ksr)) continue;
    monitor_.violated(Invariant::kNoNeedlessIdleSm, fmt::format("an SM is idle and KSR {} has uncovered TBs", ksr));
  }
}

// Has TBs that no slot waits for (docs/hardware/timing.md 4.2).
bool TableChecks::is_uncovered(const KsrSnapshot& row) const {
  const std::uint64_t issuable = std::uint64_t{row.remaining} + row.preempted;
  if (!params_.is_breadth_first) return issuable > row.covered;
  return issuable > std::uint64_t{std::min(row.covered, row.owned)} + row.reserved;
}

// docs/hardware/timing.md 3.11.
bool TableChecks::can_be_set_up(const SmSnapshot& row) const { return row.unanswered < params_.max_unanswered(); }

// By the policies' definitions alone (docs/concepts/readings.md, Other policies).
bool TableChecks::may_use_idle_sm(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler,
                                  std::uint32_t of) const {
  const KsrSnapshot& row = core.ksrt[of];
  if (spec::orders_by(scheduler, spec::PolicyOrder::kTokens))
    return tokens_left(core, scheduler, of) > 0 || may_go_into_debt(core, scheduler, of);
  if (spec::keeps_turn(scheduler)) return has_turn(core, row.context);
  const bool is_exclusive =
      spec::info(scheduler.policy).has(spec::kUsesAccess) && scheduler.access == spec::Access::kExclusive;
  if (!is_exclusive) return true;
  const bool in_partitions = spec::is_partitioned(scheduler);
  const bool by_priority = spec::orders_by(scheduler, spec::PolicyOrder::kPriority);
  const bool by_turn = spec::orders_by(scheduler, spec::PolicyOrder::kTurn);
  const bool by_due = spec::orders_by(scheduler, spec::PolicyOrder::kDeadline);
  for (const std::uint32_t ksr : core.active_queue) {
    const KsrSnapshot& other = core.ksrt[ksr];
    if (in_partitions && other.partition != row.partition) continue;
    if (by_priority && other.priority > row.priority) return false;
    if (by_due && Urgency{other.has_due, other.due}.is_above({row.has_due, row.due})) return false;
    if (by_turn && other.context != row.context) return false;  // perhaps not in its turn
  }
  return true;
}

// docs/hardware/timing.md 3.12.
bool TableChecks::has_turn(const CoreSnapshot& core, std::uint32_t context) {
  return core.turn.state == kOwned && core.turn.turn == context && core.turn.listed.has(context);
}

// DSS 10 of the readings.
bool TableChecks::may_go_into_debt(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler,
                                   std::uint32_t of) const {
  const bool by_process = scheduler.token_scope == spec::TokenScope::kProcess;
  bool is_lone = true;
  bool is_gap = true;  // to the fewest tokens, if somebody holds an SM
  for (const std::uint32_t ksr : core.active_queue) {
    const KsrSnapshot& other = core.ksrt[ksr];
    is_lone = is_lone && (by_process ? other.context == core.ksrt[of].context : ksr == of);
    if (other.owned + other.reserved > 0)
      is_gap = is_gap && tokens_left(core, scheduler, of) > tokens_left(core, scheduler, ksr) + 1;
  }
  switch (scheduler.debt) {
    case spec::Debt::kAlways:
      return true;
    case spec::Debt::kGap:
      return is_gap || is_lone;
    case spec::Debt::kLone:
      return is_lone;
    case spec::Debt::kNever:
      return false;
  }
  return false;
}

void TableChecks::starvation(const CoreSnapshot& core) {
  std::int64_t budgets = 0;
  for (const std::uint32_t ksr : core.active_queue) budgets += tokens_of(core, ksr);
  if (budgets > params_.num_sms) return;
  // An SM that is being emptied for a kernel that has finished meanwhile will be idle, and then theirs; so will one
  // that still has to answer set-ups.
  for (const SmSnapshot& row : core.smst) {
    if ((row.state == kReserved && row.next == kNone) || (row.state == kIdle && !can_be_set_up(row))) return;
  }
  for (const std::uint32_t ksr : core.active_queue) {
    const KsrSnapshot& row = core.ksrt[ksr];
    if (row.owned + row.reserved > 0 || tokens_of(core, ksr) < 1 || !is_uncovered(row)) continue;
    monitor_.violated(Invariant::kNoStarvation,
                      fmt::format("KSR {} holds no SM, with {} tokens", ksr, tokens_of(core, ksr)));
  }
}

}  // namespace tessera::rtl_model
