// SPDX-License-Identifier: Apache-2.0
// A kind is a name and a number of SMs.
#include "importer/machines.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::importer {

Machines machines_of(const std::vector<Profile>& profiles,
                     const std::vector<std::pair<std::size_t, Workload>>& workloads, const ImportOptions& options) {
  Machines machines;
  for (const auto& [profile, workload] : workloads) {
    GpuChoice choice = choose_gpu(profiles[profile], workload, options.gpus, options.gpu);
    const auto known = std::find_if(machines.kinds.begin(), machines.kinds.end(), [&](const Machine& machine) {
      return machine.gpu.gpu.name == choice.gpu.name && machine.gpu.gpu.num_sms == choice.gpu.num_sms;
    });
    machines.of_work.push_back(static_cast<std::size_t>(known - machines.kinds.begin()));
    if (known != machines.kinds.end()) continue;
    const bool takes_gap = options.graph_gap == GraphGap::kRecorded && !options.gpu;
    if (takes_gap) take_graph_gap(profiles[profile], workload, choice);
    const std::size_t number = machines.kinds.size() + 1;
    const std::string file = number == 1 ? "gpu.yaml" : fmt::format("gpu_{}.yaml", number);
    if (number > 1) {
      choice.notes.push_back(fmt::format("work of another GPU, {}: alone it has that ({}), in shared.yaml all have {}",
                                         choice.gpu.name, file, machines.kinds.front().gpu.gpu.name));
    }
    machines.kinds.push_back({std::move(choice), file});
  }
  return machines;
}

}  // namespace tessera::importer
