// SPDX-License-Identifier: Apache-2.0
// The whole machine at transaction level: host processes, driver, bus, system memory, GPU; and the rule that ends a
// simulation.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_times.h"
#include "platform/machine_options.h"
#include "tlm/driver/gpu_port.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/interrupt_service.h"
#include "tlm/driver/rpc_memory.h"
#include "tlm/gpu/gpu.h"
#include "tlm/host/host_process.h"
#include "tlm/interconnect/interconnect.h"
#include "tlm/memory/memory.h"

namespace tessera::platform {

// SystemC elaborates only once per process, so a program can have only one Machine.
class Machine : public sc_core::sc_module {
 public:
  using Pace = MachineOptions::Pace;

  Machine(const sc_core::sc_module_name& name, const spec::Spec& spec, const workload::KernelTimes& times,
          record::RecordLog& log, const MachineOptions& options = {});

  enum class StopReason { kMinRuns, kMaxTime, kInterrupted };
  struct Outcome {
    StopReason reason = StopReason::kMaxTime;
    Cycle end = 0;  // the first cycle that was not simulated
  };
  // Simulates until the Spec's stop rule holds or `is_interrupted` returns true, and finishes the log.
  Outcome run(const std::function<bool()>& is_interrupted);

  tlm_model::Gpu& gpu() { return u_gpu_; }
  tlm_model::GpuPort& gpu_port() { return u_gpu_port_; }

 private:
  std::unique_ptr<tlm_model::IExecutionEngine> make_engine(const MachineOptions& options,
                                                           tlm_model::IEngineListener& listener);
  std::unique_ptr<tlm_model::IExecutionEngine> make_clocked_engine(const MachineOptions& options,
                                                                   tlm_model::IEngineListener& listener);
  std::unique_ptr<tlm_model::IExecutionEngine> make_engine_of(std::unique_ptr<tlm_model::IExecutionCore> core,
                                                              Pace pace, tlm_model::IEngineListener& listener);
  void connect();
  void run_ended(std::uint32_t process);
  void look_for_interrupt();
  void stop();

  const spec::Spec& spec_;
  record::RecordLog& log_;
  tlm_model::CycleTime time_;
  tlm_model::PagedMemory system_bytes_;
  sc_core::sc_signal<bool> irq_;
  tlm_model::Gpu u_gpu_;
  tlm_model::Interconnect u_interconnect_;
  tlm_model::Memory u_system_memory_;
  tlm_model::GpuPort u_gpu_port_;
  tlm_model::HostThreads host_threads_;
  tlm_model::InterruptService u_interrupt_service_;
  tlm_model::RpcMemory u_rpc_memory_;
  std::unique_ptr<tlm_model::IDriver> driver_;
  std::deque<tlm_model::HostProcess> u_host_processes_;
  std::vector<std::uint32_t> runs_;  // completed, by process
  std::function<bool()> is_interrupted_;
  Outcome outcome_;
  Cycle max_cycle_;
  sc_core::sc_event stop_event_;
};

}  // namespace tessera::platform
