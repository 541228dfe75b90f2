// SPDX-License-Identifier: Apache-2.0
// Pins: why SM events wait and what becomes of them, batches of handles, and what meets in one cycle.
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

class PinPoints final : public ICoverGroup {
 public:
  explicit PinPoints(Coverage& coverage) : coverage_(coverage) {}

  void reset(const Params&) override {
    completed_ = {};
    num_completed_ = batch_ = 0;
  }

  void sample(const CycleView& now) override {
    sample_waiting(now);
    if (now.takes_event()) sample_taken(now);
    sample_completions(now);
    sample_dispatch(now);
    sample_control(now);
    const SchedulerInputs& in = now.in;
    coverage_.hit_if(all_inputs_,
                     in.command.valid && in.control.valid && in.slice_tick && in.sm_event.valid && in.handle.valid);
    coverage_.hit_if(both_outputs_, now.out.dispatch.valid && now.out.sm_control.valid);
    coverage_.hit_if(priority_and_command_, in.command.valid && now.writes(ControlRegister::kPriority) &&
                                                in.command.context == in.control.context);
    coverage_.hit_if(page_table_and_set_up_, now.sent.valid && now.sent.kind == SmControlKind::kSetup &&
                                                 now.writes(ControlRegister::kPageTable) &&
                                                 now.sent.context == in.control.context);
    coverage_.hit_if(slow_clock_, !in.sm_tick);
  }

 private:
  // Why an event of the cycle before had to wait, and what became of it.
  void sample_waiting(const CycleView& now) {
    const SmEventPins& waited = now.before.in.sm_event;
    if (!waited.valid || now.before.out.sm_event_ready) return;
    const EventPins& events = now.out.events;
    const bool is_distributing = now.before.search.state == SearchState::kDistribute;
    const bool is_internal = events.preempted || events.released;
    coverage_.hit_if(waits_for_move_, events.moved);
    coverage_.hit_if(waits_for_distribution_, is_distributing);
    const bool is_checking = now.before.search.is_checking;
    coverage_.hit_if(waits_for_check_, is_checking);
    coverage_.hit_if(waits_for_internal_, is_internal);
    coverage_.hit_if(waits_for_issue_,
                     !events.moved && !is_distributing && !is_checking && !is_internal && now.params.is_breadth_first);
    const SmEventPins& event = now.in.sm_event;
    coverage_.hit_if(replaced_, event.valid && event.sm == waited.sm && waited.kind != SmEventKind::kTbDone &&
                                    event.kind == SmEventKind::kTbDone);
    const SmControlPins& control = now.before.out.sm_control;
    const bool is_set_up = control.valid && control.sm == waited.sm && control.kind == SmControlKind::kSetup;
    coverage_.hit_if(gone_set_up_done_, is_set_up && waited.kind == SmEventKind::kSetupDone);
    coverage_.hit_if(gone_preempted_, is_set_up && waited.kind == SmEventKind::kPreempted);
  }
  void sample_taken(const CycleView& now) {
    const std::uint32_t sm = now.in.sm_event.sm;
    const SmRow& row = now.tables.smst.row(sm);
    const SmControlPins& control = now.out.sm_control;
    const bool has_set_up = control.valid && control.sm == sm && control.kind == SmControlKind::kSetup;
    const bool is_trapped_now = now.sends(SmControlKind::kTrap, sm);
    switch (now.in.sm_event.kind) {
      case SmEventKind::kTbDone:
        coverage_.hit_if(choice_and_done_, now.out.dispatch.valid && now.out.dispatch.sm == sm);
        coverage_.hit_if(trap_and_done_, is_trapped_now && row.running > 1);
        coverage_.hit_if(trap_and_last_done_, is_trapped_now && row.running == 1);
        coverage_.hit_if(done_of_trapped_, now.probe.is_trapped(sm));
        coverage_.hit_if(last_done_of_trapped_, now.probe.is_trapped(sm) && row.running == 1);
        return;
      case SmEventKind::kSetupDone:
        coverage_.hit_if(stale_idle_, row.state == SmState::kIdle);
        coverage_.hit_if(stale_pending_, row.state != SmState::kIdle && now.board.sm(sm).wants_set_up);
        coverage_.hit_if(stale_on_pins_, row.state != SmState::kIdle && has_set_up);
        coverage_.hit_if(nothing_to_issue_,
                         row.state == SmState::kRunning && !now.tables.ksrt.row(row.ksr).is_issuable());
        return;
      case SmEventKind::kRestoreDone:
        coverage_.hit_if(restored_idle_, row.state == SmState::kIdle);
        return;
      case SmEventKind::kPreempted:
        coverage_.hit_if(stale_preempted_, !now.probe.is_trapped(sm));
        coverage_.hit_if(preempted_empty_, now.probe.is_trapped(sm) && row.running == 0);
        coverage_.hit_if(preempted_and_read_, now.probe.is_trapped(sm) && now.out.dispatch.valid &&
                                                  now.out.dispatch.is_restore &&
                                                  now.tables.smst.row(now.out.dispatch.sm).ksr == row.ksr);
        return;
    }
  }
  // As many TBs done in a row as there are SMs, each of another SM.
  void sample_completions(const CycleView& now) {
    if (!now.takes(SmEventKind::kTbDone)) {
      completed_ = {};
      num_completed_ = 0;
      return;
    }
    if (completed_.has(now.in.sm_event.sm)) {
      completed_ = {};
      num_completed_ = 0;
    }
    completed_.set(now.in.sm_event.sm);
    coverage_.hit_if(all_complete_, ++num_completed_ == now.params.num_sms && now.params.num_sms > 1);
  }
  void sample_dispatch(const CycleView& now) {
    const DispatchPins& dispatch = now.out.dispatch;
    if (!dispatch.valid || !dispatch.is_restore) return;
    ++batch_;
    if (!dispatch.last) return;
    const SmRow& row = now.tables.smst.row(dispatch.sm);
    const bool is_full = now.tables.smst.has_owner(row) && row.running == now.tables.ksrt.row(row.ksr).tbs_per_sm;
    coverage_.hit_if(batch_of_one_, batch_ == 1 && now.params.max_tbs_per_sm > 1);
    coverage_.hit_if(batch_fills_, is_full && batch_ > 1);
    coverage_.hit_if(batch_ends_early_, !is_full);
    coverage_.hit_if(batch_on_top_, row.running > batch_);
    batch_ = 0;
  }
  void sample_control(const CycleView& now) {
    if (!now.sent.valid) return;
    const SmRow& row = now.tables.smst.row(now.sent.sm);
    if (now.sent.kind == SmControlKind::kTrap) {
      coverage_.hit_if(trap_empty_, row.running == 0);
      coverage_.hit_if(trap_full_, row.running == now.params.max_tbs_per_sm);
      for (std::uint32_t sm = 0; sm < now.params.num_sms; ++sm) {
        coverage_.hit_if(trap_before_set_up_, now.board.sm(sm).wants_set_up);
      }
    } else {
      coverage_.hit_if(set_up_reserved_, row.state == SmState::kReserved);
    }
  }

  Coverage& coverage_;
  SmSet completed_;  // SMs of the run of TBs done
  std::uint32_t num_completed_ = 0;
  std::uint32_t batch_ = 0;  // handles sent in the batch under way

  const Coverage::Id waits_for_move_ = coverage_.add("event.waits_for_move", "an SM event waits for a move");
  const Coverage::Id waits_for_distribution_ =
      coverage_.add("event.waits_for_distribution", "an SM event waits for a distribution");
  const Coverage::Id waits_for_check_ =
      coverage_.add("event.waits_for_check", "an SM event waits while a pipelined search is checking");
  const Coverage::Id waits_for_internal_ =
      coverage_.add("event.waits_for_internal", "an SM event waits for an internal one");
  const Coverage::Id waits_for_issue_ =
      coverage_.add("event.waits_for_issue", "an SM event waits until this SM cycle's TBs are issued");
  const Coverage::Id replaced_ = coverage_.add("event.replaced", "an event that waited makes place for a TB done");
  const Coverage::Id gone_set_up_done_ =
      coverage_.add("event.set_up_done_gone", "a new set-up: the done that waited is gone");
  const Coverage::Id gone_preempted_ =
      coverage_.add("event.preempted_gone", "a new set-up: the preempted that waited is gone");
  const Coverage::Id stale_idle_ =
      coverage_.add("event.stale_set_up_done_idle", "set-up done of an idle SM is ignored");
  const Coverage::Id stale_pending_ =
      coverage_.add("event.stale_set_up_done_pending", "set-up done while the next set-up is pending is ignored");
  const Coverage::Id stale_on_pins_ =
      coverage_.add("event.stale_set_up_done_on_pins", "set-up done while the next set-up is on the pins is ignored");
  const Coverage::Id stale_preempted_ =
      coverage_.add("event.stale_preempted", "preempted of an SM that is not trapped is ignored");
  const Coverage::Id restored_idle_ = coverage_.add("event.restore_done_idle", "restore done of an idle SM");
  const Coverage::Id nothing_to_issue_ =
      coverage_.add("event.set_up_for_nothing", "set-up done, and its kernel has nothing to issue any more");
  const Coverage::Id preempted_empty_ = coverage_.add("event.preempted_empty", "preempted of an SM without TBs");
  const Coverage::Id preempted_and_read_ =
      coverage_.add("meeting.preempted_and_restore", "preempted while a handle of the same kernel goes out");
  const Coverage::Id choice_and_done_ =
      coverage_.add("meeting.choice_and_tb_done", "a TB goes to and comes from one SM");
  const Coverage::Id trap_and_done_ = coverage_.add("meeting.trap_and_tb_done", "the SM's trap is sent");
  const Coverage::Id trap_and_last_done_ = coverage_.add("meeting.trap_and_last_tb_done", "the same with its last TB");
  const Coverage::Id done_of_trapped_ = coverage_.add("event.tb_done_of_trapped", "a TB ends after the trap");
  const Coverage::Id last_done_of_trapped_ =
      coverage_.add("event.last_tb_done_of_trapped", "the last TB ends after the trap");
  const Coverage::Id all_complete_ =
      coverage_.add("event.all_sms_complete", "a TB done of each SM, one after the other");
  const Coverage::Id batch_of_one_ = coverage_.add("batch.one", "a batch of one handle");
  const Coverage::Id batch_fills_ = coverage_.add("batch.fills_sm", "a batch ends because the SM is full");
  const Coverage::Id batch_ends_early_ = coverage_.add("batch.ends_early", "a batch ends because no handle is left");
  const Coverage::Id batch_on_top_ = coverage_.add("batch.beside_residents", "a batch comes to an SM that runs TBs");
  const Coverage::Id trap_empty_ = coverage_.add("trap.empty", "an SM without TBs is trapped");
  const Coverage::Id trap_full_ = coverage_.add("trap.full", "an SM with T_MAX TBs is trapped");
  const Coverage::Id trap_before_set_up_ = coverage_.add("trap.before_set_up", "a trap goes before a set-up");
  const Coverage::Id set_up_reserved_ = coverage_.add("set_up.reserved", "an SM that is reserved already is set up");
  const Coverage::Id all_inputs_ =
      coverage_.add("meeting.all_inputs", "command, write, tick, event and handle in one cycle");
  const Coverage::Id both_outputs_ = coverage_.add("meeting.control_and_dispatch", "control and dispatch in one cycle");
  const Coverage::Id priority_and_command_ =
      coverage_.add("meeting.priority_write_and_command", "a priority write does not reach its context's command");
  const Coverage::Id page_table_and_set_up_ =
      coverage_.add("meeting.page_table_and_set_up", "a page-table write in the cycle of a set-up of its context");
  const Coverage::Id slow_clock_ = coverage_.add("sm_tick.low", "the core's clock is faster than the SMs'");
};

}  // namespace

std::unique_ptr<ICoverGroup> pin_points(Coverage& coverage) { return std::make_unique<PinPoints>(coverage); }

}  // namespace tessera::testbench
