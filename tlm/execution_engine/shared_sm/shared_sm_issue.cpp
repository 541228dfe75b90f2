// SPDX-License-Identifier: Apache-2.0
// Thread blocks end, and others take their places: those of an SM's owner where there is room, those of its guest in
// the positions that were granted. Saved and flushed ones first ([T14] Figure 3).
#include <algorithm>

#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

namespace tessera::tlm_model {

// ---- thread blocks end ---------------------------------------------------------------------------------------------

// A guest's place is its own as long as it has TBs; an owner's where nothing is under way. What ended is known to the
// estimates.
struct SharedSmDriver::RefillPlaces {
  static constexpr bool kPaces = true;
  static constexpr bool kStretches = true;
  SharedSmDriver& driver;

  void over(const TbEnd& end) const {
    const KernelLaunch& launch = driver.array_.kernel(end.kernel).launch;
    const std::uint32_t tb = driver.array_.slot(end.sm, end.slot).tb;
    driver.sms_.finished_tbs(end.kernel)
        .add(driver.array_.ran_for(end.sm, end.slot, end.cycle), launch.progress.instructions(launch.durations, tb));
  }
  Cycle start_of_next(const TbEnd& end, const Sm& sm, const KernelRun& kernel) const {
    const bool may_follow = has_slot(sm.refill | driver.sms_.at(end.sm).guest_slots, end.slot);
    if (!may_follow || !kernel.has_fresh()) return kNever;
    return driver.supply_.claim(end.cycle + driver.spec_.gpu.framework.tb_issue_cycles);
  }
  Cycle duration_of_next(const TbEnd&, const KernelRun& kernel) const { return kernel.next_duration; }
};

void SharedSmDriver::run_ends(Cycle before) {
  RefillPlaces rule{*this};
  if (const std::optional<TbEnd> end = array_.run_ends(before, rule)) tb_over(*end);
}

void SharedSmDriver::tb_over(const TbEnd& end) {
  const auto [id, slot, ksr, now] = end;
  SharedSm& shared = sms_.at(id);
  // 1. The place is free.
  if (has_slot(shared.leaving, slot)) victim_left(id, slot, preemption::Exit::kDrain, now);
  moves_.forget(id, slot);
  if (has_slot(shared.guest_slots, slot)) {
    for (Grant& grant : shared.grants) grant.is_taken = grant.is_taken && grant.slot != slot;
    tables_.remove_guest(id);
    shared.guest_slots &= ~slot_bit(slot);
  }
  rounds_.free_from(id, slot_bit(slot), now);
  array_.vacate(id, slot_bit(slot), now);
  tables_.remove_resident(id);
  // 2. Was it the kernel's last TB?
  if (array_.kernel(ksr).tbs.finished == array_.kernel(ksr).tbs.total) kernel_is_over(ksr, now);
  // 3. Whoever waited for the place gets it.
  tbs_gone(id, now);
  step_moves(id, now);
  fill_all(id, now);
}

// SMs that were to go to it stay with their owners.
void SharedSmDriver::kernel_is_over(KsrId ksr, Cycle now) {
  owners_.kernel_is_over(ksr, now, [&](SmId of_it) { release(of_it, now); });
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    if (entry.status != policy::SmStatus::kReserved || entry.next != ksr || !sms_.is_active(SmId(i))) continue;
    note_cancelled(SmId(i), now);
    return_to_owner(SmId(i), now);
  }
}

// ---- set-up and release --------------------------------------------------------------------------------------------

void SharedSmDriver::set_up(SmId id, KsrId ksr, Cycle now) {
  owners_.take_over(id, ksr);
  owners_.set_up_begins(id, now);
  SharedSm& shared = sms_.at(id);
  shared.shared_memory_bytes =
      workload::occupancy(spec_.gpu, resources_of(array_.kernel(ksr).launch)).shared_memory_config_bytes;
  shared.set_up_at = now + spec_.gpu.framework.sm_setup_cycles;
  sms_.retime(id);
}

void SharedSmDriver::set_up_is_over(SmId id, Cycle now) {
  sms_.at(id).set_up_at = kNever;
  if (owners_.is_reserved(id)) return all_gone(id, now);  // nothing to save yet
  owners_.sm(id).phase = SmPhase::kRunning;
  rounds_.free_from(id, sms_.free_slots(id), now);
}

void SharedSmDriver::release(SmId id, Cycle now) {
  sms_.at(id) = {};
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  owners_.release(id, now);
}

// ---- places are filled ---------------------------------------------------------------------------------------------

void SharedSmDriver::fill_all(SmId id, Cycle now) {
  SharedSm& shared = sms_.at(id);
  if (owners_.sm(id).phase != SmPhase::kRunning) return;
  // 1. The guest's positions. One that finds no TB is given back.
  for (Grant& grant : shared.grants) {
    if (grant.stage == Grant::Stage::kReady && !grant.is_taken && shared.has_guest()) fill_grant(id, grant, now);
  }
  const auto is_given_back = [](const Grant& grant) { return grant.stage == Grant::Stage::kReady && !grant.is_taken; };
  shared.grants.erase(std::remove_if(shared.grants.begin(), shared.grants.end(), is_given_back), shared.grants.end());
  if (shared.has_guest() && shared.grants.empty() && !shared.awaits_plan()) {
    note_cancelled(id, now);
    return return_to_owner(id, now);
  }
  // 2. The owner's, in what is left.
  if (rounds_.is_on() && wants_issue(id)) {
    rounds_.request(id, sms_.free_slots(id), now + spec_.gpu.framework.tb_issue_cycles);
    return sms_.retime(id);
  }
  if (may_owner_issue(id)) fill_owner(id, now);
  note_refill(id);
  if (is_unused(id)) return release(id, now);
  sms_.retime(id);
}

// The owner gets no TB where a guest waits for places.
bool SharedSmDriver::may_owner_issue(SmId id) const {
  const SharedSm& shared = sms_.at(id);
  if ((array_.sm(id).coming() & ~shared.guest_slots) != 0) return false;
  if (!owners_.is_reserved(id)) return true;
  if (!shared.has_guest() || shared.awaits_plan()) return false;
  const bool is_emptying = std::any_of(shared.grants.begin(), shared.grants.end(),
                                       [](const Grant& grant) { return grant.stage == Grant::Stage::kEmptying; });
  return !is_emptying && choice_.uncovered_need(shared.guest, id) <= 0;
}

// Breadth first, one fresh TB: the others of its SMs have theirs before it gets another.
void SharedSmDriver::fill_owner(SmId id, Cycle now) {
  const KsrId ksr = owners_.sm(id).ksr;
  std::uint64_t to_restore = 0;
  Cycle last_handle = now;
  while (tables_.ksr(ksr).preempted_tbs > 0 || (to_restore == 0 && array_.kernel(ksr).has_fresh())) {
    const std::optional<Place> place = free_place(id);
    if (!place) break;
    const bool is_fresh = tables_.ksr(ksr).preempted_tbs == 0;
    const std::optional<Cycle> handle_sent = send(id, *place, ksr, rounds_.first_issue(now));
    if (is_fresh && rounds_.is_on()) break;
    if (!handle_sent) continue;
    to_restore |= slot_bit(place->slot);
    last_handle = *handle_sent;
  }
  if (to_restore != 0) moves_.add_restore(id, to_restore, last_handle);
}

void SharedSmDriver::fill_grant(SmId id, Grant& grant, Cycle now) {
  SharedSm& shared = sms_.at(id);
  const KsrId guest = shared.guest;
  const std::uint64_t free = sms_.free_slots(id);
  if (tables_.ksr(guest).issuable_tbs() <= 0 || free == 0) return;
  grant.is_taken = true;
  grant.slot = lowest(free);
  shared.guest_slots |= slot_bit(grant.slot);
  const std::optional<Cycle> handle_sent =
      send(id, {grant.slot, grant.position}, guest, now + spec_.gpu.framework.tb_issue_cycles);
  tables_.add_guest(id);
  if (handle_sent) moves_.add_restore(id, slot_bit(grant.slot), *handle_sent);
}

// The kernel's next TB goes to the place. If its context is to be restored first: when its handle is sent.
std::optional<Cycle> SharedSmDriver::send(SmId id, Place place, KsrId ksr, Cycle earliest) {
  std::optional<Cycle> handle_sent;
  if (tables_.ksr(ksr).preempted_tbs == 0) {
    supply_.send_fresh(id, place, ksr, earliest);
  } else {
    const Cycle start = supply_.claim(earliest);
    if (supply_.send_handle(id, place, ksr, start)) handle_sent = start;
  }
  sms_.check_sharing(id);
  return handle_sent;
}

// For a TB of the owner: the lowest slot and the lowest position that no TB overlaps and that was not granted.
std::optional<Place> SharedSmDriver::free_place(SmId id) const {
  const SharedSm& shared = sms_.at(id);
  const KsrId ksr = owners_.sm(id).ksr;
  const Resources& free = array_.sm(id).free;
  // 1. Slots and threads, but for those that were promised.
  const std::int64_t promised = sms_.num_coming(id);
  const std::int64_t promised_threads =
      promised == 0 ? 0 : promised * array_.kernel(shared.has_guest() ? shared.guest : ksr).launch.threads_per_tb;
  const preemption::TbSize size = sms_.size_of(ksr);
  if (free.slots <= promised || num_slots(sms_.owners_slots(id)) >= tables_.ksr(ksr).tbs_per_sm) return std::nullopt;
  if (promised_threads + size.threads > free.threads) return std::nullopt;
  // 2. Registers and shared memory that lie together.
  const std::uint32_t num_positions = preemption::num_positions(sms_.room_of(id), size);
  const std::uint64_t positions = ~sms_.positions_in_use(id, size, num_positions);
  if (positions == 0 || lowest(positions) >= num_positions) return std::nullopt;
  return Place{lowest(sms_.free_slots(id)), lowest(positions)};
}

// Whether a place that falls free is filled again at once.
void SharedSmDriver::note_refill(SmId id) {
  const bool is_plain =
      owners_.sm(id).phase == SmPhase::kRunning && !owners_.is_reserved(id) && array_.sm(id).coming() == 0;
  array_.set_refill(id, is_plain && sms_.at(id).leaving == 0 && !rounds_.is_on() ? ~std::uint64_t{0} : 0);
}

}  // namespace tessera::tlm_model
