// SPDX-License-Identifier: Apache-2.0
// Sets the GPU up, serves its interrupt, and tracks the progress of each hardware queue. Shared by all drivers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/gpu_port.h"
#include "tlm/driver/host_queue.h"
#include "tlm/host/host_threads.h"

namespace tessera::tlm_model {

class InterruptService : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> irq_i;

  // `tick`: period in cycles at which completions are polled instead of raising interrupts; 0: they raise interrupts.
  InterruptService(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu, HostThreads& threads,
                   Cycle tick = 0);

  // The thread of a process, for a driver that makes it wait or uses its CPU time.
  HostThread& thread(std::uint32_t process) { return threads_.of(process); }

  // The queue of a process's stream. Every process has its own queues, to which its streams are assigned round robin.
  HostQueue& queue(std::uint32_t process, std::uint32_t stream);
  std::uint32_t process_of(const HostQueue& queue) const {
    return static_cast<std::uint32_t>(index(queue.id)) / queues_per_process_;
  }
  // Blocks the calling thread until the GPU has been set up.
  void wait_until_ready();
  // Something was written to this bus address; call while processes spin, which read fences themselves.
  void note_write(std::uint64_t address);

  // Called for each queue that has made progress, before its waiters wake; may be empty.
  std::function<void(HostQueue&)> on_completion;
  // Called after on_completion for everything that a tick found; must be set if there are ticks.
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
  HostThreads& threads_;
  CycleTime time_;
  Cycle tick_;
  std::uint32_t queues_per_process_;
  std::deque<HostQueue> queues_;  // by hardware queue; a deque, since events do not move
  bool is_ready_ = false;
  sc_core::sc_event ready_;
};

}  // namespace tessera::tlm_model
