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
    // 1. Kernels that need an SM, most urgent first, get idle ones or take one.
    for (const KsrId kernel : kernels) {
      if (tables.ksr(kernel).uncovered_tbs() <= 0 || !may_use_idle_sm(tables, kernel)) continue;
      const SmId idle = tables.idle_sm_for(kernel);
      if (idle != kNoSm) return {Action::kAssign, idle, kernel};
      const Decision taken = take(tables, kernel, [](const KsrEntry&) { return true; });
      if (taken.action != Action::kNone) return taken;
    }
    // 2. Exclusive access to all: less urgent kernels of the same partition leave even SMs that no kernel needs.
    for (const KsrId kernel : kernels) {
      if (!empties_partitions_ || !may_use_idle_sm(tables, kernel)) continue;
      if (victims_ != nullptr && !victims_->takes_more(kernel)) continue;
      const PartitionId own = tables.ksr(kernel).partition;
      Decision taken = take(tables, kernel, [&](const KsrEntry& other) { return other.partition == own; });
      taken.is_needed = false;
      if (taken.action != Action::kNone) return taken;
    }
    return {};
  }

 private:
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

  // Takes an SM of the kernel's mask from a kernel whose mask no longer has it, else from the least urgent kernel that
  // has one of them, if that is less urgent.
  template <typename IsVictim>
  Decision take(const SchedulingTables& tables, KsrId kernel, IsVictim is_victim) const {
    const Decision foreign = take_sm(tables, victims_, kernel, kNoKsr);
    if (foreign.action != Action::kNone) return foreign;
    const auto& smst = tables.smst();
    const auto has_one = [&](KsrId id) {
      for (std::size_t i = 0; i < smst.size(); ++i) {
        const SmId sm{static_cast<std::uint16_t>(i)};
        if (tables.claimant(sm) == id && !smst[i].is_shared && tables.is_in_partition(kernel, sm)) return true;
      }
      return false;
    };
    KsrId victim = kNoKsr;
    for (const KsrId id : tables.active_queue()) {
      const auto urgency = By::urgency(tables.ksr(id));
      const bool is_lower = urgency < By::urgency(tables.ksr(victim == kNoKsr ? kernel : victim));
      if (is_lower && is_victim(tables.ksr(id)) && has_one(id)) victim = id;
    }
    return victim == kNoKsr ? Decision{} : take_sm(tables, victims_, kernel, victim);
  }

  UrgencySearch<By> alone_;  // rules within a partition
  bool empties_partitions_;  // exclusive_scope: all
  const IVictimPort* victims_;
};

}  // namespace tessera::policy
