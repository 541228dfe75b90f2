// SPDX-License-Identifier: Apache-2.0
// The clocked part of the machine: scheduler, SMs, networks, memory channel, timers, and their wires. Driven by calls
// of cycle(), which evaluates only what may change; or by a clock with one process per module.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "model/base/event_tree.h"
#include "rtl_model/engine/linger_timer.h"
#include "rtl_model/engine/slice_timer.h"
#include "rtl_model/engine/sm_links.h"
#include "rtl_model/engine/switch_timer.h"
#include "rtl_model/engine/usage_counter.h"
#include "rtl_model/interfaces/i_stimulus.h"
#include "rtl_model/interfaces/i_watcher.h"
#include "rtl_model/sm/sm.h"
#include "rtl_model/sm/sm_networks.h"

namespace tessera::rtl_model {

class ClockedEngine final : public sc_core::sc_module, public IWatchedEngine {
 public:
  // `make_scheduler` supplies a core other than TsrScheduler.
  ClockedEngine(const sc_core::sc_module_name& name, const spec::Spec& spec, LaunchTable& launches, LoopMemory& loops,
                ISmObserver& observer, IStimulus& stimulus, const SchedulerFactory& make_scheduler = {});
  ~ClockedEngine() override;
  void add_watcher(IWatcher* watcher);

  // ---- one process drives all -----------------------------------------------------------------------------------
  Cycle next_cycle() const override { return next_cycle_; }
  void cycle(Cycle core_cycle);
  // After cycle(): lets the scheduler run ahead, up to `limit`, as long as nothing is visible outside. Does nothing if
  // a watcher wants every cycle.
  void run_on(Cycle limit);
  // The stimulus has something new to drive.
  void stimulus_changed();
  // A word from the host to the loops has been posted.
  void word_posted() { schedule(); }
  std::uint64_t num_cycles_evaluated() const { return num_cycles_; }

  // ---- a clock drives all ---------------------------------------------------------------------------------------
  // Call before the end of elaboration. A rising edge ends a core cycle; cycle 0 starts with the simulation.
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock);

  const Params& params() const override { return params_; }
  const ClockCount& clock() const override { return clock_; }
  const SchedulerInputs& inputs() const override { return in_; }
  ISchedulerCore& scheduler() const override { return *u_tsr_scheduler_; }
  const LaunchTable& launches() const override { return launches_; }
  const LoopMemory& loop_memory() const override { return loops_; }
  bool is_core_active() const override { return is_core_active_; }
  // SM cycles that a context has used before SM cycle `now`.
  std::uint64_t sm_cycles(ContextId context, Cycle now) const { return u_usage_counter_.sm_cycles(context, now); }
  void list_signals(ISignalSink& signals) const override;
  void list_surroundings(ISignalSink& signals) const override;

 private:
  // With a clock: counts cycles and calls stimulus and watchers.
  class Sequencer;

  void make_sms();
  void boot();
  void set_cycle(Cycle core_cycle);
  void take_words();
  void settle_sms();
  void settle_links();
  void drive_inputs();
  void send_to_sms();
  void report_stop();
  void show_watchers();
  void evaluate(std::uint32_t sm);
  void clock_edge();
  void note_next(std::uint32_t index);
  void note_next_of_link(std::uint32_t sm);
  void schedule();
  Cycle next_of_others() const;
  bool are_networks_busy() const;

  Params params_;
  ClockCount clock_;
  SchedulerInputs in_;
  SmGrants grants_;
  LaunchTable& launches_;
  LoopMemory& loops_;
  ContextStore contexts_;
  ISmObserver& observer_;
  IStimulus& stimulus_;
  std::vector<IWatcher*> watchers_;

  std::unique_ptr<ISchedulerCore> u_tsr_scheduler_;
  const SchedulerOutputs& out_;  // of the scheduler
  MemoryChannel u_memory_channel_;
  SmNetworks u_sm_networks_;
  SliceTimer u_slice_timer_;
  LingerTimer u_linger_timer_;
  SwitchTimer u_switch_timer_;
  UsageCounter u_usage_counter_;
  SmLinks u_links_;
  std::vector<std::unique_ptr<Sm>> u_sms_;
  std::unique_ptr<Sequencer> u_sequencer_;

  // With one process: which modules have work, and when.
  EventTree due_;             // by SM, in SM cycles
  SmSet hot_;                 // SMs that are evaluated in the next core cycle
  SmSet touched_;             // SMs changed in this cycle
  bool is_core_idle_ = true;  // its registers and outputs do not change until an input arrives
  bool is_core_active_ = true;
  Cycle next_cycle_ = 0;
  std::uint64_t num_cycles_ = 0;
  bool watches_every_cycle_ = false;
  bool was_eventful_ = false;  // the last cycle
  Cycle stimulus_due_ = 0;     // the SM cycle in which the stimulus has something to drive
};

}  // namespace tessera::rtl_model
