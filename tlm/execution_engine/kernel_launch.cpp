// SPDX-License-Identifier: Apache-2.0
// The order of waiting launches, and what one asks of an SM.
#include "tlm/execution_engine/kernel_launch.h"

#include <iterator>

#include "model/spec/application_spec.h"

namespace tessera::tlm_model {

void queue_up(std::deque<KernelLaunch>& waiting, const KernelLaunch& launch) {
  auto place = waiting.end();
  while (place != waiting.begin()) {
    const KernelLaunch& ahead = *std::prev(place);
    if (ahead.context != launch.context || ahead.priority >= launch.priority) break;
    --place;
  }
  waiting.insert(place, launch);
}

spec::KernelSpec resources_of(const KernelLaunch& launch) {
  spec::KernelSpec kernel;
  kernel.num_tbs = launch.num_tbs;
  kernel.regs_per_tb = launch.regs_per_tb;
  kernel.smem_bytes_per_tb = launch.smem_bytes_per_tb;
  kernel.threads_per_tb = launch.threads_per_tb;
  kernel.max_tbs_per_sm = launch.max_tbs_per_sm;
  return kernel;
}

}  // namespace tessera::tlm_model
