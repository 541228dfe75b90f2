// SPDX-License-Identifier: Apache-2.0
// What a walk of tsr_scheduler finds (timing.md 5.3, 5.4), worked out again from the tables as they are in the
// cycles in which its entries pass, and from the SMs as they were before JUDGE; and whose turn it is (3.6).
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Of an entry, each question looks at a few fields.
// verilator lint_off UNUSEDSIGNAL
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
  wire shared = tsr_scheduler.u_policy_register.shared_q && !kept, all = tsr_scheduler.u_policy_register.all_q;
  wire is_written   = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire restarts     = is_written && u_logical_tables.restarts(tsr_scheduler.control_reg_i);
  wire policy_write = is_written && tsr_scheduler.control_reg_i == CONTROL_POLICY;

  // ---- entries on their way (5.3) -----------------------------------------------------------------------------------

  typedef struct packed {
    logic                        counts;     // an entry of the active queue
    logic [KSR_WIDTH-1:0]        ksr;
    logic [CONTEXT_ADDRESS-1:0]  context_of;
    logic [3:0]                  priority_of;
    logic                        has_due;
    logic [DUE_WIDTH-1:0]        due;
    logic                        uncovered, holds;
    logic signed [31:0]          left;       // tokens
    logic [31:0]                 distance;   // of its context from the turn
  } entry_t;
  typedef entry_t [SEARCH_WIDTH-1:0] entries_t;

  entries_t passed, known, keyed, none; // in `e`, `e` + 1, `e` + 2
  int       step, in_step, turn;
  logic     tick_waits;

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

  function automatic entry_t entry_at(int index);
    entry_t entry;
    entry = '0;
    if (index < NUM_KSRS) begin
      entry.counts = u_active_queue.valid_q[index];
      entry.ksr    = u_active_queue.ksr_q[index*KSR_WIDTH +: KSR_WIDTH];
    end
    return entry;
  endfunction

  function automatic entry_t with_status(entry_t entry);
    if (int'(entry.ksr) < NUM_KSRS) begin
      entry.counts      = entry.counts && u_logical_tables.valid[int'(entry.ksr)];
      entry.context_of  = u_logical_tables.context_of[int'(entry.ksr)];
      entry.priority_of = u_logical_tables.priority_of[int'(entry.ksr)];
      entry.has_due     = u_logical_tables.has_due[int'(entry.ksr)];
      entry.due         = u_logical_tables.due[int'(entry.ksr)];
      entry.uncovered   = u_ksr_status.uncovered_q[int'(entry.ksr)];
      entry.holds       = u_ksr_status.holds_q[int'(entry.ksr)];
    end
    return entry;
  endfunction

  function automatic int token_row_of(entry_t entry);
    return tsr_scheduler.u_policy_register.by_process_q ? int'(entry.context_of) : int'(entry.ksr);
  endfunction

  int token_row;
  function automatic entry_t with_key(entry_t entry);
    token_row      = token_row_of(entry);
    entry.left     = token_row < TOKEN_ROWS ? 32'($signed(u_tokens.left_q[token_row*TOKEN_WIDTH +: TOKEN_WIDTH])) : '0;
    entry.counts   = entry.counts && !(|(rules & IN_PARTITIONS) && int'(entry.ksr) < NUM_KSRS &&
                                       !is_of_step(u_logical_tables.partition_of[int'(entry.ksr)]));
    entry.distance = (int'(entry.context_of) + NUM_CONTEXTS - turn) % NUM_CONTEXTS;
    return entry;
  endfunction

  // ---- SMs, as they were in the cycle before JUDGE ------------------------------------------------------------------

  logic any_idle, any_free, any_foreign;

  function automatic logic counts_against_somebody(int sm);
    return u_smst.running_q[sm] || u_smst.reserved_q[sm] && u_smst.next_q[sm*KSR_WIDTH +: KSR_WIDTH] != NO_KSR;
  endfunction

  task automatic look_at_sms();
    {any_idle, any_free, any_foreign} = '0;
    for (int i = 0; i < num_sms; i++) begin
      if (!(|(rules & IN_PARTITIONS)) || is_of_step(u_logical_tables.sm_partition[i])) begin
        if (!u_smst.running_q[i] && !u_smst.reserved_q[i] && !u_logical_tables.sm_full[i]) begin
          any_idle = 1'b1;
          any_free = any_free || !(u_linger.lingers_q && u_smst.kept_q[i]);
        end
        any_foreign = any_foreign || |(rules & IN_PARTITIONS) && u_logical_tables.sm_foreign[i] && counts_against_somebody(i);
      end
    end
  endtask

  // ---- keys and trackers (5.4) --------------------------------------------------------------------------------------

  logic   a_found, b_found, v_found, first_found, is_lone;
  entry_t a, b, v, candidate, first;
  entry_t counted[NUM_KSRS]; // in the order of the queue
  int     num_counted;

  // Each key looks at a field.
  function automatic logic is_above(entry_t one, entry_t other);
    if (|(rules & KEY_PRIORITY)) return one.priority_of > other.priority_of;
    if (|(rules & KEY_DUE))      return one.has_due && (!other.has_due || $signed(one.due - other.due) < 0);
    if (|(rules & KEY_TOKENS))   return one.left > other.left;
    return |(rules & KEY_NEARNESS) && one.distance < other.distance;
  endfunction

  function automatic logic is_same(entry_t one, entry_t other);
    return !is_above(one, other) && !is_above(other, one);
  endfunction

  task automatic compare(entry_t entry);
    if (!entry.counts || num_counted == NUM_KSRS) return;
    counted[num_counted] = entry;
    num_counted = num_counted + 1;
    if (entry.uncovered && (!a_found || is_above(entry, a))) {a_found, a} = {1'b1, entry};
    if (!b_found || is_above(entry, b))                      {b_found, b} = {1'b1, entry};
    if (entry.holds && (!v_found || is_above(v, entry)))     {v_found, v} = {1'b1, entry};
    if (first_found && (!tsr_scheduler.u_policy_register.by_process_q || entry.context_of != first.context_of))
      is_lone = 1'b0;
    if (!first_found) {first_found, first} = {1'b1, entry};
  endtask

  // ---- outcome ------------------------------------------------------------------------------------------------------

  function automatic logic is_far(); // A from V
    return v_found && a.left > v.left + 1;
  endfunction

  function automatic logic may_have_idle();
    if (!(|(rules & HAS_BUDGETS)) || a.left > 0) return 1'b1;
    case (tsr_scheduler.u_policy_register.debt_q)
      DEBT_ALWAYS: return 1'b1;
      DEBT_GAP:    return !v_found || is_far() || is_lone;
      DEBT_LONE:   return is_lone;
      default:     return 1'b0;
    endcase
  endfunction

  logic   a_may, b_may, takes_away, may_have_kept, withheld, assigns, takes, of_foreign;
  logic   expects, expects_move; // in this cycle, after a JUDGE
  int     limit;                 // of SMs that an assign gives
  // For the jobs: what was found last. They look a cycle later.
  int     limit_q;
  entry_t runner_up;

  function automatic logic debt_goes_on();
    return tsr_scheduler.u_policy_register.debt_q == DEBT_ALWAYS ||
           is_lone && (tsr_scheduler.u_policy_register.debt_q == DEBT_GAP ||
                       tsr_scheduler.u_policy_register.debt_q == DEBT_LONE);
  endfunction

  // The next SM after them goes to another row's kernel, if the policy would choose that.
  task automatic limit_of_a();
    logic r_found, a_passed, a_first;
    {r_found, a_passed, a_first} = '0;
    limit = !(|(rules & KEY_TOKENS)) || debt_goes_on() ? NUM_SMS : a.left > 0 ? int'(a.left) : 1;
    for (int i = 0; i < num_counted; i++) begin
      if (counted[i].ksr == a.ksr) a_passed = 1'b1;
      if (counted[i].uncovered && token_row_of(counted[i]) != token_row_of(a) &&
          (!r_found || counted[i].left > runner_up.left)) begin
        {r_found, runner_up} = {1'b1, counted[i]};
        a_first = a_passed;
      end
    end
    if (|(rules & KEY_TOKENS) && r_found && int'(a.left - runner_up.left) + int'(a_first) < limit)
      limit = int'(a.left - runner_up.left) + int'(a_first);
  endtask

  task automatic judge();
    a_may = a_found;
    if (|(rules & A_OF_FIRST_KEY))     a_may = a_may && (shared || is_same(a, b));
    if (|(rules & A_OF_FIRST_CONTEXT)) a_may = a_may && (shared || a.context_of == b.context_of);
    if (kept) a_may = a_may && tsr_scheduler.u_turn_control.turn_may && a.context_of == u_search.u_turn.turn_o;
    b_may = !a_may && b_found && |(rules & B_OF_SCOPE_ALL) && !shared && all;
    takes_away = |(rules & TAKES_ALWAYS);
    if (|(rules & TAKES_IF_RICHER)) takes_away = is_far();
    if (|(rules & TAKES_IN_TURN))   takes_away = a.context_of == b.context_of && !(kept && u_search.u_policy.of_gpu);
    candidate     = a_may ? a : b;
    may_have_kept = !(|(rules & KEEPS_SMS)) || a.priority_of >= u_linger.priority_q;
    assigns       = a_may && may_have_idle() && (may_have_kept ? any_idle : any_free);
    of_foreign    = any_foreign;
    takes         = !assigns && (a_may || b_may) && takes_away && (of_foreign || v_found && is_above(candidate, v));
    expects_move  = assigns || takes;
    withheld      = a_may && !may_have_idle() && any_idle;
    limit_of_a();
    limit_q <= limit;
  endtask

  task automatic check_outcome();
    outcome_is_what_the_rows_say: assert (u_search.state_q[MOVE] == expects_move)
      else $error("move: %0d, not %0d", u_search.state_q[MOVE], expects_move);
    withheld_says_the_rule: assert (tsr_scheduler.events_withheld_o ==
      (tsr_scheduler.events_policy_decided_o && withheld));
    if (expects_move && u_search.state_q[MOVE]) begin
      move_is_what_the_rows_say: assert (tsr_scheduler.is_take == takes &&
        tsr_scheduler.move_ksr == candidate.ksr && tsr_scheduler.takes_idle == a_may)
        else $error("take: %0d, not %0d", tsr_scheduler.is_take, takes);
      move_is_from_the_victim: assert (!takes || tsr_scheduler.of_foreign == of_foreign &&
        (of_foreign || tsr_scheduler.victim == v.ksr));
    end
  endtask

  // ---- turn (3.6) ---------------------------------------------------------------------------------------------------

  // A kept turn is looked at in tsr_turn_checker.sv.
  task automatic step_turn();
    if (kept) turn = tsr_scheduler.u_turn_control.sets_turn ? int'(tsr_scheduler.u_turn_control.next_turn) : turn;
    else if (u_search.state_q[BEGIN] && tick_waits) turn = (turn + 1) % NUM_CONTEXTS;
    else if (u_search.state_q[JUDGE] && !restarts && |(rules & TAKES_TURNS) && b_found) turn = int'(b.context_of);
    tick_waits = !kept && tsr_scheduler.slice_tick_i && |(rules & TAKES_TURNS) && !is_changing_hands() ||
                 tick_waits && !u_search.state_q[BEGIN];
    if (policy_write) {turn, tick_waits} = '0;
  endtask

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {step, in_step, turn, expects, expects_move, withheld, takes, of_foreign, tick_waits} = '0;
      {a_found, b_found, v_found, first_found, any_idle, any_free, any_foreign} = '0;
      {passed, known, keyed, none, a, b, v, candidate, first, runner_up} = '0;
      is_lone = 1'b1;
      num_counted = 0;
    end else begin
      turn_is_whose_it_is: assert (int'(u_search.u_turn.turn_o) == turn);
      if (expects) check_outcome();
      if (u_search.state_q[BEGIN]) begin
        {a_found, b_found, v_found, first_found} = '0;
        is_lone = 1'b1;
        num_counted = 0;
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
          for (int lane = 0; lane < SEARCH_WIDTH; lane++) passed[lane] = entry_at(step * SEARCH_WIDTH + lane);
          step    = step + 1;
          in_step = 0;
        end
      end
      expects = u_search.state_q[JUDGE] && !restarts;
      if (expects) judge();
      look_at_sms();
      step_turn();
    end
  end
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
