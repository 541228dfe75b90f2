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

bool RingWriter::has_room(HostQueue& queue, const Work& work) {
  const bool has_entries = queue.submitted - queue.completed + 2 <= address_map::kRingEntries;
  return has_entries && (work.graph == nullptr || queue.graphs.has_room(work.graph->bytes(), queue.completed));
}

void RingWriter::write(HostQueue& queue, const Work& work) {
  const std::uint64_t memory = address_map::queue_memory(queue.id);
  const std::uint64_t entry = queue.submitted % address_map::kRingEntries;
  Command command = work.command;
  command.context = process_;
  if (work.kernel != nullptr) {
    command.source = memory + address_map::kDescriptors + entry * sizeof(KernelDescriptor);
    gpu_.write_memory(command.source, work.kernel, sizeof(*work.kernel));
  }
  if (work.graph != nullptr) command.source = write_graph(queue, *work.graph);
  if (command.fence_address != 0) command.fence_value = queue.submitted + 1;
  gpu_.write_memory(memory + entry * sizeof(Command), &command, sizeof(command));
  ++queue.submitted;
}

std::uint64_t RingWriter::write_graph(HostQueue& queue, const GraphImage& graph) {
  const std::uint64_t address = address_map::graph_memory(queue.id) + queue.graphs.take(graph.bytes(), queue.submitted);
  const GraphHeader header{static_cast<std::uint32_t>(graph.nodes.size()),
                           static_cast<std::uint32_t>(graph.edges.size())};
  const std::uint64_t node_bytes = graph.nodes.size() * sizeof(GraphNode);
  gpu_.write_memory(address, &header, sizeof(header));
  gpu_.write_memory(address + sizeof(header), graph.nodes.data(), node_bytes);
  if (!graph.edges.empty()) {
    gpu_.write_memory(address + sizeof(header) + node_bytes, graph.edges.data(),
                      graph.edges.size() * sizeof(GraphEdgeWords));
  }
  return address;
}

void RingWriter::ring(const HostQueue& queue, std::uint64_t commands) {
  gpu_.write_register(reg::kQueues + index(queue.id) * reg::kQueueStride + reg::kDoorbell, commands);
}

}  // namespace tessera::tlm_model
