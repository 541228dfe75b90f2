// SPDX-License-Identifier: Apache-2.0
// Drives the command and control pins of the clocked part.
#pragma once

#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model {

class IStimulus {
 public:
  virtual ~IStimulus() = default;
  // Sets the pins for this core cycle.
  virtual void drive(SchedulerInputs& inputs, const SchedulerOutputs& outputs, const ClockCount& clock) = 0;
  // After an edge: the SM cycle in which it has something to drive; a cycle that has already begun means the next core
  // cycle.
  virtual Cycle next_activity(const SchedulerOutputs& outputs) const = 0;
  // Of the slice timer, in SM cycles, while `turn` is on the pins.
  virtual Cycle slice_period(std::uint32_t turn) const = 0;
};

}  // namespace tessera::rtl_model
