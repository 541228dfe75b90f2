// SPDX-License-Identifier: Apache-2.0
// The rules of a kept turn, by their numbers in docs/hardware/timing.md 3.12.
#include "model/policy/kept_turn.h"

#include <tuple>

namespace tessera::policy {
namespace {

std::uint32_t bit(ContextId context) { return static_cast<std::uint32_t>(index(context)); }

}  // namespace

KeptTurn::KeptTurn(const spec::SchedulerSpec& rules, std::uint32_t num_contexts)
    : rules_(rules), slice_ends_(num_contexts, spec::SliceEnd::kTechnique) {}

bool KeptTurn::Registers::operator==(const Registers& other) const {
  const auto all = [](const Registers& r) {
    return std::tie(r.state, r.owner, r.next, r.has_next, r.has_tick, r.is_over, r.runs, r.evicts, r.is_loaded,
                    r.is_unlisted, r.from_nobody, r.switches, r.has_started);
  };
  return all(*this) == all(other);
}

// ---- what is seen --------------------------------------------------------------------------------------------

spec::SliceEnd KeptTurn::eviction() const {
  return now_.from_nobody ? spec::SliceEnd::kTechnique : slice_ends_[index(now_.owner)];
}

// With `wait`, what is active runs to its end while the turn is on its way.
bool KeptTurn::waits_for_kernels() const {
  return now_.state == TurnState::kLeaving && !now_.from_nobody &&
         slice_ends_[index(now_.owner)] == spec::SliceEnd::kWait;
}

SeenTurn KeptTurn::seen(const ContextSet& listed) const {
  const bool waits = waits_for_kernels();
  const bool is_owned = now_.state == TurnState::kOwned && listed.has(bit(now_.owner));
  return {now_.owner, is_owned || waits, !waits, is_spread_over_sms()};
}

// 11. Every slice that is not a renewed one begins as the timer is wanted again.
bool KeptTurn::wants_slice_timer(const TurnView& view) const {
  const ContextSet present = view.present();
  const bool has_somebody = rules_.dry_owner == spec::DryOwner::kKeeps ? present.any() : present.has(bit(now_.owner));
  return now_.state == TurnState::kOwned && !now_.is_over && has_somebody;
}

// ---- inputs --------------------------------------------------------------------------------------------------

void KeptTurn::tick() {
  if (now_.state == TurnState::kOwned && then_.state == TurnState::kOwned) then_.has_tick = true;
}

TurnEvents KeptTurn::switch_over() {
  if (now_.state != TurnState::kSwitching || !now_.has_started) return {};
  begin();
  TurnEvents events;
  events.began = true;
  return events;
}

void KeptTurn::evicted() { then_.evicts = false; }

void KeptTurn::set_slice_end(ContextId context, spec::SliceEnd slice_end) { slice_ends_[index(context)] = slice_end; }

void KeptTurn::restart(const spec::SchedulerSpec& rules) {
  rules_ = rules;
  then_ = {};
}

// ---- a look --------------------------------------------------------------------------------------------------

TurnEvents KeptTurn::look(const TurnView& view) {
  switch (now_.state) {
    case TurnState::kNobody:
      return look_for_somebody(view);
    case TurnState::kOwned:
      return look_at_owner(view);
    case TurnState::kLeaving:
      return look_at_leaving(view);
    case TurnState::kSwitching:
      return look_at_switch();
  }
  return {};
}

TurnEvents KeptTurn::look_for_somebody(const TurnView& view) {
  const std::uint32_t first = view.present().next_in_turn(bit(now_.owner));
  if (first == kNone) return {};
  then_.next = ContextId(first);
  then_.runs = false;
  if (is_spread_over_sms()) {
    switch_to_next();
    return {};
  }
  then_.state = TurnState::kLeaving;
  then_.from_nobody = true;
  then_.evicts = view.is_any_sm_used;
  return {};
}

TurnEvents KeptTurn::look_at_owner(const TurnView& view) {
  const ContextSet present = view.present();
  const ContextSet others = present.without(ContextSet::of(bit(now_.owner)));
  const bool is_queued = view.queued.has(bit(now_.owner));
  choose_next(others, present, is_queued);
  if (present.has(bit(now_.owner))) return end_slice(view, others.any(), is_queued);
  const bool is_off_the_list = view.active.has(bit(now_.owner));
  // 2. It is dry, and others wait.
  if (is_off_the_list) return pass(PassCause::kUnlisted, view);
  if (others.any()) {
    if (rules_.dry_owner == spec::DryOwner::kKeeps) return end_slice(view, true, is_queued);
    return pass(PassCause::kDry, view);
  }
  // 3. Nobody waits: it keeps the turn, and what comes to it begins a slice.
  then_.has_tick = false;
  then_.is_over = false;
  return {};
}

// 4. The slice is over.
TurnEvents KeptTurn::end_slice(const TurnView& view, bool others_wait, bool is_queued) {
  if (!is_tick_waiting() || view.is_any_sm_changing_hands) return {};
  if (others_wait) return pass(PassCause::kSliceOver, view);
  const bool is_renewed = rules_.slice_renewal == spec::SliceRenewal::kAlways ||
                          (rules_.slice_renewal == spec::SliceRenewal::kQueued && is_queued);
  then_.has_tick = false;
  then_.is_over = !is_renewed;
  return {};
}

// 5. Fixed by the first who waits while nothing is behind what runs.
void KeptTurn::choose_next(const ContextSet& others, const ContextSet& present, bool is_queued) {
  if (rules_.next_turn == spec::NextTurn::kAtEnd) return;
  if (is_queued || (now_.has_next && !present.has(bit(now_.next)))) {
    then_.has_next = false;
  } else if (!now_.has_next && others.any()) {
    then_.next = first_behind_owner(others);
    then_.has_next = true;
  }
}

// 6. The turn passes.
TurnEvents KeptTurn::pass(PassCause cause, const TurnView& view) {
  const std::uint32_t owner = bit(now_.owner);
  const ContextSet others = view.present().without(ContextSet::of(owner));
  const bool is_fixed = now_.has_next && !view.queued.has(owner) && others.has(bit(now_.next));
  then_.next = is_fixed || !others.any() ? now_.next : first_behind_owner(others);
  then_.is_unlisted = !others.any();
  then_.has_tick = then_.is_over = then_.has_next = false;
  then_.runs = view.is_any_sm_used;
  TurnEvents events;
  events.passed = cause;
  if (!is_spread_over_sms()) {
    then_.state = TurnState::kLeaving;
    then_.from_nobody = false;
    const bool has_something = view.is_any_sm_used || view.active.has(owner);
    then_.evicts = has_something && slice_ends_[owner] != spec::SliceEnd::kWait;
  } else if (then_.is_unlisted) {
    then_.state = TurnState::kNobody;
    then_.is_unlisted = false;
  } else {
    switch_to_next();
  }
  return events;
}

// 9. Everything has left.
TurnEvents KeptTurn::look_at_leaving(const TurnView& view) {
  if (now_.evicts || view.is_any_sm_used) return {};
  if (waits_for_kernels() && view.active.has(bit(now_.owner))) return {};
  if (now_.is_unlisted) {
    then_.state = TurnState::kNobody;
    then_.is_unlisted = false;
  } else {
    switch_to_next();
  }
  return {};
}

void KeptTurn::switch_to_next() {
  then_.switches = now_.is_loaded && then_.next != now_.owner;
  then_.state = TurnState::kSwitching;
  then_.has_started = false;
  then_.owner = then_.next;
}

// 10. Where there is nothing to switch, the turn begins.
TurnEvents KeptTurn::look_at_switch() {
  TurnEvents events;
  if (now_.has_started) return events;
  if (now_.switches) {
    then_.has_started = true;
    events.switch_starts = true;
  } else {
    begin();
    events.began = true;
  }
  return events;
}

void KeptTurn::begin() {
  then_.state = TurnState::kOwned;
  then_.is_loaded = true;
}

ContextId KeptTurn::first_behind_owner(const ContextSet& present) const {
  return ContextId(present.next_in_turn(bit(now_.owner) + 1));
}

}  // namespace tessera::policy
