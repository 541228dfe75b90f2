// SPDX-License-Identifier: Apache-2.0
// What a walk finds (timing.md 5.4). Entries of the active queue pass with a key. A keeps the first kernel with the
// greatest key among the uncovered ones, B among all; V, the victim, the first with the lowest among those that hold an
// SM. Which key is below which is compared as entries pass: dues compare too slowly to do it in JUDGE.
module tsr_trackers #(
`include "tsr_sizes.vh"
  , parameter KEY_WIDTH = TOKEN_WIDTH + 1,
  // Not to be set: {counts, uncovered, holds, has_due, ksr, context, key}.
  parameter ENTRY_WIDTH = 4 + KSR_WIDTH + CONTEXT_ADDRESS + KEY_WIDTH
) (
  input                                clk_i,
  input                                by_process_i, // token scope
  input                                begins_i,     // a walk
  input                                compares_i,   // entries pass, a lane each
  input [SEARCH_WIDTH*ENTRY_WIDTH-1:0] entries_i,
  // Each valid, KSR, context.
  output [KSR_WIDTH+CONTEXT_ADDRESS:0] a_o,
  output [KSR_WIDTH+CONTEXT_ADDRESS:0] b_o,
  output [KSR_WIDTH:0]                 v_o,          // valid, KSR
  output [KEY_WIDTH-1:0]               a_key_o,
  output                               a_below_b_o,
  output                               v_below_a_o,
  output                               v_below_b_o,
  // Budgets
  output                               is_far_o,     // A has two tokens or more than V
  output                               others_o,     // kernels of other budgets than the first's have passed
  input                                owes_on_i,    // A is not held back by its tokens
  output [TOKEN_WIDTH-2:0]             limit_o       // of the SMs that A is given at once
);

`include "tsr_policy_table.vh"

  localparam HAS_TOKENS = (POLICIES & policies_with(HAS_BUDGETS)) != 0;

  // 1. An entry against the three so far.
  reg                       a_valid_q, b_valid_q, v_valid_q, a_due_q, b_due_q, v_due_q;
  reg [KEY_WIDTH-1:0]       a_key_q, b_key_q, v_key_q;
  reg [KSR_WIDTH-1:0]       a_ksr_q, b_ksr_q, v_ksr_q;
  reg [CONTEXT_ADDRESS-1:0] a_context_q, b_context_q;
  reg                       a_below_q, v_below_a_q, v_below_b_q;
  reg                       first_valid_q, others_q;
  reg [CONTEXT_ADDRESS-1:0] first_context_q;

  reg                       a_valid, b_valid, v_valid, a_due, b_due, v_due;
  reg [KEY_WIDTH-1:0]       a_key, b_key, v_key;
  reg [KSR_WIDTH-1:0]       a_ksr, b_ksr, v_ksr;
  reg [CONTEXT_ADDRESS-1:0] a_context, b_context;
  reg                       a_below, v_below_a, v_below_b;
  reg                       first_valid, others;
  reg [CONTEXT_ADDRESS-1:0] first_context;

  reg                       counts, uncovered, holds, due, above_a, above_b, above_v, same_a, same_b, same_v;
  reg [KEY_WIDTH-1:0]       key, to_a, to_b, to_v;
  reg [KSR_WIDTH-1:0]       ksr;
  reg [CONTEXT_ADDRESS-1:0] context_of;
  reg                       takes_a, takes_b, takes_v;

  // The runner-up: of the uncovered kernels that draw from another row of tokens than A, the first with the greatest key.
  wire                 r_valid_now, a_first_now; // A was before it
  wire [KEY_WIDTH-1:0] r_key_now;
  reg                  r_valid, a_first, same_row;
  reg [KEY_WIDTH-1:0]  r_key, to_r;

  integer lane;
  always @* begin
    {a_valid, a_due, a_key, a_ksr, a_context} = {a_valid_q, a_due_q, a_key_q, a_ksr_q, a_context_q};
    {b_valid, b_due, b_key, b_ksr, b_context} = {b_valid_q, b_due_q, b_key_q, b_ksr_q, b_context_q};
    {v_valid, v_due, v_key, v_ksr}            = {v_valid_q, v_due_q, v_key_q, v_ksr_q};
    {a_below, v_below_a, v_below_b}           = {a_below_q, v_below_a_q, v_below_b_q};
    {first_valid, first_context, others}      = {first_valid_q, first_context_q, others_q};
    {r_valid, r_key, a_first}                 = {r_valid_now, r_key_now, a_first_now};
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin
      {counts, uncovered, holds, due, ksr, context_of, key} = entries_i[lane*ENTRY_WIDTH +: ENTRY_WIDTH];
      // Whatever is due is above what is not; keys are signed, and compared by their distance: of dues modulo 2^32.
      {to_a, to_b, to_v} = {a_key - key, b_key - key, v_key - key};
      same_a  = due == a_due && to_a == {KEY_WIDTH{1'b0}};
      same_b  = due == b_due && to_b == {KEY_WIDTH{1'b0}};
      same_v  = due == v_due && to_v == {KEY_WIDTH{1'b0}};
      above_a = due && !a_due || due == a_due && to_a[KEY_WIDTH-1];
      above_b = due && !b_due || due == b_due && to_b[KEY_WIDTH-1];
      above_v = due && !v_due || due == v_due && to_v[KEY_WIDTH-1];
      takes_a = counts && uncovered && (!a_valid || above_a);
      takes_b = counts && (!b_valid || above_b);
      takes_v = counts && holds && (!v_valid || !above_v && !same_v);

      if (takes_b)      a_below = !takes_a;
      else if (takes_a) a_below = !same_b;
      if (takes_v)      v_below_a = !takes_a && !above_a && !same_a;
      else if (takes_a) v_below_a = above_v;
      if (takes_v)      v_below_b = !takes_b && !above_b && !same_b;
      else if (takes_b) v_below_b = above_v;

      to_r     = r_key - key;
      same_row = by_process_i && context_of == a_context;
      if (takes_a) begin
        if (a_valid && !same_row) {r_valid, r_key} = {1'b1, a_key};
        a_first = 1'b0;
      end else if (counts && uncovered && !same_row && (!r_valid || to_r[KEY_WIDTH-1])) begin
        {r_valid, r_key, a_first} = {1'b1, key, 1'b1};
      end

      if (takes_a) {a_valid, a_due, a_key, a_ksr, a_context} = {1'b1, due, key, ksr, context_of};
      if (takes_b) {b_valid, b_due, b_key, b_ksr, b_context} = {1'b1, due, key, ksr, context_of};
      if (takes_v) {v_valid, v_due, v_key, v_ksr}            = {1'b1, due, key, ksr};
      if (counts) begin
        others = others || first_valid && !(by_process_i && context_of == first_context);
        if (!first_valid) {first_valid, first_context} = {1'b1, context_of};
      end
    end
  end

  // 2. The best so far.
  always @(posedge clk_i) begin
    if (begins_i) begin
      {a_valid_q, b_valid_q, v_valid_q, first_valid_q, others_q} <= 5'd0;
    end else if (compares_i) begin
      {a_valid_q, a_due_q, a_key_q, a_ksr_q, a_context_q} <= {a_valid, a_due, a_key, a_ksr, a_context};
      {b_valid_q, b_due_q, b_key_q, b_ksr_q, b_context_q} <= {b_valid, b_due, b_key, b_ksr, b_context};
      {v_valid_q, v_due_q, v_key_q, v_ksr_q}              <= {v_valid, v_due, v_key, v_ksr};
      {a_below_q, v_below_a_q, v_below_b_q}               <= {a_below, v_below_a, v_below_b};
      {first_valid_q, first_context_q, others_q}          <= {first_valid, first_context, others};
    end
  end
  assign a_o         = {a_valid_q, a_ksr_q, a_context_q};
  assign b_o         = {b_valid_q, b_ksr_q, b_context_q};
  assign v_o         = {v_valid_q, v_ksr_q};
  assign a_key_o     = a_key_q;
  assign a_below_b_o = a_below_q;
  assign v_below_a_o = v_below_a_q;
  assign v_below_b_o = v_below_b_q;
  assign others_o    = others_q;

  // 3. Budgets: A gets what it has tokens for, or one SM in debt, or any number where debt goes on; and not more than
  // what it has above the runner-up, and one more where it comes first.
  generate
    if (HAS_TOKENS) begin : g_runner_up
      localparam [TOKEN_WIDTH-1:0] ONE = 1, ANY_NUMBER = {1'b0, {(TOKEN_WIDTH-1){1'b1}}};
      reg                   r_valid_q, a_first_q;
      reg [TOKEN_WIDTH-1:0] r_key_q;
      always @(posedge clk_i) begin
        if (begins_i)        r_valid_q <= 1'b0;
        else if (compares_i) {r_valid_q, r_key_q, a_first_q} <= {r_valid, r_key[TOKEN_WIDTH-1:0], a_first};
      end
      assign r_valid_now = r_valid_q;
      assign r_key_now   = {{(KEY_WIDTH-TOKEN_WIDTH){r_key_q[TOKEN_WIDTH-1]}}, r_key_q};
      assign a_first_now = a_first_q;
      wire [KEY_WIDTH-1:0]   gap = a_key_q - v_key_q;
      assign is_far_o = !gap[KEY_WIDTH-1] && |gap[KEY_WIDTH-2:1];
      wire [TOKEN_WIDTH-1:0] tokens = a_key_q[TOKEN_WIDTH-1:0];
      wire [TOKEN_WIDTH-1:0] most   = owes_on_i ? ANY_NUMBER : !tokens[TOKEN_WIDTH-1] && |tokens ? tokens : ONE;
      wire [TOKEN_WIDTH-1:0] lead   = tokens - r_key_q + {{(TOKEN_WIDTH-1){1'b0}}, a_first_q}; // never below 1
      wire [TOKEN_WIDTH-1:0] limit  = r_valid_q && lead < most ? lead : most;
      wire unused_sign = limit[TOKEN_WIDTH-1];
      assign limit_o = limit[TOKEN_WIDTH-2:0];
    end else begin : g_no_runner_up
      wire unused_runner_up = &{1'b0, owes_on_i, r_valid, r_key, a_first};
      assign r_valid_now = 1'b0;
      assign r_key_now   = {KEY_WIDTH{1'b0}};
      assign a_first_now = 1'b0;
      assign is_far_o    = 1'b0;
      assign limit_o     = {(TOKEN_WIDTH-1){1'b0}};
    end
  endgenerate

endmodule
