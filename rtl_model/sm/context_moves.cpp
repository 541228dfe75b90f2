// SPDX-License-Identifier: Apache-2.0
// An SM's trap, its save and its restore ([T14] 3.2). What a flush drops is saved by nobody: flush.cpp.
#include <algorithm>

#include "rtl_model/sm/sm.h"

namespace tessera::rtl_model {

// ---- trap and save -------------------------------------------------------------------------------------------

// The trap is precise: the pipeline drains first, counted from the decision, and TBs sent to the SM before
// the trap have started.
void Sm::trap() {
  stopped_at_q_ = std::max(now_, last_start_q_);
  drain_pipeline(now_ + 1);
}

void Sm::drain_pipeline(Cycle earliest) {
  state_q_ = State::kDraining;
  until_q_ = std::max(stopped_at_q_ + around_.params.pipeline_drain_cycles, earliest);
}

// As seq() will find it.
bool Sm::is_freezing() const {
  if (state_q_ == State::kDraining) return until_q_ <= now_;
  const bool saves_rest = around_.params.scheduler.flush_fallback == spec::FlushFallback::kContextSwitch;
  return state_q_ == State::kFlushing && until_q_ <= now_ && saves_rest &&
         stopped_at_q_ + around_.params.pipeline_drain_cycles <= now_;
}

// TBs that have not finished by now stand still.
void Sm::freeze() {
  std::uint32_t num_stopped = 0;
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    Slot& s = slots_q_[slot];
    Cycle& ends_at = ends_at_q_[slot];
    if (s.state != SlotState::kRunning || ends_at <= now_) continue;
    s.state = SlotState::kStopped;
    s.remaining = ends_at == kNever ? kNever : ends_at - now_;
    s.loop = u_loop_unit_.is_on() ? u_loop_unit_.freeze(slot, now_) : LoopRegisters{};
    ends_at = kNever;
    ++num_stopped;
  }
  find_earliest();
  if (num_stopped == 0) return send_flushed();  // nothing to save
  around_.observer.tbs_stopped(index_, num_stopped, now_);
  moving_bytes_q_ = num_stopped * launch_.context_bytes_per_tb();
  handles_left_q_ = num_stopped + count(SlotState::kFlushed);
  state_q_ = State::kEnteringTrap;
  until_q_ = now_ + around_.params.trap_entry_cycles + around_.params.microcode.save_cycles(num_stopped, launch_);
}

void Sm::request_transfers() {
  starts_transfer_ = state_q_ == State::kEnteringTrap && until_q_ <= now_;
  ends_transfer_ = ends_bytes_ = false;
  if (transfer_q_ == Transfer::kStarting && restore_at_q_ <= now_) {
    if (moving_bytes_q_ > 0) return start_restore(moving_bytes_q_);
    ends_transfer_ = true;  // flushed TBs have nothing to come in
    return;
  }
  ends_bytes_ = transfer_q_ == Transfer::kMoving && around_.channel.end_of(index_) <= now_;
  const bool is_unpacked = transfer_q_ == Transfer::kUnpacking && restore_at_q_ <= now_;
  ends_transfer_ = (ends_bytes_ && unpacking_cycles() == 0) || is_unpacked;
  if (starts_transfer_) around_.observer.save_started(index_, moving_bytes_q_, now_);
  if (ends_transfer_ && state_q_ == State::kRunning) load_contexts();
  if (starts_transfer_ || ends_bytes_) {
    around_.channel.request(index_, {starts_transfer_, ends_bytes_, moving_bytes_q_}, now_);
  }
}

// Of the microcode of a restore, once the bytes are there.
Cycle Sm::unpacking_cycles() const {
  if (state_q_ != State::kRunning) return 0;
  return around_.params.microcode.restore_cycles(count(SlotState::kRestoring), launch_);
}

// Each TB gets an area of its kernel's preallocated memory.
void Sm::start_save() {
  state_q_ = State::kSaving;
  for (Slot& s : slots_q_) {
    if (s.state != SlotState::kStopped) continue;
    const ContextOwner owner{context_q_, static_cast<std::uint64_t>(launch_.id), s.tb};
    s.stack_pointer =
        around_.contexts.save(owner, {s.remaining, s.num_flushes, s.loop}, launch_.context_bytes_per_tb());
  }
}

// Handles leave in slot order in the shadow of the last bytes: the last one is out when the image is.
Cycle Sm::first_handle_at() const {
  const Cycle end = around_.channel.end_of(index_);
  return end > handles_left_q_ ? end - handles_left_q_ : 0;
}

void Sm::show_handle() {
  out_.handle_valid = state_q_ == State::kSaving && handles_left_q_ > 0 &&
                      (transfer_q_ == Transfer::kDone || first_handle_at() <= now_);
  if (!out_.handle_valid) return;
  const Slot& s = slots_q_[next_handle()];
  out_.handle_tb = s.tb;
  out_.handle_stack_pointer = s.stack_pointer;
  out_.handle_last = handles_left_q_ == 1;
}

void Sm::handle_taken() {
  const std::uint32_t slot = next_handle();
  Slot& s = slots_q_[slot];
  if (s.state == SlotState::kStopped) around_.observer.handle_sent(index_, slot, s.tb);
  s.state = SlotState::kSent;
  --handles_left_q_;
}

std::uint32_t Sm::next_handle() const { return std::min(lowest(SlotState::kStopped), lowest(SlotState::kFlushed)); }

void Sm::preempted() {
  for (Slot& s : slots_q_) {
    if (s.state == SlotState::kSent) s.state = SlotState::kFree;
  }
  state_q_ = State::kIdle;
  transfer_q_ = Transfer::kOff;
}

// ---- restore -------------------------------------------------------------------------------------------------

// The last handle of a batch has the issue latency of a TB, of which the core took its part.
Cycle Sm::restore_start() const { return std::max(now_, now_ + around_.params.tb_issue_cycles - Params::kRestoreLead); }

void Sm::start_restore(std::uint64_t bytes) {
  starts_transfer_ = true;
  around_.channel.request(index_, {true, false, bytes}, now_);
  around_.observer.restore_started(index_, bytes, now_);
}

void Sm::receive_handle(const DispatchPins& dispatch) {
  if (is_flushed(dispatch.stack_pointer)) {
    restart(dispatch);
  } else {
    slots_q_[occupy(SlotState::kRestoring, dispatch.tb)].stack_pointer = dispatch.stack_pointer;
  }
  if (!dispatch.last) return;
  moving_bytes_q_ = count(SlotState::kRestoring) * launch_.context_bytes_per_tb();
  if (transfer_q_ == Transfer::kMoving) return;  // since this cycle
  transfer_q_ = Transfer::kStarting;
  restore_at_q_ = restore_start();
}

void Sm::load_contexts() {
  const std::uint64_t bytes = launch_.context_bytes_per_tb();
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    Slot& s = slots_q_[slot];
    if (s.state != SlotState::kRestoring) continue;
    const ContextStore::Restored restored =
        around_.contexts.restore(s.stack_pointer, {context_q_, static_cast<std::uint64_t>(launch_.id), s.tb}, bytes);
    s.remaining = restored.progress.remaining;
    s.num_flushes = restored.progress.num_flushes;
    if (u_loop_unit_.is_on()) u_loop_unit_.resume(slot, restored.progress.loop, now_);
    around_.observer.tb_restored(index_, slot, s.tb, restored.mismatch, now_);
  }
  around_.observer.restore_done(index_, moving_bytes_q_, now_ - move_started_q_, now_);
}

// The TBs run on from where they stood.
void Sm::resume_restored() {
  for (std::uint32_t slot = 0; slot < slots_q_.size(); ++slot) {
    if (slots_q_[slot].state != SlotState::kRestoring) continue;
    slots_q_[slot].state = SlotState::kRunning;
    ends_at_q_[slot] = std::min(now_ + slots_q_[slot].remaining, kNever);
  }
  find_earliest();
}

}  // namespace tessera::rtl_model
