// SPDX-License-Identifier: Apache-2.0
// What stands around a kept turn (docs/hardware/timing.md 3.12): who waits, who is on the run list, and the timer of a
// switch.
#pragma once

#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "testbench/profile.h"

namespace tessera::testbench {

class TurnAgent {
 public:
  TurnAgent(const Profile& profile, std::uint64_t seed);

  // The inputs of cycle `now`. A context of which a command is to come waits, whatever else is drawn.
  void drive(Cycle now, const rtl_model::SchedulerOutputs& out, const rtl_model::SmSet& with_command,
             rtl_model::SchedulerInputs& in);
  // When it has something to say next, if the outputs and the commands to come stay as they are.
  Cycle next_activity(const rtl_model::SchedulerInputs& in) const;
  // Nobody waits any more, all are on the list: whoever has kernels shall finish.
  void stop() { is_stopped_ = true; }

 private:
  struct Context {
    bool waits = false;
    Cycle waits_until = 0;  // until it does so, or does not
    bool is_listed = true;
    Cycle listed_until = 0;
  };
  void draw(Cycle now);
  bool drive_over(Cycle now, const rtl_model::SchedulerOutputs& out);

  TurnProfile profile_;
  bool is_there_;
  Random random_;
  std::vector<Context> contexts_;
  rtl_model::SmSet all_, with_command_;
  bool is_stopped_ = false;
  bool has_settled_ = false;   // after a stop
  bool is_switching_ = false;  // one has begun, and its end has not been told
  Cycle over_at_ = kNever;
};

}  // namespace tessera::testbench
