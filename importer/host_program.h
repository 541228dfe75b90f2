// SPDX-License-Identifier: Apache-2.0
// What the host does, step by step, with the time that passes before each step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importer/kernel_groups.h"
#include "importer/workload.h"
#include "model/spec/host_spec.h"

namespace tessera::importer {

// API costs of every imported experiment, so that applications of several profiles can share one: what a call takes at
// least on recent machines. What calls took beyond that is CPU time of the application.
spec::HostSpec imported_host();

enum class StepKind : std::uint8_t { kLaunch, kCopyToGpu, kCopyToHost, kSynchroniseAll, kSynchroniseStream,
                                     kSynchroniseEvent, kRecord, kWait };

struct Step {
  StepKind kind = StepKind::kLaunch;
  std::uint32_t stream = 0;
  std::uint64_t target = 0;  // kernel, event, or bytes of a copy
  bool is_sync = false;      // of a copy
  std::uint32_t factor_ppm = 1'000'000;  // of a launch
  std::uint32_t operation = 0;           // of a launch or copy
  Nanoseconds cpu_before = 0;

  bool does_the_same(const Step& other) const {
    return kind == other.kind && stream == other.stream && target == other.target && is_sync == other.is_sync &&
           factor_ppm == other.factor_ppm;
  }
};

struct HostProgram {
  std::vector<Step> steps;
  std::vector<std::string> events;  // names, by number
  std::vector<std::string> notes;
};

// `copy_bytes_per_us`: of the GPU's link; what a synchronous copy took beyond that is CPU time.
HostProgram host_program(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                         double copy_bytes_per_us);

}  // namespace tessera::importer
