// SPDX-License-Identifier: Apache-2.0
// Orders of the scheduler, timers of SMs, and what the other parts look up.
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spec/policy_keys.h"
#include "model/workload/kernel_model.h"

namespace tessera::tlm_model {

SharedSmDriver::SharedSmDriver(const spec::Spec& spec, policy::SchedulingTables& tables, EventTree& timers,
                               record::RecordLog& log, record::InvariantMonitor* monitor, PagedMemory* context_bytes)
    : SmDriver(spec, tables, timers, log, monitor, context_bytes),
      shared_(spec.gpu.num_sms),
      finished_tbs_(spec.gpu.framework.num_ksrs),
      slot_position_(slot_tb_.size()),
      slot_choice_(slot_tb_.size()),
      slot_work_(slot_tb_.size()),
      limit_(Clock(spec.gpu.clock_hz).cycles_in(spec.scheduler.latency_limit)) {
  set_scheduler(spec.scheduler);
}

// ---- orders of the scheduler ---------------------------------------------------------------------------------

void SharedSmDriver::set_scheduler(const spec::SchedulerSpec& scheduler) {
  SmDriver::set_scheduler(scheduler);
  takes_all_ = spec::policy_keys::has_scope(scheduler) && scheduler.exclusive_scope == spec::ExclusiveScope::kAll;
}

void SharedSmDriver::kernel_activated(KsrId ksr, LaunchId id, const KernelLaunch& launch, Cycle now) {
  SmDriver::kernel_activated(ksr, id, launch, now);
  finished_tbs_[index(ksr)] = {};
  is_any_paced_ |= launch.occupancy_speedup_ppm != 0;
}

void SharedSmDriver::assign(SmId id, KsrId ksr, Cycle now) {
  now_ = now;
  tables_.assign(id, ksr);
  owner_set_up(id, ksr, now);
}

void SharedSmDriver::reserve(SmId id, KsrId next, Cycle now) {
  note_reserved(id, next, now);
  const Sm& sm = sms_[index(id)];
  SharedSm& shared = shared_[index(id)];
  shared.is_requested = true;
  shared.empties = false;
  shared.grants.clear();  // places that were still being set up when the SM passed to its guest
  shared.bytes_saved = 0;
  shared.wanted_from = wanted_from(next);
  if (sm.phase == SmPhase::kSettingUp) return;  // it gives way at the end of that
  plan_soon(id, now);
}

// The TBs that were chosen go on leaving; who else has to go is asked anew for the kernel that comes now.
void SharedSmDriver::retarget(SmId id, KsrId next, Cycle now) {
  now_ = now;
  const Sm& sm = sms_[index(id)];
  SharedSm& shared = shared_[index(id)];
  tables_.retarget(id, next);
  record::Record retarget = about_preemption(record::Kind::kPreemptionRetargeted, id, now);
  retarget.value = static_cast<std::uint64_t>(kernels_[index(next)].id);
  log_.emit(now, retarget);
  shared.wanted_from = wanted_from(next);
  if (sm.phase == SmPhase::kSettingUp) return;
  shared.grants.clear();
  shared.guest = kNoKsr;
  const bool is_for_owner = next == sm.ksr && kernels_[index(next)].id == sm.launch;
  if (is_for_owner) return return_to_owner(id, now);
  if (!shared.empties && !shared.wants_plan) shared.plan_at = std::max(now, sm.last_start) + 1;
  retime(id);
}

bool SharedSmDriver::is_any_sm_changing_hands() const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const bool is_settled = sms_[i].phase == SmPhase::kIdle || sms_[i].phase == SmPhase::kRunning;
    if (!is_settled || shared_[i].is_requested || !shared_[i].moves.empty()) return true;
  }
  return false;
}

// ---- time ----------------------------------------------------------------------------------------------------

// In one cycle: contexts that have been moved, then commands, then set-ups.
void SharedSmDriver::timer_fired(SmId id, Cycle now) {
  now_ = now;
  SharedSm& shared = shared_[index(id)];
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  step_moves(id, now);
  if (shared.plan_at <= now) plan(id, now);
  if (shared.escalate_at <= now) escalate(id, now);
  if (shared.set_up_at <= now) set_up_is_over(id, now);
  for (Grant& grant : shared.grants) {
    if (grant.stage != Grant::Stage::kSettingUp || grant.set_up_at > now) continue;
    grant.stage = Grant::Stage::kReady;
    grant.set_up_at = kNever;
  }
  fill_all(id, now);
  retime(id);
}

// The SM's timer is the earliest of what it waits for.
void SharedSmDriver::retime(SmId id) {
  const SharedSm& shared = shared_[index(id)];
  Cycle next = std::min({shared.plan_at, shared.escalate_at, shared.set_up_at});
  for (const ContextMove& move : shared.moves) {
    const bool waits = move.stage == ContextMove::Stage::kWaiting;
    next = std::min(next, waits && is_its_turn(shared, move) ? move.not_before : move.stage_ends);
  }
  for (const Grant& grant : shared.grants) next = std::min(next, grant.set_up_at);
  timers_.set(static_cast<std::uint32_t>(index(id)), next);
}

// ---- looked up by all parts ------------------------------------------------------------------------------------

preemption::TbSize SharedSmDriver::size_of(KsrId ksr) const {
  const KernelLaunch& launch = kernels_[index(ksr)].launch;
  return {launch.regs_per_tb, launch.smem_bytes_per_tb, launch.threads_per_tb};
}

preemption::SmRoom SharedSmDriver::room_of(SmId id) const {
  return {spec_.gpu.registers_per_sm, shared_[index(id)].shared_memory_bytes, spec_.gpu.max_threads_per_sm,
          spec_.gpu.max_tbs_per_sm};
}

// Positions of a kernel that TBs of either kernel lie in, or that were granted.
std::uint64_t SharedSmDriver::positions_in_use(SmId id, const preemption::TbSize& size,
                                               std::uint32_t num_positions) const {
  const SharedSm& shared = shared_[index(id)];
  std::uint64_t used = 0;
  for_each_slot(sms_[index(id)].occupied_slots, [&](std::uint32_t slot) {
    const preemption::Placed tb{slot_position_[leaf_of(id, slot)], size_of(tenant(id, slot))};
    used |= preemption::overlapped_positions(tb, size, num_positions);
  });
  const KsrId guest = shared.has_guest() ? shared.guest : sms_[index(id)].ksr;
  for (const Grant& grant : shared.grants) {
    used |= preemption::overlapped_positions({grant.position, size_of(guest)}, size, num_positions);
  }
  return used;
}

std::uint32_t SharedSmDriver::threads_in_use(SmId id) const {
  std::uint32_t threads = 0;
  for_each_slot(sms_[index(id)].occupied_slots,
                [&](std::uint32_t slot) { threads += kernels_[index(tenant(id, slot))].launch.threads_per_tb; });
  return threads;
}

std::uint32_t SharedSmDriver::num_coming(SmId id) const {
  const auto& grants = shared_[index(id)].grants;
  return static_cast<std::uint32_t>(
      std::count_if(grants.begin(), grants.end(), [](const Grant& grant) { return !grant.is_taken; }));
}

record::Record SharedSmDriver::about_tb(record::Kind kind, SmId id, std::uint32_t slot, Cycle at) const {
  record::Record record = about(kind, id, at);
  record.slot = static_cast<std::uint16_t>(slot);
  record.launch = static_cast<std::uint32_t>(kernels_[index(tenant(id, slot))].id);
  record.tb = slot_tb_[leaf_of(id, slot)];
  return record;
}

void SharedSmDriver::emit_of(record::Kind kind, SmId id, std::uint32_t slot, Cycle at, std::uint64_t bytes) {
  if (!log_.wants_per_tb()) return;
  record::Record record = about_tb(kind, id, slot, at);
  record.bytes = bytes;
  log_.emit(now_, record);
}

// Ranges are disjoint and within the SM, threads and slots suffice for both kernels.
void SharedSmDriver::check_sharing(SmId id) const {
  if (monitor_ == nullptr) return;
  const Sm& sm = sms_[index(id)];
  const preemption::SmRoom room = room_of(id);
  const auto complain = [&](const char* what) {
    monitor_->violated(record::Invariant::kSmResources, fmt::format("SM {}: {}", index(id), what));
  };
  if (threads_in_use(id) > room.threads) complain("more threads than it has");
  for_each_slot(sm.occupied_slots, [&](std::uint32_t slot) {
    const preemption::TbSize size = size_of(tenant(id, slot));
    const std::uint64_t at = slot_position_[leaf_of(id, slot)];
    if ((at + 1) * size.registers > room.registers || (at + 1) * size.shared_memory_bytes > room.shared_memory_bytes)
      complain("a thread block lies outside of it");
    for_each_slot(sm.occupied_slots & ~((std::uint64_t{2} << slot) - 1), [&](std::uint32_t other) {
      const preemption::TbSize its = size_of(tenant(id, other));
      const std::uint64_t there = slot_position_[leaf_of(id, other)];
      const auto overlap = [&](std::uint64_t a, std::uint64_t b) {
        return at * a < (there + 1) * b && there * b < (at + 1) * a;
      };
      if (overlap(size.registers, its.registers) || overlap(size.shared_memory_bytes, its.shared_memory_bytes))
        complain("two thread blocks lie in the same registers or shared memory");
    });
  });
}

}  // namespace tessera::tlm_model
