// SPDX-License-Identifier: Apache-2.0
// Wiring of the machine, and its end.
#include "platform/machine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/spec/spec.h"
#include "platform/clocked/free_running_engine.h"
#include "platform/clocked/verilated_scheduler.h"
#include "tlm/driver/address_map.h"
#include "tlm/driver/driver_factory.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::platform {

namespace address_map = tlm_model::address_map;

namespace {

constexpr const char* kEngineName = "u_execution_engine";

}  // namespace

Machine::Machine(const sc_core::sc_module_name& name, const spec::Spec& spec, const workload::KernelTimes& times,
                 record::RecordLog& log, const MachineOptions& options)
    : sc_module(name),
      spec_(spec),
      log_(log),
      time_(spec.gpu.clock_hz),
      irq_("irq"),
      u_gpu_("u_gpu", spec, log, [&](tlm_model::IEngineListener& gpu) { return make_engine(options, gpu); }),
      u_interconnect_("u_interconnect"),
      u_system_memory_("u_system_memory", system_bytes_, address_map::kSystemMemoryBytes, sc_core::SC_ZERO_TIME, true),
      u_gpu_port_("u_gpu_port"),
      host_threads_(spec, log),
      u_interrupt_service_("u_interrupt_service", spec, u_gpu_port_, host_threads_, tlm_model::tick_of(spec)),
      u_rpc_memory_("u_rpc_memory", spec),
      driver_(tlm_model::make_driver(spec, u_gpu_port_, u_interrupt_service_, u_rpc_memory_, log)),
      runs_(spec.processes.size(), 0),
      max_cycle_(time_.clock().first_cycle_from(spec.stop.max_time)) {
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    u_host_processes_.emplace_back(("u_host_process_" + std::to_string(i)).c_str(), spec, i, times, *driver_,
                                   host_threads_.of(i), log);
    u_host_processes_.back().on_run_ended = [this](std::uint32_t process) { run_ended(process); };
  }
  connect();
  SC_HAS_PROCESS(Machine);
  SC_METHOD(look_for_interrupt);
  SC_METHOD(stop);
  sensitive << stop_event_;
  dont_initialize();
}

std::unique_ptr<tlm_model::IExecutionEngine> Machine::make_engine(const MachineOptions& options,
                                                                  tlm_model::IEngineListener& listener) {
  if (options.abstraction != Abstraction::kTlm) return make_clocked_engine(options, listener);
  auto core = std::make_unique<tlm_model::ExecutionCore>(spec_, log_, &u_gpu_.device_bytes());
  return make_engine_of(std::move(core), options.pace, listener);
}

std::unique_ptr<tlm_model::IExecutionEngine> Machine::make_clocked_engine(const MachineOptions& options,
                                                                          tlm_model::IEngineListener& listener) {
  rtl_model::SchedulerFactory make_scheduler = options.make_scheduler;
  if (!make_scheduler && options.abstraction == Abstraction::kRtl) {
    make_scheduler = verilated_scheduler(options.waveform != nullptr && options.waveform->has_fst());
  }
  if (options.clock == ClockDrive::kFree) {
    return std::make_unique<FreeRunningEngine>(kEngineName, spec_, log_, listener, options.waveform, make_scheduler);
  }
  auto core = std::make_unique<ClockedCore>(spec_, log_, options.waveform, make_scheduler);
  return make_engine_of(std::move(core), options.pace, listener);
}

std::unique_ptr<tlm_model::IExecutionEngine> Machine::make_engine_of(std::unique_ptr<tlm_model::IExecutionCore> core,
                                                                     Pace pace, tlm_model::IEngineListener& listener) {
  return std::make_unique<tlm_model::ExecutionEngine>(kEngineName, spec_.gpu.clock_hz, std::move(core), pace, listener,
                                                      [this] { return is_interrupted_(); });
}

void Machine::connect() {
  // 1. Initiators.
  u_gpu_port_.bus_isock.bind(u_interconnect_.initiators_tsock);
  u_gpu_.front_end().system_memory_isock.bind(u_interconnect_.initiators_tsock);
  // 2. Targets, in the order of the map.
  u_interconnect_.targets_isock.bind(u_system_memory_.bus_tsock);
  u_interconnect_.targets_isock.bind(u_gpu_.front_end().registers_tsock);
  u_interconnect_.targets_isock.bind(u_gpu_.device_memory().bus_tsock);
  const sc_core::sc_time none = sc_core::SC_ZERO_TIME;  // the PCIe link's latency is the GPU's
  u_interconnect_.map(address_map::kSystemMemory, address_map::kSystemMemoryBytes, 0, none);
  u_interconnect_.map(address_map::kGpuRegisters, tlm_model::reg::kSize, 1, none);
  u_interconnect_.map(address_map::kDeviceMemory, tlm_model::Gpu::kDeviceMemoryBytes, 2, none);
  // 3. What host loops and device loops share.
  tlm_model::IExecutionEngine& engine = u_gpu_.execution_engine();
  u_gpu_.bind(u_rpc_memory_);
  u_rpc_memory_.to_engine = [&engine](const tlm_model::EngineMessage& message) { engine.send(message); };
  // 4. Interrupt.
  u_gpu_.front_end().irq_o.bind(irq_);
  u_interrupt_service_.irq_i.bind(irq_);
  // 5. Who spins reads the fences.
  const auto spins = [](const spec::ProcessSpec& process) { return process.wait == spec::WaitKind::kSpin; };
  if (std::any_of(spec_.processes.begin(), spec_.processes.end(), spins)) {
    u_system_memory_.on_write = [this](std::uint64_t address) {
      u_interrupt_service_.note_write(address_map::kSystemMemory + address);
    };
  }
}

Machine::Outcome Machine::run(const std::function<bool()>& is_interrupted) {
  tlm_model::IExecutionEngine& engine = u_gpu_.execution_engine();
  bool was_interrupted = false;
  is_interrupted_ = [&] { return was_interrupted = was_interrupted || is_interrupted(); };
  engine.set_end(max_cycle_);
  outcome_ = {StopReason::kMaxTime, max_cycle_};
  stop_event_.notify(time_.until(max_cycle_) - sc_core::sc_time(1, sc_core::SC_PS));
  sc_core::sc_start();
  if (was_interrupted) outcome_ = {StopReason::kInterrupted, std::max(time_.now(), engine.core().now()) + 1};
  engine.finish(outcome_.end);
  host_threads_.finish(outcome_.end);
  log_.finish(outcome_.end);
  return outcome_;
}

void Machine::run_ended(std::uint32_t process) {
  ++runs_[process];
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const spec::ProcessSpec& foreground = spec_.processes[i];
    const bool has_runs = u_host_processes_[i].is_over() || runs_[i] >= foreground.runs.value_or(spec_.stop.min_runs);
    if (!foreground.is_background && !has_runs) return;
  }
  // Everything of this cycle still happens, in whatever order SystemC runs it; nothing of the next one does.
  const Cycle end = std::min(time_.now() + 1, max_cycle_);
  if (outcome_.reason == StopReason::kMinRuns) return;
  outcome_ = {StopReason::kMinRuns, end};
  u_gpu_.execution_engine().set_end(end);
  stop_event_.cancel();
  stop_event_.notify(time_.at(end) - sc_core::sc_time(1, sc_core::SC_PS) - sc_core::sc_time_stamp());
}

// The engine asks while it works; this does while the hosts keep the machine busy without it.
void Machine::look_for_interrupt() {
  if (is_interrupted_()) return sc_core::sc_stop();
  next_trigger(sc_core::sc_time(1, sc_core::SC_MS));
}

void Machine::stop() { sc_core::sc_stop(); }

}  // namespace tessera::platform
