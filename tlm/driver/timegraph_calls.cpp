// SPDX-License-Identifier: Apache-2.0
// TimeGraph's calls: a group is written when it comes, and its doorbell rung when the driver will have it.
#include "model/spec/spec.h"
#include "tlm/driver/timegraph.h"

namespace tessera::tlm_model {

namespace cs = command_scheduling;

void TimegraphDriver::open(std::uint32_t process) {
  interrupts_.wait_until_ready();
  gpu_.set_priority(process, plan_.tasks[process].parameters.priority);
}

void TimegraphDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) {
  Task& task = tasks_[process];
  HostQueue& queue = task.streams.queue(stream);
  // 1. The work behind what it waits for, the last of a group with its notifier.
  note_shape(task, spec_.processes[process].application, work);
  const bool is_flagged = ends_group && spec_.driver.notifier == spec::Notifier::kFlag;
  write_behind_waits(task.writer, task.streams, stream, work, is_flagged);
  if (ends_group && !is_flagged) write(task.writer, queue, {fence_of(queue)});
  task.streams.submitted(stream);
  if (!ends_group) return;
  // 2. The GPU hears of it when the driver will have it.
  task.written = {&queue, queue.submitted};
  ring_when_granted(process, queue);
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

// Whatever the decision, and whoever has its core by then: the driver's code rings the doorbell.
void TimegraphDriver::ring_when_granted(std::uint32_t process, const HostQueue& queue) {
  Task& task = tasks_[process];
  task.doorbell = kNever;
  arrivals_.push_back({time_.now(), process});
  if (!has_ticks_) invoke_at(time_.now() + 1);
  const auto is_granted = [&] { return task.doorbell <= time_.now(); };
  interrupts_.thread(process).call_driver(has_ticks_ ? 0 : arrival_cost(process), task.granted, is_granted,
                                          [&] { task.writer.ring(queue); });
}

}  // namespace tessera::tlm_model
