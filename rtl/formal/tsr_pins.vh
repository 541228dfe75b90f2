// SPDX-License-Identifier: Apache-2.0
// tsr_scheduler and its pins. Straps: any, but constant. Fields that are only carried along are cut down to a few bits.
//
// From the includer: B BW clk_i command_buffer_i command_context_i command_has_due_i command_low_due_i
//   command_num_tbs_i command_priority_i command_tag_i command_tbs_per_sm_i command_valid_i control_context_i
//   control_low_i control_reg_i control_valid_i CW D handle_sm_i handle_stack_pointer_i handle_tb_i handle_valid_i
//   K KEPT_TURN KW linger_over_i listed_i MW P POLICIES reset_i S SEARCH_WIDTH slice_tick_i sm_event_kind_i
//   sm_event_sm_i sm_event_valid_i sm_tick_i switch_over_i T UW WAIT_WIDTH waiting_i
// From tsr_scenario.vh: command_buffer_i command_context_i command_has_due_i command_low_due_i command_num_tbs_i
//   command_priority_i command_tag_i command_tbs_per_sm_i command_valid_i control_context_i control_low_i
//   control_reg_i control_valid_i handle_sm_i handle_stack_pointer_i handle_tb_i handle_valid_i linger_over_i
//   listed_i reset_i SCENARIO_POLICY slice_tick_i sm_event_kind_i sm_event_sm_i sm_event_valid_i sm_tick_i
//   switch_over_i waiting_i
// For others: buffer_free_o control_ready_o dispatch_is_restore_o dispatch_last_o dispatch_sm_o
//   dispatch_stack_pointer_o dispatch_tb_o dispatch_valid_o dut events_activated_o events_buffer_o events_evicted_o
//   events_ksr_o events_preempted_o events_released_o idle_o kernel_done_valid_o linger_start_o rst_ni
//   sm_control_context_o sm_control_kind_o sm_control_sm_o sm_control_valid_o sm_event_ready_o started_q
//   strap_activation_cycles_i strap_breadth_first_i strap_linger_i strap_policy_i strap_rounds_i
//   strap_search_step_cycles_i switch_start_o watched_ksr

`ifdef SCENARIO
wire [15:0]           strap_policy_i             = SCENARIO_POLICY;
wire [WAIT_WIDTH-1:0] strap_activation_cycles_i  = 1;
wire [WAIT_WIDTH-1:0] strap_search_step_cycles_i = 1;
wire                  strap_breadth_first_i      = 1'b0;
wire                  strap_rounds_i             = 1'b0;
wire                  strap_linger_i             = 1'b1;
wire [KW-1:0]         watched_ksr                = 0; // whose handles are looked at
`else
(* anyconst *) wire [15:0]           strap_policy_i;
(* anyconst *) wire [WAIT_WIDTH-1:0] strap_activation_cycles_i;
(* anyconst *) wire [WAIT_WIDTH-1:0] strap_search_step_cycles_i;
(* anyconst *) wire                  strap_breadth_first_i;
(* anyconst *) wire                  strap_rounds_i;
(* anyconst *) wire                  strap_linger_i;
(* anyconst *) wire [KW-1:0]         watched_ksr;
`endif
wire [39:0] command_descriptor_i   = {38'd0, command_tag_i};
wire [31:0] command_due_i          = {30'd0, command_low_due_i} << 30;
wire [63:0] control_data_i         = {48'd0, control_low_i};
wire [(S > 1 ? $clog2(S) : 1)-1:0] command_partition_i = 0; // there are none

wire [B-1:0]  buffer_free_o;
wire          control_ready_o, slice_timer_enable_o, linger_start_o, sm_event_ready_o;
wire          sm_control_valid_o;
wire [2:0]    sm_control_kind_o;
wire          sm_event_tag_i = 1'b0, sm_control_tag_o; // there are none
wire [MW-1:0] sm_control_sm_o;
wire [CW-1:0] sm_control_context_o;
wire [63:0]   sm_control_page_table_o;
wire [39:0]   sm_control_descriptor_o;
wire          dispatch_valid_o, dispatch_is_restore_o, dispatch_last_o;
wire [MW-1:0] dispatch_sm_o;
wire [BW-1:0] dispatch_tb_o;
wire [31:0]   dispatch_stack_pointer_o;
wire          kernel_done_valid_o;
wire [39:0]   kernel_done_descriptor_o;
wire          usage_valid_o;
wire [CW-1:0] usage_context_o;
wire [MW:0]   usage_freed_o;
wire          events_policy_invoked_o, events_policy_decided_o, events_withheld_o, events_activated_o, events_moved_o,
              events_cancelled_o, events_preempted_o, events_released_o, events_evicted_o, events_turn_passed_o,
              events_turn_began_o;
wire [1:0]    events_turn_cause_o;
wire [CW-1:0] turn_o;
wire          switch_start_o, switch_runs_o;
wire [UW-1:0] events_buffer_o;
wire [1:0]    events_move_o;
wire [MW-1:0] events_sm_o;
wire [KW-1:0] events_ksr_o;
wire          idle_o, fault_o;

// Reset in the first cycle, and again whenever it likes.
reg  started_q = 1'b0;
always @(posedge clk_i) started_q <= 1'b1;
wire rst_ni = started_q && !reset_i;

tsr_scheduler #(
  .NUM_SMS(S), .MAX_TBS_PER_SM(T), .NUM_KSRS(K), .NUM_COMMAND_BUFFERS(B), .NUM_CONTEXTS(P), .PTBQ_DEPTH(D),
  .SEARCH_WIDTH(SEARCH_WIDTH), .TB_WIDTH(BW), .POLICIES(POLICIES), .WAIT_WIDTH(WAIT_WIDTH), .LINGER(1),
  .KEPT_TURN(KEPT_TURN), .TAG_WIDTH(0)
) dut (.*);
