// SPDX-License-Identifier: Apache-2.0
// The replay of host programs.
#include "tlm/host/host_process.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/spec.h"
#include "model/workload/launch_factor.h"
#include "model/workload/releases.h"
#include "model/workload/tb_durations.h"

namespace tessera::tlm_model {

// A graph that a file may have, a command may be.
static_assert(spec::kMaxGraphNodes <= kMaxGraphNodes && spec::kMaxGraphEdges <= kMaxGraphEdges);

HostProcess::HostProcess(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
                         const workload::KernelTimes& times, IDriver& driver, HostThread& thread,
                         record::RecordLog& log)
    : sc_module(name),
      spec_(spec),
      process_(process),
      application_(spec.applications[spec.processes[process].application]),
      priorities_(spec),
      times_(times),
      driver_(driver),
      thread_(thread),
      log_(log),
      time_(spec.gpu.clock_hz),
      launches_per_run_(spec::launches_per_run(application_)) {
  if (spec.processes[process].releases) {
    u_release_clock_ = std::make_unique<ReleaseClock>("u_release_clock", spec, process, log);
  }
  SC_HAS_PROCESS(HostProcess);
  SC_THREAD(run);
}

// ---- replay --------------------------------------------------------------------------------------------------

void HostProcess::run() {
  driver_.open(process_);
  if (!u_release_clock_) pause_until(time_.now() + time_.clock().cycles_in(spec_.processes[process_].start));
  for (; wait_for_run(); ++run_) {
    run_started_ = time_.now();
    emit(record::Kind::kRunStarted, run_, 0);
    launch_in_run_ = 0;
    launched_in_run_.assign(launches_per_run_.size(), 0);
    play(application_.program);
    play_step(spec::Synchronise{});  // a run ends when its GPU work does
    wait(time_.until(std::max(time_.now(), run_started_ + 1)));
    emit(record::Kind::kRunEnded, run_, time_.now() - run_started_);
    if (u_release_clock_) u_release_clock_->end_run();
    on_run_ended(process_);
  }
  thread_.end();
}

// Until it may start; false: there is none.
bool HostProcess::wait_for_run() {
  if (!u_release_clock_) {
    const spec::ProcessSpec& process = spec_.processes[process_];
    const bool has_run = !process.runs || run_ < *process.runs;
    if (has_run && process.pause > 0) {
      pause_until(time_.now() + time_.clock().cycles_in(workload::pause_before(spec_, process_, run_)));
    }
    return has_run;
  }
  std::optional<std::uint32_t> released;
  const auto wait_for_release = [&] { released = u_release_clock_->wait_for_run(); };
  if (thread_.is_awake() && u_release_clock_->has_run()) {
    wait_for_release();
  } else {
    thread_.sleep(wait_for_release);
  }
  if (released) run_ = *released;
  return released.has_value();
}

void HostProcess::play(const std::vector<spec::HostStep>& steps) {
  for (const spec::HostStep& step : steps) {
    std::visit([this](const auto& s) { play_step(s); }, step);
  }
}

void HostProcess::play_step(const spec::CpuPhase& step) { spend(step.time); }

void HostProcess::play_step(const spec::Loop& step) {
  for (std::uint32_t i = 0; i < step.count; ++i) play(step.body);
}

void HostProcess::play_step(const spec::Group& step) {
  left_of_group_ = spec::num_commands(step.work);
  play(step.work);
}

void HostProcess::play_step(const spec::Copy& step) {
  spend(spec_.host.copy);
  submit(step.stream, {command_of(step)});
  if (!step.is_async) driver_.synchronise(process_, step.stream);
}

void HostProcess::play_step(const spec::Launch& step) {
  if (step.start > 0) pause_until(run_started_ + time_.clock().cycles_in(step.start));
  spend(spec_.host.launch);
  KernelDescriptor descriptor = descriptor_of(step);
  Command command = launch_in(step.stream, descriptor);
  if (step.notifies) command.flags |= kInterruptWhenDone;
  submit(step.stream, {command, &descriptor});
}

// One call, and one command, whatever is in it.
void HostProcess::play_step(const spec::Graph& step) {
  spend(spec_.host.launch);
  GraphImage image;
  for (const spec::HostStep* const node : spec::nodes_of(step)) {
    GraphNode& written = image.nodes.emplace_back();
    if (const auto* launch = std::get_if<spec::Launch>(node)) {
      written.kernel = descriptor_of(*launch);
      written.command = launch_in(step.stream, written.kernel);
    } else {
      written.command = command_of(std::get<spec::Copy>(*node));
    }
  }
  for (const spec::GraphEdge& edge : spec::edges_of(step)) image.edges.push_back({edge.from, edge.to});
  Command command;
  command.opcode = Opcode::kGraph;
  submit(step.stream, {command, nullptr, &image});
}

Command HostProcess::command_of(const spec::Copy& step) {
  Command command;
  command.opcode = Opcode::kCopy;
  command.flags = kTimingOnly;
  command.bytes = step.bytes;
  command.direction = step.direction == spec::CopyDirection::kToHost ? 1 : 0;
  return command;
}

// The stream's own priority stands in the descriptor.
Command HostProcess::launch_in(std::uint32_t stream, KernelDescriptor& descriptor) const {
  Command command;
  command.opcode = Opcode::kLaunch;
  if (application_.priority_of(stream)) {
    command.flags |= kOwnPriority;
    descriptor.priority = priorities_.of(process_, stream);
  }
  return command;
}

KernelDescriptor HostProcess::descriptor_of(const spec::Launch& step) {
  const spec::KernelSpec& kernel = application_.kernels[step.kernel];
  const workload::TbTime time = time_of(step);
  KernelDescriptor descriptor;
  descriptor.num_tbs = kernel.num_tbs;
  descriptor.regs_per_tb = kernel.regs_per_tb;
  descriptor.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  descriptor.threads_per_tb = kernel.threads_per_tb;
  descriptor.max_tbs_per_sm = static_cast<std::uint16_t>(kernel.max_tbs_per_sm);
  descriptor.idempotent_until = kernel.idempotent_until_ppm;
  descriptor.work_share = kernel.work_share_ppm;
  descriptor.segment_cpi_spread = kernel.segment_cpi_spread_ppm;
  descriptor.neighbour_cpi_spread = kernel.neighbour_cpi_spread_ppm;
  descriptor.mean_tb_cycles = kernel.is_persistent ? kNeverEnds : time.mean;
  descriptor.half_spread_cycles = time.half_spread;
  descriptor.duration_key = workload::launch_key(spec_.seed, process_, run_, launch_in_run_++);
  descriptor.process = process_;
  descriptor.kernel = step.kernel;
  descriptor.run = run_;
  return descriptor;
}

workload::TbTime HostProcess::time_of(const spec::Launch& step) {
  const workload::TbTime of_kernel = times_.of(spec_.processes[process_].application, step.kernel);
  const std::uint64_t of_run = workload::spread_factor_ppm(
      application_.kernels[step.kernel].kernel_time_spread_ppm, workload::launch_key(spec_.seed, process_, run_, 0),
      launched_in_run_[step.kernel]++, launches_per_run_[step.kernel]);
  return workload::scaled(of_kernel, mul_div_round(of_run, step.time_factor_ppm, workload::kMillion));
}

// What stands in no group is one.
void HostProcess::submit(std::uint32_t stream, const Work& work) {
  const bool ends_group = left_of_group_ <= 1;
  left_of_group_ -= left_of_group_ > 0 ? 1 : 0;
  driver_.submit(process_, stream, work, ends_group);
}

void HostProcess::play_step(const spec::Synchronise& step) {
  spend(spec_.host.synchronise);
  if (step.event) return driver_.synchronise_event(process_, *step.event);
  driver_.synchronise(process_, step.stream);
}

// The calls take the way of a launch, so they cost as much.
void HostProcess::play_step(const spec::RecordEvent& step) {
  spend(spec_.host.launch);
  driver_.record_event(process_, step.event, step.stream);
}

void HostProcess::play_step(const spec::WaitForEvent& step) {
  spend(spec_.host.launch);
  driver_.await_event(process_, step.event, step.stream);
}

// It sleeps, unless that time has passed and it is awake.
void HostProcess::pause_until(Cycle cycle) {
  if (cycle <= time_.now() && thread_.is_awake()) return;
  thread_.sleep([&] {
    if (cycle > time_.now()) wait(time_.until(cycle));
  });
}

void HostProcess::emit(record::Kind kind, std::uint32_t run, Cycle turnaround) {
  record::Record record;
  record.cycle = time_.now();
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(process_);
  record.run = run;
  record.cycles = turnaround;
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
