// SPDX-License-Identifier: Apache-2.0
// A bench for the engine that does one job at a time (docs/hardware/timing.md), on machines with four command buffers
// and two KSRs: a scan takes 6 cycles, a walk over one SM or two takes 2.
#pragma once

#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

// The least issue latency that the core can do at ratio 1: what is seen is the core's own time.
inline spec::Spec one_job_machine(std::uint32_t num_sms, std::uint32_t num_processes, spec::PolicyKind policy) {
  spec::Spec spec = machine(num_sms, num_processes, policy);
  spec.gpu.framework.num_command_buffers = 4;
  spec.gpu.framework.num_ksrs = 2;
  spec.gpu.framework.engine = spec::Engine::kSerialised;
  spec.gpu.framework.tb_issue_cycles = spec::kSerialisedIssueCycles;
  return spec;
}

class OneJobBench : public CoreBench {
 public:
  using CoreBench::CoreBench;

  std::vector<Cycle> cycles_of(Kind kind) const {
    std::vector<Cycle> cycles;
    for (const Record& record : records(kind)) cycles.push_back(record.cycle);
    return cycles;
  }
};

}  // namespace tessera::tlm_model::test
