// SPDX-License-Identifier: Apache-2.0
// TimeGraph's calls: a group is written when it comes, and its doorbell rung when the driver will have it.
#include <vector>

#include "model/spec/spec.h"
#include "tlm/driver/timegraph.h"

namespace tessera::tlm_model {

namespace cs = command_scheduling;

namespace {

void wait_until_all_passed(const std::vector<QueuePlace>& places) {
  for (const QueuePlace& place : places) wait_until_passed(place);
}

}  // namespace

void TimegraphDriver::open(std::uint32_t process) {
  interrupts_.wait_until_ready();
  gpu_.set_priority(process, plan_.tasks[process].parameters.priority);
}

void TimegraphDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) {
  Task& task = tasks_[process];
  HostQueue& queue = task.streams.queue(stream);
  // 1. Behind what the stream's next work waits for.
  for (const QueuePlace& place : task.streams.take_waits(stream)) write(task, queue, {wait_for(place)});
  // 2. The work, the last of a group with its notifier.
  note_shape(task, spec_.processes[process].application, work);
  Work flagged = work;
  const Command notifier = fence_of(queue);
  const bool is_flagged = ends_group && spec_.driver.notifier == spec::Notifier::kFlag;
  if (is_flagged) {
    flagged.command.flags |= notifier.flags;
    flagged.command.fence_address = notifier.fence_address;
  }
  write(task, queue, flagged);
  if (ends_group && !is_flagged) write(task, queue, {notifier});
  task.streams.submitted(stream);
  if (!ends_group) return;
  // 3. The GPU hears of it when the driver will have it.
  task.written = {&queue, queue.submitted};
  sleep_until_granted(process);
  task.writer.ring(queue);
}

// A graph is one command, known by those of its nodes.
void TimegraphDriver::note_shape(Task& task, std::uint32_t application, const Work& work) {
  if (work.graph == nullptr) return note_command(task, application, work.command, work.kernel);
  for (const GraphNode& node : work.graph->nodes) {
    const bool is_launch = node.command.opcode == Opcode::kLaunch;
    note_command(task, application, node.command, is_launch ? &node.kernel : nullptr);
  }
}

void TimegraphDriver::note_command(Task& task, std::uint32_t application, const Command& command,
                                   const KernelDescriptor* kernel) {
  if (kernel != nullptr) {
    task.engines |= cs::kComputeEngine;
    task.key.push_back((application + std::uint64_t{1}) << 32 | kernel->kernel);
    task.key.push_back(kernel->num_tbs);
  } else {
    task.engines |= cs::kCopyEngine;
    task.key.push_back(command.direction);
    task.key.push_back(command.bytes);
  }
}

// One entry of the ring is kept for the notifier.
void TimegraphDriver::write(Task& task, HostQueue& queue, const Work& work) {
  while (!RingWriter::has_room(queue, work)) sc_core::wait(queue.completion);
  task.writer.write(queue, work);
}

void TimegraphDriver::sleep_until_granted(std::uint32_t process) {
  arrivals_.push_back({time_.now(), process});
  if (!has_ticks_) invoke_at(time_.now() + 1);
  sc_core::wait(tasks_[process].granted);
}

// No command of its own asks how far the GPU has come: every group's completion is told.
void TimegraphDriver::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  const HeldStreams& streams = tasks_[process].streams;
  if (stream) return wait_until_all_passed(streams.all_of(*stream));
  for (std::uint32_t i = 0; i < streams.size(); ++i) wait_until_all_passed(streams.all_of(i));
}

void TimegraphDriver::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  tasks_[process].streams.record(event, stream);
}

void TimegraphDriver::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  tasks_[process].streams.await(event, stream);
}

void TimegraphDriver::synchronise_event(std::uint32_t process, std::uint32_t event) {
  wait_until_all_passed(tasks_[process].streams.recorded(event));
}

}  // namespace tessera::tlm_model
