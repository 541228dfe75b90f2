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

// ---- rows pass -----------------------------------------------------------------------------------------------

void Trackers::show_kernel(const KernelView& kernel) {
  if (!first_.exists()) {
    first_ = kernel;
  } else {
    is_lone_ = is_lone_ && policy_.by_process && kernel.context == first_.context;
  }
  if (kernel.is_uncovered && (!a_.exists() || has_higher_key(kernel, a_))) a_ = kernel;
  if (row_.b == TrackerB::kHighest) {
    if (!b_.exists() || has_higher_key(kernel, b_)) b_ = kernel;
  } else if (kernel.holds && (!b_.exists() || has_higher_key(b_, kernel))) {
    b_ = kernel;
  }
}

// A foreign one; else the lowest rank; of those a reserved SM, which is being emptied already; of those the lowest.
void Trackers::show_owned_sm(std::uint32_t sm, bool is_running, const KernelView& counts_against) {
  if (!is_victim(counts_against)) return;
  if (victim_.exists()) {
    const bool is_lower = is_ranked_below(counts_against, victim_.counts_against);
    const bool is_higher = is_ranked_below(victim_.counts_against, counts_against);
    const bool is_reserved_before_running = victim_.is_running && !is_running;
    if (!is_lower && (is_higher || !is_reserved_before_running)) return;
  }
  victim_ = {sm, is_running, counts_against};
}

bool Trackers::is_ranked_below(const KernelView& kernel, const KernelView& other) const {
  if (kernel.is_foreign || other.is_foreign) return kernel.is_foreign && !other.is_foreign;
  return row_.victims == Victims::kLowerKeys && has_higher_key(other, kernel);
}

bool Trackers::is_victim(const KernelView& kernel) const {
  if (kernel.is_foreign) return true;
  switch (row_.victims) {
    case Victims::kNobody:
      return false;
    case Victims::kLowerKeys:
      return has_higher_key(candidate_.kernel, kernel);
    case Victims::kB:
      return kernel.ksr == b_.ksr;
    case Victims::kOtherContexts:
      return kernel.context != b_.context;
  }
  return false;
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

bool Trackers::may_go_into_debt() const {
  switch (policy_.debt) {
    case Debt::kAlways:
      return true;
    case Debt::kGap:
      return !b_.exists() || holds(Condition::kRicherByTwo) || is_lone_;
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
      return b_.exists() && a_.tokens_left > b_.tokens_left + 1;
    case Condition::kSameContext:
      return a_.context == b_.context;
    case Condition::kKeptTurn:
      return a_.context == b_.context && a_.context == turn_ && gives_sms_;
  }
  return false;
}

}  // namespace tessera::rtl_model
