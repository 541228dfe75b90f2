// SPDX-License-Identifier: Apache-2.0
// What the clocked half of the machine needs of a scheduler core, whichever stands behind the pins: the SystemC one,
// the Verilog one, or both beside each other.
#pragma once

#include <systemc>

#include "model/base/time.h"
#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/interfaces/scheduler_factory.h"

namespace tessera::rtl_model {

// In a cycle: comb_outputs, then inputs are driven, comb_inputs, seq_all, is_idle. A core that is idle is left alone
// until an input is valid; its outputs are those of its last comb_outputs.
class ISchedulerCore {
 public:
  virtual ~ISchedulerCore() = default;

  // Pins of this cycle. The objects stay where they are as long as the core lives: modules are wired to them.
  virtual const SchedulerOutputs& outputs() const = 0;
  // After comb_inputs: what the edge at the end of this cycle will show on kernel_done and events.
  virtual const KernelDonePins& kernel_done_d() const = 0;
  virtual const EventPins& events_d() const = 0;
  virtual bool has_events_d() const = 0;  // on either

  // For one process that drives all. `comb_outputs` looks at registers, `comb_inputs` at inputs too.
  virtual void comb_outputs() = 0;
  virtual void comb_inputs() = 0;
  virtual void seq_all() = 0;
  virtual bool is_idle() = 0;  // as idle_o will be in the next cycle
  // After a cycle: runs on without inputs, for `limit` cycles at most, as long as nobody outside can tell.
  // `event_waits`: an SM shows an event. Returns the number of cycles; a core may always say 0.
  virtual Cycle run_quietly(Cycle limit, bool event_waits) = 0;

  // Before the end of elaboration: a clock drives all.
  virtual void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) = 0;

  // The registers of one edge: the last, or (after comb_inputs, where a core takes its inputs there) the coming one.
  // A snapshot that is used again saves the work of making one.
  virtual void read(CoreSnapshot& snapshot) = 0;
  // The same, perhaps without the handles in the PTBQ.
  virtual void read_tables(CoreSnapshot& snapshot) { read(snapshot); }
  virtual void list_signals(ISignalSink& signals) const = 0;
};

}  // namespace tessera::rtl_model
