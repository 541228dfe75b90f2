// SPDX-License-Identifier: Apache-2.0
// An SM's flush: thread blocks that are dropped, and start again from nothing ([S16] 2.3, 4.1;
// docs/concepts/readings.md, Flush).
#include <algorithm>

#include "rtl_model/sm/sm.h"

namespace tessera::rtl_model {

// TBs sent to the SM before the command have started when it looks at them.
void Sm::begin_flush() {
  state_q_ = State::kFlushing;
  stopped_at_q_ = std::max(now_, last_start_q_);
  until_q_ = stopped_at_q_ + 1;
}

void Sm::flush() {
  // 1. TBs before their points are dropped. One that ends in this cycle has ended.
  std::uint32_t num_left = 0;
  std::uint32_t num_dropped = 0;
  Cycle lost = 0;
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    Slot& s = slots_q_[slot];
    if (s.state != SlotState::kRunning || ends_at_q_[slot] <= now_) continue;
    if (!may_be_flushed(slot)) {
      ++num_left;
      continue;
    }
    lost += executed(slot);
    ++num_dropped;
    s.state = SlotState::kFlushed;
    s.stack_pointer = flushed_stack_pointer(++s.num_flushes);
    ends_at_q_[slot] = kNever;
    around_.observer.tb_flushed(index_, slot, s.tb, now_);
  }
  find_earliest();
  if (num_dropped > 0) around_.observer.sm_flushed(index_, num_dropped, lost, now_);
  // 2. The rest is saved, or runs to its end.
  const bool saves_rest = around_.params.scheduler.flush_fallback == spec::FlushFallback::kContextSwitch;
  if (num_left > 0 && saves_rest) return drain_pipeline(now_);
  state_q_ = State::kDrainingRest;
  send_flushed();
}

// At its point, and beyond, a TB has written what it would read again.
bool Sm::may_be_flushed(std::uint32_t slot) const {
  const Slot& s = slots_q_[slot];
  const bool is_endless = ends_at_q_[slot] == kNever;
  if (is_endless || launch_.loops != nullptr || s.num_flushes == around_.params.scheduler.max_flushes_per_tb)
    return false;
  return launch_.progress.is_before_point(launch_.durations, s.tb, executed(slot), launch_.idempotent_until_ppm);
}

Cycle Sm::executed(std::uint32_t slot) const {
  return launch_.durations.of(slots_q_[slot].tb) - (ends_at_q_[slot] - now_);
}

// Handles of flushed TBs, if no other TB is left whose context or end they would wait for.
void Sm::send_flushed() {
  if (lowest(SlotState::kRunning) != kNone) return;
  handles_left_q_ = count(SlotState::kFlushed);
  if (handles_left_q_ == 0) return;
  state_q_ = State::kSaving;
  transfer_q_ = Transfer::kDone;
}

bool Sm::is_stopping() const {
  return state_q_ == State::kDraining || state_q_ == State::kFlushing || state_q_ == State::kDrainingRest;
}

// It needs no context: it starts as a handle's restore would.
void Sm::restart(const DispatchPins& dispatch) {
  const std::uint32_t slot = occupy(SlotState::kRunning, dispatch.tb);
  slots_q_[slot].num_flushes = num_flushes(dispatch.stack_pointer);
  last_start_q_ = restore_start();
  ends_at_q_[slot] = std::min(last_start_q_ + launch_.durations.of(dispatch.tb), kNever);
  earliest_ = std::min(earliest_, ends_at_q_[slot]);
  around_.observer.tb_restarted(index_, slot, dispatch.tb, last_start_q_);
}

}  // namespace tessera::rtl_model
