// SPDX-License-Identifier: Apache-2.0
// Who leaves an SM, and how ([S16] 3.3.3, Algorithm 1): for each thread block the way out that wastes least within the
// latency limit, and of the sets of TBs that would make room the one that wastes least.
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

// What it takes to save contexts of an SM, as far as that can be known beforehand.
struct SwitchPrice {
  spec::SwitchPricing pricing = spec::SwitchPricing::kChannel;
  Cycle stop = 0;  // draining the pipeline and entering the trap
  // channel: the contexts of a set move one after the other, behind what the SM is moving already.
  Cycle waits_for = 0;
  // One context's bytes at the SM's share of the bandwidth take numerator / denominator cycles.
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;

  // Until `num_tbs` contexts of a set are saved, from the command on.
  Cycle latency(std::uint64_t num_tbs) const;
  // For so long each of them stands still, one way.
  Cycle stall(std::uint64_t num_tbs) const;
};

struct Rules {
  spec::ChimeraMix mix = spec::ChimeraMix::kTb;
  bool counts_idle_slots = false;  // Chimera: slots that are free before the last TB has gone cost something
};

struct ExitPlan {
  std::uint32_t slot = 0;
  Exit exit = Exit::kDrain;
  Cycle latency = 0;           // the estimate
  std::uint64_t wasted = 0;    // instructions: flush: what was executed; switch: 2 x stall x IPC; drain: none
  std::uint64_t executed = 0;  // instructions
};

// What a set costs.
struct SetCost {
  Cycle latency = 0;         // until the last of its TBs has gone
  std::uint64_t wasted = 0;  // by those that are not leaving already
  std::uint64_t cost = 0;    // wasted, and idle slots where these count
  bool meets_limit = false;
};

// Steps 21 to 26: the least cost among those that meet the limit; if none does, the least latency. At a tie the other
// of both.
bool is_better(const SetCost& a, const SetCost& b);

// What becomes of its TBs.
struct SetPlan : SetCost {
  std::uint64_t slots = 0;      // who must be gone, those that are leaving already among them
  std::vector<ExitPlan> exits;  // of the others, by slot
};

// The room that is left for one more TB of the guest beside its registers and shared memory: [S16] forgets threads and
// slots.
struct Spare {
  std::int64_t threads = 0;  // free once all that are leaving have gone, and all that were promised have come
  std::int64_t slots = 0;
  std::int64_t threads_now = 0;  // free now, less what was promised
  std::int64_t slots_now = 0;
};

// The TBs of an SM, and what is asked of them. Slots are below 64.
class VictimPlanner {
 public:
  VictimPlanner(std::vector<TbStatus> tbs, Cycle limit, const SwitchPrice& price, const Rules& rules);

  const TbStatus& tb(std::uint32_t slot) const { return tbs_[by_slot_[slot]]; }

  // Steps 1 to 20 of Algorithm 1 for the TBs of `slots`.
  SetCost cost(std::uint64_t slots) const;
  SetPlan plan(std::uint64_t slots) const;

  // `slots` and the cheapest further TBs until a TB of the guest has its threads and its slot; those that are leaving
  // are in it where it has to wait for them, the first to go first. `threads_of_tb`: of each TB here. None: there are
  // not enough.
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
  std::array<std::uint8_t, 64> by_slot_{};  // where they stand
};

}  // namespace tessera::preemption
