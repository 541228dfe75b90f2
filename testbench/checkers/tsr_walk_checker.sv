// SPDX-License-Identifier: Apache-2.0
// What a walk of tsr_scheduler finds (timing.md 5.3, 5.4), worked out again from the tables as they are in the
// cycles in which its rows pass; and whose turn it is (3.6).
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_walk_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam int BEGIN = 1, WALK = 4, JUDGE = 6, MOVE = 7; // the core's states, a bit each
  int num_sms = NUM_SMS; // a variable, so that Verilator does not unroll loops

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire [RULES-1:0] rules = u_logical_tables.rules;
  wire kept   = tsr_scheduler.is_kept;
  wire shared = tsr_scheduler.shared_q && !kept, all = tsr_scheduler.all_q;
  wire is_written   = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire restarts     = is_written && u_logical_tables.restarts(tsr_scheduler.control_reg_i);
  wire policy_write = is_written && tsr_scheduler.control_reg_i == CONTROL_POLICY;

  // ---- rows on their way (5.3) --------------------------------------------------------------------------------------

  typedef struct packed {
    logic                        is_entry;   // of the active queue; else against whom an SM counts, or nobody
    logic [KSR_WIDTH-1:0]        ksr;
    logic [CONTEXT_ADDRESS-1:0]  context_of;
    logic [3:0]                  priority_of;
    logic                        has_due;
    logic [DUE_WIDTH-1:0]        due;
    logic                        uncovered, holds;
    logic signed [31:0]          left;       // tokens
    logic [31:0]                 distance;   // of its context from the turn
    logic                        sm_idle, sm_free, sm_counts, sm_reserved;
    logic [31:0]                 sm;
    logic                        foreign;    // against a kernel of another partition
  } row_t;
  typedef row_t [SEARCH_WIDTH-1:0] rows_t;

  rows_t passed, known, keyed, none; // in `e`, `e` + 1, `e` + 2
  int    step, in_step, turn;
  logic  is_second, tick_waits;

  function automatic logic is_changing_hands();
    for (int i = 0; i < num_sms; i++) begin
      if (u_smst.reserved_q[i] || u_smst.running_q[i] && !u_smst.active_q[i] || u_smst.restoring_q[i]) return 1'b1;
    end
    return 1'b0;
  endfunction

  // 5.8: of the partition that the step is about.
  function automatic logic is_of_step(logic [PARTITION_WIDTH-1:0] of);
    return u_logical_tables.has_partition && u_logical_tables.partition == of;
  endfunction

  function automatic row_t row_at(int index);
    row_t row;
    row    = '0;
    row.sm = index;
    if (index < NUM_KSRS && !is_second) begin
      row.is_entry = u_active_queue.valid_q[index];
      row.ksr      = u_active_queue.ksr_q[index*KSR_WIDTH +: KSR_WIDTH];
    end
    if (index < NUM_SMS) begin
      row.sm_idle     = !u_smst.running_q[index] && !u_smst.reserved_q[index] && !u_logical_tables.sm_full[index];
      row.sm_free     = row.sm_idle && !(u_linger.lingers_q && u_smst.kept_q[index]);
      row.sm_reserved = u_smst.reserved_q[index];
      if (is_second) begin
        row.ksr       = row.sm_reserved ? u_smst.next_q[index*KSR_WIDTH +: KSR_WIDTH] : u_smst.ksr_q[index*KSR_WIDTH +: KSR_WIDTH];
        row.sm_counts = (u_smst.running_q[index] || row.sm_reserved) && row.ksr != NO_KSR;
      end
    end
    if (index < NUM_SMS && |(rules & IN_PARTITIONS) && !is_of_step(u_logical_tables.sm_partition[index])) begin
      {row.sm_idle, row.sm_free, row.sm_counts} = '0;
    end
    return row;
  endfunction

  function automatic row_t with_status(row_t row);
    if (int'(row.ksr) < NUM_KSRS) begin
      row.is_entry    = row.is_entry && u_logical_tables.valid[int'(row.ksr)];
      row.context_of  = u_logical_tables.context_of[int'(row.ksr)];
      row.priority_of = u_logical_tables.priority_of[int'(row.ksr)];
      row.has_due     = u_logical_tables.has_due[int'(row.ksr)];
      row.due         = u_logical_tables.due[int'(row.ksr)];
      row.uncovered   = u_ksr_status.uncovered_q[int'(row.ksr)];
      row.holds       = u_ksr_status.holds_q[int'(row.ksr)];
    end
    return row;
  endfunction

  int token_row;
  function automatic row_t with_key(row_t row);
    token_row    = tsr_scheduler.by_process_q ? int'(row.context_of) : int'(row.ksr);
    row.left     = token_row < TOKEN_ROWS ? 32'($signed(u_tokens.left_q[token_row*TOKEN_WIDTH +: TOKEN_WIDTH])) : '0;
    row.foreign  = |(rules & IN_PARTITIONS) && int'(row.ksr) < NUM_KSRS &&
                   !is_of_step(u_logical_tables.partition_of[int'(row.ksr)]);
    row.is_entry = row.is_entry && !row.foreign;
    row.distance = (int'(row.context_of) + NUM_CONTEXTS - turn) % NUM_CONTEXTS;
    return row;
  endfunction

  // ---- keys, trackers, victims (5.4) --------------------------------------------------------------------------------

  logic a_found, b_found, idle_found, free_found, victim_found, first_found, is_lone;
  row_t a, b, victim, candidate, first;
  int   idle_sm, free_sm;

  // verilator lint_off UNUSEDSIGNAL
  // Of a row, each key looks at a field.
  function automatic logic is_above(row_t one, row_t other);
    if (|(rules & KEY_PRIORITY)) return one.priority_of > other.priority_of;
    if (|(rules & KEY_DUE))      return one.has_due && (!other.has_due || $signed(one.due - other.due) < 0);
    if (|(rules & KEY_TOKENS))   return one.left > other.left;
    return |(rules & KEY_NEARNESS) && one.distance < other.distance;
  endfunction

  // verilator lint_on UNUSEDSIGNAL
  function automatic logic is_same(row_t one, row_t other);
    return !is_above(one, other) && !is_above(other, one);
  endfunction

  task automatic compare(row_t row);
    if (!is_second) begin
      if (row.is_entry && row.uncovered && (!a_found || is_above(row, a))) {a_found, a} = {1'b1, row};
      if (row.is_entry) begin
        if (first_found && (!tsr_scheduler.by_process_q || row.context_of != first.context_of)) is_lone = 1'b0;
        if (!first_found) {first_found, first} = {1'b1, row};
      end
      if (row.is_entry && (|(rules & B_IS_POOREST) ? row.holds && (!b_found || is_above(b, row)) : !b_found || is_above(row, b)))
        {b_found, b} = {1'b1, row};
      if (row.sm_idle && !idle_found) begin
        idle_found = 1'b1;
        idle_sm    = int'(row.sm);
      end
      if (row.sm_free && !free_found) begin
        free_found = 1'b1;
        free_sm    = int'(row.sm);
      end
    end else if (row.sm_counts && is_victim(row)) begin
      if (!victim_found || is_lower_rank(row, victim) ||
          !is_lower_rank(victim, row) && row.sm_reserved && !victim.sm_reserved) {victim_found, victim} = {1'b1, row};
    end
  endtask

  function automatic logic is_lower_rank(row_t one, row_t other);
    if (one.foreign || other.foreign) return one.foreign && !other.foreign;
    return |(rules & VICTIMS_LOWER_KEYS) && is_above(other, one);
  endfunction

  function automatic logic is_victim(row_t row);
    if (row.foreign) return 1'b1;
    if (|(rules & VICTIMS_LOWER_KEYS)) return is_above(candidate, row);
    if (|(rules & VICTIMS_OF_B))       return row.ksr == b.ksr;
    return |(rules & VICTIMS_OTHER_CONTEXTS) && row.context_of != b.context_of;
  endfunction

  // ---- outcome ------------------------------------------------------------------------------------------------------

  function automatic logic may_have_idle();
    if (!(|(rules & HAS_BUDGETS)) || a.left > 0) return 1'b1;
    case (tsr_scheduler.debt_q)
      DEBT_ALWAYS: return 1'b1;
      DEBT_GAP:    return !b_found || a.left > b.left + 1 || is_lone;
      DEBT_LONE:   return is_lone;
      default:     return 1'b0;
    endcase
  endfunction

  logic a_may, b_may, takes_away, gets_kept, withheld;
  logic expects, expects_move, expects_walk; // in this cycle, after a JUDGE
  int   move_kind, move_sm;

  task automatic judge_first();
    a_may = a_found;
    if (|(rules & A_OF_FIRST_KEY))     a_may = a_may && (shared || is_same(a, b));
    if (|(rules & A_OF_FIRST_CONTEXT)) a_may = a_may && (shared || a.context_of == b.context_of);
    if (kept) a_may = a_may && tsr_scheduler.turn_may && a.context_of == u_search.u_turn.turn_o;
    b_may = !a_may && b_found && |(rules & B_OF_SCOPE_ALL) && !shared && all;
    takes_away = |(rules & TAKES_ALWAYS);
    if (|(rules & TAKES_IF_RICHER)) takes_away = b_found && a.left > b.left + 1;
    if (|(rules & TAKES_IN_TURN))   takes_away = a.context_of == b.context_of && !(kept && tsr_scheduler.of_gpu);
    candidate    = a_may ? a : b;
    gets_kept    = !(|(rules & KEEPS_SMS)) || a.priority_of >= u_linger.priority_q;
    expects_move = a_may && may_have_idle() && (gets_kept ? idle_found : free_found);
    expects_walk = !expects_move && (a_may || b_may) && takes_away;
    withheld     = a_may && !may_have_idle() && idle_found;
    move_kind    = int'(ASSIGN);
    move_sm      = gets_kept ? idle_sm : free_sm;
  endtask

  task automatic judge_second();
    expects_move = victim_found;
    expects_walk = 1'b0;
    move_kind    = victim.sm_reserved ? int'(RETARGET) : int'(RESERVE);
    move_sm      = int'(victim.sm);
  endtask

  task automatic check_outcome();
    outcome_is_what_the_rows_say: assert (u_search.state_q[MOVE] == expects_move && u_search.state_q[WALK] == expects_walk);
    move_is_what_the_rows_say: assert (!expects_move || int'(tsr_scheduler.move_kind) == move_kind &&
      int'(tsr_scheduler.move_sm) == move_sm && tsr_scheduler.move_ksr == candidate.ksr &&
      tsr_scheduler.takes_idle == a_may);
    withheld_says_the_rule: assert (tsr_scheduler.events_withheld_o ==
      (tsr_scheduler.events_policy_decided_o && withheld));
    move_is_from_the_victim: assert (!expects_move || !is_second || tsr_scheduler.claimant == victim.ksr);
  endtask

  // ---- turn (3.6) ---------------------------------------------------------------------------------------------------

  // A kept turn is looked at in tsr_turn_checker.sv.
  task automatic step_turn();
    if (kept) turn = tsr_scheduler.sets_turn ? int'(tsr_scheduler.next_turn) : turn;
    else if (u_search.state_q[BEGIN] && tick_waits) turn = (turn + 1) % NUM_CONTEXTS;
    else if (u_search.state_q[JUDGE] && !is_second && !restarts && |(rules & TAKES_TURNS) && b_found) turn = int'(b.context_of);
    tick_waits = !kept && tsr_scheduler.slice_tick_i && |(rules & TAKES_TURNS) && !is_changing_hands() ||
                 tick_waits && !u_search.state_q[BEGIN];
    if (policy_write) {turn, tick_waits} = '0;
  endtask

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {step, in_step, turn, expects, expects_move, expects_walk, is_second, tick_waits} = '0;
      {a_found, b_found, idle_found, free_found, victim_found, first_found} = '0;
      {passed, known, keyed, none, a, b, victim, candidate, first} = '0;
      is_lone = 1'b1;
    end else begin
      turn_is_whose_it_is: assert (int'(u_search.u_turn.turn_o) == turn);
      if (expects) check_outcome();
      if (expects && expects_walk) is_second = 1'b1;
      if (u_search.state_q[BEGIN]) begin
        {is_second, a_found, b_found, idle_found, free_found, victim_found, first_found} = '0;
        is_lone = 1'b1;
        {passed, known, keyed} = '0;
      end
      if (!u_search.state_q[WALK]) {step, in_step} = '0;
      for (int lane = 0; lane < SEARCH_WIDTH; lane++) compare(keyed[lane]);
      for (int lane = 0; lane < SEARCH_WIDTH; lane++) keyed[lane] = with_key(known[lane]);
      for (int lane = 0; lane < SEARCH_WIDTH; lane++) known[lane] = with_status(passed[lane]);
      passed = none;
      if (u_search.state_q[WALK]) begin
        in_step = in_step + 1;
        if (in_step == int'(tsr_scheduler.strap_search_step_cycles_i)) begin
          for (int lane = 0; lane < SEARCH_WIDTH; lane++) passed[lane] = row_at(step * SEARCH_WIDTH + lane);
          step    = step + 1;
          in_step = 0;
        end
      end
      expects = u_search.state_q[JUDGE] && !restarts;
      if (expects && is_second) judge_second();
      else if (expects) judge_first();
      step_turn();
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
