// SPDX-License-Identifier: Apache-2.0
// The GPU that a profile was taken on, as far as it tells: one of those at hand, with the profile's own sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "importer/workload.h"
#include "model/spec/gpu_spec.h"

namespace tessera::importer {

// From a node of a graph to the next one: as recorded, which a profiler stretches, or as the GPU's file has it.
enum class GraphGap { kRecorded, kGpu };

struct GpuChoice {
  spec::GpuSpec gpu;
  std::vector<std::string> notes;
};

// The mean that was recorded, where the profile has graphs.
void take_graph_gap(const Profile& profile, const Workload& workload, GpuChoice& choice);

// `known` are the GPU files at hand; `wanted` what the user said.
GpuChoice choose_gpu(const Profile& profile, const Workload& workload, const std::vector<spec::GpuSpec>& known,
                     const std::optional<spec::GpuSpec>& wanted);

}  // namespace tessera::importer
