// SPDX-License-Identifier: Apache-2.0
#include "testbench/turn_rules.h"

#include "rtl_model/policy/policy_table.h"

namespace tessera::testbench {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

TurnRules::TurnRules(const Params& params)
    : is_there_(params.has_kept_turn), policies_(params.policies), slice_ends_(params.num_contexts) {
  policy_.code = rtl_model::policy_register(params.scheduler) & kPolicyCodeMask;
  write_policy(rtl_model::policy_register(params.scheduler));
}

// ---- the last edge -------------------------------------------------------------------------------------------

const char* TurnRules::see(const SchedulerOutputs& out, bool are_all_idle) {
  const EventPins& events = out.events;
  if (state_ == State::kNotKept) {
    const bool shows_turn = out.turn != 0 || out.switch_start || out.switch_runs || events.turn_passed ||
                            events.turn_began || events.evicted;
    return shows_turn ? "pins of a kept turn are 0 if it is not kept" : nullptr;
  }
  if (events.turn_passed && events.turn_began) return "a turn passes before it begins again";
  if (events.turn_passed) return see_pass(out);
  const bool should_pass = state_ == State::kOwned && !is_policy_written_ && !is_present(turn_) && do_others_wait();
  if (should_pass) return "an owner that has run dry passes its turn on at once";
  if (out.switch_start) {
    if (state_ == State::kOwned) return "a switch begins after the turn has passed";
    if (policy_.evicts && !are_all_idle) return "a switch begins when all SMs are idle";
    has_switched_ = true;
  }
  if (events.turn_began) {
    if (state_ == State::kOwned) return "a turn begins that nobody has";
    turn_ = out.turn;
    state_ = State::kOwned;
    has_ticked_ = false;
  }
  const bool may_tick = state_ == State::kOwned;
  return out.slice_timer_enable && !may_tick ? "slices are timed only while the turn has an owner" : nullptr;
}

const char* TurnRules::see_pass(const SchedulerOutputs& out) {
  if (state_ != State::kOwned) return "a turn passes that an owner has";
  const bool has_kernels = with_kernel_.has(turn_);
  state_ = State::kPassed;
  num_moves_ = 0;
  has_switched_ = false;
  switch (out.events.turn_cause) {
    case TurnCause::kDry:
      return is_present(turn_) || has_kernels || !do_others_wait() ? "cause 0: the owner is dry, and others wait"
                                                                   : nullptr;
    case TurnCause::kSliceOver:
      return !is_present(turn_) || !has_ticked_ || !do_others_wait() ? "cause 1: its slice is over, and others wait"
                                                                     : nullptr;
    case TurnCause::kUnlisted:
      return is_present(turn_) || !has_kernels ? "cause 2: the owner has kernels and is not listed" : nullptr;
  }
  return "there are three causes";
}

// One that was decided before the turn passed may still come.
const char* TurnRules::see_move(std::uint32_t context, bool is_another) {
  if (state_ == State::kNotKept) return nullptr;
  if (!is_another || num_moves_ == 0) ++num_moves_;
  const bool is_first = num_moves_ == 1;
  const bool has_turn = context == turn_ && (state_ == State::kOwned || waits_for_kernels());
  return has_turn || is_first ? nullptr : "with a kept turn only kernels of its context get SMs";
}

bool TurnRules::waits_for_kernels() const {
  return state_ == State::kPassed && policy_.evicts && slice_ends_[turn_] == spec::SliceEnd::kWait;
}

const char* TurnRules::see_eviction() const {
  const bool may_be = policy_.evicts && (state_ == State::kPassed || state_ == State::kNobody) && !has_switched_;
  return may_be ? nullptr : "SMs are evicted after a turn with scope GPU has passed, before the switch";
}

// ---- inputs --------------------------------------------------------------------------------------------------

void TurnRules::take(const SchedulerInputs& in, const SchedulerOutputs& out, const Contexts& contexts) {
  present_ = listed_ & (waiting_ | contexts.with_command | contexts.with_kernel);
  with_kernel_ = contexts.with_kernel;
  waiting_ = in.waiting;
  listed_ = in.listed;
  has_ticked_ = has_ticked_ || in.slice_tick;
  const bool is_written = in.control.valid && out.control_ready;
  is_policy_written_ = is_written && in.control.reg == ControlRegister::kPolicy;
  if (is_policy_written_) write_policy(in.control.data);
  if (is_written && in.control.reg == ControlRegister::kSliceEnd) {
    // What was decided while kernels of the last owner could get SMs is carried out.
    if (in.control.context == turn_ && waits_for_kernels()) num_moves_ = 0;
    slice_ends_[in.control.context] = static_cast<spec::SliceEnd>(in.control.data & 3);
  }
}

void TurnRules::write_policy(std::uint64_t data) {
  const std::uint32_t before = policy_.code;
  policy_ = PolicyRegister::of(data);
  if ((policies_ >> policy_.code & 1) == 0) policy_.code = before;
  const bool is_kept = is_there_ && policy_row(policy_).has(kKeepsTurn);
  state_ = is_kept ? State::kNobody : State::kNotKept;
  turn_ = 0;
  num_moves_ = 1;
  has_switched_ = false;
}

}  // namespace tessera::testbench
