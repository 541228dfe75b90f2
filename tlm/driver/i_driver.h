// SPDX-License-Identifier: Apache-2.0
// What stands between processes and hardware queues: the calls of a driver, made from the threads of the processes.
// What a call costs on the CPU whatever the driver is the process's to spend; what a driver costs, its own.
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/driver/work.h"

namespace tessera::tlm_model {

class IDriver {
 public:
  virtual ~IDriver() = default;

  // Before the first other call of a process. Blocks until the GPU has been set up.
  virtual void open(std::uint32_t process) = 0;
  // Work for a stream, in order within it. It belongs to the group that it ends, or that later work ends; a driver that
  // knows no groups takes it as it comes. May block for as long as the driver will not have the group.
  virtual void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) = 0;
  // Blocks until everything that was submitted to the stream, or to any, is known to be done.
  virtual void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) = 0;
  // Events: what was submitted to the stream before; the stream's later work waits for that, or the caller does. One
  // that was never recorded is waited for by nobody.
  virtual void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) = 0;
  virtual void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) = 0;
  virtual void synchronise_event(std::uint32_t process, std::uint32_t event) = 0;
};

}  // namespace tessera::tlm_model
