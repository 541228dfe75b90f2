// SPDX-License-Identifier: Apache-2.0
// The phases of a job (docs/hardware/timing.md 6.1, 6.3).
#include "rtl_model/job_engine/job_engine.h"

#include <algorithm>

#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {

JobEngine::JobEngine(const CoreParams& params, Tables& tables)
    : params_(params), tables_(tables), last_issue_sm_(params.num_sms - 1), row_(params) {}

// ---- a cycle -------------------------------------------------------------------------------------------------

bool JobEngine::step(const Inputs& inputs, EventPins& events) {
  sm_control_.valid = dispatch_.valid = kernel_done_.valid = usage_.valid = false;
  has_invoked_d_ = has_picked_entry_ = false;
  const bool is_of_search = this->is_of_search();
  switch (phase_) {
    case Phase::kPick:
      pick(inputs);
      return false;
    case Phase::kFind:
      find(inputs.policy);
      return false;
    case Phase::kSm:
      read_sm();
      return false;
    case Phase::kRow:
      if (!inputs.waits_for_lane || is_beside_lane()) phase_ = Phase::kLoad;
      return false;
    case Phase::kLoad:
      load(inputs.policy);
      phase_ = Phase::kCalc;
      return false;
    case Phase::kCalc:
      calc();
      return is_rejected_ && is_of_search;
    case Phase::kBurst:
      if (job_ == Job::kAssign ? burst_assign(inputs.policy, events) : burst()) phase_ = Phase::kWrite;
      return false;
    case Phase::kWrite:
      write(inputs, events);
      return is_in_pick() && is_of_search;
  }
  return false;
}

std::uint64_t JobEngine::run(std::uint64_t limit, const PolicyRegister& policy) {
  // 1. Nothing to do until tables have settled.
  const bool is_at_rest = is_in_pick() && !has_something_to_pick() && !has_pins();
  if (is_at_rest) return std::min<std::uint64_t>(limit, std::max(1U, tables_.cycles_to_settle));
  // 2. A job up to what it does: nobody changes tables meanwhile.
  constexpr std::uint64_t kFindToCalc = 5;
  if (phase_ == Phase::kFind && limit >= kFindToCalc) {
    find(policy);
    read_sm();
    load(policy);
    calc();
    return kFindToCalc;
  }
  // 3. Any other cycle.
  Inputs inputs;
  inputs.policy = policy;
  EventPins none;
  step(inputs, none);
  return 1;
}

void JobEngine::seq(bool sm_tick) {
  has_invoked_q_ = has_invoked_d_;
  show_fresh();
  if (sm_tick && params_.issues_in_rounds && tables_.smst.flags.served.any()) {
    tables_.smst.flags.served.clear();
    is_pick_stale_ = true;
  }
  if (is_in_pick() && is_pick_stale_) look_for_jobs();
}

// ---- PICK ----------------------------------------------------------------------------------------------------

void JobEngine::look_for_jobs() {
  const Smst& smst = tables_.smst;
  leaving_sm_ = smst.leaves().lowest();
  trap_sm_ = smst.may_be_trapped().lowest();
  set_up_sm_ = smst.flags.set_up_pending.lowest();
  has_issue_ = !params_.has_refill_lane && smst.wants_tb().any();
  is_pick_stale_ = false;
}

bool JobEngine::is_event_ready(bool is_offered, bool is_dealing) const {
  const bool issues_instead = has_issue_ && (issues_first_ || params_.issues_in_rounds);
  return is_in_pick() && !is_offered && !has_other_than_issue() && !sm_control_.valid && !is_dealing && !issues_instead;
}

void JobEngine::pick(const Inputs& inputs) {
  if (inputs.offered != nullptr) return start(*inputs.offered);
  // Set-ups of a burst let the lane's entry through.
  const bool is_entry_first = inputs.entry != nullptr && !inputs.is_dealing && job_ == Job::kSetUp;
  // Tokens that a deal has not counted yet must not be stepped.
  if (leaving_sm_ != kNone && !inputs.is_dealing) return start(Job::kLeave, leaving_sm_);
  if (trap_sm_ != kNone) return start(Job::kTrap, trap_sm_);
  if (set_up_sm_ != kNone && !is_entry_first) return start(Job::kSetUp, set_up_sm_);
  if (inputs.entry != nullptr && !inputs.is_dealing) return start_entry(*inputs.entry);
  if (inputs.sm_event.valid) return start_event(inputs.sm_event);
  if (has_issue_) start(Job::kIssue);
}

void JobEngine::start(Job job, std::uint32_t sm) {
  job_ = job;
  sm_ = sm;
  phase_ = Phase::kFind;
  issues_first_ = is_event();
  leaving_ = Leaving::kStays;
  finishes_ = cancels_ = false;
  issues_handles_ = issues_fresh_ = carries_ = false;
  given_sms_ = 0;
}

void JobEngine::start_event(const SmEventPins& event) {
  constexpr Job kJobs[] = {Job::kTbDone, Job::kSetUpDone, Job::kRestoreDone, Job::kPreempted};
  start(kJobs[static_cast<unsigned>(event.kind)], event.sm);
  answered_tag_ = event.tag;
}

// Its SM is known.
void JobEngine::start_entry(const LaneEntry& entry) {
  constexpr Job kJobs[] = {Job::kTbDone, Job::kSetUpDone, Job::kRestoreDone, Job::kPreempted, Job::kIssue};
  start(kJobs[static_cast<unsigned>(entry.kind)], entry.sm);
  answered_tag_ = entry.tag;
  phase_ = Phase::kSm;
  has_picked_entry_ = true;
}

void JobEngine::start(const SearchJob& job) {
  constexpr Job kTake = Job::kReserve;  // or a retarget, as the SM is that FIND finds
  constexpr Job kJobs[] = {Job::kActivate, Job::kDeal, Job::kEvict, Job::kAssign, kTake};
  start(kJobs[static_cast<unsigned>(job.kind)]);
  search_job_ = job;
  if (job_ == Job::kActivate) open_visit(tables_.ksrt.lowest_free_before(), true);
  if (job_ == Job::kDeal || job_ == Job::kAssign) open_visit(job.ksr, true);
}

// ---- FIND, SM, ROW, LOAD -------------------------------------------------------------------------------------

void JobEngine::find(const PolicyRegister& policy) {
  phase_ = Phase::kSm;
  if (job_ == Job::kEvict) return find_holder();
  if (is_take()) return find_victim(policy);
  if (job_ == Job::kIssue) {
    sm_ = tables_.smst.wants_tb().next_in_turn(last_issue_sm_ + 1);
    last_issue_sm_ = sm_;
  }
  if (params_.issues_in_rounds && (job_ == Job::kIssue || is_event())) tables_.smst.flags.served.set(sm_);
}

// The last one that held SMs may have finished before the job began: then there are only SMs that it has left.
void JobEngine::find_holder() { open_visit(tables_.ksrt.holding().lowest(), false); }

void JobEngine::read_sm() {
  if (sm_ == kNone) return open_visit(kNone, false);  // a take that will be rejected
  smst_row_ = tables_.smst.row(sm_);
  running_ = smst_row_.running;
  if (is_take() && smst_row_.state == SmState::kReserved) job_ = Job::kRetarget;
  open_visit(job_ == Job::kRetarget ? smst_row_.next : smst_row_.ksr, false);
}

void JobEngine::open_visit(std::uint32_t ksr, bool is_b) {
  ksr_ = ksr;
  is_visit_b_ = is_b;
  phase_ = Phase::kRow;
}

void JobEngine::load(const PolicyRegister& policy) {
  // Who was to get the SM may have finished.
  if (is_visit_b_ && leaving_ == Leaving::kHandsOver && !tables_.ksrt.is_valid(ksr_)) ksr_ = kNone;
  if (has_row()) row_ = tables_.ksrt.row(ksr_);
  is_rejected_ = is_rejected();
  comes_back_spread_ = params_.is_breadth_first && is_turn_kept(policy);
}

bool JobEngine::is_rejected() const {
  if (is_move()) return (job_ == Job::kAssign || !is_visit_b_) && is_move_rejected();
  return job_ == Job::kTrap && is_trap_rejected();
}

// ---- CALC ----------------------------------------------------------------------------------------------------

void JobEngine::calc() {
  tokens_step_ = 0;
  if (is_rejected_) {
    if (job_ == Job::kTrap) tables_.smst.flags.no_room.set(sm_);
    if (is_foreign_no_more()) tables_.smst.clear_foreign(sm_);
    return end_job();
  }
  switch (job_) {
    case Job::kActivate:
    case Job::kDeal:
    case Job::kRestoreDone:
      break;
    case Job::kAssign:
      break;
    case Job::kReserve:
    case Job::kRetarget:
      calc_move();
      break;
    case Job::kEvict:
      calc_eviction();
      break;
    case Job::kTrap:
      calc_trap();
      break;
    case Job::kSetUp:
      calc_set_up();
      break;
    case Job::kIssue:
      calc_issue();
      break;
    case Job::kLeave:
    case Job::kTbDone:
    case Job::kSetUpDone:
    case Job::kPreempted:
      calc_leaving();
      break;
  }
  phase_ = issues_handles_ || issues_fresh_ || job_ == Job::kAssign ? Phase::kBurst : Phase::kWrite;
}

// An SM that is held by a kernel is a token that is not left.
void JobEngine::step_sms(std::int32_t owned, std::int32_t reserved, std::int32_t covered) {
  row_.owned.add(owned);
  row_.reserved.add(reserved);
  row_.covered.add(covered);
  tokens_step_ -= owned + reserved;
}

// ---- WRITE ---------------------------------------------------------------------------------------------------

void JobEngine::write(const Inputs& inputs, EventPins& events) {
  tables_.cycles_to_settle = Tables::kSettleCycles;
  if (has_row() && job_ != Job::kActivate && !is_beside_lane()) write_row(inputs.policy.by_process);
  write_job(inputs, events);
  if (has_more_to_evict()) {
    phase_ = Phase::kFind;
    return;
  }
  if (has_visit_b()) {
    open_visit(is_take() ? search_job_.ksr : smst_row_.next, true);
    return;
  }
  if (is_event() || job_ == Job::kIssue) tables_.smst.flags.no_room.clear();
  end_job();
}

bool JobEngine::has_visit_b() const {
  if (is_visit_b_) return false;
  if (is_take()) return true;
  return leaving_ == Leaving::kHandsOver && smst_row_.next != kNone;
}

void JobEngine::write_row(bool by_process) {
  if (finishes_ && !is_visit_b_) return;  // finish() has the row
  const bool was_issuable = tables_.ksrt.is_issuable(ksr_);
  tables_.ksrt.write(ksr_, row_);
  if (row_.is_issuable() != was_issuable) tables_.smst.set_issuable(ksr_, row_.is_issuable());
  if (tokens_step_ == 0) return;
  tables_.tokens.step(tokens_row(by_process), tokens_step_);
  show_usage(tokens_step_);
}

std::uint32_t JobEngine::tokens_row(bool by_process) const {
  return tables_.tokens.row_of(ksr_, tables_.ksrt.traits(ksr_).context, by_process);
}

void JobEngine::write_job(const Inputs& inputs, EventPins& events) {
  const bool by_process = inputs.policy.by_process;
  switch (job_) {
    case Job::kActivate:
      return write_activation(by_process, events);
    case Job::kDeal:
      return tables_.tokens.deal({ksr_, tables_.ksrt.traits(ksr_).context, row_.held()}, by_process);
    case Job::kAssign:
      return;  // BURST has written the SMs' rows
    case Job::kReserve:
    case Job::kRetarget:
      if (is_visit_b_) return write_move(inputs.policy, events);
      return touch_partition();
    case Job::kEvict:
      return write_eviction(inputs.eviction_drains, events);
    case Job::kTrap:
      return write_trap();
    case Job::kSetUp:
      return write_set_up();
    case Job::kIssue:
      return write_issue();
    case Job::kLeave:
    case Job::kTbDone:
    case Job::kSetUpDone:
    case Job::kRestoreDone:
    case Job::kPreempted:
      if (!is_visit_b_) write_sm_event(inputs.policy);
      return write_leaving(inputs.policy, events);
  }
}

}  // namespace tessera::rtl_model
