// SPDX-License-Identifier: Apache-2.0
// A hardware queue as the host sees it, and a place in it.
#pragma once

#include <cstdint>
#include <systemc>

#include "model/base/ids.h"
#include "tlm/driver/graph_memory.h"

namespace tessera::tlm_model {

struct HostQueue {
  QueueId id{};
  std::uint64_t submitted = 0;  // commands written to the ring
  std::uint64_t completed = 0;  // as known from interrupts
  GraphMemory graphs;
  sc_core::sc_event completion;
};

// The place after the first `commands` commands of a hardware queue.
struct QueuePlace {
  HostQueue* queue = nullptr;
  std::uint64_t commands = 0;
  bool is_passed() const { return queue->completed >= commands; }  // as known from interrupts
};

// Blocks the calling thread until the place has been passed.
inline void wait_until_passed(const QueuePlace& place) {
  while (!place.is_passed()) sc_core::wait(place.queue->completion);
}

}  // namespace tessera::tlm_model
