// SPDX-License-Identifier: Apache-2.0
// An assign in BURST (timing.md 6.4): whether its kernel needs another SM, beside those that it was given, and how many
// these are.
//
//   CALC: need_q = TBs that wait for a slot   BURST: need_q -= taken_q, one SM later than it is given
//         taken_q = slots that wait for TBs, with the first SM's              taken_q = those of an SM
module tsr_assign #(
`include "tsr_sizes.vh"
) (
  input                    clk_i,
  input                    breadth_first_i,
  input                    calcs_i,      // CALC
  input                    bursts_i,     // BURST
  // CALC: the row.
  input                    many_i,       // TBs, more than slots can wait for
  input [SLOT_WIDTH+1:0]   waiting_i,    // else how many
  input [SLOT_WIDTH-1:0]   covered_i,
  input [SM_WIDTH-1:0]     owned_i,
  input [SM_WIDTH-1:0]     reserved_i,
  input [TB_COUNT_WIDTH-1:0] tbs_per_sm_i,
  // The most that it may be given, if there is a limit.
  input                    has_limit_i,
  input [TOKEN_WIDTH-2:0]  limit_i,
  // BURST
  output                   needs_more_o,
  input                    gives_i,
  // WRITE
  output [SM_WIDTH:0]      freed_o       // signed: less none, one, ..
);

  localparam NEED_WIDTH = SLOT_WIDTH + 3; // signed
  localparam [SLOT_WIDTH:0] ONE = 1;
  reg                   many_q, is_first_q;
  reg [NEED_WIDTH-1:0]  need_q;
  reg [SLOT_WIDTH:0]    taken_q;
  reg [TOKEN_WIDTH-2:0] limit_q;
  reg [SM_WIDTH:0]      freed_q;

  wire [SLOT_WIDTH:0] step = breadth_first_i ? ONE : {{(SLOT_WIDTH+1-TB_COUNT_WIDTH){1'b0}}, tbs_per_sm_i};
  wire [SLOT_WIDTH:0] held = breadth_first_i ? {{(SLOT_WIDTH+1-SM_WIDTH){1'b0}}, owned_i} +
                                               {{(SLOT_WIDTH+1-SM_WIDTH){1'b0}}, reserved_i}
                                             : {1'b0, covered_i};
  wire is_needed = many_q || !need_q[NEED_WIDTH-1] && |need_q;
  assign needs_more_o = is_first_q || is_needed && !(has_limit_i && limit_q == {(TOKEN_WIDTH-1){1'b0}});
  assign freed_o      = freed_q;

  always @(posedge clk_i) begin
    if (calcs_i) begin
      {many_q, is_first_q} <= {many_i, 1'b1};
      need_q  <= {1'b0, waiting_i};
      taken_q <= held + step;
      limit_q <= limit_i;
      freed_q <= {(SM_WIDTH+1){1'b0}};
    end else if (bursts_i) begin
      is_first_q <= 1'b0;
      need_q     <= need_q - {2'b00, taken_q};
      taken_q    <= step;
      if (gives_i) limit_q <= limit_q - {{(TOKEN_WIDTH-2){1'b0}}, 1'b1};
      if (gives_i) freed_q <= freed_q + {(SM_WIDTH+1){1'b1}};
    end
  end

endmodule
