// SPDX-License-Identifier: Apache-2.0
// What is asked for in one cycle is looked at in the next, lowest process first: the order in which SystemC runs the
// processes does not show.
#include "tlm/host/disk.h"

#include <algorithm>
#include <tuple>

#include "model/spec/spec.h"

namespace tessera::tlm_model {

Disk::Disk(const sc_core::sc_module_name& name, const spec::Spec& spec)
    : sc_module(name), spec_(spec), time_(spec.gpu.clock_hz), done_(spec.processes.size()) {
  SC_HAS_PROCESS(Disk);
  SC_THREAD(run);
}

void Disk::transfer(std::uint32_t process, std::uint64_t bytes) {
  waiting_.push_back({process, bytes, time_.now()});
  asked_.notify(sc_core::SC_ZERO_TIME);
  wait(done_[process]);
}

void Disk::run() {
  for (;;) {
    while (waiting_.empty()) wait(asked_);
    const auto earlier = [](const Request& a, const Request& b) {
      return std::tie(a.stamp, a.process) < std::tie(b.stamp, b.process);
    };
    wait(time_.until(std::min_element(waiting_.begin(), waiting_.end(), earlier)->stamp + 1));
    const auto next = std::min_element(waiting_.begin(), waiting_.end(), earlier);
    const Request request = *next;
    waiting_.erase(next);
    const Cycle end = time_.now() + cycles_of(request);
    last_process_ = request.process;
    wait(time_.until(end));
    done_[request.process].notify(sc_core::SC_ZERO_TIME);
  }
}

Cycle Disk::cycles_of(const Request& request) const {
  const spec::HostIoSpec& io = *spec_.host.io;
  const bool changes_file = last_process_ >= 0 && last_process_ != request.process;
  return std::max<Cycle>(1, mul_div_ceil(request.bytes, spec_.gpu.clock_hz, io.disk_bytes_per_s)) +
         (changes_file ? time_.clock().cycles_in(io.disk_switch) : 0);
}

}  // namespace tessera::tlm_model
