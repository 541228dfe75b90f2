// SPDX-License-Identifier: Apache-2.0
// The machine that the unit tests are made for. All latencies differ, and so do their small sums.
#pragma once

#include "model/spec/spec.h"
#include "rtl_model/params.h"
#include "rtl_model/policy/policy_register.h"

namespace tessera::rtl_model::test {

// An SM's share of the bandwidth under static sharing, in bytes a cycle.
inline constexpr std::uint64_t kBytesPerCycle = 16;

inline constexpr Cycle kActivation = 4;  // kernel_activation_cycles

inline spec::Spec machine(std::uint32_t num_sms, std::uint32_t num_contexts = 3,
                          spec::PolicyKind policy = spec::PolicyKind::kFcfs) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = num_sms;
  spec.gpu.max_tbs_per_sm = 4;
  spec.gpu.memory_bandwidth_bytes_per_s = spec.gpu.clock_hz * kBytesPerCycle * num_sms;
  spec.gpu.framework.num_ksrs = 4;
  spec.gpu.framework.num_command_buffers = 4;
  spec.gpu.framework.kernel_activation_cycles = kActivation;
  spec.gpu.framework.sm_setup_cycles = 29;
  spec.gpu.framework.tb_issue_cycles = 7;
  spec.gpu.framework.pipeline_drain_cycles = 41;
  spec.gpu.framework.trap_entry_cycles = 11;
  spec.scheduler.policy = policy;
  spec.scheduler.access = spec::Access::kShared;
  spec.processes.resize(num_contexts);
  return spec;
}

}  // namespace tessera::rtl_model::test
