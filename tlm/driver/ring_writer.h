// SPDX-License-Identifier: Apache-2.0
// Writes a process's commands into the rings of its hardware queues, and rings their doorbells.
#pragma once

#include <cstdint>

#include "tlm/driver/gpu_port.h"
#include "tlm/driver/host_queue.h"
#include "tlm/driver/work.h"

namespace tessera::tlm_model {

// A fence that reports the queue's progress to the host.
Command fence_of(const HostQueue& queue);
// A command that holds its queue until another queue has reached that place.
Command wait_for(const QueuePlace& place);

class RingWriter {
 public:
  RingWriter(GpuPort& gpu, std::uint32_t process) : gpu_(gpu), process_(process) {}

  // True if there is room for this work and one more entry.
  static bool has_room(HostQueue& queue, const Work& work);
  // A command with a fence address gets its own number as the fence value, which implies that all earlier commands are
  // done. A launch's descriptor has the index of its command, a graph is in the memory of its queue; both live as long
  // as the command.
  void write(HostQueue& queue, const Work& work);
  // Rings the doorbell: everything written so far may be fetched.
  void ring(const HostQueue& queue) { ring(queue, queue.submitted); }
  // The same up to a place.
  void ring(const QueuePlace& place) { ring(*place.queue, place.commands); }

 private:
  void ring(const HostQueue& queue, std::uint64_t commands);
  std::uint64_t write_graph(HostQueue& queue, const GraphImage& graph);

  GpuPort& gpu_;
  std::uint32_t process_;
};

}  // namespace tessera::tlm_model
