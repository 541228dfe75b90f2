// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/sm_agent.h"

#include <algorithm>

#include "rtl_model/sm/flushed_handle.h"

namespace tessera::testbench {

using rtl_model::kNone;
using rtl_model::SmEventKind;

namespace {

constexpr Range kHurry = {1, 4};

}  // namespace

SmAgent::SmAgent(const Profile& profile, std::uint64_t seed)
    : profile_(profile.sms), random_(seed), slots_(profile.params.max_tbs_per_sm) {}

// ---- what it shows -------------------------------------------------------------------------------------------

std::optional<SmAgent::Event> SmAgent::event(Cycle now) const {
  if (now < next_activity_) return {};
  if (find_finished(now) != kNone) return Event{SmEventKind::kTbDone};
  if (!owed_tags_.empty()) return Event{SmEventKind::kSetupDone, owed_tags_.front()};
  if (is_setting_up_) return set_up_at_ <= now ? std::optional(Event{SmEventKind::kSetupDone, tag_}) : std::nullopt;
  if (restored_at_ <= now) return Event{SmEventKind::kRestoreDone};
  if (is_trapped_ && is_empty() && preempted_at_ <= now) return Event{SmEventKind::kPreempted};
  return {};
}

std::optional<SmAgent::Handle> SmAgent::handle(Cycle now) const {
  if (now < next_handle_at_) return {};
  return Handle{slots_[find(Slot::kStopped)].tb, stack_pointer_, num_stopped_ == 1};
}

std::uint32_t SmAgent::find(Slot state) const {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].state == state) return slot;
  }
  return kNone;
}

std::uint32_t SmAgent::find_finished(Cycle now) const {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].ends_at <= now) return slot;
  }
  return kNone;
}

void SmAgent::find_next_activity() {
  next_activity_ = next_handle_at_;
  for (const Resident& slot : slots_) next_activity_ = std::min(next_activity_, slot.ends_at);
  next_activity_ = std::min(next_activity_, is_setting_up_ ? set_up_at_ : restored_at_);
  if (is_trapped_ && is_empty()) next_activity_ = std::min(next_activity_, preempted_at_);
  if (!owed_tags_.empty()) next_activity_ = 0;
}

// ---- what is taken, and what comes ---------------------------------------------------------------------------

void SmAgent::event_taken(Cycle now, SmEventKind kind) {
  switch (kind) {
    case SmEventKind::kTbDone:
      slots_[find_finished(now)] = {};
      if (is_trapped_) preempted_at_ = std::max(preempted_at_, now + 1);
      break;
    case SmEventKind::kSetupDone:
      if (owed_tags_.empty()) {
        is_setting_up_ = false;
      } else {
        owed_tags_.pop_front();
      }
      break;
    case SmEventKind::kRestoreDone:
      restored_at_ = kNever;
      break;
    case SmEventKind::kPreempted:
      is_trapped_ = false;
      preempted_at_ = kNever;
      break;
  }
  find_next_activity();
}

void SmAgent::handle_taken(Cycle now) {
  slots_[find(Slot::kStopped)] = {};
  stack_pointer_ = draw_stack_pointer();
  --num_stopped_;
  next_handle_at_ = num_stopped_ != 0 ? now + random_.in(profile_.handle_gap) : kNever;
  if (num_stopped_ == 0) preempted_at_ = now + (random_.one_in(2) ? 1 : random_.in(profile_.handle_gap));
  find_next_activity();
}

// What an earlier command would still have shown goes away, but for a restore done: that comes when it is set up. A
// set-up that is not answered yet may be so all the same.
void SmAgent::set_up(Cycle now, std::uint32_t tag) {
  if (is_setting_up_ && profile_.links.answers_superseded) owed_tags_.push_back(tag_);
  is_setting_up_ = true;
  tag_ = tag;
  set_up_at_ = now + random_.in(profile_.setup);
  is_trapped_ = false;
  preempted_at_ = kNever;
  find_next_activity();
}

// TBs that end before the pipeline is empty finish; the others stand still, and are saved. A flush drops some of them.
void SmAgent::stop(Cycle now, rtl_model::SmControlKind command) {
  is_flushing_ = command == rtl_model::SmControlKind::kFlush;
  const Cycle freeze = now + random_.in(profile_.drain);
  is_trapped_ = true;
  for (Resident& slot : slots_) {
    if (slot.state != Slot::kRunning || slot.ends_at <= freeze) continue;
    slot.state = Slot::kStopped;
    slot.ends_at = kNever;
    ++num_stopped_;
  }
  if (num_stopped_ == 0) {
    preempted_at_ = now + 1;
  } else {
    next_handle_at_ = freeze + random_.in(profile_.save);
    stack_pointer_ = draw_stack_pointer();
  }
  find_next_activity();
}

void SmAgent::receive(Cycle now, const rtl_model::DispatchPins& dispatch) {
  const std::uint32_t slot = find(Slot::kFree);
  if (slot == kNone) return;  // the scoreboard says so
  const bool waits = dispatch.is_restore && !rtl_model::is_flushed(dispatch.stack_pointer);
  slots_[slot] = {waits ? Slot::kRestoring : Slot::kRunning, dispatch.tb, kNever};
  if (!waits) slots_[slot].ends_at = end_of_tb(now);
  if (dispatch.is_restore && dispatch.last) {
    restored_at_ = now + random_.in(profile_.restore);
    for (Resident& restored : slots_) {
      if (restored.state == Slot::kRestoring) restored = {Slot::kRunning, restored.tb, end_of_tb(restored_at_)};
    }
  }
  find_next_activity();
}

void SmAgent::hurry(Cycle now) {
  // A TB whose context is not in yet does not run.
  const Cycle from = restored_at_ == kNever ? now : std::max(now, restored_at_);
  for (Resident& slot : slots_) {
    if (slot.state == Slot::kRunning) slot.ends_at = std::min(slot.ends_at, from + random_.in(kHurry));
  }
  find_next_activity();
}

// Of the next handle: where the context lies, or that there is none.
std::uint32_t SmAgent::draw_stack_pointer() {
  if (!is_flushing_ || random_.one_in(2)) return static_cast<std::uint32_t>(random_.next());
  return rtl_model::flushed_stack_pointer(static_cast<std::uint32_t>(random_.in(1, spec::kMaxFlushes)));
}

Cycle SmAgent::end_of_tb(Cycle start) {
  const Cycle end = start + random_.in(profile_.duration);
  return (end + profile_.quantum - 1) / profile_.quantum * profile_.quantum;
}

}  // namespace tessera::testbench
