// SPDX-License-Identifier: Apache-2.0
// The lane's stages.
#include "rtl_model/lane/refill_lane.h"

namespace tessera::rtl_model {

RefillLane::RefillLane(const CoreParams& params, Tables& tables)
    : params_(params), tables_(tables), last_issue_sm_q_(params.num_sms - 1) {}

// ---- a cycle -------------------------------------------------------------------------------------------------

bool RefillLane::is_event_ready() const {
  const bool issues_instead = asking_.any() && (issues_first_q_ || params_.issues_in_rounds);
  return !b_q_.valid && !issues_instead;
}

bool RefillLane::counts_for(std::uint32_t ksr) const {
  const auto is_for = [ksr](const Counted& counted) { return counted.valid && counted.ksr == ksr; };
  return ksr != kNone && (is_for(x_q_) || is_for(y_q_) || is_for(w_q_));
}

void RefillLane::look(const JobEngine& engine) {
  if (s_q_.valid) ksr_of_s_ = tables_.smst.row(s_q_.sm).ksr;
  goes_ = leaves_ = is_for_engine_ = false;
  if (!r_q_.valid) return;
  const bool is_issue = r_q_.kind == LaneEntryKind::kIssue;
  const bool is_in_vain = is_issue && !may_get_tb(r_q_.sm);
  const bool is_simple = !is_in_vain && this->is_simple(r_q_);
  goes_ = is_simple && !is_stalled(r_q_, engine);
  if (goes_) sm_step_ = sm_step(r_q_);
  if (goes_) counted_ = counted(r_q_);
  const bool goes_again = goes_ && is_issue && !params_.is_breadth_first && !is_filled_by(r_q_);
  leaves_ = is_in_vain || (goes_ && !goes_again);
  // Tables have another content after a WRITE, but for a set-up of another SM.
  const bool is_beside = engine.job() == JobEngine::Job::kSetUp && engine.sm() != r_q_.sm;
  const bool is_judged_anew = engine.phase() == JobEngine::Phase::kWrite && !is_beside;
  is_for_engine_ = !is_in_vain && !is_simple && !is_judged_anew;
}

void RefillLane::seq(const SmEventPins& taken, bool is_picked) {
  step_counters();
  if (goes_) step_sm();
  const bool frees_r = !r_q_.valid || leaves_ || is_picked;
  is_offered_q_ = is_for_engine_ && !is_picked;
  if (r_q_.valid && r_q_.kind == LaneEntryKind::kIssue && frees_r) asked_q_.clear(r_q_.sm);
  shift(taken, frees_r);
}

// ---- entry, A, S, B ------------------------------------------------------------------------------------------

LaneEntry RefillLane::enter(const SmEventPins& taken) {
  if (taken.valid) {
    issues_first_q_ = true;
    return {true, static_cast<LaneEntryKind>(taken.kind), taken.sm, taken.tag};
  }
  if (!asking_.any()) return {};
  issues_first_q_ = false;
  last_issue_sm_q_ = asking_.next_in_turn(last_issue_sm_q_ + 1);
  asked_q_.set(last_issue_sm_q_);
  return {true, LaneEntryKind::kIssue, last_issue_sm_q_};
}

// What is in B goes to R before what comes behind it, and holds that up.
void RefillLane::shift(const SmEventPins& taken, bool frees_r) {
  if (b_q_.valid) {
    if (!frees_r) return;
    r_q_ = b_q_;
    b_q_.valid = false;
    return;
  }
  LaneEntry from_s = s_q_;
  from_s.ksr = ksr_of_s_;
  if (frees_r) {
    r_q_ = from_s;
  } else {
    b_q_ = from_s;
  }
  if (a_q_.valid && params_.issues_in_rounds) tables_.smst.flags.served.set(a_q_.sm);
  s_q_ = a_q_;
  a_q_ = enter(taken);
}

// ---- X, Y, W -------------------------------------------------------------------------------------------------

// The counters that an entry has in W are those of the table as the entry before it leaves them.
void RefillLane::step_counters() {
  if (w_q_.valid) tables_.ksrt.count(w_q_.ksr, w_q_.step);
  w_q_ = y_q_;
  y_q_ = x_q_;
  x_q_ = goes_ ? counted_ : Counted{};
  dispatch_.valid = w_q_.valid && w_q_.step.is_fresh;
  if (dispatch_.valid) dispatch_ = {true, w_q_.sm, false, false, tables_.ksrt.row(w_q_.ksr).next_tb, 0};
}

// ---- registers -----------------------------------------------------------------------------------------------

void RefillLane::list_signals(ISignalSink& signals) const {
  const auto index = [](std::uint32_t value, unsigned width) { return value & ~(~0U << width); };  // none: all ones
  const auto entry = [&](const std::string& stage, const LaneEntry& of) {
    signals.signal(stage + "_valid_q", 1, [&of] { return of.valid; });
    signals.signal(stage + "_kind_q", 3, [&of] { return static_cast<std::uint64_t>(of.kind); });
    const unsigned width = params_.sm_width();
    signals.signal(stage + "_sm_q", width, [&of, index, width] { return index(of.sm, width); });
  };
  const auto counted = [&](const std::string& stage, const Counted& of) {
    signals.signal(stage + "_valid_q", 1, [&of] { return of.valid; });
    const unsigned width = params_.ksr_width();
    signals.signal(stage + "_ksr_q", width, [&of, index, width] { return index(of.ksr, width); });
  };
  signals.enter("u_lane");
  entry("a", a_q_);
  entry("s", s_q_);
  entry("b", b_q_);
  entry("r", r_q_);
  signals.signal("offered_q", 1, [this] { return is_offered_q_; });
  counted("x", x_q_);
  counted("y", y_q_);
  counted("w", w_q_);
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    signals.signal(indexed("asked_q", sm), 1, [this, sm] { return asked_q_.has(sm); });
  }
  signals.signal("last_issue_sm_q", params_.sm_width(), [this] { return last_issue_sm_q_; });
  signals.signal("issue_first_q", 1, [this] { return issues_first_q_; });
  signals.leave();
}

}  // namespace tessera::rtl_model
