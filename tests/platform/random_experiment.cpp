// SPDX-License-Identifier: Apache-2.0
// Machine, host, scheduler, applications, processes; what is drawn last leaves all else as it was drawn before.
#include "tests/platform/random_experiment.h"

#include "model/spec/core_cycles.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

spec::GpuSpec any_gpu(std::uint32_t num_processes) {
  spec::GpuSpec gpu;
  gpu.name = "any";
  gpu.clock_hz = *rc::gen::element<std::uint64_t>(706'000'000, 1'000'000'000, 1'410'000'000, 333'333'333);
  gpu.num_sms = in_one_of(1, {5, 16, 132});
  gpu.max_tbs_per_sm = in(1U, 16U);
  gpu.max_threads_per_sm = 2048;
  gpu.registers_per_sm = 65536;
  gpu.shared_memory_bytes = {16384, 49152};
  gpu.memory_bandwidth_bytes_per_s = in<std::uint64_t>(50, 3000) * 1'000'000'000;
  gpu.num_hardware_queues = num_processes + in(0U, 40U);
  gpu.num_dma_engines = in(1U, 2U);
  gpu.pcie.clock_hz = 500'000'000;
  gpu.pcie.num_lanes = 2 * in(1U, 32U);
  gpu.pcie.latency = nanoseconds(0, 1000);
  spec::FrameworkSpec& framework = gpu.framework;
  framework.num_ksrs = in(1U, gpu.num_sms + 4);
  framework.num_command_buffers = in(1U, 24U);
  framework.search_entry_cycles = in(1U, 2U);
  in(0, 2);  // of a key that is no more: all else shall be drawn as it was
  framework.kernel_activation_cycles = in(0U, 8U);
  framework.sm_setup_cycles = in(1U, 100U);
  framework.tb_issue_cycles = in(1U, 4U);
  framework.pipeline_drain_cycles = in(0U, 400U);
  framework.trap_entry_cycles = in(0U, 30U);
  framework.dispatch_cycles = in(1U, 200U);
  return gpu;
}

spec::HostSpec any_host() {
  spec::HostSpec host;
  host.launch = nanoseconds(0, 2000);
  host.copy = nanoseconds(0, 4000);
  host.synchronise = nanoseconds(0, 2000);
  host.interrupt = nanoseconds(0, 3000);
  return host;
}

void choose_victims(spec::SchedulerSpec& scheduler) {
  scheduler.latency_limit = nanoseconds(0, 20'000);
  scheduler.estimator = any<spec::Estimator>();
  scheduler.switch_pricing = any<spec::SwitchPricing>();
  scheduler.enable_escalation = flip();
  scheduler.candidate_sets = any<spec::CandidateSets>();
  if (scheduler.technique == spec::TechniqueKind::kChimera) scheduler.chimera_mix = any<spec::ChimeraMix>();
}

spec::SchedulerSpec any_scheduler(std::uint32_t num_sms) {
  spec::SchedulerSpec scheduler;
  scheduler.policy = flip() ? any<spec::PolicyKind>()
                            : *rc::gen::element(spec::PolicyKind::kPpq, spec::PolicyKind::kDss);  // these preempt
  scheduler.technique = any<spec::TechniqueKind>();
  scheduler.access = any<spec::Access>();
  scheduler.exclusive_scope = any<spec::ExclusiveScope>();
  scheduler.token_scope = any<spec::TokenScope>();
  scheduler.search_width = in(1U, num_sms);
  scheduler.fill = any<spec::Fill>();
  scheduler.tbs_per_cycle = in(1U, 3U);
  scheduler.time_slice = nanoseconds(500, 30'000);
  if (spec::info(scheduler.technique).chooses_victims) choose_victims(scheduler);
  return scheduler;
}

spec::KernelSpec any_kernel(std::uint32_t index) {
  spec::KernelSpec kernel;
  kernel.name = "k" + std::to_string(index);
  kernel.num_tbs = in_one_of(1, {10, 300});
  kernel.regs_per_tb = in(1U, 16384U);
  kernel.smem_bytes_per_tb = flip() ? 0 : in(1U, 20'000U);
  kernel.threads_per_tb = in(1U, 512U);
  if (in(0, 15) == 0) {
    kernel.is_persistent = true;
    return kernel;
  }
  kernel.kernel_time = nanoseconds(500, 90'000);
  kernel.tb_time = nanoseconds(100, 20'000);
  kernel.tb_time_spread_ppm = in(0U, 1'000'000U);
  for (std::uint32_t* spread :
       {&kernel.work_share_ppm, &kernel.segment_cpi_spread_ppm, &kernel.neighbour_cpi_spread_ppm}) {
    if (flip()) *spread = in(0U, workload::kMaxProgressSpreadPpm);
  }
  return kernel;
}

std::vector<spec::HostStep> any_program(std::uint32_t num_kernels, int nesting) {
  std::vector<spec::HostStep> program;
  for (int left = in(2, 6); left > 0; --left) {
    const std::uint32_t stream = in(0U, 3U);
    switch (in(0, nesting == 0 ? 8 : 10)) {
      case 0:
        program.emplace_back(spec::CpuPhase{nanoseconds(1, 8000)});
        break;
      case 1:
        program.emplace_back(spec::Copy{any<spec::CopyDirection>(), in<std::uint64_t>(1, 60'000), stream, flip()});
        break;
      case 2:
        program.push_back(flip() ? synchronise() : flip() ? synchronise(stream) : synchronise_event(in(0U, 1U)));
        break;
      case 3:
        program.push_back(flip() ? record_event(in(0U, 1U), stream) : wait_for_event(in(0U, 1U), stream));
        break;
      case 9:
      case 10:
        program.push_back(loop(in(1U, 3U), any_program(num_kernels, nesting - 1)));
        break;
      default:
        program.push_back(launch(in(0U, num_kernels - 1), stream));
    }
  }
  return program;
}

spec::ApplicationSpec any_application(std::uint32_t index) {
  spec::ApplicationSpec application;
  application.name = "a" + std::to_string(index);
  const std::uint32_t num_kernels = in(1U, 3U);
  for (std::uint32_t k = 0; k < num_kernels; ++k) application.kernels.push_back(any_kernel(k));
  application.program = any_program(num_kernels, 2);
  application.events = {"e", "f"};
  application.default_stream = any<spec::DefaultStream>();
  if (flip()) application.streams = {{"s1", {}, flip()}, {"s2", in(0U, 3U), flip()}, {"s3", in(0U, 3U), flip()}};
  return application;
}

spec::ProcessSpec any_process(std::uint32_t index, std::uint32_t num_applications) {
  spec::ProcessSpec process;
  process.name = "p" + std::to_string(index);
  process.application = in(0U, num_applications - 1);
  process.priority = in(0U, 3U);
  if (in(0, 3) == 0) process.tokens = in(0U, 20U);
  process.is_background = index > 0 && in(0, 3) == 0;
  process.start = flip() ? 0 : nanoseconds(0, 5000);
  if (flip()) process.deadline = nanoseconds(1'000, 300'000);
  if (in(0, 3) == 0) process.runs = in(1U, 4U);
  return process;
}

void add_flushing(spec::Spec& spec) {
  spec.scheduler.flush_fallback = any<spec::FlushFallback>();
  spec.scheduler.max_flushes_per_tb = in(1U, spec::kMaxFlushes);
  for (spec::ApplicationSpec& application : spec.applications) {
    for (spec::KernelSpec& kernel : application.kernels) {
      if (!kernel.is_persistent) kernel.idempotent_until_ppm = flip() ? 1'000'000 : in(0U, 1'000'000U);
    }
  }
}

// SMs of a few partitions and of none; each partition has one at least.
void add_any_partitions(spec::Spec& spec) {
  spec.scheduler.order = any<spec::PartitionOrder>();
  spec.partitions.resize(in(1U, std::min(4U, spec.gpu.num_sms)));
  const auto num_partitions = static_cast<std::uint32_t>(spec.partitions.size());
  for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) {
    const std::uint32_t partition = sm < num_partitions ? sm : in(0U, num_partitions);
    if (partition < num_partitions) spec.partitions[partition].sms.push_back(sm);
  }
  for (std::uint32_t i = 0; i < num_partitions; ++i) spec.partitions[i].name = "part" + std::to_string(i);
  for (spec::ProcessSpec& process : spec.processes) process.partition = in(0U, num_partitions - 1);
}

// With the techniques that know it.
void add_any_contention(spec::Spec& spec) {
  spec.contention.model = spec::ContentionModel::kCoRunning;
  spec.contention.domain = any<spec::ContentionDomain>();
  for (std::uint32_t& factor : spec.contention.factor_ppm) factor = in(1'000'000U, 4'000'000U);
  for (spec::ApplicationSpec& application : spec.applications) {
    for (spec::KernelSpec& kernel : application.kernels) {
      if (in(0, 3) != 0) kernel.kind = any<spec::KernelKind>();
    }
  }
}

}  // namespace

spec::Spec any_experiment() {
  spec::Spec spec;
  const std::uint32_t num_processes = in_one_of(1, {6, 24});
  spec.name = "random";
  spec.seed = in<std::uint64_t>(0, 1'000'000);
  spec.gpu = any_gpu(num_processes);
  spec.host = any_host();
  spec.scheduler = any_scheduler(spec.gpu.num_sms);
  spec.dma_policy = any<spec::DmaPolicy>();
  spec.channel_sharing = in<std::size_t>(0, 1) == 0 ? spec::ChannelSharing::kStatic : spec::ChannelSharing::kFair;
  spec.time_base = any<spec::TimeBase>();
  const std::uint32_t num_applications = in(1U, 3U);
  for (std::uint32_t i = 0; i < num_applications; ++i) spec.applications.push_back(any_application(i));
  for (std::uint32_t i = 0; i < num_processes; ++i) spec.processes.push_back(any_process(i, num_applications));
  spec.stop.min_runs = in(1U, 3U);
  spec.stop.max_time = nanoseconds(50'000, 1'500'000);
  spec.checks.enable_context_check = flip();
  const bool chooses_victims = spec::info(spec.scheduler.technique).chooses_victims;
  if (spec.scheduler.technique == spec::TechniqueKind::kFlush || chooses_victims) add_flushing(spec);
  if (in(0, 3) == 0) spec.gpu.framework.channels = spec::Channels::kOne;
  spec.gpu.framework.channel_quantum = nanoseconds(1, 100'000);
  if (flip()) add_any_driver(spec);
  if (flip()) add_any_groups(spec);
  if (spec.scheduler.policy == spec::PolicyKind::kStaticPartition) add_any_partitions(spec);
  const bool knows_contention = spec.scheduler.technique == spec::TechniqueKind::kContextSwitch ||
                                spec.scheduler.technique == spec::TechniqueKind::kDrain;
  if (knows_contention && flip()) add_any_contention(spec);
  const std::uint32_t least = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle);
  if (chooses_victims || spec.gpu.framework.tb_issue_cycles < least) spec.gpu.framework.engine = spec::Engine::kIdeal;
  return spec;
}

}  // namespace tessera::platform::test
