// SPDX-License-Identifier: Apache-2.0
// Set-up of the GPU and interrupt service.
#include "tlm/host/driver.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/spec.h"
#include "tlm/base/bus_access.h"
#include "tlm/host/address_map.h"

namespace tessera::tlm_model {

Driver::Driver(const sc_core::sc_module_name& name, const spec::Spec& spec)
    : sc_module(name),
      bus_isock("bus_isock"),
      irq_i("irq_i"),
      spec_(spec),
      time_(spec.gpu.clock_hz),
      queues_per_process_(spec.gpu.num_hardware_queues / static_cast<std::uint32_t>(spec.processes.size())) {
  if (queues_per_process_ == 0) throw std::invalid_argument("more processes than hardware queues");
  for (std::uint32_t i = 0; i < spec.gpu.num_hardware_queues; ++i) queues_.emplace_back().id = QueueId(i);
  SC_HAS_PROCESS(Driver);
  SC_THREAD(run);
}

HostQueue& Driver::queue(std::uint32_t process, std::uint32_t stream) {
  return queues_[process * queues_per_process_ + stream % queues_per_process_];
}

void Driver::wait_until_ready() {
  while (!is_ready_) wait(ready_);
}

void Driver::set_priority(std::uint32_t process, std::uint32_t priority) {
  write_register(reg::kContexts + process * reg::kContextStride + reg::kPriority, priority);
}

void Driver::set_tokens(std::uint32_t process, std::uint32_t tokens) {
  write_register(reg::kContexts + process * reg::kContextStride + reg::kTokens, tokens);
}

void Driver::set_deadline(std::uint32_t process, Cycle cycles) {
  write_register(reg::kContexts + process * reg::kContextStride + reg::kDeadline, cycles);
}

void Driver::run() {
  set_up();
  is_ready_ = true;
  ready_.notify(sc_core::SC_ZERO_TIME);
  for (;;) {
    while (!irq_i.read()) wait(irq_i.posedge_event());
    // The register reads of the handler are part of this latency.
    const Cycle served = time_.now() + std::max<Cycle>(1, time_.clock().cycles_in(spec_.host.interrupt));
    wait(time_.until(served));
    serve_interrupt();
    wait(time_.until(time_.now() + 1));
  }
}

void Driver::set_up() {
  for (const HostQueue& queue : queues_) {
    const std::uint64_t registers = reg::kQueues + index(queue.id) * reg::kQueueStride;
    write_register(registers + reg::kBase, address_map::queue_memory(queue.id));
    write_register(registers + reg::kEntries, address_map::kRingEntries);
  }
  for (std::uint32_t process = 0; process < spec_.processes.size(); ++process) {
    set_priority(process, spec_.processes[process].priority);
    set_deadline(process, spec::deadline_cycles(spec_.processes[process], time_.clock()));
    // A page table of its own for each context: its address stands for it.
    write_register(reg::kContexts + process * reg::kContextStride + reg::kPageTable, (process + 1ULL) << 21);
  }
  write_register(reg::kInterruptEnable, reg::kInterruptCompletion | reg::kInterruptError);
  write_register(reg::kControl, 1);
}

void Driver::serve_interrupt() {
  if (const std::uint64_t error = read_register(reg::kError); error != 0) {
    throw std::logic_error("the GPU refused a command of ours, error " + std::to_string(error & 0xFF));
  }
  const std::uint64_t words = (queues_.size() + 63) / 64;
  for (std::uint64_t word = 0; word < words; ++word) {
    const std::uint64_t bits = read_register(reg::kCompletion + 8 * word);
    if (bits == 0) continue;
    write_register(reg::kCompletion + 8 * word, bits);
    for (std::uint64_t left = bits; left != 0; left &= left - 1) {
      complete(queues_[word * 64 + static_cast<unsigned>(__builtin_ctzll(left))]);
    }
  }
}

void Driver::complete(HostQueue& queue) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const std::uint64_t fence = address_map::queue_memory(queue.id) + address_map::kFence;
  if (!access_bus(bus_isock, ::tlm::TLM_READ_COMMAND, fence, &queue.completed, sizeof(queue.completed), delay)) {
    throw std::logic_error("no fence in system memory");
  }
  queue.completion.notify(sc_core::SC_ZERO_TIME);
}

void Driver::write_register(std::uint64_t offset, std::uint64_t value) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (!access_bus(bus_isock, ::tlm::TLM_WRITE_COMMAND, address_map::kGpuRegisters + offset, &value, sizeof(value),
                  delay)) {
    throw std::logic_error("the GPU refused a register write");
  }
}

std::uint64_t Driver::read_register(std::uint64_t offset) {
  std::uint64_t value = 0;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (!access_bus(bus_isock, ::tlm::TLM_READ_COMMAND, address_map::kGpuRegisters + offset, &value, sizeof(value),
                  delay)) {
    throw std::logic_error("the GPU refused a register read");
  }
  return value;
}

}  // namespace tessera::tlm_model
