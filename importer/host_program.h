// SPDX-License-Identifier: Apache-2.0
// What the host does, step by step, with the time that passes before each step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "importer/kernel_groups.h"
#include "importer/workload.h"
#include "model/spec/application_spec.h"
#include "model/spec/host_spec.h"

namespace tessera::importer {

// API costs of imported experiments. `call`: of a launch or copy (recorded_pace.h), the same for all applications that
// share an experiment.
spec::HostSpec imported_host(Nanoseconds call);

enum class StepKind : std::uint8_t {
  kLaunch,
  kCopyToGpu,
  kCopyToHost,
  kSynchroniseAll,
  kSynchroniseStream,
  kSynchroniseEvent,
  kGraph
};

struct Step {
  StepKind kind = StepKind::kLaunch;
  std::uint32_t stream = 0;
  std::uint64_t target = 0;              // kernel, bytes of a copy, or number of a graph's kind
  bool is_sync = false;                  // of a copy
  std::uint32_t factor_ppm = 1'000'000;  // of a launch
  std::uint32_t operation = 0;           // of a launch or copy; of a graph the first
  std::uint32_t graph = 0;               // kGraph: which of HostProgram::graphs
  std::uint32_t awaited = 0;             // kSynchroniseEvent: the step whose work it waits for
  Nanoseconds cpu_before = 0;
  Nanoseconds in_call = 0;      // of that, what lay in the call itself, before it submitted its work
  bool is_from_before = false;  // it was called, and was queued, long before the GPU's first operation began

  // Once in a program, or nearly so: its CPU time is no mean with that of other rounds of a loop.
  bool is_special() const { return is_from_before || in_call >= kLongCall; }
};

// Whether the host goes on only when the GPU has done something.
inline bool waits(const Step& step) {
  const bool is_copy = step.kind == StepKind::kCopyToGpu || step.kind == StepKind::kCopyToHost;
  return is_copy ? step.is_sync : step.kind != StepKind::kLaunch && step.kind != StepKind::kGraph;
}

// A launch of a graph: launches and copies, and what of them waits for what; none: a chain.
struct GraphLaunch {
  std::vector<Step> nodes;
  std::optional<std::vector<spec::GraphEdge>> edges;
};

struct HostProgram {
  std::vector<Step> steps;
  std::vector<GraphLaunch> graphs;
  // The stream of `later` waits for the work of `earlier`.
  struct StepDependency {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;
  };
  std::vector<StepDependency> dependencies;
  std::vector<spec::StreamSpec> streams;  // as of the workload
  spec::DefaultStream default_stream = spec::DefaultStream::kPerThread;
  Nanoseconds call = 0;  // what a launch or copy costs the host, besides CPU phases
  std::vector<std::string> notes;
};

struct HostCosts {
  Nanoseconds call = 0;          // as imported_host() has it
  double copy_bytes_per_us = 0;  // of the GPU's link; what a synchronous copy took beyond that is CPU time
};
HostProgram host_program(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                         const HostCosts& costs);

}  // namespace tessera::importer
