// SPDX-License-Identifier: Apache-2.0
// Verilator's SystemC module on an sc_clock, its pins driven at the falling edge.
#include <systemc>

#include "Vsc.h"
#include "measurement.h"
#include "verilated_loops.h"

namespace tessera::bench {
namespace {

using sc_core::sc_signal;

// Named as the ports.
struct Wires {
  sc_signal<bool> rst_ni, command_valid_i, command_has_due_i, control_valid_i, control_ready_o, slice_timer_enable_o,
      linger_start_o, linger_over_i, slice_tick_i, sm_tick_i, sm_event_valid_i, sm_event_ready_o, handle_valid_i,
      sm_control_valid_o, dispatch_valid_o, dispatch_is_restore_o, dispatch_last_o, kernel_done_valid_o, usage_valid_o,
      events_policy_invoked_o, events_policy_decided_o, events_withheld_o, events_activated_o, events_moved_o,
      events_cancelled_o, events_preempted_o, events_released_o, events_evicted_o, events_turn_passed_o,
      events_turn_began_o, switch_over_i, switch_start_o, switch_runs_o, idle_o, fault_o, strap_breadth_first_i,
      strap_rounds_i, strap_linger_i, sm_event_tag_i, sm_control_tag_o;  // a core without tags has a bit for them
  sc_signal<std::uint32_t> strap_policy_i, strap_activation_cycles_i, strap_search_step_cycles_i, command_buffer_i,
      command_context_i, command_priority_i, command_due_i, command_num_tbs_i, command_tbs_per_sm_i, buffer_free_o,
      control_reg_i, control_context_i, sm_event_sm_i, sm_event_kind_i, handle_sm_i, handle_tb_i,
      handle_stack_pointer_i, sm_control_sm_o, sm_control_kind_o, sm_control_context_o, dispatch_sm_o, dispatch_tb_o,
      dispatch_stack_pointer_o, usage_context_o, usage_freed_o, events_buffer_o, events_move_o, events_sm_o,
      events_ksr_o, events_turn_cause_o, command_partition_i, waiting_i, listed_i, turn_o;
  sc_signal<std::uint64_t> command_descriptor_i, control_data_i, sm_control_page_table_o, sm_control_descriptor_o,
      kernel_done_descriptor_o;
};

void connect(Vsc& top, sc_core::sc_clock& clock, Wires& w) {
  top.clk_i(clock);
  top.rst_ni(w.rst_ni);
  // 1. Straps.
  top.strap_policy_i(w.strap_policy_i);
  top.strap_activation_cycles_i(w.strap_activation_cycles_i);
  top.strap_search_step_cycles_i(w.strap_search_step_cycles_i);
  top.strap_breadth_first_i(w.strap_breadth_first_i);
  top.strap_rounds_i(w.strap_rounds_i);
  top.strap_linger_i(w.strap_linger_i);
  // 2. Inputs.
  top.command_valid_i(w.command_valid_i);
  top.command_buffer_i(w.command_buffer_i);
  top.command_context_i(w.command_context_i);
  top.command_priority_i(w.command_priority_i);
  top.command_has_due_i(w.command_has_due_i);
  top.command_due_i(w.command_due_i);
  top.command_partition_i(w.command_partition_i);
  top.command_num_tbs_i(w.command_num_tbs_i);
  top.command_tbs_per_sm_i(w.command_tbs_per_sm_i);
  top.command_descriptor_i(w.command_descriptor_i);
  top.control_valid_i(w.control_valid_i);
  top.control_reg_i(w.control_reg_i);
  top.control_context_i(w.control_context_i);
  top.control_data_i(w.control_data_i);
  top.slice_tick_i(w.slice_tick_i);
  top.linger_over_i(w.linger_over_i);
  top.sm_tick_i(w.sm_tick_i);
  top.waiting_i(w.waiting_i);
  top.listed_i(w.listed_i);
  top.switch_over_i(w.switch_over_i);
  top.sm_event_valid_i(w.sm_event_valid_i);
  top.sm_event_sm_i(w.sm_event_sm_i);
  top.sm_event_kind_i(w.sm_event_kind_i);
  top.sm_event_tag_i(w.sm_event_tag_i);
  top.handle_valid_i(w.handle_valid_i);
  top.handle_sm_i(w.handle_sm_i);
  top.handle_tb_i(w.handle_tb_i);
  top.handle_stack_pointer_i(w.handle_stack_pointer_i);
}

void connect_outputs(Vsc& top, Wires& w) {
  top.buffer_free_o(w.buffer_free_o);
  top.control_ready_o(w.control_ready_o);
  top.slice_timer_enable_o(w.slice_timer_enable_o);
  top.linger_start_o(w.linger_start_o);
  top.sm_event_ready_o(w.sm_event_ready_o);
  top.sm_control_valid_o(w.sm_control_valid_o);
  top.sm_control_sm_o(w.sm_control_sm_o);
  top.sm_control_kind_o(w.sm_control_kind_o);
  top.sm_control_tag_o(w.sm_control_tag_o);
  top.sm_control_context_o(w.sm_control_context_o);
  top.sm_control_page_table_o(w.sm_control_page_table_o);
  top.sm_control_descriptor_o(w.sm_control_descriptor_o);
  top.dispatch_valid_o(w.dispatch_valid_o);
  top.dispatch_sm_o(w.dispatch_sm_o);
  top.dispatch_is_restore_o(w.dispatch_is_restore_o);
  top.dispatch_last_o(w.dispatch_last_o);
  top.dispatch_tb_o(w.dispatch_tb_o);
  top.dispatch_stack_pointer_o(w.dispatch_stack_pointer_o);
  top.kernel_done_valid_o(w.kernel_done_valid_o);
  top.kernel_done_descriptor_o(w.kernel_done_descriptor_o);
  top.usage_valid_o(w.usage_valid_o);
  top.usage_context_o(w.usage_context_o);
  top.usage_freed_o(w.usage_freed_o);
  top.events_policy_invoked_o(w.events_policy_invoked_o);
  top.events_policy_decided_o(w.events_policy_decided_o);
  top.events_withheld_o(w.events_withheld_o);
  top.events_activated_o(w.events_activated_o);
  top.events_moved_o(w.events_moved_o);
  top.events_cancelled_o(w.events_cancelled_o);
  top.events_preempted_o(w.events_preempted_o);
  top.events_released_o(w.events_released_o);
  top.events_buffer_o(w.events_buffer_o);
  top.events_move_o(w.events_move_o);
  top.events_sm_o(w.events_sm_o);
  top.events_ksr_o(w.events_ksr_o);
  top.events_evicted_o(w.events_evicted_o);
  top.events_turn_passed_o(w.events_turn_passed_o);
  top.events_turn_began_o(w.events_turn_began_o);
  top.events_turn_cause_o(w.events_turn_cause_o);
  top.turn_o(w.turn_o);
  top.switch_start_o(w.switch_start_o);
  top.switch_runs_o(w.switch_runs_o);
  top.idle_o(w.idle_o);
  top.fault_o(w.fault_o);
}

}  // namespace

LoopResult systemc_clock(const Stimulus& stimulus) {
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS, 0.5, 0.5, sc_core::SC_NS, true);
  Wires wires;
  Vsc top("top");
  connect(top, clock, wires);
  connect_outputs(top, wires);
  tie_off(wires);
  LoopResult result;
  // A method, since a thread would add its switches to what is measured: cycle `now` is driven at its falling edge.
  const rtl_model::SchedulerInputs quiet;
  std::size_t next = 0;
  Cycle now = 0;
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&clock.negedge_event());
  sc_core::sc_spawn(
      [&] {
        wires.rst_ni = true;
        result.num_dispatches += wires.dispatch_valid_o.read();
        const bool is_busy = next < stimulus.busy.size() && stimulus.busy[next].cycle == now;
        drive(wires, is_busy ? stimulus.busy[next++].inputs : quiet);
        ++now;
      },
      "driver", &options);
  sc_core::sc_start(sc_core::sc_time(750, sc_core::SC_PS));  // the reset's edge
  const double start = cpu_seconds();
  sc_core::sc_start(sc_core::sc_time(static_cast<double>(stimulus.cycles), sc_core::SC_NS));
  result.seconds = cpu_seconds() - start;
  return result;
}

}  // namespace tessera::bench
