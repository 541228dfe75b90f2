// SPDX-License-Identifier: Apache-2.0
// What a scheduling policy finds ([T14] 3.4, timing.md 5.4). Rows of kernels and SMs pass with a key, from which two
// trackers and the finder of a victim make the search's outcome, by the policy's rules.
module tsr_policy #(
`include "tsr_sizes.vh"
  , parameter KEY_WIDTH = TOKEN_WIDTH + 1
) (
  input                        clk_i,
  input  [23:0]                rules_i,
  input                        shared_i,      // access
  input                        all_i,         // exclusive scope
  input  [1:0]                 debt_i,
  input                        by_process_i,  // token scope
  // A turn that is kept: only kernels of its context get SMs, and only while they may.
  input                        is_kept_i,
  input                        of_gpu_i,      // and none is taken away for them
  input                        turn_may_i,
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  input                        begins_i,      // a first walk
  input                        judges_i,      // the first walk: its candidate is kept
  input                        looks_on_i,    // a second walk begins
  input                        passes_i,      // rows, in `row_i` x SEARCH_WIDTH and behind
  input                        is_second_i,
  input  [SM_WIDTH-1:0]        row_i,
  // The rows, a lane each: a kernel (of the active queue, or that the SM counts against), and an SM.
  input  [SEARCH_WIDTH-1:0]                 in_queue_i,
  input  [SEARCH_WIDTH-1:0]                 uncovered_i,
  input  [SEARCH_WIDTH-1:0]                 holds_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       ksr_i,
  input  [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] context_i,
  input  [SEARCH_WIDTH-1:0]                 has_due_i,
  input  [SEARCH_WIDTH*KEY_WIDTH-1:0]       key_i,        // signed
  input  [SEARCH_WIDTH-1:0]                 is_idle_i,
  input  [SEARCH_WIDTH-1:0]                 is_free_i,    // idle, and not kept by a linger
  input  [3:0]                              linger_priority_i,
  input  [SEARCH_WIDTH-1:0]                 counts_i,
  input  [SEARCH_WIDTH-1:0]                 is_reserved_i,
  input  [SEARCH_WIDTH-1:0]                 is_foreign_i, // counts against a kernel of another partition
  // Outcome.
  output                       assigns_o,     // of the first walk: an idle SM
  output                       withholds_o,   // it stays idle by rule
  output                       goes_on_o,     // with a second walk
  output                       found_o,       // of the second walk: a victim
  output                       takes_idle_o,  // the candidate
  output [KSR_WIDTH-1:0]       candidate_o,
  output [SM_WIDTH-1:0]        idle_sm_o,
  output [SM_WIDTH-1:0]        victim_sm_o,
  output                       victim_reserved_o,
  output [KSR_WIDTH-1:0]       victim_ksr_o,
  output                       top_valid_o,
  output [CONTEXT_ADDRESS-1:0] top_context_o  // tracker B's
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam HAS_DUES       = (POLICIES & policies_with(ANY_DUE)) != 0;
  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;

  // 1. The rules.
  wire b_is_poorest    = |(rules_i & B_IS_POOREST);
  wire of_first_key    = |(rules_i & A_OF_FIRST_KEY);
  wire of_context      = |(rules_i & A_OF_FIRST_CONTEXT);
  wire of_scope_all    = |(rules_i & B_OF_SCOPE_ALL);
  wire has_budgets     = |(rules_i & HAS_BUDGETS);
  wire takes_always    = |(rules_i & TAKES_ALWAYS);
  wire takes_if_richer = |(rules_i & TAKES_IF_RICHER);
  wire takes_in_turn   = |(rules_i & TAKES_IN_TURN);
  wire from_lower      = |(rules_i & VICTIMS_LOWER_KEYS);
  wire from_b          = |(rules_i & VICTIMS_OF_B);
  wire from_others     = |(rules_i & VICTIMS_OTHER_CONTEXTS);
  wire in_partitions   = |(rules_i & IN_PARTITIONS);

  // The greater key: of dues, whatever is due before what is not, and then modulo 2^32.
  function is_greater(input due, input [KEY_WIDTH-1:0] key, input than_due, input [KEY_WIDTH-1:0] than);
    reg [KEY_WIDTH-1:0] distance;
    begin
      distance   = than - key;
      is_greater = due && !than_due || due == than_due && distance[KEY_WIDTH-1];
    end
  endfunction

  // 2. Trackers: A of the uncovered kernels, B of all; or B has the lowest key of
  // those that hold an SM.
  reg                       a_valid_q, b_valid_q, a_due_q, b_due_q, idle_found_q, free_found_q;
  reg                       a_below_q;     // B's key is above A's
  reg                       first_valid_q, others_q; // kernels of other budgets than the first's
  reg [CONTEXT_ADDRESS-1:0] first_context_q;
  reg [KEY_WIDTH-1:0]       a_key_q, b_key_q;
  reg [KSR_WIDTH-1:0]       a_ksr_q, b_ksr_q;
  reg [CONTEXT_ADDRESS-1:0] a_context_q, b_context_q;
  reg [SM_WIDTH-1:0]        idle_sm_q, free_sm_q;
  reg                       a_valid, b_valid, a_due, b_due, idle_found, free_found;
  reg [KEY_WIDTH-1:0]       a_key, b_key, key, to_b;
  reg [KSR_WIDTH-1:0]       a_ksr, b_ksr;
  reg [CONTEXT_ADDRESS-1:0] a_context, b_context;
  reg [SM_WIDTH-1:0]        idle_sm, free_sm;
  reg                       a_below, takes_a, takes_b, is_same, is_better, first_valid, others;
  reg [CONTEXT_ADDRESS-1:0] first_context;
  integer lane;
  always @* begin
    {a_valid, a_due, a_key, a_ksr, a_context} = {a_valid_q, a_due_q, a_key_q, a_ksr_q, a_context_q};
    {b_valid, b_due, b_key, b_ksr, b_context} = {b_valid_q, b_due_q, b_key_q, b_ksr_q, b_context_q};
    {a_below, idle_found, idle_sm, free_found, free_sm} =
      {a_below_q, idle_found_q, idle_sm_q, free_found_q, free_sm_q};
    {first_valid, first_context, others} = {first_valid_q, first_context_q, others_q};
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin
      key = key_i[lane*KEY_WIDTH +: KEY_WIDTH];
      to_b      = b_key - key;
      is_same   = has_due_i[lane] == b_due && to_b == {KEY_WIDTH{1'b0}};
      is_better = b_is_poorest ? !to_b[KEY_WIDTH-1] && !is_same : is_greater(has_due_i[lane], key, b_due, b_key);
      takes_a   = in_queue_i[lane] && uncovered_i[lane] && (!a_valid || is_greater(has_due_i[lane], key, a_due, a_key));
      takes_b   = in_queue_i[lane] && (holds_i[lane] || !b_is_poorest) && (!b_valid || is_better);
      if (takes_b)      a_below = !takes_a;
      else if (takes_a) a_below = !is_same;
      if (takes_a) begin
        {a_valid, a_due, a_key, a_ksr, a_context} =
          {1'b1, has_due_i[lane], key, ksr_i[lane*KSR_WIDTH +: KSR_WIDTH],
           context_i[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS]};
      end
      if (takes_b) begin
        {b_valid, b_due, b_key, b_ksr, b_context} =
          {1'b1, has_due_i[lane], key, ksr_i[lane*KSR_WIDTH +: KSR_WIDTH],
           context_i[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS]};
      end
      if (in_queue_i[lane]) begin
        others = others || first_valid && !(by_process_i &&
                                            context_i[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] == first_context);
        if (!first_valid)
          {first_valid, first_context} = {1'b1, context_i[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS]};
      end
      if (is_idle_i[lane] && !idle_found)
        {idle_found, idle_sm} = {1'b1, row_i * SEARCH_WIDTH[SM_WIDTH-1:0] + lane[SM_WIDTH-1:0]};
      if (is_free_i[lane] && !free_found)
        {free_found, free_sm} = {1'b1, row_i * SEARCH_WIDTH[SM_WIDTH-1:0] + lane[SM_WIDTH-1:0]};
    end
  end
  always @(posedge clk_i) begin
    if (begins_i) begin
      {a_valid_q, b_valid_q, idle_found_q, free_found_q, first_valid_q, others_q} <= 6'd0;
    end else if (passes_i && !is_second_i) begin
      {a_valid_q, a_due_q, a_key_q, a_ksr_q, a_context_q} <= {a_valid, a_due, a_key, a_ksr, a_context};
      {b_valid_q, b_due_q, b_key_q, b_ksr_q, b_context_q} <= {b_valid, b_due, b_key, b_ksr, b_context};
      {a_below_q, idle_found_q, idle_sm_q} <= {a_below, idle_found, idle_sm};
      {free_found_q, free_sm_q} <= {free_found, free_sm};
      {first_valid_q, first_context_q, others_q} <= {first_valid, first_context, others};
    end
  end

  // 3. Outcome of the first walk.
  // Dues compare too slowly here.
  wire is_below      = HAS_DUES ? a_below_q : is_greater(b_due_q, b_key_q, a_due_q, a_key_q);
  wire same_context  = a_context_q == b_context_q;
  wire is_shared     = shared_i && !is_kept_i;
  wire a_may         = a_valid_q && (is_shared || !(of_first_key && is_below || of_context && !same_context)) &&
                       (!is_kept_i || turn_may_i && a_context_q == turn_i);
  wire b_may         = b_valid_q && of_scope_all && !shared_i && all_i;
  wire [KEY_WIDTH-1:0] gap = a_key_q - b_key_q;
  wire is_far        = !gap[KEY_WIDTH-1] && |gap[KEY_WIDTH-2:1]; // two tokens or more
  wire takes_away    = takes_always || takes_if_richer && b_valid_q && is_far || takes_in_turn && same_context && !(is_kept_i && of_gpu_i);
  wire has_tokens    = !a_key_q[KEY_WIDTH-1] && |a_key_q;
  wire may_owe       = debt_i == DEBT_ALWAYS || debt_i == DEBT_GAP && (is_far || !b_valid_q) ||
                       (debt_i == DEBT_GAP || debt_i == DEBT_LONE) && !others_q;
  wire may_have_idle = !has_budgets || has_tokens || may_owe;

  wire                 gets_kept = a_key_q[3:0] >= linger_priority_i; // under other policies all idle SMs are free
  reg                  is_a_q, gets_kept_q; // the candidate is A
  always @(posedge clk_i) if (judges_i) {is_a_q, gets_kept_q} <= {a_may, gets_kept};
  assign takes_idle_o  = is_a_q;
  assign candidate_o   = is_a_q ? a_ksr_q : b_ksr_q;
  wire                 sees_idle = a_may && (gets_kept ? idle_found_q : free_found_q);
  assign assigns_o     = sees_idle && may_have_idle;
  assign withholds_o   = sees_idle && !may_have_idle;
  assign goes_on_o     = (a_may || b_may) && !assigns_o && takes_away;
  assign idle_sm_o     = gets_kept_q ? idle_sm_q : free_sm_q;
  assign top_valid_o   = b_valid_q;
  assign top_context_o = b_context_q;

  // 4. The victim: a foreign one before all; the lowest key, if that is what the policy goes by; then reserved before
  // running; then the first SM.
  reg                   victim_found_q, victim_due_q, victim_reserved_q;
  wire                  was_foreign; // the victim so far
  reg [KEY_WIDTH-1:0]   victim_key_q;
  reg [SM_WIDTH-1:0]    victim_sm_q;
  reg [KSR_WIDTH-1:0]   victim_ksr_q;
  reg                   victim_found, victim_due, victim_reserved, victim_foreign, foreign, is_lower, is_higher;
  reg [KEY_WIDTH-1:0]   victim_key, row_key;
  reg [SM_WIDTH-1:0]    victim_sm;
  reg [KSR_WIDTH-1:0]   victim_ksr;
  reg                   is_victim;
  wire                  candidate_due = is_a_q ? a_due_q : b_due_q;
  wire [KEY_WIDTH-1:0]  candidate_key = is_a_q ? a_key_q : b_key_q;
  integer row;
  always @* begin
    {victim_found, victim_due, victim_key, victim_sm, victim_reserved, victim_foreign, victim_ksr} =
      {victim_found_q, victim_due_q, victim_key_q, victim_sm_q, victim_reserved_q, was_foreign, victim_ksr_q};
    for (row = 0; row < SEARCH_WIDTH; row = row + 1) begin
      row_key   = key_i[row*KEY_WIDTH +: KEY_WIDTH];
      foreign   = in_partitions && is_foreign_i[row];
      is_victim = counts_i[row] && (foreign ||
                                    from_lower && is_greater(candidate_due, candidate_key, has_due_i[row], row_key) ||
                                    from_b && ksr_i[row*KSR_WIDTH +: KSR_WIDTH] == b_ksr_q ||
                                    from_others && context_i[row*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] != b_context_q);
      is_lower  = foreign ? !victim_foreign :
                  from_lower && !victim_foreign && is_greater(victim_due, victim_key, has_due_i[row], row_key);
      is_higher = victim_foreign ? !foreign :
                  from_lower && !foreign && is_greater(has_due_i[row], row_key, victim_due, victim_key);
      if (is_victim && (!victim_found || is_lower || !is_higher && is_reserved_i[row] && !victim_reserved)) begin
        {victim_found, victim_due, victim_key, victim_sm, victim_reserved, victim_foreign, victim_ksr} =
          {1'b1, has_due_i[row], row_key, row_i * SEARCH_WIDTH[SM_WIDTH-1:0] + row[SM_WIDTH-1:0], is_reserved_i[row],
           foreign, ksr_i[row*KSR_WIDTH +: KSR_WIDTH]};
      end
    end
  end
  always @(posedge clk_i) begin
    if (looks_on_i) begin
      victim_found_q <= 1'b0;
    end else if (passes_i && is_second_i) begin
      {victim_found_q, victim_due_q, victim_key_q, victim_sm_q, victim_reserved_q, victim_ksr_q} <=
        {victim_found, victim_due, victim_key, victim_sm, victim_reserved, victim_ksr};
    end
  end
  generate
    if (HAS_PARTITIONS) begin : g_foreign
      reg victim_foreign_q;
      always @(posedge clk_i) if (passes_i && is_second_i && !looks_on_i) victim_foreign_q <= victim_foreign;
      assign was_foreign = victim_foreign_q;
    end else begin : g_no_foreign
      wire unused_foreign = &{1'b0, victim_foreign};
      assign was_foreign = 1'b0;
    end
  endgenerate
  assign found_o           = victim_found_q;
  assign victim_sm_o       = victim_sm_q;
  assign victim_reserved_o = victim_reserved_q;
  assign victim_ksr_o      = victim_ksr_q;

endmodule
