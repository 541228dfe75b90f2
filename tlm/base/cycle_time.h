// SPDX-License-Identifier: Apache-2.0
// GPU cycles and SystemC time: time is derived from the cycle count, never the reverse (docs/concepts/readings.md,
// Time).
#pragma once

#include <stdexcept>
#include <systemc>

#include "model/base/time.h"

namespace tessera::tlm_model {

// Requires SystemC's default time resolution of 1 ps. Conversions are exact in both directions up to 1 THz.
class CycleTime {
 public:
  explicit CycleTime(std::uint64_t hertz) : clock_(hertz) {
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
      throw std::logic_error("tessera needs a SystemC time resolution of 1 ps");
    }
  }

  const Clock& clock() const { return clock_; }
  sc_core::sc_time at(Cycle cycle) const { return sc_core::sc_time::from_value(clock_.time_of(cycle)); }
  // The current cycle; the first cycle that begins at or after `time`; the time until a cycle begins.
  Cycle now() const { return clock_.cycle_at(sc_core::sc_time_stamp().value()); }
  Cycle first_from(const sc_core::sc_time& time) const { return clock_.first_cycle_from(time.value()); }
  sc_core::sc_time until(Cycle cycle) const {
    const sc_core::sc_time time = at(cycle);
    return time > sc_core::sc_time_stamp() ? time - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME;
  }

 private:
  Clock clock_;
};

}  // namespace tessera::tlm_model
