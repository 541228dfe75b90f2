// SPDX-License-Identifier: Apache-2.0
// What hardware counters say of kernels: bytes that reached device memory, and those of an import's kernels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "importer/kernel_groups.h"

namespace tessera::importer {

struct CountedKernel {
  std::string name;           // as YAML has it (kernel_names.h)
  std::uint64_t num_tbs = 0;  // of the grid
  std::uint64_t threads_per_tb = 0;
  double bytes = 0;  // of all launches, read and written
  std::uint64_t num_launches = 0;
};
using Counters = std::vector<CountedKernel>;  // a name and shape once

// The table that Nsight Compute prints with --csv, with dram__bytes.sum, or dram__bytes_read.sum and
// dram__bytes_write.sum: a row a metric of a launch. Throws spec::InputError.
Counters read_ncu_csv(const std::filesystem::path& path);

// Gives each kernel of the same name and shape the mean of its launches, a thread block its part. Says in a note how
// many have none; `counters` null: nobody counted.
void add_dram_bytes(const Profile& profile, const Workload& workload, const Counters* counters, KernelGroups& groups);

}  // namespace tessera::importer
