// SPDX-License-Identifier: Apache-2.0
// A machine of 13 SMs with 16 slots, and a kernel whose threads leave room for so many TBs.
#include "clocked_load.h"

#include "model/spec/spec.h"
#include "tlm/execution_engine/engine_message.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kMaxThreads = 2048;

}  // namespace

spec::Spec machine(std::uint32_t num_processes) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = 13;
  spec.gpu.max_tbs_per_sm = 16;
  spec.gpu.max_threads_per_sm = kMaxThreads;
  spec.gpu.registers_per_sm = 65536;
  spec.gpu.shared_memory_bytes = {49152};
  spec.gpu.memory_bandwidth_bytes_per_s = 208'000'000'000;
  spec.gpu.framework.num_ksrs = 13;
  spec.processes.resize(num_processes);
  return spec;
}

tlm_model::EngineMessage launch(const Load& load) {
  tlm_model::KernelLaunch launch;
  launch.num_tbs = 1U << 30;
  launch.regs_per_tb = 32;
  launch.threads_per_tb = kMaxThreads / load.tbs_per_sm;
  launch.durations = workload::TbDurations({load.tb_cycles, 0}, 0);
  return {0, 0, launch};
}

}  // namespace tessera::bench
