// SPDX-License-Identifier: Apache-2.0
// The search's jobs: assign, take (a reserve or a retarget), evict, activate (docs/hardware/timing.md 6.4, 5.5).
#include "rtl_model/job_engine/job_engine.h"
#include "rtl_model/policy/policy_table.h"
#include "rtl_model/tables/searched_sms.h"

namespace tessera::rtl_model {

// ---- assign --------------------------------------------------------------------------------------------------

// A cycle of BURST: an SM is given, if there is one and the kernel needs it. Returns whether none was.
bool JobEngine::burst_assign(const PolicyRegister& policy, EventPins& events) {
  if (given_sms_ > 0 && !needs_another_sm()) return true;
  const SearchedSms sms(tables_, policy_row(policy).has(kPartitions));
  const std::uint32_t sm = sms.idle_for(tables_.ksrt.traits(ksr_).priority).lowest();
  if (sm == kNone) return true;
  step_sms(+1, 0, tbs_per_sm());
  ++given_sms_;
  own(sm);
  tables_.smst.clear_foreign(sm);
  show_move(MoveKind::kAssign, sm, events);
  return false;
}

// With all that it was given.
bool JobEngine::needs_another_sm() const {
  const std::uint64_t waiting = std::uint64_t{row_.remaining} + row_.preempted;
  const std::uint64_t places = params_.is_breadth_first ? std::uint64_t{row_.held()} : std::uint64_t{row_.covered};
  return waiting > places && given_sms_ < search_job_.limit;
}

// ---- reserve, retarget ---------------------------------------------------------------------------------------

void JobEngine::find_victim(const PolicyRegister& policy) {
  const SearchedSms sms(tables_, policy_row(policy).has(kPartitions));
  sm_ = tables_.smst.first_to_take(has_victim() ? sms.of(search_job_.victim) : sms.foreign());
}

bool JobEngine::is_move_rejected() const {
  const std::uint32_t ksr = search_job_.ksr;
  if (!tables_.ksrt.is_valid(ksr)) return true;
  if (search_job_.takes_idle && !tables_.ksrt.is_uncovered(ksr)) return true;
  return is_take() && (sm_ == kNone || is_foreign_no_more());
}

// In LOAD and CALC of visit A. The SM's bit says only that it may be foreign.
bool JobEngine::is_foreign_no_more() const {
  return is_take() && !has_victim() && has_row() && tables_.partitions.is_of_step(tables_.ksrt.traits(ksr_).partition);
}

void JobEngine::calc_move() {
  const std::int32_t slots_of_reserved = tables_.ksrt.slots_of_reserved_sm(row_);
  if (!is_visit_b_) {
    // Who loses the SM: its owner, or who was to get it.
    return job_ == Job::kReserve ? step_sms(-1, 0, -free_slots()) : step_sms(0, -1, -slots_of_reserved);
  }
  // Who gets it: the owner itself may, and if nothing was saved yet it just goes on.
  cancels_ = job_ == Job::kRetarget && smst_row_.ksr == ksr_ && tables_.smst.flags.drains.has(sm_);
  cancels_ ? step_sms(+1, 0, free_slots()) : step_sms(0, +1, slots_of_reserved);
}

void JobEngine::show_move(MoveKind kind, std::uint32_t sm, EventPins& events) const {
  events.moved = true;
  events.move = kind;
  events.sm = sm;
  events.ksr = ksr_;
  events.cancelled = cancels_;
}

void JobEngine::write_move(const PolicyRegister& policy, EventPins& events) {
  Smst& smst = tables_.smst;
  show_move(job_ == Job::kReserve ? MoveKind::kReserve : MoveKind::kRetarget, sm_, events);
  smst.clear_foreign(sm_);
  if (cancels_) return smst.cancel(sm_);
  smst.reserve(sm_, ksr_);
  if (job_ == Job::kRetarget) return;
  smst.flags.drains.set(sm_, policy.is_draining());
  const bool is_trapped_now = smst.flags.active.has(sm_) && !smst.flags.restoring.has(sm_);
  smst.flags.trap_pending.set(sm_, !policy.is_draining() && is_trapped_now);
}

// ---- evict, activate -----------------------------------------------------------------------------------------

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
