// SPDX-License-Identifier: Apache-2.0
// Contexts of some of an SM's thread blocks go out, or come in, while others run on.
#include <algorithm>

#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

using Stage = ContextMove::Stage;

// Takes every batch as far as it gets in this cycle.
void SharedSmDriver::step_moves(SmId id, Cycle now) {
  std::vector<ContextMove>& moves = shared_[index(id)].moves;
  for (std::size_t i = 0; i < moves.size();) {
    if (!is_its_turn(shared_[index(id)], moves[i]) || step_move(id, moves[i], now)) {
      ++i;
      continue;
    }
    // What follows from its end may add to the list, or take from it.
    const ContextMove over = moves[i];
    moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(i));
    move_is_over(id, over, now);
    i = 0;
  }
  retime(id);
}

// An SM has one way to memory; at a price per TB each context has one of its own.
bool SharedSmDriver::is_its_turn(const SharedSm& sm, const ContextMove& move) const {
  return has_per_tb_price() || &move == &sm.moves.front();
}

bool SharedSmDriver::step_move(SmId id, ContextMove& move, Cycle now) {
  const spec::FrameworkSpec& framework = spec_.gpu.framework;
  if (move.stage == Stage::kWaiting) {
    if (move.slots == 0) return false;  // they have all finished
    if (move.not_before > now) return true;
    if (!move.is_save) {
      start_moving(id, move, now);
    } else {
      move.stage = Stage::kDrainingPipeline;
      move.stage_ends = now + framework.pipeline_drain_cycles;
    }
  }
  if (move.stage == Stage::kDrainingPipeline && move.stage_ends <= now) {
    if (move.slots == 0) return false;
    freeze_victims(id, move, now);
    move.stage = Stage::kEnteringTrap;
    move.stage_ends = now + framework.trap_entry_cycles;
  }
  if (move.stage == Stage::kEnteringTrap && move.stage_ends <= now) start_moving(id, move, now);
  return move.stage != Stage::kMoving || move.stage_ends > now;
}

void SharedSmDriver::freeze_victims(SmId id, ContextMove& move, Cycle now) {
  Sm& sm = sms_[index(id)];
  for_each_slot(move.slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    const Cycle end = completions_.time(leaf);
    slot_remaining_[leaf] = end == kNever ? kNever : remaining_work(id, slot, now);
    completions_.clear(leaf);
  });
  sm.frozen_slots |= move.slots;
  sm.meter.stopped(static_cast<std::uint32_t>(__builtin_popcountll(move.slots)), now);
}

void SharedSmDriver::start_moving(SmId id, ContextMove& move, Cycle now) {
  move.stage = Stage::kMoving;
  move.started = now;
  move.bytes =
      static_cast<std::uint64_t>(__builtin_popcountll(move.slots)) * kernels_[index(move.ksr)].context_bytes_per_tb;
  record::Record started = about(move.is_save ? record::Kind::kSaveStarted : record::Kind::kRestoreStarted, id, now);
  started.launch = static_cast<std::uint32_t>(kernels_[index(move.ksr)].id);
  started.bytes = move.bytes;
  log_.emit(now, started);
  if (!move.is_save) sms_[index(id)].meter.preemption_begins(now);
  if (has_per_tb_price()) {
    move.stage_ends = now + moving_cycles(move);
    return;
  }
  channel_->start(id, move.bytes, now);
  move.stage_ends = channel_->end_of(id);
  time_coupled_moves();
}

// Where the SMs share the channel, one more or one less moves the ends of all transfers.
void SharedSmDriver::time_coupled_moves() {
  if (!channel_->is_coupled()) return;
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    auto& moves = shared_[i].moves;
    if (moves.empty() || moves.front().stage != Stage::kMoving) continue;
    moves.front().stage_ends = channel_->end_of(SmId(i));
    retime(SmId(i));
  }
}

void SharedSmDriver::move_is_over(SmId id, const ContextMove& move, Cycle now) {
  if (move.stage != Stage::kMoving) return;  // nobody was left
  if (!has_per_tb_price()) {
    channel_->end(id, now);
    time_coupled_moves();
  }
  move.is_save ? saved(id, move, now) : restored(id, move, now);
}

void SharedSmDriver::saved(SmId id, const ContextMove& move, Cycle now) {
  SharedSm& shared = shared_[index(id)];
  for_each_slot(move.slots, [&](std::uint32_t slot) { victim_left(id, slot, preemption::Exit::kSwitch, now); });
  sms_[index(id)].frozen_slots &= ~move.slots;
  shared.bytes_saved += move.bytes;
  handles_return(id, move.slots, now);
  change_pace(id, now);
  handles_are_back(move.ksr, now);
  tbs_gone(id, now);
}

void SharedSmDriver::restored(SmId id, const ContextMove& move, Cycle now) {
  Sm& sm = sms_[index(id)];
  SharedSm& shared = shared_[index(id)];
  const KernelRun& kernel = kernels_[index(move.ksr)];
  for_each_slot(move.slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    const ContextTag tag{index(kernel.launch.context), static_cast<std::uint64_t>(kernel.id), slot_tb_[leaf], 0};
    const auto back = context_memory_.restore(move.ksr, slot_stack_[leaf], tag, kernel.context_bytes_per_tb);
    completions_.set(leaf, std::min(now + back.remaining, kNever));
    const Cycle whole = kernel.launch.durations.of(slot_tb_[leaf]);
    note_start(id, slot, back.remaining, now, whole - std::min(whole, back.remaining));
    if (back.num_flushes > 0) slot_flushes_[leaf] = {kernel.id, slot_tb_[leaf], back.num_flushes};
    if (monitor_ != nullptr) {
      monitor_->tb_restored(move.ksr, slot_tb_[leaf]);
      if (back.mismatch) monitor_->violated(record::Invariant::kContextIntact, *back.mismatch);
    }
    sm.meter.started(now, now);
    is_back(move.ksr, now);
    emit_of(record::Kind::kTbRestored, id, slot, now, kernel.context_bytes_per_tb);
  });
  sm.restoring_slots &= ~move.slots;
  change_pace(id, now);
  sm.meter.preemption_ends(now);
  record::Record done = about(record::Kind::kRestoreDone, id, now);
  done.launch = static_cast<std::uint32_t>(kernel.id);
  done.bytes = move.bytes;
  done.cycles = now - move.started;
  log_.emit(now, done);
  if (shared.wants_plan && sm.restoring_slots == 0) {
    shared.wants_plan = false;
    shared.plan_at = std::max(now, sm.last_start) + 1;
  }
  fill_all(id, now);
}

// A TB has finished that was to be saved.
void SharedSmDriver::forget_slot(SmId id, std::uint32_t slot) {
  for (ContextMove& move : shared_[index(id)].moves) move.slots &= ~(std::uint64_t{1} << slot);
}

std::uint64_t SharedSmDriver::num_restoring(KsrId ksr) const {
  std::uint64_t count = 0;
  for (const SharedSm& shared : shared_) {
    for (const ContextMove& move : shared.moves) {
      if (!move.is_save && move.ksr == ksr) count += static_cast<std::uint64_t>(__builtin_popcountll(move.slots));
    }
  }
  return count;
}

}  // namespace tessera::tlm_model
