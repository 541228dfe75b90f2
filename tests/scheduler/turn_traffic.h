// SPDX-License-Identifier: Apache-2.0
// The surroundings of a kept turn (timing.md 3.12), at random: launches that are on their way or turn back, a run list
// that a driver changes, the timers of slices and of switches.
#pragma once

#include "rtl_model/core_params.h"
#include "rtl_model/interfaces/pins.h"
#include "testbench/random.h"

namespace tessera::rtl_model::test {

struct TurnProfile {
  // In a thousand cycles, each.
  unsigned waits = 5, run_lists = 2, slice_end_writes = 2;
  Range wait{1, 400};     // how long a launch is on its way
  Range away{1, 200};     // how long a context is off the run list
  Range switches{1, 60};  // how long a switch takes
  Range slice{50, 2000};

  static TurnProfile random(Random& random);
};

class TurnTraffic {
 public:
  TurnTraffic(std::uint32_t num_contexts, const TurnProfile& profile, Random& random);

  // The inputs of the cycle in which the core shows `out`. Calm: nothing waits, and all contexts are listed.
  void drive(const SchedulerOutputs& out, std::uint64_t now, bool is_calm, SchedulerInputs& in);
  std::uint32_t num_turns() const { return num_turns_; }
  // Nothing will come by itself.
  bool is_at_rest(std::uint64_t now) const;
  // Of the policy register: whether the turn is kept, and by whom a switch is.
  std::uint32_t random_fields();
  ControlPins random_write();  // or none

 private:
  // A level that is up until some cycle.
  struct Level {
    std::uint64_t until = 0;
    bool is_up(std::uint64_t now) const { return now < until; }
  };

  const TurnProfile profile_;
  Random& random_;
  std::vector<Level> waiting_, away_;  // by context
  SmSet waiting_before_, listed_before_;
  std::uint64_t switch_ends_at_ = 0, slice_ends_at_ = 0;
  bool was_enabled_ = false;
  std::uint32_t num_turns_ = 0;  // that have begun
};

// Kept turns, if the core has the policy.
void add_kept_turn(Random& random, CoreParams& params);

}  // namespace tessera::rtl_model::test
