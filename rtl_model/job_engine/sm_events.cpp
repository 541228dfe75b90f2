// SPDX-License-Identifier: Apache-2.0
// What SMs report, and SMs that leave their kernel (docs/hardware/timing.md 6.4).
#include "rtl_model/job_engine/job_engine.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {

// ---- CALC ----------------------------------------------------------------------------------------------------

void JobEngine::calc_leaving() {
  if (is_visit_b_) return calc_hand_over();
  switch (job_) {
    case Job::kTbDone:
      return calc_tb_done();
    case Job::kSetUpDone:
      return calc_set_up_done();
    case Job::kPreempted:
      return calc_preempted();
    default:
      return leave();
  }
}

void JobEngine::calc_tb_done() {
  const SmFlags& flags = tables_.smst.flags;
  const bool is_running = smst_row_.state == SmState::kRunning;
  const bool is_restoring = flags.restoring.has(sm_);
  // 1. The TB is not resident any more.
  finishes_ = row_.outstanding == 1 && !is_issuable();
  row_.outstanding.add(-1);
  --running_;
  if (is_running) row_.covered.add(+1);
  if (flags.trapped.has(sm_)) row_.promised.add(-1);
  // 2. Its slot is filled again at once,
  issues_fresh_ =
      is_running && !is_restoring && row_.remaining != 0 && row_.preempted == 0 && !params_.issues_in_rounds;
  // 3. or the SM, if it is empty now, leaves.
  if (running_ != 0 || is_restoring) return;
  if (!is_running || (!is_issuable() && !finishes_)) leave();
}

void JobEngine::calc_set_up_done() {
  if (!is_answer_current()) return;               // of a superseded set-up
  if (smst_row_.state == SmState::kIdle) return;  // its kernel has finished
  if (smst_row_.state == SmState::kReserved || !is_issuable()) leave();
}

void JobEngine::calc_preempted() {
  if (!tables_.smst.flags.trapped.has(sm_)) return;  // it was handed over when its last TB finished
  if (has_row()) {
    const std::uint32_t waiting_per_sm = row_.preempted == 0 ? 0 : std::uint32_t{row_.saved_per_sm};
    row_.saved_per_sm = std::max(waiting_per_sm, running_);
    row_.preempted.add(running_);
    row_.promised.add(-static_cast<std::int64_t>(running_));
  }
  leave();
}

// To its `next`, if it is reserved; else it is of no use to its owner.
void JobEngine::leave() {
  const bool is_reserved = smst_row_.state == SmState::kReserved;
  leaving_ = is_reserved ? Leaving::kHandsOver : Leaving::kReleases;
  if (!is_reserved) step_sms(-1, 0, -tbs_per_sm());
}

void JobEngine::calc_hand_over() {
  if (!has_row()) return;
  const std::int32_t slots_of_reserved = tables_.ksrt.slots_of_reserved_sm(row_);
  is_issuable() ? step_sms(+1, -1, tbs_per_sm() - slots_of_reserved) : step_sms(0, -1, -slots_of_reserved);
}

// ---- WRITE ---------------------------------------------------------------------------------------------------

// Of visit A.
void JobEngine::write_sm_event(const PolicyRegister& policy) {
  switch (job_) {
    case Job::kTbDone:
      return write_tb_done(policy);
    case Job::kSetUpDone:
      return write_set_up_done();
    case Job::kRestoreDone:
      return write_restore_done();
    case Job::kPreempted:
      return write_preempted();
    default:
      return;
  }
}

void JobEngine::write_tb_done(const PolicyRegister& policy) {
  if (!has_visit_b()) tables_.smst.set_running(sm_, running_);
  tables_.smst.flags.full.set(sm_, issues_fresh_ && running_ == row_.tbs_per_sm);
  if (finishes_) finish(policy);
}

void JobEngine::write_set_up_done() {
  const bool has_tag_again = tables_.set_up_tags.answer(sm_, answered_tag_);
  if (smst_row_.state == SmState::kIdle && has_tag_again) {
    has_invoked_d_ = true;
    tables_.partitions.touch(tables_.smst.row(sm_).partition);
  }
  const bool goes_on = is_answer_current() && smst_row_.state == SmState::kRunning && leaving_ == Leaving::kStays;
  if (goes_on) tables_.smst.flags.active.set(sm_);
}

void JobEngine::write_restore_done() {
  SmFlags& flags = tables_.smst.flags;
  flags.restoring.clear(sm_);
  const bool is_saved_next = smst_row_.state == SmState::kReserved && flags.active.has(sm_) && !flags.drains.has(sm_);
  if (is_saved_next) flags.trap_pending.set(sm_);
}

void JobEngine::write_preempted() {
  if (leaving_ == Leaving::kStays) return;
  has_invoked_d_ = running_ > 0;
  if (has_invoked_d_) touch_partition();
  running_ = 0;
  if (!has_visit_b()) tables_.smst.set_running(sm_, 0);
}

void JobEngine::write_leaving(const PolicyRegister& policy, EventPins& events) {
  if (leaving_ == Leaving::kStays || has_visit_b()) return;
  if (is_visit_b_) tables_.smst.set_running(sm_, running_);
  tables_.partitions.touch(tables_.smst.row(sm_).partition);
  events.sm = sm_;
  events.preempted = leaving_ == Leaving::kHandsOver;
  if (events.preempted && is_visit_b_ && is_issuable()) {
    events.ksr = ksr_;
    return own(sm_);
  }
  events.released = true;
  if (events.preempted) {
    tables_.linger.hand_to_nobody(sm_);
  } else {
    leave_sms(policy, SmSet::of(sm_));
  }
  tables_.smst.release(sm_);
  has_invoked_d_ = true;
}

// The SMs of the kernel are forgotten with it.
void JobEngine::finish(const PolicyRegister& policy) {
  const std::uint32_t context = tables_.ksrt.traits(ksr_).context;
  tables_.tokens.finish({ksr_, context, row_.held()}, policy.by_process);
  show_usage(static_cast<std::int32_t>(row_.held()));
  tables_.partitions.kernel_finishes(tables_.ksrt.traits(ksr_).partition);
  tables_.contexts.kernel_leaves(context);
  tables_.active_queue.remove(ksr_);
  tables_.ksrt.free(ksr_);
  leave_sms(policy, tables_.smst.forget_kernel(ksr_));
  kernel_done_ = {true, row_.descriptor};
  has_invoked_d_ = true;
}

// By the kernel of the open row.
void JobEngine::leave_sms(const PolicyRegister& policy, const SmSet& sms) {
  if (policy_row(policy).has(kLinger)) tables_.linger.leave(tables_.ksrt.traits(ksr_).priority, sms);
}

void JobEngine::own(std::uint32_t sm) {
  tables_.smst.own(sm, ksr_, is_issuable());
  tables_.linger.take(sm);
}

}  // namespace tessera::rtl_model
