// SPDX-License-Identifier: Apache-2.0
// Machine, scheduler, applications, processes; what came later is drawn later.
#include "verification/random/random_experiment.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/tb_progress.h"
#include "verification/random/draws.h"
#include "verification/random/random_driver.h"
#include "verification/random/random_loops.h"

namespace tessera::verification {
namespace {

// Of experiments of some milliseconds.
constexpr RandomDriverRanges kDriverRanges{1'000'000, 1'000'000'000, 1};

spec::GpuSpec gpu(Draws& draw, std::uint32_t num_processes) {
  spec::GpuSpec gpu;
  gpu.name = "random";
  gpu.clock_hz = draw.of(std::array<std::uint64_t, 4>{706'000'000, 1'000'000'000, 1'410'000'000, 1'980'000'000});
  gpu.num_sms = draw.in32(1, draw.of(std::array<std::uint32_t, 3>{4, 16, 64}));
  gpu.max_tbs_per_sm = draw.in32(1, 16);
  gpu.max_threads_per_sm = 2048;
  gpu.registers_per_sm = 65'536;
  gpu.shared_memory_bytes = {16'384, 49'152};
  gpu.memory_bandwidth_bytes_per_s = 1'000'000'000 * draw.in(50, 3000);
  gpu.num_hardware_queues = num_processes + draw.in32(0, 8);
  gpu.num_dma_engines = draw.in32(1, 2);
  gpu.pcie.clock_hz = 500'000'000;
  gpu.pcie.num_lanes = 2 * draw.in32(1, 32);
  gpu.pcie.latency = draw.nanoseconds(0, 1000);
  spec::FrameworkSpec& framework = gpu.framework;
  framework.num_ksrs = draw.in32(1, gpu.num_sms + 4);
  framework.num_command_buffers = draw.in32(1, 24);
  framework.search_entry_cycles = draw.in32(1, 2);
  framework.kernel_activation_cycles = draw.in32(1, 8);
  framework.sm_setup_cycles = draw.in32(3, 100);
  framework.tb_issue_cycles = draw.in32(1, 4);
  framework.pipeline_drain_cycles = draw.in32(0, 400);
  framework.trap_entry_cycles = draw.in32(1, 30);
  framework.dispatch_cycles = draw.in32(1, 1000);
  return gpu;
}

spec::SchedulerSpec scheduler(Draws& draw, std::uint32_t num_sms) {
  spec::SchedulerSpec scheduler;
  scheduler.policy = draw.of(spec::plain_policies_of(spec::Cores::kBoth));
  scheduler.technique = draw.of(spec::techniques_of(spec::Cores::kBoth));
  scheduler.access = draw.any<spec::Access>();
  scheduler.exclusive_scope = draw.any<spec::ExclusiveScope>();
  scheduler.token_scope = draw.any<spec::TokenScope>();
  scheduler.search_width = draw.in32(1, num_sms);
  scheduler.fill = draw.one_in(4) ? spec::Fill::kBreadthFirst : spec::Fill::kDepthFirst;
  scheduler.time_slice = draw.nanoseconds(5'000, 100'000);
  scheduler.flush_fallback = draw.any<spec::FlushFallback>();
  scheduler.max_flushes_per_tb = draw.in32(1, 4);
  return scheduler;
}

spec::KernelSpec kernel(Draws& draw, std::uint32_t index) {
  spec::KernelSpec kernel;
  kernel.name = "k" + std::to_string(index);
  kernel.num_tbs = draw.in32(1, draw.of(std::array<std::uint32_t, 3>{8, 60, 400}));
  kernel.regs_per_tb = draw.in32(16, 16'384);
  kernel.smem_bytes_per_tb = draw.one_in(2) ? 0 : draw.in32(1, 16'000);
  kernel.threads_per_tb = draw.in32(1, 512);
  kernel.tb_time = draw.nanoseconds(1'000, 40'000);
  kernel.kernel_time = draw.nanoseconds(5'000, 200'000);
  kernel.tb_time_spread_ppm = draw.one_in(3) ? 0 : draw.in32(0, 500'000);
  kernel.idempotent_until_ppm = draw.of(std::array<std::uint32_t, 3>{0, draw.in32(1, 999'999), 1'000'000});
  return kernel;
}

void spread_progress(Draws& draw, spec::KernelSpec& kernel) {
  for (std::uint32_t* spread :
       {&kernel.work_share_ppm, &kernel.segment_cpi_spread_ppm, &kernel.neighbour_cpi_spread_ppm}) {
    if (draw.one_in(3)) *spread = draw.in32(1, workload::kMaxProgressSpreadPpm);
  }
}

spec::ApplicationSpec application(Draws& draw, std::uint32_t index) {
  spec::ApplicationSpec application;
  application.name = "a" + std::to_string(index);
  const std::uint32_t num_kernels = draw.in32(1, 3);
  for (std::uint32_t k = 0; k < num_kernels; ++k) application.kernels.push_back(kernel(draw, k));
  const auto launch = [&] { return spec::Launch{draw.in32(0, num_kernels - 1), 0}; };
  std::vector<spec::HostStep>& program = application.program;
  program.emplace_back(spec::CpuPhase{draw.nanoseconds(100, 60'000)});
  if (draw.one_in(2)) program.emplace_back(spec::Copy{spec::CopyDirection::kToGpu, draw.in(64, 60'000), 0, false});
  program.emplace_back(launch());
  if (draw.one_in(2))
    program.emplace_back(spec::Loop{draw.in32(1, 4), {launch(), spec::CpuPhase{draw.nanoseconds(1, 9'000)}}});
  if (draw.one_in(2)) program.emplace_back(spec::Copy{spec::CopyDirection::kToHost, draw.in(64, 60'000), 0, false});
  program.emplace_back(launch());
  return application;
}

spec::ProcessSpec process(Draws& draw, std::uint32_t index, std::uint32_t num_applications) {
  spec::ProcessSpec process;
  process.name = "p" + std::to_string(index);
  process.application = draw.in32(0, num_applications - 1);
  process.priority = draw.in32(0, 3);
  if (draw.one_in(6)) process.tokens = draw.in32(0, 20);
  process.start = draw.one_in(2) ? 0 : draw.nanoseconds(0, 50'000);
  return process;
}

// Runs of a process that come from outside, some of them while others go on: those wait. (What is skipped depends on
// single cycles, so that two models would soon tell two stories.)
spec::ReleaseSpec releases(Draws& draw) {
  spec::ReleaseSpec releases;
  releases.arrivals = draw.one_in(2) ? spec::Arrivals::kPoisson : spec::Arrivals::kPeriodic;
  releases.period = draw.nanoseconds(50'000, 1'000'000);
  releases.offset = draw.one_in(2) ? 0 : draw.nanoseconds(0, 50'000);
  return releases;
}

void release_runs(const spec::ReleaseSpec& releases, spec::ProcessSpec& process) {
  if (releases.arrivals == spec::Arrivals::kPeriodic) process.deadline = releases.period;
  process.releases = releases;
}

void release_runs_of_one(Draws& draw, spec::Spec& spec) {
  const spec::ReleaseSpec drawn = releases(draw);
  release_runs(drawn, spec.processes[draw.in(0, spec.processes.size() - 1)]);
}

void add_driver(Draws& draw, spec::Spec& spec) {
  add_random_driver(draw, kDriverRanges, spec);
  if (draw.one_in(2)) add_random_groups(draw, kDriverRanges, spec);
  for (spec::ProcessSpec& process : spec.processes) {
    if (!process.releases && draw.one_in(4)) release_runs(releases(draw), process);
  }
}

// SMs and processes are dealt out to partitions, some SMs to none; by dues or by priority.
void partition(Draws& draw, spec::Spec& spec) {
  spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
  spec.scheduler.order = draw.any<spec::PartitionOrder>();
  const auto num_processes = static_cast<std::uint32_t>(spec.processes.size());
  const std::uint32_t num_partitions = draw.in32(1, std::min(spec.gpu.num_sms, num_processes));
  for (std::uint32_t i = 0; i < num_partitions; ++i) spec.partitions.push_back({"s" + std::to_string(i), {i}});
  for (std::uint32_t sm = num_partitions; sm < spec.gpu.num_sms; ++sm) {
    if (!draw.one_in(16)) spec.partitions[draw.in(0, num_partitions - 1)].sms.push_back(sm);
  }
  for (spec::ProcessSpec& process : spec.processes) {
    process.partition = draw.in32(0, num_partitions - 1);
    const bool is_due = spec.scheduler.order == spec::PartitionOrder::kEdf && !draw.one_in(4);
    if (is_due && !process.deadline) process.deadline = draw.nanoseconds(20'000, 1'000'000);
  }
  // None waits for a table entry that a kernel of another partition has.
  spec::FrameworkSpec& framework = spec.gpu.framework;
  framework.num_ksrs = std::max(framework.num_ksrs, num_processes);
  framework.num_command_buffers = std::max(framework.num_command_buffers, num_processes);
}

// A policy that orders by deadlines, and processes that have some.
void order_by_deadlines(Draws& draw, spec::Spec& spec) {
  std::vector<spec::PolicyKind> policies;
  for (const spec::PolicyInfo& policy : spec::kPolicies) {
    const bool is_in_both = includes(policy.cores, spec::Cores::kBoth);
    if (policy.order == spec::PolicyOrder::kDeadline && is_in_both) policies.push_back(policy.kind);
  }
  spec.scheduler.policy = draw.of(policies);
  for (spec::ProcessSpec& process : spec.processes) {
    if (!process.deadline && !draw.one_in(4)) process.deadline = draw.nanoseconds(20'000, 1'000'000);
  }
}

void add_links(Draws& draw, spec::Spec& spec) {
  constexpr std::uint32_t kMaxDelay = 20;
  spec::FrameworkSpec& framework = spec.gpu.framework;
  const bool are_alike = draw.one_in(3);
  for (std::vector<std::uint32_t>* delays : {&framework.link_cycles.up, &framework.link_cycles.down}) {
    const std::uint32_t same = draw.in32(0, kMaxDelay);
    for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) {
      delays->push_back(are_alike ? same : draw.in32(0, kMaxDelay));
    }
  }
  framework.setup_tag_bits = draw.in32(1, 2);
  if (!framework.link_cycles.any()) framework.link_cycles = {};
}

// It needs tags.
void add_refill_lane(spec::FrameworkSpec& framework) {
  framework.refill_lane = true;
  framework.setup_tag_bits = std::max(framework.setup_tag_bits, 1U);
}

// SMs of a GPU whose contexts' channels take turns change hands one by one.
void keep_turn(Draws& draw, spec::Spec& spec) {
  constexpr std::uint64_t kMostNs = 4'000;  // of a switch: less than a slice
  spec.scheduler.turn = spec::Turn::kKept;
  const bool is_of_gpu = !draw.one_in(4) && spec.gpu.framework.channels == spec::Channels::kAll;
  if (is_of_gpu) spec.scheduler.switch_scope = spec::SwitchScope::kGpu;
  spec::GpuSwitchSpec& costs = spec.gpu.framework.gpu_switch;
  costs.preempted = draw.nanoseconds(0, kMostNs);
  costs.dry = draw.nanoseconds(0, kMostNs);
  costs.in_slice = std::min(costs.preempted, costs.dry) / draw.in(1, 4);
  for (spec::ProcessSpec& process : spec.processes) {
    if (draw.one_in(3)) process.time_slice = draw.nanoseconds(kMostNs + 1, 100'000);
    const bool is_own = draw.one_in(2) && spec.scheduler.technique != spec::TechniqueKind::kFlush;
    if (is_own) process.slice_end = draw.any<spec::SliceEnd>();
  }
  if (!draw.one_in(3)) return;
  costs.model = spec::SaveModel::kMicrocode;
  costs.microcode = {draw.nanoseconds(0, 20), draw.nanoseconds(0, 20), draw.nanoseconds(0, 300),
                     draw.nanoseconds(0, 300), spec.gpu.memory_bandwidth_bytes_per_s / draw.in(1, 3)};
}

// Bends what was drawn to what the core has.
void keep_to_core(spec::Spec& spec) {
  std::uint32_t& width = spec.scheduler.search_width;
  while (!spec::is_search_width(width)) width = width > 4 ? 4 : width - 1;
  spec.gpu.framework.tb_issue_cycles += spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle) - 1;
}

}  // namespace

spec::Spec random_experiment(std::uint64_t seed, RandomDriver driver, RandomLinks links) {
  CountedDraws draw(seed);
  spec::Spec spec;
  spec.name = "random_" + std::to_string(seed);
  spec.seed = seed;
  const std::uint32_t num_processes = draw.one_in(5) ? 1 : draw.in32(2, 8);
  spec.gpu = gpu(draw, num_processes);
  spec.host.name = "random";
  spec.host.launch = draw.nanoseconds(100, 5'000);
  spec.host.copy = draw.nanoseconds(100, 5'000);
  spec.host.synchronise = draw.nanoseconds(100, 3'000);
  spec.host.interrupt = draw.nanoseconds(100, 3'000);
  spec.scheduler = scheduler(draw, spec.gpu.num_sms);
  spec.dma_policy = draw.any<spec::DmaPolicy>();
  // The clocked models do not have the third.
  spec.channel_sharing = draw.in(0, 1) == 0 ? spec::ChannelSharing::kStatic : spec::ChannelSharing::kFair;
  spec.time_base = draw.any<spec::TimeBase>();
  const std::uint32_t num_applications = draw.in32(1, 3);
  for (std::uint32_t i = 0; i < num_applications; ++i) spec.applications.push_back(application(draw, i));
  for (std::uint32_t i = 0; i < num_processes; ++i) spec.processes.push_back(process(draw, i, num_applications));
  spec.stop.min_runs = 5;
  spec.stop.max_time = draw.nanoseconds(3'000'000, 10'000'000);
  spec.checks.enable_context_check = draw.one_in(4);
  if (draw.one_in(3)) spec.scheduler.linger = draw.nanoseconds(1'000, 100'000);
  if (draw.one_in(3)) spec.scheduler.debt = spec::Debt::kGap;  // under others, budgets of 0 wait for ever
  if (draw.one_in(3)) spec.scheduler.remainder = spec::Remainder::kOnce;
  for (spec::ApplicationSpec& application : spec.applications) {
    for (spec::KernelSpec& kernel : application.kernels) spread_progress(draw, kernel);
  }
  // Below, all is drawn after what there was before it: a seed keeps its other draws.
  if (draw.one_in(8)) {
    spec.gpu.framework.channels = spec::Channels::kOne;
    spec.gpu.framework.channel_quantum = draw.nanoseconds(1, 200'000);
  }
  if (draw.one_in(6)) release_runs_of_one(draw, spec);
  if (driver == RandomDriver::kWith) add_driver(draw, spec);
  if (draw.one_in(6)) partition(draw, spec);
  keep_to_core(spec);
  if (driver == RandomDriver::kToken && draw.one_in(6)) add_random_loops(draw, spec);
  if (draw.one_in(8) && !spec::is_partitioned(spec.scheduler)) order_by_deadlines(draw, spec);
  if (links == RandomLinks::kWith) add_links(draw, spec);
  if (spec.scheduler.policy == spec::PolicyKind::kTimeSlice && !draw.one_in(3)) keep_turn(draw, spec);
  if (draw.one_in(4)) add_refill_lane(spec.gpu.framework);
  return spec;
}

}  // namespace tessera::verification
