// SPDX-License-Identifier: Apache-2.0
// Which thread blocks leave an SM, and how ([S16] 3.3.3, Algorithm 1): for each thread block the exit that wastes least
// within the latency limit, and, of the sets of TBs that would make room, the one that wastes least.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/preemption/tb_status.h"
#include "model/preemption/victim_sets.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::preemption {

// The predictable cost of saving contexts of an SM.
struct SwitchPrice {
  spec::SwitchPricing pricing = spec::SwitchPricing::kChannel;
  Cycle stop = 0;  // draining the pipeline and entering the trap
  // channel: the contexts of a set move one after the other, after what the SM is already moving.
  Cycle waits_for = 0;
  // One context's bytes at the SM's share of the bandwidth take numerator / denominator cycles.
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;

  // Cycles from the command until `num_tbs` contexts of a set are saved.
  Cycle latency(std::uint64_t num_tbs) const;
  // Cycles for which each of them is stopped, in one direction.
  Cycle stall(std::uint64_t num_tbs) const;
};

struct Rules {
  spec::ChimeraMix mix = spec::ChimeraMix::kTb;
  bool counts_idle_slots = false;  // Chimera: slots that are free before the last TB has left count as cost
};

struct ExitPlan {
  std::uint32_t slot = 0;
  Exit exit = Exit::kDrain;
  Cycle latency = 0;           // the estimate
  std::uint64_t wasted = 0;    // instructions: flush: those executed; switch: 2 x stall x IPC; drain: none
  std::uint64_t executed = 0;  // instructions
};

// The cost of preempting a set of TBs.
struct SetCost {
  Cycle latency = 0;         // until the last of its TBs has left
  std::uint64_t wasted = 0;  // by those that are not leaving already
  std::uint64_t cost = 0;    // wasted, plus idle slots if these count
  bool meets_limit = false;
};

// Steps 21 to 26: the lower cost among those that meet the limit; if neither does, the lower latency. Ties are decided
// by the other of the two.
bool is_better(const SetCost& a, const SetCost& b);

// What happens to the TBs of a set.
struct SetPlan : SetCost {
  std::uint64_t slots = 0;      // of TBs that must leave, including those already leaving
  std::vector<ExitPlan> exits;  // of the others, by slot
};

// The threads and slots available to one more TB of the guest, which [S16] does not consider.
struct Spare {
  std::int64_t threads = 0;  // free once all leaving TBs have left and all promised TBs have arrived
  std::int64_t slots = 0;
  std::int64_t threads_now = 0;  // free now, less what was promised
  std::int64_t slots_now = 0;
};

// Plans exits for the TBs of an SM. Slots are below 64.
class VictimPlanner {
 public:
  VictimPlanner(std::vector<TbStatus> tbs, Cycle limit, const SwitchPrice& price, const Rules& rules);

  const TbStatus& tb(std::uint32_t slot) const { return tbs_[by_slot_[slot]]; }

  // Steps 1 to 20 of Algorithm 1 for the TBs of `slots`.
  SetCost cost(std::uint64_t slots) const;
  SetPlan plan(std::uint64_t slots) const;

  // `slots` plus the cheapest further TBs until a TB of the guest has its threads and its slot. Leaving TBs are
  // included if the guest has to wait for them, in the order in which they leave. `threads_of_tb`: threads per TB here.
  // Empty: there are not enough.
  std::optional<std::uint64_t> extended(std::uint64_t slots, std::uint32_t threads_of_tb,
                                        std::uint32_t threads_of_guest, const Spare& spare) const;

 private:
  using Ways = std::array<Exit, 64>;  // by slot

  std::optional<ExitPlan> exit_plan(const TbStatus& tb, Exit exit, std::uint64_t num_saved) const;
  ExitPlan best_exit(const TbStatus& tb, std::uint64_t num_saved) const;
  Ways ways_out(std::uint64_t slots) const;
  Ways mixed_ways(std::uint64_t slots) const;
  std::uint64_t num_saved(std::uint64_t slots, const Ways& ways) const;
  std::optional<SetCost> cost_of(std::uint64_t slots, const Ways& ways) const;

  std::vector<TbStatus> tbs_;
  Cycle limit_;
  SwitchPrice price_;
  Rules rules_;
  std::uint64_t leaving_ = 0;               // slots
  std::uint64_t flushable_ = 0;             // slots
  std::array<std::uint8_t, 64> by_slot_{};  // index into tbs_
};

}  // namespace tessera::preemption
