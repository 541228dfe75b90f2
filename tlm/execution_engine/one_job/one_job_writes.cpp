// SPDX-License-Identifier: Apache-2.0
// What jobs do in the cycle in which they write the tables (docs/hardware/timing.md 6.4). Those of the search stand in
// one_job_moves.cpp.
#include <algorithm>
#include <utility>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {

void OneJobDriver::write(Job& job) {
  const Cycle core = job.write;
  const Cycle now = sm_cycle(core);
  on_write(core);
  const KsrId row = lane_ ? visited(job) : kNoKsr;
  if (!job.is_visit_b && !job.is_rejected) write_visit_a(job, now);
  if (job.has_visit_b && !job.is_visit_b && !job.is_rejected) {
    job.is_visit_b = true;
    job.write += spec::kVisitCycles;
    if (!lane_) return;
    tables_were_written(job, row, core);
    return begin_visit_b(job, core);
  }
  job.is_rejected = job.is_rejected || is_out_of_place(job);
  const Job ended = job;
  if (!ended.is_rejected) end_visits(ended, now);
  job_.reset();
  free_at_ = core + 1;
  if (lane_ && !ended.is_rejected) tables_were_written(ended, row, core);
  was_set_up_ = ended.kind == JobKind::kSetUp;
  if (ended.kind != JobKind::kSearch) return;
  if (ended.is_rejected) {
    clear_foreign();
  } else if (search_job_.move.takes_sm()) {
    moved_at_ = core;
  }
  on_job_ended(core, !ended.is_rejected);
}

void OneJobDriver::write_visit_a(const Job& job, Cycle now) {
  switch (job.kind) {
    case JobKind::kSearch:  // all at once, in the last visit
    case JobKind::kLeave:
      return;
    case JobKind::kTrap:
      return write_trap(job.sm, job.write);
    case JobKind::kSetUp:
      return write_set_up(job.sm, job.write);
    case JobKind::kTbDone:
      if (job.has_refilled) return;
      return write_tb_done(job.sm, now);
    case JobKind::kSetUpDone:
      return write_set_up_done(job.sm, job.tag, now);
    case JobKind::kRestoreDone:
      return write_restore_done(job.sm);
    case JobKind::kPreempted:
      return write_preempted(job.sm, now);
    case JobKind::kIssue:  // when it was loaded
      return;
  }
}

// An SM that leaves its kernel does so in the job's last visit.
void OneJobDriver::end_visits(const Job& job, Cycle now) {
  if (job.kind == JobKind::kSearch) return write_search_job(now);
  if (!leaves_) return;
  leaves_ = false;
  if (returned_to_ != kNoKsr) array_.wait_again(std::exchange(returned_to_, kNoKsr), now);
  owners_.is_reserved(job.sm) ? hand_to_next(job.sm, now) : release(job.sm, now);
}

// ---- what SMs are told ---------------------------------------------------------------------------------------

void OneJobDriver::write_trap(SmId id, Cycle core) {
  const std::uint32_t sm = index_of(id);
  traps_.clear(sm);
  active_.clear(sm);
  trapped_.set(sm);
  update(id);
  control_at_ = core + 1;
  const bool flushes = owners_.technique() == spec::TechniqueKind::kFlush;
  owners_.sm(id).technique = flushes ? spec::TechniqueKind::kFlush : spec::TechniqueKind::kContextSwitch;
  if (is_linked(id)) {
    SmCommand trap;
    trap.kind = SmCommand::Kind::kTrap;
    return send(id, trap, control_at_);
  }
  exits_.preempt(id, sm_cycle(control_at_));
  if (array_.sm(id).occupied == 0) exits_.set_timer(id, sm_cycle(control_at_) + 1);
}

// The SM begins again, and what it had to tell is stale.
void OneJobDriver::write_set_up(SmId id, Cycle core) {
  const std::uint32_t sm = index_of(id);
  set_ups_.clear(sm);
  control_at_ = core + 1;
  const std::uint32_t answered = tags_.last(id);
  SmCommand set_up;
  set_up.tag = tags_.next(id);
  tables_.set_awaited(id, tags_.is_full(id));
  if (is_linked(id)) return send(id, set_up, control_at_);
  exits_.set_timer(id, sm_cycle(control_at_) + spec_.gpu.framework.sm_setup_cycles);
  if (lane_) {
    stale_ = {id, answered, control_at_ + 1};
    return;
  }
  withdraw(id, kSetUpDone | kPreempted);
}

// ---- what SMs report -----------------------------------------------------------------------------------------

void OneJobDriver::write_tb_done(SmId id, Cycle now) {
  const KsrId owner = owners_.sm(id).ksr;
  tables_.remove_resident(id);
  const bool is_finished = taken_tbs_[index(owner)] == array_.kernel(owner).tbs.total;
  leaves_ = tables_.sm(id).running_tbs == 0 && !restoring_.has(index_of(id)) &&
            (owners_.is_reserved(id) || (!is_issuable(owner) && !is_finished));
  if (is_finished) finish(owner, now);
  update(id);
}

void OneJobDriver::finish(KsrId ksr, Cycle now) {
  owners_.kernel_is_over(ksr, now, [&](SmId of_it) { release(of_it, now); });
  if (lane_) drop_set_ups(ksr);
  invoke_after_write();
}

// Reserved SMs of a kernel that is over are handed over without its set-up. Without a lane none is still to be sent.
void OneJobDriver::drop_set_ups(KsrId ksr) {
  for (std::uint32_t sm = set_ups_.lowest(); sm != kNone; sm = set_ups_.lowest_from(sm + 1)) {
    const auto id = SmId(sm);
    if (!owners_.is_reserved(id) || tables_.sm(id).ksr != ksr) continue;
    set_ups_.clear(sm);
    active_.set(sm);
    drains_.set(sm);
    update(id);
  }
}

void OneJobDriver::write_set_up_done(SmId id, std::uint32_t tag, Cycle now) {
  if (tags_.answered(id, tag)) can_be_set_up(id);
  if (!is_current(id, tag)) return;
  if (tables_.sm(id).status == policy::SmStatus::kIdle) return;  // its kernel has finished
  leaves_ = owners_.is_reserved(id) || !is_issuable(tables_.sm(id).ksr);
  if (leaves_) return;
  array_.set_now(now);
  active_.set(index_of(id));
  update(id);
}

// So many of its set-ups were not answered that nobody could have it.
void OneJobDriver::can_be_set_up(SmId id) {
  tables_.set_awaited(id, false);
  if (tables_.sm(id).status != policy::SmStatus::kIdle) return;
  tables_.touch(id);
  owners_.report().wants_policy = true;
  invoke_after_write();
}

void OneJobDriver::write_restore_done(SmId id) {
  const std::uint32_t sm = index_of(id);
  restoring_.clear(sm);
  if (owners_.is_reserved(id) && active_.has(sm) && !drains_.has(sm)) traps_.set(sm);
  update(id);
}

void OneJobDriver::write_preempted(SmId id, Cycle now) {
  if (!trapped_.has(index_of(id))) return;  // it was handed over when its last TB finished
  leaves_ = true;
  saved_bytes_ = 0;
  const std::uint64_t saved = array_.sm(id).occupied;
  if (saved == 0) return;
  saved_bytes_ = exits_.bytes_saved(id);
  returned_to_ = owners_.sm(id).ksr;
  std::uint32_t& saved_per_sm = saved_per_sm_[index(returned_to_)];
  saved_per_sm = std::max(tables_.ksr(returned_to_).preempted_tbs > 0 ? saved_per_sm : 0, num_slots(saved));
  supply_.take_back(id, saved, now);
  owners_.report().wants_policy = true;
  invoke_after_write();
}

// ---- SMs change hands ----------------------------------------------------------------------------------------

void OneJobDriver::hand_to_next(SmId id, Cycle now) {
  if (!is_linked(id)) exits_.clear_timer(id);
  owners_.preemption_done(id, saved_bytes_, now);
  saved_bytes_ = 0;
  const KsrId next = tables_.sm(id).next;
  if (!is_issuable(next)) return release(id, now);
  tables_.hand_over(id);
  own(id, next);
  owners_.set_up_begins(id, now);
}

void OneJobDriver::own(SmId id, KsrId ksr) {
  const SmPhase phase = owners_.sm(id).phase;
  owners_.take_over(id, ksr);
  if (is_linked(id)) owners_.sm(id).phase = phase;  // until the set-up is there
  forget(id);
  set_ups_.set(index_of(id));
}

// One that is being set up still has to tell.
void OneJobDriver::release(SmId id, Cycle now) {
  const SmPhase phase = owners_.sm(id).phase;
  owners_.release(id, now);
  if (is_linked(id)) {
    owners_.sm(id).phase = phase;  // it does not hear of it
  } else {
    exits_.set_timer(id, phase == SmPhase::kSettingUp ? exits_.timer_of(id) : kNever);
  }
  forget(id);
  invoke_after_write();
}

void OneJobDriver::forget(SmId id) {
  const std::uint32_t sm = index_of(id);
  for (SmSet* flags : {&set_ups_, &active_, &traps_, &trapped_, &drains_, &hungry_, &empty_}) flags->clear(sm);
}

void OneJobDriver::update(SmId id) {
  const std::uint32_t sm = index_of(id);
  may_any_ask_ = true;
  const policy::SmEntry& entry = tables_.sm(id);
  const bool may_be_served = active_.has(sm) && !restoring_.has(sm);
  const bool is_full = is_running(id) && entry.running_tbs == tables_.ksr(entry.ksr).tbs_per_sm;
  hungry_.set(sm, may_be_served && is_running(id) && !is_full);
  empty_.set(sm, may_be_served && entry.running_tbs == 0);
}

bool OneJobDriver::is_any_sm_changing_hands() const {
  for (std::uint32_t sm = 0; sm < spec_.gpu.num_sms; ++sm) {
    const bool is_settled = !is_running(SmId(sm)) || active_.has(sm);
    if (!is_settled || owners_.is_reserved(SmId(sm)) || restoring_.has(sm)) return true;
  }
  return false;
}

}  // namespace tessera::tlm_model
