// SPDX-License-Identifier: Apache-2.0
// The part of a process's host event loop that serves files ([G16] 3.2.1): serves the requests of its kernel's loops
// one after the other, whether the kernel is on the GPU or suspended.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/interrupt_service.h"
#include "tlm/driver/ring_writer.h"
#include "tlm/driver/rpc_memory.h"
#include "tlm/host/disk.h"

namespace tessera::tlm_model {

class IoServer : public sc_core::sc_module {
 public:
  IoServer(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process, GpuPort& gpu,
           InterruptService& interrupts, RpcMemory& rpc, Disk& disk, record::RecordLog& log);

  void accept(const LoopRequest& request);
  std::uint64_t num_served() const { return num_served_; }
  std::uint64_t num_pending() const { return num_asked_ - num_served_; }
  const sc_core::sc_event& served() const { return served_; }

 private:
  void run();
  void serve(const LoopRequest& request);
  void access_file(const cooperative::Step& io);
  void copy(const cooperative::Step& io);

  const spec::Spec& spec_;
  std::uint32_t process_;
  RpcMemory& rpc_;
  Disk& disk_;
  record::RecordLog& log_;
  CycleTime time_;
  RingWriter writer_;
  HostQueue& queue_;  // for its copies; follows the queues of the process's streams
  std::deque<LoopRequest> requests_;
  std::uint64_t num_asked_ = 0;
  std::uint64_t num_served_ = 0;
  sc_core::sc_event asked_;
  sc_core::sc_event served_;
};

}  // namespace tessera::tlm_model
