// SPDX-License-Identifier: Apache-2.0
// Thread blocks are chosen, and leave an SM each in its own way ([S16] 3.1, 3.3).
#include <algorithm>

#include "model/record/numbers.h"
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
  SharedSm& shared = sms_.at(id);
  shared.plan_at = kNever;
  const KsrId next = tables_.sm(id).next;
  const std::uint64_t owners = sms_.owners_slots(id);
  if (owners == 0 && !shared.has_guest()) return all_gone(id, now);
  if (next == kNoKsr) return;  // they stay: its kernel has finished
  shared.empties = !sms_.is_dual(id) || !choice_.fits_configuration(id, next);
  if (shared.empties) {
    carry_out(id, choice_.plan_all(id, shared.wanted_from, now), now);
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
  if (rounds_.is_on() && guest != kNoKsr) spread(guest, now);
}

// Sets are chosen one after the other, until the guest's need is covered; breadth first, the first one.
void SharedSmDriver::choose_sets(SmId id, Cycle now) {
  const SharedSm& shared = sms_.at(id);
  while (choice_.uncovered_need(shared.guest, id) > 0 && shared.grants.size() < tables_.ksr(shared.guest).tbs_per_sm) {
    if (!choose_set(id, now)) return;
    if (rounds_.is_on()) return;
  }
}

// False: no position is left.
bool SharedSmDriver::choose_set(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  const std::optional<VictimChoice::PositionPlan> next =
      choice_.plan_position(id, shared.guest, shared.wanted_from, now);
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
  SharedSm& shared = sms_.at(id);
  if (shared.awaits_plan() || choice_.uncovered_need(shared.guest, id) <= 0) return;
  if (shared.grants.size() >= tables_.ksr(shared.guest).tbs_per_sm) return;
  if (!shared.is_requested) {
    shared.wanted_from = now;
    request_more(id, now);
  }
  plan_soon(id, now);
}

// In the next cycle, when TBs that were sent before have started, and when none comes in any more.
void SharedSmDriver::plan_soon(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  shared.wants_plan = array_.sm(id).coming() != 0;
  if (!shared.wants_plan) shared.plan_at = std::max(now, array_.sm(id).last_start) + 1;
  sms_.retime(id);
}

// An SM whose places have all been granted is asked for another one.
void SharedSmDriver::request_more(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  if (shared.is_requested) return;
  shared.is_requested = true;
  shared.bytes_saved = 0;
  owners_.preemption_requested(id, shared.guest, now);
}

void SharedSmDriver::carry_out(SmId id, const preemption::SetPlan& plan, Cycle now) {
  SharedSm& shared = sms_.at(id);
  std::uint64_t flushed = 0;
  std::uint64_t switched = 0;
  for (const preemption::ExitPlan& exit : plan.exits) {
    const std::uint64_t slot = slot_bit(exit.slot);
    if (exit.exit == preemption::Exit::kFlush) flushed |= slot;
    if (exit.exit == preemption::Exit::kSwitch) switched |= slot;
    shared.leaving |= slot;
    sms_.choice(id, exit.slot) = {exit.exit, now};
    record::Record chosen = sms_.about_tb(record::Kind::kVictimChosen, id, exit.slot, now);
    chosen.technique = technique_of(exit.exit);
    record::number::executed(chosen) = exit.executed;
    record::number::estimate(chosen) = exit.latency;
    record::number::wasted(chosen) = exit.wasted;
    log_.emit(now, chosen);
  }
  if (flushed != 0) flush_victims(id, flushed, now);
  if (switched != 0) {
    moves_.add_save(id, switched, now);
    step_moves(id, now);
  }
  time_escalation(id, now);
}

// ---- ways out ----------------------------------------------------------------------------------------------------

void SharedSmDriver::flush_victims(SmId id, std::uint64_t slots, Cycle now) {
  const KsrId victim = owners_.sm(id).ksr;
  array_.drop(id, slots, now);
  for_each_slot(slots, [&](std::uint32_t slot) { victim_left(id, slot, preemption::Exit::kFlush, now); });
  supply_.take_back(id, slots, now);
  handles_are_back(victim, now);
}

// Takes every batch as far as it gets in this cycle.
void SharedSmDriver::step_moves(SmId id, Cycle now) {
  while (const std::optional<MoveQueue::Over> over = moves_.step(id, now)) {
    if (over->batch.stage != QueuedMove::Stage::kMoving) continue;  // nobody was left
    over->batch.is_save ? saved(id, *over, now) : restored(id, now);
  }
}

void SharedSmDriver::saved(SmId id, const MoveQueue::Over& over, Cycle now) {
  for_each_slot(over.batch.slots, [&](std::uint32_t slot) { victim_left(id, slot, preemption::Exit::kSwitch, now); });
  sms_.at(id).bytes_saved += over.bytes;
  supply_.take_back(id, over.batch.slots, now);
  handles_are_back(over.batch.ksr, now);
  tbs_gone(id, now);
}

void SharedSmDriver::restored(SmId id, Cycle now) {
  if (sms_.at(id).wants_plan && array_.sm(id).coming() == 0) {
    sms_.at(id).wants_plan = false;
    sms_.at(id).plan_at = std::max(now, array_.sm(id).last_start) + 1;
  }
  fill_all(id, now);
}

// Ours: the last moment at which those that still drain could be saved within the limit.
void SharedSmDriver::time_escalation(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  shared.escalate_at = kNever;
  const KsrId next = tables_.sm(id).next;
  if (!spec_.scheduler.enable_escalation || next == kNoKsr) return;
  const std::uint64_t draining = draining_victims(id);
  if (draining == 0) return;
  shared.escalate_at = choice_.last_call(id, num_slots(draining), shared.wanted_from, now);
}

std::uint64_t SharedSmDriver::draining_victims(SmId id) const {
  std::uint64_t draining = 0;
  for_each_slot(sms_.at(id).leaving, [&](std::uint32_t slot) {
    if (sms_.choice(id, slot).exit == preemption::Exit::kDrain) draining |= slot_bit(slot);
  });
  return draining;
}

void SharedSmDriver::escalate(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  shared.escalate_at = kNever;
  if (tables_.sm(id).next == kNoKsr) return;
  const std::uint64_t late = choice_.late(id, draining_victims(id), shared.wanted_from, now);
  if (late == 0) return;
  const preemption::SetPlan instead = choice_.plan_late(id, late, shared.wanted_from, now);
  shared.leaving &= ~late;
  carry_out(id, instead, now);
  shared.escalate_at = kNever;  // once
  tbs_gone(id, now);
}

void SharedSmDriver::victim_left(SmId id, std::uint32_t slot, preemption::Exit way, Cycle now) {
  sms_.at(id).leaving &= ~slot_bit(slot);
  rounds_.free_from(id, slot_bit(slot), now);
  // Its slot may be the guest's next: nobody waits for that.
  for (Grant& grant : sms_.at(id).grants) grant.waits_for &= ~slot_bit(slot);
  record::Record left = sms_.about_tb(record::Kind::kVictimLeft, id, slot, now);
  left.technique = technique_of(way);
  left.cycles = now - sms_.choice(id, slot).chosen_at;
  if (way == preemption::Exit::kSwitch) left.bytes = array_.kernel_in(id, slot).context_bytes_per_tb;
  log_.emit(now, left);
}

// Free slots of the victim's other SMs can take TBs that wait again.
void SharedSmDriver::handles_are_back(KsrId victim, Cycle now) {
  array_.wait_again(victim, now);
  owners_.report().wants_policy = true;
  tables_.touch(tables_.ksr(victim).partition);
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const SmId id{static_cast<std::uint16_t>(i)};
    const policy::SmEntry& entry = tables_.smst()[i];
    if (sms_.all()[i].guest == victim) {
      fill_all(id, now);
      if (sms_.all()[i].guest == victim) ask_again(id, now);
    } else if (entry.status == policy::SmStatus::kRunning && entry.ksr == victim) {
      fill_all(id, now);
    }
  }
}

}  // namespace tessera::tlm_model
