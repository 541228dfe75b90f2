// SPDX-License-Identifier: Apache-2.0
// Device memory of event-driven kernels ([G16] 3.2.2, 4.2; docs/concepts/gloop.md): the state of each loop that is not
// on an SM, and the words that host loops and device loops write for each other and poll.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/cooperative/loop_program.h"

namespace tessera::rtl_model {

// The program of an event-driven kernel, stored with its descriptor.
struct LoopDescriptor {
  cooperative::LoopProgram program;
  bool is_blocking = false;
  std::uint32_t slots = 0;
  std::uint64_t state_bytes_per_slot = 0;
  std::uint32_t spread_ppm = 0;
  std::uint64_t key = 0;     // seeds the factor of each thread block's callbacks
  bool is_relaunch = false;  // its loops resume where they stopped
  std::uint64_t number = 0;  // of the launch, among its context's event-driven launches
};

// Registers of a loop in its thread block's slot; a trap saves them with the thread block's context.
struct LoopRegisters {
  enum class Phase : std::uint8_t {
    kOver,      // done, or there is no loop
    kStarting,  // its thread block is on the way
    kReading,   // reads its state
    kExecuting,
    kPolling,  // waits for its I/O
    kLeaving,  // writes its state
  };
  Phase phase = Phase::kOver;
  std::uint32_t tb = 0;
  cooperative::Position position = 0;  // start of the current stretch of callbacks
  cooperative::Position target = 0;    // its end
  Cycle began = 0;                     // when the stretch began; in a saved context: how much of it is over
  Cycle due = kNever;                  // end of the stretch, or start of the thread block
  bool awaits_io = false;              // the step at `position` was requested
  bool is_told = false;                // told to yield, and `target` takes it into account
};

// A word written by the host; visible in memory from the cycle after `stamp` on.
struct HostWord {
  enum class Kind : std::uint8_t { kYield, kIoDone, kKill };
  Kind kind = Kind::kYield;
  std::uint32_t context = 0;
  std::uint64_t value = 0;  // the launch's number; kIoDone: the thread block
  Cycle stamp = 0;
};

// An I/O request written by a loop for the host.
struct IoWord {
  Cycle cycle = 0;
  std::uint32_t sm = 0, slot = 0;
  std::uint32_t context = 0;
  std::uint32_t tb = 0;
  cooperative::Step step;
};

// A context has one event-driven kernel at a time.
class LoopMemory {
 public:
  explicit LoopMemory(std::uint32_t num_contexts) : kernels_(num_contexts) {}

  // ---- the host -------------------------------------------------------------------------------------------------
  void post(const HostWord& word);
  // The SM cycle in which the next word becomes visible; kNever: none pending.
  Cycle next_word() const { return words_.empty() ? kNever : words_.front().stamp + 1; }
  // At the edge before SM cycle `now`: makes the words due by then visible. Returns whether there were any.
  bool take_words(Cycle now);
  // Prepares a launch; a first launch clears the state of earlier kernels.
  void launch(std::uint32_t context, const LoopDescriptor& loops, std::uint32_t num_tbs);
  std::uint32_t loops_left(std::uint32_t context) const { return kernels_[context].loops_left; }  // not done
  // Requests of loops, in any order within a cycle; the reader clears them.
  std::vector<IoWord> requests;

  // ---- loops ----------------------------------------------------------------------------------------------------
  struct State {
    cooperative::Position position = 0;
    bool awaits_io = false;
    bool is_done = false;
  };
  const State& state(std::uint32_t context, std::uint32_t tb) const { return kernels_[context].loops[tb].state; }
  void store(std::uint32_t context, std::uint32_t tb, const State& state);
  bool is_told(std::uint32_t context, std::uint64_t number) const { return kernels_[context].told_number == number; }
  bool is_killed(std::uint32_t context, std::uint64_t number) const {
    return kernels_[context].killed_number == number;
  }
  Cycle told_at(std::uint32_t context) const { return kernels_[context].told_at; }  // since when
  // Whether its last request is done.
  bool is_io_done(std::uint32_t context, std::uint32_t tb) const { return kernels_[context].loops[tb].is_io_done; }
  void ask(const IoWord& io);

 private:
  struct Loop {
    State state;
    bool is_io_done = false;
  };
  struct Kernel {
    std::uint64_t told_number = 0;
    std::uint64_t killed_number = 0;
    Cycle told_at = 0;
    std::uint32_t loops_left = 0;
    std::vector<Loop> loops;  // by thread block
  };
  void write(const HostWord& word);

  std::vector<HostWord> words_;  // not yet visible, by stamp
  std::vector<Kernel> kernels_;  // by context
};

}  // namespace tessera::rtl_model
