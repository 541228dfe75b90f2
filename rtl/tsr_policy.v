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
  input  [POLICY_WIDTH-1:0]    policy_i,
  // A turn that is kept: only kernels of its context get SMs, and only while they may.
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
  output [MOVE_WIDTH-1:0]      move_o
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"
`include "tsr_buses.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;

  // 1. The policy register, and the rules.
  wire             shared     = policy_i[POLICY_SHARED];     // access
  wire             all        = policy_i[POLICY_ALL];        // exclusive scope
  wire             by_process = policy_i[POLICY_BY_PROCESS]; // token scope
  wire [1:0]       debt       = policy_i[POLICY_DEBT +: 2];
  wire             is_kept    = policy_i[POLICY_KEPT];
  wire             of_gpu     = policy_i[POLICY_OF_GPU];     // no SM is taken away for a kept turn
  wire [RULES-1:0] rules      = policy_i[POLICY_RULES +: RULES];
  wire of_first_key    = |(rules & A_OF_FIRST_KEY);
  wire of_context      = |(rules & A_OF_FIRST_CONTEXT);
  wire of_scope_all    = |(rules & B_OF_SCOPE_ALL);
  wire has_budgets     = |(rules & HAS_BUDGETS);
  wire takes_always    = |(rules & TAKES_ALWAYS);
  wire takes_if_richer = |(rules & TAKES_IF_RICHER);
  wire takes_in_turn   = |(rules & TAKES_IN_TURN);
  wire in_partitions   = |(rules & IN_PARTITIONS);

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
    .clk_i(clk_i), .by_process_i(by_process), .begins_i(begins_i), .compares_i(compares_i), .entries_i(entries_i),
    .a_o({a_valid, a_ksr, a_context}), .b_o({b_valid, b_ksr, b_context}),
    .v_o({v_valid, move_o[MOVE_VICTIM +: KSR_WIDTH]}), .a_key_o(a_key), .a_below_b_o(a_below_b),
    .v_below_a_o(v_below_a), .v_below_b_o(v_below_b), .is_far_o(is_far), .others_o(others), .owes_on_i(owes_on),
    .limit_o(move_o[MOVE_LIMIT +: TOKEN_WIDTH-1]));

  // 3. The candidate: A, if it may have an SM; else B.
  wire same_context = a_context == b_context;
  wire is_shared    = shared && !is_kept;
  wire a_may        = a_valid && (is_shared || !(of_first_key && a_below_b || of_context && !same_context)) &&
                      (!is_kept || turn_may_i && a_context == turn_i);
  wire b_may        = b_valid && of_scope_all && !shared && all;

  // 4. An idle SM.
  wire has_tokens    = !a_key[KEY_WIDTH-1] && |a_key;
  assign owes_on     = debt == DEBT_ALWAYS || (debt == DEBT_GAP || debt == DEBT_LONE) && !others;
  wire may_owe       = owes_on || debt == DEBT_GAP && (is_far || !v_valid);
  wire may_have_idle = !has_budgets || has_tokens || may_owe;
  wire gets_kept     = a_key[3:0] >= linger_priority_i; // under other policies all idle SMs are free
  wire sees_idle     = a_may && (gets_kept ? any_idle_i : any_free_i);
  assign assigns_o   = sees_idle && may_have_idle;
  assign withholds_o = sees_idle && !may_have_idle;

  // 5. One that is taken away.
  wire takes_away  = takes_always || takes_if_richer && v_valid && is_far ||
                     takes_in_turn && same_context && !(is_kept && of_gpu);
  wire of_foreign  = in_partitions && any_foreign_i;
  wire is_below    = v_valid && (a_may ? v_below_a : v_below_b);
  assign takes_o   = (a_may || b_may) && !assigns_o && takes_away && (of_foreign || is_below);

  // 6. What the move is, for its job.
  reg    is_a_q, is_take_q;
  always @(posedge clk_i) if (judges_i) {is_a_q, is_take_q} <= {a_may, takes_o};
  assign move_o[MOVE_IS_TAKE]          = is_take_q;
  assign move_o[MOVE_TAKES_IDLE]       = is_a_q; // the candidate
  assign move_o[MOVE_GETS_KEPT]        = gets_kept;
  assign move_o[MOVE_KSR +: KSR_WIDTH] = is_a_q ? a_ksr : b_ksr;
  assign top_valid_o   = b_valid;
  assign top_context_o = b_context;
  generate
    if (HAS_PARTITIONS) begin : g_foreign
      reg of_foreign_q;
      always @(posedge clk_i) if (judges_i) of_foreign_q <= of_foreign;
      assign move_o[MOVE_OF_FOREIGN] = of_foreign_q;
    end else begin : g_no_foreign
      assign move_o[MOVE_OF_FOREIGN] = 1'b0;
    end
  endgenerate

endmodule
