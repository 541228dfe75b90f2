// SPDX-License-Identifier: Apache-2.0
// The immutable description of one experiment: what every model is built from. Nothing else reads YAML.
// A Spec that left the loader is consistent: every reference resolves and every kernel fits an SM.
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
  std::uint32_t min_runs = 3;  // completed runs of every foreground process; all of those that have `runs`
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
  std::vector<PartitionSpec> partitions;  // under static_partition, and there for the baseline too
  std::optional<PresetSpec> preset;       // that made them
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
  std::vector<std::string> left_out_keys;  // of the file: for another policy than the one that was chosen over it
};

// By SM, the index of its partition, of several the first; those in none share the number behind the last one, which no
// process has.
std::vector<std::uint32_t> partition_of_sms(const Spec& spec);
// By partition, its SMs.
std::vector<SmSet> sms_of_partitions(const Spec& spec);
// Those that are in several partitions.
SmSet shared_sms(const Spec& spec);
// Under static_partition with such SMs, which the transaction-level model alone has.
bool has_masks(const Spec& spec);
// With a preset. mig: the SMs that no slice has; mps: those that masks have beyond their clients' percentages.
std::uint32_t sms_of_rounding(const Spec& spec);

}  // namespace tessera::spec
