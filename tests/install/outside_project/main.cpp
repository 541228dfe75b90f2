// SPDX-License-Identifier: Apache-2.0
// A virtual platform outside of tessera: its own memory, its own host, and the GPU between them. The host copies data
// and launches a kernel through a ring and a doorbell, waits for the interrupt, and reads fence and device memory.
// outside GPU.yaml: exit status 0 if all came as it should, 2 if the file is wrong.
#include <tessera/gpu.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <systemc>
#include <tlm>
#include <vector>

namespace {

namespace reg = tessera::tlm_model::reg;
using tessera::tlm_model::Command;
using tessera::tlm_model::KernelDescriptor;
using tessera::tlm_model::Opcode;

constexpr std::uint32_t kNumTbs = 100;

// A memory that takes 50 ns an access, by waiting.
class SystemMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<SystemMemory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x1000);

  explicit SystemMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &SystemMemory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    wait(50, sc_core::SC_NS);
    if (payload.get_address() > bytes.size() || payload.get_data_length() > bytes.size() - payload.get_address()) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    std::uint8_t* here = bytes.data() + payload.get_address();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, payload.get_data_length());
    if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> registers;
  tlm_utils::simple_initiator_socket<Host> device_memory;
  sc_core::sc_in<bool> irq;
  bool is_done = false;

  Host(const sc_core::sc_module_name& name, SystemMemory& memory)
      : sc_module(name), registers("registers"), device_memory("device_memory"), irq("irq"), memory_(memory) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }

 private:
  static constexpr std::uint64_t kRing = 0;  // where things lie in system memory
  static constexpr std::uint64_t kDescriptor = 0x800;
  static constexpr std::uint64_t kFence = 0x900;
  static constexpr std::uint64_t kData = 0xA00;
  static constexpr std::uint64_t kDeviceData = 0x10000;  // and in device memory
  static constexpr std::uint64_t kDataValue = 0x0123456789ABCDEF;

  void run() {
    set_up();
    store(kData, kDataValue);
    store(kDescriptor, kernel());
    submit(copy());
    submit(launch());
    wait(irq.posedge_event());
    check();
  }

  // A ring of 16 commands, and the interrupt.
  void set_up() {
    write(reg::kQueues + reg::kBase, kRing);
    write(reg::kQueues + reg::kEntries, 16);
    write(reg::kInterruptEnable, reg::kInterruptCompletion | reg::kInterruptError);
    write(reg::kControl, 1);
  }

  static KernelDescriptor kernel() {
    KernelDescriptor kernel;
    kernel.num_tbs = kNumTbs;
    kernel.regs_per_tb = 4096;
    kernel.threads_per_tb = 256;
    kernel.mean_tb_cycles = 5000;
    kernel.half_spread_cycles = 500;
    return kernel;
  }

  static Command copy() {
    Command copy;
    copy.opcode = Opcode::kCopy;
    copy.source = kData;
    copy.destination = kDeviceData;
    copy.bytes = sizeof(kDataValue);
    return copy;
  }

  static Command launch() {
    Command launch;
    launch.opcode = Opcode::kLaunch;
    launch.flags = tessera::tlm_model::kInterruptWhenDone;
    launch.source = kDescriptor;
    return launch;
  }

  void submit(Command command) {
    command.fence_address = kFence;
    command.fence_value = submitted_ + 1;
    store(kRing + submitted_ * sizeof(command), command);
    write(reg::kQueues + reg::kDoorbell, ++submitted_);
  }

  // Which queues are done, clear, then the fence.
  void check() {
    const std::uint64_t completed = access(registers, tlm::TLM_READ_COMMAND, reg::kCompletion, 0);
    write(reg::kCompletion, completed);
    std::uint64_t fence = 0;
    std::memcpy(&fence, memory_.bytes.data() + kFence, sizeof(fence));
    const std::uint64_t error = access(registers, tlm::TLM_READ_COMMAND, reg::kError, 0);
    const std::uint64_t data = access(device_memory, tlm::TLM_READ_COMMAND, kDeviceData, 0);
    std::cout << sc_core::sc_time_stamp() << ": queues done " << completed << ", fence " << fence << ", error " << error
              << ", data " << std::hex << data << std::dec << '\n';
    is_done = completed == 1 && fence == submitted_ && error == 0 && data == kDataValue;
  }

  template <typename T>
  void store(std::uint64_t address, const T& value) {
    std::memcpy(memory_.bytes.data() + address, &value, sizeof(value));
  }
  void write(std::uint64_t offset, std::uint64_t value) { access(registers, tlm::TLM_WRITE_COMMAND, offset, value); }

  std::uint64_t access(tlm_utils::simple_initiator_socket<Host>& socket, tlm::tlm_command command,
                       std::uint64_t address, std::uint64_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof(value));
    payload.set_streaming_width(sizeof(value));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    wait(delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR("host", payload.get_response_string().c_str());
    return value;
  }

  SystemMemory& memory_;
  std::uint64_t submitted_ = 0;
};

int simulate(const tessera::GpuDescription& description) {
  SystemMemory memory("memory");
  Host host("host", memory);
  tessera::Gpu gpu("gpu", description);
  sc_core::sc_signal<bool> irq("irq_line");
  host.registers.bind(gpu.registers_tsock());
  host.device_memory.bind(gpu.device_memory_tsock());
  gpu.system_memory_isock().bind(memory.socket);
  gpu.irq_o().bind(irq);
  host.irq.bind(irq);

  sc_core::sc_start();

  const tessera::GpuSummary summary = gpu.finish();
  std::cout << summary.thread_blocks << " thread blocks in " << summary.cycles << " cycles\n";
  return host.is_done && summary.thread_blocks == kNumTbs && summary.broken_invariants.empty() ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return simulate(tessera::GpuDescription::of_gpu(argc > 1 ? argv[1] : ""));
  } catch (const std::invalid_argument& wrong) {
    std::cerr << wrong.what() << '\n';
    return 2;
  }
}
