// SPDX-License-Identifier: Apache-2.0
// Assigns tasks to partitions and SMs to partitions ([Z21] 5, Algorithms 1 to 3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/realtime/partition.h"
#include "model/realtime/task_set.h"
#include "model/spec/partition_preset.h"

namespace tessera::realtime {

// How the partition to merge with is chosen: the smallest union ("SMS", Definition 3), the most loaded one ("BF"), or,
// following Definition 4 as printed, the one with the smallest sum of execution times.
enum class Heuristic : std::uint8_t { kSms, kBestFit, kBestFitLiteral };
// Whether all pairs of tasks are tried beforehand ("ACT"), or failed merges are forbidden when they occur ("INA").
enum class Forbidden : std::uint8_t { kAct, kIna };
// Merge until the partitions fit the GPU, or until no merge saves an SM. Both accept the same sets.
enum class Stop : std::uint8_t { kFits, kFixpoint };

struct PartitioningOptions {
  Heuristic heuristic = Heuristic::kSms;
  Forbidden forbidden = Forbidden::kIna;
  Stop stop = Stop::kFits;
  std::optional<spec::PresetSpec> preset{};  // sizes are rounded up to those of the preset
};

struct Partitioning {
  bool is_schedulable = false;
  std::vector<Partition> partitions;  // by decreasing load; empty if a task cannot meet its deadline on all SMs
  std::uint32_t num_sms = 0;          // their sum
  std::uint64_t merges_tried = 0;     // unions whose size was computed
  std::uint64_t task_tests = 0;       // the same, weighted by the tasks of each union ([Z21] Figure 9)
};

// Throws std::length_error as TestPoints does.
Partitioning partition(const TaskSet& set, const PartitioningOptions& options);

}  // namespace tessera::realtime
