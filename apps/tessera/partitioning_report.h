// SPDX-License-Identifier: Apache-2.0
// What `tessera partition` has to say, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/realtime/machine_partitioning.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/task_set_spec.h"

namespace tessera::app {

struct PartitionReport {
  const spec::TaskSetSpec* set;
  const realtime::MachinePartitioning* partitioning;
  std::vector<std::string> names;  // of the partitions
  // What was asked for, by key.
  nlohmann::ordered_json options;
  const record::RunResult* simulation = nullptr;  // null: none
  Clock clock{1};                                 // of the GPU
};

nlohmann::ordered_json partition_json(const PartitionReport& report);
std::string partition_text(const nlohmann::ordered_json& json);

}  // namespace tessera::app
