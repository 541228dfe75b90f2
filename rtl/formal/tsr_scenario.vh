// SPDX-License-Identifier: Apache-2.0
// One course of events for covers and seeded bugs: a launch takes all SMs; a priority write, a budget; a launch of the
// other context, more urgent, takes an SM away by flush; from some time on TBs end, contexts come back, both
// kernels end.
//
// From the includer: BW clk_i CW MW P S T TW UW
// From tsr_pins.vh: linger_start_o switch_start_o
// For others: command_buffer_i command_context_i command_has_due_i command_low_due_i command_num_tbs_i
//   command_priority_i command_tag_i command_tbs_per_sm_i command_valid_i control_context_i control_low_i
//   control_reg_i control_valid_i ENDS_FROM handle_sm_i handle_stack_pointer_i handle_tb_i handle_valid_i
//   linger_over_i listed_i marks_handle_i reset_i SCENARIO_POLICY slice_tick_i sm_event_kind_i sm_event_sm_i
//   sm_event_valid_i sm_tick_i switch_over_i time_q waiting_i

parameter [15:0] SCENARIO_POLICY = 16'h0022; // ppq, flush
localparam [9:0] FIRST_AT = 2, PRIORITY_AT = 80, BUDGET_AT = 84, SECOND_AT = 150, TICK_AT = 155, ENDS_FROM = 290;
reg [9:0] time_q = 10'd0;
always @(posedge clk_i) time_q <= time_q + 10'd1;
wire second = time_q == SECOND_AT;

wire          reset_i;
wire          command_valid_i;
wire [UW-1:0] command_buffer_i;
wire [CW-1:0] command_context_i;
wire [3:0]    command_priority_i;
wire          command_has_due_i;
wire [1:0]    command_low_due_i;
wire [BW-1:0] command_num_tbs_i;
wire [TW-1:0] command_tbs_per_sm_i;
wire [1:0]    command_tag_i;
wire          control_valid_i;
wire [2:0]    control_reg_i;
wire [CW-1:0] control_context_i;
wire [15:0]   control_low_i;
wire          slice_tick_i;
wire          sm_tick_i;
wire          linger_over_i;
wire [P-1:0]  waiting_i;
wire [P-1:0]  listed_i;
wire          switch_over_i;
wire          sm_event_valid_i;
wire [MW-1:0] sm_event_sm_i;
wire [2:0]    sm_event_kind_i;
wire          handle_valid_i;
wire [MW-1:0] handle_sm_i;
wire [BW-1:0] handle_tb_i;
wire [31:0]   handle_stack_pointer_i;
wire          marks_handle_i;
assign reset_i              = 1'b0;
assign command_valid_i      = time_q == FIRST_AT || second;
assign command_buffer_i     = second;
assign command_context_i    = second;
assign command_priority_i   = {3'd0, second};
assign command_has_due_i    = second;
assign command_low_due_i    = 2'd1;
assign command_num_tbs_i    = second ? 3 : S * T + 2;
assign command_tbs_per_sm_i = T;
assign command_tag_i        = {1'b0, second};
assign control_valid_i      = time_q == PRIORITY_AT || time_q == BUDGET_AT;
assign control_reg_i        = time_q == PRIORITY_AT ? 2'd1 : 2'd2;
assign control_context_i    = 0;
assign control_low_i        = 16'd0;
assign slice_tick_i         = time_q == TICK_AT;
assign sm_tick_i            = 1'b0;
reg [1:0] linger_q = 2'd0; // a short one
always @(posedge clk_i) linger_q <= {linger_q[0], linger_start_o};
assign linger_over_i        = linger_q[1];
assign waiting_i            = {P{1'b0}};
assign listed_i             = {P{1'b1}};
reg switch_q = 1'b0;
always @(posedge clk_i) switch_q <= switch_start_o;
assign switch_over_i        = switch_q;
assign handle_tb_i          = time_q[BW-1:0];
assign handle_stack_pointer_i = {32{!time_q[0]}}; // of one that was saved, one that was flushed ..
assign marks_handle_i       = !time_q[0];         // the second of them
