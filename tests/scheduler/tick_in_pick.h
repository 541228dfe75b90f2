// SPDX-License-Identifier: Apache-2.0
// An sm_tick in PICK (docs/hardware/timing.md 6.1): that there is a job to issue is told by the flags of PICK, which SM
// it is for by those of FIND, in which no SM is served any more. Directed input for a core that issues in rounds, has
// three SMs or more, and came out of reset; whoever stands behind the pins.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model::test {

template <typename Core>
class TickInPick {
 public:
  using At = std::pair<std::uint64_t, std::uint32_t>;  // a cycle and an SM

  explicit TickInPick(Core& core) : core_(core) {}

  // Cycles, from the PICK of the last event on, and SMs of the fresh TBs that it and the ticks lead to.
  std::vector<At> run() {
    fill();
    // 1. SM 0 gets the last TB, and is behind all others then.
    end_tb(0);
    tick_after(kRound);
    tick_after(kRound);
    // 2. SM 2 has a free slot, and was served; the tick in the PICK of SM 1's event makes it want a TB.
    end_tb(2);
    while (!core_.outputs().sm_event_ready) step({});
    const std::uint64_t pick = now_;
    dispatches_.clear();
    SchedulerInputs in;
    in.sm_event = {true, 1, SmEventKind::kTbDone};
    step(in, true);
    // 3. SM 1 is served in FIND. It is not any more in the FIND of the issue job, whose PICK has the next tick.
    tick_after(kJob - 1);
    for (std::uint64_t i = 0; i < kRound; ++i) step({});
    std::vector<At> dispatches;
    for (const auto& [cycle, sm] : dispatches_) dispatches.emplace_back(cycle - pick, sm);
    return dispatches;
  }

 private:
  static constexpr std::uint64_t kJob = 7;      // PICK to WRITE
  static constexpr std::uint64_t kRound = 200;  // in which every SM gets a TB
  static constexpr std::uint32_t kTbs = 100, kTbsPerSm = 2;

  // A kernel that has all SMs, and fills them.
  void fill() {
    SchedulerInputs in;
    in.command.valid = true;
    in.command.num_tbs = kTbs;
    in.command.tbs_per_sm = kTbsPerSm;
    step(in);
    for (std::uint32_t i = 0; i < 10; ++i) tick_after(kRound);
  }
  void tick_after(std::uint64_t cycles) {
    while (cycles-- > 0) step({});
    step({}, true);
  }
  void end_tb(std::uint32_t sm) {
    SchedulerInputs in;
    in.sm_event = {true, sm, SmEventKind::kTbDone};
    while (!core_.outputs().sm_event_ready) step(in);
    step(in);
  }
  // A cycle. Set-ups are done at once.
  void step(SchedulerInputs in, bool tick = false) {
    in.sm_tick = tick;
    const SchedulerOutputs& out = core_.outputs();
    if (out.dispatch.valid) dispatches_.emplace_back(now_, out.dispatch.sm);
    const bool has_told = !in.sm_event.valid && !set_up_.empty() && out.sm_event_ready;
    if (has_told) {
      in.sm_event = {true, set_up_.front(), SmEventKind::kSetupDone};
      set_up_.pop_front();
    }
    if (out.sm_control.valid) set_up_.push_back(out.sm_control.sm);
    core_.step(in);
    ++now_;
  }

  Core& core_;
  std::uint64_t now_ = 0;
  std::deque<std::uint32_t> set_up_;
  std::vector<At> dispatches_;
};

// PICK of the issue job is 7 cycles after that of the event, its BURST 6 later; the next job's 8 later.
inline const std::vector<std::pair<std::uint64_t, std::uint32_t>> kDispatchesOfTickInPick{{13, 1}, {21, 2}};

}  // namespace tessera::rtl_model::test
