// SPDX-License-Identifier: Apache-2.0
// From profiles to YAML: applications, the GPU, and experiments that run them alone and beside each other.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "importer/counters.h"
#include "importer/fidelity.h"
#include "importer/gpu_choice.h"
#include "importer/readers/readers.h"
#include "model/spec/gpu_spec.h"

namespace tessera::importer {

struct ImportOptions {
  ReadOptions read;
  std::string name = "imported";     // of the applications; never taken from a file: profilers name files after hosts
  std::vector<spec::GpuSpec> gpus;   // at hand
  std::optional<spec::GpuSpec> gpu;  // that the user wants
  Collectives collectives = Collectives::kKeep;
  GraphGap graph_gap = GraphGap::kRecorded;
  bool is_exact = false;
  std::optional<double> tb_time_us;  // Accel-Sim without times
  std::filesystem::path counters;    // Nsight Compute's table of the same kernels; empty: none
  double min_cpu_us = 20;
  double cpu_factor = 1;  // of CPU phases, once what was recorded is checked: profilers slow hosts down
  std::function<bool()> is_interrupted = [] { return false; };
  bool is_checked = true;  // simulate what was imported
};

struct OccupancyDifference {
  std::string kernel;
  double recorded_percent = 0;
  double ours_percent = 0;
};

struct UnexplainedWait {
  std::string before;  // what came late
  double at_us = 0;    // since the first operation
  double length_us = 0;
};

struct ImportedApplication {
  std::string name;
  std::string file;   // of the application
  std::string alone;  // experiment: it alone
  std::size_t num_operations = 0;
  std::size_t num_kernels = 0;
  std::uint64_t num_lines = 0;
  std::uint64_t num_loops = 0;
  std::optional<Fidelity> fidelity;  // none: not simulated, or no times were recorded
  std::vector<OccupancyDifference> occupancy;
  std::size_t num_with_occupancy = 0;          // kernels of which the profile prints it
  std::size_t num_occupancy_not_measured = 0;  // 0 % of more than 48 KiB of shared memory is none
  std::vector<UnexplainedWait> gaps;           // the longest first
  double unexplained_us = 0;                   // all of them
  std::vector<std::string> assumptions;
};

struct ImportResult {
  std::string gpu;  // name
  std::string format;
  std::vector<ImportedApplication> applications;
  std::string experiment;                // that shares the GPU between them
  std::vector<std::string> assumptions;  // of all of them
};

// Writes into `folder`, which is there. Throws spec::InputError for what is wrong with a profile, and
// std::runtime_error when a simulation fails. `on_step` is told what is being done. Interrupted, it returns early, and
// the result is none.
ImportResult import_profiles(const std::vector<std::filesystem::path>& profiles, const ImportOptions& options,
                             const std::filesystem::path& folder,
                             const std::function<void(const std::string&)>& on_step);

}  // namespace tessera::importer
