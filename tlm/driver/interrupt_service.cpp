// SPDX-License-Identifier: Apache-2.0
// Set-up of the GPU, interrupt service, and polling in its place.
#include "tlm/driver/interrupt_service.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/launch_priorities.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/driver/address_map.h"

namespace tessera::tlm_model {

InterruptService::InterruptService(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu,
                                   HostThreads& threads, Cycle tick)
    : sc_module(name),
      irq_i("irq_i"),
      spec_(spec),
      gpu_(gpu),
      threads_(threads),
      time_(spec.gpu.clock_hz),
      tick_(tick),
      queues_per_process_(spec.gpu.num_hardware_queues / static_cast<std::uint32_t>(spec.processes.size())) {
  if (queues_per_process_ == 0) throw std::invalid_argument("more processes than hardware queues");
  for (std::uint32_t i = 0; i < spec.gpu.num_hardware_queues; ++i) {
    HostQueue& queue = queues_.emplace_back();
    queue.id = QueueId(i);
    if (process_of(queue) < spec.processes.size()) queue.thread = &threads.of(process_of(queue));
  }
  SC_HAS_PROCESS(InterruptService);
  SC_THREAD(run);
}

HostQueue& InterruptService::queue(std::uint32_t process, std::uint32_t stream) {
  return queues_[process * queues_per_process_ + stream % queues_per_process_];
}

void InterruptService::wait_until_ready() {
  while (!is_ready_) wait(ready_);
}

void InterruptService::run() {
  set_up();
  is_ready_ = true;
  ready_.notify(sc_core::SC_ZERO_TIME);
  if (tick_ > 0) {
    poll();
  } else {
    serve_interrupts();
  }
}

void InterruptService::serve_interrupts() {
  for (;;) {
    while (!irq_i.read()) wait(irq_i.posedge_event());
    // The register reads of the handler are part of this latency.
    const Cycle served = time_.now() + std::max<Cycle>(1, time_.clock().cycles_in(spec_.host.interrupt));
    wait(time_.until(served));
    look_for_completions();
    wait(time_.until(time_.now() + 1));
  }
}

void InterruptService::poll() {
  for (Cycle tick = tick_;; tick += tick_) {
    wait(time_.until(tick));
    look_for_completions();
    on_tick();
  }
}

void InterruptService::set_up() {
  for (const HostQueue& queue : queues_) {
    const std::uint64_t registers = reg::kQueues + index(queue.id) * reg::kQueueStride;
    gpu_.write_register(registers + reg::kBase, address_map::queue_memory(queue.id));
    gpu_.write_register(registers + reg::kEntries, address_map::kRingEntries);
  }
  const spec::LaunchPriorities priorities(spec_);
  for (std::uint32_t process = 0; process < spec_.processes.size(); ++process) {
    gpu_.set_priority(process, priorities.of_process(process));
    gpu_.set_deadline(process, spec::deadline_cycles(spec_.processes[process], time_.clock()));
    // A page table of its own for each context: its address stands for it.
    gpu_.set_page_table(process, (process + 1ULL) << 21);
    const spec::SliceEnd slice_end = spec_.processes[process].slice_end;
    if (slice_end != spec::SliceEnd::kTechnique) gpu_.set_slice_end(process, slice_end);
  }
  if (spec::is_partitioned(spec_.scheduler)) set_partitions();
  const std::uint64_t completion = tick_ > 0 ? 0 : reg::kInterruptCompletion;
  gpu_.write_register(reg::kInterruptEnable, completion | reg::kInterruptError);
  gpu_.write_register(reg::kControl, 1);
}

void InterruptService::set_partitions() {
  const std::vector<std::uint32_t> partitions = spec::partition_of_sms(spec_);
  for (std::uint32_t sm = 0; sm < partitions.size(); ++sm) gpu_.set_sm_partition(sm, partitions[sm]);
  if (spec::has_masks(spec_)) {
    const std::vector<SmSet> masks = spec::sms_of_partitions(spec_);
    for (std::uint32_t id = 0; id < masks.size(); ++id) gpu_.set_mask(id, masks[id]);
  }
  for (std::uint32_t process = 0; process < spec_.processes.size(); ++process) {
    gpu_.set_partition(process, spec_.processes[process].partition);
  }
}

void InterruptService::look_for_completions() {
  if (const std::uint64_t error = gpu_.read_register(reg::kError); error != 0) {
    throw std::logic_error("the GPU refused a command of ours, error " + std::to_string(error & 0xFF));
  }
  const std::uint64_t words = (queues_.size() + 63) / 64;
  for (std::uint64_t word = 0; word < words; ++word) {
    const std::uint64_t bits = gpu_.read_register(reg::kCompletion + 8 * word);
    if (bits == 0) continue;
    gpu_.write_register(reg::kCompletion + 8 * word, bits);
    for (std::uint64_t left = bits; left != 0; left &= left - 1) {
      complete(queues_[word * 64 + static_cast<unsigned>(__builtin_ctzll(left))]);
    }
  }
}

void InterruptService::note_write(std::uint64_t address) {
  const std::uint64_t id = (address - address_map::kSystemMemory) / address_map::kQueueBytes;
  if (id >= queues_.size() || address != address_map::queue_memory(queues_[id].id) + address_map::kFence) return;
  HostQueue& queue = queues_[id];
  queue.written = gpu_.read_memory(address);
  queue.fence_written.notify(sc_core::SC_ZERO_TIME);
}

void InterruptService::complete(HostQueue& queue) {
  queue.completed = gpu_.read_memory(address_map::queue_memory(queue.id) + address_map::kFence);
  if (on_completion) on_completion(queue);
  queue.completion.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace tessera::tlm_model
