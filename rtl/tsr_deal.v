// SPDX-License-Identifier: Apache-2.0
// A deal of tokens (timing.md 5.3): takes the entries of the active queue one by one, and says which are concerned.
module tsr_deal #(
`include "tsr_sizes.vh"
) (
  input                              clk_i,
  input                              dealing_i,
  // How it begins: a write of the policy, or of a context's tokens.
  input                              begins_i,
  input                              all_i,
  input  [CONTEXT_ADDRESS-1:0]       context_i,
  // The entries of a step, a lane each.
  input  [SEARCH_WIDTH-1:0]           entry_valid_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0] entry_ksr_i,
  input                              is_last_step_i,
  input                              takes_i,       // the entry; the next one follows
  input  [CONTEXT_ADDRESS-1:0]       row_context_i, // of the one that it takes
  output                             valid_o,       // there is one more entry
  output reg [KSR_WIDTH-1:0]         ksr_o,
  output                             next_step_o,
  output [CONTEXT_ADDRESS-1:0]       context_o,
  output                             is_dealt_o,    // that context is concerned
  output                             rests_o
);

  reg entry_valid;
  reg past_q; // it has had all entries
  generate
    if (SEARCH_WIDTH > 1) begin : g_lanes
      reg [SEARCH_WIDTH-1:0] lane_q;
      integer l;
      always @(posedge clk_i) begin
        if (!dealing_i)   lane_q <= {{(SEARCH_WIDTH-1){1'b0}}, 1'b1};
        else if (takes_i) lane_q <= lane_q << 1 | lane_q >> (SEARCH_WIDTH - 1);
      end
      assign next_step_o = takes_i && lane_q[SEARCH_WIDTH-1];
      assign rests_o     = !past_q && lane_q == {{(SEARCH_WIDTH-1){1'b0}}, 1'b1};
      always @* begin
        entry_valid = 1'b0;
        ksr_o       = {KSR_WIDTH{1'b0}};
        for (l = 0; l < SEARCH_WIDTH; l = l + 1) begin
          entry_valid = entry_valid || entry_valid_i[l] && lane_q[l];
          ksr_o       = ksr_o | entry_ksr_i[l*KSR_WIDTH +: KSR_WIDTH] & {KSR_WIDTH{lane_q[l]}};
        end
      end
    end else begin : g_lane
      assign next_step_o = takes_i;
      assign rests_o     = !past_q;
      always @* {entry_valid, ksr_o} = {entry_valid_i, entry_ksr_i};
    end
  endgenerate

  reg                       all_q;
  reg [CONTEXT_ADDRESS-1:0] only_context_q, context_q;
  always @(posedge clk_i) begin
    past_q <= dealing_i && (past_q || next_step_o && is_last_step_i);
    if (begins_i) begin
      all_q          <= all_i;
      only_context_q <= context_i;
    end
    if (takes_i) context_q <= row_context_i;
  end
  assign valid_o    = entry_valid && !past_q;
  assign context_o  = context_q;
  assign is_dealt_o = all_q || context_q == only_context_q;

endmodule
