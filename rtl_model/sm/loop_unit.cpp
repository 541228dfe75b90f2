// SPDX-License-Identifier: Apache-2.0
// A loop's way through its slot. All is worked out in the next values of the registers, the lowest slot first.
#include "rtl_model/sm/loop_unit.h"

#include <algorithm>

namespace tessera::rtl_model {

LoopUnit::LoopUnit(std::uint32_t sm, std::uint32_t num_slots, LoopMemory& memory, MemoryChannel& channel,
                   ISmObserver& observer)
    : sm_(sm), memory_(memory), channel_(channel), observer_(observer), slots_d_(num_slots), slots_q_(num_slots) {}

void LoopUnit::set_up(const Launch& launch) {
  loops_ = launch.loops;
  context_ = launch.context;
}

// ---- a cycle -------------------------------------------------------------------------------------------------

void LoopUnit::comb(Cycle now, bool freezes) {
  endings_.clear();
  if (memory_.is_killed(context_, loops_->number)) return kill_all(now);
  const bool is_moved = is_moving_q_ && channel_.end_of(channel_.loop_port(sm_)) <= now;
  if (is_moved) finish_move(now);
  for (std::uint32_t slot = 0; slot < slots_d_.size(); ++slot) advance(slot, now);
  freezes ? withdraw_moves(now) : start_move(now);
}

void LoopUnit::issue(std::uint32_t slot, std::uint32_t tb, Cycle start, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  loop = {};
  // Behind a link, the slot may be that of a thread block whose end is taken in this very cycle.
  const auto is_of_slot = [slot](const Ending& ending) { return ending.slot == slot; };
  endings_.erase(std::remove_if(endings_.begin(), endings_.end(), is_of_slot), endings_.end());
  if (memory_.is_killed(context_, loops_->number)) return endings_.push_back({slot, start + 1});
  loop.phase = Phase::kStarting;
  loop.tb = tb;
  loop.due = start;
  advance(slot, now);
  start_move(now);
}

void LoopUnit::resume(std::uint32_t slot, const LoopRegisters& saved, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  loop = saved;
  hear(loop);
  const bool is_at_work = loop.phase == Phase::kExecuting || loop.phase == Phase::kPolling;
  if (is_at_work && loop.position == loops_->program.end()) return look_for_work(loop, now);
  switch (loop.phase) {
    case Phase::kExecuting: {
      const Cycle elapsed = loop.began;
      loop.began = now - elapsed;
      return aim(loop, elapsed);
    }
    case Phase::kReading:
    case Phase::kLeaving:
      return moves_d_.push_back(slot);
    case Phase::kOver:
    case Phase::kStarting:
    case Phase::kPolling:
      return;
  }
}

void LoopUnit::seq() {
  slots_q_ = slots_d_;
  moves_q_ = moves_d_;
  is_moving_q_ = is_moving_d_;
}

LoopRegisters LoopUnit::freeze(std::uint32_t slot, Cycle now) {
  LoopRegisters saved = slots_q_[slot];
  if (saved.phase == Phase::kExecuting) saved.began = now - saved.began;
  slots_d_[slot] = slots_q_[slot] = {};
  return saved;
}

// ---- loops ---------------------------------------------------------------------------------------------------

// What is there for a loop to do in this cycle.
void LoopUnit::advance(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  hear(loop);
  switch (loop.phase) {
    case Phase::kStarting:
      if (loop.due <= now) begin(slot, now);
      return;
    case Phase::kExecuting:
      if (!loop.is_told && is_told()) aim(loop, now - loop.began);
      if (loop.due <= now) reached(slot, now);
      return;
    case Phase::kPolling:
      return go_on(slot, now);
    case Phase::kOver:
    case Phase::kReading:
    case Phase::kLeaving:
      return;
  }
}

// Its I/O is done.
void LoopUnit::hear(LoopRegisters& loop) const {
  if (!loop.awaits_io || !memory_.is_io_done(context_, loop.tb)) return;
  loop.awaits_io = false;
  ++loop.position;
}

void LoopUnit::begin(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  loop.due = kNever;
  if (loops_->is_relaunch) {
    loop.phase = Phase::kReading;
    return moves_d_.push_back(slot);
  }
  observer_.loop_resumed(sm_, slot, loop.tb, 0, 0, now);
  execute(slot, now);
}

void LoopUnit::go_on(std::uint32_t slot, Cycle now) {
  slots_d_[slot].awaits_io ? wait_for_io(slot) : execute(slot, now);
}

void LoopUnit::execute(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  loop.phase = Phase::kExecuting;
  loop.began = now;
  aim(loop, 0);
  if (loop.due <= now) reached(slot, now);
}

// The flag is looked at where a callback has ended: a loop that has just begun executes one first.
void LoopUnit::aim(LoopRegisters& loop, Cycle elapsed) {
  const cooperative::LoopProgram& program = loops_->program;
  const std::uint64_t factor = cooperative::loop_factor_ppm(loops_->key, loop.tb, loops_->spread_ppm);
  loop.is_told = is_told();
  const cooperative::Stretch stretch = loop.is_told
                                           ? program.boundary(loop.position, std::max<Cycle>(1, elapsed), factor)
                                           : program.stretch(loop.position, factor);
  loop.target = stretch.end;
  loop.due = std::min(loop.began + std::max(stretch.cycles, elapsed), kNever);
}

void LoopUnit::reached(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  loop.position = loop.target;
  loop.due = kNever;
  if (loop.position == loops_->program.end()) return end(slot, now);
  if (loops_->program.step(loop.position).is_callback()) return leave(slot);
  ask(slot, now);
  wait_for_io(slot);
}

// The callback has asked before it ended.
void LoopUnit::ask(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  const cooperative::Step& step = loops_->program.step(loop.position);
  loop.awaits_io = true;
  memory_.ask({now, sm_, slot, context_, loop.tb, step});
  observer_.io_requested(sm_, slot, loop.tb, step, now);
}

void LoopUnit::wait_for_io(std::uint32_t slot) {
  if (is_told() || loops_->is_blocking) return leave(slot);
  slots_d_[slot].phase = Phase::kPolling;
}

void LoopUnit::leave(std::uint32_t slot) {
  slots_d_[slot].phase = Phase::kLeaving;
  moves_d_.push_back(slot);
}

void LoopUnit::end(std::uint32_t slot, Cycle now) {
  LoopRegisters& loop = slots_d_[slot];
  memory_.store(context_, loop.tb, {loop.position, false, true});
  observer_.loop_left(sm_, slot, loop.tb, loop.position, 0, now);
  loop = {};
  endings_.push_back({slot, now});
}

// Thread blocks end in the next cycle, or in the one after their start.
void LoopUnit::kill_all(Cycle now) {
  for (std::uint32_t slot = 0; slot < slots_d_.size(); ++slot) {
    LoopRegisters& loop = slots_d_[slot];
    if (loop.phase == Phase::kOver) continue;
    const Cycle from = loop.phase == Phase::kStarting ? std::max(now, loop.due) : now;
    loop = {};
    endings_.push_back({slot, from + 1});
  }
  withdraw_moves(now);
}

// ---- state ---------------------------------------------------------------------------------------------------

// A loop that was done before has control bits alone.
std::uint64_t LoopUnit::state_bytes(std::uint32_t slot) const {
  const LoopRegisters& loop = slots_d_[slot];
  const bool is_done = loop.phase == Phase::kReading && memory_.state(context_, loop.tb).is_done;
  return cooperative::state_bytes(loops_->slots, loops_->state_bytes_per_slot, is_done);
}

void LoopUnit::finish_move(Cycle now) {
  const std::uint32_t slot = moves_d_.front();
  const std::uint64_t bytes = state_bytes(slot);
  moves_d_.pop_front();
  is_moving_d_ = false;
  channel_.request(channel_.loop_port(sm_), {false, true, 0}, now);
  LoopRegisters& loop = slots_d_[slot];
  if (loop.phase == Phase::kLeaving) {
    hear(loop);
    memory_.store(context_, loop.tb, {loop.position, loop.awaits_io, false});
    observer_.loop_left(sm_, slot, loop.tb, loop.position, bytes, now);
    loop = {};
    return endings_.push_back({slot, now});
  }
  const LoopMemory::State& state = memory_.state(context_, loop.tb);
  loop.position = loop.target = state.position;
  loop.awaits_io = state.awaits_io;
  hear(loop);
  observer_.loop_resumed(sm_, slot, loop.tb, loop.position, bytes, now);
  loop.phase = Phase::kPolling;  // what there is to do, advance() finds
  if (loop.position == loops_->program.end()) look_for_work(loop, now);
}

// And find in a cycle that nothing is left to do.
void LoopUnit::look_for_work(LoopRegisters& loop, Cycle now) const {
  loop.phase = Phase::kExecuting;
  loop.target = loop.position;
  loop.began = now;
  loop.due = now + 1;
  loop.is_told = true;
}

void LoopUnit::start_move(Cycle now) {
  if (is_moving_d_ || moves_d_.empty()) return;
  is_moving_d_ = true;
  channel_.request(channel_.loop_port(sm_), {true, false, state_bytes(moves_d_.front())}, now);
}

void LoopUnit::withdraw_moves(Cycle now) {
  moves_d_.clear();
  if (is_moving_d_) channel_.request(channel_.loop_port(sm_), {false, true, 0}, now);
  is_moving_d_ = false;
}

// ---- outside -------------------------------------------------------------------------------------------------

Cycle LoopUnit::next_activity() const {
  Cycle next = is_moving_q_ ? channel_.end_of(channel_.loop_port(sm_)) : kNever;
  for (const LoopRegisters& loop : slots_q_) next = std::min(next, loop.due);
  return next;
}

void LoopUnit::list_signals(ISignalSink& signals) const {
  signals.enter("u_loop_unit");
  signals.signal("is_moving_q", 1, [this] { return is_moving_q_; });
  signals.signal("num_moves_q", 7, [this] { return moves_q_.size(); });
  for (std::size_t i = 0; i < slots_q_.size(); ++i) {
    const LoopRegisters& loop = slots_q_[i];
    signals.signal(indexed("phase_q", i), 3, [&loop] { return static_cast<std::uint64_t>(loop.phase); });
    signals.signal(indexed("tb_q", i), 32, [&loop] { return loop.tb; });
    signals.signal(indexed("position_q", i), 48, [&loop] { return loop.position; });
    signals.signal(indexed("due_q", i), 48, [&loop] { return loop.due; });
    signals.signal(indexed("awaits_io_q", i), 1, [&loop] { return loop.awaits_io; });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
