// SPDX-License-Identifier: Apache-2.0
// Partitions for tasks on a machine that takes time itself: what it takes depends on the partitions, and they on it.
#pragma once

#include <optional>
#include <vector>

#include "model/realtime/overheads.h"
#include "model/realtime/partitioning.h"
#include "model/spec/spec_fwd.h"

namespace tessera::realtime {

struct AnalysedPartition {
  Partition partition;
  bool is_schedulable = false;
  Overheads overheads{};           // 0: they were left out
  std::vector<Nanoseconds> times;  // C(m) of each task, contention and overheads included, rounded up
  // Of each task, from its release to the end of its run; nothing where there is none.
  std::vector<std::optional<Nanoseconds>> responses;
};

struct MachinePartitioning {
  bool is_schedulable = false;
  std::vector<AnalysedPartition> partitions;  // empty: some task cannot meet its deadline even on all SMs
  std::uint32_t num_sms = 0;                  // their sum
  std::optional<spec::PresetSpec> preset;     // that their sizes are of
  std::uint64_t merges_tried = 0;             // of the search for them, repeated ones included
  std::uint64_t task_tests = 0;
};

// The tasks, what they are on the machine, and whether its own time counts.
struct MachineTasks {
  const TaskSet* tasks;
  const spec::Spec* machine;
  const std::vector<spec::KernelSpec>* kernels;
  bool has_overheads;
};

// Each with its own size, and as many as there are. Throws std::length_error as TestPoints does.
MachinePartitioning analyse(const MachineTasks& of, const std::vector<Partition>& partitions);

// Seeks partitions with the overheads that it takes the result to have, and again with those that it has, until these
// are no more.
MachinePartitioning partition_on_machine(const MachineTasks& of, const PartitioningOptions& options);

}  // namespace tessera::realtime
