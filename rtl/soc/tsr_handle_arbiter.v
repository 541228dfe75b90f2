// SPDX-License-Identifier: Apache-2.0
// Handles of many SMs on the core's port (timing.md 7.2): the lowest SM first. From its first handle on the port is its
// own, until its last one; where the end of a save may move after that, until its *preempted* was taken.
module tsr_handle_arbiter #(
  parameter NUM_SMS   = 4,
  parameter TB_WIDTH  = 32,
  parameter ENDS_MOVE = 0, // 1: the end of a save may move after its last handle
  parameter SM_WIDTH  = $clog2(NUM_SMS + 1) // not to be set
) (
  input                         clk_i,
  input                         rst_ni,
  input  [NUM_SMS-1:0]          valid_i,
  input  [NUM_SMS*TB_WIDTH-1:0] tb_i,
  input  [NUM_SMS*32-1:0]       stack_pointer_i,
  input  [NUM_SMS-1:0]          last_i, // of a save
  output [NUM_SMS-1:0]          taken_o,
  input  [NUM_SMS-1:0]          preempted_i, // this event of it is taken
  // To the core, which always takes it
  output                        handle_valid_o,
  output [SM_WIDTH-1:0]         handle_sm_o,
  output [TB_WIDTH-1:0]         handle_tb_o,
  output [31:0]                 handle_stack_pointer_o
);

  reg  [NUM_SMS-1:0] owner_q; // whose port it is, a bit; of nobody: 0
  wire [NUM_SMS-1:0] at_or_below;
  tsr_prefix_or #(.COUNT(NUM_SMS)) u_lowest (.bits_i(valid_i), .any_o(at_or_below));
  wire [NUM_SMS-1:0] lowest = at_or_below & ~(at_or_below << 1);
  wire [NUM_SMS-1:0] sender = |owner_q ? owner_q & valid_i : lowest;
  wire               ends   = ENDS_MOVE != 0 ? |(owner_q & preempted_i) : |(sender & last_i);

  always @(posedge clk_i) begin
    if (!rst_ni || ends)     owner_q <= {NUM_SMS{1'b0}};
    else if (handle_valid_o) owner_q <= sender;
  end

  tsr_encode #(.COUNT(NUM_SMS)) u_sm (.row_i(sender), .none_i(!handle_valid_o), .index_o(handle_sm_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TB_WIDTH)) u_tb (.rows_i(tb_i), .row_i(sender), .data_o(handle_tb_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(32)) u_stack_pointer (
    .rows_i(stack_pointer_i), .row_i(sender), .data_o(handle_stack_pointer_o));
  assign handle_valid_o = |sender;
  assign taken_o        = sender;

endmodule
