// SPDX-License-Identifier: Apache-2.0
// Static partitions in the experiment.
// Internal to model/spec.
#pragma once

#include <optional>
#include <vector>

#include "model/spec/host_spec.h"
#include "model/spec/partition_preset.h"
#include "model/spec/readers.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

struct PartitionRules {
  std::optional<PolicyKind> policy{};  // empty: it could not be read, and nothing that depends on it is reported
  bool is_baseline = false;            // a baseline has no partitions of its own
  std::uint32_t num_sms = 0;           // of the GPU
  const MigSpec* mig = nullptr;        // its table of instances, if it has one
};

struct Partitions {
  std::vector<PartitionSpec> list;
  std::optional<PresetSpec> preset;
};
// `partitions` of the scheduler, a list or a preset. A listed SM may occur only once; counted SMs are assigned in order
// from SM 0. Empty under other policies.
Partitions read_partitions(MappingReader& reader, const PartitionRules& rules, Report& report);

// `partition` of a process whose other keys have been read.
void read_partition_of(MappingReader& reader, const Spec& spec, bool is_scheduler_good, ProcessSpec& process);

}  // namespace tessera::spec
