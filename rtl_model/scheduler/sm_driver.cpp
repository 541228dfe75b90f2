// SPDX-License-Identifier: Apache-2.0
// SM driver: what SMs report and what the policy decides, into the tables. The commands stand in sm_commands.cpp.
#include "rtl_model/scheduler/sm_driver.h"

namespace tessera::rtl_model {

SmDriver::SmDriver(const sc_core::sc_module_name& name, const Params& params, Tables& tables, Ptbq& ptbq)
    : ClockedModule(name), params_(params), tables_(tables), ptbq_(ptbq) {}

SmDriver::Outputs SmDriver::comb(const Inputs& inputs, EventPins& events) {
  Outputs outputs;
  // 1. Handles of contexts that are on their way out wait behind those of the same kernel.
  if (inputs.handle.valid) {
    ptbq_.push(tables_.smst.row(inputs.handle.sm).ksr, {inputs.handle.tb, inputs.handle.stack_pointer});
  }
  // 2. One thing a cycle changes hands or residents: the policy's move, an SM that leaves of itself, an SM's event.
  if (inputs.move.valid) {
    carry_out(inputs.move, inputs.is_draining, events);
  } else if (internal_sm_ != kNone && !inputs.is_checking) {
    empty_sm_leaves(internal_sm_, events, outputs);
  } else if (inputs.sm_event.valid) {
    take_event(inputs.sm_event, events, outputs);
  }
  if (inputs.sm_tick && issues_in_rounds()) {
    served_.clear_all();
    all_touched_ = true;
  }
  return outputs;
}

// ---- what SMs report -----------------------------------------------------------------------------------------

void SmDriver::take_event(const SmEventPins& event, EventPins& events, Outputs& outputs) {
  touch(event.sm);
  if (issues_in_rounds()) served_.set(event.sm);  // what it frees is for the next round
  switch (event.kind) {
    case SmEventKind::kTbDone:
      return tb_done(event.sm, events, outputs);
    case SmEventKind::kSetupDone:
      return setup_done(event.sm, events, outputs);
    case SmEventKind::kRestoreDone:
      return restore_done(event.sm);
    case SmEventKind::kPreempted:
      return saved(event.sm, events, outputs);
  }
}

void SmDriver::tb_done(std::uint32_t sm, EventPins& events, Outputs& outputs) {
  const SmRow& row = tables_.smst.row(sm);
  const std::uint32_t ksr = row.ksr;
  const KsrRow& kernel = tables_.ksrt.row(ksr);
  // 1. The TB is not resident any more.
  tables_.smst.step_running(sm, -1);
  full_.clear(sm);
  Ksrt::Step step;
  step.ksr = ksr;
  step.outstanding = -1;
  step.covered = row.state == SmState::kRunning ? 1 : 0;
  step.promised = trapped_.has_next(sm) ? -1 : 0;
  tables_.ksrt.step(step);
  // 2. Was it the kernel's last?
  const bool is_last = kernel.outstanding == 1 && kernel.remaining == 0;
  if (is_last) finish_kernel(ksr, outputs);
  // 3. An SM that is empty now leaves, unless its kernel has more for it. A reserved one has nothing to save any more,
  //    be it trapped or not.
  if (row.running != 1 || issued_sm_ == sm || is_being_filled_with_handles(sm)) return;
  const bool is_reserved = row.state == SmState::kReserved;
  if (is_reserved || !(is_last || kernel.is_issuable())) empty_sm_leaves(sm, events, outputs);
}

// An SM without residents whose owner has nothing for it, or that was drained.
void SmDriver::empty_sm_leaves(std::uint32_t sm, EventPins& events, Outputs& outputs) {
  touch(sm);
  if (tables_.smst.row(sm).state == SmState::kReserved) {
    hand_over(sm, 0, events, outputs);
  } else {
    release(sm, events, outputs);
  }
}

void SmDriver::setup_done(std::uint32_t sm, EventPins& events, Outputs& outputs) {
  const SmRow& row = tables_.smst.row(sm);
  // The kernel of an earlier set-up has finished meanwhile.
  if (row.state == SmState::kIdle || set_up_pending_.has(sm) || is_setup_on_pins(sm)) return;
  if (row.state == SmState::kReserved) return hand_over(sm, 0, events, outputs);  // nothing to save yet
  active_.set(sm);
  if (!tables_.ksrt.row(row.ksr).is_issuable()) release(sm, events, outputs);
}

// A trap that waited for the restore is taken. Not active: the restore was of a kernel that has finished meanwhile.
void SmDriver::restore_done(std::uint32_t sm) {
  restoring_.clear(sm);
  const bool is_reserved = tables_.smst.row(sm).state == SmState::kReserved;
  if (is_reserved && active_.has(sm) && !drains_.has(sm)) trap_pending_.set(sm);
}

// The whole save is complete: the handles count from now on.
void SmDriver::saved(std::uint32_t sm, EventPins& events, Outputs& outputs) {
  if (!trapped_.has(sm)) return;  // it was handed over when its last TB finished
  const SmRow& row = tables_.smst.row(sm);
  const std::uint32_t num_saved = row.running;
  if (num_saved > 0) {
    Ksrt::Step step;
    step.ksr = row.ksr;
    step.preempted = static_cast<std::int32_t>(num_saved);
    step.promised = -step.preempted;
    tables_.ksrt.step(step);
    tables_.smst.step_running(sm, step.promised);
    outputs.invokes_policy = true;
  }
  hand_over(sm, num_saved, events, outputs);
}

// Its KSR is freed; its SMs hold none of its TBs any more and go idle; those reserved for it lose their `next`.
void SmDriver::finish_kernel(std::uint32_t ksr, Outputs& outputs) {
  const KsrRow& row = tables_.ksrt.row(ksr);
  withdraw_setup();
  outputs.kernel_done = {true, row.descriptor};
  outputs.finished_ksr = ksr;
  outputs.invokes_policy = true;
  const SmSet owned = tables_.smst.owned_by(ksr);
  active_.clear(owned);
  full_.clear(owned);
  set_up_pending_.clear(owned);
  all_touched_ = true;
  // A reserved SM whose set-up for it has not been sent has nothing to set up for: it leaves as a drained one does.
  const SmSet not_set_up = set_up_pending_.set() & tables_.smst.reserved();
  for (std::uint32_t sm = not_set_up.lowest(); sm != kNone; sm = not_set_up.lowest_from(sm + 1)) {
    if (tables_.smst.row(sm).ksr != ksr) continue;
    set_up_pending_.clear(sm);
    active_.set(sm);
    drains_.set(sm);
  }
  tables_.smst.forget(ksr);
  tables_.context_table.step_held(row.context, -static_cast<std::int32_t>(row.held()));
  tables_.context_table.kernel_leaves(row.context);
  tables_.active_queue.remove(ksr);
  tables_.ksrt.free(ksr);
}

// ---- changing hands ------------------------------------------------------------------------------------------

// The preemption of an SM is over: it goes to the kernel it is reserved for, if that has something to issue.
void SmDriver::hand_over(std::uint32_t sm, std::uint32_t num_saved, EventPins& events, Outputs& outputs) {
  const SmRow& row = tables_.smst.row(sm);
  const bool has_next = tables_.smst.has_next(row) && row.next != outputs.finished_ksr;
  const std::uint32_t next = row.next;
  const bool has_own_handles = num_saved > 0 && next == row.ksr;  // `next` may be the owner again
  const bool goes_to_next = has_next && (has_own_handles || tables_.ksrt.row(next).is_issuable());
  events.preempted = true;
  events.preempted_sm = sm;
  events.next_ksr = goes_to_next ? next : kNone;
  if (has_next) {
    const std::int32_t reserved_slots = tables_.ksrt.slots_of_reserved_sm(tables_.ksrt.row(next));
    const std::int32_t owned_slots = goes_to_next ? tbs_per_sm(next) : 0;
    step_held(next, goes_to_next ? 1 : 0, -1, owned_slots - reserved_slots);
  }
  forget(sm);
  if (goes_to_next) {
    tables_.smst.own(sm, next);
    set_up_pending_.set(sm);
  } else {
    tables_.smst.release(sm);
    outputs.invokes_policy = true;
  }
}

// An empty SM that is not reserved goes idle, and its token returns.
void SmDriver::release(std::uint32_t sm, EventPins& events, Outputs& outputs) {
  const std::uint32_t ksr = tables_.smst.row(sm).ksr;
  step_held(ksr, -1, 0, -tbs_per_sm(ksr));
  forget(sm);
  tables_.smst.release(sm);
  events.released = true;
  events.released_sm = sm;
  outputs.invokes_policy = true;
}

void SmDriver::carry_out(const Search::Move& move, bool is_draining, EventPins& events) {
  touch(move.sm);
  events.moved = true;
  events.move = move.kind;
  events.moved_sm = move.sm;
  events.moved_ksr = move.ksr;
  switch (move.kind) {
    case MoveKind::kAssign:
      step_held(move.ksr, 1, 0, tbs_per_sm(move.ksr));
      forget(move.sm);
      tables_.smst.own(move.sm, move.ksr);
      set_up_pending_.set(move.sm);
      return;
    case MoveKind::kReserve:
      return reserve(move.sm, move.ksr, is_draining);
    case MoveKind::kRetarget:
      return retarget(move.sm, move.ksr, events);
  }
}

void SmDriver::reserve(std::uint32_t sm, std::uint32_t next, bool is_draining) {
  step_held(tables_.smst.row(sm).ksr, -1, 0, -free_slots(sm));
  step_held(next, 0, 1, tables_.ksrt.slots_of_reserved_sm(tables_.ksrt.row(next)));
  tables_.smst.reserve(sm, next);
  drains_.set(sm, is_draining);
  // An SM in set-up, or one that is restoring, gives way at the end of that.
  if (!is_draining && active_.has(sm) && !is_being_filled_with_handles(sm)) trap_pending_.set(sm);
}

void SmDriver::retarget(std::uint32_t sm, std::uint32_t next, EventPins& events) {
  const SmRow& row = tables_.smst.row(sm);
  if (tables_.smst.has_next(row)) {
    step_held(row.next, 0, -1, -tables_.ksrt.slots_of_reserved_sm(tables_.ksrt.row(row.next)));
  }
  // A drain can be cancelled for the owner, a trap cannot (docs/readings.md, DSS 7).
  if (next == row.ksr && drains_.has(sm)) {
    step_held(next, 1, 0, free_slots(sm));
    tables_.smst.own(sm, next);
    drains_.clear(sm);
    events.cancelled = true;
    return;
  }
  step_held(next, 0, 1, tables_.ksrt.slots_of_reserved_sm(tables_.ksrt.row(next)));
  tables_.smst.reserve(sm, next);
}

void SmDriver::forget(std::uint32_t sm) {
  for (SmFlags* flags : {&active_, &trapped_, &full_, &drains_, &trap_pending_, &set_up_pending_}) {
    flags->clear(sm);
  }
  if (d_.turn == sm) d_.turn_count = 0;
}

void SmDriver::step_held(std::uint32_t ksr, std::int32_t owned, std::int32_t reserved, std::int32_t covered) {
  Ksrt::Step step;
  step.ksr = ksr;
  step.owned = owned;
  step.reserved = reserved;
  step.covered = covered;
  tables_.ksrt.step(step);
  if (owned + reserved != 0) tables_.context_table.step_held(tables_.ksrt.row(ksr).context, owned + reserved);
}

std::int32_t SmDriver::tbs_per_sm(std::uint32_t ksr) const {
  return static_cast<std::int32_t>(std::uint32_t{tables_.ksrt.row(ksr).tbs_per_sm});
}

std::int32_t SmDriver::free_slots(std::uint32_t sm) const {
  const SmRow& row = tables_.smst.row(sm);
  const std::uint32_t residents = row.running + (issued_sm_ == sm ? 1 : 0);
  return tbs_per_sm(row.ksr) - static_cast<std::int32_t>(residents);
}

// In a batch of handles, the one that begins in this cycle included, or waiting for the contexts.
bool SmDriver::is_being_filled_with_handles(std::uint32_t sm) const {
  return restoring_.has_next(sm) || (d_.in_batch && d_.turn == sm);
}

bool SmDriver::is_changing_hands() const {
  return tables_.smst.reserved().any() || tables_.smst.running().without(active_.set()).any() ||
         restoring_.set().any() || q_.in_batch;
}

void SmDriver::seq() {
  q_ = d_;
  for (SmFlags* flags :
       {&set_up_pending_, &trap_pending_, &active_, &trapped_, &restoring_, &full_, &drains_, &served_}) {
    flags->seq();
  }
  is_settled_ = false;
}

void SmDriver::list_signals(ISignalSink& signals) const {
  signals.enter("u_sm_driver");
  const auto flags = [&](const std::string& name, const SmSet& set) {
    for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
      signals.signal(indexed(name, sm), 1, [&set, sm] { return set.has(sm); });
    }
  };
  flags("set_up_pending_q", set_up_pending_.set());
  flags("trap_pending_q", trap_pending_.set());
  flags("active_q", active_.set());
  flags("trapped_q", trapped_.set());
  flags("restoring_q", restoring_.set());
  flags("full_q", full_.set());
  flags("drains_q", drains_.set());
  flags("served_q", served_.set());
  signals.signal("turn_q", params_.sm_width(), [this] { return q_.turn; });
  signals.signal("turn_count_q", params_.tb_count_width(), [this] { return q_.turn_count; });
  signals.signal("in_batch_q", 1, [this] { return q_.in_batch; });
  signals.signal("read_valid_q", 1, [this] { return q_.read_valid; });
  signals.signal("read_last_q", 1, [this] { return q_.read_last; });
  signals.signal("read_sm_q", params_.sm_width(), [this] { return q_.read_sm; });
  signals.signal("borrowed_q", 1, [this] { return q_.borrowed; });
  signals.signal("control_valid_q", 1, [this] { return q_.control.valid; });
  signals.signal("control_kind_q", 1, [this] { return static_cast<std::uint64_t>(q_.control.kind); });
  signals.signal("control_sm_q", params_.sm_width(), [this] { return q_.control.sm; });
  signals.signal("control_context_q", params_.context_width(), [this] { return q_.control.context; });
  // Sent in this cycle.
  signals.signal("control_valid_d", 1, [this] { return d_.control.valid; });
  signals.signal("control_kind_d", 1, [this] { return static_cast<std::uint64_t>(d_.control.kind); });
  signals.signal("control_sm_d", params_.sm_width(), [this] { return d_.control.sm; });
  signals.signal("control_context_d", params_.context_width(), [this] { return d_.control.context; });
  signals.leave();
}

}  // namespace tessera::rtl_model
