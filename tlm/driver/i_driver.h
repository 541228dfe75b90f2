// SPDX-License-Identifier: Apache-2.0
// The driver between processes and hardware queues; called from the threads of the processes. CPU time that a call
// costs with any driver is spent by the process; a driver's additional time is spent by the driver.
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/driver/work.h"

namespace tessera::tlm_model {

class IDriver {
 public:
  virtual ~IDriver() = default;

  // Must be a process's first call. Blocks until the GPU has been set up.
  virtual void open(std::uint32_t process) = 0;
  // Submits work to a stream, in order within it. The work belongs to the group that ends with it or with later work; a
  // driver without groups ignores this. May block for as long as the driver does not accept the group.
  virtual void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) = 0;
  // Blocks until everything that was submitted to the stream, or without one to all streams, is known to be done.
  virtual void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) = 0;
  // An event stands for the work submitted to the stream before it was recorded. await_event makes the stream's later
  // work wait for it, synchronise_event the caller. A wait for an event that was never recorded returns at once.
  virtual void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) = 0;
  virtual void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) = 0;
  virtual void synchronise_event(std::uint32_t process, std::uint32_t event) = 0;
};

}  // namespace tessera::tlm_model
