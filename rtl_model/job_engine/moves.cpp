// SPDX-License-Identifier: Apache-2.0
// The search's jobs: assign, reserve, retarget, evict, activate (docs/hardware/timing.md 6.4, 5.5).
#include "rtl_model/job_engine/job_engine.h"

namespace tessera::rtl_model {

// The SM shall be as it was seen, and the kernel still want it.
bool JobEngine::is_move_rejected() const {
  const std::uint32_t ksr = search_job_.ksr;
  const bool is_wanted = tables_.ksrt.is_valid(ksr) && (!search_job_.takes_idle || tables_.ksrt.is_uncovered(ksr));
  if (!is_wanted) return true;
  switch (job_) {
    case Job::kAssign:
      return smst_row_.state != SmState::kIdle;
    case Job::kReserve:
      return smst_row_.state != SmState::kRunning || smst_row_.ksr != search_job_.claimant;
    default:
      return smst_row_.state != SmState::kReserved || smst_row_.next != search_job_.claimant;
  }
}

MoveKind JobEngine::move_kind() const {
  if (job_ == Job::kAssign) return MoveKind::kAssign;
  return job_ == Job::kReserve ? MoveKind::kReserve : MoveKind::kRetarget;
}

void JobEngine::calc_move() {
  if (job_ == Job::kAssign) return step_sms(+1, 0, tbs_per_sm());
  const std::int32_t slots_of_reserved = tables_.ksrt.slots_of_reserved_sm(row_);
  if (!is_visit_b_) {
    // Who loses the SM: its owner, or who was to get it.
    return job_ == Job::kReserve ? step_sms(-1, 0, -free_slots()) : step_sms(0, -1, -slots_of_reserved);
  }
  // Who gets it: the owner itself may, and if nothing was saved yet it just goes on.
  cancels_ = job_ == Job::kRetarget && smst_row_.ksr == ksr_ && tables_.smst.flags.drains.has(sm_);
  cancels_ ? step_sms(+1, 0, free_slots()) : step_sms(0, +1, slots_of_reserved);
}

void JobEngine::write_move(const PolicyRegister& policy, EventPins& events) {
  Smst& smst = tables_.smst;
  events.moved = true;
  events.move = move_kind();
  events.sm = sm_;
  events.ksr = ksr_;
  events.cancelled = cancels_;
  if (job_ == Job::kAssign) return own(tables_.ksrt.is_issuable(ksr_));
  if (cancels_) return smst.cancel(sm_);
  smst.reserve(sm_, ksr_);
  if (job_ == Job::kRetarget) return;
  smst.flags.drains.set(sm_, policy.is_draining());
  const bool is_trapped_now = smst.flags.active.has(sm_) && !smst.flags.restoring.has(sm_);
  smst.flags.trap_pending.set(sm_, !policy.is_draining() && is_trapped_now);
}

// Each visit takes all SMs from one kernel; the last one, from the SMs' rows too.
void JobEngine::calc_eviction() {
  if (!has_row()) return;
  const auto all = [](const Field32& counter) { return static_cast<std::int32_t>(std::uint32_t{counter}); };
  step_sms(-all(row_.owned), -all(row_.reserved), -all(row_.covered));
}

void JobEngine::write_eviction(bool drains, EventPins& events) {
  if (has_more_to_evict()) return;
  tables_.smst.evict(drains);
  events.evicted = true;
}

void JobEngine::write_activation(bool by_process, EventPins& events) {
  const std::uint32_t buffer = search_job_.buffer;
  const CommandBuffers::Row& command = tables_.command_buffers.row(buffer);
  KsrRow row(params_);
  row.descriptor = command.descriptor;
  row.tbs_per_sm = command.tbs_per_sm;
  row.remaining = command.num_tbs;
  row.head = tables_.ptbq.tail(ksr_);
  KernelTraits traits(params_);
  traits.context = command.context;
  traits.priority = command.priority;
  traits.due = command.due;
  traits.has_due = command.has_due;
  traits.partition = command.partition;
  tables_.ksrt.activate(ksr_, row, traits);
  tables_.partitions.touch(command.partition);
  tables_.active_queue.push(ksr_);
  tables_.command_buffers.retire(buffer);
  tables_.tokens.activate({ksr_, command.context, 0}, by_process);
  tables_.contexts.kernel_enters(command.context);
  events.activated = true;
  events.buffer = buffer;
  events.ksr = ksr_;
}

}  // namespace tessera::rtl_model
