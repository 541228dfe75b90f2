// SPDX-License-Identifier: Apache-2.0
// The GPUs that the profiles were taken on, a file for each kind.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "importer/gpu_choice.h"
#include "importer/import.h"

namespace tessera::importer {

struct Machine {
  GpuChoice gpu;
  std::string file;
};

struct Machines {
  std::vector<Machine> kinds;        // the first is that of the first workload, and of shared experiments
  std::vector<std::size_t> of_work;  // index into `kinds`, by workload

  const Machine& of(std::size_t workload) const { return kinds[of_work[workload]]; }
};

// By workload: the profile that it is from, and itself. The GPU that the user wants is that of all.
Machines machines_of(const std::vector<Profile>& profiles,
                     const std::vector<std::pair<std::size_t, Workload>>& workloads, const ImportOptions& options);

}  // namespace tessera::importer
