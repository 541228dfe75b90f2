// SPDX-License-Identifier: Apache-2.0
// Partitions in turn, and a preemptive queue in each.
#include "model/policy/static_partition.h"

#include <algorithm>
#include <set>

namespace tessera::policy {

template <typename By>
StaticPartitionPolicy<By>::StaticPartitionPolicy(const PolicyConfig& config)
    : search_(config),
      mask_search_(config),
      num_partitions_(1U << partition_id_bits(config.num_sms)),
      last_(num_partitions_ - 1) {}

template <typename By>
CommandBufferId StaticPartitionPolicy<By>::select_command(const SchedulingTables& tables) const {
  return most_urgent_command<By>(tables);
}

template <typename By>
std::uint32_t StaticPartitionPolicy<By>::next_dirty(const SchedulingTables& tables) const {
  for (std::uint32_t i = 1; i <= num_partitions_; ++i) {
    const std::uint32_t partition = (last_ + i) % num_partitions_;
    if (tables.group(PartitionId(partition)) != PartitionId(partition)) continue;
    if (tables.num_changes(PartitionId(partition)) != settled_[partition]) return partition;
  }
  return kNone;
}

template <typename By>
Decision StaticPartitionPolicy<By>::search(const SchedulingTables& tables, PartitionId group) const {
  return tables.has_masks() ? mask_search_.step(tables, group) : search_.step(tables, OnePartition{group});
}

// A partition is settled from the beginning of a step that finds nothing, until something happens in it.
template <typename By>
void StaticPartitionPolicy<By>::begin_step(const SchedulingTables& tables) {
  if (current_ != kNone && !found_nothing_) settled_[current_] = kUnsettled;
  found_nothing_ = false;
  current_ = next_dirty(tables);
  if (current_ == kNone) return;
  last_ = current_;
  settled_[current_] = tables.num_changes(PartitionId(current_));
}

template <typename By>
Decision StaticPartitionPolicy<By>::step(const SchedulingTables& tables) {
  Decision decision;
  if (current_ != kNone) decision = search(tables, PartitionId(current_));
  found_nothing_ = decision.action == Action::kNone;
  if (found_nothing_ && next_dirty(tables) != kNone) decision.action = Action::kPass;
  return decision;
}

// One for each group with kernels; where a group of SMs has none, its step finds nothing.
template <typename By>
std::vector<Decision> StaticPartitionPolicy<By>::possible_steps(const SchedulingTables& tables) {
  std::set<PartitionId> groups;
  for (const KsrId id : tables.active_queue()) groups.insert(tables.group(tables.ksr(id).partition));
  std::vector<Decision> steps;
  for (const PartitionId id : groups) steps.push_back(search(tables, id));
  const auto is_without_kernels = [&](const SmEntry& sm) { return groups.count(tables.group(sm.partition)) == 0; };
  if (std::any_of(tables.smst().begin(), tables.smst().end(), is_without_kernels)) steps.emplace_back();
  return steps;
}

template <typename By>
bool StaticPartitionPolicy<By>::may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const {
  return search_.may_use_idle_sm(tables, OnePartition{tables.ksr(ksr).partition}, ksr);
}

template class StaticPartitionPolicy<ByPriority>;
template class StaticPartitionPolicy<ByDeadline>;

// By deadline or by priority, as the configuration's `order` says.
std::unique_ptr<IPolicy> make_static_partition(const PolicyConfig& config) {
  if (config.scheduler.order == spec::PartitionOrder::kPriority)
    return std::make_unique<StaticPartitionPolicy<ByPriority>>(config);
  return std::make_unique<StaticPartitionPolicy<ByDeadline>>(config);
}

}  // namespace tessera::policy
