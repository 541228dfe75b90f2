// SPDX-License-Identifier: Apache-2.0
// A core with a refill lane (docs/hardware/timing.md 6.7) whose SMs run kernels, each in a partition of its own.
#pragma once

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {

inline CoreParams with_lane(CoreParams params) {
  params.has_refill_lane = true;
  params.tag_width = 1;
  return params;
}

inline CoreParams laned(std::uint32_t num_sms, std::uint32_t slots = 4, std::uint32_t policy = kFcfs) {
  CoreParams params = with_lane(machine(num_sms, policy));
  params.max_tbs_per_sm = slots;
  params.ptbq_depth = num_sms * slots;
  return params;
}

// Kernel k, in KSR k, of these many TBs on SM k: all slots are full, and nothing moves.
inline void run_kernels(CoreBench& bench, const std::vector<std::uint32_t>& num_tbs) {
  for (std::uint32_t k = 0; k < num_tbs.size(); ++k) {
    bench.write(ControlRegister::kPartition, 0, sm_partition_data(k, k));
    bench.tick();
    bench.run(40);
  }
  for (std::uint32_t k = 0; k < num_tbs.size(); ++k) {
    bench.launch(k % 2, k, 1, num_tbs[k], bench.core.params().max_tbs_per_sm);
    bench.in.command.partition = k;
    bench.settle();
  }
}

}  // namespace tessera::rtl_model::test
