// SPDX-License-Identifier: Apache-2.0
// Writes a process's commands into the rings of its hardware queues, and rings their doorbells.
#pragma once

#include <cstdint>

#include "tlm/driver/gpu_port.h"
#include "tlm/driver/host_queue.h"
#include "tlm/front_end/command_format.h"

namespace tessera::tlm_model {

// Tells the host how far the queue has come.
Command fence_of(const HostQueue& queue);
// Holds a queue until another has come to that place.
Command wait_for(const QueuePlace& place);

class RingWriter {
 public:
  RingWriter(GpuPort& gpu, std::uint32_t process) : gpu_(gpu), process_(process) {}

  // Are there so many free entries?
  static bool has_room(const HostQueue& queue, std::uint64_t entries);
  // A command that has a fence address is given its own number as the value: all before it is done too. `kernel`: of a
  // launch; the descriptor lies beside the command and lives as long.
  void write(HostQueue& queue, Command command, const KernelDescriptor* kernel = nullptr);
  // Everything that is written may be fetched.
  void ring(const HostQueue& queue);

 private:
  GpuPort& gpu_;
  std::uint32_t process_;
};

}  // namespace tessera::tlm_model
