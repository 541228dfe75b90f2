// SPDX-License-Identifier: Apache-2.0
// The device event loops of an SM ([G16] 3.2.2; docs/concepts/gloop.md, docs/hardware/timing.md 7.4): registers of the
// loop in each slot, and one mover that writes and reads their state through the memory channel. Callbacks are not
// simulated: the end of a stretch of them is computed when it begins, and again when the kernel is told to yield.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/i_sm_observer.h"
#include "rtl_model/launch_table.h"
#include "rtl_model/memory/loop_memory.h"
#include "rtl_model/memory/memory_channel.h"

namespace tessera::rtl_model {

class LoopUnit {
 public:
  // A thread block ends in cycle `at`, which is this one or the next.
  struct Ending {
    std::uint32_t slot = 0;
    Cycle at = 0;
  };
  LoopUnit(std::uint32_t sm, std::uint32_t num_slots, LoopMemory& memory, MemoryChannel& channel,
           ISmObserver& observer);

  // ---- called in a cycle in this order
  // -------------------------------------------------------------------------------- A restored thread block resumes;
  // its loop may already be over except for the last cycle.
  void resume(std::uint32_t slot, const LoopRegisters& saved, Cycle now);
  // `freezes`: everything that is not over stops at the end of the cycle.
  void comb(Cycle now, bool freezes);
  // A fresh thread block was sent to the slot.
  void issue(std::uint32_t slot, std::uint32_t tb, Cycle start, Cycle now);
  // Endings of this cycle, valid until the next comb().
  const std::vector<Ending>& endings() const { return endings_; }

  // ---- at the edge ----------------------------------------------------------------------------------------------
  void seq();
  // After seq(): returns the registers for the context and empties the slot.
  LoopRegisters freeze(std::uint32_t slot, Cycle now);
  void set_up(const Launch& launch);

  // Whether its kernel has loops.
  bool is_on() const { return loops_ != nullptr; }
  // After an edge: the SM cycle of its next activity without input; kNever: none.
  Cycle next_activity() const;

  void list_signals(ISignalSink& signals) const;

 private:
  using Phase = LoopRegisters::Phase;

  std::uint64_t state_bytes(std::uint32_t slot) const;
  void finish_move(Cycle now);
  void advance(std::uint32_t slot, Cycle now);
  void hear(LoopRegisters& loop) const;
  void begin(std::uint32_t slot, Cycle now);
  void look_for_work(LoopRegisters& loop, Cycle now) const;
  void go_on(std::uint32_t slot, Cycle now);
  void execute(std::uint32_t slot, Cycle now);
  void aim(LoopRegisters& loop, Cycle elapsed);
  void reached(std::uint32_t slot, Cycle now);
  void ask(std::uint32_t slot, Cycle now);
  void wait_for_io(std::uint32_t slot);
  void leave(std::uint32_t slot);
  void end(std::uint32_t slot, Cycle now);
  void kill_all(Cycle now);
  void start_move(Cycle now);
  void withdraw_moves(Cycle now);
  bool is_told() const { return memory_.is_told(context_, loops_->number); }

  std::uint32_t sm_;
  LoopMemory& memory_;
  MemoryChannel& channel_;
  ISmObserver& observer_;

  // From the descriptor, at set-up.
  std::shared_ptr<const LoopDescriptor> loops_;
  std::uint32_t context_ = 0;

  // Registers, and their next values.
  std::vector<LoopRegisters> slots_d_, slots_q_;
  std::deque<std::uint32_t> moves_d_, moves_q_;  // slots whose state must be moved; the first uses the channel
  bool is_moving_d_ = false, is_moving_q_ = false;

  // Wires.
  std::vector<Ending> endings_;
};

}  // namespace tessera::rtl_model
