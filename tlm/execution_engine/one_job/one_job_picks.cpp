// SPDX-License-Identifier: Apache-2.0
// What the engine does next (docs/hardware/timing.md 6.3).
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {

// ---- PICK ----------------------------------------------------------------------------------------------------

void OneJobDriver::offer(const SearchJob& job, Cycle from) {
  offered_ = job;
  offered_from_ = from;
  schedule();
}

void OneJobDriver::withdraw_offer() {
  offered_.reset();
  schedule();
}

void OneJobDriver::engine_due(Cycle now) {
  array_.set_now(now);
  timers_.clear(engine_leaf_);
  const Cycle engine = next_of_engine();
  const Cycle lane = lane_ ? next_in_lane() : kNever;
  if (sm_cycle(std::min(engine, lane)) <= now) {
    if (lane <= engine) {
      lane_due(lane);
    } else if (!job_) {
      pick(engine);
    } else {
      act(*job_, engine);
    }
  }
  schedule();
}

Cycle OneJobDriver::next_of_engine() const {
  if (!job_) return next_pick();
  if (looks_in_load(*job_) && !job_->is_loaded) return job_->load;
  return num_begun_ < given_.size() ? moved_at_ + num_begun_ : job_->write;
}

void OneJobDriver::act(Job& job, Cycle core) {
  if (core == job.write) return write(job);
  job.is_loaded ? begin_next_set_up() : load(job);
}

// An assign, and where there is a lane a job that may issue.
bool OneJobDriver::looks_in_load(const Job& job) const {
  return (lane_ && job.may_issue()) || (job.kind == JobKind::kSearch && search_job_.is_assign());
}

Cycle OneJobDriver::next_action() const {
  return lane_ ? std::min(next_of_engine(), next_in_lane()) : next_of_engine();
}

void OneJobDriver::schedule() {
  if (lane_ && may_any_ask_ && !issues_in_rounds_) may_any_ask_ = asking_sm(0) != kNone;
  const Cycle core = next_action();
  const Cycle due = core == kNever ? kNever : std::max(sm_cycle(core), array_.now());
  if (timers_.time(engine_leaf_) != due) timers_.set(engine_leaf_, due);
}

bool OneJobDriver::acts_before(Cycle core, Cycle now) const {
  if (ratio_ == 1 || timers_.time(engine_leaf_) > now) return false;
  return std::max(next_action(), core_cycle(now)) < core;
}

Cycle OneJobDriver::next_pick() const {
  Cycle ready = kNever;
  if (offered_) ready = offered_from_;
  if (lane_) {
    if (offered_entry_from_ != kNever) ready = std::min(ready, std::max(offered_entry_from_, deals_until_));
  } else {
    if (has_event_.any()) ready = std::min(ready, std::max(event_since_, deals_until_));
    if (hungry_.any()) ready = std::min(ready, hungry_from(free_at_));
  }
  if (traps_.any() || set_ups_.any() || (empty_.any() && leaving_sm() != kNone)) ready = 0;
  return ready == kNever ? kNever : std::max(free_at_, ready);
}

bool OneJobDriver::leaves(std::uint32_t sm) const {
  const auto id = SmId(sm);
  return is_running(id) ? !is_issuable(tables_.sm(id).ksr) : drains_.has(sm);
}

std::uint32_t OneJobDriver::leaving_sm() const {
  std::uint32_t sm = empty_.lowest();
  while (sm != kNone && !leaves(sm)) sm = empty_.lowest_from(sm + 1);
  return sm;
}

bool OneJobDriver::is_served(std::uint32_t sm, Cycle core) const {
  return served_at_[sm] < core && sm_cycle(served_at_[sm]) == sm_cycle(core);
}

// The first behind the last one that was served, round.
std::uint32_t OneJobDriver::hungry_sm(Cycle core) const {
  KsrId has_none = kNoKsr;  // the kernel that was asked last: its SMs follow each other
  const auto wants = [&](std::uint32_t sm) {
    const KsrId ksr = tables_.sm(SmId(sm)).ksr;
    if (ksr == has_none) return false;
    if (!is_issuable(ksr)) {
      has_none = ksr;
      return false;
    }
    return (!issues_in_rounds_ || !is_served(sm, core)) && (!lane_ || !lane_->has_asked(SmId(sm)));
  };
  for (std::uint32_t sm = hungry_.lowest_from(last_issue_sm_ + 1); sm != kNone; sm = hungry_.lowest_from(sm + 1)) {
    if (wants(sm)) return sm;
  }
  for (std::uint32_t sm = hungry_.lowest(); sm != kNone && sm <= last_issue_sm_; sm = hungry_.lowest_from(sm + 1)) {
    if (wants(sm)) return sm;
  }
  return kNone;
}

// In rounds one that was served waits for the next SM cycle.
Cycle OneJobDriver::hungry_from(Cycle core) const {
  if (hungry_sm(core) != kNone) return core;
  const Cycle next_round = core_cycle(sm_cycle(core) + 1);
  return issues_in_rounds_ && hungry_sm(next_round) != kNone ? next_round : kNever;
}

void OneJobDriver::pick(Cycle core) {
  // 1. The policy's job.
  if (offered_ && offered_from_ <= core) return start_search_job(core);
  // 2. What SMs are to be told.
  const bool deals = core < deals_until_;
  if (const std::uint32_t sm = leaving_sm(); sm != kNone && !deals) {
    const auto id = SmId(sm);
    return start(JobKind::kLeave, id, core, owners_.is_reserved(id) && tables_.sm(id).next != kNoKsr);
  }
  if (traps_.any()) return start(JobKind::kTrap, SmId(traps_.lowest()), core, false);
  const bool lane_first = was_set_up_ && is_entry_offered(core);
  if (set_ups_.any() && !lane_first) return start(JobKind::kSetUp, SmId(set_ups_.lowest()), core, false);
  // 3. What the lane cannot do.
  if (is_entry_offered(core)) return start_entry(core);
  if (lane_) {
    free_at_ = core + 1;
    return;
  }
  // 4. An event, and TBs, in turn.
  const std::uint32_t hungry = hungry_sm(core);
  const bool issues = hungry != kNone && (issues_first_ || issues_in_rounds_);
  if (has_event_.any() && event_since_ <= core && core != control_at_ && !deals && !issues) return start_event(core);
  if (hungry != kNone) return issue(SmId(hungry), core);
  free_at_ = core + 1;
}

void OneJobDriver::start(JobKind kind, SmId id, Cycle core, bool has_visit_b) {
  job_ = Job{kind, id, core + spec::kToWrite, has_visit_b};
  leaves_ = kind == JobKind::kLeave;
  if (!lane_) {
    issues_first_ = kind >= JobKind::kTbDone;
    return;
  }
  job_->sm_at = core + spec::kNoSmCycles;
  job_->row = job_->sm_at + 1;
  job_->load = job_->row + 1;
  if (kind != JobKind::kSearch) row_waits_for_lane(*job_);
}

// What the SM's event network shows of it, and no longer shows.
SmLinks::Report OneJobDriver::take_report(SmId id, Cycle core) {
  const SmLinks::Report report = is_linked(id) ? take_from_link(id, core) : take_wired_report(id);
  event_was_taken(core);
  return report;
}

SmLinks::Report OneJobDriver::take_wired_report(SmId id) {
  SmJobs& jobs = jobs_[index(id)];
  const auto event = static_cast<SmEvent>(jobs.events & -jobs.events);
  if (event == kTbDone) {
    array_.vacate(id, slot_bit(lowest(jobs.done_slots)), array_.now());
    jobs.done_slots &= jobs.done_slots - 1;
    if (jobs.done_slots != 0) return {event, 0};
  }
  withdraw(id, event);
  if (event == kSetUpDone && id == stale_.sm) return {event, stale_.tag};
  // One that is still to be set up again shows the end of the set-up before.
  const bool is_answered = event == kSetUpDone && !set_ups_.has(index_of(id));
  if (is_answered && owners_.sm(id).phase == SmPhase::kSettingUp) owners_.sm(id).phase = SmPhase::kRunning;
  return {event, tags_.last(id)};
}

// The next batch is formed when this one is over.
void OneJobDriver::event_was_taken(Cycle core) {
  event_since_ = has_event_.any() ? core + 1 : kNever;
  if (batch_.any()) return;
  batch_ = has_event_;
  batch_formed_at_ = core + 1;
}

void OneJobDriver::start_event(Cycle core) {
  const SmId id = take_event();
  if (issues_in_rounds_) served_at_[index(id)] = core;
  const SmLinks::Report report = take_report(id, core);
  if (report.event == kTbDone) return start_tb_done(id, core);
  start_report(id, report, core);
}

void OneJobDriver::start_report(SmId id, const SmLinks::Report& report, Cycle core) {
  switch (report.event) {
    case kTbDone:
      return start_counted(id, core);
    case kSetUpDone:
      return start_set_up_done(id, report.tag, core);
    case kRestoreDone:
      return start(JobKind::kRestoreDone, id, core, false);
    case kPreempted:
      return start(JobKind::kPreempted, id, core,
                   owners_.is_reserved(id) && tables_.sm(id).next != kNoKsr && trapped_.has(index_of(id)));
  }
}

// The answer to a set-up that was superseded goes through all phases, and moves nothing.
void OneJobDriver::start_set_up_done(SmId id, std::uint32_t tag, Cycle core) {
  const bool hands_over = owners_.is_reserved(id) && is_current(id, tag);
  start(JobKind::kSetUpDone, id, core, hands_over && tables_.sm(id).next != kNoKsr);
  job_->tag = tag;
}

// Without a lane no set-up is still to be sent when an event is taken.
bool OneJobDriver::is_current(SmId id, std::uint32_t tag) const {
  return tag == tags_.last(id) && !set_ups_.has(index_of(id));
}

void OneJobDriver::start_tb_done(SmId id, Cycle core) {
  if (may_refill(id)) {
    ++taken_tbs_[index(owners_.sm(id).ksr)];
    issues_first_ = true;
    free_at_ = refill(id, core) + 1;
    return;
  }
  if (!is_linked(id) && owners_.sm(id).is_stopping() && exits_.have_all_left(id)) give_back(id, core);
  start_counted(id, core);
}

void OneJobDriver::start_counted(SmId id, Cycle core) {
  ++taken_tbs_[index(owners_.sm(id).ksr)];
  const bool hands_over = owners_.is_reserved(id) && tables_.sm(id).running_tbs == 1 && !restoring_.has(index_of(id));
  start(JobKind::kTbDone, id, core, hands_over && tables_.sm(id).next != kNoKsr);
}

// Returns the job's WRITE.
Cycle OneJobDriver::refill(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  const bool carry = carries(array_.kernel(owner).tbs);
  tables_.remove_resident(id);
  send_fresh(id, owner, core + spec::kToBurst);
  update(id);
  return core + spec::kToWrite + 1 + (carry ? 1 : 0);
}

}  // namespace tessera::tlm_model
