// SPDX-License-Identifier: Apache-2.0
// static_partition ([Z21] 4.1): SMs and kernels belong to partitions; within each, the policy works as edf or ppq does
// on the whole GPU. A step searches one partition, or one group of partitions with overlapping masks: the next in turn
// in which something has changed (docs/concepts/partitions.md).
#pragma once

#include <array>
#include <limits>
#include <memory>

#include "model/base/sm_set.h"
#include "model/policy/mask_search.h"
#include "model/policy/urgency_search.h"

namespace tessera::policy {

template <typename By>
class StaticPartitionPolicy final : public IPolicy {
 public:
  explicit StaticPartitionPolicy(const PolicyConfig& config);

  CommandBufferId select_command(const SchedulingTables& tables) const override;
  void begin_step(const SchedulingTables& tables) override;
  Decision step(const SchedulingTables& tables) override;
  std::vector<Decision> possible_steps(const SchedulingTables& tables) override;
  bool may_use_idle_sm(const SchedulingTables& tables, KsrId ksr) const override;

 private:
  static constexpr std::uint64_t kUnsettled = std::numeric_limits<std::uint64_t>::max();

  // The next group in turn in which something has changed; kNone: there is none. A partition without masks is a group
  // of its own.
  std::uint32_t next_dirty(const SchedulingTables& tables) const;
  Decision search(const SchedulingTables& tables, PartitionId group) const;

  UrgencySearch<By> search_;
  MaskSearch<By> mask_search_;
  std::uint32_t num_partitions_;                         // number of distinct partition ids
  std::array<std::uint64_t, kMaxPartitions> settled_{};  // per group: its number of changes when a step began that
                                                         // found nothing
  std::uint32_t last_;                                   // last group searched
  std::uint32_t current_ = kNone;                        // group of the current step
  bool found_nothing_ = false;                           // result of the current step so far
};

}  // namespace tessera::policy
