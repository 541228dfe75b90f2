// SPDX-License-Identifier: Apache-2.0
// Observers of the clocked part, and what they can read.
#pragma once

#include "rtl_model/interfaces/i_scheduler_core.h"
#include "rtl_model/launch_table.h"

namespace tessera::rtl_model {

// Called when all pins and registers of a cycle have settled.
class IWatcher {
 public:
  virtual ~IWatcher() = default;
  // False: only cycles with a command, a control write or an event of the scheduler on the pins, and the cycle after.
  // True: every evaluated cycle.
  virtual bool wants_every_cycle() const = 0;
  virtual void watch(const ClockCount& clock) = 0;
};

// The engine as watchers see it.
class IWatchedEngine {
 public:
  virtual ~IWatchedEngine() = default;
  virtual const Params& params() const = 0;
  virtual const ClockCount& clock() const = 0;
  virtual const SchedulerInputs& inputs() const = 0;
  virtual ISchedulerCore& scheduler() const = 0;
  virtual const LaunchTable& launches() const = 0;
  virtual const LoopMemory& loop_memory() const = 0;
  // False: the scheduler's pins do not change in this cycle.
  virtual bool is_core_active() const = 0;
  // The next core cycle in which something may change; kNever: none until the stimulus has more to drive.
  virtual Cycle next_cycle() const = 0;
  virtual void list_signals(ISignalSink& signals) const = 0;
  virtual void list_surroundings(ISignalSink& signals) const = 0;  // all signals except the scheduler's
};

}  // namespace tessera::rtl_model
