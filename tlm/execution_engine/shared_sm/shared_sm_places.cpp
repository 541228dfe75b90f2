// SPDX-License-Identifier: Apache-2.0
// What thread blocks that have left an SM leave free: places for its guest one by one, or all of it at once; and who
// has the SM when one of its two kernels has gone ([S16] 3.2).
#include <algorithm>

#include "model/record/numbers.h"
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

// TBs have left the SM.
void SharedSmDriver::tbs_gone(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  if (!owners_.is_reserved(id) || shared.plan_at != kNever || shared.wants_plan) return;
  const std::uint64_t owners = sms_.owners_slots(id);
  if (!shared.has_guest()) {
    if (owners == 0 && owners_.sm(id).phase == SmPhase::kRunning) all_gone(id, now);
    return;
  }
  grant_positions(id, now);
  if (owners == 0) pass_to_guest(id, now);
}

// A position is granted when its victims have gone, and threads and a slot are free.
void SharedSmDriver::grant_positions(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  for (Grant& grant : shared.grants) {
    if (grant.stage != Grant::Stage::kEmptying || grant.waits_for != 0) continue;
    if (!has_room_for(id, shared.guest)) continue;
    grant.stage = Grant::Stage::kSettingUp;
    grant.set_up_at = now + spec_.gpu.framework.sm_setup_cycles;
    tables_.share(id);
    note_granted(id, grant.position, 1, shared.guest, now);
  }
  const bool are_all = std::all_of(shared.grants.begin(), shared.grants.end(),
                                   [](const Grant& grant) { return grant.stage != Grant::Stage::kEmptying; });
  if (are_all && shared.is_requested) request_done(id, now);
}

// Beside those that were granted before and whose TBs are not there yet.
bool SharedSmDriver::has_room_for(SmId id, KsrId guest) const {
  const auto& grants = sms_.at(id).grants;
  const auto coming = static_cast<std::int64_t>(std::count_if(grants.begin(), grants.end(), [](const Grant& grant) {
    return grant.stage != Grant::Stage::kEmptying && !grant.is_taken;
  }));
  const Resources& free = array_.sm(id).free;
  return (coming + 1) * array_.kernel(guest).launch.threads_per_tb <= free.threads && coming + 1 <= free.slots;
}

void SharedSmDriver::note_granted(SmId id, std::uint32_t position, std::uint32_t num_tbs, KsrId to, Cycle now) {
  record::Record granted = owners_.about(record::Kind::kPositionGranted, id, now);
  granted.slot = static_cast<std::uint16_t>(position);
  granted.launch = static_cast<std::uint32_t>(array_.kernel(to).id);
  record::number::tbs(granted) = num_tbs;
  granted.cycles = now - sms_.at(id).wanted_from;
  log_.emit(now, granted);
}

void SharedSmDriver::request_done(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  shared.is_requested = false;
  shared.escalate_at = kNever;
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  owners_.preemption_done(id, shared.bytes_saved, now);
  shared.bytes_saved = 0;
}

// The whole SM is free.
void SharedSmDriver::all_gone(SmId id, Cycle now) {
  const KsrId next = tables_.sm(id).next;
  const bool has_next = next != kNoKsr && tables_.ksr(next).issuable_tbs() > 0;
  if (has_next) note_granted(id, record::kNoIndex, tables_.ksr(next).tbs_per_sm, next, now);
  request_done(id, now);
  if (!has_next) return release(id, now);
  tables_.hand_over(id);
  set_up(id, next, now);
}

// The owner has gone: its guest owns the SM, and goes on.
void SharedSmDriver::pass_to_guest(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  const KsrId guest = shared.guest;
  if (shared.is_requested) request_done(id, now);
  owners_.pass(id, guest, now);
  // The first of its TBs waits for the set-up of its place as it would have; the SM is set up then.
  const bool is_set_up = std::any_of(shared.grants.begin(), shared.grants.end(),
                                     [](const Grant& grant) { return grant.stage == Grant::Stage::kReady; });
  if (!is_set_up && !shared.grants.empty()) {
    owners_.sm(id).phase = SmPhase::kSettingUp;
    for (const Grant& grant : shared.grants) shared.set_up_at = std::min(shared.set_up_at, grant.set_up_at);
    shared.grants.clear();
  }
  shared.grants.erase(std::remove_if(shared.grants.begin(), shared.grants.end(),
                                     [](const Grant& grant) { return grant.stage == Grant::Stage::kReady; }),
                      shared.grants.end());
  shared.guest = kNoKsr;
  shared.guest_slots = 0;
  shared.escalate_at = kNever;
}

// The kernel that was to come has finished, or needs the SM no more: who has not left stays.
void SharedSmDriver::return_to_owner(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  tables_.unreserve(id);
  owners_.report().wants_policy = true;
  if (shared.is_requested) array_.meter(id).preemption_ends(now);
  shared.is_requested = shared.empties = shared.wants_plan = false;
  shared.plan_at = shared.escalate_at = kNever;
  shared.guest = kNoKsr;
  shared.guest_slots = 0;
  shared.grants.clear();
  // Saves that have not begun are none; those that have go on.
  std::uint64_t on_the_way = 0;
  const auto has_not_begun = [&](const QueuedMove& move) {
    if (move.is_save && move.stage != QueuedMove::Stage::kWaiting) on_the_way |= move.slots;
    return move.is_save && move.stage == QueuedMove::Stage::kWaiting;
  };
  shared.moves.erase(std::remove_if(shared.moves.begin(), shared.moves.end(), has_not_begun), shared.moves.end());
  shared.leaving &= on_the_way;
  fill_all(id, now);
  sms_.retime(id);
}

void SharedSmDriver::note_cancelled(SmId id, Cycle now) {
  record::Record cancelled = owners_.about_preemption(record::Kind::kSmReturned, id, now);
  record::number::reserved_for(cancelled) = cancelled.launch;
  log_.emit(now, cancelled);
}

}  // namespace tessera::tlm_model
