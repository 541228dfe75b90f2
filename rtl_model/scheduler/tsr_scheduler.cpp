// SPDX-License-Identifier: Apache-2.0
// The core's cycle, part by part.
#include "rtl_model/scheduler/tsr_scheduler.h"

#include <stdexcept>

namespace tessera::rtl_model {
namespace {

const CoreParams& checked(const CoreParams& params) {
  params.check();
  return params;
}

void require(bool is_so, const char* what) {
  if (!is_so) throw std::logic_error(std::string("rtl_model: ") + what);
}

std::uint32_t sm_of(const ControlPins& write) { return static_cast<std::uint32_t>(write.data >> 8 & 0xFF); }

}  // namespace

TsrScheduler::TsrScheduler(const CoreParams& params)
    : params_(checked(params)),
      tables_(params_),
      u_turn_(params_, tables_),
      u_search_(params_, tables_, u_turn_),
      u_engine_(params_, tables_) {
  if (params_.has_refill_lane) u_lane_.emplace(params_, tables_);
  u_engine_.seq(false);
  u_turn_.settle(u_search_.policy());
  out_.buffer_free = tables_.command_buffers.free();
  drive_outputs({});
}

void TsrScheduler::advance(const SchedulerInputs& in) {
  EventPins events;
  // 1. What looks at the tables as they are in this cycle.
  JobEngine::Inputs job;
  job.offered = u_search_.offered();
  SmEventPins taken = in.sm_event;
  taken.valid = in.sm_event.valid && out_.sm_event_ready;
  if (u_lane_) {
    look_at_lane(job);
  } else {
    job.sm_event = taken;
  }
  job.is_dealing = u_search_.is_dealing();
  job.policy = u_search_.policy();
  job.eviction_drains = u_turn_.evicts_by_draining(job.policy);
  Search::Inputs search;
  search.invoked =
      in.command.valid || in.slice_tick || in.linger_over || u_engine_.has_invoked() || u_turn_.invokes(in.switch_over);
  // Contexts that take longer to move than a slice lasts would go back and forth without ever running.
  search.tick = in.slice_tick && u_search_.passes_turns() && !tables_.smst.is_changing_hands();
  if (in.handle.valid) {
    tables_.ptbq.arrive(tables_.smst.row(in.handle.sm).ksr, in.handle.tb, in.handle.stack_pointer);
  }
  u_search_.look(u_engine_.is_in_pick());
  // 2. The job; then the OS, whose writes of a cycle come last; then a command, which these do not reach.
  search.job_ended = u_engine_.step(job, events);
  search.job_found_no_sm = u_engine_.has_found_no_sm();
  if (u_lane_) u_lane_->seq(taken, u_engine_.has_picked_entry());
  const bool is_written = in.control.valid && out_.control_ready;
  if (is_written) write_control(in.control);
  if (is_written && restarts_search(in.control.reg)) search.write = &in.control;
  if (in.command.valid) tables_.command_buffers.accept(in.command);
  if (in.command.valid || events.activated) out_.buffer_free = tables_.command_buffers.free();
  // 3. The edge.
  step_turn(in, is_written ? &in.control : nullptr, events);
  u_search_.seq(search, events);
  tables_.seq();
  tables_.linger.seq(in.linger_over, is_written && in.control.reg == ControlRegister::kPolicy);
  u_engine_.seq(in.sm_tick);
  if (u_lane_) u_lane_->settle();
  u_turn_.settle(u_search_.policy());
  drive_outputs(events);
}

// Before the engine changes tables.
void TsrScheduler::look_at_lane(JobEngine::Inputs& job) {
  u_lane_->look(u_engine_);
  job.entry = u_lane_->offered();
  job.waits_for_lane = u_lane_->counts_for(u_engine_.ksr());
}

// A write of the policy register ends everything about a kept turn.
void TsrScheduler::step_turn(const SchedulerInputs& in, const ControlPins* write, EventPins& events) {
  Turn::Inputs turn;
  turn.writes_policy = write != nullptr && write->reg == ControlRegister::kPolicy;
  turn.ends_eviction = events.evicted;
  turn.drops_eviction = u_search_.drops_eviction();
  if (write != nullptr && write->reg == ControlRegister::kSliceEnd) turn.slice_end = write;
  if (!turn.writes_policy) u_turn_.show(in.switch_over, events);
  u_turn_.seq(in, turn);
}

Cycle TsrScheduler::run_quietly(Cycle limit, bool event_waits) {
  if (has_pins_) return 0;
  Cycle cycles = 0;
  while (cycles < limit && is_quiet(event_waits)) {
    cycles += u_search_.is_idle() && is_lane_at_rest() ? run_engine(limit - cycles) : run_all();
  }
  if (cycles > 0) drive_outputs({});
  return cycles;
}

bool TsrScheduler::is_quiet(bool event_waits) const {
  if (u_engine_.has_pins() || u_engine_.may_show_event() || shows_tb()) return false;
  if (u_search_.may_show_event(u_engine_.has_invoked()) || !u_turn_.rests()) return false;
  return !(event_waits && is_event_ready()) && !is_idle();
}

// The search rests, and has nothing to offer; the lane rests, and will do so until the engine's WRITE.
Cycle TsrScheduler::run_engine(Cycle limit) {
  const Cycle cycles = u_engine_.run(limit, u_search_.policy());
  tables_.seq(cycles);
  u_engine_.seq(false);
  if (u_lane_) u_lane_->settle();
  u_turn_.settle(u_search_.policy());
  return cycles;
}

Cycle TsrScheduler::run_all() {
  SchedulerInputs none;
  none.sm_tick = false;
  none.set_lists(u_turn_.waiting(), u_turn_.listed());
  advance(none);
  return 1;
}

void TsrScheduler::check(const SchedulerInputs& in) const {
  if (in.command.valid) {
    require(in.command.buffer < params_.num_command_buffers && out_.buffer_free.has(in.command.buffer),
            "a command for a buffer that is not free");
    require(in.command.context < params_.num_contexts, "a command of a context that is not there");
    require(in.command.num_tbs >= 1 && in.command.tbs_per_sm >= 1 && in.command.tbs_per_sm <= params_.max_tbs_per_sm,
            "a command without thread blocks, or with more than an SM has slots for");
  }
  const bool is_of_sm = in.control.reg == ControlRegister::kPartition;
  if (in.control.valid && is_of_sm)
    require(sm_of(in.control) < params_.num_sms, "the partition of an SM that is not there");
  if (in.control.valid && !is_of_sm && in.control.reg != ControlRegister::kPolicy) {
    require(in.control.context < params_.num_contexts, "a control write for a context that is not there");
  }
  if (in.sm_event.valid) {
    require(in.sm_event.sm < params_.num_sms, "an event of an SM that is not there");
    require(in.sm_event.tag >> params_.tag_pin_width() == 0, "a tag that does not fit");
  }
  if (in.handle.valid) {
    require(in.handle.sm < params_.num_sms && tables_.smst.row(in.handle.sm).ksr != kNone,
            "a handle of an SM that nobody owns");
  }
}

bool TsrScheduler::restarts_search(ControlRegister reg) const {
  if (reg == ControlRegister::kPartition) return tables_.partitions.are_there();
  return reg < ControlRegister::kPageTable;
}

void TsrScheduler::write_control(const ControlPins& write) {
  if (restarts_search(write.reg)) {
    tables_.partitions.restart(write.reg == ControlRegister::kPolicy, write.reg == ControlRegister::kPartition);
  }
  switch (write.reg) {
    case ControlRegister::kPolicy:
      tables_.contexts.deal_again();
      if (tables_.partitions.are_there()) tables_.smst.suspect_all();
      return tables_.tokens.write_policy(PolicyRegister::of(write.data).gives_once);
    case ControlRegister::kPriority:
      tables_.command_buffers.write_priority(write.context, static_cast<std::uint32_t>(write.data));
      return tables_.ksrt.write_priority(write.context, static_cast<std::uint32_t>(write.data));
    case ControlRegister::kTokens:
      tables_.contexts.write_budget(write.context, write.data);
      return tables_.tokens.write_budget(write.context, u_search_.policy().by_process);
    case ControlRegister::kPageTable:
      return tables_.contexts.write_page_table(write.context, write.data);
    case ControlRegister::kSliceEnd:
      return;  // of the turn
    case ControlRegister::kPartition:
      if (!tables_.partitions.are_there()) return;
      return tables_.smst.set_partition(sm_of(write), write.data & ~(~0U << params_.partition_width()));
  }
}

// ---- pins ----------------------------------------------------------------------------------------------------

void TsrScheduler::drive_outputs(const EventPins& events) {
  const bool has_pins = u_engine_.has_pins() || events.any() || shows_tb();
  out_.control_ready = u_search_.takes_control_writes();
  const bool are_two_active = u_search_.passes_turns() && tables_.contexts.active().size() >= 2;
  const bool was_timer_enabled = out_.slice_timer_enable;
  out_.slice_timer_enable = are_two_active || u_turn_.enables_timer();
  out_.linger_start = tables_.linger.shows_start();
  out_.turn = u_turn_.turn();
  out_.switch_start = u_turn_.starts_switch();
  out_.switch_runs = out_.switch_start && u_turn_.runs();
  out_.sm_event_ready = is_event_ready();
  if (has_pins || has_pins_) {
    out_.sm_control = u_engine_.sm_control();
    const bool is_trap = out_.sm_control.kind == SmControlKind::kTrap;
    if (is_trap && u_search_.policy().is_flushing()) out_.sm_control.kind = SmControlKind::kFlush;
    out_.dispatch = dispatch();
    out_.kernel_done = u_engine_.kernel_done();
    out_.usage = u_engine_.usage();
    out_.events = events;
  }
  // A timer has to see them in their cycle.
  has_pins_ = has_pins || out_.switch_start || out_.slice_timer_enable != was_timer_enabled;
  out_.idle = is_idle();
}

// TBs have one port.
const DispatchPins& TsrScheduler::dispatch() const {
  if (!shows_tb()) return u_engine_.dispatch();
  if (u_engine_.dispatch().valid) throw std::logic_error("rtl_model: engine and refill lane dispatch in one cycle");
  return u_lane_->dispatch();
}

bool TsrScheduler::is_event_ready() const {
  if (u_lane_) return u_lane_->is_event_ready();
  return u_engine_.is_event_ready(u_search_.offered() != nullptr, u_search_.is_dealing());
}

bool TsrScheduler::is_idle() const {
  return u_search_.is_idle() && u_engine_.is_in_pick() && !u_engine_.has_something_to_pick() && !u_engine_.has_pins() &&
         !out_.events.any() && is_lane_at_rest() && !tables_.is_settling() && !tables_.ptbq.has_handle_under_way() &&
         !tables_.smst.flags.served.any() && u_turn_.rests();
}

}  // namespace tessera::rtl_model
