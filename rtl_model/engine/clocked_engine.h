// SPDX-License-Identifier: Apache-2.0
// The clocked half of the machine: scheduler, SMs, networks, memory channel, slice timer, and their wires. Driven by
// calls of cycle(), which evaluates what may change and nothing else; or by a clock with a process per module.
#pragma once

#include <deque>
#include <functional>

#include "model/base/event_tree.h"
#include "rtl_model/engine/slice_timer.h"
#include "rtl_model/interfaces/i_scheduler_core.h"
#include "rtl_model/sm/sm_networks.h"

namespace tessera::rtl_model {

// Who drives the command and control pins.
class IStimulus {
 public:
  virtual ~IStimulus() = default;
  // Sets the pins for this core cycle.
  virtual void drive(SchedulerInputs& inputs, const SchedulerOutputs& outputs, const ClockCount& clock) = 0;
  // After an edge: the SM cycle in which it has something to drive; one that has begun means the next core cycle.
  virtual Cycle next_activity(const SchedulerOutputs& outputs) const = 0;
};

// Who watches pins and registers, when all of a cycle have settled.
class IWatcher {
 public:
  virtual ~IWatcher() = default;
  // False: only cycles in which a command, a control write or an event of the scheduler is on the pins, and the cycle
  // after. True: every cycle that is evaluated.
  virtual bool wants_every_cycle() const = 0;
  virtual void watch(const ClockCount& clock) = 0;
};

class ClockedEngine final : public sc_core::sc_module {
 public:
  // `make_scheduler`: another core than TsrScheduler.
  ClockedEngine(const sc_core::sc_module_name& name, const spec::Spec& spec, LaunchTable& launches,
                ISmObserver& observer, IStimulus& stimulus, const SchedulerFactory& make_scheduler = {});
  ~ClockedEngine() override;
  void add_watcher(IWatcher* watcher);

  // ---- one process drives all -----------------------------------------------------------------------------------
  // The next core cycle in which something may change; kNever: none until the stimulus has more to drive.
  Cycle next_cycle() const { return next_cycle_; }
  void cycle(Cycle core_cycle);
  // After cycle(): walks on as long as nothing but the policy's search moves, up to `limit`, unless somebody watches
  // every cycle.
  void walk_on(Cycle limit);
  // The stimulus has got something new to drive.
  void stimulus_changed();
  std::uint64_t num_cycles_evaluated() const { return num_cycles_; }

  // ---- a clock drives all ---------------------------------------------------------------------------------------
  // Before the end of elaboration. A rising edge ends a core cycle; cycle 0 starts with the simulation.
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock);

  const Params& params() const { return params_; }
  const ClockCount& clock() const { return clock_; }
  const SchedulerInputs& inputs() const { return in_; }
  ISchedulerCore& scheduler() const { return *u_tsr_scheduler_; }
  LaunchTable& launches() { return launches_; }
  // In this cycle: else the scheduler's pins are at rest.
  bool is_core_active() const { return is_core_active_; }
  void list_signals(ISignalSink& signals) const;
  void list_surroundings(ISignalSink& signals) const;  // of the scheduler: all signals but its own

 private:
  // Counts cycles, and lets stimulus and watchers take part, where a clock drives all.
  class Sequencer;

  void set_cycle(Cycle core_cycle);
  void settle_sms();
  void drive_inputs();
  void show_watchers();
  void evaluate(std::uint32_t sm);
  void clock_edge();
  void note_next(std::uint32_t sm);
  void schedule();
  Cycle next_of_others() const;
  bool are_networks_busy() const;

  Params params_;
  ClockCount clock_;
  SchedulerInputs in_;
  SmGrants grants_;
  LaunchTable& launches_;
  ContextStore contexts_;
  IStimulus& stimulus_;
  std::vector<IWatcher*> watchers_;

  std::unique_ptr<ISchedulerCore> u_tsr_scheduler_;
  const SchedulerOutputs& out_;  // of the scheduler
  MemoryChannel u_memory_channel_;
  SmNetworks u_sm_networks_;
  SliceTimer u_slice_timer_;
  std::deque<Sm> u_sms_;
  std::unique_ptr<Sequencer> u_sequencer_;

  // One process drives all: who has something to do when.
  EventTree due_;             // by SM, in SM cycles
  SmSet hot_;                 // SMs that are evaluated in the next core cycle
  SmSet touched_;             // in this cycle
  bool is_core_idle_ = true;  // its registers and outputs rest until an input comes
  bool is_core_active_ = true;
  Cycle next_cycle_ = 0;
  std::uint64_t num_cycles_ = 0;
  bool watches_every_cycle_ = false;
  bool was_eventful_ = false;  // the last cycle
  Cycle stimulus_due_ = 0;     // the SM cycle in which the stimulus has something to drive
};

}  // namespace tessera::rtl_model
