// SPDX-License-Identifier: Apache-2.0
// An SM's cycle.
#include "tests/scheduler/sm_model.h"

#include <algorithm>

#include "rtl_model/sm/flushed_handle.h"

namespace tessera::rtl_model::test {

// ---- outputs -------------------------------------------------------------------------------------------------

std::optional<SmEventKind> SmModel::event() const {
  if (count(SlotState::kFinished) > 0) return SmEventKind::kTbDone;
  if (state_ == State::kSettingUp && cycles_left_ == 0) return SmEventKind::kSetupDone;
  if (state_ == State::kRunning && awaits_restore_ && !is_batch_open_ && restore_left_ == 0 && restore_hidden_ == 0) {
    return SmEventKind::kRestoreDone;
  }
  const bool holds_tbs = num_resident() > 0;
  if (state_ == State::kDraining && !holds_tbs) return SmEventKind::kPreempted;
  if (state_ == State::kSaving && handles_left() == 0 && cycles_left_ == 0) return SmEventKind::kPreempted;
  return std::nullopt;
}

std::optional<HandlePins> SmModel::handle() const {
  if (handles_left() == 0 || cycles_left_ != 0) return std::nullopt;
  const Slot& slot = *lowest(SlotState::kFrozen);
  return HandlePins{true, 0, slot.tb, slot.stack_pointer};
}

bool SmModel::is_at_rest() const {
  return !event() && cycles_left_ == 0 && handles_left() == 0 && restore_left_ == 0 && restore_hidden_ == 0 &&
         count(SlotState::kRunning) + count(SlotState::kRestoring) == 0;
}

// ---- what the core takes -------------------------------------------------------------------------------------

void SmModel::event_taken(SmEventKind kind) {
  switch (kind) {
    case SmEventKind::kTbDone: {
      Slot& slot = *lowest(SlotState::kFinished);
      Tb& finished = tb(slot.tb);
      expect(finished.state == Tb::State::kResident, "a thread block ends that does not run");
      finished.state = Tb::State::kDone;
      ++ledger_.kernel(descriptor_).num_done;
      slot.state = SlotState::kFree;
      return;
    }
    case SmEventKind::kSetupDone:
      state_ = State::kRunning;
      return;
    case SmEventKind::kRestoreDone:
      awaits_restore_ = false;
      return;
    case SmEventKind::kPreempted:
      for (Slot& slot : slots_) slot.state = SlotState::kFree;
      state_ = State::kIdle;
      return;
  }
}

void SmModel::handle_taken() {
  Slot& slot = *lowest(SlotState::kFrozen);
  slot.state = SlotState::kSaved;
  Kernel& kernel = ledger_.kernel(descriptor_);
  Tb& saved = kernel.tbs[slot.tb];
  saved.state = Tb::State::kSaved;
  saved.cycles_left = slot.cycles_left;
  saved.stack_pointer = slot.stack_pointer;
  ++kernel.num_saved;
}

// ---- what the core sends -------------------------------------------------------------------------------------

void SmModel::set_up(const SmControlPins& pins) {
  expect(num_resident() == 0, "a set-up for an SM that holds thread blocks");
  for (Slot& slot : slots_) slot.state = SlotState::kFree;
  descriptor_ = pins.descriptor;
  tag_ = pins.tag;
  state_ = State::kSettingUp;
  cycles_left_ = random_.in(latencies_.set_up);
}

void SmModel::stop(SmControlKind command) {
  expect(state_ == State::kRunning, "a trap for an SM that is not set up, or trapped already");
  expect(!awaits_restore_, "a trap for an SM that is being restored");
  state_ = State::kDraining;
  is_flushing_ = command == SmControlKind::kFlush;
  cycles_left_ = random_.in(latencies_.drain);
}

void SmModel::dispatch(const DispatchPins& pins) {
  expect(state_ == State::kRunning, "a thread block for an SM that is not set up, or trapped");
  expect(!awaits_restore_ || is_batch_open_, "a thread block for an SM that is being restored");
  Kernel& kernel = ledger_.kernel(descriptor_);
  expect(num_resident() < kernel.command.tbs_per_sm, "an SM is over-filled");
  expect(pins.tb < kernel.tbs.size(), "a thread block that the kernel does not have");
  Slot& slot = *lowest(SlotState::kFree);
  Tb& sent = kernel.tbs[pins.tb];
  slot.tb = pins.tb;
  if (pins.is_restore) {
    expect(sent.state == Tb::State::kSaved, "a handle of a thread block that was not saved");
    expect(sent.stack_pointer == pins.stack_pointer, "a handle with another stack pointer");
    slot.state = is_flushed(pins.stack_pointer) ? SlotState::kRunning : SlotState::kRestoring;
    slot.cycles_left = sent.cycles_left;
    --kernel.num_saved;
    awaits_restore_ = true;
    is_batch_open_ = !pins.last;
    if (pins.last) restore_left_ = random_.in(latencies_.restore);
    // The event comes late now and then, and thread blocks end before.
    restore_hidden_ = random_.one_in(4) ? random_.in(latencies_.duration) : 0;
  } else {
    expect(!is_batch_open_, "a fresh thread block within a batch of handles");
    expect(sent.state == Tb::State::kNotIssued, "a fresh thread block that was issued before");
    expect(!pins.last, "a fresh thread block is the last of a batch");
    slot.state = SlotState::kRunning;
    slot.cycles_left = random_.in32(static_cast<std::uint32_t>(latencies_.duration.first),
                                    static_cast<std::uint32_t>(latencies_.duration.last));
  }
  sent.state = Tb::State::kResident;
}

// ---- edge ----------------------------------------------------------------------------------------------------

void SmModel::clock_edge() {
  if (restore_left_ == 0 && restore_hidden_ > 0) --restore_hidden_;
  if (restore_left_ > 0 && --restore_left_ == 0) restored();
  if (state_ == State::kRunning || state_ == State::kDraining) advance_tbs();
  if (cycles_left_ == 0 || --cycles_left_ > 0) return;
  if (state_ == State::kEntering) state_ = State::kSaving;
  if (state_ == State::kDraining && num_resident() > count(SlotState::kFinished)) freeze();
}

void SmModel::advance_tbs() {
  for (Slot& slot : slots_) {
    if (slot.state == SlotState::kRunning && --slot.cycles_left == 0) slot.state = SlotState::kFinished;
  }
}

void SmModel::restored() {
  for (Slot& slot : slots_) {
    if (slot.state == SlotState::kRestoring) slot.state = SlotState::kRunning;
  }
}

void SmModel::freeze() {
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::kRunning) continue;
    slot.state = SlotState::kFrozen;
    const bool is_dropped = is_flushing_ && random_.one_in(2);
    slot.stack_pointer = is_dropped ? flushed_stack_pointer(1) : static_cast<std::uint32_t>(random_.next());
  }
  cycles_left_ = random_.in(latencies_.entry);
  state_ = cycles_left_ == 0 ? State::kSaving : State::kEntering;
}

// ---- slots ---------------------------------------------------------------------------------------------------

std::uint32_t SmModel::count(SlotState state) const {
  return static_cast<std::uint32_t>(
      std::count_if(slots_.begin(), slots_.end(), [state](const Slot& slot) { return slot.state == state; }));
}

// Saved ones are on their way out.
std::uint32_t SmModel::num_resident() const {
  return static_cast<std::uint32_t>(slots_.size()) - count(SlotState::kFree) - count(SlotState::kSaved);
}

SmModel::Slot* SmModel::lowest(SlotState state) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [state](const Slot& s) { return s.state == state; });
  expect(slot != slots_.end(), "an SM without a slot for what it is sent");
  return &*slot;
}

Tb& SmModel::tb(std::uint32_t index) { return ledger_.kernel(descriptor_).tbs.at(index); }

}  // namespace tessera::rtl_model::test
