// SPDX-License-Identifier: Apache-2.0
// An SM as its core sees it over the pins (docs/hardware/timing.md 7 in spirit): random durations, everything else by
// the rules. It throws Fault for a command that breaks docs/hardware/timing.md 3.4.
#pragma once

#include <optional>
#include <vector>

#include "testbench/random.h"
#include "tests/scheduler/ledger.h"

namespace tessera::rtl_model::test {

using testbench::Random;
using testbench::Range;

struct SmLatencies {
  Range set_up{1, 20}, duration{1, 60}, drain{1, 10}, entry{0, 10}, restore{1, 20};
};

class SmModel {
 public:
  SmModel(Ledger& ledger, const SmLatencies& latencies, Random& random, std::uint32_t num_slots)
      : ledger_(ledger), latencies_(latencies), random_(random), slots_(num_slots) {}

  // What it shows in this cycle.
  std::optional<SmEventKind> event() const;
  std::uint32_t tag() const { return tag_; }  // of a set-up done
  std::optional<HandlePins> handle() const;   // but for the SM's index
  bool is_last_handle() const { return handles_left() == 1; }
  // Neither will show anything by itself, nor has it anything on its way.
  bool is_at_rest() const;

  // What happens in the cycle; then its edge.
  void event_taken(SmEventKind kind);
  void handle_taken();
  void set_up(const SmControlPins& pins);
  void stop(SmControlKind command);
  void dispatch(const DispatchPins& pins);
  void clock_edge();

  std::uint32_t num_resident() const;

 private:
  enum class State : std::uint8_t { kIdle, kSettingUp, kRunning, kDraining, kEntering, kSaving };
  enum class SlotState : std::uint8_t { kFree, kRunning, kFinished, kRestoring, kFrozen, kSaved };
  struct Slot {
    SlotState state = SlotState::kFree;
    std::uint32_t tb = 0;
    std::uint32_t cycles_left = 0;
    std::uint32_t stack_pointer = 0;
  };

  std::uint32_t count(SlotState state) const;
  Slot* lowest(SlotState state);
  const Slot* lowest(SlotState state) const { return const_cast<SmModel*>(this)->lowest(state); }
  std::uint32_t handles_left() const { return state_ == State::kSaving ? count(SlotState::kFrozen) : 0; }
  Tb& tb(std::uint32_t index);
  void freeze();
  void restored();
  void advance_tbs();

  Ledger& ledger_;
  const SmLatencies& latencies_;
  Random& random_;
  std::vector<Slot> slots_;
  State state_ = State::kIdle;
  bool is_flushing_ = false;       // some of what it stops needs no context
  std::uint64_t cycles_left_ = 0;  // in the state
  std::uint32_t tag_ = 0;          // of the last set-up
  std::uint64_t descriptor_ = 0;   // of the kernel it is set up for
  bool awaits_restore_ = false;    // a batch is coming in, or has, and its event was not taken
  bool is_batch_open_ = false;     // its last handle has not come yet
  std::uint64_t restore_left_ = 0;
  std::uint64_t restore_hidden_ = 0;  // from its end to its event
};

}  // namespace tessera::rtl_model::test
