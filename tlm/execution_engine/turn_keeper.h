// SPDX-License-Identifier: Apache-2.0
// A kept turn in time (docs/hardware/timing.md 3.12, 7.6): what the rules look at, the timers of slices and of the
// switch, and what the log says of it. The scheduler says when it looks, and does what comes of it.
#pragma once

#include <deque>
#include <vector>

#include "model/base/event_tree.h"
#include "model/policy/kept_turn.h"
#include "model/policy/scheduling_tables.h"
#include "model/record/record_log.h"
#include "model/spec/scheduler_spec.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

// Launches that wait for a command buffer, by buffer.
using OfferedLaunches = std::vector<std::deque<KernelLaunch>>;

class TurnKeeper {
 public:
  // The slice timer and the timer of the switch, as leaves of the tree of timers.
  struct TimerLeaves {
    std::uint32_t slice = 0;
    std::uint32_t switch_over = 0;
  };

  TurnKeeper(SmParts& parts, const ISmDriver& driver, TimerLeaves leaves);

  // Whether the machine can keep a turn, and whether it does under the policy that was written last.
  bool is_on() const { return is_on_; }
  // Null: the turn is not kept.
  const policy::SeenTurn* seen() const { return is_on_ ? &seen_ : nullptr; }
  bool evicts() const { return turn_.evicts(); }
  bool is_tick_waiting() const { return turn_.is_tick_waiting(); }
  // Which technique takes the SMs away.
  spec::TechniqueKind eviction() const;

  // ---- inputs; what they change is seen at the next look
  void set_waiting(ContextId context, bool is_waiting) { waiting_.set(bit(context), is_waiting); }
  void set_listed(ContextId context, bool is_listed) { listed_.set(bit(context), is_listed); }
  void set_slice_end(ContextId context, spec::SliceEnd slice_end) { turn_.set_slice_end(context, slice_end); }
  void policy_written(const spec::SchedulerSpec& scheduler);
  void tick(Cycle now);
  void evicted() { turn_.evicted(); }
  policy::TurnEvents switch_over(Cycle now);
  // One look, in a cycle of the core's clock: first what was found before becomes seen.
  policy::TurnEvents look(const OfferedLaunches& offered, Cycle core);
  // A context has its turn for a cycle at least: it is looked at again in the next one.
  bool has_begun_in(Cycle core) const { return began_at_ == core; }
  // True if something that was found is not seen yet.
  bool has_more() const { return turn_.has_more(); }

 private:
  static std::uint32_t bit(ContextId context) { return static_cast<std::uint32_t>(index(context)); }
  policy::TurnView view(const OfferedLaunches& offered) const;
  void run_slice_timer(bool is_wanted, Cycle core);
  void start_switch(Cycle core);
  void report(const policy::TurnEvents& events, ContextId owner, Cycle core);
  Cycle slice_cycles() const;

  const spec::Spec& spec_;
  const policy::SchedulingTables& tables_;
  const ISmDriver& driver_;
  EventTree& timers_;
  record::RecordLog& log_;
  TimerLeaves leaves_;
  Cycle ratio_;       // cycles of the core's clock in an SM cycle
  Cycle pin_cycles_;  // from what the core does to a timer outside that hears of it
  spec::SchedulerSpec scheduler_;
  policy::KeptTurn turn_;
  policy::SeenTurn seen_;
  policy::ContextSet waiting_;
  policy::ContextSet listed_;
  bool is_on_ = false;
  Cycle passed_at_ = kNever;       // SM cycle of the last pass
  Cycle switch_over_at_ = kNever;  // core cycle
  Cycle began_at_ = kNever;        // core cycle
};

}  // namespace tessera::tlm_model
