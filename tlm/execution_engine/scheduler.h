// SPDX-License-Identifier: Apache-2.0
// The scheduling framework with its timing: kernels enter command buffers and the active queue, the policy's searches
// take cycles, and its moves go to the SM driver ([T14] 3.3, 3.4).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "model/base/event_tree.h"
#include "model/policy/policy.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/policies.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"
#include "tlm/execution_engine/turn_keeper.h"

namespace tessera::tlm_model {

class Scheduler {
 public:
  // The scheduler's timers, as leaves of the tree of timers.
  struct TimerLeaves {
    std::uint32_t step = 0;         // the policy's next search or activation is over
    std::uint32_t policy = 0;       // the policy's own periodic timer
    std::uint32_t linger = 0;       // the hold-off of released SMs is over
    std::uint32_t turn = 0;         // a kept turn is to be looked at
    std::uint32_t switch_over = 0;  // the GPU has been handed to another context
  };

  Scheduler(SmParts& parts, ISmDriver& driver, TimerLeaves leaves);
  virtual ~Scheduler() = default;

  // Input from the dispatcher and the OS.
  virtual void offer(const KernelLaunch& launch, Cycle now);
  void set_priority(ContextId context, std::uint32_t priority, Cycle now);
  void set_tokens(ContextId context, std::uint32_t tokens, Cycle now);
  void set_partition(SmId sm, PartitionId partition, Cycle now);
  void set_mask(PartitionId partition, const SmSet& sms, Cycle now);
  void set_policy(const spec::SchedulerSpec& scheduler, Cycle now);
  // Inputs of a kept turn.
  void set_waiting(ContextId context, bool is_waiting, Cycle now);
  void set_listed(ContextId context, bool is_listed, Cycle now);
  void set_slice_end(ContextId context, spec::SliceEnd slice_end) { turn_.set_slice_end(context, slice_end); }

  // Runs the policy: starts an invocation, unless one is under way, which then sees the event.
  virtual void invoke(Cycle now);
  virtual void invoked_by_driver(Cycle now) { invoke(now); }
  virtual void step_due(Cycle now);
  void policy_timer_fired(Cycle now);
  void linger_timer_fired(Cycle now);
  void switch_timer_fired(Cycle now);
  virtual void turn_due(Cycle now);
  // Called after every event.
  virtual void settled(Cycle now);
  void kernel_finished(KsrId ksr, Cycle now);
  // Moves offered kernels into command buffers that have become free.
  virtual void refill_command_buffers(Cycle now);
  // A kernel has left an SM or has finished: the hold-off begins.
  void start_linger_timer(Cycle now);
  // Called after all messages of a cycle.
  virtual void messages_delivered(Cycle) {}
  bool has_refill_pending() const { return has_refill_pending_; }

  // Checks that tokens agree with owners, and that between invocations nothing is left undone.
  void check_steady_state();

 protected:
  enum class Step { kNone, kActivation, kSearch };

  // Whose tokens a register write redistributes: none, one context's, or all kernels'.
  enum class Deals { kNone, kContext, kAll };
  virtual void register_written(Deals deals, Cycle now);
  virtual void timer_ticked(Cycle now);
  // Something that a kept turn looks at has come: a command, an input, a tick.
  virtual void look_at_turn_after(Cycle now);
  void act_on(const policy::TurnEvents& events, Cycle now);
  virtual Cycle linger_begins(Cycle now) const { return now; }

  bool keeps_sms() const;
  bool is_partitioned() const { return spec::is_partitioned(scheduler_); }
  void begin_step(Cycle now);
  Cycle sm_cycles_of(Cycle core_cycles);
  void activate_next(Cycle now);
  void activate(CommandBufferId buffer, Cycle now);
  void note_invoked(Cycle at, Cycle now);
  void note_decided(Cycle now);
  void note_withheld_sms(Cycle now);
  void search_done(Cycle now);
  void carry_out(const policy::Decision& decision, Cycle now);
  void assign(const policy::Decision& decision, Cycle now);
  void accept(CommandBufferId buffer, const KernelLaunch& launch, Cycle now);
  void update_policy_timer(Cycle now);
  std::unique_ptr<policy::IPolicy> make_policy(const spec::SchedulerSpec& scheduler) const;
  policy::PolicyConfig config_of(const spec::SchedulerSpec& scheduler) const;
  Cycle time_slice_cycles() const;
  CommandBufferId buffer_of(ContextId context) const;
  record::Record about(record::Kind kind, LaunchId id, const KernelLaunch& launch, Cycle now) const;
  void check_starvation() const;

  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  SmArray& array_;
  ISmDriver& driver_;
  EventTree& timers_;
  TimerLeaves leaves_;
  record::RecordLog& log_;
  record::InvariantMonitor* monitor_;
  spec::SchedulerSpec scheduler_;
  TurnKeeper turn_;
  std::unique_ptr<policy::IPolicy> policy_;
  // In core cycles: a walk over the tables; moving a kernel from its command buffer to the active queue.
  Cycle search_cycles_;
  Cycle activation_cycles_;
  bool makes_sets_;  // a technique that chooses victims makes candidate sets in a search of their own

  Step step_ = Step::kNone;
  bool has_made_sets_ = false;  // in the current step
  Cycle core_cycles_over_ = 0;  // core cycles of the current decision since the last SM cycle began
  Cycle invoked_at_ = 0;
  Cycle until_first_move_ = 0;    // cycles to the first move of this invocation; 0: none yet
  bool is_any_withheld_ = false;  // whether an SM was withheld since the last decision

  struct Waiting {
    LaunchId id{};
    KernelLaunch launch;
  };
  std::vector<Waiting> in_buffer_;  // by command buffer
  OfferedLaunches offered_;         // not yet accepted, at most one per queue
  bool has_refill_pending_ = false;
  std::uint32_t next_launch_ = 0;
  std::uint64_t next_arrival_ = 0;
  std::uint64_t checked_moves_ = 0;
  std::uint64_t moves_at_last_look_ = 0;  // at the turn
  bool has_just_looked_ = false;          // and seen all that there is
};

}  // namespace tessera::tlm_model
