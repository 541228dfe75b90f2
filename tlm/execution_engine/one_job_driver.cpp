// SPDX-License-Identifier: Apache-2.0
// What SMs report. What the engine picks stands in one_job_picks.cpp, what its jobs do in one_job_writes.cpp.
#include "tlm/execution_engine/one_job_driver.h"

#include <algorithm>

#include "model/spec/core_cycles.h"

namespace tessera::tlm_model {

OneJobDriver::OneJobDriver(const spec::Spec& spec, policy::SchedulingTables& tables, EventTree& timers,
                           std::uint32_t engine_leaf, record::RecordLog& log, record::InvariantMonitor* monitor,
                           PagedMemory* context_bytes)
    : SmDriver(spec, tables, timers, log, monitor, context_bytes),
      engine_leaf_(engine_leaf),
      ratio_(spec.scheduler.tbs_per_cycle),
      issues_in_rounds_(is_breadth_first_ && ratio_ > 1),
      has_carries_(spec.gpu.framework.tb_id_bits > 8),
      jobs_(spec.gpu.num_sms),
      served_at_(spec.gpu.num_sms, kNever),
      last_issue_sm_(spec.gpu.num_sms - 1) {}

// ---- what SMs report -----------------------------------------------------------------------------------------

void OneJobDriver::run_completions(Cycle before) {
  with_constants(
      [&](auto traced, auto checked, auto contended) { run_completions_as<traced, checked, contended>(before); });
}

template <bool kTraced, bool kChecked, bool kContended>
void OneJobDriver::run_completions_as(Cycle before) {
  for (;;) {
    const EventTree::Key key = completions_.min();
    const Cycle now = EventTree::time_of(key);
    if (now >= before) return;
    now_ = now;
    // 1. The TB in this slot is done.
    const std::uint32_t leaf = EventTree::leaf_of(key);
    const SmId id{static_cast<std::uint16_t>(leaf >> slot_bits_)};
    const std::uint32_t slot = leaf & ((1U << slot_bits_) - 1);
    Sm& sm = sms_[index(id)];
    KernelRun& kernel = kernels_[index(sm.ksr)];
    ++kernel.finished_tbs;
    if constexpr (kTraced) emit_tb(record::Kind::kTbFinished, id, slot, now);
    if constexpr (kChecked) monitor_->tb_finished(sm.ksr, slot_tb_[leaf]);
    // 2. The engine, if it is at rest, fills its slot with the kernel's next TB; all else takes a job that is an event.
    policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
    if (is_at_rest(now) && free_slots(id) == 0 && may_refill(sm, id)) {
      const Cycle core = core_cycle(now);
      free_at_ = core + spec::kToWrite + 2 + (carries(ksr) ? 1 : 0);
      if (!batch_.any()) batch_formed_at_ = core;
      issues_first_ = true;
      ++kernel.taken_tbs;
      issue_fresh<kTraced, kChecked, kContended>(sm, kernel, ksr, leaf, start_of(core + spec::kToBurst));
      sm.meter.refilled(now, sm.last_start);
      continue;
    }
    completions_.clear(leaf);
    jobs_[index(id)].done_slots |= std::uint64_t{1} << slot;
    sm.meter.stopped(1, now);
    raise(id, kTbDone, now);
    return;
  }
}

// Nothing but this TB waits, and nothing else of this cycle can come before it.
bool OneJobDriver::is_at_rest(Cycle now) const {
  return free_at_ <= core_cycle(now) && !job_ && !offered_ && !has_event_.any() && !hungry_.any() && !empty_.any() &&
         !traps_.any() && !set_ups_.any() && control_at_ != core_cycle(now) && deals_until_ <= core_cycle(now) &&
         timers_.min_time() > now && !issues_in_rounds_;
}

bool OneJobDriver::may_refill(const Sm& sm, SmId id) const {
  return is_running(id) && !restoring_.has(index_of(id)) && !issues_in_rounds_ &&
         tables_.ksr(sm.ksr).next_tb < kernels_[index(sm.ksr)].fresh_end &&
         kernels_[index(sm.ksr)].launch.loops == nullptr;
}

std::uint64_t OneJobDriver::running_slots(SmId id) const {
  const Sm& sm = sms_[index(id)];
  return sm.occupied_slots & ~sm.restoring_slots & ~sm.flushed_slots & ~jobs_[index(id)].done_slots;
}

void OneJobDriver::timer_fired(SmId id, Cycle now) {
  now_ = now;
  Sm& sm = sms_[index(id)];
  timers_.clear(index_of(id));
  switch (sm.phase) {
    case SmPhase::kIdle:  // its kernel has finished since it was set up
    case SmPhase::kSettingUp:
      return raise(id, kSetUpDone, now);
    case SmPhase::kIssuingRestores:
      if (sm.restoring_slots == 0) {
        sm.phase = SmPhase::kRunning;
        return raise(id, kRestoreDone, now);
      }
      return start_move(id, SmPhase::kRestoring, record::Kind::kRestoreStarted, now);
    case SmPhase::kRestoring:
      resume_restored(id, now);
      return raise(id, kRestoreDone, now);
    case SmPhase::kFlushing:
      return flush_running(id, now);
    case SmPhase::kDrainingPipeline:
      return freeze_running(id, now);
    case SmPhase::kEnteringTrap:
      return start_move(id, SmPhase::kSaving, record::Kind::kSaveStarted, now);
    case SmPhase::kSaving:
      end_move(id, now);
      return raise(id, kPreempted, now);
    case SmPhase::kSendingHandles:
      return raise(id, kPreempted, now);
    case SmPhase::kDrainingRest:
    case SmPhase::kRunning:
      return;
  }
}

void OneJobDriver::flush_running(SmId id, Cycle now) {
  flush(id, running_slots(id), now);
  if (sms_[index(id)].occupied_slots == sms_[index(id)].flushed_slots) give_back(id, core_cycle(now));
}

void OneJobDriver::freeze_running(SmId id, Cycle now) {
  if (running_slots(id) != 0) return stop(id, running_slots(id), now);
  if (sms_[index(id)].occupied_slots == sms_[index(id)].flushed_slots) give_back(id, core_cycle(now));
}

// Nothing to save. Handles of what was dropped leave one a core cycle.
void OneJobDriver::give_back(SmId id, Cycle core) {
  Sm& sm = sms_[index(id)];
  if (sm.flushed_slots == 0) return raise(id, kPreempted, now_);
  sm.phase = SmPhase::kSendingHandles;
  const auto num_handles = static_cast<Cycle>(__builtin_popcountll(sm.flushed_slots));
  timers_.set(index_of(id), sm_cycle(core + num_handles + 1));
}

// ---- the network of events: batches, lowest SM first ---------------------------------------------------------

void OneJobDriver::raise(SmId id, SmEvent event, Cycle now) {
  const Cycle core = core_cycle(now);
  const std::uint32_t sm = index_of(id);
  jobs_[sm].events |= event;
  has_event_.set(sm);
  event_since_ = std::min(event_since_, core);
  if (!batch_.any() && batch_formed_at_ < core) batch_formed_at_ = core;
  if (batch_formed_at_ == kNever) batch_formed_at_ = core;
  if (batch_formed_at_ == core) batch_.set(sm);
  schedule();
}

void OneJobDriver::withdraw(SmId id, std::uint8_t events) {
  const std::uint32_t sm = index_of(id);
  jobs_[sm].events &= static_cast<std::uint8_t>(~events);
  if (jobs_[sm].events != 0) return;
  has_event_.clear(sm);
  batch_.clear(sm);
  if (!has_event_.any()) event_since_ = kNever;
}

SmId OneJobDriver::take_event() {
  if (!(batch_ & has_event_).any()) batch_ = has_event_;
  const std::uint32_t sm = batch_.lowest();
  batch_.clear(sm);
  return SmId(sm);
}

}  // namespace tessera::tlm_model
