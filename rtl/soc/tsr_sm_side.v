// SPDX-License-Identifier: Apache-2.0
// Between the core's ports and many SMs: a link up and a link down for each (timing.md 3.11), and what puts events and
// handles of all on the core's ports (7.2). SM i has row i of every vector. A link with registers needs TAG_WIDTH of 1
// or more in the core.
module tsr_sm_side #(
  parameter NUM_SMS          = 4,
  parameter NUM_CONTEXTS     = 16,
  parameter TB_WIDTH         = 32,
  parameter TAG_WIDTH        = 1,
  parameter ENDS_MOVE        = 0, // 1: the end of a save may move after its last handle
  // Registers of each SM's links, a byte an SM; 0: wired
  parameter [NUM_SMS*8-1:0] UP_REGISTERS   = {NUM_SMS{8'd0}},
  parameter [NUM_SMS*8-1:0] DOWN_REGISTERS = {NUM_SMS{8'd0}},
  // Not to be set.
  parameter SM_WIDTH      = $clog2(NUM_SMS + 1),
  parameter CONTEXT_WIDTH = $clog2(NUM_CONTEXTS + 1),
  parameter TAG_BITS      = TAG_WIDTH > 0 ? TAG_WIDTH : 1
) (
  input                              clk_i,
  input                              rst_ni,
  // The core, or the IP
  output                             sm_event_valid_o,
  output [SM_WIDTH-1:0]              sm_event_sm_o,
  output [2:0]                       sm_event_kind_o,
  output [TAG_BITS-1:0]              sm_event_tag_o,
  input                              sm_event_ready_i,
  output                             handle_valid_o,
  output [SM_WIDTH-1:0]              handle_sm_o,
  output [TB_WIDTH-1:0]              handle_tb_o,
  output [31:0]                      handle_stack_pointer_o,
  input                              sm_control_valid_i,
  input  [SM_WIDTH-1:0]              sm_control_sm_i,
  input  [2:0]                       sm_control_kind_i,
  input  [TAG_BITS-1:0]              sm_control_tag_i,
  input  [CONTEXT_WIDTH-1:0]         sm_control_context_i,
  input  [63:0]                      sm_control_page_table_i,
  input  [39:0]                      sm_control_descriptor_i,
  input                              dispatch_valid_i,
  input  [SM_WIDTH-1:0]              dispatch_sm_i,
  input                              dispatch_is_restore_i,
  input                              dispatch_last_i,
  input  [TB_WIDTH-1:0]              dispatch_tb_i,
  input  [31:0]                      dispatch_stack_pointer_i,
  // The SMs: what they show
  input  [NUM_SMS-1:0]               event_valid_i,
  input  [NUM_SMS*3-1:0]             event_kind_i,
  input  [NUM_SMS*TAG_BITS-1:0]      event_tag_i,
  output [NUM_SMS-1:0]               event_taken_o,
  input  [NUM_SMS-1:0]               handle_valid_i,
  input  [NUM_SMS*TB_WIDTH-1:0]      handle_tb_i,
  input  [NUM_SMS*32-1:0]            handle_stack_pointer_i,
  input  [NUM_SMS-1:0]               handle_last_i,
  output [NUM_SMS-1:0]               handle_taken_o,
  // and what they get
  output [NUM_SMS-1:0]               control_valid_o,
  output [NUM_SMS*3-1:0]             control_kind_o,
  output [NUM_SMS*TAG_BITS-1:0]      control_tag_o,
  output [NUM_SMS*CONTEXT_WIDTH-1:0] control_context_o,
  output [NUM_SMS*64-1:0]            control_page_table_o,
  output [NUM_SMS*40-1:0]            control_descriptor_o,
  output [NUM_SMS-1:0]               dispatch_valid_o,
  output [NUM_SMS-1:0]               dispatch_is_restore_o,
  output [NUM_SMS-1:0]               dispatch_last_o,
  output [NUM_SMS*TB_WIDTH-1:0]      dispatch_tb_o,
  output [NUM_SMS*32-1:0]            dispatch_stack_pointer_o
);

  localparam [2:0] PREEMPTED = 3'd3;
  localparam CONTROL_WIDTH  = 107 + TAG_BITS + CONTEXT_WIDTH;
  localparam DISPATCH_WIDTH = TB_WIDTH + 34;

  // 1. Down: each SM sees what is its own.
  wire [NUM_SMS-1:0] is_told, is_given;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_told (.valid_i(sm_control_valid_i), .index_i(sm_control_sm_i), .row_o(is_told));
  tsr_one_hot #(.ROWS(NUM_SMS)) u_given (.valid_i(dispatch_valid_i), .index_i(dispatch_sm_i), .row_o(is_given));

  // 2. Up: the first message of each link.
  wire [NUM_SMS-1:0]          up_event_valid, up_event_taken, up_handle_valid, up_handle_last, up_handle_taken;
  wire [NUM_SMS*3-1:0]        up_event_kind;
  wire [NUM_SMS*TAG_BITS-1:0] up_event_tag;
  wire [NUM_SMS*TB_WIDTH-1:0] up_handle_tb;
  wire [NUM_SMS*32-1:0]       up_handle_stack_pointer;

  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
      tsr_down_link #(
        .REGISTERS({24'd0, DOWN_REGISTERS[i*8 +: 8]}), .CONTROL_WIDTH(CONTROL_WIDTH), .DISPATCH_WIDTH(DISPATCH_WIDTH)
      ) u_down (
        .clk_i(clk_i), .rst_ni(rst_ni), .control_valid_i(is_told[i]),
        .control_i({sm_control_kind_i, sm_control_tag_i, sm_control_context_i, sm_control_page_table_i,
                    sm_control_descriptor_i}),
        .dispatch_valid_i(is_given[i]),
        .dispatch_i({dispatch_is_restore_i, dispatch_last_i, dispatch_tb_i, dispatch_stack_pointer_i}),
        .control_valid_o(control_valid_o[i]),
        .control_o({control_kind_o[i*3 +: 3], control_tag_o[i*TAG_BITS +: TAG_BITS],
                    control_context_o[i*CONTEXT_WIDTH +: CONTEXT_WIDTH], control_page_table_o[i*64 +: 64],
                    control_descriptor_o[i*40 +: 40]}),
        .dispatch_valid_o(dispatch_valid_o[i]),
        .dispatch_o({dispatch_is_restore_o[i], dispatch_last_o[i], dispatch_tb_o[i*TB_WIDTH +: TB_WIDTH],
                     dispatch_stack_pointer_o[i*32 +: 32]}));

      tsr_up_link #(
        .REGISTERS({24'd0, UP_REGISTERS[i*8 +: 8]}), .TB_WIDTH(TB_WIDTH), .TAG_BITS(TAG_BITS)
      ) u_up (
        .clk_i(clk_i), .rst_ni(rst_ni), .event_valid_i(event_valid_i[i]), .event_kind_i(event_kind_i[i*3 +: 3]),
        .event_tag_i(event_tag_i[i*TAG_BITS +: TAG_BITS]), .event_taken_o(event_taken_o[i]),
        .handle_valid_i(handle_valid_i[i]), .handle_tb_i(handle_tb_i[i*TB_WIDTH +: TB_WIDTH]),
        .handle_stack_pointer_i(handle_stack_pointer_i[i*32 +: 32]), .handle_last_i(handle_last_i[i]),
        .handle_taken_o(handle_taken_o[i]), .event_valid_o(up_event_valid[i]), .event_kind_o(up_event_kind[i*3 +: 3]),
        .event_tag_o(up_event_tag[i*TAG_BITS +: TAG_BITS]), .event_taken_i(up_event_taken[i]),
        .handle_valid_o(up_handle_valid[i]), .handle_tb_o(up_handle_tb[i*TB_WIDTH +: TB_WIDTH]),
        .handle_stack_pointer_o(up_handle_stack_pointer[i*32 +: 32]), .handle_last_o(up_handle_last[i]),
        .handle_taken_i(up_handle_taken[i]));
    end
  endgenerate

  // 3. One event and one handle a cycle.
  tsr_event_arbiter #(.NUM_SMS(NUM_SMS), .TAG_BITS(TAG_BITS)) u_events (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(up_event_valid), .kind_i(up_event_kind), .tag_i(up_event_tag),
    .taken_o(up_event_taken), .sm_event_valid_o(sm_event_valid_o), .sm_event_sm_o(sm_event_sm_o),
    .sm_event_kind_o(sm_event_kind_o), .sm_event_tag_o(sm_event_tag_o), .sm_event_ready_i(sm_event_ready_i));

  tsr_handle_arbiter #(.NUM_SMS(NUM_SMS), .TB_WIDTH(TB_WIDTH), .ENDS_MOVE(ENDS_MOVE)) u_handles (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(up_handle_valid), .tb_i(up_handle_tb),
    .stack_pointer_i(up_handle_stack_pointer), .last_i(up_handle_last), .taken_o(up_handle_taken),
    .preempted_i(up_event_taken & {NUM_SMS{sm_event_kind_o == PREEMPTED}}), .handle_valid_o(handle_valid_o),
    .handle_sm_o(handle_sm_o), .handle_tb_o(handle_tb_o), .handle_stack_pointer_o(handle_stack_pointer_o));

endmodule
