// SPDX-License-Identifier: Apache-2.0
// Specs built in code: a benchmark reads no files.
#include "workload.h"

#include <algorithm>
#include <string>

#include "model/spec/spec.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kLaunchesInARow = 10;
constexpr std::uint64_t kCopyBytes = 64 << 10;
constexpr Picoseconds kTbTime = 1'810'000;       // spmv in [T14] Table 1
constexpr Picoseconds kThinkTime = 100'000'000;  // of the interactive process
constexpr std::uint32_t kTbTimeSpreadPpm = 500'000;
constexpr Picoseconds kReservePeriod = 25'000'000'000;  // [K11] 6.1

// [T14] Table 2, but for the dispatcher.
spec::GpuSpec k20c() {
  spec::GpuSpec gpu;
  gpu.name = "k20c";
  gpu.clock_hz = 706'000'000;
  gpu.num_sms = 13;
  gpu.max_tbs_per_sm = 16;
  gpu.max_threads_per_sm = 2048;
  gpu.registers_per_sm = 65536;
  gpu.shared_memory_bytes = {16384, 32768, 49152};
  gpu.memory_bandwidth_bytes_per_s = 208'000'000'000;
  gpu.pcie.clock_hz = 500'000'000;
  gpu.pcie.num_lanes = 32;
  gpu.framework.num_ksrs = gpu.num_sms;
  gpu.framework.engine = spec::Engine::kIdeal;
  gpu.framework.tb_issue_cycles = spec::kIdealIssueCycles;
  gpu.framework.dispatch_cycles = 16;  // launches follow each other at once: the most work for the machine
  return gpu;
}

spec::KernelSpec small_kernel(std::uint32_t num_tbs) {
  spec::KernelSpec kernel;
  kernel.name = "kernel";
  kernel.num_tbs = num_tbs;
  kernel.regs_per_tb = 928;
  kernel.threads_per_tb = 32;
  kernel.tb_time = kTbTime;
  kernel.tb_time_spread_ppm = kTbTimeSpreadPpm;
  return kernel;
}

spec::ApplicationSpec interactive(std::uint32_t tbs_per_kernel) {
  spec::ApplicationSpec application;
  application.name = "interactive";
  application.kernels = {small_kernel(tbs_per_kernel)};
  application.program = {spec::CpuPhase{kThinkTime}, spec::Launch{0, 0}, spec::Synchronise{}};
  return application;
}

spec::ApplicationSpec batch(std::uint32_t tbs_per_kernel, std::uint32_t rows_of_launches) {
  spec::ApplicationSpec application;
  application.name = "batch";
  application.kernels = {small_kernel(tbs_per_kernel)};
  const spec::Loop launches{kLaunchesInARow, {spec::Launch{0, 0}}};
  application.program = {
      spec::Loop{rows_of_launches,
                 {spec::Copy{spec::CopyDirection::kToGpu, kCopyBytes, 0, true}, launches,
                  spec::Copy{spec::CopyDirection::kToHost, kCopyBytes, 0, true}, spec::Synchronise{}}}};
  return application;
}

}  // namespace

spec::Spec shared_machine(std::uint32_t tbs_per_kernel, std::uint64_t total_tbs) {
  const std::uint64_t tbs_in_a_row = std::uint64_t{tbs_per_kernel} * kLaunchesInARow * kNumBatchProcesses;
  const auto rows =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (total_tbs + tbs_in_a_row - 1) / tbs_in_a_row));
  spec::Spec spec;
  spec.name = "shared_machine";
  spec.gpu = k20c();
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec.dma_policy = spec::DmaPolicy::kNpq;
  spec.time_base = spec::TimeBase::kTimePerTb;
  spec.applications = {interactive(tbs_per_kernel), batch(tbs_per_kernel, rows)};
  spec.processes.push_back({"interactive", 0, 1, {}, true, 0});
  for (std::uint32_t i = 0; i < kNumBatchProcesses; ++i) spec.processes.push_back({"batch", 1, 0, {}, false, 0});
  spec.stop.min_runs = 1;
  return spec;
}

spec::Spec grouped_machine(std::uint32_t num_processes, std::uint64_t num_groups, bool has_timegraph) {
  spec::Spec spec;
  spec.name = "grouped_machine";
  spec.gpu = k20c();
  spec.time_base = spec::TimeBase::kTimePerTb;
  const auto rows = static_cast<std::uint32_t>(num_groups / num_processes / kLaunchesInARow + 1);
  const spec::Loop launches{kLaunchesInARow, {spec::Launch{0, 0}}};
  spec.applications.push_back(
      {"groups", {small_kernel(spec.gpu.num_sms)}, {spec::Loop{rows, {launches, spec::Synchronise{}}}}});
  for (std::uint32_t i = 0; i < num_processes; ++i) {
    spec.processes.push_back({"p" + std::to_string(i), 0, 0, {}, false, 0});
    spec.processes.back().runs = 1;
  }
  spec.stop.min_runs = 1;
  if (!has_timegraph) return spec;
  constexpr spec::Reservation kReservations[] = {spec::Reservation::kPosterior, spec::Reservation::kApriori,
                                                 spec::Reservation::kNone, spec::Reservation::kBackground};
  spec.driver.kind = spec::DriverKind::kTimegraph;
  for (std::uint32_t i = 0; i < num_processes; ++i) {
    spec::TimegraphEntry& entry = spec.driver.entries.emplace_back();
    entry.name = spec.processes[i].name;
    entry.dispatch = i / 4 % 2 == 0 ? spec::GroupDispatch::kPrt : spec::GroupDispatch::kHt;
    entry.reservation = kReservations[i % 4];
    entry.priority = 5;
    const bool has_budget = i % 4 < 2;
    entry.period = has_budget ? kReservePeriod : 0;
    entry.capacity = has_budget ? kReservePeriod / num_processes : 0;
  }
  return spec;
}

spec::Spec one_kernel(std::uint32_t num_sms, std::uint32_t max_tbs_per_sm, std::uint32_t num_tbs) {
  spec::Spec spec;
  spec.name = "one_kernel";
  spec.gpu = k20c();
  spec.gpu.num_sms = num_sms;
  spec.gpu.max_tbs_per_sm = max_tbs_per_sm;
  spec.gpu.framework.num_ksrs = num_sms;
  spec.time_base = spec::TimeBase::kTimePerTb;
  spec.applications.push_back({"one_kernel", {small_kernel(num_tbs)}, {spec::Launch{0, 0}}});
  spec.processes.push_back({"one_kernel", 0, 0, {}, false, 0});
  spec.stop.min_runs = 1;
  return spec;
}

}  // namespace tessera::bench
