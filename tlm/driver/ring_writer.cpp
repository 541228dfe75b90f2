// SPDX-License-Identifier: Apache-2.0
// The layout of rings in system memory: address_map.h.
#include "tlm/driver/ring_writer.h"

#include "tlm/driver/address_map.h"

namespace tessera::tlm_model {

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

bool RingWriter::has_room(const HostQueue& queue, std::uint64_t entries) {
  return queue.submitted - queue.completed + entries <= address_map::kRingEntries;
}

void RingWriter::write(HostQueue& queue, Command command, const KernelDescriptor* kernel) {
  const std::uint64_t memory = address_map::queue_memory(queue.id);
  const std::uint64_t entry = queue.submitted % address_map::kRingEntries;
  command.context = process_;
  if (kernel != nullptr) {
    command.source = memory + address_map::kDescriptors + entry * sizeof(KernelDescriptor);
    gpu_.write_memory(command.source, kernel, sizeof(*kernel));
  }
  if (command.fence_address != 0) command.fence_value = queue.submitted + 1;
  gpu_.write_memory(memory + entry * sizeof(Command), &command, sizeof(command));
  ++queue.submitted;
}

void RingWriter::ring(const HostQueue& queue) {
  gpu_.write_register(reg::kQueues + index(queue.id) * reg::kQueueStride + reg::kDoorbell, queue.submitted);
}

}  // namespace tessera::tlm_model
