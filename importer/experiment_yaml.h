// SPDX-License-Identifier: Apache-2.0
// The files around imported applications: GPU, host, experiments.
#pragma once

#include <string>
#include <vector>

#include "model/spec/spec.h"

namespace tessera::importer {

std::string gpu_yaml(const spec::GpuSpec& gpu);
std::string host_yaml(const spec::HostSpec& host);

struct ExperimentProcess {
  std::string name;
  std::string application;  // file
  unsigned priority = 0;
  bool has_urgent_streams = false;
};
// On `gpu`, which `file` describes. One process: it alone, once, under fcfs; with streams of different
// priorities, under ppq with drain and shared access, as the hardware that was recorded ranks them. Several: under ppq
// with context switch, and fcfs as baseline. `has_bytes`: memory answers later under their load.
std::string experiment_yaml(const std::string& name, const std::string& file, const spec::GpuSpec& gpu,
                            const std::vector<ExperimentProcess>& processes, double max_time_us, bool has_bytes);

}  // namespace tessera::importer
