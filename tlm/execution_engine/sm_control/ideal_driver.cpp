// SPDX-License-Identifier: Apache-2.0
// Orders of the scheduler and answers of SMs, each carried out at once.
#include "tlm/execution_engine/sm_control/ideal_driver.h"

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"
#include "tlm/execution_engine/sm_control/refill_at_once.h"

namespace tessera::tlm_model {

IdealDriver::IdealDriver(SmParts& parts)
    : framework_(parts.spec.gpu.framework),
      comes_back_spread_(spec::keeps_turn(parts.spec.scheduler) &&
                         parts.spec.scheduler.fill == spec::Fill::kBreadthFirst),
      tables_(parts.tables),
      array_(parts.array),
      owners_(parts.owners),
      supply_(parts.supply),
      exits_(parts),
      rounds_(parts.spec) {}

// ---- orders of the scheduler ---------------------------------------------------------------------------------

void IdealDriver::assign(SmId id, KsrId ksr, Cycle now) {
  array_.set_now(now);
  tables_.assign(id, ksr);
  set_up(id, ksr, now);
}

void IdealDriver::reserve(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  owners_.reserve(id, next, now);
  begin_to_empty(id, now);
}

void IdealDriver::evict(spec::TechniqueKind how, Cycle now) {
  array_.set_now(now);
  for (std::size_t i = 0; i < owners_.sms().size(); ++i) {
    const auto id = SmId(i);
    const policy::SmStatus status = tables_.sm(id).status;
    if (status == policy::SmStatus::kIdle) continue;
    owners_.evict(id, how, now);
    if (status == policy::SmStatus::kRunning) begin_to_empty(id, now);
  }
}

// An SM in set-up or one that is restoring gives way at the end of that.
void IdealDriver::begin_to_empty(SmId id, Cycle now) {
  if (owners_.sm(id).phase != SmPhase::kRunning) return;
  if (owners_.sm(id).technique != spec::TechniqueKind::kDrain) {
    exits_.preempt(id, now);
  } else if (array_.sm(id).occupied == 0) {
    exits_.set_timer(id, now + 1);  // in a cycle, preemption done precedes decisions
  }
}

void IdealDriver::retarget(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  if (!owners_.retarget(id, next, now) || owners_.sm(id).phase != SmPhase::kRunning) return;
  exits_.clear_timer(id);  // an empty SM was about to be handed over
  array_.set_refill(id, refilled_slots(id));
  fill(id, now);
}

// ---- answers of SMs ------------------------------------------------------------------------------------------

void IdealDriver::run_ends(Cycle before) {
  const auto run = [&](auto rule) {
    if (const std::optional<TbEnd> end = array_.run_ends(before, rule)) tb_over(*end);
  };
  if (supply_.has_contention()) return run(RefillAtOnce<true>{supply_, framework_.tb_issue_cycles});
  run(RefillAtOnce<false>{supply_, framework_.tb_issue_cycles});
}

void IdealDriver::tb_over(const TbEnd& end) {
  const SmId id = end.sm;
  // 1. The slot is free.
  rounds_.free_from(id, slot_bit(end.slot), end.cycle);
  array_.vacate(id, slot_bit(end.slot), end.cycle);
  tables_.remove_resident(id);
  // 2. Was it the kernel's last TB?
  const TbCounts& tbs = array_.kernel(end.kernel).tbs;
  if (tbs.finished == tbs.total)
    owners_.kernel_is_over(end.kernel, end.cycle, [&](SmId of_it) { release(of_it, end.cycle); });
  // 3. A reserved SM that is empty has been preempted; one that is not reserved looks for more work.
  if (owners_.is_reserved(id)) {
    if (exits_.have_all_left(id)) tbs_have_left(id, end.cycle);
  } else if (owners_.sm(id).phase == SmPhase::kRunning) {
    fill(id, end.cycle);
  }
}

void IdealDriver::timer_fired(SmId id, Cycle now) {
  array_.set_now(now);
  switch (exits_.timer_fired(id, now)) {
    case SmAnswer::kSetUp:
      return set_up_done(id, now);
    case SmAnswer::kRestored:
      return contexts_are_in(id, now);
    case SmAnswer::kNothingToSave:
    case SmAnswer::kSaved:
      return tbs_have_left(id, now);
    case SmAnswer::kEmpty:
      return preemption_done(id, 0, now);
    case SmAnswer::kHandlesSent:
    case SmAnswer::kNone:
      return;
  }
}

void IdealDriver::set_up_done(SmId id, Cycle now) {
  if (owners_.is_reserved(id)) return preemption_done(id, 0, now);  // nothing to save yet
  run(id, now);
}

// A trap that waited is taken; else the SM fills up.
void IdealDriver::contexts_are_in(SmId id, Cycle now) {
  if (!owners_.is_reserved(id)) return run(id, now);
  if (owners_.sm(id).technique != spec::TechniqueKind::kDrain) exits_.preempt(id, now);
}

// Its TBs have finished, were flushed or are saved.
void IdealDriver::tbs_have_left(SmId id, Cycle now) {
  const std::uint64_t waiting = array_.sm(id).occupied;
  if (waiting == 0) return preemption_done(id, 0, now);
  // 1. Handles enter the PTBQ in slot order, once the whole save is complete.
  const KsrId victim = owners_.sm(id).ksr;
  supply_.take_back(id, waiting, now);
  array_.wait_again(victim, now);
  // 2. Free slots of the victim's other SMs can take them.
  for (std::size_t i = 0; i < owners_.sms().size() && tables_.ksr(victim).preempted_tbs > 0; ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    const bool runs_victim = entry.status == policy::SmStatus::kRunning && entry.ksr == victim;
    if (runs_victim && owners_.sms()[i].phase == SmPhase::kRunning) fill(SmId(i), now);
  }
  // 3. The SM goes to the kernel it was reserved for; the policy looks at the TBs that wait now.
  owners_.report().wants_policy = true;
  preemption_done(id, exits_.bytes_saved(id), now);
}

// ---- SMs change hands ----------------------------------------------------------------------------------------

void IdealDriver::preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now) {
  exits_.clear_timer(id);
  owners_.preemption_done(id, bytes_saved, now);
  const KsrId next = tables_.sm(id).next;
  if (next == kNoKsr || tables_.ksr(next).issuable_tbs() <= 0) return release(id, now);
  tables_.hand_over(id);
  set_up(id, next, now);
}

void IdealDriver::set_up(SmId id, KsrId ksr, Cycle now) {
  owners_.take_over(id, ksr);
  owners_.set_up_begins(id, now);
  exits_.set_timer(id, now + framework_.sm_setup_cycles);
}

void IdealDriver::run(SmId id, Cycle now) {
  owners_.sm(id).phase = SmPhase::kRunning;
  array_.set_refill(id, refilled_slots(id));
  rounds_.free_from(id, free_slots(id), now);
  fill(id, now);
}

void IdealDriver::release(SmId id, Cycle now) {
  exits_.clear_timer(id);
  owners_.release(id, now);
}

// ---- slots are filled ----------------------------------------------------------------------------------------

// Puts as many TBs on the SM as it has room for: preempted ones first, fresh ones once no handle waits.
void IdealDriver::fill(SmId id, Cycle now) {
  if (rounds_.is_on() && wants_issue(id)) return rounds_.request(id, free_slots(id), now + framework_.tb_issue_cycles);
  const KsrId ksr = owners_.sm(id).ksr;
  std::uint64_t free = free_slots(id);
  if (tables_.ksr(ksr).preempted_tbs > 0 && free != 0) {
    restore(id, now);
  } else {
    for (; free != 0 && array_.kernel(ksr).has_fresh(); free &= free - 1) {
      supply_.send_fresh(id, {lowest(free), lowest(free)}, ksr, rounds_.first_issue(now));
    }
  }
  if (array_.sm(id).occupied == 0) release(id, now);
}

// As many handles as wait and fit go to the SM's free slots, and their contexts come in together. Where an eviction has
// taken all SMs, and TBs are spread over them, those that left an SM together are as many as go to one.
void IdealDriver::restore(SmId id, Cycle now) {
  const KsrId ksr = owners_.sm(id).ksr;
  Cycle sent = now;
  bool is_full = false;
  for (std::uint64_t free = free_slots(id); free != 0 && supply_.ptbq(ksr).size() > 0 && !is_full; free &= free - 1) {
    is_full = comes_back_spread_ && supply_.ptbq(ksr).front().is_last_of_sm;
    sent = supply_.claim(rounds_.first_issue(now));
    supply_.send_handle(id, {lowest(free), lowest(free)}, ksr, sent);
  }
  exits_.handles_were_sent(id, sent);
}

void IdealDriver::issue_due(Cycle now) {
  array_.set_now(now);
  rounds_.due(now, *this);
}

void IdealDriver::issue_in_round(SmId id, Cycle now) {
  const KsrId ksr = owners_.sm(id).ksr;
  if (tables_.ksr(ksr).preempted_tbs > 0) return restore(id, now);
  const std::uint32_t slot = lowest(rounds_.ready(id, free_slots(id), now));
  supply_.send_fresh(id, {slot, slot}, ksr, rounds_.first_issue(now));
}

bool IdealDriver::wants_issue(SmId id) const {
  return owners_.sm(id).phase == SmPhase::kRunning && !owners_.is_reserved(id) && free_slots(id) != 0 &&
         tables_.ksr(owners_.sm(id).ksr).issuable_tbs() > 0;
}

bool IdealDriver::is_unused(SmId id) const {
  return owners_.sm(id).phase == SmPhase::kRunning && !owners_.is_reserved(id) && array_.sm(id).occupied == 0;
}

std::uint64_t IdealDriver::free_slots(SmId id) const {
  return first_slots(array_.kernel(owners_.sm(id).ksr).tbs_per_sm) & ~array_.sm(id).occupied;
}

// A freed slot of an event-driven kernel is filled as others are, so that its loops hear of it; in rounds by turns.
std::uint64_t IdealDriver::refilled_slots(SmId id) const {
  const bool is_by_turns = rounds_.is_on() || array_.kernel(owners_.sm(id).ksr).launch.loops != nullptr;
  return is_by_turns ? 0 : ~std::uint64_t{0};
}

}  // namespace tessera::tlm_model
