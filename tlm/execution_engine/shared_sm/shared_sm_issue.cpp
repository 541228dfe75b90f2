// SPDX-License-Identifier: Apache-2.0
// Thread blocks end, and others take their places: those of an SM's owner where there is room, those of its guest in
// the positions that were granted. Saved and flushed ones first ([T14] Figure 3).
#include <algorithm>

#include "model/workload/kernel_model.h"
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

// ---- completions ---------------------------------------------------------------------------------------------------

void SharedSmDriver::run_completions(Cycle before) {
  for (;;) {
    const EventTree::Key key = completions_.min();
    const Cycle now = EventTree::time_of(key);
    if (now >= before) return;
    now_ = now;
    // 1. The TB in this slot is done.
    const std::uint32_t leaf = EventTree::leaf_of(key);
    const SmId id{static_cast<std::uint16_t>(leaf >> slot_bits_)};
    const std::uint32_t slot = leaf & ((1U << slot_bits_) - 1);
    const KsrId owner = tenant(id, slot);
    KernelRun& kernel = kernels_[index(owner)];
    policy::KsrEntry& ksr = tables_.ksr(owner);
    const std::uint32_t tb = slot_tb_[leaf];
    ++kernel.finished_tbs;
    finished_tbs_[index(owner)].add(is_paced(id, slot) ? ran_for(id, slot, now) : kernel.launch.durations.of(tb),
                                    kernel.launch.progress.instructions(kernel.launch.durations, tb));
    emit_of(record::Kind::kTbFinished, id, slot, now);
    if (monitor_ != nullptr) monitor_->tb_finished(owner, tb);
    // 2. Its place gets the kernel's next TB; all else is rare.
    const bool is_guests = (shared_[index(id)].guest_slots >> slot & 1) != 0;
    if ((is_guests || sms_[index(id)].takes_refill) && ksr.next_tb < kernel.fresh_end) {
      start_fresh(id, owner, slot, now + spec_.gpu.framework.tb_issue_cycles);
      sms_[index(id)].meter.refilled(now, sms_[index(id)].last_start);
      continue;
    }
    complete_tb(id, slot, now);
    return;
  }
}

void SharedSmDriver::complete_tb(SmId id, std::uint32_t slot, Cycle now) {
  Sm& sm = sms_[index(id)];
  SharedSm& shared = shared_[index(id)];
  const KsrId ksr = tenant(id, slot);
  // 1. The place is free.
  if ((shared.leaving >> slot & 1) != 0) victim_left(id, slot, preemption::Exit::kDrain, now);
  forget_slot(id, slot);
  if ((shared.guest_slots >> slot & 1) != 0) {
    for (Grant& grant : shared.grants) grant.is_taken = grant.is_taken && grant.slot != slot;
    tables_.remove_guest(id);
    shared.guest_slots &= ~(std::uint64_t{1} << slot);
  }
  slot_free_since_[leaf_of(id, slot)] = now;
  slot_freed(id, slot);
  tables_.remove_resident(id);
  change_pace(id, now);
  sm.meter.stopped(1, now);
  // 2. Was it the kernel's last TB?
  if (kernels_[index(ksr)].finished_tbs == tables_.ksr(ksr).num_tbs) finish_kernel(ksr, now);
  // 3. Whoever waited for the place gets it.
  tbs_gone(id, now);
  step_moves(id, now);
  fill_all(id, now);
}

// SMs that were to go to it stay with their owners.
void SharedSmDriver::finish_kernel(KsrId ksr, Cycle now) {
  SmDriver::finish_kernel(ksr, now);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    if (entry.status != policy::SmStatus::kReserved || entry.next != ksr || !is_active(SmId(i))) continue;
    note_cancelled(SmId(i), now);
    return_to_owner(SmId(i), now);
  }
}

bool SharedSmDriver::is_active(SmId id) const {
  const Sm& sm = sms_[index(id)];
  const KernelRun& owner = kernels_[index(sm.ksr)];
  return tables_.ksr(sm.ksr).is_valid && owner.id == sm.launch && owner.finished_tbs < tables_.ksr(sm.ksr).num_tbs;
}

// ---- set-up and release --------------------------------------------------------------------------------------------

void SharedSmDriver::owner_set_up(SmId id, KsrId ksr, Cycle now) {
  take_over(id, ksr, now);
  SharedSm& shared = shared_[index(id)];
  shared.shared_memory_bytes =
      workload::occupancy(spec_.gpu, resources_of(kernels_[index(ksr)].launch)).shared_memory_config_bytes;
  shared.set_up_at = now + spec_.gpu.framework.sm_setup_cycles;
  retime(id);
}

void SharedSmDriver::set_up_is_over(SmId id, Cycle now) {
  shared_[index(id)].set_up_at = kNever;
  if (is_reserved(id)) return all_gone(id, now);  // nothing to save yet
  sms_[index(id)].phase = SmPhase::kRunning;
  free_slots_from(id, now);
}

void SharedSmDriver::release(SmId id, Cycle now) {
  shared_[index(id)] = {};
  SmDriver::release(id, now);
}

// ---- places are filled ---------------------------------------------------------------------------------------------

void SharedSmDriver::fill_all(SmId id, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  if (sms_[index(id)].phase != SmPhase::kRunning) return;
  // 1. The guest's positions. One that finds no TB is given back.
  for (Grant& grant : shared.grants) {
    if (grant.stage == Grant::Stage::kReady && !grant.is_taken && shared.has_guest()) fill_grant(id, grant, now);
  }
  const auto is_given_back = [](const Grant& grant) { return grant.stage == Grant::Stage::kReady && !grant.is_taken; };
  shared.grants.erase(std::remove_if(shared.grants.begin(), shared.grants.end(), is_given_back), shared.grants.end());
  if (shared.has_guest() && shared.grants.empty() && shared.plan_at == kNever && !shared.wants_plan) {
    note_cancelled(id, now);
    return return_to_owner(id, now);
  }
  // 2. The owner's, in what is left.
  if (is_breadth_first_ && wants_issue(id)) {
    request_issue(id, now + spec_.gpu.framework.tb_issue_cycles);
    return retime(id);
  }
  if (may_owner_issue(id)) fill_owner(id, now);
  note_refill(id);
  if (is_unused(id)) return release(id, now);
  retime(id);
}

// The owner gets no TB where a guest waits for places.
bool SharedSmDriver::may_owner_issue(SmId id) const {
  const SharedSm& shared = shared_[index(id)];
  if (sms_[index(id)].restoring_slots & ~shared.guest_slots) return false;
  if (!is_reserved(id)) return true;
  if (!shared.has_guest() || shared.plan_at != kNever || shared.wants_plan) return false;
  const bool is_emptying = std::any_of(shared.grants.begin(), shared.grants.end(),
                                       [](const Grant& grant) { return grant.stage == Grant::Stage::kEmptying; });
  return !is_emptying && uncovered_need(shared.guest, id) <= 0;
}

// Breadth first, one fresh TB: the others of its SMs have theirs before it gets another.
void SharedSmDriver::fill_owner(SmId id, Cycle now) {
  const KsrId ksr = sms_[index(id)].ksr;
  std::uint64_t to_restore = 0;
  Cycle last_issue = now;
  while (tables_.ksr(ksr).preempted_tbs > 0 ||
         (to_restore == 0 && tables_.ksr(ksr).next_tb < kernels_[index(ksr)].fresh_end)) {
    const std::optional<Place> place = free_place(id);
    if (!place) break;
    place_tb(id, *place);
    const bool is_fresh = tables_.ksr(ksr).preempted_tbs == 0;
    const std::optional<Cycle> handle_sent = issue_tb(id, ksr, *place, first_issue_cycle(now));
    if (is_fresh && is_breadth_first_) break;
    if (!handle_sent) continue;
    to_restore |= std::uint64_t{1} << place->slot;
    last_issue = *handle_sent;
  }
  if (to_restore != 0) await_restore(id, ksr, to_restore, last_issue);
}

void SharedSmDriver::fill_grant(SmId id, Grant& grant, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  const KsrId guest = shared.guest;
  const std::optional<std::uint32_t> slot = free_slot(id);
  if (tables_.ksr(guest).issuable_tbs() <= 0 || !slot) return;
  grant.is_taken = true;
  grant.slot = *slot;
  shared.guest_slots |= std::uint64_t{1} << *slot;
  place_tb(id, {*slot, grant.position});
  tables_.add_guest(id);
  const std::optional<Cycle> handle_sent =
      issue_tb(id, guest, {*slot, grant.position}, now + spec_.gpu.framework.tb_issue_cycles);
  if (handle_sent) await_restore(id, guest, std::uint64_t{1} << *slot, *handle_sent);
}

// The kernel's next TB goes to the place. If its context is to be restored first: when its handle is sent.
std::optional<Cycle> SharedSmDriver::issue_tb(SmId id, KsrId ksr, Place place, Cycle earliest) {
  policy::KsrEntry& entry = tables_.ksr(ksr);
  if (entry.preempted_tbs == 0) {
    start_fresh(id, ksr, place.slot, earliest);
    sms_[index(id)].meter.started(now_, sms_[index(id)].last_start);
    return std::nullopt;
  }
  const Cycle start = claim_issue_cycle(earliest);
  const TbHandle handle = ptbqs_[index(ksr)].pop();
  entry.preempted_tbs = ptbqs_[index(ksr)].size();
  if (entry.preempted_tbs == 0) kernels_[index(ksr)].fresh_end = entry.num_tbs;
  slot_tb_[leaf_of(id, place.slot)] = handle.tb;
  if (handle.is_flushed()) {
    start_flushed(id, ksr, place.slot, handle, start);
    return std::nullopt;
  }
  slot_stack_[leaf_of(id, place.slot)] = handle.stack_pointer;
  sms_[index(id)].restoring_slots |= std::uint64_t{1} << place.slot;
  return start;
}

void SharedSmDriver::start_fresh(SmId id, KsrId ksr, std::uint32_t slot, Cycle earliest) {
  const std::uint32_t leaf = leaf_of(id, slot);
  Sm& sm = sms_[index(id)];
  issue_fresh<false, false>(sm, kernels_[index(ksr)], tables_.ksr(ksr), leaf, earliest);
  note_start(id, slot, kernels_[index(ksr)].launch.durations.of(slot_tb_[leaf]), sm.last_start, 0);
  change_pace(id, now_);
  if (monitor_ != nullptr) monitor_->tb_issued(ksr, slot_tb_[leaf]);
  emit_of(record::Kind::kTbIssued, id, slot, sm.last_start);
}

void SharedSmDriver::start_flushed(SmId id, KsrId ksr, std::uint32_t slot, const TbHandle& handle, Cycle start) {
  const KernelRun& kernel = kernels_[index(ksr)];
  const std::uint32_t leaf = leaf_of(id, slot);
  Sm& sm = sms_[index(id)];
  completions_.set(leaf, std::min(start + kernel.launch.durations.of(handle.tb), kNever));
  slot_flushes_[leaf] = {kernel.id, handle.tb, handle.num_flushes()};
  note_start(id, slot, kernel.launch.durations.of(handle.tb), start, 0);
  change_pace(id, now_);
  sm.last_start = start;
  sm.meter.started(now_, start);
  is_back(ksr, start);
  if (monitor_ != nullptr) monitor_->tb_restarted(ksr, handle.tb);
  emit_of(record::Kind::kTbRestarted, id, slot, start);
}

void SharedSmDriver::await_restore(SmId id, KsrId ksr, std::uint64_t slots, Cycle last_issue) {
  ContextMove move;
  move.slots = slots;
  move.ksr = ksr;
  move.not_before = last_issue;
  shared_[index(id)].moves.push_back(move);
  change_pace(id, now_);
}

// ---- where there is room -------------------------------------------------------------------------------------------

// For a TB of the owner: the lowest slot and the lowest position that no TB overlaps and that was not granted.
std::optional<SharedSmDriver::Place> SharedSmDriver::free_place(SmId id) const {
  const SharedSm& shared = shared_[index(id)];
  const KsrId ksr = sms_[index(id)].ksr;
  const preemption::TbSize size = size_of(ksr);
  const auto residents =
      static_cast<std::uint32_t>(__builtin_popcountll(sms_[index(id)].occupied_slots & ~shared.guest_slots));
  const std::uint32_t promised = num_coming(id);
  const std::uint32_t promised_threads =
      promised == 0 ? 0 : promised * kernels_[index(shared.has_guest() ? shared.guest : ksr)].launch.threads_per_tb;
  const std::uint32_t num_positions = preemption::num_positions(room_of(id), size);
  const std::uint64_t free = ~positions_in_use(id, size, num_positions);
  const std::optional<std::uint32_t> slot = free_slot(id);
  const auto all_slots = static_cast<std::uint32_t>(__builtin_popcountll(sms_[index(id)].occupied_slots)) + promised;
  if (!slot || all_slots >= spec_.gpu.max_tbs_per_sm || residents >= tables_.ksr(ksr).tbs_per_sm) return std::nullopt;
  if (threads_in_use(id) + promised_threads + size.threads > spec_.gpu.max_threads_per_sm) return std::nullopt;
  if (free == 0 || lowest(free) >= num_positions) return std::nullopt;
  return Place{*slot, lowest(free)};
}

std::optional<std::uint32_t> SharedSmDriver::free_slot(SmId id) const {
  const std::uint64_t free = ~sms_[index(id)].occupied_slots;
  if (free == 0 || lowest(free) >= spec_.gpu.max_tbs_per_sm) return std::nullopt;
  return lowest(free);
}

void SharedSmDriver::place_tb(SmId id, Place place) {
  sms_[index(id)].occupied_slots |= std::uint64_t{1} << place.slot;
  slot_position_[leaf_of(id, place.slot)] = place.position;
  tables_.add_resident(id);
  check_sharing(id);
}

// Whether a place that falls free is filled again at once.
void SharedSmDriver::note_refill(SmId id) {
  Sm& sm = sms_[index(id)];
  const bool is_plain = sm.phase == SmPhase::kRunning && !is_reserved(id) && sm.restoring_slots == 0;
  sm.takes_refill = is_plain && shared_[index(id)].leaving == 0 && !is_breadth_first_;
}

}  // namespace tessera::tlm_model
