// SPDX-License-Identifier: Apache-2.0
// Sets the GPU up, serves its interrupt, and so knows how far each hardware queue has come: the part that all drivers
// share.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/gpu_port.h"
#include "tlm/driver/host_queue.h"

namespace tessera::tlm_model {

class InterruptService : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> irq_i;

  // `tick`: completions raise no interrupt, and are looked for so often; 0: they do.
  InterruptService(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu, Cycle tick = 0);

  // The queue of a process's stream. Every process has queues of its own; its streams share them in turn.
  HostQueue& queue(std::uint32_t process, std::uint32_t stream);
  std::uint32_t process_of(const HostQueue& queue) const {
    return static_cast<std::uint32_t>(index(queue.id)) / queues_per_process_;
  }
  // Blocks the calling thread until the GPU has been set up.
  void wait_until_ready();

  // Told of each queue that has come further, before those that wait for it wake; may be empty.
  std::function<void(HostQueue&)> on_completion;
  // Told once everything that a tick found has been told; must not be empty where there are ticks.
  std::function<void()> on_tick;

 private:
  void run();
  void serve_interrupts();
  void poll();
  void set_up();
  void set_partitions();
  void look_for_completions();
  void complete(HostQueue& queue);

  const spec::Spec& spec_;
  GpuPort& gpu_;
  CycleTime time_;
  Cycle tick_;
  std::uint32_t queues_per_process_;
  std::deque<HostQueue> queues_;  // by hardware queue; a deque, since events do not move
  bool is_ready_ = false;
  sc_core::sc_event ready_;
};

}  // namespace tessera::tlm_model
