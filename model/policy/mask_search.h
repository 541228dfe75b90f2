// SPDX-License-Identifier: Apache-2.0
// The searches of a group of partitions whose masks overlap (docs/concepts/partitions.md, Overlapping masks): an SM in
// several masks goes to the most urgent kernel that may have it, of any of these partitions; `access` applies within
// each partition.
#pragma once

#include <algorithm>
#include <vector>

#include "model/policy/urgency_search.h"

namespace tessera::policy {

template <typename By>
class MaskSearch {
 public:
  explicit MaskSearch(const PolicyConfig& config)
      : alone_(config),
        empties_partitions_(config.scheduler.access == spec::Access::kExclusive &&
                            config.scheduler.exclusive_scope == spec::ExclusiveScope::kAll),
        victims_(config.victims) {}

  Decision step(const SchedulingTables& tables, PartitionId group) const {
    const std::vector<KsrId> kernels = by_urgency(tables, group);
    // 1. Kernels that need an SM, most urgent first, get an idle one or take one. One walk for each of the two.
    std::uint32_t walks = 0;
    for (const KsrId kernel : kernels) {
      if (tables.ksr(kernel).uncovered_tbs() <= 0 || !may_use_idle_sm(tables, kernel)) continue;
      const SmId idle = idle_sm_for(tables, kernel);
      if (idle != kNoSm) return {Action::kAssign, idle, kernel, walks + 1};
      walks += 2;
      const Decision taken = take(tables, kernel, [](KsrId) { return true; });
      if (taken.action != Action::kNone) return {taken.action, taken.sm, kernel, walks};
    }
    walks = std::max(walks, 1U);
    // 2. Exclusive access to all: less urgent kernels of the same partition leave even SMs that no kernel needs.
    for (const KsrId kernel : kernels) {
      if (!empties_partitions_ || !may_use_idle_sm(tables, kernel)) continue;
      if (victims_ != nullptr && !victims_->takes_more(kernel)) continue;
      ++walks;
      const PartitionId own = tables.ksr(kernel).partition;
      const Decision taken = take(tables, kernel, [&](KsrId other) { return tables.ksr(other).partition == own; });
      if (taken.action != Action::kNone) return {taken.action, taken.sm, kernel, walks};
    }
    return {Action::kNone, kNoSm, kNoKsr, walks};
  }

 private:
  using Urgency = decltype(By::urgency(KsrEntry{}));

  bool may_use_idle_sm(const SchedulingTables& tables, KsrId kernel) const {
    return alone_.may_use_idle_sm(tables, OnePartition{tables.ksr(kernel).partition}, kernel);
  }

  // Kernels of the group by decreasing urgency; equal ones in order of activation.
  static std::vector<KsrId> by_urgency(const SchedulingTables& tables, PartitionId group) {
    std::vector<KsrId> kernels;
    for (const KsrId id : tables.active_queue()) {
      if (tables.group(tables.ksr(id).partition) == group) kernels.push_back(id);
    }
    std::stable_sort(kernels.begin(), kernels.end(),
                     [&](KsrId a, KsrId b) { return By::urgency(tables.ksr(a)) > By::urgency(tables.ksr(b)); });
    return kernels;
  }

  // The idle SM that is in the fewest partitions, to leave choices to others; of equals the lowest.
  static SmId idle_sm_for(const SchedulingTables& tables, KsrId kernel) {
    SmId best = kNoSm;
    for (std::size_t i = 0; i < tables.smst().size(); ++i) {
      const SmId sm{static_cast<std::uint16_t>(i)};
      if (tables.sm(sm).status != SmStatus::kIdle || !tables.may_have(kernel, sm)) continue;
      if (best == kNoSm || tables.num_partitions_of(sm) < tables.num_partitions_of(best)) best = sm;
    }
    return best;
  }

  // Takes an SM of the kernel's mask from a kernel whose mask no longer has it, else from the least urgent kernel if
  // that is less urgent.
  template <typename IsVictim>
  Decision take(const SchedulingTables& tables, KsrId kernel, IsVictim is_victim) const {
    const Urgency own = By::urgency(tables.ksr(kernel));
    Urgency lowest = own;
    SmSet foreign;
    for (std::size_t i = 0; i < tables.smst().size(); ++i) {
      const SmId sm{static_cast<std::uint16_t>(i)};
      const KsrId claimant = tables.claimant(sm);
      if (claimant == kNoKsr || tables.sm(sm).is_shared || !tables.is_in_partition(kernel, sm)) continue;
      if (!tables.is_in_partition(claimant, sm)) foreign.set(static_cast<std::uint32_t>(i));
      if (is_victim(claimant)) lowest = std::min(lowest, By::urgency(tables.ksr(claimant)));
    }
    if (foreign.any()) {
      return take_sm(
          tables, victims_, kernel, [&](SmId sm) { return foreign.has(static_cast<std::uint32_t>(index(sm))); },
          [](KsrId) { return true; });
    }
    if (lowest == own) return {};
    return take_sm(
        tables, victims_, kernel, [&](SmId sm) { return tables.is_in_partition(kernel, sm); },
        [&](KsrId victim) { return is_victim(victim) && By::urgency(tables.ksr(victim)) == lowest; });
  }

  UrgencySearch<By> alone_;  // rules within a partition
  bool empties_partitions_;  // exclusive_scope: all
  const IVictimPort* victims_;
};

}  // namespace tessera::policy
