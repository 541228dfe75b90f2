// SPDX-License-Identifier: Apache-2.0
// What enters the refill lane, and its way to R (timing.md 6.7): an SM's event, or the issue for the next SM that asks
// for a TB. A has the SM, a bit each; S its owner; what R has no place for waits in B.
module tsr_refill_entry #(
`include "tsr_sizes.vh"
) (
  input                  clk_i,
  input                  rst_ni,
  input                  rounds_i,
  // Pins
  input                  event_valid_i,
  input  [SM_WIDTH-1:0]  event_sm_i,
  input  [1:0]           event_kind_i,
  input  [TAG_BITS-1:0]  event_tag_i,
  output                 event_ready_o,
  // SMST: who wants a TB, who had a turn, whose an SM is.
  input  [NUM_SMS-1:0]   wants_i,
  output [NUM_SMS-1:0]   serves_o,
  output [NUM_SMS-1:0]   s_row_o,
  input  [KSR_WIDTH-1:0] s_ksr_i,
  // To R
  input                  frees_i,         // R can take what is here
  input                  issue_leaves_i,  // R's
  input  [NUM_SMS-1:0]   row_i,           // R's SM
  output                 valid_o,
  output [NUM_SMS-1:0]   row_o,
  output [SM_WIDTH-1:0]  sm_o,
  output [KSR_WIDTH-1:0] ksr_o,
  output                 is_issue_o,
  output [1:0]           kind_o,
  output [TAG_BITS-1:0]  tag_o,
  output                 is_idle_o        // nothing is here, and nobody asks
);

  localparam [NUM_SMS-1:0] NONE = {NUM_SMS{1'b0}};

  reg                 a_valid_q, s_valid_q, b_valid_q, a_issue_q, s_issue_q, b_issue_q, issue_first_q;
  reg [NUM_SMS-1:0]   a_row_q, s_row_q, asked_q, behind_q; // behind the SM of the last issue
  reg [SM_WIDTH-1:0]  s_sm_q, b_sm_q;
  reg [1:0]           a_kind_q, s_kind_q, b_kind_q;
  reg [TAG_BITS-1:0]  a_tag_q, s_tag_q, b_tag_q;
  reg [KSR_WIDTH-1:0] b_ksr_q;

  // 1. Entry. Both searches for the turn at once, behind the last one and from the lowest on.
  wire [NUM_SMS-1:0] asks = wants_i & ~asked_q, asks_behind = asks & behind_q;
  wire [NUM_SMS-1:0] from_lowest, from_behind;
  tsr_prefix_or #(.COUNT(NUM_SMS)) u_lowest (.bits_i(asks), .any_o(from_lowest));
  tsr_prefix_or #(.COUNT(NUM_SMS)) u_behind (.bits_i(asks_behind), .any_o(from_behind));
  wire               asks_any   = |asks;
  wire [NUM_SMS-1:0] from_first = |asks_behind ? from_behind : from_lowest;
  wire [NUM_SMS-1:0] above      = from_first << 1;
  wire               advances   = !b_valid_q;
  assign event_ready_o = advances && !(asks_any && (issue_first_q || rounds_i));
  wire takes  = event_ready_o && event_valid_i;
  wire issues = advances && asks_any && !takes;
  wire [NUM_SMS-1:0] event_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_event (.valid_i(1'b1), .index_i(event_sm_i), .row_o(event_row));
  wire [NUM_SMS-1:0] issue_row = from_first & ~above;
  wire [NUM_SMS-1:0] left      = issue_leaves_i ? row_i : NONE;

  // 2. A and S go on while B is empty.
  wire [SM_WIDTH-1:0] a_sm;
  tsr_encode #(.COUNT(NUM_SMS)) u_a_sm (.row_i(a_row_q), .none_i(1'b0), .index_o(a_sm));
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q     <= 1'b0;
      s_valid_q     <= 1'b0;
      b_valid_q     <= 1'b0;
      issue_first_q <= 1'b0;
      asked_q       <= NONE;
      behind_q      <= NONE;
    end else begin
      if (advances) a_valid_q <= takes || issues;
      if (advances) s_valid_q <= a_valid_q;
      b_valid_q <= !frees_i && valid_o;
      if (takes || issues) issue_first_q <= takes;
      asked_q <= (issues ? issue_row : NONE) | asked_q & ~left;
      if (issues) behind_q <= above;
    end
    if (advances) begin
      a_row_q   <= takes ? event_row : issue_row;
      a_issue_q <= !takes;
      a_kind_q  <= event_kind_i;
      a_tag_q   <= event_tag_i;
      s_row_q   <= a_row_q;
      s_sm_q    <= a_sm;
      s_issue_q <= a_issue_q;
      s_kind_q  <= a_kind_q;
      s_tag_q   <= a_tag_q;
      b_sm_q    <= s_sm_q;
      b_ksr_q   <= s_ksr_i;
      b_issue_q <= s_issue_q;
      b_kind_q  <= s_kind_q;
      b_tag_q   <= s_tag_q;
    end
  end
  assign s_row_o  = s_row_q;
  assign serves_o = a_valid_q && advances && rounds_i ? a_row_q : NONE;

  // 3. R takes what waits longest.
  wire [NUM_SMS-1:0] b_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_b_row (.valid_i(1'b1), .index_i(b_sm_q), .row_o(b_row));
  assign valid_o    = b_valid_q || s_valid_q;
  assign row_o      = b_valid_q ? b_row : s_row_q;
  assign sm_o       = b_valid_q ? b_sm_q : s_sm_q;
  assign ksr_o      = b_valid_q ? b_ksr_q : s_ksr_i;
  assign is_issue_o = b_valid_q ? b_issue_q : s_issue_q;
  assign kind_o     = b_valid_q ? b_kind_q : s_kind_q;
  assign tag_o      = b_valid_q ? b_tag_q : s_tag_q;
  assign is_idle_o  = !a_valid_q && !s_valid_q && !b_valid_q && !asks_any;

endmodule
