// SPDX-License-Identifier: Apache-2.0
// SM driver: what happens to the contexts of a preempted SM's thread blocks ([T14] 3.2).
#include <fmt/format.h>

#include <algorithm>

#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {
void SmDriver::timer_fired(SmId id, Cycle now) {
  now_ = now;
  Sm& sm = sms_[index(id)];
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  switch (sm.phase) {
    case SmPhase::kSettingUp:
      return set_up_done(id, now);
    case SmPhase::kIssuingRestores:
      if (sm.restoring_slots == 0) return batch_is_in(id, now);
      return start_move(id, SmPhase::kRestoring, record::Kind::kRestoreStarted, now);
    case SmPhase::kRestoring:
      return restore_done(id, now);
    case SmPhase::kFlushing:
      flush(id, sm.occupied_slots, now);
      if (sm.occupied_slots == sm.flushed_slots) tbs_have_left(id, now);
      return;
    case SmPhase::kDrainingPipeline:
      return freeze(id, now);
    case SmPhase::kEnteringTrap:
      return start_move(id, SmPhase::kSaving, record::Kind::kSaveStarted, now);
    case SmPhase::kSaving:
      return save_done(id, now);
    case SmPhase::kRunning:
      return preemption_done(id, 0, now);  // reserved for draining while it was empty
    case SmPhase::kDrainingRest:
    case SmPhase::kSendingHandles:
    case SmPhase::kIdle:
      break;  // waits for no timer
  }
}

// ---- save ----------------------------------------------------------------------------------------------------

// The SM is told to give its TBs up.
void SmDriver::preempt(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  sm.trapped_at = std::max(now, sm.last_start);
  sm.moving_bytes = 0;
  if (sm.technique != spec::TechniqueKind::kFlush) return trap(id, now);
  sm.phase = SmPhase::kFlushing;
  timers_.set(static_cast<std::uint32_t>(index(id)), sm.trapped_at + 1);
}

// The trap is precise: the pipeline drains first, and TBs sent to the SM before the trap have started. The cycle of
// the decision itself is over before that.
void SmDriver::trap(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  const Cycle earliest = sm.phase == SmPhase::kFlushing ? now : now + 1;
  sm.phase = SmPhase::kDrainingPipeline;
  const Cycle drained = sm.trapped_at + spec_.gpu.framework.pipeline_drain_cycles;
  timers_.set(static_cast<std::uint32_t>(index(id)), std::max(drained, earliest));
}

void SmDriver::freeze(SmId id, Cycle now) {
  const Sm& sm = sms_[index(id)];
  const std::uint64_t running = sm.occupied_slots & ~sm.flushed_slots;
  return running == 0 ? tbs_have_left(id, now) : stop(id, running, now);
}

// TBs that have not finished stand still.
void SmDriver::stop(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  for_each_slot(slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    const Cycle end = completions_.time(leaf);
    slot_remaining_[leaf] = end == kNever ? kNever : end - now;
    completions_.clear(leaf);
    if (loops_ != nullptr) loops_->freeze(leaf, now);
  });
  const auto num_tbs = static_cast<std::uint32_t>(__builtin_popcountll(slots));
  sm.meter.stopped(num_tbs, now);
  sm.moving_bytes = num_tbs * kernels_[index(sm.ksr)].context_bytes_per_tb;
  sm.phase = SmPhase::kEnteringTrap;
  timers_.set(static_cast<std::uint32_t>(index(id)), now + spec_.gpu.framework.trap_entry_cycles);
}

void SmDriver::save_done(SmId id, Cycle now) {
  end_move(id, now);
  tbs_have_left(id, now);
}

// Its TBs have finished, were flushed or are saved.
void SmDriver::tbs_have_left(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  if (sm.occupied_slots == 0) return preemption_done(id, 0, now);
  const policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
  // 1. Handles enter the PTBQ in slot order, once the whole save is complete.
  handles_return(id, sm.occupied_slots, now);
  wait_again(sm.ksr, now);
  // 2. Free slots of the victim's other SMs can take them.
  const KsrId victim = sm.ksr;
  for (std::size_t i = 0; i < sms_.size() && ksr.preempted_tbs > 0; ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    const bool runs_victim = entry.status == policy::SmStatus::kRunning && entry.ksr == victim;
    if (runs_victim && sms_[i].phase == SmPhase::kRunning) fill(SmId(i), now);
  }
  // 3. The SM goes to the kernel it was reserved for; the policy looks at the TBs that wait now.
  wants_policy = true;
  preemption_done(id, sm.moving_bytes, now);
}

void SmDriver::handles_return(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  KernelRun& kernel = kernels_[index(sm.ksr)];
  policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
  Ptbq& ptbq = ptbqs_[index(sm.ksr)];
  for_each_slot(slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    if ((sm.flushed_slots >> slot & 1) != 0) return ptbq.push(TbHandle::flushed(slot_tb_[leaf], num_flushes(id, slot)));
    const ContextTag tag{index(sm.context), static_cast<std::uint64_t>(sm.launch), slot_tb_[leaf],
                         slot_remaining_[leaf], num_flushes(id, slot)};
    ptbq.push({slot_tb_[leaf], context_memory_.save(sm.ksr, tag, kernel.context_bytes_per_tb)});
    if (monitor_ != nullptr) monitor_->tb_saved(sm.ksr, slot_tb_[leaf]);
    emit_tb(record::Kind::kTbSaved, id, slot, now, kernel.context_bytes_per_tb);
  });
  sm.occupied_slots &= ~slots;
  sm.flushed_slots &= ~slots;
  for_each_slot(slots, [&](std::uint32_t) { tables_.remove_resident(id); });
  ksr.preempted_tbs = ptbq.size();
  tables_.touch(id);
  kernel.fresh_end = 0;
  kernel.num_away += static_cast<std::uint32_t>(__builtin_popcountll(slots));
  if (monitor_ != nullptr) monitor_->check_ptbq(sm.ksr, ptbq.size(), spec_.gpu.num_sms * ksr.tbs_per_sm);
}

// ---- restore -------------------------------------------------------------------------------------------------

// As many handles as wait and fit go to the SM's free slots, and their contexts come in together.
void SmDriver::start_restore(SmId id, Cycle now) {
  const Sm& sm = sms_[index(id)];
  Cycle issued = now;
  while (ptbqs_[index(sm.ksr)].size() > 0 && sm.occupied_slots != slots_of(sm.ksr)) {
    issued = claim_issue_cycle(first_issue_cycle(now));
    read_handle(id, issued);
  }
  handles_read(id, issued);
}

// A flushed TB needs nothing and starts at once; the others wait until all their contexts are in.
void SmDriver::read_handle(SmId id, Cycle start) {
  Sm& sm = sms_[index(id)];
  const auto slot = lowest(free_slots(id));
  const std::uint32_t leaf = leaf_of(id, slot);
  const TbHandle handle = ptbqs_[index(sm.ksr)].pop();
  slot_tb_[leaf] = handle.tb;
  if (handle.is_flushed()) return restart(id, slot, handle, start);
  slot_stack_[leaf] = handle.stack_pointer;
  sm.restoring_slots |= std::uint64_t{1} << slot;
  occupy(id, slot);
}

void SmDriver::handles_read(SmId id, Cycle restore_at) {
  Sm& sm = sms_[index(id)];
  KernelRun& kernel = kernels_[index(sm.ksr)];
  policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
  ksr.preempted_tbs = ptbqs_[index(sm.ksr)].size();
  if (ksr.preempted_tbs == 0) kernel.fresh_end = ksr.num_tbs;
  const auto num_tbs = static_cast<std::uint64_t>(__builtin_popcountll(sm.restoring_slots));
  sm.moving_bytes = num_tbs * kernel.context_bytes_per_tb;
  sm.takes_refill = false;
  sm.phase = SmPhase::kIssuingRestores;
  timers_.set(static_cast<std::uint32_t>(index(id)), restore_at);
}

void SmDriver::restore_done(SmId id, Cycle now) {
  resume_restored(id, now);
  batch_is_in(id, now);
}

// A trap that waited is taken; else the SM fills up.
void SmDriver::batch_is_in(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  sm.phase = SmPhase::kRunning;
  if (is_reserved(id)) {
    if (sm.technique != spec::TechniqueKind::kDrain) preempt(id, now);
    return;
  }
  sm.takes_refill = takes_refill(id);
  free_slots_from(id, now);
  fill(id, now);
}

// The TBs run on from where they stood.
void SmDriver::resume_restored(SmId id, Cycle now) {
  end_move(id, now);
  Sm& sm = sms_[index(id)];
  const KernelRun& kernel = kernels_[index(sm.ksr)];
  for_each_slot(sm.restoring_slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    const ContextTag tag{index(sm.context), static_cast<std::uint64_t>(sm.launch), slot_tb_[leaf], 0};
    const auto restored = context_memory_.restore(sm.ksr, slot_stack_[leaf], tag, kernel.context_bytes_per_tb);
    completions_.set(leaf, std::min(now + restored.remaining, kNever));
    if (kernel.launch.loops != nullptr) loops_->resume(leaf, kernel.launch.context, slot_tb_[leaf], now);
    if (restored.num_flushes > 0) slot_flushes_[leaf] = {sm.launch, slot_tb_[leaf], restored.num_flushes};
    if (monitor_ != nullptr) {
      monitor_->tb_restored(sm.ksr, slot_tb_[leaf]);
      if (restored.mismatch) monitor_->violated(record::Invariant::kContextIntact, *restored.mismatch);
    }
    sm.meter.started(now, now);
    is_back(sm.ksr, now);
    emit_tb(record::Kind::kTbRestored, id, slot, now, kernel.context_bytes_per_tb);
  });
  sm.restoring_slots = 0;
  sm.meter.preemption_ends(now);
  record::Record done = about(record::Kind::kRestoreDone, id, now);
  done.bytes = sm.moving_bytes;
  done.cycles = now - sm.move_started;
  log_.emit(now, done);
  sm.phase = SmPhase::kRunning;
}

// ---- transfers -----------------------------------------------------------------------------------------------

void SmDriver::start_move(SmId id, SmPhase phase, record::Kind kind, Cycle now) {
  Sm& sm = sms_[index(id)];
  sm.phase = phase;
  sm.move_started = now;
  if (phase == SmPhase::kRestoring) sm.meter.preemption_begins(now);
  record::Record started = about(kind, id, now);
  started.bytes = sm.moving_bytes;
  log_.emit(now, started);
  channel_->start(id, sm.moving_bytes, now);
  time_moves(id);
}

void SmDriver::end_move(SmId id, Cycle now) {
  channel_->end(id, now);
  time_moves(id);
}

// Where the SMs share the channel, one more or one less moves the ends of all transfers.
void SmDriver::time_moves(SmId changed) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (!channel_->is_coupled() && i != index(changed)) continue;
    if (sms_[i].phase == SmPhase::kRestoring || sms_[i].phase == SmPhase::kSaving) {
      timers_.set(static_cast<std::uint32_t>(i), channel_->end_of(SmId(i)));
    }
  }
  if (loops_ != nullptr && channel_->is_coupled()) loops_->time_moves();
}

}  // namespace tessera::tlm_model
