// SPDX-License-Identifier: Apache-2.0
// Calls that drivers have in common that hold work back (held_streams.h): every completion is told, so none of these
// needs a command of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/driver/held_streams.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/ring_writer.h"

namespace tessera::tlm_model {

class HeldDriver : public IDriver {
 public:
  void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) override;
  void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void synchronise_event(std::uint32_t process, std::uint32_t event) override;

 protected:
  virtual HeldStreams& streams_of(std::uint32_t process) = 0;

  // Once there is room; one entry of the ring is kept for a notifier.
  static void write(RingWriter& writer, HostQueue& queue, const Work& work);
  // The stream's waits, then the work; its end raises an interrupt if `is_flagged`.
  static void write_behind_waits(RingWriter& writer, HeldStreams& streams, std::uint32_t stream, const Work& work,
                                 bool is_flagged);
};

}  // namespace tessera::tlm_model
