// SPDX-License-Identifier: Apache-2.0
// Thread blocks stand still or are dropped, and their contexts go to memory and come back.
#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {
// ---- they leave ----------------------------------------------------------------------------------------------

void SmArray::stop(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  for_each_slot(slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    slots_[leaf].remaining = work_end(leaf) == kNever ? kNever : remaining(id, slot, now);
    if (memory_ != nullptr) slots_[leaf].bytes_left = memory_->stop(leaf, now);
    ends_.clear(leaf);
    if (loops_ != nullptr) loops_->freeze(leaf, now);
  });
  sm.stopped |= slots;
  sm.meter.stopped(num_slots(slots), now);
}

void SmArray::drop(SmId id, std::uint64_t slots, Cycle now) {
  if (slots == 0) return;
  Sm& sm = sms_[index(id)];
  record::Record flushed = about(record::Kind::kSmFlushed, id, slot(id, lowest(slots)).kernel, now);
  for_each_slot(slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    record::number::lost_cycles(flushed) += executed(id, slot, now);
    ++record::number::tbs(flushed);
    ++slots_[leaf].num_flushes;
    if (memory_ != nullptr) memory_->stop(leaf, now);
    ends_.clear(leaf);
    if (monitor_ != nullptr) monitor_->tb_flushed(slots_[leaf].kernel, slots_[leaf].tb);
    emit_tb(record::Kind::kTbFlushed, leaf, now);
  });
  sm.flushed |= slots;
  sm.meter.stopped(num_slots(slots), now);
  log_.emit(now, flushed);
}

TbHandle SmArray::leave(SmId id, std::uint32_t number, Cycle now) {
  const std::uint32_t leaf = leaf_of(id, number);
  const Slot& slot = slots_[leaf];
  KernelRun& kernel = kernels_[index(slot.kernel)];
  ++kernel.tbs.away;
  if (has_slot(sm(id).flushed, number)) return TbHandle::flushed(slot.tb, slot.num_flushes);
  const ContextTag tag{index(kernel.launch.context), static_cast<std::uint64_t>(kernel.id), slot.tb, slot.remaining,
                       slot.num_flushes};
  const TbHandle handle{slot.tb, context_memory_.save(slot.kernel, tag, kernel.context_bytes_per_tb, slot.bytes_left)};
  if (monitor_ != nullptr) monitor_->tb_saved(slot.kernel, slot.tb);
  emit_tb(record::Kind::kTbSaved, leaf, now, kernel.context_bytes_per_tb);
  return handle;
}

// ---- moves ---------------------------------------------------------------------------------------------------

void SmArray::start_move(SmId id, bool is_save, std::uint64_t slots, Cycle now, std::optional<Cycle> takes) {
  // 1. What goes out or comes in.
  ContextMove move = move_of(id, is_save, slots);
  move.started = now;
  move.takes = takes;
  move.is_on_channel = !takes;
  // 2. It begins.
  Sm& sm = sms_[index(id)];
  sm.moving |= slots;
  sm.moves.push_back(move);
  if (!is_save) sm.meter.preemption_begins(now);
  record::Record started = about(is_save ? record::Kind::kSaveStarted : record::Kind::kRestoreStarted, id,
                                 slot(id, lowest(slots)).kernel, now);
  started.bytes = move.bytes;
  log_.emit(now, started);
  if (takes) return;
  channel_->start(id, move.bytes, now);
  tell_ends_of_moves(id);
}

void SmArray::end_transfer(SmId id, std::uint64_t slots, Cycle now) {
  ContextMove& move = *move_under_way(id, slots);
  if (!move.is_on_channel) return;
  move.is_on_channel = false;
  channel_->end(id, now);
  tell_ends_of_moves(id);
}

ContextMove SmArray::move_of(SmId id, bool is_save, std::uint64_t slots) const {
  ContextMove move;
  move.is_save = is_save;
  move.slots = slots;
  for_each_slot(slots, [&](std::uint32_t slot) {
    const KernelRun& kernel = kernel_in(id, slot);
    move.bytes += kernel.context_bytes_per_tb;
    move.warps += (kernel.launch.threads_per_tb + spec::kThreadsPerWarp - 1) / spec::kThreadsPerWarp;
    move.shared_memory_bytes += kernel.launch.smem_bytes_per_tb;
  });
  return move;
}

std::vector<ContextMove>::iterator SmArray::move_under_way(SmId id, std::uint64_t slots) {
  std::vector<ContextMove>& moves = sms_[index(id)].moves;
  return std::find_if(moves.begin(), moves.end(), [&](const ContextMove& m) { return m.slots == slots; });
}

Cycle SmArray::microcode_cycles(SmId id, bool is_save, std::uint64_t slots) const {
  return microcode_.is_on() ? microcode_.cycles(move_of(id, is_save, slots)) : 0;
}

ContextMove SmArray::end_move(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  end_transfer(id, slots, now);
  const auto at = move_under_way(id, slots);
  const ContextMove move = *at;
  sm.moves.erase(at);
  if (move.is_save) return move;
  resume(id, slots, now);
  sm.meter.preemption_ends(now);
  record::Record done = about(record::Kind::kRestoreDone, id, slot(id, lowest(slots)).kernel, now);
  done.bytes = move.bytes;
  done.cycles = now - move.started;
  log_.emit(now, done);
  return move;
}

Cycle SmArray::end_of_move(SmId id, const ContextMove& move) const {
  return move.takes ? move.started + *move.takes : channel_->end_of(id);
}

void SmArray::resume(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  for_each_slot(slots, [&](std::uint32_t number) {
    const std::uint32_t leaf = leaf_of(id, number);
    Slot& slot = slots_[leaf];
    KernelRun& kernel = kernels_[index(slot.kernel)];
    const ContextTag tag{index(kernel.launch.context), static_cast<std::uint64_t>(kernel.id), slot.tb, 0};
    const auto back = context_memory_.restore(slot.kernel, slot.stack_pointer, tag, kernel.context_bytes_per_tb);
    if (!resume_bytes(leaf, kernel, back.bytes_left, back.remaining, now)) {
      ends_.set(leaf, std::min(now + back.remaining, kNever));
    }
    slot.num_flushes = back.num_flushes;
    if (slot.clock == ClockDomain::kSm) {
      const Cycle whole = kernel.launch.durations.of(slot.tb);
      work_begins(leaf, back.remaining, now, whole - std::min(whole, back.remaining));
    }
    if (kernel.launch.loops != nullptr) loops_->resume(leaf, kernel.launch.context, slot.tb, now);
    if (monitor_ != nullptr) {
      monitor_->tb_restored(slot.kernel, slot.tb);
      if (back.mismatch) monitor_->violated(record::Invariant::kContextIntact, *back.mismatch);
    }
    sm.meter.started(now, now);
    is_back(kernel, now);
    emit_tb(record::Kind::kTbRestored, leaf, now, kernel.context_bytes_per_tb);
  });
  sm.moving &= ~slots;
  change_pace(id, now);
}

// Where the SMs share the channel, one more or one less moves the ends of all transfers.
void SmArray::tell_ends_of_moves(SmId changed) {
  const auto tell = [&](SmId id) {
    if (channel_->end_of(id) != kNever && move_timer_ != nullptr) move_timer_->move_will_end(id, channel_->end_of(id));
  };
  if (!channel_->is_coupled()) return tell(changed);
  for (std::size_t i = 0; i < sms_.size(); ++i) tell(SmId(i));
  if (loops_ != nullptr) loops_->time_moves();
}

std::uint32_t SmArray::num_coming(KsrId ksr) const {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    for_each_slot(sms_[i].coming(),
                  [&](std::uint32_t number) { count += slot(SmId(i), number).kernel == ksr ? 1 : 0; });
  }
  return count;
}

}  // namespace tessera::tlm_model
