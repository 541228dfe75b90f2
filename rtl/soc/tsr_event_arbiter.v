// SPDX-License-Identifier: Apache-2.0
// Events of many SMs on the core's port (timing.md 7.2): in batches, the lowest SM first, so that none waits for more
// than two rounds. What an SM, or its link, shows may change or go away until it is taken.
module tsr_event_arbiter #(
  parameter NUM_SMS  = 4,
  parameter TAG_BITS = 1,
  parameter SM_WIDTH = $clog2(NUM_SMS + 1) // not to be set
) (
  input                         clk_i,
  input                         rst_ni,
  input  [NUM_SMS-1:0]          valid_i,
  input  [NUM_SMS*3-1:0]        kind_i,
  input  [NUM_SMS*TAG_BITS-1:0] tag_i,
  output [NUM_SMS-1:0]          taken_o,
  // To the core
  output                        sm_event_valid_o,
  output [SM_WIDTH-1:0]         sm_event_sm_o,
  output [2:0]                  sm_event_kind_o,
  output [TAG_BITS-1:0]         sm_event_tag_o,
  input                         sm_event_ready_i
);

  reg  [NUM_SMS-1:0] batch_q; // to be served before the next batch
  wire [NUM_SMS-1:0] of_batch   = batch_q & valid_i;
  wire [NUM_SMS-1:0] candidates = |of_batch ? of_batch : valid_i;
  wire [NUM_SMS-1:0] at_or_below;
  tsr_prefix_or #(.COUNT(NUM_SMS)) u_lowest (.bits_i(candidates), .any_o(at_or_below));
  wire [NUM_SMS-1:0] lowest = at_or_below & ~(at_or_below << 1);

  always @(posedge clk_i) begin
    if (!rst_ni) batch_q <= {NUM_SMS{1'b0}};
    else         batch_q <= candidates & ~taken_o;
  end

  tsr_encode #(.COUNT(NUM_SMS)) u_sm (.row_i(lowest), .none_i(!sm_event_valid_o), .index_o(sm_event_sm_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(3)) u_kind (.rows_i(kind_i), .row_i(lowest), .data_o(sm_event_kind_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TAG_BITS)) u_tag (.rows_i(tag_i), .row_i(lowest), .data_o(sm_event_tag_o));
  assign sm_event_valid_o = |valid_i;
  assign taken_o          = lowest & {NUM_SMS{sm_event_ready_i}};

endmodule
