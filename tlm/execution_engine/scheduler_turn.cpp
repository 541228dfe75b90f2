// SPDX-License-Identifier: Apache-2.0
// The scheduler and a turn that is kept (docs/hardware/timing.md 3.12): when it is looked at, and what comes of it.
#include <utility>

#include "tlm/execution_engine/scheduler.h"

namespace tessera::tlm_model {

void Scheduler::set_waiting(ContextId context, bool is_waiting, Cycle now) {
  turn_.set_waiting(context, is_waiting);
  look_at_turn_after(now);
}

void Scheduler::set_listed(ContextId context, bool is_listed, Cycle now) {
  turn_.set_listed(context, is_listed);
  look_at_turn_after(now);
}

void Scheduler::look_at_turn_after(Cycle now) {
  if (turn_.is_on()) timers_.set(leaves_.turn, now);
}

// A tick waits for SMs that change hands, which is no move when they are set up or restored.
void Scheduler::settled(Cycle now) {
  if (!turn_.is_on()) return;
  const bool has_moved = std::exchange(moves_at_last_look_, tables_.num_moves()) != tables_.num_moves();
  if (std::exchange(has_just_looked_, false)) return;
  if (has_moved || turn_.is_tick_waiting()) look_at_turn_after(now);
}

// All that follows from what is seen in a cycle happens in it: ends of kernels and arrivals come before, then the tick.
void Scheduler::turn_due(Cycle now) {
  timers_.clear(leaves_.turn);
  do {
    act_on(turn_.look(offered_, now), now);
    if (turn_.is_on()) driver_.turn_seen(*turn_.seen(), now);
    if (turn_.evicts()) {
      driver_.evict(turn_.eviction(), now);
      turn_.evicted();
    }
  } while (turn_.has_more());
  if (turn_.has_begun_in(now)) timers_.set(leaves_.turn, now + 1);
  has_just_looked_ = true;
}

void Scheduler::switch_timer_fired(Cycle now) {
  act_on(turn_.switch_over(now), now);
  look_at_turn_after(now);
}

void Scheduler::act_on(const policy::TurnEvents& events, Cycle now) {
  if (events.passed || events.began) invoke(now);
}

}  // namespace tessera::tlm_model
