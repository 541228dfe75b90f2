// SPDX-License-Identifier: Apache-2.0
// Interface of a scheduler core in the clocked part of the machine: the SystemC core, the Verilog core, or both in
// lockstep.
#pragma once

#include <systemc>

#include "model/base/time.h"
#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/interfaces/scheduler_factory.h"

namespace tessera::rtl_model {

// Order in a cycle: comb_outputs, inputs are driven, comb_inputs, seq_all, is_idle. An idle core is not called until an
// input is valid; its outputs stay those of its last comb_outputs.
class ISchedulerCore {
 public:
  virtual ~ISchedulerCore() = default;

  // Pins of this cycle. The references stay valid for the core's lifetime, since modules are wired to them.
  virtual const SchedulerOutputs& outputs() const = 0;
  // After comb_inputs: what the edge at the end of this cycle will show on kernel_done, usage and events.
  virtual const KernelDonePins& kernel_done_d() const = 0;
  virtual const UsagePins& usage_d() const = 0;
  virtual const EventPins& events_d() const = 0;
  virtual bool has_events_d() const = 0;  // on any of these

  // Called when one process drives everything. `comb_outputs` reads registers, `comb_inputs` also inputs.
  virtual void comb_outputs() = 0;
  virtual void comb_inputs() = 0;
  virtual void seq_all() = 0;
  virtual bool is_idle() = 0;  // value of idle_o in the next cycle
  // After a cycle: runs ahead without inputs, for at most `limit` cycles, as long as nothing is visible outside.
  // `event_waits`: an SM presents an event. Returns the number of cycles; 0 is always allowed.
  virtual Cycle run_quietly(Cycle limit, bool event_waits) = 0;

  // Binds the clock that drives everything. Call before the end of elaboration.
  virtual void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) = 0;

  // The registers of one edge: the last, or (after comb_inputs, if the core takes its inputs there) the coming one.
  // Reuse a snapshot to avoid allocations.
  virtual void read(CoreSnapshot& snapshot) = 0;
  // The same; may omit the handles in the PTBQ.
  virtual void read_tables(CoreSnapshot& snapshot) { read(snapshot); }
  virtual void list_signals(ISignalSink& signals) const = 0;
};

}  // namespace tessera::rtl_model
