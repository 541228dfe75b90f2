// SPDX-License-Identifier: Apache-2.0
// One latency each way.
#include "tlm/driver/rpc_memory.h"

#include "model/spec/spec.h"

namespace tessera::tlm_model {
namespace {

ContextId context_of(std::uint32_t process) { return ContextId(static_cast<std::uint16_t>(process)); }

}  // namespace

RpcMemory::RpcMemory(const sc_core::sc_module_name& name, const spec::Spec& spec)
    : sc_module(name),
      time_(spec.gpu.clock_hz),
      pcie_(spec.gpu),
      sender_(spec.gpu.num_hardware_queues + 1) {  // behind the queues and the registers
  SC_HAS_PROCESS(RpcMemory);
  SC_METHOD(deliver);
  sensitive << arrival_;
  dont_initialize();
}

void RpcMemory::request(const LoopRequest& request) {
  on_their_way_.push_back(request);
  if (on_their_way_.size() == 1) arrival_.notify(time_.until(request.cycle + pcie_.one_way()));
}

void RpcMemory::deliver() {
  while (!on_their_way_.empty() && on_their_way_.front().cycle + pcie_.one_way() <= time_.now()) {
    const LoopRequest request = on_their_way_.front();
    on_their_way_.pop_front();
    if (on_request) on_request(request);
  }
  if (!on_their_way_.empty()) arrival_.notify(time_.until(on_their_way_.front().cycle + pcie_.one_way()));
}

void RpcMemory::tell_to_yield(std::uint32_t process, std::uint64_t launch_number) {
  send(Yield{context_of(process), launch_number});
}

void RpcMemory::kill(std::uint32_t process, std::uint64_t launch_number) {
  send(Kill{context_of(process), launch_number});
}

void RpcMemory::complete_io(std::uint32_t process, std::uint32_t tb) { send(IoDone{context_of(process), tb}); }

void RpcMemory::send(const LoopWord& word) { to_engine({time_.now() + pcie_.one_way(), sender_, word}); }

}  // namespace tessera::tlm_model
