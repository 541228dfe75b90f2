// SPDX-License-Identifier: Apache-2.0
// SM driver: what goes to the SMs. Set-ups and traps on one port, thread blocks on the other.
#include "rtl_model/scheduler/sm_driver.h"

namespace tessera::rtl_model {

// Wires from the registers alone; only what has changed is worked out again.
void SmDriver::settle() {
  if (is_settled_) return;
  is_settled_ = true;
  if (tables_.ksrt.take_flipped() || all_touched_) {
    for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) settle(sm);
  } else {
    for (std::uint32_t sm = touched_.lowest(); sm != kNone; sm = touched_.lowest_from(sm + 1)) settle(sm);
  }
  all_touched_ = false;
  touched_.clear();
  internal_sm_ = stuck_.lowest();
  const bool is_wanted = wanting_.any();
  is_issuing_first_ = is_wanted && issues_in_rounds();
  is_idle_ = !is_wanted && internal_sm_ == kNone && !q_.read_valid && !q_.in_batch && !q_.control.valid &&
             !q_.borrowed && !set_up_pending_.set().any() && !served_.set().any() &&
             !(trap_pending_.set().any() && ready_to_trap().any());
}

void SmDriver::settle(std::uint32_t sm) {
  const SmRow& row = tables_.smst.row(sm);
  const bool is_running = row.state == SmState::kRunning;
  const bool has_work = is_running && tables_.ksrt.row(row.ksr).is_issuable();
  const bool is_open = active_.has(sm) && !restoring_.has(sm);
  wanting_.set(sm, is_open && has_work && !full_.has(sm) && !served_.has(sm));
  // Drained, or without work since another SM got the last TB.
  const bool is_left = row.running == 0 && (is_running ? !has_work : drains_.has(sm));
  stuck_.set(sm, is_open && is_left && !(q_.in_batch && q_.turn == sm));
}

// The ring of the victim must have room for all handles, those of other saves under way included. Until then the SM
// gets nothing new and loses TBs as they finish.
SmSet SmDriver::ready_to_trap() const {
  SmSet ready = trap_pending_.set();
  for (std::uint32_t sm = ready.lowest(); sm != kNone; sm = trap_pending_.set().lowest_from(sm + 1)) {
    const SmRow& row = tables_.smst.row(sm);
    if (row.running == 0) continue;
    const KsrRow& kernel = tables_.ksrt.row(row.ksr);
    if (kernel.preempted + kernel.promised + row.running > params_.ptbq_depth) ready.clear(sm);
  }
  return ready;
}

void SmDriver::drive_sms(SmControlPins& control, DispatchPins& dispatch) {
  settle();
  dispatch.valid = false;
  d_.borrowed = false;
  issued_sm_ = kNone;
  control = q_.control;
  choose_control();
  drive_dispatch(dispatch);
}

// What is sent now is on the pins in the next cycle: descriptor and page table are read meanwhile. A trap goes before a
// set-up.
void SmDriver::choose_control() {
  d_.control.valid = false;
  if (trap_pending_.set().any()) {
    const std::uint32_t sm = ready_to_trap().lowest();
    if (sm != kNone) return send_trap(sm);
  }
  const std::uint32_t sm = set_up_pending_.set().lowest();
  if (sm != kNone) send_setup(sm);
}

void SmDriver::drive_dispatch(DispatchPins& dispatch) {
  // 1. The handle that was read in the last cycle.
  if (q_.read_valid) {
    const TbHandle& handle = ptbq_.read_data();
    dispatch = {true, q_.read_sm, true, q_.read_last, handle.tb, handle.stack_pointer};
    d_.read_valid = false;
  }
  // 2. Preempted TBs first; a fresh one only when none waits.
  const std::uint32_t sm = q_.in_batch ? q_.turn : choose_turn();
  if (sm == kNone) return;
  if (tables_.ksrt.row(tables_.smst.row(sm).ksr).preempted != 0) {
    read_handle(sm);
  } else if (!q_.read_valid) {
    issue(sm, dispatch);
  }
}

// Depth first: the SM whose turn it is until it is full, T_MAX TBs at most. Breadth first: a TB each.
std::uint32_t SmDriver::choose_turn() const {
  if (!params_.is_breadth_first && wanting_.has(q_.turn) && q_.turn_count < params_.max_tbs_per_sm) return q_.turn;
  return wanting_.next_in_turn(q_.turn + 1);
}

void SmDriver::send_trap(std::uint32_t sm) {
  d_.control.valid = true;
  d_.control.sm = sm;
  d_.control.kind = SmControlKind::kTrap;
  touch(sm);
  trap_pending_.clear(sm);
  active_.clear(sm);
  trapped_.set(sm);
  const SmRow& row = tables_.smst.row(sm);
  if (row.running == 0) return;
  Ksrt::Step step;
  step.ksr = row.ksr;
  step.promised = static_cast<std::int32_t>(std::uint32_t{row.running});
  tables_.ksrt.step(step);
}

void SmDriver::send_setup(std::uint32_t sm) {
  const KsrRow& kernel = tables_.ksrt.row(tables_.smst.row(sm).ksr);
  const std::uint32_t context = kernel.context;
  const std::uint64_t page_table = tables_.context_table.row(context).page_table;
  d_.control = {true, sm, SmControlKind::kSetup, context, page_table, kernel.descriptor};
  touch(sm);
  set_up_pending_.clear(sm);
}

// The descriptor of a kernel that is finished is read instead.
void SmDriver::withdraw_setup() {
  if (!d_.control.valid || d_.control.kind != SmControlKind::kSetup) return;
  d_.control.valid = false;
  set_up_pending_.set(d_.control.sm);
}

bool SmDriver::is_setup_on_pins(std::uint32_t sm) const {
  return q_.control.valid && q_.control.sm == sm && q_.control.kind == SmControlKind::kSetup;
}

void SmDriver::issue(std::uint32_t sm, DispatchPins& dispatch) {
  const std::uint32_t ksr = tables_.smst.row(sm).ksr;
  dispatch = {true, sm, false, false, tables_.ksrt.row(ksr).next_tb, 0};
  const unsigned counted_bits = params_.slot_count_width() + 1;
  d_.borrowed = params_.tb_width > counted_bits && tables_.ksrt.row(ksr).remaining % (1U << counted_bits) == 0;
  Ksrt::Step step;
  step.ksr = ksr;
  step.remaining = -1;
  step.outstanding = 1;
  step.covered = -1;
  tables_.ksrt.step(step);
  note_resident(sm);
}

// The handle is on the dispatch pins in the next cycle. With the last one that waits or fits, the contexts come in.
void SmDriver::read_handle(std::uint32_t sm) {
  const SmRow& row = tables_.smst.row(sm);
  const KsrRow& kernel = tables_.ksrt.row(row.ksr);
  ptbq_.pop(row.ksr);
  Ksrt::Step step;
  step.ksr = row.ksr;
  step.preempted = -1;
  step.covered = row.state == SmState::kRunning ? -1 : 0;
  tables_.ksrt.step(step);
  const bool is_last = kernel.preempted == 1 || row.running + 1 == kernel.tbs_per_sm;
  note_resident(sm);
  d_.in_batch = !is_last;
  if (is_last) restoring_.set(sm);
  d_.read_valid = true;
  d_.read_last = is_last;
  d_.read_sm = sm;
}

void SmDriver::note_resident(std::uint32_t sm) {
  const SmRow& row = tables_.smst.row(sm);
  const KsrRow& kernel = tables_.ksrt.row(row.ksr);
  issued_sm_ = sm;
  touch(sm);
  tables_.smst.step_running(sm, 1);
  const bool is_full = row.running + 1 == kernel.tbs_per_sm;
  if (is_full) full_.set(sm);
  if (issues_in_rounds()) served_.set(sm);
  const bool goes_on = sm == q_.turn && q_.turn_count < params_.max_tbs_per_sm;
  // The turn ends with the SM's last free slot, or the kernel's last TB.
  const bool is_over = is_full || kernel.remaining + kernel.preempted == 1;
  d_.turn_count = is_over ? 0 : (goes_on ? q_.turn_count : 0) + 1;
  d_.turn = sm;
}

}  // namespace tessera::rtl_model
