// SPDX-License-Identifier: Apache-2.0
// Names out of a Spec, and the launches seen so far.
#include "model/record/names.h"

#include "model/spec/spec.h"

namespace tessera::record {

Names make_names(const spec::Spec& spec) {
  Names names;
  names.num_sms = spec.gpu.num_sms;
  names.max_tbs_per_sm = spec.gpu.max_tbs_per_sm;
  names.clock_hz = spec.gpu.clock_hz;
  names.num_cores = spec.host.cpu ? spec.host.cpu->num_threads() : 0;
  names.driver = make_driver_facts(spec);
  for (const spec::ProcessSpec& process : spec.processes) {
    names.processes.push_back(process.name);
    std::vector<std::string>& kernels = names.kernels.emplace_back();
    for (const spec::KernelSpec& kernel : spec.applications[process.application].kernels) {
      kernels.push_back(kernel.name);
    }
  }
  return names;
}

void LaunchTable::note_arrival(const Record& kernel_arrived) {
  if (kernel_arrived.launch >= launches_.size()) launches_.resize(kernel_arrived.launch + std::size_t{1});
  launches_[kernel_arrived.launch] = {kernel_arrived.process, kernel_arrived.kernel};
}

}  // namespace tessera::record
