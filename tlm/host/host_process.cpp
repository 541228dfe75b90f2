// SPDX-License-Identifier: Apache-2.0
// The replay of host programs, and the user half of command submission.
#include "tlm/host/host_process.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/spec.h"
#include "model/workload/launch_factor.h"
#include "model/workload/tb_durations.h"
#include "tlm/base/bus_access.h"
#include "tlm/host/address_map.h"

namespace tessera::tlm_model {
namespace {

// Tells the host how far the queue has come.
Command fence_of(const HostQueue& queue) {
  Command fence;
  fence.opcode = Opcode::kFence;
  fence.flags = kInterruptWhenDone;
  fence.fence_address = address_map::queue_memory(queue.id) + address_map::kFence;
  return fence;
}

Command wait_for(const QueuePlace& place) {
  Command wait;
  wait.opcode = Opcode::kWait;
  wait.source = index(place.queue->id);
  wait.bytes = place.commands;
  return wait;
}

}  // namespace

HostProcess::HostProcess(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
                         const workload::KernelTimes& times, Driver& driver, record::RecordLog& log)
    : sc_module(name),
      bus_isock("bus_isock"),
      spec_(spec),
      process_(process),
      application_(spec.applications[spec.processes[process].application]),
      times_(times),
      driver_(driver),
      streams_(application_, driver, process),
      log_(log),
      time_(spec.gpu.clock_hz),
      launches_per_run_(spec::launches_per_run(application_)) {
  SC_HAS_PROCESS(HostProcess);
  SC_THREAD(run);
}

// ---- replay --------------------------------------------------------------------------------------------------

void HostProcess::run() {
  driver_.wait_until_ready();
  spend(spec_.processes[process_].start);
  const std::optional<std::uint32_t> runs = spec_.processes[process_].runs;
  for (; !runs || run_ < *runs; ++run_) {
    run_started_ = time_.now();
    emit(record::Kind::kRunStarted, run_, 0);
    launch_in_run_ = 0;
    launched_in_run_.assign(launches_per_run_.size(), 0);
    play(application_.program);
    play_step(spec::Synchronise{});  // a run ends when its GPU work does
    wait(time_.until(std::max(time_.now(), run_started_ + 1)));
    emit(record::Kind::kRunEnded, run_, time_.now() - run_started_);
    on_run_ended(process_);
  }
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

void HostProcess::play_step(const spec::Copy& step) {
  spend(spec_.host.copy);
  Command command;
  command.opcode = Opcode::kCopy;
  command.flags = kTimingOnly;
  command.bytes = step.bytes;
  command.direction = step.direction == spec::CopyDirection::kToHost ? 1 : 0;
  submit_work(step.stream, command);
  if (!step.is_async) wait_for_all(streams_.queue(step.stream));
}

void HostProcess::play_step(const spec::Launch& step) {
  if (step.start > 0) {
    wait(time_.until(std::max(time_.now(), run_started_ + time_.clock().cycles_in(step.start))));
  }
  spend(spec_.host.launch);
  const spec::KernelSpec& kernel = application_.kernels[step.kernel];
  const workload::TbTime time = time_of(step);
  KernelDescriptor descriptor;
  descriptor.num_tbs = kernel.num_tbs;
  descriptor.regs_per_tb = kernel.regs_per_tb;
  descriptor.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  descriptor.threads_per_tb = kernel.threads_per_tb;
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
  Command command;
  command.opcode = Opcode::kLaunch;
  if (const std::optional<std::uint32_t> priority = application_.priority_of(step.stream)) {
    command.flags |= kOwnPriority;
    descriptor.priority = *priority;
  }
  submit_work(step.stream, command, &descriptor);
}

workload::TbTime HostProcess::time_of(const spec::Launch& step) {
  const workload::TbTime of_kernel = times_.of(spec_.processes[process_].application, step.kernel);
  const std::uint64_t of_run = workload::spread_factor_ppm(
      application_.kernels[step.kernel].kernel_time_spread_ppm, workload::launch_key(spec_.seed, process_, run_, 0),
      launched_in_run_[step.kernel]++, launches_per_run_[step.kernel]);
  return workload::scaled(of_kernel, mul_div_round(of_run, step.time_factor_ppm, workload::kMillion));
}

void HostProcess::play_step(const spec::Synchronise& step) {
  spend(spec_.host.synchronise);
  if (step.stream) return wait_for_all(streams_.queue(*step.stream));
  if (step.event) {
    if (const std::optional<QueuePlace> place = streams_.recorded(*step.event)) wait_until_passed(*place);
    return;
  }
  const std::uint32_t num_streams = application_.num_streams();
  for (std::uint32_t stream = 0; stream < num_streams; ++stream) request_completion(streams_.queue(stream));
  for (std::uint32_t stream = 0; stream < num_streams; ++stream) {
    HostQueue& queue = streams_.queue(stream);
    wait_until_passed({&queue, queue.submitted});
  }
}

// The calls take the way of a launch, so they cost as much.
void HostProcess::play_step(const spec::RecordEvent& step) {
  spend(spec_.host.launch);
  submit_work(step.stream, fence_of(streams_.queue(step.stream)));
  streams_.record(step.event, step.stream);
}

void HostProcess::play_step(const spec::WaitForEvent& step) {
  spend(spec_.host.launch);
  const std::optional<QueuePlace> place = streams_.recorded(step.event);
  if (!place || place->is_passed() || place->queue == &streams_.queue(step.stream)) return;
  submit_work(step.stream, wait_for(*place));
}

// ---- submission ----------------------------------------------------------------------------------------------

void HostProcess::submit_work(std::uint32_t stream, const Command& command, const KernelDescriptor* kernel) {
  HostQueue& queue = streams_.queue(stream);
  for (const QueuePlace& place : streams_.barriers(stream)) submit(queue, wait_for(place));
  submit(queue, command, kernel);
  streams_.submitted(stream);
}

void HostProcess::submit(HostQueue& queue, Command command, const KernelDescriptor* kernel) {
  // 1. One entry of the ring is kept for the fence that asks for room.
  if (queue.submitted - queue.completed + 1 >= address_map::kRingEntries) wait_for_all(queue);
  // 2. The descriptor lies beside the command and lives as long.
  if (kernel != nullptr) {
    command.source = address_map::queue_memory(queue.id) + address_map::kDescriptors +
                     queue.submitted % address_map::kRingEntries * sizeof(KernelDescriptor);
    write_memory(command.source, kernel, sizeof(*kernel));
  }
  write_command(queue, command);
}

void HostProcess::write_command(HostQueue& queue, Command command) {
  const std::uint64_t memory = address_map::queue_memory(queue.id);
  command.context = process_;
  if (command.opcode == Opcode::kFence) command.fence_value = queue.submitted + 1;  // itself: all before it is done too
  write_memory(memory + queue.submitted % address_map::kRingEntries * sizeof(Command), &command, sizeof(command));
  ++queue.submitted;
  write_memory(address_map::kGpuRegisters + reg::kQueues + index(queue.id) * reg::kQueueStride + reg::kDoorbell,
               &queue.submitted, sizeof(queue.submitted));
}

void HostProcess::wait_for_all(HostQueue& queue) {
  request_completion(queue);
  wait_until_passed({&queue, queue.submitted});
}

// A fence behind everything submitted so far, unless all of that is known to be done.
void HostProcess::request_completion(HostQueue& queue) {
  if (queue.completed == queue.submitted) return;
  write_command(queue, fence_of(queue));
}

void HostProcess::wait_until_passed(const QueuePlace& place) {
  while (!place.is_passed()) wait(place.queue->completion);
}

void HostProcess::spend(Picoseconds time) {
  if (time > 0) wait(time_.until(time_.now() + time_.clock().cycles_in(time)));
}

void HostProcess::write_memory(std::uint64_t address, const void* data, std::uint64_t bytes) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  // A write transaction leaves its data alone.
  if (!access_bus(bus_isock, ::tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes, delay)) {
    throw std::logic_error("a command could not be written");
  }
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
