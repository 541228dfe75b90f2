// SPDX-License-Identifier: Apache-2.0
// The checks off the hot path, and the texts of violations.
#include "model/record/checks/invariant_monitor.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::record {

const char* to_string(Invariant invariant) {
  static constexpr std::array<const char*, kNumInvariants> kNames = {"tb_finishes_once", "tb_reissued_only_if_saved",
                                                                     "context_intact",   "sm_has_one_owner",
                                                                     "sm_resources",     "tokens_conserved",
                                                                     "ptbq_bound",       "no_needless_idle_sm",
                                                                     "no_starvation",    "sm_in_partition"};
  return kNames[static_cast<std::size_t>(invariant)];
}

void InvariantMonitor::kernel_activated(KsrId ksr, std::uint32_t num_tbs) {
  TbStates& states = tbs_[index(ksr)];
  states.num_tbs = num_tbs;
  states.words.assign((num_tbs + 31) / 32, 0);
}

void InvariantMonitor::kernel_finished(KsrId ksr) {
  // All 32 TBs of a word at once: finished is both bits set; the last word may be partial.
  static_assert(kFinished == 3);
  const TbStates& states = tbs_[index(ksr)];
  for (std::size_t i = 0; i < states.words.size(); ++i) {
    const std::uint32_t in_word = std::min<std::uint32_t>(32, states.num_tbs - static_cast<std::uint32_t>(i) * 32);
    if (states.words[i] == ~std::uint64_t{0} >> (64 - 2 * in_word)) continue;
    violated(Invariant::kTbFinishesOnce,
             fmt::format("KSR {} finished but not all of its TBs {} to {}", index(ksr), i * 32, i * 32 + in_word - 1));
    return;
  }
}

void InvariantMonitor::check_residents(SmId sm, std::uint32_t resident, const SmUse& per_tb) {
  if (resident * per_tb.registers <= sm_limits_.registers &&
      resident * per_tb.shared_memory_bytes <= sm_limits_.shared_memory_bytes &&
      resident * per_tb.threads <= sm_limits_.threads && resident <= sm_limits_.slots) {
    return;
  }
  violated(Invariant::kSmResources, fmt::format("SM {} holds {} TBs, more than it has room for", index(sm), resident));
}

void InvariantMonitor::check_tables(const policy::SchedulingTables& tables) {
  owned_.assign(tables.ksrt().size(), 0);
  reserved_.assign(tables.ksrt().size(), 0);
  // 1. Count, from the SMST alone, what each kernel holds.
  for (std::size_t i = 0; i < tables.smst().size(); ++i) {
    const policy::SmEntry& sm = tables.smst()[i];
    const KsrId claimant = tables.claimant(SmId(i));
    if (sm.status == policy::SmStatus::kRunning) {
      if (claimant == kNoKsr || !tables.ksr(claimant).is_valid) {
        violated(Invariant::kSmHasOneOwner, fmt::format("SM {} runs a kernel that is not active", i));
        continue;
      }
      ++owned_[index(claimant)];
    } else if (sm.status == policy::SmStatus::kReserved && claimant != kNoKsr) {
      ++reserved_[index(claimant)];
    } else if (sm.status == policy::SmStatus::kIdle && sm.running_tbs > 0) {
      violated(Invariant::kSmHasOneOwner, fmt::format("SM {} is idle and holds {} TBs", i, sm.running_tbs));
    }
  }
  is_partitioned_ = is_partitioned_ || tables.is_partitioned();
  if (is_partitioned_) check_partitions(tables);
  // 2. The registers must agree: count + owned + reserved for it = tokens.
  for (const KsrId id : tables.active_queue()) {
    const policy::KsrEntry& ksr = tables.ksr(id);
    const auto held = static_cast<std::int32_t>(owned_[index(id)] + reserved_[index(id)]);
    if (ksr.token_count() + held != ksr.tokens) {
      violated(Invariant::kTokensConserved, fmt::format("KSR {}: count {} + {} SMs held is not {} tokens", index(id),
                                                        ksr.token_count(), held, ksr.tokens));
    }
  }
}

// Who has got a claim on an SM since the last look. What a kernel had before registers were written, it may keep.
void InvariantMonitor::check_partitions(const policy::SchedulingTables& tables) {
  const bool is_first_look = claims_.empty();
  claims_.resize(tables.smst().size(), {kNoKsr, kNoKsr});
  for (std::size_t i = 0; i < tables.smst().size(); ++i) {
    const policy::SmEntry& sm = tables.smst()[i];
    const auto [owner, next] = claims_[i];
    for (const KsrId claim : {sm.ksr, sm.next}) {
      if (claim == kNoKsr || claim == owner || claim == next || !tables.ksr(claim).is_valid) continue;
      const bool is_kept = is_first_look || !tables.is_partitioned() || tables.is_in_partition(claim, SmId(i));
      if (is_kept) continue;
      violated(Invariant::kSmInPartition,
               fmt::format("SM {} is given to KSR {} of partition {}, which does not have it", i, index(claim),
                           index(tables.ksr(claim).partition)));
    }
    claims_[i] = {sm.ksr, sm.next};
  }
}

void InvariantMonitor::check_ptbq(KsrId ksr, std::uint32_t size, std::uint32_t bound) {
  if (size <= bound) return;
  violated(Invariant::kPtbqBound, fmt::format("PTBQ {} holds {} handles, bound {}", index(ksr), size, bound));
}

void InvariantMonitor::violated(Invariant invariant, const std::string& how) {
  std::string& first = first_violation_[static_cast<std::size_t>(invariant)];
  if (first.empty()) first = fmt::format("cycle {}: {}", now_, how);
}

bool InvariantMonitor::all_hold() const {
  return std::all_of(first_violation_.begin(), first_violation_.end(), [](const std::string& v) { return v.empty(); });
}

std::vector<std::pair<std::string, std::string>> InvariantMonitor::verdicts() const {
  std::vector<std::pair<std::string, std::string>> verdicts;
  for (std::size_t i = 0; i < first_violation_.size(); ++i) {
    if (static_cast<Invariant>(i) == Invariant::kSmInPartition && !is_partitioned_) continue;
    verdicts.emplace_back(to_string(static_cast<Invariant>(i)),
                          first_violation_[i].empty() ? "ok" : first_violation_[i]);
  }
  return verdicts;
}

void InvariantMonitor::report_move(KsrId ksr, std::uint32_t tb, State to, Invariant invariant) {
  static constexpr std::array<const char*, 4> kBecame = {"fresh", "resident", "saved", "finished"};
  violated(invariant, fmt::format("TB {} of KSR {} became {} out of order", tb, index(ksr), kBecame[to]));
}

}  // namespace tessera::record
