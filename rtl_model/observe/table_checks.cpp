// SPDX-License-Identifier: Apache-2.0
// Recounts and steady-state checks.
#include "rtl_model/observe/table_checks.h"

#include <fmt/format.h>

namespace tessera::rtl_model {

using record::Invariant;

void TableChecks::recount() {
  std::vector<std::uint32_t> owned(params_.num_ksrs, 0), reserved(params_.num_ksrs, 0);
  std::vector<std::uint64_t> covered(params_.num_ksrs, 0);
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    const SmRow& row = tables_.smst.row(sm);
    const std::uint32_t claimant = tables_.smst.claimant(row);
    if (row.state == SmState::kRunning && (claimant >= params_.num_ksrs || !tables_.ksrt.row(claimant).valid)) {
      monitor_.violated(Invariant::kSmHasOneOwner, fmt::format("SM {} runs for KSR {}, which is free", sm, claimant));
      continue;
    }
    if (claimant == kNone) continue;
    const KsrRow& kernel = tables_.ksrt.row(claimant);
    if (row.state == SmState::kRunning) {
      ++owned[claimant];
      covered[claimant] += kernel.tbs_per_sm - row.running;
    } else {
      ++reserved[claimant];
      covered[claimant] += static_cast<std::uint64_t>(tables_.ksrt.slots_of_reserved_sm(kernel));
    }
  }
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    const std::uint32_t ksr = tables_.active_queue.at(i);
    check_row(ksr, owned[ksr], reserved[ksr], covered[ksr]);
  }
}

void TableChecks::check_row(std::uint32_t ksr, std::uint32_t owned, std::uint32_t reserved, std::uint64_t covered) {
  const KsrRow& row = tables_.ksrt.row(ksr);
  if (row.owned != owned || row.reserved != reserved || row.covered != covered) {
    monitor_.violated(
        Invariant::kTokensConserved,
        fmt::format("KSR {} counts {} SMs, {} reserved, {} slots; there are {}, {}, {}", ksr, std::uint32_t{row.owned},
                    std::uint32_t{row.reserved}, std::uint32_t{row.covered}, owned, reserved, covered));
  }
}

void TableChecks::steady_state(const spec::SchedulerSpec& scheduler) {
  const bool has_own_budgets = scheduler.token_scope == spec::TokenScope::kKernel;
  if (scheduler.policy == spec::PolicyKind::kDss && has_own_budgets) starvation();
  bool has_idle_sm = false;
  for (std::uint32_t sm = 0; sm < params_.num_sms && !has_idle_sm; ++sm) {
    has_idle_sm = tables_.smst.row(sm).state == SmState::kIdle;
  }
  if (!has_idle_sm) return;
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    const KsrRow& row = tables_.ksrt.row(tables_.active_queue.at(i));
    if (!tables_.ksrt.is_uncovered(row) || !may_use_idle_sm(scheduler, row)) continue;
    monitor_.violated(Invariant::kNoNeedlessIdleSm,
                      fmt::format("an SM is idle and KSR {} has uncovered TBs", tables_.active_queue.at(i)));
  }
}

// By the policies' definitions alone (design.md section 4).
bool TableChecks::may_use_idle_sm(const spec::SchedulerSpec& scheduler, const KsrRow& row) const {
  if (scheduler.access != spec::Access::kExclusive) return true;
  const bool by_priority = scheduler.policy == spec::PolicyKind::kPpq;
  const bool by_turn = scheduler.policy == spec::PolicyKind::kTimeSlice;
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    const KsrRow& other = tables_.ksrt.row(tables_.active_queue.at(i));
    if (by_priority && other.priority > row.priority) return false;
    if (by_turn && other.context != row.context) return false;  // perhaps not in its turn
  }
  return true;
}

void TableChecks::starvation() {
  std::uint64_t budgets = 0;
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    budgets += tables_.ksrt.row(tables_.active_queue.at(i)).tokens;
  }
  if (budgets > params_.num_sms) return;
  // An SM that is being emptied for a kernel that has finished meanwhile will be idle, and then theirs.
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    const SmRow& row = tables_.smst.row(sm);
    if (row.state == SmState::kReserved && !tables_.smst.has_next(row)) return;
  }
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    const KsrRow& row = tables_.ksrt.row(tables_.active_queue.at(i));
    if (row.held() > 0 || row.tokens < 1 || !tables_.ksrt.is_uncovered(row)) continue;
    monitor_.violated(Invariant::kNoStarvation, fmt::format("KSR {} holds no SM, with {} tokens",
                                                            tables_.active_queue.at(i), std::uint32_t{row.tokens}));
  }
}

}  // namespace tessera::rtl_model
