// SPDX-License-Identifier: Apache-2.0
// Thread blocks are chosen, and leave an SM each in its own way ([S16] 3.1, 3.3).
#include <algorithm>

#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {
namespace {

record::Technique technique_of(preemption::Exit exit) {
  switch (exit) {
    case preemption::Exit::kDrain:
      return record::Technique::kDrain;
    case preemption::Exit::kFlush:
      return record::Technique::kFlush;
    case preemption::Exit::kSwitch:
      break;
  }
  return record::Technique::kContextSwitch;
}

}  // namespace

// ---- the command arrives -----------------------------------------------------------------------------------------

void SharedSmDriver::plan(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  shared.plan_at = kNever;
  const KsrId next = tables_.sm(id).next;
  const std::uint64_t owners = sms_[index(id)].occupied_slots & ~shared.guest_slots;
  if (owners == 0 && !shared.has_guest()) return all_gone(id, now);
  if (next == kNoKsr) return;  // they stay: its kernel has finished
  shared.empties = !is_dual(id) || !fits_configuration(id, next);
  if (shared.empties) {
    carry_out(id, plan_all(id, shared.wanted_from, now), now);
  } else {
    shared.guest = next;
    choose_sets(id, now);
    if (shared.grants.empty()) {  // others have covered its need meanwhile
      note_cancelled(id, now);
      return return_to_owner(id, now);
    }
  }
  const KsrId guest = shared.guest;
  tbs_gone(id, now);
  if (is_breadth_first_ && guest != kNoKsr) spread(guest, now);
}

// Sets are chosen one after the other, until the guest's need is covered; breadth first, the first one.
void SharedSmDriver::choose_sets(SmId id, Cycle now) {
  const SharedSm& shared = shared_[index(id)];
  while (uncovered_need(shared.guest, id) > 0 && shared.grants.size() < tables_.ksr(shared.guest).tbs_per_sm) {
    if (!choose_set(id, now)) return;
    if (is_breadth_first_) return;
  }
}

// False: no position is left.
bool SharedSmDriver::choose_set(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  const std::optional<PositionPlan> next = plan_position(id, shared.guest, shared.wanted_from, now);
  if (!next) return false;
  Grant grant;
  grant.position = next->position;
  grant.waits_for = next->plan.slots;
  shared.grants.push_back(grant);
  carry_out(id, next->plan, now);
  return true;
}

// The guest has TBs again that nobody waits for.
void SharedSmDriver::ask_again(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  if (awaits_plan(shared) || uncovered_need(shared.guest, id) <= 0) return;
  if (shared.grants.size() >= tables_.ksr(shared.guest).tbs_per_sm) return;
  if (!shared.is_requested) {
    shared.wanted_from = now;
    request_more(id, now);
  }
  plan_soon(id, now);
}

// In the next cycle, when TBs that were sent before have started, and when none comes in any more.
void SharedSmDriver::plan_soon(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  shared.wants_plan = sms_[index(id)].restoring_slots != 0;
  if (!shared.wants_plan) shared.plan_at = std::max(now, sms_[index(id)].last_start) + 1;
  retime(id);
}

// An SM whose places have all been granted is asked for another one.
void SharedSmDriver::request_more(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  if (shared.is_requested) return;
  shared.is_requested = true;
  shared.bytes_saved = 0;
  sms_[index(id)].reserved_at = now;
  sms_[index(id)].meter.preemption_begins(now);
  record::Record request = about_preemption(record::Kind::kPreemptionRequested, id, now);
  request.value = static_cast<std::uint64_t>(kernels_[index(shared.guest)].id);
  log_.emit(now, request);
}

void SharedSmDriver::carry_out(SmId id, const preemption::SetPlan& plan, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  std::uint64_t flushed = 0;
  std::uint64_t switched = 0;
  for (const preemption::ExitPlan& exit : plan.exits) {
    const std::uint64_t slot = std::uint64_t{1} << exit.slot;
    if (exit.exit == preemption::Exit::kFlush) flushed |= slot;
    if (exit.exit == preemption::Exit::kSwitch) switched |= slot;
    shared.leaving |= slot;
    slot_choice_[leaf_of(id, exit.slot)] = {exit.exit, now};
    record::Record chosen = about_tb(record::Kind::kVictimChosen, id, exit.slot, now);
    chosen.technique = technique_of(exit.exit);
    chosen.bytes = exit.executed;
    chosen.cycles = exit.latency;
    chosen.value = exit.wasted;
    log_.emit(now, chosen);
  }
  if (flushed != 0) flush_victims(id, flushed, now);
  if (switched != 0) save_victims(id, switched, now);
  time_escalation(id, now);
}

// ---- ways out ----------------------------------------------------------------------------------------------------

void SharedSmDriver::flush_victims(SmId id, std::uint64_t slots, Cycle now) {
  drop(id, slots, now);
  for_each_slot(slots, [&](std::uint32_t slot) { victim_left(id, slot, preemption::Exit::kFlush, now); });
  handles_return(id, slots, now);
  change_pace(id, now);
  handles_are_back(sms_[index(id)].ksr, now);
}

void SharedSmDriver::save_victims(SmId id, std::uint64_t slots, Cycle now) {
  ContextMove move;
  move.is_save = true;
  move.slots = slots;
  move.ksr = sms_[index(id)].ksr;
  move.not_before = now;
  shared_[index(id)].moves.push_back(move);
  step_moves(id, now);
}

// Ours: the last moment at which those that still drain could be saved within the limit.
void SharedSmDriver::time_escalation(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  shared.escalate_at = kNever;
  const KsrId next = tables_.sm(id).next;
  if (!spec_.scheduler.enable_escalation || next == kNoKsr) return;
  const std::uint64_t draining = draining_victims(id);
  if (draining == 0) return;
  const Cycle left = limit_left(shared.wanted_from, now);
  const Cycle needed = price_of(id, now).latency(static_cast<std::uint64_t>(__builtin_popcountll(draining)));
  if (left > needed) shared.escalate_at = now + left - needed;
}

std::uint64_t SharedSmDriver::draining_victims(SmId id) const {
  std::uint64_t draining = 0;
  for_each_slot(shared_[index(id)].leaving, [&](std::uint32_t slot) {
    if (slot_choice_[leaf_of(id, slot)].exit == preemption::Exit::kDrain) draining |= std::uint64_t{1} << slot;
  });
  return draining;
}

// What is still expected to end in time goes on; of those beyond all expectation nothing is known.
void SharedSmDriver::escalate(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  shared.escalate_at = kNever;
  const KsrId next = tables_.sm(id).next;
  if (next == kNoKsr) return;
  const Cycle limit = limit_left(shared.wanted_from, now);
  std::vector<preemption::TbStatus> tbs = status_of(id, now);
  std::uint64_t late = 0;
  const std::uint64_t draining = draining_victims(id);
  for (preemption::TbStatus& tb : tbs) {
    if ((draining >> tb.slot & 1) == 0 || (tb.drains_in > 0 && tb.drains_in <= limit)) continue;
    late |= std::uint64_t{1} << tb.slot;
    tb.is_leaving = false;
    tb.drains_in = kNever;
  }
  if (late == 0) return;
  shared.leaving &= ~late;
  carry_out(id, preemption::VictimPlanner(std::move(tbs), limit, price_of(id, now), {}).plan(late), now);
  shared.escalate_at = kNever;  // once
  tbs_gone(id, now);
}

void SharedSmDriver::victim_left(SmId id, std::uint32_t slot, preemption::Exit way, Cycle now) {
  shared_[index(id)].leaving &= ~(std::uint64_t{1} << slot);
  slot_free_since_[leaf_of(id, slot)] = now;
  // Its slot may be the guest's next: nobody waits for that.
  for (Grant& grant : shared_[index(id)].grants) grant.waits_for &= ~(std::uint64_t{1} << slot);
  record::Record left = about_tb(record::Kind::kVictimLeft, id, slot, now);
  left.technique = technique_of(way);
  left.cycles = now - slot_choice_[leaf_of(id, slot)].chosen_at;
  if (way == preemption::Exit::kSwitch) left.bytes = kernels_[index(tenant(id, slot))].context_bytes_per_tb;
  log_.emit(now, left);
}

// Free slots of the victim's other SMs can take TBs that wait again.
void SharedSmDriver::handles_are_back(KsrId victim, Cycle now) {
  wait_again(victim, now);
  wants_policy = true;
  tables_.touch(tables_.ksr(victim).partition);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const SmId id{static_cast<std::uint16_t>(i)};
    const policy::SmEntry& entry = tables_.smst()[i];
    if (shared_[i].guest == victim) {
      fill_all(id, now);
      if (shared_[i].guest == victim) ask_again(id, now);
    } else if (entry.status == policy::SmStatus::kRunning && entry.ksr == victim) {
      fill_all(id, now);
    }
  }
}

}  // namespace tessera::tlm_model
