// SPDX-License-Identifier: Apache-2.0
// Whether a kernel has more TBs than slots wait for (timing.md 4.2), two cycles after WRITE.
module tsr_uncovered #(
`include "tsr_sizes.vh"
) (
  input                  clk_i,
  input                  breadth_first_i,
  // The row, in WRITE and the cycle after.
  input  [SLOT_WIDTH-1:0] early_covered_i,
  input  [SM_WIDTH-1:0]   early_owned_i,
  // In the cycle after.
  input  [TB_WIDTH-1:0]   not_left_i,
  input  [SLOT_WIDTH-1:0] preempted_i,
  input  [SLOT_WIDTH-1:0] covered_i,
  input  [SM_WIDTH-1:0]   owned_i,
  input  [SM_WIDTH-1:0]   reserved_i,
  output                  uncovered_o,
  output                  many_o,     // its TBs are more than slots can wait for,
  output [SLOT_WIDTH+1:0] left_o,     // else as many as this
  output                  rests_o // its registers have what the row says
);

  // All that is not in the low bits of its fresh TBs is more.
  reg  [SLOT_WIDTH:0]   waiting_q;
  reg  [SLOT_WIDTH+1:0] low_q;
  reg                   many_q, is_few_q;
  wire [SLOT_WIDTH-1:0] owned_slots = {{(SLOT_WIDTH-SM_WIDTH){1'b0}}, owned_i};
  wire [SLOT_WIDTH-1:0] spread      = is_few_q ? covered_i : owned_slots;
  wire [SLOT_WIDTH:0]   low_left;
  wire                  many;
  generate
    if (TB_WIDTH > SLOT_WIDTH + 1) begin : g_many
      assign low_left = ~not_left_i[SLOT_WIDTH:0];
      assign many     = !(&not_left_i[TB_WIDTH-1:SLOT_WIDTH+1]);
    end else begin : g_few
      wire [TB_WIDTH-1:0] left = ~not_left_i;
      assign low_left = {{(SLOT_WIDTH+1-TB_WIDTH){1'b0}}, left};
      assign many     = 1'b0;
    end
  endgenerate
  wire                  is_few  = early_covered_i < {{(SLOT_WIDTH-SM_WIDTH){1'b0}}, early_owned_i};
  wire [SLOT_WIDTH:0]   waiting = breadth_first_i ? {1'b0, spread} + {{(SLOT_WIDTH+1-SM_WIDTH){1'b0}}, reserved_i}
                                                  : {1'b0, covered_i};
  wire [SLOT_WIDTH+1:0] low     = {1'b0, low_left} + {2'b00, preempted_i};
  always @(posedge clk_i) {many_q, is_few_q, waiting_q, low_q} <= {many, is_few, waiting, low};
  assign many_o      = many;
  assign left_o      = low;
  assign uncovered_o = many_q || low_q > {1'b0, waiting_q};
  assign rests_o     = {many_q, is_few_q, waiting_q, low_q} == {many, is_few, waiting, low};

endmodule
