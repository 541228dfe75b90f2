// SPDX-License-Identifier: Apache-2.0
// A hardware queue as the host sees it, and a place in it.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "model/base/ids.h"
#include "tlm/driver/graph_memory.h"

namespace tessera::tlm_model {

class HostThread;

struct HostQueue {
  QueueId id{};
  HostThread* thread = nullptr;  // that waits for its commands; null: none that competes for the host's cores
  std::uint64_t submitted = 0;   // commands written to the ring
  std::uint64_t completed = 0;   // as known from interrupts
  std::uint64_t written = 0;     // as its fence says, for who reads that: while processes spin
  GraphMemory graphs;
  sc_core::sc_event completion;
  sc_core::sc_event fence_written;
};

// The place after the first `commands` commands of a hardware queue.
struct QueuePlace {
  HostQueue* queue = nullptr;
  std::uint64_t commands = 0;
  bool is_passed() const { return queue->completed >= commands; }  // as known from interrupts
};

// Blocks the calling thread, that of the queues, until the places have been passed; on a host with cores asleep or
// holding its core.
void wait_until_passed(const QueuePlace& place);
void wait_until_all_passed(const std::vector<QueuePlace>& places);

}  // namespace tessera::tlm_model
