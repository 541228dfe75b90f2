// SPDX-License-Identifier: Apache-2.0
// The search of tsr_scheduler (timing.md 5.1, 5.2, 5.5, 5.6): its states cycle by cycle, command buffers, the
// command that is let in, the active queue, deals. What a walk finds is in tsr_walk_checker.sv.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_search_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire [RULES-1:0] rules = u_logical_tables.rules;
  wire [7:0] phase = tsr_scheduler.phase;
  wire [8:0] job   = tsr_scheduler.job;

  // The core's states, a bit each.
  localparam int IDLE = 0, BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7,
                 DEAL_READ = 8, DEAL_CONTEXT = 9, DEAL_BUDGET = 10, DEAL_OFFER = 11, EVICT = 12;

  wire [BUFFER_ADDRESS-1:0] command_buffer = tsr_scheduler.command_buffer_i[BUFFER_ADDRESS-1:0];

  // ---- what happens in this cycle -----------------------------------------------------------------------------------

  wire is_written = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire restarts   = is_written && u_logical_tables.restarts(tsr_scheduler.control_reg_i);
  wire deals      = restarts && (tsr_scheduler.control_reg_i == CONTROL_POLICY || tsr_scheduler.control_reg_i == CONTROL_TOKENS);
  wire invoked    = tsr_scheduler.command_valid_i || tsr_scheduler.slice_tick_i ||
                    tsr_scheduler.linger_over_i || restarts || tsr_scheduler.invokes_q || tsr_scheduler.turn_invokes;
  // The engine is through with the search's job.
  wire job_ends   = phase[WRITE] && (job[JOB_ACTIVATE] || job[JOB_DEAL] || job[JOB_MOVE] &&
                                     (tsr_scheduler.is_second || !tsr_scheduler.is_take)) ||
                    phase[CALC] && job[JOB_MOVE] && tsr_scheduler.rejected ||
                    phase[WRITE] && job[JOB_EVICT] && !tsr_scheduler.others_hold;

  // ---- states -------------------------------------------------------------------------------------------------------

  int   state, since_begin, in_state, entry; // cycles since BEGIN, cycles in the state; entry of the queue in a deal
  logic pending, judged, shows_invoked, shows_decided;
  logic deal_all;
  int   deal_context, dealt;  // who was written to; the KSR that is looked at
  int   next_state;
  logic finds;                // the scan a command that may be activated
  int   found;

  task automatic step_deal();
    case (state)
      DEAL_READ: if (phase[PICK]) begin
        next_state = entry < $countones(u_active_queue.valid_q) ? DEAL_CONTEXT : BEGIN;
        if (next_state == DEAL_CONTEXT) dealt = int'(u_active_queue.ksr_q[entry*KSR_WIDTH +: KSR_WIDTH]);
        entry = entry + 1;
      end
      DEAL_CONTEXT: next_state = DEAL_BUDGET;
      DEAL_BUDGET:
        next_state = deal_all || int'(u_logical_tables.context_of[dealt]) == deal_context ? DEAL_OFFER : DEAL_READ;
      default: if (job_ends) next_state = DEAL_READ;
    endcase
  endtask

  // 5.3: the last entries pass.
  function automatic logic ends_walk();
    int next_entry;
    if ((in_state + 1) % int'(tsr_scheduler.strap_search_step_cycles_i) != 0) return 1'b0;
    next_entry = (in_state + 1) / int'(tsr_scheduler.strap_search_step_cycles_i) * SEARCH_WIDTH;
    return next_entry >= NUM_KSRS || !u_active_queue.valid_q[next_entry];
  endfunction

  task automatic step();
    next_state = state;
    case (state)
      IDLE:     if (invoked) next_state = BEGIN;
      BEGIN:    next_state = tsr_scheduler.u_turn_control.evicts && tsr_scheduler.any_holds ? EVICT :
                             u_commands.valid_q != '0 && !u_active_queue.valid_q[NUM_KSRS-1] ? SCAN : WALK;
      SCAN:     if (in_state == NUM_COMMAND_BUFFERS + 1) next_state = finds ? ACTIVATE : WALK;
      ACTIVATE, MOVE, EVICT: if (job_ends) next_state = BEGIN;
      WALK:     if (ends_walk()) next_state = DRAIN;
      DRAIN:    if (in_state == 2) next_state = JUDGE;
      JUDGE:    next_state = pending || invoked || u_logical_tables.has_more ? BEGIN : IDLE; // if it ends
      default:  step_deal();
    endcase
    if (restarts) begin
      next_state = deals ? DEAL_READ : BEGIN;
      entry      = 0;
      if (deals) begin
        deal_all     = tsr_scheduler.control_reg_i == CONTROL_POLICY;
        deal_context = int'(tsr_scheduler.control_context_i);
      end
    end
  endtask

  // After a JUDGE the core may also move: tsr_walk_checker.sv says whether it should.
  task automatic check_state();
    if (judged && u_search.state_q[MOVE]) begin
      state         = MOVE;
      shows_decided = 1'b0;
    end
    search_state_follows: assert ({u_search.in_evict, u_search.state_q} == 13'(1 << state)) else $error("not %0d", state);
    control_ready_unless_at_a_job: assert (tsr_scheduler.control_ready_o ==
      !(state == ACTIVATE || state == MOVE || state >= DEAL_READ)); // or EVICT
    invoked_when_idle: assert (tsr_scheduler.events_policy_invoked_o == shows_invoked);
    decided_when_idle: assert (tsr_scheduler.events_policy_decided_o == shows_decided);
    activation_is_offered_in_time: assert (tsr_scheduler.offers_activate ==
      (state == ACTIVATE && since_begin >= int'(tsr_scheduler.strap_activation_cycles_i) - 5));
    move_is_offered: assert (tsr_scheduler.offers_move == (state == MOVE));
    eviction_is_offered: assert (tsr_scheduler.offers_evict == (state == EVICT));
    deal_is_offered: assert (tsr_scheduler.offers_deal == (state == DEAL_OFFER));
    deal_is_of_its_entry: assert (state != DEAL_OFFER || int'(tsr_scheduler.deal_ksr) == dealt);
  endtask

  // ---- the scan (5.5) -----------------------------------------------------------------------------------------------

  int                         passing, place, front, front_context;
  logic [3:0]                 passing_priority, found_priority;
  logic [CONTEXT_ADDRESS-1:0] passing_context, found_context;
  logic                       passing_due, found_due;
  int                         passing_distance, found_distance; // from the turn, as it passed
  logic [DUE_WIDTH-1:0]       passing_at, found_at;

  logic [NUM_COMMAND_BUFFERS-1:0] buffer_has_due; // as they came
  logic [DUE_WIDTH-1:0]           buffer_due[NUM_COMMAND_BUFFERS];

  function automatic logic is_sooner(logic a_due, logic [DUE_WIDTH-1:0] a, logic b_due, logic [DUE_WIDTH-1:0] b);
    return a_due && (!b_due || $signed(a - b) < 0);
  endfunction

  function automatic logic is_better();
    if (tsr_scheduler.is_kept) return passing_distance < found_distance;
    if (|(rules & ENTERS_BY_PRIORITY)) return passing_priority > found_priority;
    return |(rules & ENTERS_BY_DUE) && is_sooner(passing_due, passing_at, found_due, found_at);
  endfunction

  wire by_arrival = !(|(rules & ENTERS_IN_TURN));
  task automatic scan();
    if (passing < NUM_COMMAND_BUFFERS && (found == NUM_COMMAND_BUFFERS || is_better())) begin
      {found_priority, found_context, found_due, found_at} = {passing_priority, passing_context, passing_due, passing_at};
      found_distance = passing_distance;
      found = passing;
    end
    passing = NUM_COMMAND_BUFFERS;
    if (in_state < NUM_COMMAND_BUFFERS) begin
      place = by_arrival ? int'(u_commands.age_q[in_state*BUFFER_ADDRESS +: BUFFER_ADDRESS]) :
              (int'(u_commands.last_q) + 1 + in_state) % NUM_COMMAND_BUFFERS;
      if (by_arrival ? in_state < int'(u_commands.count_q) : u_commands.valid_q[place]) begin
        passing          = place;
        passing_priority = u_commands.priority_q[place*4 +: 4];
        passing_context  = u_commands.context_q[place*CONTEXT_ADDRESS +: CONTEXT_ADDRESS];
        {passing_due, passing_at} = {buffer_has_due[place], buffer_due[place]};
        passing_distance = (int'(passing_context) + NUM_CONTEXTS - int'(u_search.u_turn.turn_o)) % NUM_CONTEXTS;
      end
    end
    // In the last cycle `front` is still that of the cycle before.
    finds = found < NUM_COMMAND_BUFFERS &&
            (!(|(rules & ONE_CONTEXT)) || front == NUM_KSRS || front_context == int'(found_context)) &&
            !(tsr_scheduler.u_turn_control.holds_commands && found_context == u_search.u_turn.turn_o);
    front = u_active_queue.valid_q[0] ? int'(u_active_queue.ksr_q[KSR_WIDTH-1:0]) : NUM_KSRS;
    if (front < NUM_KSRS) front_context = int'(u_logical_tables.context_of[front]);
  endtask

  // ---- command buffers and active queue -----------------------------------------------------------------------------

  int waiting[$], last, queue[$]; // in order of arrival; in order of activation

  task automatic check_queues();
    buffers_keep_order_of_arrival: assert (int'(u_commands.count_q) == waiting.size());
    for (int i = 0; i < waiting.size(); i++) begin
      buffers_keep_their_place: assert (int'(u_commands.age_q[i*BUFFER_ADDRESS +: BUFFER_ADDRESS]) == waiting[i] &&
                                        u_commands.valid_q[waiting[i]]) else $error("entry %0d", i);
    end
    last_activated_is_remembered: assert (int'(u_commands.last_q) == last);
    queue_is_counted: assert ($countones(u_active_queue.valid_q) == queue.size());
    for (int i = 0; i < queue.size(); i++) begin
      queue_keeps_order: assert (int'(u_active_queue.ksr_q[i*KSR_WIDTH +: KSR_WIDTH]) == queue[i]) else $error("entry %0d", i);
    end
  endtask

  function automatic int index_in(int list[$], int what);
    for (int i = 0; i < list.size(); i++) if (list[i] == what) return i;
    return list.size();
  endfunction

  task automatic activate();
    if (index_in(waiting, found) < waiting.size()) waiting.delete(index_in(waiting, found));
    last = found;
    queue.push_back(int'(tsr_scheduler.ksr_q));
  endtask

  task automatic step_queues();
    if (phase[WRITE] && job[JOB_ACTIVATE]) activate();
    if (phase[WRITE] && tsr_scheduler.finish) begin
      finished_kernel_was_queued: assert (index_in(queue, int'(tsr_scheduler.ksr_q)) < queue.size());
      if (index_in(queue, int'(tsr_scheduler.ksr_q)) < queue.size()) queue.delete(index_in(queue, int'(tsr_scheduler.ksr_q)));
    end
    if (tsr_scheduler.command_valid_i) begin
      waiting.push_back(int'(tsr_scheduler.command_buffer_i));
      buffer_has_due[command_buffer] = tsr_scheduler.command_has_due_i;
      buffer_due[command_buffer]     = tsr_scheduler.command_due_i;
    end
  endtask

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  logic past_ok;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {pending, judged, shows_invoked, shows_decided, past_ok, finds} = '0;
      {state, in_state, since_begin, entry} = '0;
      last  = NUM_COMMAND_BUFFERS - 1;
      found = NUM_COMMAND_BUFFERS;
      waiting.delete();
      queue.delete();
    end else begin
      check_state();
      check_queues();
      // What was found stays until it is activated, and is what is activated.
      activated_command_was_found: assert (!past_ok || !tsr_scheduler.events_activated_o ||
                                           int'(tsr_scheduler.events_buffer_o) == last);
      past_ok = 1'b1;
      if (state == BEGIN) begin
        since_begin = 0;
        passing     = NUM_COMMAND_BUFFERS;
        found       = NUM_COMMAND_BUFFERS;
      end
      if (state == SCAN) scan();
      step_queues();
      step();
      judged        = state == JUDGE && !restarts;
      shows_invoked = state == IDLE && invoked;
      shows_decided = state == JUDGE && next_state == IDLE;
      if (state != IDLE) pending = invoked || pending && state != BEGIN;
      in_state    = next_state == state && !restarts && state != BEGIN ? in_state + 1 : 0;
      since_begin = since_begin + 1;
      state       = next_state;
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
