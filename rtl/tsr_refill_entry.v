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
  reg [NUM_SMS-1:0]   a_row_q, asked_q, behind_q; // behind the SM of the last issue
  reg [SM_WIDTH-1:0]  a_sm_q, s_sm_q, b_sm_q;
  reg [1:0]           a_kind_q, s_kind_q, b_kind_q;
  reg [TAG_BITS-1:0]  a_tag_q, s_tag_q, b_tag_q;
  reg [KSR_WIDTH-1:0] b_ksr_q;

  // 1. Entry: an event's SM, and the next SM that asks.
  wire               asks_any;
  wire [NUM_SMS-1:0] issue_row, behind;
  tsr_round_robin #(.COUNT(NUM_SMS)) u_next (
    .asks_i(wants_i & ~asked_q), .behind_i(behind_q), .any_o(asks_any), .next_o(issue_row), .behind_o(behind));
  wire               advances = !b_valid_q;
  assign event_ready_o = advances && !(asks_any && (issue_first_q || rounds_i));
  wire takes  = event_ready_o && event_valid_i;
  wire issues = advances && asks_any && !takes;
  wire [NUM_SMS-1:0] left = issue_leaves_i ? row_i : NONE;

  // 2. A and S go on while B is empty.
  wire [NUM_SMS-1:0]  event_row;
  wire [SM_WIDTH-1:0] issue_sm;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_event (.valid_i(1'b1), .index_i(a_sm_q), .row_o(event_row));
  tsr_encode #(.COUNT(NUM_SMS)) u_issue_sm (.row_i(a_row_q), .none_i(1'b0), .index_o(issue_sm));
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
      if (issues) behind_q <= behind;
    end
    if (advances) begin
      a_row_q   <= issue_row;
      a_sm_q    <= event_sm_i;
      a_issue_q <= !takes;
      a_kind_q  <= event_kind_i;
      a_tag_q   <= event_tag_i;
      s_sm_q    <= a_issue_q ? issue_sm : a_sm_q;
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
  assign serves_o = a_valid_q && advances && rounds_i ? a_issue_q ? a_row_q : event_row : NONE;

  // 3. R takes what waits longest. S is looked up while nothing waits in B.
  assign sm_o       = b_valid_q ? b_sm_q : s_sm_q;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_row (.valid_i(1'b1), .index_i(sm_o), .row_o(row_o));
  assign s_row_o    = row_o;
  assign valid_o    = b_valid_q || s_valid_q;
  assign ksr_o      = b_valid_q ? b_ksr_q : s_ksr_i;
  assign is_issue_o = b_valid_q ? b_issue_q : s_issue_q;
  assign kind_o     = b_valid_q ? b_kind_q : s_kind_q;
  assign tag_o      = b_valid_q ? b_tag_q : s_tag_q;
  assign is_idle_o  = !a_valid_q && !s_valid_q && !b_valid_q && !asks_any;

endmodule
