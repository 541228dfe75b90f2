// SPDX-License-Identifier: Apache-2.0
// SM driver: thread blocks that are dropped and start again from nothing ([S16] 2.3, 4.1; docs/readings.md, Flush).
#include <algorithm>

#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {

void SmDriver::flush(SmId id, std::uint64_t running, Cycle now) {
  // 1. What can start again from nothing is dropped.
  std::uint64_t droppable = 0;
  for_each_slot(running, [&](std::uint32_t slot) {
    if (may_be_flushed(id, slot, now)) droppable |= std::uint64_t{1} << slot;
  });
  drop(id, droppable, now);
  // 2. The rest is saved, or runs to its end.
  if (running == droppable) return;
  if (spec_.scheduler.flush_fallback == spec::FlushFallback::kContextSwitch) return trap(id, now);
  sms_[index(id)].phase = SmPhase::kDrainingRest;
}

// The SM has the last word: at its point, and beyond, a TB has written what it would read again.
bool SmDriver::may_be_flushed(SmId id, std::uint32_t slot, Cycle now) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  const Cycle end = completions_.time(leaf);
  if (end == kNever || num_flushes(id, slot) == spec_.scheduler.max_flushes_per_tb) return false;
  const KernelLaunch& launch = kernels_[index(sms_[index(id)].ksr)].launch;
  return launch.progress.is_before_point(launch.durations, slot_tb_[leaf], executed_cycles(id, slot, now),
                                         launch.idempotent_until_ppm);
}

Cycle SmDriver::executed_cycles(SmId id, std::uint32_t slot, Cycle now) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  const Cycle duration = kernels_[index(sms_[index(id)].ksr)].launch.durations.of(slot_tb_[leaf]);
  return duration - remaining_work(id, slot, now);
}

Cycle SmDriver::remaining_work(SmId id, std::uint32_t slot, Cycle now) const {
  return completions_.time(leaf_of(id, slot)) - now;
}

std::uint32_t SmDriver::num_flushes(SmId id, std::uint32_t slot) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  const Flushes& flushes = slot_flushes_[leaf];
  return flushes.launch == sms_[index(id)].launch && flushes.tb == slot_tb_[leaf] ? flushes.count : 0;
}

void SmDriver::drop(SmId id, std::uint64_t slots, Cycle now) {
  if (slots == 0) return;
  Sm& sm = sms_[index(id)];
  record::Record flushed = about(record::Kind::kSmFlushed, id, now);
  for_each_slot(slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    flushed.cycles += executed_cycles(id, slot, now);
    ++flushed.value;
    slot_flushes_[leaf] = {sm.launch, slot_tb_[leaf], num_flushes(id, slot) + 1};
    completions_.clear(leaf);
    if (monitor_ != nullptr) monitor_->tb_flushed(sm.ksr, slot_tb_[leaf]);
    emit_tb(record::Kind::kTbFlushed, id, slot, now);
  });
  sm.flushed_slots = slots;
  sm.meter.stopped(static_cast<std::uint32_t>(flushed.value), now);
  log_.emit(now, flushed);
}

void SmDriver::restart(SmId id, std::uint32_t slot, const TbHandle& handle, Cycle start) {
  Sm& sm = sms_[index(id)];
  const std::uint32_t leaf = leaf_of(id, slot);
  completions_.set(leaf, std::min(start + kernels_[index(sm.ksr)].launch.durations.of(handle.tb), kNever));
  slot_flushes_[leaf] = {sm.launch, handle.tb, handle.num_flushes()};
  sm.last_start = start;
  sm.meter.started(now_, start);
  is_back(sm.ksr, start);
  if (monitor_ != nullptr) monitor_->tb_restarted(sm.ksr, handle.tb);
  occupy(id, slot);
  emit_tb(record::Kind::kTbRestarted, id, slot, start);
}

}  // namespace tessera::tlm_model
