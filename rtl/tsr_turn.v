// SPDX-License-Identifier: Apache-2.0
// Time slices: whose turn it is (timing.md 5.4). A tick hands it on when the next search begins; the search gives it to
// the context that it found.
module tsr_turn #(
`include "tsr_sizes.vh"
) (
  input                            clk_i,
  input                            rst_ni,
  input                            write_policy_i,
  input                            tick_i,   // that counts
  input                            begins_i, // a search
  input                            chosen_i, // by it:
  input      [CONTEXT_ADDRESS-1:0] chosen_context_i,
  output reg [CONTEXT_ADDRESS-1:0] turn_o
);

  localparam LAST_INDEX = NUM_CONTEXTS - 1;
  localparam [CONTEXT_ADDRESS-1:0] LAST_CONTEXT = LAST_INDEX[CONTEXT_ADDRESS-1:0];
  localparam [CONTEXT_ADDRESS-1:0] ONE = 1;

  reg tick_waits_q;
  always @(posedge clk_i) begin
    if (!rst_ni || write_policy_i) begin
      turn_o       <= {CONTEXT_ADDRESS{1'b0}};
      tick_waits_q <= 1'b0;
    end else begin
      if (begins_i && tick_waits_q) turn_o <= turn_o == LAST_CONTEXT ? {CONTEXT_ADDRESS{1'b0}} : turn_o + ONE;
      else if (chosen_i)            turn_o <= chosen_context_i;
      if (tick_i)        tick_waits_q <= 1'b1;
      else if (begins_i) tick_waits_q <= 1'b0;
    end
  end

endmodule
