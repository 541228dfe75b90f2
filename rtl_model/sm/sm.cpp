// SPDX-License-Identifier: Apache-2.0
// An SM's cycle: commands, events, slots. Saving and restoring stand in context_moves.cpp, flushing in flush.cpp.
#include "rtl_model/sm/sm.h"

#include <algorithm>

namespace tessera::rtl_model {

Sm::Sm(const sc_core::sc_module_name& name, std::uint32_t index, const Surroundings& surroundings)
    : ClockedModule(name),
      index_(index),
      around_(surroundings),
      context_q_(surroundings.params.context_width()),
      page_table_q_(Params::kPageTableWidth),
      descriptor_q_(Params::kDescriptorWidth),
      tag_q_(surroundings.params.tag_pin_width()),
      slots_q_(surroundings.params.max_tbs_per_sm),
      ends_at_q_(surroundings.params.max_tbs_per_sm, kNever),
      u_loop_unit_(index, surroundings.params.max_tbs_per_sm, surroundings.loops, surroundings.channel,
                   surroundings.observer) {
  at_level(kOutputsLevel, [this] { comb(); });
  at_level(kDispatchLevel, [this] { comb_dispatch(); });
}

// ---- outputs -------------------------------------------------------------------------------------------------

void Sm::comb() {
  now_ = around_.clock.sm;
  const auto sm_cycle_before = [&](Cycle cycles) {
    const Cycle before = around_.clock.core < cycles ? 0 : around_.clock.core - cycles;
    return around_.params.clock_ratio == 1 ? before : before / around_.params.clock_ratio;  // a division takes long
  };
  decided_at_ = sm_cycle_before(Params::kIssueLead);
  request_transfers();
  if (u_loop_unit_.is_on()) run_loops();
  show_event();
  show_handle();
  if (around_.clock.is_sm_edge) report_finished();
}

void Sm::run_loops() {
  u_loop_unit_.comb(now_, is_freezing());
  ends_loop_ = false;
  for (const LoopUnit::Ending& ending : u_loop_unit_.endings()) {
    if (ending.at > now_) continue;
    ends_loop_ = true;
    around_.observer.tb_finished(index_, ending.slot, slots_q_[ending.slot].tb, now_);
  }
}

bool Sm::is_over(std::uint32_t slot) const {
  if (ends_at_q_[slot] <= now_ || !ends_loop_) return ends_at_q_[slot] <= now_;
  const auto& endings = u_loop_unit_.endings();
  return std::any_of(endings.begin(), endings.end(),
                     [&](const LoopUnit::Ending& ending) { return ending.slot == slot && ending.at <= now_; });
}

void Sm::end_loops() {
  u_loop_unit_.seq();
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) note_endings(slot);
  ends_loop_ = false;
}

// Loops say when their thread blocks are over.
void Sm::note_endings(std::uint32_t slot) {
  for (const LoopUnit::Ending& ending : u_loop_unit_.endings()) {
    if (ending.slot != slot) continue;
    ends_at_q_[slot] = ending.at;
    earliest_ = std::min(earliest_, ending.at);
  }
}

// A fresh TB's slot is the lowest that is free after this cycle's completion. With the last handle of a batch, the
// contexts come in.
void Sm::comb_dispatch() {
  if (!around_.dispatch.valid || around_.dispatch.sm != index_) return;
  if (around_.dispatch.is_restore) {
    // This handle's slot is not occupied yet.
    const std::uint32_t num_tbs = count(SlotState::kRestoring) + (is_flushed(around_.dispatch.stack_pointer) ? 0 : 1);
    const bool starts_now = around_.dispatch.last && restore_start() <= now_ && num_tbs > 0;
    if (starts_now) start_restore(num_tbs * launch_.context_bytes_per_tb());
    return;
  }
  std::uint32_t slot = lowest(SlotState::kFree);
  const bool frees_one = around_.grants.event_sm == index_ && out_.event == SmEventKind::kTbDone;
  if (frees_one) slot = std::min(slot, done_slot_);
  around_.observer.tb_issued(index_, slot, around_.dispatch.tb, issue_start());
  if (u_loop_unit_.is_on()) u_loop_unit_.issue(slot, around_.dispatch.tb, issue_start(), now_);
}

// Completions first, lowest slot first; then what else the SM has to say.
void Sm::show_event() {
  out_.event_valid = true;
  out_.event_tag = tag_q_;
  done_slot_ = kNone;
  const bool is_moved = ends_transfer_ || transfer_q_ == Transfer::kDone;
  if (earliest_ <= now_ || ends_loop_) {
    done_slot_ = 0;
    while (!is_over(done_slot_)) ++done_slot_;
    out_.event = SmEventKind::kTbDone;
  } else if (state_q_ == State::kSettingUp && until_q_ <= now_) {
    out_.event = SmEventKind::kSetupDone;
  } else if (state_q_ == State::kRunning && is_moved) {
    out_.event = SmEventKind::kRestoreDone;
  } else if (state_q_ == State::kSaving && is_moved && handles_left_q_ == 0) {
    out_.event = SmEventKind::kPreempted;
  } else if (is_stopping() && earliest_ == kNever && is_empty()) {
    out_.event = SmEventKind::kPreempted;  // nothing to save
  } else {
    out_.event_valid = false;
  }
}

void Sm::report_finished() {
  if (earliest_ > now_) return;
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    if (ends_at_q_[slot] == now_) around_.observer.tb_finished(index_, slot, slots_q_[slot].tb, now_);
  }
}

// ---- edge ----------------------------------------------------------------------------------------------------

void Sm::seq() {
  // 1. What has come to its end.
  if (starts_transfer_) {
    if (state_q_ == State::kEnteringTrap) start_save();
    transfer_q_ = Transfer::kMoving;
    move_started_q_ = now_;
  }
  if (ends_transfer_) {
    transfer_q_ = Transfer::kDone;
    if (state_q_ == State::kRunning) resume_restored();
  } else if (ends_bytes_) {
    transfer_q_ = Transfer::kUnpacking;
    restore_at_q_ = now_ + unpacking_cycles();
  }
  if (u_loop_unit_.is_on()) end_loops();
  if (state_q_ == State::kFlushing && until_q_ <= now_) flush();
  if (state_q_ == State::kDraining && until_q_ <= now_) freeze();
  // 2. What the networks took.
  if (around_.grants.event_sm == index_) event_taken();
  if (around_.grants.handle_sm == index_) handle_taken();
  // 3. A command.
  if (around_.control.valid && around_.control.sm == index_) {
    command(around_.control);
  }
  if (around_.dispatch.valid && around_.dispatch.sm == index_) {
    around_.dispatch.is_restore ? receive_handle(around_.dispatch) : issue(around_.dispatch.tb);
  }
}

void Sm::command(const SmControlPins& control) {
  switch (control.kind) {
    case SmControlKind::kSetup:
      return set_up(control);
    case SmControlKind::kTrap:
      return trap();
    case SmControlKind::kFlush:
      return begin_flush();
  }
}

void Sm::event_taken() {
  switch (out_.event) {
    case SmEventKind::kTbDone:
      slots_q_[done_slot_].state = SlotState::kFree;
      ends_at_q_[done_slot_] = kNever;
      find_earliest();
      if (is_stopping()) send_flushed();
      return;
    case SmEventKind::kSetupDone:
      state_q_ = State::kRunning;
      return;
    case SmEventKind::kRestoreDone:
      transfer_q_ = Transfer::kOff;
      return;
    case SmEventKind::kPreempted:
      return preempted();
  }
}

// Context and page-table registers, shared memory configuration; the descriptor is read.
void Sm::set_up(const SmControlPins& control) {
  state_q_ = State::kSettingUp;
  context_q_ = control.context;
  page_table_q_ = control.page_table;
  descriptor_q_ = control.descriptor;
  tag_q_ = control.tag;
  // A link may bring it when its kernel has finished: then nothing else follows for it.
  launch_ = around_.launches.has(control.descriptor) ? around_.launches.at(control.descriptor) : Launch{};
  u_loop_unit_.set_up(launch_);
  smem_config_q_ = launch_.smem_config_bytes;
  until_q_ = now_ + std::max(around_.params.sm_setup_cycles, 1U);
}

void Sm::issue(std::uint32_t tb) {
  const std::uint32_t slot = occupy(SlotState::kRunning, tb);
  last_start_q_ = issue_start();
  if (u_loop_unit_.is_on()) return note_endings(slot);
  ends_at_q_[slot] = std::min(last_start_q_ + launch_.durations.of(tb), kNever);
  earliest_ = std::min(earliest_, ends_at_q_[slot]);
}

// The issue latency counts from the decision; a round of breadth-first issue serves what became free in the last cycle.
Cycle Sm::issue_start() const {
  const Params& params = around_.params;
  const Cycle decided_at = params.has_rounds() && now_ > 0 ? now_ - 1 : decided_at_;
  return std::max(now_, decided_at + params.tb_issue_cycles);
}

// ---- slots ---------------------------------------------------------------------------------------------------

std::uint32_t Sm::occupy(SlotState state, std::uint32_t tb) {
  const std::uint32_t slot = lowest(SlotState::kFree);
  if (slot == kNone) throw std::logic_error("rtl_model: a TB is sent to an SM without a free slot");
  Slot& s = slots_q_[slot];
  s.state = state;
  s.tb = tb;
  s.num_flushes = 0;
  // All residents are of one kernel: ranges lie side by side.
  s.register_base = slot * launch_.regs_per_tb;
  s.smem_base = slot * launch_.smem_bytes_per_tb;
  return slot;
}

std::uint32_t Sm::lowest(SlotState state) const {
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    if (slots_q_[slot].state == state) return slot;
  }
  return kNone;
}

std::uint32_t Sm::count(SlotState state) const {
  return static_cast<std::uint32_t>(
      std::count_if(slots_q_.begin(), slots_q_.end(), [state](const Slot& s) { return s.state == state; }));
}

bool Sm::is_empty() const { return lowest(SlotState::kRunning) == kNone && lowest(SlotState::kFlushed) == kNone; }

void Sm::find_earliest() { earliest_ = *std::min_element(ends_at_q_.begin(), ends_at_q_.end()); }

Cycle Sm::next_activity() const {
  Cycle next = u_loop_unit_.is_on() ? std::min(earliest_, u_loop_unit_.next_activity()) : earliest_;
  switch (state_q_) {
    case State::kDraining:
    case State::kFlushing:
      if (earliest_ == kNever && is_empty()) return 0;
      next = std::min(next, until_q_);
      break;
    case State::kDrainingRest:
      if (earliest_ == kNever && is_empty()) return 0;
      break;
    case State::kSettingUp:
    case State::kEnteringTrap:
      next = std::min(next, until_q_);
      break;
    case State::kIdle:
    case State::kRunning:
    case State::kSaving:
      break;
  }
  switch (transfer_q_) {
    case Transfer::kDone:
      return 0;
    case Transfer::kStarting:
    case Transfer::kUnpacking:
      return std::min(next, restore_at_q_);
    case Transfer::kMoving:
      return std::min(next, handles_left_q_ > 0 ? first_handle_at() : around_.channel.end_of(index_));
    case Transfer::kOff:
      break;
  }
  return next;
}

// Another TB's end, the end of a latency or of a transfer.
Cycle Sm::next_change() const {
  Cycle next = until_q_ > now_ ? until_q_ : kNever;
  if (u_loop_unit_.is_on()) next = std::min(next, u_loop_unit_.next_activity());
  for (const Cycle end : ends_at_q_) {
    if (end > now_) next = std::min(next, end);
  }
  const bool is_restore_due = transfer_q_ == Transfer::kStarting || transfer_q_ == Transfer::kUnpacking;
  if (is_restore_due) next = std::min(next, restore_at_q_);
  if (transfer_q_ == Transfer::kMoving) {
    next = std::min(next, handles_left_q_ > 0 ? first_handle_at() : around_.channel.end_of(index_));
  }
  return next;
}

void Sm::list_signals(ISignalSink& signals) const {
  signals.enter("u_sm_" + std::to_string(index_));
  signals.signal("event_valid_o", 1, [this] { return out_.event_valid; });
  signals.signal("event_kind_o", 3, [this] { return static_cast<std::uint64_t>(out_.event); });
  signals.signal("handle_valid_o", 1, [this] { return out_.handle_valid; });
  signals.signal("handle_tb_o", 32, [this] { return out_.handle_tb; });
  signals.signal("handle_stack_pointer_o", 32, [this] { return out_.handle_stack_pointer; });
  signals.signal("state_q", 3, [this] { return static_cast<std::uint64_t>(state_q_); });
  signals.signal("transfer_q", around_.params.microcode.is_there() ? 3 : 2,
                 [this] { return static_cast<std::uint64_t>(transfer_q_); });
  signals.signal("context_q", context_q_.width(), [this] { return context_q_; });
  signals.signal("page_table_q", page_table_q_.width(), [this] { return page_table_q_; });
  signals.signal("descriptor_q", descriptor_q_.width(), [this] { return descriptor_q_; });
  if (around_.params.tag_width > 0) signals.signal("tag_q", tag_q_.width(), [this] { return tag_q_; });
  signals.signal("smem_config_q", 32, [this] { return smem_config_q_; });
  signals.signal("until_q", 48, [this] { return until_q_; });
  signals.signal("handles_left_q", 7, [this] { return handles_left_q_; });
  for (std::size_t i = 0; i < slots_q_.size(); ++i) {
    const Slot& slot = slots_q_[i];
    signals.signal(indexed("slot_state_q", i), 3, [&slot] { return static_cast<std::uint64_t>(slot.state); });
    signals.signal(indexed("slot_tb_q", i), 32, [&slot] { return slot.tb; });
    signals.signal(indexed("slot_register_base_q", i), 32, [&slot] { return slot.register_base; });
    signals.signal(indexed("slot_smem_base_q", i), 32, [&slot] { return slot.smem_base; });
    signals.signal(indexed("slot_ends_at_q", i), 48, [this, i] { return ends_at_q_[i]; });
  }
  if (around_.params.has_loops) u_loop_unit_.list_signals(signals);
  signals.leave();
}

}  // namespace tessera::rtl_model
