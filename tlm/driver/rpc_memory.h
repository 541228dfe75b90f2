// SPDX-License-Identifier: Apache-2.0
// The memory that host loops and device loops share ([G16] 4.2): what one side writes, the other sees after the link's
// latency. Both sides poll it; polling adds no delay.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/execution_engine/engine_message.h"
#include "tlm/execution_engine/i_execution_core.h"
#include "tlm/interconnect/pcie_link.h"

namespace tessera::tlm_model {

class RpcMemory : public sc_core::sc_module, public ILoopHost {
 public:
  RpcMemory(const sc_core::sc_module_name& name, const spec::Spec& spec);

  // Device side: requests arrive in order; messages go to the engine.
  void request(const LoopRequest& request) override;
  std::function<void(const EngineMessage&)> to_engine;

  // Host side; on_request may be empty if no event-driven kernels are launched.
  std::function<void(const LoopRequest&)> on_request;
  void tell_to_yield(std::uint32_t process, std::uint64_t launch_number);
  void kill(std::uint32_t process, std::uint64_t launch_number);
  void complete_io(std::uint32_t process, std::uint32_t tb);

 private:
  void deliver();
  void send(const LoopWord& word);

  CycleTime time_;
  PcieLink pcie_;
  std::uint32_t sender_;
  std::deque<LoopRequest> on_their_way_;
  sc_core::sc_event arrival_;
};

}  // namespace tessera::tlm_model
