// SPDX-License-Identifier: Apache-2.0
// The host's disk ([G16] 5): one request at a time, in order of arrival; slower when it switches from one process's
// file to another's.
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"

namespace tessera::tlm_model {

class Disk : public sc_core::sc_module {
 public:
  Disk(const sc_core::sc_module_name& name, const spec::Spec& spec);

  // Blocks the calling thread, at most one per process, until `bytes` bytes are read or written.
  void transfer(std::uint32_t process, std::uint64_t bytes);

 private:
  struct Request {
    std::uint32_t process = 0;
    std::uint64_t bytes = 0;
    Cycle stamp = 0;
  };
  void run();
  Cycle cycles_of(const Request& request) const;

  const spec::Spec& spec_;
  CycleTime time_;
  std::vector<Request> waiting_;
  std::int64_t last_process_ = -1;
  sc_core::sc_event asked_;
  std::deque<sc_core::sc_event> done_;  // by process; a deque, since events do not move
};

}  // namespace tessera::tlm_model
