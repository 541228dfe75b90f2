// SPDX-License-Identifier: Apache-2.0
// A core cycle in which one process evaluates what may change, and the cycles that it skips.
#include <algorithm>

#include "rtl_model/engine/clocked_engine.h"

namespace tessera::rtl_model {

void ClockedEngine::cycle(Cycle core_cycle) {
  ++num_cycles_;
  set_cycle(core_cycle);
  // 1. What depends on registers alone.
  touched_.clear();
  if (loops_.next_word() <= clock_.sm) take_words();
  settle_sms();
  if (u_links_.any()) settle_links();
  u_slice_timer_.comb();
  u_linger_timer_.comb();
  u_switch_timer_.comb();
  if (!is_core_idle_) u_tsr_scheduler_->comb_outputs();
  u_usage_counter_.comb();
  // 2. Inputs of the scheduler.
  drive_inputs();
  u_sm_networks_.comb();
  for (const std::uint32_t sm : {grants_.event_sm, grants_.handle_sm}) {
    if (sm != kNone && !touched_.has(sm)) evaluate(sm);
  }
  send_to_sms();
  // 3. What follows from them.
  is_core_active_ = !is_core_idle_ || in_.any();
  if (is_core_active_) u_tsr_scheduler_->comb_inputs();
  show_watchers();
  // 4. The edge.
  clock_edge();
  schedule();
}

// What the core sends, and what arrives through links.
void ClockedEngine::send_to_sms() {
  if (out_.sm_control.valid) {
    if (!touched_.has(out_.sm_control.sm)) evaluate(out_.sm_control.sm);
    report_stop();
  }
  if (out_.dispatch.valid) {
    if (!touched_.has(out_.dispatch.sm)) evaluate(out_.dispatch.sm);
    if (!u_links_.has(out_.dispatch.sm)) u_sms_[out_.dispatch.sm]->comb_dispatch();
  }
  if (!u_links_.any()) return;
  (touched_ & u_links_.linked()).for_each([this](std::uint32_t sm) {
    u_links_.of(sm).comb_down();
    u_sms_[sm]->comb_dispatch();
  });
}

void ClockedEngine::drive_inputs() {
  const bool must_fall = in_.command.valid || in_.control.valid || in_.lists_change;
  if (stimulus_due_ > clock_.sm && !must_fall) return;
  stimulus_.drive(in_, out_, clock_);
  stimulus_due_ = stimulus_.next_activity(out_);
}

void ClockedEngine::show_watchers() {
  const bool is_eventful =
      in_.command.valid || in_.control.valid || (is_core_active_ && u_tsr_scheduler_->has_events_d());
  if (watches_every_cycle_ || is_eventful || was_eventful_) {
    for (IWatcher* watcher : watchers_) watcher->watch(clock_);
  }
  was_eventful_ = is_eventful;
}

void ClockedEngine::stimulus_changed() {
  stimulus_due_ = stimulus_.next_activity(out_);
  schedule();
}

// Who has loops looks whether they are for one of them.
void ClockedEngine::take_words() {
  loops_.take_words(clock_.sm);
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    if (u_sms_[sm]->has_loops()) evaluate(sm);
  }
}

void ClockedEngine::settle_sms() {
  hot_.for_each([this](std::uint32_t sm) {
    if (!touched_.has(sm)) evaluate(sm);
  });
  while (due_.min_time() <= clock_.sm) {
    const std::uint32_t sm = EventTree::leaf_of(due_.min());
    due_.clear(sm);
    if (!touched_.has(sm)) evaluate(sm);
  }
}

// At either end of a link: the SM is evaluated with it.
void ClockedEngine::settle_links() {
  for (std::uint32_t sm = u_links_.take_due(clock_.core); sm != kNone; sm = u_links_.take_due(clock_.core)) {
    if (!touched_.has(sm)) evaluate(sm);
  }
}

void ClockedEngine::evaluate(std::uint32_t sm) {
  u_sms_[sm]->comb();
  if (u_links_.has(sm)) u_links_.of(sm).comb_up();
  u_sm_networks_.note(sm);
  touched_.set(sm);
}

void ClockedEngine::clock_edge() {
  touched_.for_each([this](std::uint32_t sm) { u_sms_[sm]->seq(); });
  if (u_links_.any()) (touched_ & u_links_.linked()).for_each([this](std::uint32_t sm) { u_links_.of(sm).seq(); });
  if (is_core_active_) u_tsr_scheduler_->seq_all();
  u_sm_networks_.seq();
  u_slice_timer_.seq();
  u_linger_timer_.seq();
  u_switch_timer_.seq();
  const bool moves_ends = u_memory_channel_.has_requests() && u_memory_channel_.is_coupled();
  u_memory_channel_.seq();
  if (moves_ends) touched_ = touched_ | u_memory_channel_.moving();
  touched_.for_each([this](std::uint32_t sm) { note_next(sm); });
  // A core that comes to rest shows its outputs at rest.
  if (is_core_active_) {
    is_core_idle_ = u_tsr_scheduler_->is_idle();
    if (is_core_idle_) u_tsr_scheduler_->comb_outputs();
    // A command buffer has become free: a command may wait for it.
    if (u_tsr_scheduler_->events_d().activated) stimulus_due_ = 0;
  }
}

// An output that was taken falls in the next cycle; nobody sees that unless every cycle is watched.
void ClockedEngine::note_next(std::uint32_t index) {
  Sm& sm = *u_sms_[index];
  const bool merely_waits = sm.merely_waits();
  const Cycle next = merely_waits ? sm.next_change() : sm.next_activity();
  const bool falls = sm.outputs().event_valid || sm.outputs().handle_valid;
  const bool is_hot = next <= clock_.sm || (falls && watches_every_cycle_);
  if (falls && !is_hot && !merely_waits) {
    sm.rest();
    if (!u_links_.has(index)) u_sm_networks_.note(index);
  }
  if (u_links_.has(index)) note_next_of_link(index);
  hot_.set(index, is_hot);
  const Cycle due = is_hot ? kNever : next;
  if (due_.time(index) != due) due_.set(index, due);
}

void ClockedEngine::note_next_of_link(std::uint32_t sm) {
  SmLink& link = u_links_.of(sm);
  const bool is_looked_at = link.has_pins() && watches_every_cycle_;
  if (link.is_taken()) {
    link.rest();
    u_sm_networks_.note(sm);
  }
  const Cycle next = is_looked_at ? clock_.core + 1 : link.next_arrival();
  u_links_.set_due(sm, next == kNever ? kNever : std::max(next, clock_.core + 1));
}

void ClockedEngine::schedule() {
  const bool is_busy = !is_core_idle_ || hot_.any() || are_networks_busy();
  const Cycle next = num_cycles_ == 0 ? 0 : clock_.core + 1;
  next_cycle_ = is_busy ? next : next_of_others();
  if (next_cycle_ != kNever) next_cycle_ = std::max(next_cycle_, next);
}

// Pins that were valid fall in the next cycle; nobody sees that either.
bool ClockedEngine::are_networks_busy() const {
  return u_sm_networks_.has_request() || (watches_every_cycle_ && u_sm_networks_.was_busy());
}

// The core cycle in which an SM, the timer or the stimulus does something by itself.
Cycle ClockedEngine::next_of_others() const {
  const Cycle timers =
      std::min({u_slice_timer_.next_activity(), u_linger_timer_.next_activity(), u_switch_timer_.next_activity()});
  const Cycle sm_cycle = std::min({due_.min_time(), timers, stimulus_due_, loops_.next_word()});
  const Cycle core_cycle = sm_cycle == kNever ? kNever : sm_cycle * params_.clock_ratio;
  return u_links_.any() ? std::min(core_cycle, u_links_.next_arrival()) : core_cycle;
}

void ClockedEngine::run_on(Cycle limit) {
  if (watches_every_cycle_ || was_eventful_ || is_core_idle_ || hot_.any() || u_sm_networks_.has_handle()) return;
  const Cycle first = clock_.core + 1;
  Cycle end = std::min(limit, next_of_others());
  if (params_.has_rounds()) end = std::min(end, (first / params_.clock_ratio + 1) * params_.clock_ratio - 1);
  if (end <= first) return;
  const Cycle cycles = u_tsr_scheduler_->run_quietly(end - first, u_sm_networks_.has_event());
  if (cycles == 0) return;
  u_sm_networks_.wait();
  num_cycles_ += cycles;
  set_cycle(clock_.core + cycles);
  is_core_idle_ = u_tsr_scheduler_->is_idle();
  if (is_core_idle_) u_tsr_scheduler_->comb_outputs();
  schedule();
}

}  // namespace tessera::rtl_model
