// SPDX-License-Identifier: Apache-2.0
// tsr_scheduler with parity, whatever its inputs are and its memories give (timing.md 3.10).
module tsr_stop_props #(
  parameter POLICIES = 31,
  parameter PTBQ_DEPTH = 3,
  parameter KEPT_TURN = 0
) (
  input        clk_i,
  input        reset_i,
  input [15:0] strap_policy_i,
  input [3:0]  strap_activation_cycles_i,
  input [3:0]  strap_search_step_cycles_i,
  input        strap_breadth_first_i,
  input        strap_rounds_i,
  input        strap_linger_i,
  input        command_valid_i,
  input [1:0]  command_buffer_i,
  input [1:0]  command_context_i,
  input [3:0]  command_priority_i,
  input        command_has_due_i,
  input [31:0] command_due_i,
  input        command_partition_i,
  input [3:0]  command_num_tbs_i,
  input [1:0]  command_tbs_per_sm_i,
  input [39:0] command_descriptor_i,
  input        control_valid_i,
  input [2:0]  control_reg_i,
  input [1:0]  control_context_i,
  input [63:0] control_data_i,
  input        slice_tick_i,
  input        sm_tick_i,
  input        linger_over_i,
  input [1:0]  waiting_i,
  input [1:0]  listed_i,
  input        switch_over_i,
  input        sm_event_valid_i,
  input [1:0]  sm_event_sm_i,
  input [2:0]  sm_event_kind_i,
  input        sm_event_tag_i,
  input        handle_valid_i,
  input [1:0]  handle_sm_i,
  input [3:0]  handle_tb_i,
  input [31:0] handle_stack_pointer_i
);

  reg  started_q = 1'b0, has_stopped_q = 1'b0;
  wire rst_ni = started_q && !reset_i;

  wire [1:0] buffer_free_o;
  wire control_ready_o, slice_timer_enable_o, sm_event_ready_o, sm_control_valid_o, dispatch_valid_o,
       linger_start_o, usage_valid_o, kernel_done_valid_o, events_policy_invoked_o, events_policy_decided_o,
       events_withheld_o, events_activated_o, events_moved_o, events_cancelled_o, events_preempted_o, events_released_o, events_evicted_o,
       events_turn_passed_o, events_turn_began_o, switch_start_o, idle_o, fault_o;
  // What belongs to a pulse is nobody's business.
  wire [2:0]  sm_control_kind_o;
  wire        sm_control_tag_o;
  wire        dispatch_is_restore_o, dispatch_last_o;
  wire [1:0]  sm_control_sm_o, sm_control_context_o, dispatch_sm_o, events_buffer_o, events_move_o, events_sm_o,
              events_ksr_o;
  wire [3:0]  dispatch_tb_o;
  wire [31:0] dispatch_stack_pointer_o;
  wire [39:0] sm_control_descriptor_o, kernel_done_descriptor_o;
  wire [63:0] sm_control_page_table_o;
  wire [1:0]  usage_context_o, events_turn_cause_o, turn_o;
  wire        switch_runs_o;
  wire [2:0]  usage_freed_o;
  tsr_scheduler #(
    .NUM_SMS(2), .MAX_TBS_PER_SM(2), .NUM_KSRS(2), .NUM_COMMAND_BUFFERS(2), .NUM_CONTEXTS(2), .PTBQ_DEPTH(PTBQ_DEPTH),
    .TB_WIDTH(4), .POLICIES(POLICIES), .WAIT_WIDTH(4), .PARITY(1), .LINGER(1), .KEPT_TURN(KEPT_TURN), .TAG_WIDTH(0)
  ) dut (.*);

  always @(posedge clk_i) begin
    started_q     <= 1'b1;
    has_stopped_q <= rst_ni && fault_o;
  end

  wire says = sm_control_valid_o || dispatch_valid_o || kernel_done_valid_o || events_policy_invoked_o ||
              events_policy_decided_o || events_withheld_o || events_activated_o || events_moved_o || events_cancelled_o ||
              events_preempted_o || events_released_o || slice_timer_enable_o ||
              linger_start_o || usage_valid_o || events_evicted_o || events_turn_passed_o || events_turn_began_o ||
              switch_start_o;
  wire takes = control_ready_o || sm_event_ready_o || |buffer_free_o;

  stops_for_good: assert property (!started_q || !has_stopped_q || fault_o);
  stopped_core_is_silent: assert property (!started_q || !fault_o || !says && !takes && idle_o);

  cover_stops_for_good: assert property (!started_q || !has_stopped_q);
  cover_stopped_core_is_silent: assert property (!started_q || !(fault_o && command_valid_i && sm_event_valid_i));

endmodule
