// SPDX-License-Identifier: Apache-2.0
// A virtual platform in small around a Gpu: a host that is not our driver, and a system memory that may take its
// time. A cycle is a nanosecond; all latencies differ.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/record/memory_sink.h"
#include "tests/tlm/core_bench.h"
#include "tests/tlm/test_initiator.h"
#include "tlm/gpu/gpu.h"

namespace tessera::tlm_model::test {

// Four hardware queues, a link of 100 cycles and 8 bytes a cycle, bursts of 64 bytes.
inline spec::Spec small_gpu(std::uint32_t num_sms, std::uint32_t num_contexts) {
  spec::Spec spec = tiny_machine(num_sms, num_contexts);
  spec.gpu.num_hardware_queues = 4;
  spec.gpu.pcie.clock_hz = spec.gpu.clock_hz;
  spec.gpu.pcie.num_lanes = 16;
  spec.gpu.pcie.burst_bytes = 64;
  spec.gpu.pcie.latency = 100'000;
  spec.gpu.framework.dispatch_cycles = 7;
  return spec;
}

// The core of a GPU whose engine is the usual one.
inline ExecutionCore& core_of(Gpu& gpu) { return dynamic_cast<ExecutionCore&>(gpu.execution_engine().core()); }

// The two ways in which a memory may say how long an access takes.
enum class Timing { kWaits, kAnnotates };

class SystemMemory : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kSize = 0x100000;
  tlm_utils::simple_target_socket<SystemMemory> bus_tsock;

  SystemMemory(const sc_core::sc_module_name& name, const sc_core::sc_time& time, Timing timing)
      : sc_module(name), bus_tsock("bus_tsock"), time_(time), timing_(timing) {
    bus_tsock.register_b_transport(this, &SystemMemory::b_transport);
    bus_tsock.register_transport_dbg(this, &SystemMemory::transport_dbg);
  }

  PagedMemory bytes;

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& trans) {
    bytes.read(trans.get_address(), trans.get_data_ptr(), trans.get_data_length());
    return trans.get_data_length();
  }
  void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    if (timing_ == Timing::kAnnotates) delay += time_;
    if (timing_ == Timing::kWaits && time_ != sc_core::SC_ZERO_TIME) sc_core::wait(time_);
    if (!accept_access(trans, {kSize, 1, 1, false, false})) return;
    if (trans.is_read()) {
      bytes.read(trans.get_address(), trans.get_data_ptr(), trans.get_data_length());
    } else {
      bytes.write(trans.get_address(), trans.get_data_ptr(), trans.get_data_length());
    }
  }

  sc_core::sc_time time_;
  Timing timing_;
};

inline KernelDescriptor small_kernel(std::uint32_t num_tbs, Cycle cycles, std::uint32_t process = 0) {
  KernelDescriptor kernel;
  kernel.num_tbs = num_tbs;
  kernel.regs_per_tb = 64;
  kernel.threads_per_tb = kMaxThreadsPerSm;  // one TB an SM
  kernel.mean_tb_cycles = cycles;
  kernel.process = process;
  return kernel;
}

// Sees what the GPU sends to its engine, in the order of sending.
class TappedEngine final : public IExecutionEngine {
 public:
  TappedEngine(std::unique_ptr<IExecutionEngine> engine, std::vector<EngineMessage>& sent)
      : engine_(std::move(engine)), sent_(sent) {}

  void send(const EngineMessage& message) override {
    sent_.push_back(message);
    engine_->send(message);
  }
  void set_end(Cycle end) override { engine_->set_end(end); }
  void finish(Cycle end) override { engine_->finish(end); }
  IExecutionCore& core() override { return engine_->core(); }

 private:
  std::unique_ptr<IExecutionEngine> engine_;
  std::vector<EngineMessage>& sent_;
};

class GpuBench : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kRingEntries = 16;

  GpuBench(const sc_core::sc_module_name& name, const spec::Spec& spec,
           ExecutionEngine::Pace pace = ExecutionEngine::Pace::kRunAhead,
           const sc_core::sc_time& memory_time = sc_core::SC_ZERO_TIME, Timing timing = Timing::kWaits)
      : sc_module(name),
        spec_(spec),
        pcie_(spec.gpu),
        system_memory("system_memory", memory_time, timing),
        gpu("gpu", spec_, log_, [&](IEngineListener& listener) { return make_engine(pace, listener); }) {
    log_.add_sink(&sink_);
    registers.bus_isock.bind(gpu.front_end().registers_tsock);
    device.bus_isock.bind(gpu.device_memory().bus_tsock);
    gpu.front_end().system_memory_isock.bind(system_memory.bus_tsock);
    gpu.front_end().irq_o.bind(irq);
  }

  // ---- registers
  tlm::tlm_response_status write(std::uint64_t offset, std::uint64_t value) {
    Bytes bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return registers.write(offset, bytes);
  }
  tlm::tlm_response_status write_half(std::uint64_t offset, std::uint32_t value) {
    Bytes bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return registers.write(offset, bytes);
  }
  std::uint64_t read(std::uint64_t offset) {
    const Bytes bytes = registers.read(offset, sizeof(std::uint64_t));
    std::uint64_t value = 0;
    if (bytes.size() != sizeof(value)) return ~value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  static std::uint64_t context(std::uint32_t id, std::uint64_t word) {
    return reg::kContexts + id * reg::kContextStride + word;
  }
  static std::uint64_t queue(std::uint32_t id, std::uint64_t word) {
    return reg::kQueues + id * reg::kQueueStride + word;
  }

  // ---- a host
  void set_up(std::uint64_t entries = kRingEntries) {
    entries_ = entries;
    for (std::uint32_t i = 0; i < spec_.gpu.num_hardware_queues; ++i) {
      write(queue(i, reg::kBase), ring_address(i));
      write(queue(i, reg::kEntries), entries);
    }
    write(reg::kInterruptEnable, reg::kInterruptCompletion | reg::kInterruptError);
    write(reg::kControl, 1);
  }
  // Into the ring, with a fence that counts the queue's commands; the doorbell is another matter.
  void enqueue(std::uint32_t queue_id, Command command) {
    const std::uint64_t slot = submitted_[queue_id]++ % entries_;
    if (command.fence_address == 0) command.fence_address = fence_address(queue_id);
    command.fence_value = submitted_[queue_id];
    system_memory.bytes.write(ring_address(queue_id) + slot * sizeof(command),
                              reinterpret_cast<const std::uint8_t*>(&command), sizeof(command));
  }
  void ring(std::uint32_t queue_id) { write(queue(queue_id, reg::kDoorbell), submitted_[queue_id]); }
  void submit(std::uint32_t queue_id, const Command& command) {
    enqueue(queue_id, command);
    ring(queue_id);
  }
  void submit(std::uint32_t queue_id, const KernelDescriptor& kernel, std::uint32_t flags = kInterruptWhenDone) {
    Command command;
    command.opcode = Opcode::kLaunch;
    command.flags = flags;
    command.context = kernel.process;
    command.source = ring_address(queue_id) + kDescriptors + submitted_[queue_id] % entries_ * sizeof(kernel);
    system_memory.bytes.write(command.source, reinterpret_cast<const std::uint8_t*>(&kernel), sizeof(kernel));
    submit(queue_id, command);
  }
  static Command fence_command() {
    Command command;
    command.flags = kInterruptWhenDone;
    return command;
  }
  std::uint64_t fence(std::uint32_t queue_id) const {
    std::uint64_t value = 0;
    system_memory.bytes.read(fence_address(queue_id), reinterpret_cast<std::uint8_t*>(&value), sizeof(value));
    return value;
  }
  // Serves interrupts, as the register map's rules have it, until `count` commands of the queue are done.
  void wait_for(std::uint32_t queue_id, std::uint64_t count) {
    while (fence(queue_id) < count) {
      if (!irq.read()) sc_core::wait(irq.posedge_event());
      write(reg::kCompletion, read(reg::kCompletion));
      if (irq.read() && fence(queue_id) < count) wait_cycles(1);
    }
  }
  static void wait_cycles(std::uint64_t count) { sc_core::wait(static_cast<double>(count), sc_core::SC_NS); }
  static Cycle now() { return sc_core::sc_time_stamp().value() / 1000; }

  // ---- what the engine was sent
  const std::vector<EngineMessage>& sent() const { return sent_; }

  // ---- the log
  // The GPU has no host of ours to end its log.
  void finish(Cycle end) {
    gpu.execution_engine().finish(end);
    log_.finish(end);
  }
  const std::vector<record::Record>& records() const { return sink_.records(); }
  std::vector<record::Record> records(record::Kind kind) const {
    std::vector<record::Record> found;
    for (const record::Record& record : sink_.records()) {
      if (record.kind == kind) found.push_back(record);
    }
    return found;
  }

  const PcieLink& link() const { return pcie_; }
  Cycle dispatch() const { return spec_.gpu.framework.dispatch_cycles; }
  // From the doorbell's write to the dispatcher's look: doorbell, command, and what the command points to.
  Cycle fetch(std::uint64_t reads) const { return pcie_.one_way() + reads * pcie_.round_trip() + dispatch(); }

  static std::uint64_t ring_address(std::uint32_t queue_id) { return queue_id * kQueueBytes; }
  static std::uint64_t fence_address(std::uint32_t queue_id) { return ring_address(queue_id) + kFence; }

 private:
  static constexpr std::uint64_t kQueueBytes = 0x10000;
  static constexpr std::uint64_t kDescriptors = 0x4000;
  static constexpr std::uint64_t kFence = 0x8000;

  std::unique_ptr<IExecutionEngine> make_engine(ExecutionEngine::Pace pace, IEngineListener& listener) {
    auto core = std::make_unique<ExecutionCore>(spec_, log_, &gpu.device_bytes());
    return std::make_unique<TappedEngine>(
        std::make_unique<ExecutionEngine>("u_execution_engine", spec_.gpu.clock_hz, std::move(core), pace, listener),
        sent_);
  }

  spec::Spec spec_;
  std::vector<EngineMessage> sent_;
  PcieLink pcie_;
  record::RecordLog log_;
  record::MemorySink sink_;
  std::uint64_t entries_ = kRingEntries;
  std::map<std::uint32_t, std::uint64_t> submitted_;

 public:
  SystemMemory system_memory;
  Gpu gpu;
  TestInitiator registers{"registers"};
  TestInitiator device{"device"};
  sc_core::sc_signal<bool> irq{"irq"};
};

inline Command copy_command(std::uint64_t source, std::uint64_t destination, std::uint64_t bytes, bool is_to_host) {
  Command command;
  command.opcode = Opcode::kCopy;
  command.flags = kInterruptWhenDone;
  command.source = source;
  command.destination = destination;
  command.bytes = bytes;
  command.direction = is_to_host ? 1 : 0;
  return command;
}

}  // namespace tessera::tlm_model::test
