// SPDX-License-Identifier: Apache-2.0
// The Verilog core without our co-simulation, on inputs that were recorded: a bare loop of eval(), and Verilator's own
// SystemC module on an sc_clock.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::bench {

// Inputs of a core with the parameters that tsr_scheduler.v has of itself, from reset on.
struct Stimulus {
  struct At {
    Cycle cycle = 0;
    rtl_model::SchedulerInputs inputs;
  };
  std::vector<At> busy;  // in order; in other cycles nothing is valid
  Cycle cycles = 0;
  std::uint64_t num_dispatches = 0;  // what the core made of it
};

struct LoopResult {
  double seconds = 0;
  std::uint64_t num_dispatches = 0;
};
LoopResult eval_loop(const Stimulus& stimulus);
LoopResult systemc_clock(const Stimulus& stimulus);

// Pins by name, on a Verilated model or on signals with the names of its ports.
template <typename Pins>
void drive(Pins& pins, const rtl_model::SchedulerInputs& in) {
  pins.command_valid_i = in.command.valid;
  pins.command_buffer_i = in.command.buffer;
  pins.command_context_i = in.command.context;
  pins.command_priority_i = in.command.priority;
  pins.command_has_due_i = in.command.has_due;
  pins.command_due_i = in.command.due;
  pins.command_num_tbs_i = in.command.num_tbs;
  pins.command_tbs_per_sm_i = in.command.tbs_per_sm;
  pins.command_descriptor_i = in.command.descriptor;
  pins.control_valid_i = in.control.valid;
  pins.control_reg_i = static_cast<std::uint32_t>(in.control.reg);
  pins.control_context_i = in.control.context;
  pins.control_data_i = in.control.data;
  pins.slice_tick_i = in.slice_tick;
  pins.sm_tick_i = in.sm_tick;
  pins.linger_over_i = in.linger_over;
  pins.sm_event_valid_i = in.sm_event.valid;
  pins.sm_event_sm_i = in.sm_event.sm;
  pins.sm_event_kind_i = static_cast<std::uint32_t>(in.sm_event.kind);
  pins.handle_valid_i = in.handle.valid;
  pins.handle_sm_i = in.handle.sm;
  pins.handle_tb_i = in.handle.tb;
  pins.handle_stack_pointer_i = in.handle.stack_pointer;
}

// The straps of a machine with the latencies that a Spec has of itself. Others, and inputs that no load here uses, are
// left at 0.
template <typename Pins>
void tie_off(Pins& pins) {
  pins.strap_policy_i = 0;
  pins.strap_activation_cycles_i = 4;
  pins.strap_search_step_cycles_i = 1;
  pins.strap_breadth_first_i = false;
  pins.strap_rounds_i = false;
  pins.strap_linger_i = false;
}

// Calls `cycle(inputs)` for every cycle from 0 on.
template <typename Function>
void replay(const Stimulus& stimulus, Function cycle) {
  const rtl_model::SchedulerInputs quiet;
  std::size_t next = 0;
  for (Cycle now = 0; now < stimulus.cycles; ++now) {
    const bool is_busy = next < stimulus.busy.size() && stimulus.busy[next].cycle == now;
    cycle(is_busy ? stimulus.busy[next++].inputs : quiet);
  }
}

}  // namespace tessera::bench
