// SPDX-License-Identifier: Apache-2.0
// The GPU as a TLM-2.0 component for any virtual platform: two target windows (registers, device memory), one
// initiator socket into system memory, one interrupt line ([T14] Figure 1; docs/hardware/register_map.md).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <systemc>
#include <tlm>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/command_dispatcher/command_dispatcher.h"
#include "tlm/dma/dma_engine.h"
#include "tlm/execution_engine/engine_message.h"
#include "tlm/execution_engine/execution_engine.h"
#include "tlm/front_end/front_end.h"
#include "tlm/memory/memory.h"
#include "tlm/memory/paged_memory.h"

namespace tessera::tlm_model {

class Gpu : public sc_core::sc_module,
            private ICommandSink,
            private ISchedulingFramework,
            private IDmaClient,
            private IEngineListener {
 public:
  static constexpr std::uint64_t kDeviceMemoryBytes = reg::kDeviceMemoryBytes;  // saved contexts are at the bottom

  // `spec` must outlive the GPU; of its processes only the number matters: it limits the GPU contexts. Records go to
  // `log`. Throws std::invalid_argument for a Spec, built in code, that cannot work.
  Gpu(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
      ExecutionEngine::Pace pace = ExecutionEngine::Pace::kRunAhead);
  // With an execution engine made by the caller; it becomes a child of the GPU, which is its listener.
  using EngineFactory = std::function<std::unique_ptr<IExecutionEngine>(IEngineListener& gpu)>;
  Gpu(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
      const EngineFactory& make_engine);

  // The sockets to bind: front_end().registers_tsock, device_memory().bus_tsock,
  // front_end().system_memory_isock and front_end().irq_o.
  FrontEnd& front_end() { return u_front_end_; }
  Memory& device_memory() { return u_device_memory_; }
  PagedMemory& device_bytes() { return device_bytes_; }  // contents of device memory
  IExecutionEngine& execution_engine() { return *u_execution_engine_; }
  // Required if event-driven kernels are launched.
  void bind(ILoopHost& loop_host) { loop_host_ = &loop_host; }

 private:
  // Calls from the dispatcher.
  void launch(QueueId queue, const LaunchCommand& command) override;
  void copy(QueueId queue, ContextId context, const CopyCommand& command) override;
  void retire(QueueId queue, const FetchedCommand& command) override { u_front_end_.retire(queue, command); }
  void went_on(QueueId queue) override { u_front_end_.went_on(queue); }
  // Calls from the front end.
  void write(const RegisterWrite& write, Cycle arrival) override;
  void tell(const TurnInput& input, Cycle stamp) override;
  std::uint64_t sm_cycles(ContextId context, Cycle now) const override;
  spec::Cores which_core() const override;
  // Calls from the DMA engine.
  void transfer_started() override { tell_traffic(true); }
  void move_bytes(const DmaTransfer& transfer) override;
  void transfer_done(const DmaTransfer& transfer) override;
  // Calls from the execution engine.
  void kernel_done(const KernelDone& kernel) override;
  void loop_requested(const LoopRequest& request) override;

  void tell_traffic(bool copy_starts);
  template <typename What>
  void send(const What& what, Cycle stamp);

  const spec::Spec& spec_;
  CycleTime time_;
  PagedMemory device_bytes_;
  std::unique_ptr<LinkTraffic> link_;  // null unless copies move in bursts
  CommandDispatcher u_command_dispatcher_;
  FrontEnd u_front_end_;
  DmaEngine u_dma_engine_;
  std::unique_ptr<IExecutionEngine> u_execution_engine_;
  Memory u_device_memory_;
  ILoopHost* loop_host_ = nullptr;
};

}  // namespace tessera::tlm_model
