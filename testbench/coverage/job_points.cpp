// SPDX-License-Identifier: Apache-2.0
// Every job with every outcome (docs/hardware/timing.md 6.4, 6.5).
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Job = JobEngine::Job;
using rtl_model::SmState;

class MoveJobPoints final : public ICoverGroup {
 public:
  explicit MoveJobPoints(Coverage& coverage)
      : coverage_(coverage),
        assigned_(coverage.add("assign.done", "idle SMs are assigned")),
        assign_rejected_(coverage.add("assign.rejected", "the kernel is covered by now, or has finished")),
        reserved_(coverage.add("reserve.trap_pending", "an active SM is reserved, to be saved")),
        reserved_drains_(coverage.add("reserve.drains", "an SM is reserved, to be drained")),
        reserved_in_set_up_(coverage.add("reserve.in_set_up", "an SM that is not set up yet is reserved")),
        reserved_restoring_(coverage.add("reserve.restoring", "an SM that restores is reserved, to be saved")),
        reserved_empty_(coverage.add("reserve.empty", "an active SM without TBs is reserved")),
        reserve_rejected_(coverage.add("reserve.rejected", "the kernel that takes an SM needs none any more")),
        retargeted_(coverage.add("retarget.done", "a reserved SM goes to another kernel")),
        retargeted_to_owner_(coverage.add("retarget.to_owner", "an SM that is saved goes back to its owner")),
        retargeted_trapped_(coverage.add("retarget.trapped", "an SM that was trapped is retargeted")),
        retarget_rejected_(coverage.add("retarget.rejected", "the same, of a reserved SM")),
        cancelled_(coverage.add("retarget.cancelled", "an SM that drains goes back to its owner")),
        cancelled_empty_(coverage.add("retarget.cancelled_in_set_up", "the same, not set up yet")),
        cancelled_restoring_(coverage.add("retarget.cancelled_restoring", "the same, while it restores")) {}

  void sample(const CycleView& now) override {
    const JobView& job = now.job;
    if (now.ends(Job::kAssign)) coverage_.hit(job.is_rejected ? assign_rejected_ : assigned_);
    if (job.finds_no_sm || (job.is_rejected && job.is_of_foreign && job.is_own)) return;  // burst_points.cpp
    if (now.ends(Job::kReserve)) reserve(now);
    if (now.ends(Job::kRetarget)) retarget(now);
  }

 private:
  void reserve(const CycleView& now) {
    const JobView& job = now.job;
    if (job.is_rejected) return coverage_.hit(reserve_rejected_);
    const bool drains = now.core.tables().smst.flags.drains.has(now.out.events.sm);
    coverage_.hit_if(reserved_, now.core.tables().smst.flags.trap_pending.has(now.out.events.sm));
    coverage_.hit_if(reserved_drains_, drains);
    coverage_.hit_if(reserved_in_set_up_, !job.is_active);
    coverage_.hit_if(reserved_restoring_, job.is_restoring && !drains);
    coverage_.hit_if(reserved_empty_, job.is_active && job.sm.running == 0);
  }

  void retarget(const CycleView& now) {
    const JobView& job = now.job;
    if (job.is_rejected) return coverage_.hit(retarget_rejected_);
    if (now.out.events.cancelled) {
      coverage_.hit(cancelled_);
      coverage_.hit_if(cancelled_empty_, !job.is_active);
      coverage_.hit_if(cancelled_restoring_, job.is_restoring);
      return;
    }
    coverage_.hit(retargeted_);
    coverage_.hit_if(retargeted_to_owner_, now.out.events.ksr == job.sm.ksr);
    coverage_.hit_if(retargeted_trapped_, job.is_trapped);
  }

  Coverage& coverage_;
  Coverage::Id assigned_, assign_rejected_, reserved_, reserved_drains_, reserved_in_set_up_, reserved_restoring_,
      reserved_empty_, reserve_rejected_, retargeted_, retargeted_to_owner_, retargeted_trapped_, retarget_rejected_,
      cancelled_, cancelled_empty_, cancelled_restoring_;
};

// A hand-over, a release, or neither.
struct Leavings {
  Leavings(Coverage& coverage, const std::string& job, const std::string& when)
      : with_next(coverage.add(job + ".handed_over", when + ": a reserved SM goes to its next kernel")),
        without_work(coverage.add(job + ".next_has_nothing", when + ": its next kernel has nothing to issue")),
        without_next(coverage.add(job + ".no_next", when + ": its next kernel has finished")) {}
  void sample(Coverage& coverage, const CycleView& now) const {
    if (!now.out.events.preempted) return;
    const bool goes_on = !now.out.events.released;
    coverage.hit_if(with_next, goes_on);
    coverage.hit_if(without_work, !goes_on && now.job.has_visit_b);
    coverage.hit_if(without_next, !goes_on && !now.job.has_visit_b);
  }
  Coverage::Id with_next, without_work, without_next;
};

class SmJobPoints final : public ICoverGroup {
 public:
  explicit SmJobPoints(Coverage& coverage)
      : coverage_(coverage),
        tb_done_(coverage, "tb_done", "the last TB of an SM is done"),
        set_up_(coverage, "set_up_done", "set-up done"),
        preempted_(coverage, "preempted", "a save is over"),
        leave_(coverage, "leave", "an SM leaves by itself"),
        refilled_(coverage.add("tb_done.refilled", "a fresh TB takes the slot at once")),
        refilled_full_(coverage.add("tb_done.not_refilled_for_handles", "handles wait: the slot is not refilled")),
        tb_done_released_(coverage.add("tb_done.released", "an SM is released with its last TB")),
        tb_done_trapped_(coverage.add("tb_done.trapped", "a TB of a trapped SM is done")),
        tb_done_restoring_(coverage.add("tb_done.restoring", "a TB of an SM that restores is done")),
        tb_done_last_restoring_(
            coverage.add("tb_done.last_restoring", "the last one: all were flushed, and restarted")),
        finished_(coverage.add("finish.running", "a kernel finishes on a running SM")),
        finished_reserved_(coverage.add("finish.reserved", "a kernel finishes on a reserved SM")),
        finished_own_next_(coverage.add("finish.reserved_for_itself", "the SM was reserved for the kernel itself")),
        finished_handed_over_(coverage.add("finish.handed_over", "the same, and the SM goes on to another kernel")),
        finished_pending_(coverage.add("finish.set_up_pending", "another SM of its waits for a set-up still")),
        finished_stranded_(coverage.add("finish.reserved_pending", "the same, and the SM is reserved")),
        set_up_active_(coverage.add("set_up_done.active", "an SM is set up")),
        set_up_released_(coverage.add("set_up_done.released", "an SM is set up, and there is nothing to issue")),
        set_up_idle_(coverage.add("set_up_done.idle", "an SM is set up whose kernel has finished")),
        restored_(coverage.add("restore_done.running", "contexts are back")),
        restored_reserved_(coverage.add("restore_done.reserved", "the SM was reserved: its trap follows")),
        restored_drains_(coverage.add("restore_done.drains", "the SM was reserved, and drains")),
        restored_in_set_up_(coverage.add("restore_done.not_active", "the SM belongs to another kernel by now")),
        saved_none_(coverage.add("preempted.of_none", "an SM was trapped empty, or its TBs were done")),
        saved_some_(coverage.add("preempted.of_some", "contexts were saved")),
        saved_stale_(coverage.add("preempted.not_trapped", "of an SM that was handed over before")),
        left_released_(coverage.add("leave.released", "an SM without work is released")),
        trapped_(coverage.add("trap.sent", "a trap of an SM with TBs")),
        trapped_empty_(coverage.add("trap.empty", "a trap of an SM without TBs")),
        flushed_(coverage.add("trap.flush", "an SM with TBs is told to flush")),
        no_room_(coverage.add("trap.no_room", "the ring has no room for an SM's TBs")),
        set_up_sent_(coverage.add("set_up.running", "a set-up is sent")),
        set_up_reserved_(coverage.add("set_up.reserved", "a set-up of an SM that is reserved again")),
        issued_one_(coverage.add("issue.one", "one fresh TB")),
        issued_many_(coverage.add("issue.many", "fresh TBs in one job")),
        issued_handle_(coverage.add("issue.handle", "a batch of one handle")),
        issued_handles_(coverage.add("issue.handles", "a batch of handles")),
        carried_(coverage.add("issue.carry", "a TB's number, or how many remain, carries")),
        refill_carried_(coverage.add("tb_done.carry", "a refill carries")) {}

  void sample(const CycleView& now) override {
    if (!now.job.is_over) return;
    switch (now.job.job) {
      case Job::kTbDone:
        return tb_done(now);
      case Job::kSetUpDone:
        return set_up_done(now);
      case Job::kRestoreDone:
        return restore_done(now);
      case Job::kPreempted:
        return preempted(now);
      case Job::kLeave:
        leave_.sample(coverage_, now);
        return coverage_.hit_if(left_released_, now.out.events.released);
      case Job::kTrap:
        return trap(now);
      case Job::kSetUp:
        return coverage_.hit(now.job.sm.state == SmState::kReserved ? set_up_reserved_ : set_up_sent_);
      case Job::kIssue:
        return issue(now);
      default:
        return;
    }
  }

 private:
  void tb_done(const CycleView& now) {
    const JobView& job = now.job;
    tb_done_.sample(coverage_, now);
    coverage_.hit_if(refilled_, job.num_tbs != 0);
    coverage_.hit_if(refill_carried_, job.num_carries != 0);
    coverage_.hit_if(refilled_full_, job.owner_is_fresh && job.owner_has_handles && job.sm.state == SmState::kRunning);
    coverage_.hit_if(tb_done_released_, now.out.events.released);
    coverage_.hit_if(tb_done_trapped_, job.is_trapped);
    coverage_.hit_if(tb_done_restoring_, job.is_restoring);
    coverage_.hit_if(tb_done_last_restoring_, job.is_restoring && job.sm.running == 1);
    if (!job.finishes) return;
    coverage_.hit_if(finished_pending_, job.owner_awaits_set_up);
    coverage_.hit_if(finished_stranded_, job.owner_awaits_reserved);
    const bool is_reserved = job.sm.state == SmState::kReserved;
    coverage_.hit(is_reserved ? finished_reserved_ : finished_);
    coverage_.hit_if(finished_own_next_, is_reserved && job.sm.next == job.sm.ksr);
    coverage_.hit_if(finished_handed_over_, is_reserved && !now.out.events.released);
  }

  void set_up_done(const CycleView& now) {
    set_up_.sample(coverage_, now);
    coverage_.hit_if(set_up_idle_, now.job.sm.state == SmState::kIdle);
    coverage_.hit_if(set_up_released_, now.out.events.released);
    coverage_.hit_if(set_up_active_, now.job.sm.state == SmState::kRunning && !now.out.events.released);
  }

  void restore_done(const CycleView& now) {
    const JobView& job = now.job;
    const bool is_reserved = job.sm.state == SmState::kReserved;
    coverage_.hit_if(restored_, !is_reserved && job.is_active);
    coverage_.hit_if(restored_reserved_, is_reserved && job.is_active && !job.is_draining);
    coverage_.hit_if(restored_drains_, is_reserved && job.is_draining);
    coverage_.hit_if(restored_in_set_up_, !job.is_active);
  }

  void preempted(const CycleView& now) {
    preempted_.sample(coverage_, now);
    coverage_.hit(!now.job.is_trapped ? saved_stale_ : now.job.sm.running == 0 ? saved_none_ : saved_some_);
  }

  void trap(const CycleView& now) {
    if (now.job.is_rejected) return coverage_.hit(no_room_);
    if (now.job.sm.running == 0) return coverage_.hit(trapped_empty_);
    coverage_.hit(now.core.search().policy().is_flushing() ? flushed_ : trapped_);
  }

  void issue(const CycleView& now) {
    const JobView& job = now.job;
    if (job.owner_has_handles) return coverage_.hit(job.num_tbs == 1 ? issued_handle_ : issued_handles_);
    coverage_.hit(job.num_tbs == 1 ? issued_one_ : issued_many_);
    coverage_.hit_if(carried_, job.num_carries != 0);
  }

  Coverage& coverage_;
  Leavings tb_done_, set_up_, preempted_, leave_;
  Coverage::Id refilled_, refilled_full_, tb_done_released_, tb_done_trapped_, tb_done_restoring_,
      tb_done_last_restoring_, finished_, finished_reserved_, finished_own_next_, finished_handed_over_,
      finished_pending_, finished_stranded_, set_up_active_, set_up_released_, set_up_idle_, restored_,
      restored_reserved_, restored_drains_, restored_in_set_up_, saved_none_, saved_some_, saved_stale_, left_released_,
      trapped_, trapped_empty_, flushed_, no_room_, set_up_sent_, set_up_reserved_, issued_one_, issued_many_,
      issued_handle_, issued_handles_, carried_, refill_carried_;
};

}  // namespace

std::unique_ptr<ICoverGroup> move_job_points(Coverage& coverage) { return std::make_unique<MoveJobPoints>(coverage); }
std::unique_ptr<ICoverGroup> sm_job_points(Coverage& coverage) { return std::make_unique<SmJobPoints>(coverage); }

}  // namespace tessera::testbench
