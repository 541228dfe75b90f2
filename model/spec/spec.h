// SPDX-License-Identifier: Apache-2.0
// The immutable description of one experiment: what every model is built from. Nothing else reads YAML.
// A Spec from the loader is consistent: every reference resolves and every kernel fits an SM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/application_spec.h"
#include "model/spec/contention_spec.h"
#include "model/spec/driver_spec.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/host_spec.h"
#include "model/spec/partition_preset.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

struct StopSpec {
  std::uint32_t min_runs = 3;  // completed runs of every foreground process; processes with `runs` complete all of
                               // theirs
  Picoseconds max_time = 60 * kPicosecondsPerSecond;
};

struct ChecksSpec {
  bool enable_invariants = true;
  bool enable_context_check = false;  // move and compare real bytes on every save and restore
};

struct Spec {
  std::string name;
  std::uint64_t seed = 1;
  GpuSpec gpu;
  HostSpec host;
  SchedulerSpec scheduler;
  std::vector<PartitionSpec> partitions;  // under static_partition; for the baseline too
  std::optional<PresetSpec> preset;       // from which the partitions were made
  DriverSpec driver;
  std::optional<SchedulerSpec> baseline;
  DriverSpec baseline_driver;  // with `baseline`
  DmaPolicy dma_policy = DmaPolicy::kFcfs;
  ChannelSharing channel_sharing = ChannelSharing::kStatic;
  ContentionSpec contention;
  TimeBase time_base = TimeBase::kKernelTime;
  std::vector<ApplicationSpec> applications;  // each distinct one once
  std::vector<ProcessSpec> processes;
  StopSpec stop;
  ChecksSpec checks;
  std::vector<std::string> left_out_keys;  // keys of the file that were ignored, since the policy was overridden
};

// By SM, the index of its (first) partition. SMs in none have the number of partitions as their index, which no process
// has.
std::vector<std::uint32_t> partition_of_sms(const Spec& spec);
// The SMs of each partition.
std::vector<SmSet> sms_of_partitions(const Spec& spec);
// SMs that are in several partitions.
SmSet shared_sms(const Spec& spec);
// True under static_partition with shared SMs, which only the transaction-level model supports.
bool has_masks(const Spec& spec);
// SMs lost or gained by rounding of a preset. mig: SMs in no slice; mps: SMs that masks have beyond their clients'
// percentages.
std::uint32_t sms_of_rounding(const Spec& spec);

}  // namespace tessera::spec
