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
inline constexpr Nanoseconds kCallNs = 3'000;  // of its launches and copies

enum class StepKind : std::uint8_t {
  kLaunch,
  kCopyToGpu,
  kCopyToHost,
  kSynchroniseAll,
  kSynchroniseStream,
  kSynchroniseEvent
};

struct Step {
  StepKind kind = StepKind::kLaunch;
  std::uint32_t stream = 0;
  std::uint64_t target = 0;              // kernel, or bytes of a copy
  bool is_sync = false;                  // of a copy
  std::uint32_t factor_ppm = 1'000'000;  // of a launch
  std::uint32_t operation = 0;           // of a launch or copy
  std::uint32_t awaited = 0;             // kSynchroniseEvent: the step whose work it waits for
  Nanoseconds cpu_before = 0;
};

struct HostProgram {
  std::vector<Step> steps;
  // The stream of `later` waits for the work of `earlier`.
  struct StepDependency {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;
  };
  std::vector<StepDependency> dependencies;
  std::vector<std::string> notes;
};

// `copy_bytes_per_us`: of the GPU's link; what a synchronous copy took beyond that is CPU time.
HostProgram host_program(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                         double copy_bytes_per_us);

}  // namespace tessera::importer
