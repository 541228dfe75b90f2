// SPDX-License-Identifier: Apache-2.0
// The refill lane beside the engine (docs/hardware/timing.md 6.7): what enters, what becomes of it in R, and when jobs
// hold it back or wait for it. Within a core cycle the lane comes first: it goes by the registers of that cycle.
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {
namespace {

constexpr Cycle kToLoad = spec::kToBurst - 2;  // PICK, FIND, SM, ROW

}  // namespace

// ---- a TB that ends while nothing else is to be done ---------------------------------------------------------

// Nothing enters before it, and nothing moves before it has left R.
bool OneJobDriver::lane_is_at_rest(SmId id, KsrId owner, Cycle now) const {
  const Cycle core = core_cycle(now);
  return lane_->may_pass(core) && timers_.min_time() > sm_cycle(core + kEntryToR) &&
         lane_->refills(owner, core + kEntryToR) && !job_ && !offered_ && !has_event_.any() &&
         !(may_any_ask_ && hungry_.any()) && !empty_.any() && !traps_.any() && !set_ups_.any() &&
         active_.has(index_of(id));
}

Cycle OneJobDriver::refill_by_lane(const KernelRun& kernel, KsrId owner, Cycle now) {
  const Cycle core = core_cycle(now);
  lane_->pass(core);
  TbCounts after = kernel.tbs;
  ++after.next;
  lane_->counted(owner, core + kEntryToR, after);
  if (!batch_.any()) batch_formed_at_ = core;
  issues_first_ = true;
  return supply_.claim(start_of(core + kEntryToPins));
}

// ---- entries -------------------------------------------------------------------------------------------------

Cycle OneJobDriver::next_in_lane() const {
  return lane_->is_empty() ? next_entry() : std::min(next_entry(), look_at_r_at_);
}

Cycle OneJobDriver::next_entry() const {
  const Cycle event = has_event_.any() ? lane_->next_entry(event_since_) : kNever;
  const Cycle open = may_any_ask_ && hungry_.any() ? lane_->next_entry(0) : kNever;
  return open == kNever ? event : std::min(event, hungry_from(open));
}

void OneJobDriver::lane_due(Cycle core) {
  drop_stale(core);
  if (next_entry() <= core) enter(core);
  if (!lane_->is_empty() && look_at_r_at_ <= core) look_at_r(core);
}

void OneJobDriver::enter(Cycle core) {
  const bool was_empty = lane_->is_empty();
  const std::uint32_t asking = asking_sm(core);
  const bool is_issue_first = asking != kNone && (issues_first_ || issues_in_rounds_);
  if (has_event_.any() && event_since_ <= core && !is_issue_first) {
    enter_event(core);
  } else {
    lane_->enter({SmId(asking), true, {}}, core);
    last_issue_sm_ = asking;
    issues_first_ = false;
    if (issues_in_rounds_) served_at_[asking] = core + 1;
  }
  if (was_empty && !lane_->is_empty()) look_at_r_again(core);
}

// A refill that nothing can come before is not looked at again.
void OneJobDriver::enter_event(Cycle core) {
  const SmId id = take_event();
  const SmLinks::Report report = take_report(id, core);
  issues_first_ = true;
  if (issues_in_rounds_) served_at_[index(id)] = core + 1;
  if (report.event == kTbDone && !is_linked(id) && owners_.sm(id).is_stopping() && exits_.have_all_left(id)) {
    give_back(id, core);
  }
  const RefillLane::Entry entry{id, false, report};
  const Cycle in_r = core + kEntryToR;
  if (report.event == kTbDone && lane_->may_pass(core) && is_quiet_until(in_r) &&
      judge(entry, in_r) == Judgement::kRefill) {
    lane_->pass(core);
    return go(entry, Judgement::kRefill, in_r);
  }
  lane_->enter(entry, core);
}

bool OneJobDriver::is_quiet_until(Cycle core) const {
  return !job_ && next_pick() > core && timers_.min_time() > sm_cycle(core);
}

// What a set-up makes stale is gone in the cycle after the set-up's on the pins.
void OneJobDriver::drop_stale(Cycle core) {
  if (stale_.sm == kNoSm || core < stale_.until) return;
  withdraw(stale_.sm, kSetUpDone | kPreempted);
  stale_.sm = kNoSm;
}

// ---- R -------------------------------------------------------------------------------------------------------

void OneJobDriver::look_at_r(Cycle core) {
  const RefillLane::Entry entry = lane_->first();
  const Judgement as = judge(entry, core);
  lane_->changed(core);
  if (as == Judgement::kNothing) return leave_r(core);
  if (as == Judgement::kNotSimple) {
    offered_entry_from_ = std::max(core + 1, table_written_at_ + 2);
    look_at_r_at_ = kNever;
    return;
  }
  const KsrId owner = tables_.sm(entry.sm).ksr;
  Cycle goes_at = core;
  while (stalls_r(entry.sm, owner, goes_at)) ++goes_at;
  look_at_r_at_ = goes_at;
  if (goes_at > core) return;
  go(entry, as, core);
  if (as != Judgement::kIssue || !stays_in_r(entry.sm)) return leave_r(core);
  look_at_r_at_ = core + 1;
}

// From a cycle on in which the tables may be different, or another entry is there.
void OneJobDriver::look_at_r_again(Cycle core) {
  if (lane_->is_empty()) return;
  look_at_r_at_ = std::max(lane_->in_r_from(), core);
  offered_entry_from_ = kNever;
}

void OneJobDriver::leave_r(Cycle core) {
  may_any_ask_ = true;
  lane_->leaves(core);
  offered_entry_from_ = kNever;
  look_at_r_again(core);
}

OneJobDriver::Judgement OneJobDriver::judge(const RefillLane::Entry& entry, Cycle core) const {
  const policy::SmEntry& sm = tables_.sm(entry.sm);
  if (entry.is_issue) {
    if (!hungry_.has(index_of(entry.sm)) || !is_issuable(sm.ksr)) return Judgement::kNothing;
    return lane_->refills(sm.ksr, core) ? Judgement::kIssue : Judgement::kNotSimple;
  }
  if (entry.report.event == kTbDone) return judge_tb_done(entry.sm, core);
  const bool makes_active = entry.report.event == kSetUpDone && is_current(entry.sm, entry.report.tag) &&
                            is_running(entry.sm) && is_issuable(sm.ksr);
  return makes_active ? Judgement::kActive : Judgement::kNotSimple;
}

OneJobDriver::Judgement OneJobDriver::judge_tb_done(SmId id, Cycle core) const {
  const policy::SmEntry& sm = tables_.sm(id);
  if (!active_.has(index_of(id)) || restoring_.has(index_of(id))) return Judgement::kNotSimple;
  if (is_running(id) && lane_->refills(sm.ksr, core)) {
    return issues_in_rounds_ ? Judgement::kCounted : Judgement::kRefill;
  }
  const bool is_not_filled = owners_.is_reserved(id) || !is_issuable(sm.ksr);
  return is_not_filled && sm.running_tbs > 1 ? Judgement::kCounted : Judgement::kNotSimple;
}

// Depth first, an issue fills the SM.
bool OneJobDriver::stays_in_r(SmId id) const { return !is_breadth_first_ && hungry_.has(index_of(id)); }

void OneJobDriver::go(const RefillLane::Entry& entry, Judgement as, Cycle core) {
  const SmId id = entry.sm;
  const KsrId owner = tables_.sm(id).ksr;
  if (as == Judgement::kActive) {
    if (tags_.answered(id, entry.report.tag)) tables_.set_awaited(id, false);
    active_.set(index_of(id));
    return update(id);
  }
  if (as != Judgement::kIssue) {
    ++taken_tbs_[index(owner)];
    tables_.remove_resident(id);
  }
  if (as != Judgement::kCounted) send_fresh(id, owner, core + kRToPins);
  if (as != Judgement::kRefill) update(id);
  lane_->counted(owner, core, array_.kernel(owner).tbs);
  if (job_ && core < job_->row) row_waits_for_lane(*job_);
}

// ---- and the engine ------------------------------------------------------------------------------------------

// The KSR of the current visit.
KsrId OneJobDriver::visited(const Job& job) const {
  if (job.kind != JobKind::kSearch) return job.is_visit_b ? tables_.sm(job.sm).next : tables_.sm(job.sm).ksr;
  if (!search_job_.is_move()) return kNoKsr;
  const bool is_of_kernel = job.is_visit_b || search_job_.move.action == policy::Action::kAssign;
  return is_of_kernel ? search_job_.move.kernel : search_job_.claimant;
}

bool OneJobDriver::stalls_r(SmId id, KsrId ksr, Cycle core) const {
  if (!job_ || core > job_->write) return false;
  const Job& job = *job_;
  if (job.kind == JobKind::kSearch && search_job_.eviction) return core + spec::kNoSmCycles > job.sm_at;
  if (job.sm == id && core >= job.sm_at) return true;
  if (job.is_command() || core < job.row) return false;
  if (core < job.load || ksr == visited(job)) return true;
  return job.may_issue() && core < job.write;
}

// ROW lasts until the counters of its kernel are in the table.
void OneJobDriver::row_waits_for_lane(Job& job) const {
  const KsrId row = visited(job);
  if (row == kNoKsr || job.is_command()) return;
  const Cycle load = std::max(job.load, lane_->in_table(row) + 1);
  job.write += load - job.load;
  job.load = load;
}

void OneJobDriver::start_entry(Cycle core) {
  const RefillLane::Entry entry = lane_->first();
  leave_r(core);
  lane_->changed(core);
  const Cycle without_find = core - 1;
  if (entry.is_issue) return start(JobKind::kIssue, entry.sm, without_find, false);
  start_report(entry.sm, entry.report, without_find);
}

// LOAD of a job that issues, or fills the slot of its TB: nothing else is issued before it is written. And of an
// assign.
void OneJobDriver::load(Job& job) {
  job.is_loaded = true;
  if (job.kind == JobKind::kSearch) return give_idle_sms(job);
  job.has_refilled = job.kind == JobKind::kTbDone && is_refilled(job.sm);
  const Cycle pick = job.load - kToLoad;
  if (job.has_refilled) job.write = refill(job.sm, pick);
  if (job.kind == JobKind::kIssue) job.write = issue_tbs(job.sm, pick);
}

void OneJobDriver::begin_visit_b(Job& job, Cycle core) {
  job.row = core + 1;
  job.load = job.row + 1;
  row_waits_for_lane(job);
}

// The command of a trap or a set-up has read counters that the lane may have changed since: it writes none of them.
void OneJobDriver::tables_were_written(const Job& job, KsrId row, Cycle core) {
  if (job.kind == JobKind::kSearch && search_job_.is_activation()) row = activated_;
  if (row != kNoKsr && !job.is_command()) lane_->row_written(row, array_.kernel(row));
  may_any_ask_ = true;
  lane_->changed(core);
  // The set-up of another SM changes nothing that R's entry was judged by: it stays offered.
  if (job.kind == JobKind::kSetUp && !lane_->is_empty() && lane_->first().sm != job.sm) return;
  table_written_at_ = core;
  look_at_r_again(core + 1);
}

}  // namespace tessera::tlm_model
