// SPDX-License-Identifier: Apache-2.0
// The GPU driver: owns the hardware queues, sets the GPU up, serves its interrupt. By default it passes commands
// through: processes write rings and doorbells themselves, as user-level submission does.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "model/base/ids.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/front_end/register_map.h"

namespace tessera::tlm_model {

// A hardware queue as the host sees it.
struct HostQueue {
  QueueId id{};
  std::uint64_t submitted = 0;  // commands written to the ring
  std::uint64_t completed = 0;  // as far as interrupts have told
  sc_core::sc_event completion;
};

class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver> bus_isock;
  sc_core::sc_in<bool> irq_i;

  Driver(const sc_core::sc_module_name& name, const spec::Spec& spec);

  // The queue of a process's stream. Every process has queues of its own; its streams share them in turn.
  HostQueue& queue(std::uint32_t process, std::uint32_t stream);
  // Blocks the calling thread until the GPU has been set up.
  void wait_until_ready();

  // What the OS may change while kernels run.
  void set_priority(std::uint32_t process, std::uint32_t priority);
  void set_tokens(std::uint32_t process, std::uint32_t tokens);
  void set_deadline(std::uint32_t process, Cycle cycles);

 private:
  void run();
  void set_up();
  void serve_interrupt();
  void complete(HostQueue& queue);
  void write_register(std::uint64_t offset, std::uint64_t value);
  std::uint64_t read_register(std::uint64_t offset);

  const spec::Spec& spec_;
  CycleTime time_;
  std::uint32_t queues_per_process_;
  std::deque<HostQueue> queues_;  // by hardware queue; a deque, since events do not move
  bool is_ready_ = false;
  sc_core::sc_event ready_;
};

}  // namespace tessera::tlm_model
