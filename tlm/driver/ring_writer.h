// SPDX-License-Identifier: Apache-2.0
// Writes a process's commands into the rings of its hardware queues, and rings their doorbells.
#pragma once

#include <cstdint>

#include "tlm/driver/gpu_port.h"
#include "tlm/driver/host_queue.h"
#include "tlm/driver/work.h"

namespace tessera::tlm_model {

// Tells the host how far the queue has come.
Command fence_of(const HostQueue& queue);
// Holds a queue until another has come to that place.
Command wait_for(const QueuePlace& place);

class RingWriter {
 public:
  RingWriter(GpuPort& gpu, std::uint32_t process) : gpu_(gpu), process_(process) {}

  // Is there room for this work, and a free entry behind it?
  static bool has_room(HostQueue& queue, const Work& work);
  // A command that has a fence address is given its own number as the value: all before it is done too. A launch's
  // descriptor lies beside the command, a graph in memory of its queue, and they live as long.
  void write(HostQueue& queue, const Work& work);
  // Everything that is written may be fetched.
  void ring(const HostQueue& queue);

 private:
  std::uint64_t write_graph(HostQueue& queue, const GraphImage& graph);

  GpuPort& gpu_;
  std::uint32_t process_;
};

}  // namespace tessera::tlm_model
