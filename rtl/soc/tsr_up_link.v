// SPDX-License-Identifier: Apache-2.0
// From an SM to the core: its events and its handles, in one order (timing.md 3.11, 7.5). It takes a message a cycle,
// of both the event. What it has taken is not withdrawn.
module tsr_up_link #(
  parameter REGISTERS = 1, // 0: the SM is wired to the core
  parameter TB_WIDTH  = 32,
  parameter TAG_BITS  = 1
) (
  input                 clk_i,
  input                 rst_ni,
  // The SM
  input                 event_valid_i,
  input  [2:0]          event_kind_i,
  input  [TAG_BITS-1:0] event_tag_i,
  output                event_taken_o,
  input                 handle_valid_i,
  input  [TB_WIDTH-1:0] handle_tb_i,
  input  [31:0]         handle_stack_pointer_i,
  input                 handle_last_i,
  output                handle_taken_o,
  // The arbiters
  output                event_valid_o,
  output [2:0]          event_kind_o,
  output [TAG_BITS-1:0] event_tag_o,
  input                 event_taken_i,
  output                handle_valid_o,
  output [TB_WIDTH-1:0] handle_tb_o,
  output [31:0]         handle_stack_pointer_o,
  output                handle_last_o,
  input                 handle_taken_i
);

  localparam WIDTH   = TB_WIDTH + 34; // a handle, whether it is the last, whether it is an event
  localparam PADDING = TB_WIDTH + 30 - TAG_BITS;

  generate
    if (REGISTERS == 0) begin : g_wired
      wire unused = &{1'b0, clk_i, rst_ni};
      assign event_valid_o          = event_valid_i;
      assign event_kind_o           = event_kind_i;
      assign event_tag_o            = event_tag_i;
      assign event_taken_o          = event_taken_i;
      assign handle_valid_o         = handle_valid_i;
      assign handle_tb_o            = handle_tb_i;
      assign handle_stack_pointer_o = handle_stack_pointer_i;
      assign handle_last_o          = handle_last_i;
      assign handle_taken_o         = handle_taken_i;
    end else begin : g_link
      wire [REGISTERS:0]           valid, ready;
      wire [(REGISTERS+1)*WIDTH-1:0] messages;
      genvar r;
      for (r = 0; r < REGISTERS; r = r + 1) begin : g_register
        tsr_link_register #(.WIDTH(WIDTH)) u_register (
          .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid[r]), .ready_o(ready[r]), .data_i(messages[r*WIDTH +: WIDTH]),
          .valid_o(valid[r+1]), .ready_i(ready[r+1]), .data_o(messages[(r+1)*WIDTH +: WIDTH]));
      end
      assign valid[0]            = event_valid_i || handle_valid_i;
      assign messages[WIDTH-1:0] = event_valid_i ? {1'b1, {PADDING{1'b0}}, event_kind_i, event_tag_i}
                                                 : {1'b0, handle_last_i, handle_tb_i, handle_stack_pointer_i};
      assign event_taken_o  = event_valid_i && ready[0];
      assign handle_taken_o = handle_valid_i && !event_valid_i && ready[0];

      wire [WIDTH-1:0] first    = messages[REGISTERS*WIDTH +: WIDTH];
      wire             is_event = first[WIDTH-1];
      assign event_valid_o               = valid[REGISTERS] && is_event;
      assign {event_kind_o, event_tag_o} = first[TAG_BITS+2:0];
      assign handle_valid_o              = valid[REGISTERS] && !is_event;
      assign {handle_last_o, handle_tb_o, handle_stack_pointer_o} = first[WIDTH-2:0];
      assign ready[REGISTERS]            = is_event ? event_taken_i : handle_taken_i;
    end
  endgenerate

endmodule
