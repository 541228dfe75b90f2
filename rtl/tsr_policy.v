// SPDX-License-Identifier: Apache-2.0
// What a scheduling policy finds ([T14] 3.4, timing.md 5.4): by its rules, the outcome of what the trackers have kept of
// the kernels, and of what is seen of the SMs.
module tsr_policy #(
`include "tsr_sizes.vh"
  , parameter KEY_WIDTH = TOKEN_WIDTH + 1,
  // Not to be set: an entry of a walk (tsr_trackers.v).
  parameter ENTRY_WIDTH = 4 + KSR_WIDTH + CONTEXT_ADDRESS + KEY_WIDTH
) (
  input                        clk_i,
  input  [19:0]                rules_i,
  input                        shared_i,      // access
  input                        all_i,         // exclusive scope
  input  [1:0]                 debt_i,
  input                        by_process_i,  // token scope
  // A turn that is kept: only kernels of its context get SMs, and only while they may.
  input                        is_kept_i,
  input                        of_gpu_i,      // and none is taken away for them
  input                        turn_may_i,
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  // The walk.
  input                        begins_i,
  input                        compares_i,    // entries pass, a lane each
  input  [SEARCH_WIDTH*ENTRY_WIDTH-1:0] entries_i,
  input                        judges_i,
  // SMs, as they were in the cycle before.
  input                        any_idle_i,
  input                        any_free_i,    // and not kept by a linger
  input                        any_foreign_i, // counts against a kernel of another partition
  input  [3:0]                 linger_priority_i,
  // Outcome, in JUDGE.
  output                       assigns_o,     // idle SMs
  output                       takes_o,       // one away
  output                       withholds_o,   // SMs stay idle by rule
  output                       top_valid_o,   // tracker B's
  output [CONTEXT_ADDRESS-1:0] top_context_o,
  // From the next cycle on.
  output                       is_take_o,
  output                       of_foreign_o,  // from a kernel of another partition
  output                       takes_idle_o,  // the candidate
  output                       gets_kept_o,   // idle SMs that are kept, too
  output [KSR_WIDTH-1:0]       candidate_o,
  output [KSR_WIDTH-1:0]       victim_o,
  output [TOKEN_WIDTH-2:0]     limit_o        // of the SMs that are given, with budgets
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;

  // 1. The rules.
  wire of_first_key    = |(rules_i & A_OF_FIRST_KEY);
  wire of_context      = |(rules_i & A_OF_FIRST_CONTEXT);
  wire of_scope_all    = |(rules_i & B_OF_SCOPE_ALL);
  wire has_budgets     = |(rules_i & HAS_BUDGETS);
  wire takes_always    = |(rules_i & TAKES_ALWAYS);
  wire takes_if_richer = |(rules_i & TAKES_IF_RICHER);
  wire takes_in_turn   = |(rules_i & TAKES_IN_TURN);
  wire in_partitions   = |(rules_i & IN_PARTITIONS);

  // 2. Kernels.
  wire                       a_valid, b_valid, v_valid, a_below_b, v_below_a, v_below_b, is_far, others;
  wire [KSR_WIDTH-1:0]       a_ksr, b_ksr;
  wire [CONTEXT_ADDRESS-1:0] a_context, b_context;
  wire [KEY_WIDTH-1:0]       a_key;
  wire                       owes_on; // with each SM more
  tsr_trackers #(
`include "tsr_pass_sizes.vh"
    , .KEY_WIDTH(KEY_WIDTH)
  ) u_trackers (
    .clk_i(clk_i), .by_process_i(by_process_i), .begins_i(begins_i), .compares_i(compares_i), .entries_i(entries_i),
    .a_o({a_valid, a_ksr, a_context}), .b_o({b_valid, b_ksr, b_context}), .v_o({v_valid, victim_o}), .a_key_o(a_key),
    .a_below_b_o(a_below_b), .v_below_a_o(v_below_a), .v_below_b_o(v_below_b), .is_far_o(is_far), .others_o(others),
    .owes_on_i(owes_on), .limit_o(limit_o));

  // 3. The candidate: A, if it may have an SM; else B.
  wire same_context = a_context == b_context;
  wire is_shared    = shared_i && !is_kept_i;
  wire a_may        = a_valid && (is_shared || !(of_first_key && a_below_b || of_context && !same_context)) &&
                      (!is_kept_i || turn_may_i && a_context == turn_i);
  wire b_may        = b_valid && of_scope_all && !shared_i && all_i;

  // 4. An idle SM.
  wire has_tokens    = !a_key[KEY_WIDTH-1] && |a_key;
  assign owes_on     = debt_i == DEBT_ALWAYS || (debt_i == DEBT_GAP || debt_i == DEBT_LONE) && !others;
  wire may_owe       = owes_on || debt_i == DEBT_GAP && (is_far || !v_valid);
  wire may_have_idle = !has_budgets || has_tokens || may_owe;
  wire sees_idle     = a_may && (gets_kept_o ? any_idle_i : any_free_i);
  assign gets_kept_o = a_key[3:0] >= linger_priority_i; // under other policies all idle SMs are free
  assign assigns_o   = sees_idle && may_have_idle;
  assign withholds_o = sees_idle && !may_have_idle;

  // 5. One that is taken away.
  wire takes_away  = takes_always || takes_if_richer && v_valid && is_far ||
                     takes_in_turn && same_context && !(is_kept_i && of_gpu_i);
  wire of_foreign  = in_partitions && any_foreign_i;
  wire is_below    = v_valid && (a_may ? v_below_a : v_below_b);
  assign takes_o   = (a_may || b_may) && !assigns_o && takes_away && (of_foreign || is_below);

  // 6. What the move is, for its job.
  reg    is_a_q, is_take_q;
  always @(posedge clk_i) if (judges_i) {is_a_q, is_take_q} <= {a_may, takes_o};
  assign is_take_o     = is_take_q;
  assign takes_idle_o  = is_a_q;
  assign candidate_o   = is_a_q ? a_ksr : b_ksr;
  assign top_valid_o   = b_valid;
  assign top_context_o = b_context;
  generate
    if (HAS_PARTITIONS) begin : g_foreign
      reg of_foreign_q;
      always @(posedge clk_i) if (judges_i) of_foreign_q <= of_foreign;
      assign of_foreign_o = of_foreign_q;
    end else begin : g_no_foreign
      assign of_foreign_o = 1'b0;
    end
  endgenerate

endmodule
