// SPDX-License-Identifier: Apache-2.0
// The four states of a kept turn.
#include "rtl_model/policy/turn.h"

#include <tuple>

#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {

Turn::Turn(const CoreParams& params, const Tables& tables)
    : is_there_(params.has_kept_turn), tables_(tables), slice_ends_q_(params.num_contexts) {}

bool Turn::Registers::operator==(const Registers& other) const {
  const auto all = [](const Registers& of) {
    return std::tie(of.state, of.turn, of.next, of.has_next, of.tick, of.over, of.runs, of.evicts, of.loaded,
                    of.unlisted, of.passed, of.is_first, of.switches);
  };
  return all(*this) == all(other);
}

// ---- functions of registers ----------------------------------------------------------------------------------

bool Turn::waits_for_kernels() const {
  return q_.state == State::kLeaving && q_.passed && slice_ends_q_[q_.turn] == spec::SliceEnd::kWait;
}

bool Turn::evicts_by_draining(const PolicyRegister& policy) const {
  if (q_.passed && slice_ends_q_[q_.turn] == spec::SliceEnd::kDrain) return true;
  if (q_.passed && slice_ends_q_[q_.turn] == spec::SliceEnd::kContextSwitch) return false;
  return policy.is_draining();
}

bool Turn::begins(bool switch_over) const {
  if (q_.state != State::kSwitching) return false;
  return q_.is_first ? !q_.switches : switch_over;
}

void Turn::show(bool switch_over, EventPins& events) const {
  events.turn_passed = passes_;
  if (passes_) events.turn_cause = cause_;
  events.turn_began = begins(switch_over);
}

// ---- what follows from registers -----------------------------------------------------------------------------

void Turn::settle(const PolicyRegister& policy) {
  const bool was_kept = is_kept_;
  is_kept_ = is_turn_kept(policy);
  if (!is_kept_ && !was_kept) return;
  takes_all_ = policy.evicts;
  d_ = q_;
  passes_ = false;
  if (!is_kept_) return;
  queued_ = waiting_q_ | tables_.command_buffers.contexts();
  present_ = listed_q_ & (queued_ | tables_.contexts.active());
  switch (q_.state) {
    case State::kNobody:
      return settle_nobody();
    case State::kOwned:
      return settle_owned();
    case State::kLeaving:
      return settle_leaving();
    case State::kSwitching:
      d_.is_first = false;
  }
}

void Turn::settle_nobody() {
  if (!present_.any()) return;
  d_.next = present_.next_in_turn(q_.turn);
  if (!takes_all_) return switch_to(d_.next);
  d_.state = State::kLeaving;
  d_.passed = d_.runs = false;
  d_.evicts = !tables_.smst.are_all_idle();
}

void Turn::settle_owned() {
  // 1.
  const bool do_others_wait = present_.without(RowSet::of(q_.turn)).any();
  const bool is_dry = !present_.has(q_.turn);
  // 2. and 3.
  if (is_dry && has_kernels(q_.turn)) return pass(TurnCause::kUnlisted, do_others_wait);
  if (is_dry && do_others_wait) return pass(TurnCause::kDry, true);
  if (is_dry) d_.tick = d_.over = false;
  // 4.
  if (!is_dry && (q_.tick || q_.over) && !tables_.smst.is_changing_hands()) {
    if (do_others_wait) return pass(TurnCause::kSliceOver, true);
    d_.tick = false;
    d_.over = !queued_.has(q_.turn);
  }
  // 5.
  find_next(do_others_wait);
}

void Turn::find_next(bool do_others_wait) {
  if (queued_.has(q_.turn) || (q_.has_next && !present_.has(q_.next))) {
    d_.has_next = false;
  } else if (!q_.has_next && do_others_wait) {
    d_.next = first_behind_turn();
    d_.has_next = true;
  }
}

void Turn::pass(TurnCause cause, bool do_others_wait) {
  passes_ = true;
  cause_ = cause;
  const bool is_next_fixed = q_.has_next && !queued_.has(q_.turn) && present_.has(q_.next);
  if (do_others_wait && !is_next_fixed) d_.next = first_behind_turn();
  d_.unlisted = !do_others_wait;
  d_.tick = d_.over = d_.has_next = false;
  d_.runs = !tables_.smst.are_all_idle();
  if (takes_all_) {
    d_.state = State::kLeaving;
    d_.passed = true;
    const bool holds_something = d_.runs || has_kernels(q_.turn);
    d_.evicts = holds_something && slice_ends_q_[q_.turn] != spec::SliceEnd::kWait;
  } else if (do_others_wait) {
    switch_to(d_.next);
  } else {
    d_.state = State::kNobody;
  }
}

void Turn::settle_leaving() {
  const bool is_empty = !q_.evicts && tables_.smst.are_all_idle();
  if (!is_empty || (waits_for_kernels() && has_kernels(q_.turn))) return;
  if (!q_.unlisted) return switch_to(q_.next);
  d_.state = State::kNobody;
  d_.unlisted = false;
}

// Nothing of the first owner was there before it, and the last one's is still there.
void Turn::switch_to(std::uint32_t context) {
  d_.state = State::kSwitching;
  d_.is_first = true;
  d_.switches = q_.loaded && context != q_.turn;
  d_.turn = context;
}

// ---- the edge ------------------------------------------------------------------------------------------------

void Turn::seq(const SchedulerInputs& pins, const Inputs& inputs) {
  if (!is_there_) return;
  const bool is_slice_over = pins.slice_tick && q_.state == State::kOwned && !passes_;
  const bool is_begun = begins(pins.switch_over);
  if (inputs.writes_policy) {
    q_ = {};
  } else if (is_kept_) {
    q_ = d_;
    if (is_slice_over) q_.tick = true;
    if (inputs.ends_eviction || inputs.drops_eviction) q_.evicts = false;
    if (is_begun) {
      q_.state = State::kOwned;
      q_.loaded = true;
    }
  }
  has_waiting_changed_q_ = waiting_q_ != pins.waiting;
  waiting_q_ = pins.waiting;
  listed_q_ = pins.listed;
  if (inputs.slice_end != nullptr) {
    slice_ends_q_[inputs.slice_end->context] = static_cast<spec::SliceEnd>(inputs.slice_end->data & 3);
  }
}

}  // namespace tessera::rtl_model
