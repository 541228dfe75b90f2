// SPDX-License-Identifier: Apache-2.0
// Pins: events that wait, inputs that meet, tables that are full, idle (docs/hardware/timing.md 3, 6.2, 6.3, 6.6).
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Phase = JobEngine::Phase;
using rtl_model::ControlRegister;
using rtl_model::SmEventKind;

class PinPoints final : public ICoverGroup {
 public:
  explicit PinPoints(Coverage& coverage)
      : coverage_(coverage),
        waits_for_move_(coverage.add("event.waits_for_search", "an event waits for the search's job")),
        waits_for_leave_(coverage.add("event.waits_for_leave", "an event waits for an SM that leaves")),
        waits_for_trap_(coverage.add("event.waits_for_trap", "an event waits for a trap")),
        waits_for_set_up_(coverage.add("event.waits_for_set_up", "an event waits for a set-up")),
        waits_for_control_(coverage.add("event.waits_for_control", "an event waits while a command is on the pins")),
        waits_for_deal_(coverage.add("event.waits_for_deal", "an event waits for a deal")),
        waits_for_issue_(coverage.add("event.waits_for_issue", "an event waits, since issuing goes first")),
        waits_for_rounds_(coverage.add("event.waits_for_rounds", "an event waits for a round")),
        leave_waits_for_deal_(coverage.add("leave.waits_for_deal", "an SM that leaves waits for a deal")),
        served_(coverage.add("rounds.served", "an SM that was served waits for the next SM cycle")),
        served_at_tick_(coverage.add("rounds.tick_in_find", "an SM cycle ends as an SM is being served")),
        served_until_pick_(coverage.add("rounds.tick_in_pick", "an SM cycle ends between a job's choice and its SM's")),
        no_room_tried_again_(coverage.add("trap.tried_again", "a trap that found no room is tried again")),
        handle_beside_job_(coverage.add("handle.at_write", "a handle comes in a WRITE of its owner's row")),
        handle_then_preempted_(
            coverage.add("handle.then_preempted", "the end of a save is taken a cycle after its last handle")),
        command_and_write_(coverage.add("inputs.command_and_write", "a command and a write in one cycle")),
        command_and_priority_(
            coverage.add("inputs.command_and_its_priority", "a command and a priority of its context")),
        all_inputs_(coverage.add("inputs.all_at_once", "a command, a write, an event and a handle in one cycle")),
        page_table_at_calc_(coverage.add("set_up.page_table_in_calc", "its page table is written in CALC of a set-up")),
        queue_full_(coverage.add("queue.full", "all KSRs are taken, and a command waits")),
        buffers_full_(coverage.add("buffers.full", "all command buffers are taken")),
        ring_full_(coverage.add("ring.full", "a ring is full")),
        ring_round_(coverage.add("ring.round", "a ring's head goes round")),
        idle_with_kernels_(coverage.add("idle.with_kernels", "idle while kernels run")),
        idle_empty_(coverage.add("idle.empty", "idle without a kernel")),
        woken_by_command_(coverage.add("idle.command", "a command wakes it")),
        woken_by_write_(coverage.add("idle.write", "a write wakes it")),
        woken_by_page_table_(coverage.add("idle.page_table", "a page table is written while idle")),
        woken_by_tick_(coverage.add("idle.tick", "a tick wakes it")),
        woken_by_event_(coverage.add("idle.event", "an event wakes it")),
        woken_by_handle_(coverage.add("idle.handle", "a handle comes while idle")) {}

  void sample(const CycleView& now) override {
    const JobEngine& engine = now.core.engine();
    const rtl_model::Tables& tables = now.core.tables();
    if (engine.phase() == Phase::kPick && now.in.sm_event.valid && !now.out.sm_event_ready) sample_wait(now);
    const bool is_dealing = now.core.search().is_dealing();
    coverage_.hit_if(leave_waits_for_deal_, is_dealing && engine.phase() == Phase::kPick && tables.smst.leaves().any());
    coverage_.hit_if(served_, tables.smst.flags.served.any() && engine.phase() == Phase::kPick);
    coverage_.hit_if(served_at_tick_, now.params.clock_ratio > 1 && now.in.sm_tick && engine.phase() == Phase::kFind &&
                                          engine.job() == JobEngine::Job::kIssue);
    coverage_.hit_if(served_until_pick_, had_served_ && now.params.clock_ratio > 1 && now.in_before.sm_tick &&
                                             engine.phase() == Phase::kFind && engine.job() == JobEngine::Job::kIssue);
    had_served_ = tables.smst.flags.served.any();
    const bool has_no_room = tables.smst.flags.no_room.any();
    coverage_.hit_if(no_room_tried_again_, had_no_room_ && !has_no_room && tables.smst.may_be_trapped().any());
    had_no_room_ = has_no_room;
    sample_inputs(now);
    sample_tables(now);
    if (now.out.idle) sample_idle(now);
  }

 private:
  void sample_wait(const CycleView& now) {
    const rtl_model::Smst& smst = now.core.tables().smst;
    const bool is_offered = now.core.search().offered() != nullptr;
    coverage_.hit_if(waits_for_move_, is_offered);
    coverage_.hit_if(waits_for_leave_, smst.leaves().any());
    coverage_.hit_if(waits_for_trap_, smst.may_be_trapped().any());
    coverage_.hit_if(waits_for_set_up_, smst.flags.set_up_pending.any());
    coverage_.hit_if(waits_for_control_, now.out.sm_control.valid);
    coverage_.hit_if(waits_for_deal_, now.core.search().is_dealing() && !is_offered);
    const bool wants = smst.wants_tb().any();
    const bool in_rounds = now.core.params().issues_in_rounds;
    coverage_.hit_if(waits_for_issue_, wants && now.core.engine().issues_first() && !in_rounds);
    coverage_.hit_if(waits_for_rounds_, wants && in_rounds);
  }

  void sample_inputs(const CycleView& now) {
    const auto& in = now.in;
    const JobEngine& engine = now.core.engine();
    coverage_.hit_if(command_and_write_, in.command.valid && now.takes_write());
    coverage_.hit_if(command_and_priority_, in.command.valid && now.takes(ControlRegister::kPriority) &&
                                                in.control.context == in.command.context);
    coverage_.hit_if(all_inputs_, in.command.valid && now.takes_write() && now.takes_event() && in.handle.valid);
    coverage_.hit_if(handle_beside_job_,
                     in.handle.valid && engine.phase() == Phase::kWrite &&
                         now.core.tables().smst.row(engine.sm() < now.params.num_sms ? engine.sm() : 0).ksr ==
                             now.core.tables().smst.row(in.handle.sm).ksr);
    coverage_.hit_if(handle_then_preempted_, now.takes_event() && in.sm_event.kind == SmEventKind::kPreempted &&
                                                 now.in_before.handle.valid &&
                                                 now.in_before.handle.sm == in.sm_event.sm);
    coverage_.hit_if(page_table_at_calc_, engine.phase() == Phase::kCalc && engine.job() == JobEngine::Job::kSetUp &&
                                              now.takes(ControlRegister::kPageTable) &&
                                              in.control.context == context_of_job(now));
  }

  static std::uint32_t context_of_job(const CycleView& now) {
    const std::uint32_t ksr = now.core.tables().smst.row(now.core.engine().sm()).ksr;
    return ksr == rtl_model::kNone ? ksr : std::uint32_t{now.core.tables().ksrt.traits(ksr).context};
  }

  void sample_tables(const CycleView& now) {
    const rtl_model::Tables& tables = now.core.tables();
    coverage_.hit_if(queue_full_, tables.active_queue.is_full() && tables.command_buffers.num_waiting() > 0);
    coverage_.hit_if(buffers_full_, !now.out.buffer_free.any());
    if (!now.out.dispatch.valid && !now.in_before.handle.valid) return;
    for (std::uint32_t ksr = 0; ksr < tables.ksrt.size(); ++ksr) {
      if (!tables.ksrt.is_valid(ksr)) continue;
      const rtl_model::KsrRow& row = tables.ksrt.row(ksr);
      coverage_.hit_if(ring_full_, row.preempted == now.core.params().ptbq_depth);
      coverage_.hit_if(ring_round_, row.preempted > 0 && row.head + row.preempted > now.core.params().ptbq_depth);
    }
  }

  void sample_idle(const CycleView& now) {
    coverage_.hit(now.core.tables().active_queue.size() > 0 ? idle_with_kernels_ : idle_empty_);
    coverage_.hit_if(woken_by_command_, now.in.command.valid);
    coverage_.hit_if(woken_by_write_, now.restarts());
    coverage_.hit_if(woken_by_page_table_, now.takes(ControlRegister::kPageTable));
    coverage_.hit_if(woken_by_tick_, now.in.slice_tick);
    coverage_.hit_if(woken_by_event_, now.takes_event());
    coverage_.hit_if(woken_by_handle_, now.in.handle.valid);
  }

  Coverage& coverage_;
  Coverage::Id waits_for_move_, waits_for_leave_, waits_for_trap_, waits_for_set_up_, waits_for_control_,
      waits_for_deal_, waits_for_issue_, waits_for_rounds_, leave_waits_for_deal_, served_, served_at_tick_,
      served_until_pick_, no_room_tried_again_, handle_beside_job_, handle_then_preempted_, command_and_write_,
      command_and_priority_, all_inputs_, page_table_at_calc_, queue_full_, buffers_full_, ring_full_, ring_round_,
      idle_with_kernels_, idle_empty_, woken_by_command_, woken_by_write_, woken_by_page_table_, woken_by_tick_,
      woken_by_event_, woken_by_handle_;
  bool had_no_room_ = false, had_served_ = false;
};

}  // namespace

std::unique_ptr<ICoverGroup> pin_points(Coverage& coverage) { return std::make_unique<PinPoints>(coverage); }

}  // namespace tessera::testbench
