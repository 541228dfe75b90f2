// SPDX-License-Identifier: Apache-2.0
// Partitions for tasks on a machine with overheads, which depend on the partitions, and these on them.
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
  Overheads overheads{};           // 0: not included
  std::vector<Nanoseconds> times;  // C(m) of each task, contention and overheads included, rounded up
  // Response bound of each task, from its release to the end of its run; empty: there is no bound.
  std::vector<std::optional<Nanoseconds>> responses;
};

struct MachinePartitioning {
  bool is_schedulable = false;
  std::vector<AnalysedPartition> partitions;  // empty: a task cannot meet its deadline even on all SMs
  std::uint32_t num_sms = 0;                  // their sum
  std::optional<spec::PresetSpec> preset;     // preset from which their sizes are
  std::uint64_t merges_tried = 0;             // by the search, including its repetitions
  std::uint64_t task_tests = 0;
};

// The tasks, their kernels on the machine, and whether its overheads count.
struct MachineTasks {
  const TaskSet* tasks;
  const spec::Spec* machine;
  const std::vector<spec::KernelSpec>* kernels;
  bool has_overheads;
};

// Analyses given partitions with their sizes. Throws std::length_error as TestPoints does.
MachinePartitioning analyse(const MachineTasks& of, const std::vector<Partition>& partitions);

// Searches for partitions with assumed overheads, and repeats with those of the result until they no longer grow.
MachinePartitioning partition_on_machine(const MachineTasks& of, const PartitioningOptions& options);

}  // namespace tessera::realtime
