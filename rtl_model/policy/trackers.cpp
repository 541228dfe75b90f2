// SPDX-License-Identifier: Apache-2.0
// The table of docs/hardware/timing.md 5.4, entry by entry.
#include "rtl_model/policy/trackers.h"

namespace tessera::rtl_model {

// ---- keys ----------------------------------------------------------------------------------------------------

bool Trackers::has_higher_key(const KernelView& kernel, const KernelView& than) const {
  switch (row_.key) {
    case Key::kEqual:
    case Key::kOrder:  // settled
      return false;
    case Key::kPriority:
      return kernel.priority > than.priority;
    case Key::kUrgency:
      return kernel.urgency.is_above(than.urgency);
    case Key::kTokens:
      return kernel.tokens_left > than.tokens_left;
    case Key::kNearness:
      return kernel.distance < than.distance;
  }
  return false;
}

bool Trackers::has_same_key(const KernelView& kernel, const KernelView& other) const {
  return row_.key == Key::kUrgency ? kernel.urgency.equals(other.urgency) : kernel.priority == other.priority;
}

// ---- kernels pass --------------------------------------------------------------------------------------------

void Trackers::show(const KernelView& kernel) {
  if (!first_.exists()) {
    first_ = kernel;
  } else {
    is_lone_ = is_lone_ && policy_.by_process && kernel.context == first_.context;
  }
  if (kernel.is_uncovered) show_uncovered(kernel);
  if (!b_.exists() || has_higher_key(kernel, b_)) b_ = kernel;
  if (kernel.holds && (!v_.exists() || has_higher_key(v_, kernel))) v_ = kernel;
}

// Who is A no more is the runner-up, unless the new A has the same tokens.
void Trackers::show_uncovered(const KernelView& kernel) {
  if (!a_.exists() || has_higher_key(kernel, a_)) {
    if (a_.exists() && !share_tokens(kernel, a_)) runner_up_ = a_;
    a_ = kernel;
    is_a_before_ = false;
  } else if (!share_tokens(kernel, a_) && (!runner_up_.exists() || has_higher_key(kernel, runner_up_))) {
    runner_up_ = kernel;
    is_a_before_ = true;
  }
}

// ---- the outcome ---------------------------------------------------------------------------------------------

Candidate Trackers::candidate() const {
  if (a_.exists() && holds(row_.a_may_have_sm)) {
    const bool takes_idle = !row_.has(kBudgets) || a_.tokens_left > 0 || may_go_into_debt();
    return {a_, true, takes_idle, holds(row_.takes_away)};
  }
  if (b_.exists() && holds(row_.b_may_have_sm)) return {b_, false, false, holds(row_.takes_away)};
  return {};
}

std::uint32_t Trackers::limit() const {
  if (!row_.has(kBudgets)) return kNone;
  return is_runner_up_next() ? lead() : own_limit();
}

bool Trackers::is_runner_up_next() const {
  return row_.has(kBudgets) && a_.exists() && runner_up_.exists() && lead() < own_limit();
}

// Its tokens, or one SM in debt; where debt goes on, any number.
std::uint32_t Trackers::own_limit() const {
  if (goes_on_into_debt()) return kNone;
  return a_.tokens_left > 0 ? static_cast<std::uint32_t>(a_.tokens_left) : 1;
}

// With the last of them the runner-up has as many tokens left, and comes first, or one more.
std::uint32_t Trackers::lead() const {
  return static_cast<std::uint32_t>(a_.tokens_left - runner_up_.tokens_left + (is_a_before_ ? 1 : 0));
}

bool Trackers::goes_on_into_debt() const {
  return policy_.debt == Debt::kAlways || (policy_.debt != Debt::kNever && is_lone_);
}

bool Trackers::may_go_into_debt() const {
  switch (policy_.debt) {
    case Debt::kAlways:
      return true;
    case Debt::kGap:
      return !v_.exists() || holds(Condition::kRicherByTwo) || is_lone_;
    case Debt::kLone:
      return is_lone_;
    case Debt::kNever:
      return false;
  }
  return false;
}

bool Trackers::holds(Condition condition) const {
  switch (condition) {
    case Condition::kAlways:
      return true;
    case Condition::kNever:
      return false;
    case Condition::kSharedOrSameKey:
      return policy_.is_shared || has_same_key(a_, b_);
    case Condition::kSharedOrSameContext:
      return policy_.is_shared || a_.context == b_.context;
    case Condition::kScopeAll:
      return !policy_.is_shared && policy_.takes_all;  // a scope of exclusive access
    case Condition::kRicherByTwo:
      return v_.exists() && a_.tokens_left > v_.tokens_left + 1;
    case Condition::kSameContext:
      return a_.context == b_.context;
    case Condition::kKeptTurn:
      return a_.context == b_.context && a_.context == turn_ && gives_sms_;
  }
  return false;
}

}  // namespace tessera::rtl_model
