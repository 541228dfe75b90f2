// SPDX-License-Identifier: Apache-2.0
// The experiment, and what it tells.
#include "synthesis/core_experiment.h"

#include <algorithm>
#include <string>

#include "model/spec/application_spec.h"
#include "model/spec/gpu_spec.h"
#include "platform/simulation.h"
#include "rtl_model/params.h"

namespace tessera::synthesis {
namespace {

constexpr std::uint32_t kMaxProcesses = 8;  // as many as [T14] runs
constexpr std::uint32_t kTbsPerSm = 4;
constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr Picoseconds kTbTime = 20 * kMicrosecond;
constexpr Picoseconds kSimulated = 3'000 * kMicrosecond;

spec::GpuSpec gpu_of(const spec::CoreSpec& core) {
  spec::GpuSpec gpu;
  gpu.name = "core";
  gpu.clock_hz = 706'000'000;
  gpu.num_sms = core.num_sms;
  gpu.max_tbs_per_sm = core.max_tbs_per_sm;
  gpu.max_threads_per_sm = 2048;
  gpu.registers_per_sm = 65'536;
  gpu.shared_memory_bytes = {16'384, 32'768, 49'152};
  gpu.memory_bandwidth_bytes_per_s = 16'000'000'000ULL * core.num_sms;  // each SM has the K20c's share
  gpu.pcie.clock_hz = 500'000'000;
  gpu.pcie.num_lanes = 32;
  gpu.framework.num_ksrs = core.num_ksrs;
  gpu.framework.num_command_buffers = core.num_command_buffers;
  gpu.framework.tb_id_bits = core.tb_id_bits;
  gpu.framework.setup_tag_bits = core.setup_tag_bits;
  gpu.framework.refill_lane = core.refill_lane != 0;
  return gpu;
}

// Process `i`'s: one to three waves of thread blocks if it had a third of the machine, between short pauses.
spec::ApplicationSpec application(const spec::CoreSpec& core, std::uint32_t i) {
  spec::KernelSpec kernel;
  kernel.name = "kernel";
  const std::uint32_t tbs_per_sm = std::min(kTbsPerSm, core.max_tbs_per_sm);
  const std::uint64_t wanted = std::uint64_t{core.num_sms} * tbs_per_sm * (1 + i % 3) / 3 + 1;
  kernel.num_tbs = static_cast<std::uint32_t>(std::min(wanted, (std::uint64_t{1} << core.tb_id_bits) - 1));
  kernel.regs_per_tb = 65'536 / kTbsPerSm;
  kernel.threads_per_tb = 256;
  kernel.tb_time = kTbTime * (1 + i % 4);
  kernel.tb_time_spread_ppm = 300'000;
  spec::ApplicationSpec application;
  application.name = "a" + std::to_string(i);
  application.kernels = {kernel};
  application.program = {spec::CpuPhase{kTbTime * (1 + i) / 4}, spec::Launch{0, 0}, spec::Synchronise{}};
  return application;
}

}  // namespace

spec::Spec busy_experiment(const spec::CoreSpec& core, spec::PolicyKind policy) {
  spec::Spec spec;
  spec.name = "busy";
  spec.gpu = gpu_of(core);
  spec.scheduler.policy = policy;
  spec.scheduler.search_width = core.search_width;
  spec.scheduler.time_slice = 2 * kTbTime;
  spec.time_base = spec::TimeBase::kTimePerTb;
  for (std::uint32_t i = 0; i < std::min(kMaxProcesses, core.num_contexts); ++i) {
    spec.applications.push_back(application(core, i));
    spec::ProcessSpec process;
    process.name = "p" + std::to_string(i);
    process.application = i;
    process.priority = i % 3;
    spec.processes.push_back(process);
  }
  spec.stop.min_runs = 1'000'000;  // the time ends it
  spec.stop.max_time = kSimulated;
  return spec;
}

cosim::Elaboration elaboration_of(const spec::CoreSpec& core) {
  cosim::Elaboration elaboration(rtl_model::Params(busy_experiment(core, core.policies.front())));
  elaboration.num_contexts = core.num_contexts;
  elaboration.wait_width = core.wait_bits;
  elaboration.parity = core.parity_bits;
  elaboration.linger = core.linger;
  elaboration.kept_turn = core.kept_turn;
  elaboration.policies = spec::policy_mask(core.policies);
  return elaboration;
}

Decisions simulate_decisions(const spec::CoreSpec& core, spec::PolicyKind policy) {
  platform::MachineOptions machine;
  machine.abstraction = platform::Abstraction::kRtlModel;
  const record::RunResult result = platform::simulate(
      busy_experiment(core, policy), {}, [] { return false; }, machine);
  return {result.first_decisions, result.decisions};
}

}  // namespace tessera::synthesis
