// SPDX-License-Identifier: Apache-2.0
// The search unit of tsr_scheduler and the tables it feeds: command buffers, active queue, context table, the pool of
// tokens (docs/timing.md sections 4.1, 4.2, 4.6 and 5).
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_search_checker #(
  parameter int NUM_SMS             = 13,
  parameter int NUM_KSRS            = 13,
  parameter int NUM_COMMAND_BUFFERS = 16,
  parameter int NUM_CONTEXTS        = 16,
  parameter int SEARCH_WIDTH        = 1,
  parameter int PIPELINED           = 0,
  parameter bit [4:0] POLICIES      = 5'b11111,
  parameter int TB_WIDTH            = 32,
  parameter int KSR_WIDTH           = 4,
  parameter int CONTEXT_WIDTH       = 5,
  parameter int BUFFER_WIDTH        = 5,
  parameter int TB_COUNT_WIDTH      = 5,
  parameter int SM_COUNT_WIDTH      = 4,
  parameter bit RECOUNT             = 1 // sums over all rows, in every cycle
) ();

  localparam logic [2:0] IDLE = 3'd0, BEGIN = 3'd1, ACTIVATE = 3'd2, WALK = 3'd3, DISTRIBUTE = 3'd4, SETTLE = 3'd5;
  localparam logic [2:0] FCFS = 3'd0, NPQ = 3'd1, PPQ = 3'd2, DSS = 3'd3, TIME_SLICE = 3'd4;
  localparam logic [1:0] ASSIGN = 2'd0, PAGE_TABLE = 2'd3;
  localparam logic [1:0] SM_IDLE = 2'd0;
  localparam int EQUAL_SHARE  = NUM_SMS / NUM_CONTEXTS;
  localparam int TOKEN_POOL   = NUM_SMS % NUM_CONTEXTS;
  localparam int SEARCH_STEPS = (NUM_SMS + SEARCH_WIDTH - 1) / SEARCH_WIDTH;
  localparam int SETTLE_CYCLES = PIPELINED != 0 ? 3 : 0; // D

  // Bounds of loops: variables, so that Verilator does not unroll them (a third of the compile time).
  int num_sms = NUM_SMS, num_ksrs = NUM_KSRS, num_contexts = NUM_CONTEXTS, num_command_buffers = NUM_COMMAND_BUFFERS;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;

  wire [NUM_COMMAND_BUFFERS-1:0]                     buffer_valid      = u_command_buffers.valid_q;
  wire [NUM_COMMAND_BUFFERS-1:0][CONTEXT_WIDTH-1:0]  buffer_context    = u_command_buffers.context_q;
  wire [NUM_COMMAND_BUFFERS-1:0][3:0]                buffer_priority   = u_command_buffers.priority_q;
  wire [NUM_COMMAND_BUFFERS-1:0][TB_WIDTH-1:0]       buffer_num_tbs    = u_logical_tables.buffer_num_tbs;
  wire [NUM_COMMAND_BUFFERS-1:0][TB_COUNT_WIDTH-1:0] buffer_tbs_per_sm = u_command_buffers.tbs_per_sm_q;
  wire [NUM_COMMAND_BUFFERS-1:0][39:0]               buffer_descriptor = u_logical_tables.buffer_descriptor;
  wire [NUM_COMMAND_BUFFERS-1:0][BUFFER_WIDTH-1:0]   age               = u_command_buffers.age_q;
  wire [BUFFER_WIDTH-1:0]                            count             = u_command_buffers.count_q;
  wire [BUFFER_WIDTH-1:0]                            last              = u_command_buffers.last_q;
  wire [NUM_KSRS-1:0][KSR_WIDTH-1:0]                 queue_ksr         = u_active_queue.ksr_q;
  wire [KSR_WIDTH-1:0]                               queue_count       = u_active_queue.count_q;
  wire [NUM_KSRS-1:0]                                ksr_valid         = u_ksrt.valid_q;
  wire [NUM_KSRS-1:0]                                ksr_has_pool_token = u_ksrt.has_pool_token_q;
  wire [NUM_KSRS-1:0][CONTEXT_WIDTH-1:0]             ksr_context       = u_ksrt.context_q;
  wire [NUM_KSRS-1:0][8:0]                           ksr_tokens        = u_ksrt.tokens_q;
  wire [NUM_KSRS-1:0][SM_COUNT_WIDTH-1:0]            ksr_owned         = u_ksrt.owned_q;
  wire [NUM_KSRS-1:0][SM_COUNT_WIDTH-1:0]            ksr_reserved      = u_ksrt.reserved_q;
  wire [NUM_CONTEXTS-1:0][63:0]                      page_table        = u_logical_tables.page_table;
  wire [NUM_CONTEXTS-1:0]                            has_budget        = u_context_table.has_budget_q;
  wire [NUM_CONTEXTS-1:0][8:0]                       budget            = u_context_table.budget_q;
  wire [NUM_CONTEXTS-1:0][KSR_WIDTH-1:0]             kernels           = u_context_table.kernels_q;
  wire [NUM_CONTEXTS-1:0][SM_COUNT_WIDTH-1:0]        held              = u_context_table.held_q;
  wire [NUM_CONTEXTS-1:0]                            has_pool_token    = u_context_table.has_pool_token_q;
  wire [2:0] state = u_search.state_q;
  wire [6:0] policy = u_search.policy_q;
  wire [SM_COUNT_WIDTH-1:0] pool = u_search.pool_q;

  wire                    activated = tsr_scheduler.events_activated_o;
  wire [BUFFER_WIDTH-1:0] activated_buffer = tsr_scheduler.events_activated_buffer_o;
  wire [KSR_WIDTH-1:0]    activated_ksr = tsr_scheduler.events_activated_ksr_o;

  // ---- command buffers (4.1) ----------------------------------------------------------------------------------------

  logic [NUM_COMMAND_BUFFERS-1:0][BUFFER_WIDTH-1:0] age_p;
  logic [BUFFER_WIDTH-1:0] count_p, last_p;
  int to; // entries kept so far

  task automatic check_buffer(int b);
    if (u_last_cycle.command_valid && int'(u_last_cycle.command_buffer) == b) begin
      // The command is in its buffer, with the priority on its pins (3.1 rules 2, 6).
      buffer_holds_its_command: assert (buffer_valid[b] &&
        buffer_context[b] == u_last_cycle.command_context && buffer_priority[b] == u_last_cycle.command_priority &&
        buffer_num_tbs[b] == u_last_cycle.command_num_tbs &&
        buffer_tbs_per_sm[b] == u_last_cycle.command_tbs_per_sm &&
        buffer_descriptor[b] == u_last_cycle.command_descriptor) else $error("buffer %0d", b);
    end else if (buffer_valid[b]) begin
      buffer_keeps_its_command: assert (u_last_cycle.buffer_valid_p[b] &&
        buffer_context[b] == u_last_cycle.buffer_context_p[b] &&
        buffer_num_tbs[b] == u_last_cycle.buffer_num_tbs_p[b] &&
        buffer_tbs_per_sm[b] == u_last_cycle.buffer_tbs_per_sm_p[b] &&
        buffer_descriptor[b] == u_last_cycle.buffer_descriptor_p[b]) else $error("buffer %0d", b);
      buffer_priority_is_as_written: assert (buffer_priority[b] == (
        u_last_cycle.priority_write && u_last_cycle.control_context == buffer_context[b] ?
        u_last_cycle.control_data[3:0] : u_last_cycle.buffer_priority_p[b])) else $error("buffer %0d", b);
    end
  endtask

  // The order of arrival: the one that was activated leaves, the newcomer goes behind the others.
  task automatic check_age();
    to = 0;
    for (int i = 0; i < int'(count_p); i++) begin
      if (!(activated && age_p[i] == activated_buffer)) begin
        buffers_keep_order_of_arrival: assert (age[to] == age_p[i]) else $error("entry %0d", to);
        to++;
      end
    end
    if (u_last_cycle.command_valid) begin
      command_is_the_youngest: assert (age[to] == u_last_cycle.command_buffer);
      to++;
    end
    buffers_counted: assert (int'(count) == to);
    last_activated_is_remembered: assert (last == (activated ? activated_buffer : last_p));
  endtask

  // ---- which command is activated (5.5) -----------------------------------------------------------------------------

  logic [3:0] highest;
  int         expected;

  function automatic logic is_eligible(int b, logic by_priority);
    return u_last_cycle.buffer_valid_p[b] && (!by_priority || u_last_cycle.buffer_priority_p[b] == highest);
  endfunction

  function automatic int in_turn(logic by_priority);
    for (int i = 1; i <= num_command_buffers; i++) begin
      if (is_eligible((int'(last_p) + i) % NUM_COMMAND_BUFFERS, by_priority))
        return (int'(last_p) + i) % NUM_COMMAND_BUFFERS;
    end
    return NUM_COMMAND_BUFFERS;
  endfunction

  function automatic int by_arrival(logic by_priority);
    for (int i = 0; i < int'(count_p); i++) if (is_eligible(int'(age_p[i]), by_priority)) return int'(age_p[i]);
    return NUM_COMMAND_BUFFERS;
  endfunction

  task automatic select();
    highest = '0;
    for (int b = 0; b < num_command_buffers; b++) begin
      if (u_last_cycle.buffer_valid_p[b] && u_last_cycle.buffer_priority_p[b] > highest)
        highest = u_last_cycle.buffer_priority_p[b];
    end
    case (u_last_cycle.policy_p[2:0])
      FCFS: expected = by_arrival(1'b0);
      NPQ: expected = by_arrival(1'b1);
      PPQ: expected = in_turn(1'b1);
      default: expected = in_turn(1'b0);
    endcase
  endtask

  function automatic logic has_one_context();
    return u_last_cycle.policy_p[2:0] == FCFS || u_last_cycle.policy_p[2:0] == NPQ;
  endfunction

  function automatic logic may_activate();
    return expected < NUM_COMMAND_BUFFERS && int'(u_last_cycle.queue_count_p) < NUM_KSRS && (!has_one_context() ||
           u_last_cycle.queue_count_p == '0 ||
           u_last_cycle.ksr_context_p[u_last_cycle.queue_ksr_p[0]] == u_last_cycle.buffer_context_p[expected]);
  endfunction

  // The choice is that of the last cycle of the activation; pipelined, of the one before (5.8 rule 3).
  int   expected_p;
  logic may_enter, may_enter_p;
  task automatic check_activation();
    activated_command_was_selected: assert (int'(activated_buffer) == (PIPELINED != 0 ? expected_p : expected));
    activated_command_may_enter: assert (PIPELINED != 0 ? may_enter_p : may_enter);
    // An activation waits for the end of a cycle in which a kernel finishes (5.3).
    no_activation_with_a_finish: assert (!u_last_cycle.finish);
  endtask

  // ---- active queue (4.2) -------------------------------------------------------------------------------------------

  logic [NUM_KSRS-1:0] queued;
  task automatic check_queue();
    to     = 0;
    queued = '0;
    for (int i = 0; i < int'(u_last_cycle.queue_count_p); i++) begin
      if (!(u_last_cycle.finish && u_last_cycle.queue_ksr_p[i] == u_last_cycle.event_ksr)) begin
        queue_keeps_order: assert (queue_ksr[to] == u_last_cycle.queue_ksr_p[i]) else $error("entry %0d", to);
        queued[queue_ksr[to]] = 1'b1;
        to++;
      end
    end
    if (activated) begin
      activated_kernel_is_queued_last: assert (queue_ksr[to] == activated_ksr);
      queued[queue_ksr[to]] = 1'b1;
      to++;
    end
    queue_counted: assert (int'(queue_count) == to);
    // No KSR twice, and all that are valid.
    queue_holds_the_valid_ksrs: assert (queued == ksr_valid && $countones(ksr_valid) == to);
  endtask

  always @(posedge clk_i) begin
    if (rst_ni) begin
      buffer_free_is_not_valid: assert (tsr_scheduler.buffer_free_o == ~buffer_valid);
      if (u_last_cycle.past_ok) begin
        for (int b = 0; b < num_command_buffers; b++) check_buffer(b);
        check_age();
        expected_p  = expected;
        may_enter_p = may_enter;
        // Of no cycle but that of the activation, and pipelined the one before: an idle search activates nothing.
        if (activated || PIPELINED != 0 && state != IDLE) begin
          select();
          may_enter = may_activate();
        end
        if (activated) check_activation();
        check_queue();
      end
    end
    {age_p, count_p, last_p} = {age, count, last};
  end

  // ---- context table and pool (4.6) ---------------------------------------------------------------------------------

  logic [NUM_CONTEXTS-1:0][63:0] page_table_p;
  logic [NUM_CONTEXTS-1:0]       has_budget_p;
  logic [NUM_CONTEXTS-1:0][8:0]  budget_p;
  int kernels_of[NUM_CONTEXTS], held_of[NUM_CONTEXTS];
  int written;

  task automatic check_context_writes();
    written = u_last_cycle.control_valid ? int'(u_last_cycle.control_context) : NUM_CONTEXTS;
    if (u_last_cycle.control_valid && u_last_cycle.control_reg == PAGE_TABLE) begin
      page_table_p[written] = u_last_cycle.control_data;
    end
    if (u_last_cycle.tokens_write) begin
      has_budget_p[written] = 1'b1;
      budget_p[written]     = u_last_cycle.control_data[8:0];
    end
    page_table_is_the_last_write: assert (page_table == page_table_p);
    budget_is_the_last_write: assert (has_budget == has_budget_p && budget == budget_p);
    // A token of the pool and a budget of its own exclude each other (3.2 rule 4).
    tokens_write_takes_pool_token: assert (!u_last_cycle.tokens_write || !has_pool_token[written]);
  endtask

  // What a kernel's tokens are made of: the budget, or an equal share and perhaps a token of the pool.
  task automatic check_tokens(int k);
    written = int'(ksr_context[k]);
    ksr_tokens_are_its_budget: assert (ksr_tokens[k] == (has_budget[written] ? budget[written] :
      9'(EQUAL_SHARE) + {8'd0, policy[6] ? has_pool_token[written] : ksr_has_pool_token[k]})) else $error("KSR %0d", k);
    budget_excludes_pool_token: assert (!has_budget[written] || !ksr_has_pool_token[k]) else $error("KSR %0d", k);
  endtask

  task automatic recount_contexts();
    for (int c = 0; c < num_contexts; c++) {kernels_of[c], held_of[c]} = '0;
    for (int k = 0; k < num_ksrs; k++) begin
      if (ksr_valid[k]) begin
        kernels_of[int'(ksr_context[k])] += 1;
        held_of[int'(ksr_context[k])] += int'(ksr_owned[k]) + int'(ksr_reserved[k]);
        if (state != DISTRIBUTE) check_tokens(k);
      end
    end
    for (int c = 0; c < num_contexts; c++) begin
      context_kernels_are_recounted: assert (int'(kernels[c]) == kernels_of[c]) else $error("context %0d", c);
      context_held_is_recounted: assert (int'(held[c]) == held_of[c]) else $error("context %0d", c);
      pool_token_only_of_an_active_context: assert (!has_pool_token[c] || kernels_of[c] != 0)
        else $error("context %0d", c);
    end
  endtask

  function automatic int contexts_active();
    contexts_active = 0;
    for (int c = 0; c < num_contexts; c++) contexts_active += int'(kernels[c] != '0);
  endfunction

  always @(posedge clk_i) begin
    if (rst_ni) begin
      if (u_last_cycle.past_ok) check_context_writes();
      if (RECOUNT) recount_contexts();
      // The pool's tokens are there, with a kernel, or with a context: each once. A distribution hands them out anew.
      pool_tokens_are_conserved: assert (state == DISTRIBUTE ||
        int'(pool) + $countones(ksr_has_pool_token & ksr_valid) + $countones(has_pool_token) == TOKEN_POOL);
      slice_timer_runs_for_two_contexts: assert (tsr_scheduler.slice_timer_enable_o == (
        policy[2:0] == TIME_SLICE && contexts_active() >= 2));
      // After reset: the straps (section 1 rule 8).
      if (!u_last_cycle.past_ok) begin
        reset_loads_straps: assert (policy == tsr_scheduler.strap_policy_i && int'(pool) == TOKEN_POOL &&
          has_budget == tsr_scheduler.strap_has_budget_i && budget == tsr_scheduler.strap_budget_i &&
          page_table == '0 && state == IDLE);
      end
    end
    {page_table_p, has_budget_p, budget_p} = {page_table, has_budget, budget};
  end

  // ---- the search (5) -----------------------------------------------------------------------------------------------

  int walk_cycles, activation_cycles, deadline;
  // Cycles: since begin, of waits in it, of this distribution, since anything happened.
  int elapsed, waits, distributed, unmoved;

  function automatic logic is_next(logic [2:0] from, logic [2:0] now);
    case (from)
      IDLE: return now == IDLE || now == BEGIN || now == DISTRIBUTE;
      // Pipelined, a walk that has begun gives way to an activation.
      BEGIN: return PIPELINED != 0 ? now == WALK || now == SETTLE || now == DISTRIBUTE : now <= DISTRIBUTE;
      ACTIVATE: return now == ACTIVATE || now == BEGIN || now == DISTRIBUTE;
      WALK: return now == WALK || now == BEGIN || now == DISTRIBUTE ||
                   now == (PIPELINED != 0 ? SETTLE : IDLE) || PIPELINED != 0 && now == ACTIVATE;
      DISTRIBUTE: return now == DISTRIBUTE || now == BEGIN;
      SETTLE: return PIPELINED != 0 && now <= SETTLE;
      default: return 1'b0;
    endcase
  endfunction

  // Moves and decisions come at the end of a walk, activations A cycles after begin (5.3, 5.7).
  task automatic check_times();
    assign_after_one_walk: assert (!(tsr_scheduler.events_moved_o && tsr_scheduler.events_move_o == ASSIGN) ||
                                   elapsed == walk_cycles);
    preemption_after_two_walks: assert (!(tsr_scheduler.events_moved_o && tsr_scheduler.events_move_o != ASSIGN) ||
                                        elapsed == 2 * walk_cycles);
    decided_after_one_walk_or_two: assert (!tsr_scheduler.events_policy_decided_o ||
                                           elapsed == walk_cycles || elapsed == 2 * walk_cycles);
    activated_after_its_cycles: assert (!activated || elapsed == activation_cycles + waits);
    // A distribution has a cycle for each active kernel and one more (5.6).
    distribution_takes_a_cycle_each: assert (!(u_last_cycle.search_state_p == DISTRIBUTE && state == BEGIN) ||
                                             distributed == int'(u_last_cycle.queue_count_p) + 1);
    // Without an event a decision ends, with this walk or the next.
    decision_ends: assert (state == IDLE || unmoved <= deadline);
    search_state_follows: assert (is_next(u_last_cycle.search_state_p, state));
    decided_when_idle: assert (tsr_scheduler.events_policy_decided_o ==
                               (u_last_cycle.search_state_p != IDLE && state == IDLE));
    policy_write_distributes: assert (!u_last_cycle.policy_write || state == DISTRIBUTE);
  endtask

  logic [NUM_KSRS-1:0] was_uncovered; // when the search checked

  // What a policy may do.
  task automatic check_policy();
    first_come_takes_nothing_away: assert (!tsr_scheduler.events_moved_o || !has_one_context() ||
                                           tsr_scheduler.events_move_o == ASSIGN);
    // An SM goes to a kernel that needs it (5.3); only ppq empties the engine for a kernel that does not.
    move_is_to_an_uncovered_kernel: assert (!tsr_scheduler.events_moved_o || empties_engine() || (PIPELINED != 0 ?
      was_uncovered[tsr_scheduler.events_moved_ksr_o] : is_uncovered(int'(tsr_scheduler.events_moved_ksr_o))));
    policy_is_as_written: assert (policy == (!u_last_cycle.policy_write ? u_last_cycle.policy_p :
      {u_last_cycle.control_data[6:3], u_last_cycle.control_data[2:0] <= TIME_SLICE &&
       POLICIES[u_last_cycle.control_data[2:0]] ? u_last_cycle.control_data[2:0] : u_last_cycle.policy_p[2:0]}));
  endtask

  function automatic logic empties_engine();
    return u_last_cycle.policy_p[2:0] == PPQ && !u_last_cycle.policy_p[4] && u_last_cycle.policy_p[5] &&
           tsr_scheduler.events_move_o != ASSIGN;
  endfunction

  function automatic logic is_uncovered(int k);
    int has, waiting;
    has     = int'(u_last_cycle.ksr_preempted_p[k]);
    waiting = int'(u_last_cycle.ksr_covered_p[k]);
    if (tsr_scheduler.strap_breadth_first_i) begin
      if (waiting > int'(u_last_cycle.ksr_owned_p[k])) waiting = int'(u_last_cycle.ksr_owned_p[k]);
      waiting += int'(u_last_cycle.ksr_reserved_p[k]);
    end
    return 34'(u_last_cycle.ksr_remaining_p[k]) + 34'(has) > 34'(waiting);
  endfunction

  // Pipelined: a move was checked in the cycle before it, and in between no SM changed hands and no kernel finished.
  task automatic check_settling();
    // All of them, but for a policy write, and an activation that a walk of one row gives way to.
    settles_for_three_cycles: assert (u_last_cycle.settled == SETTLE_CYCLES ? state != SETTLE :
      u_last_cycle.settled == 0 || state == SETTLE || state == DISTRIBUTE || elapsed == 2);
    if (!u_last_cycle.checked) return;
    nothing_happens_while_checking: assert (!u_last_cycle.event_taken && !tsr_scheduler.events_preempted_o &&
                                            !tsr_scheduler.events_released_o && !u_last_cycle.finish);
    for (int k = 0; k < num_ksrs; k++) was_uncovered[k] = u_last_cycle.ksr_valid_p[k] && is_uncovered(k);
  endtask

  // When a decision ends nothing is left that its policy would do: no command that may enter, no idle SM beside a
  // kernel that needs it, under dss no gap of two. Not breadth first: there a TB that is sent, too, changes who needs.
  logic any_uncovered, any_idle_sm;
  int   left, most, fewest;
  logic [NUM_KSRS-1:0][8:0] ksr_tokens_p;
  task automatic check_steady();
    select();
    decision_leaves_no_command: assert (!may_activate());
    any_uncovered = 1'b0;
    any_idle_sm   = 1'b0;
    most          = -1000;
    fewest        = 1000;
    for (int k = 0; k < num_ksrs; k++) begin
      if (u_last_cycle.ksr_valid_p[k]) begin
        left = int'(ksr_tokens_p[k]) - int'(u_last_cycle.ksr_owned_p[k]) - int'(u_last_cycle.ksr_reserved_p[k]);
        if (is_uncovered(k)) any_uncovered = 1'b1;
        if (is_uncovered(k) && left > most) most = left;
        if (u_last_cycle.ksr_owned_p[k] != '0 || u_last_cycle.ksr_reserved_p[k] != '0) if (left < fewest) fewest = left;
      end
    end
    for (int i = 0; i < num_sms; i++) if (u_last_cycle.smst_state_p[i] == SM_IDLE) any_idle_sm = 1'b1;
    decision_leaves_no_idle_sm: assert (!any_uncovered || !any_idle_sm ||
      !u_last_cycle.policy_p[4] && (u_last_cycle.policy_p[2:0] == PPQ || u_last_cycle.policy_p[2:0] == TIME_SLICE));
    decision_leaves_no_gap: assert (u_last_cycle.policy_p[2:0] != DSS || u_last_cycle.policy_p[6] ||
                                    most <= fewest + 1);
  endtask

  logic happened; // something that may give the search new work
  always @(posedge clk_i) begin
    walk_cycles       = SEARCH_STEPS * int'(tsr_scheduler.strap_search_step_cycles_i) + SETTLE_CYCLES;
    activation_cycles = int'(tsr_scheduler.strap_activation_cycles_i);
    // What is under way (a distribution, or both walks), then an activation and both walks that see all that happened.
    deadline          = 4 * walk_cycles + activation_cycles + NUM_KSRS + 2;
    happened = tsr_scheduler.command_valid_i || tsr_scheduler.control_valid_i || tsr_scheduler.slice_tick_i ||
               tsr_scheduler.sm_event_valid_i || tsr_scheduler.dispatch_valid_o || activated ||
               tsr_scheduler.events_moved_o || tsr_scheduler.events_preempted_o || tsr_scheduler.events_released_o ||
               tsr_scheduler.kernel_done_valid_o;
    if (rst_ni && u_last_cycle.past_ok) begin
      if (u_last_cycle.finish && elapsed == activation_cycles + waits) waits = waits + 1;
      check_times();
      check_policy();
      if (PIPELINED != 0) check_settling();
      if (RECOUNT && tsr_scheduler.events_policy_decided_o && !tsr_scheduler.strap_breadth_first_i) check_steady();
    end
    elapsed = state == BEGIN ? 1 : elapsed + 1;
    if (state == BEGIN) waits = 0;
    distributed = state != DISTRIBUTE || u_last_cycle.search_state_p != DISTRIBUTE || u_last_cycle.control_write ? 1
                  : distributed + 1;
    unmoved     = !rst_ni || happened || state == IDLE ? 0 : unmoved + 1;
    ksr_tokens_p = ksr_tokens;
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
