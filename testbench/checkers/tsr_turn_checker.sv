// SPDX-License-Identifier: Apache-2.0
// A kept turn (timing.md 3.12), rule by rule, from the pins and tables: whose it is, when it passes, who is next, and
// what the rest of the core is told of it.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_turn_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"

  int num_contexts = NUM_CONTEXTS, num_buffers = NUM_COMMAND_BUFFERS; // so that Verilator does not unroll loops

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni && !tsr_scheduler.fault_o;
  wire kept   = tsr_scheduler.is_kept, of_gpu = u_search.u_policy.of_gpu;
  wire is_written   = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire policy_write = is_written && tsr_scheduler.control_reg_i == CONTROL_POLICY;

  typedef enum {NOBODY, OWNED, LEAVING, SWITCHING} state_e;
  localparam int DRAIN = 1, WAIT = 2, SWITCH = 3; // slice ends

  state_e state;
  int     turn, next, slice_end[NUM_CONTEXTS];
  logic   has_next, tick, over, runs, evicts, loaded, unlisted, from_owner, has_switch, is_first_cycle;
  logic   shows_passed, shows_began;
  int     cause;
  logic [NUM_CONTEXTS-1:0] waiting, listed, queued, kernels, present; // of the cycle before; in this one

  // ---- who is there -------------------------------------------------------------------------------------------------

  task automatic look();
    {queued, kernels} = '0;
    for (int i = 0; i < num_buffers; i++) begin
      if (u_commands.valid_q[i]) queued[int'(u_commands.context_q[i*CONTEXT_ADDRESS +: CONTEXT_ADDRESS])] = 1'b1;
    end
    for (int i = 0; i < num_contexts; i++) kernels[i] = u_contexts.kernels_q[i*KSR_WIDTH +: KSR_WIDTH] != '0;
    queued  = queued | waiting;
    present = listed & (queued | kernels);
  endtask

  function automatic int first_from(int place);
    for (int i = 0; i < num_contexts; i++) if (present[(place + i) % NUM_CONTEXTS]) return (place + i) % NUM_CONTEXTS;
    return NUM_CONTEXTS;
  endfunction

  function automatic logic others_wait();
    for (int i = 0; i < num_contexts; i++) if (i != turn && present[i]) return 1'b1;
    return 1'b0;
  endfunction

  function automatic logic is_changing_hands();
    return |(u_smst.reserved_q | u_smst.running_q & ~u_smst.active_q | u_smst.restoring_q);
  endfunction

  wire in_use = |(u_smst.running_q | u_smst.reserved_q);
  function automatic logic is_waited_for(); // kernels of the last owner, by LEAVING
    return state == LEAVING && from_owner && slice_end[turn] == WAIT;
  endfunction

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  logic passes, to_nobody, begins, changes;

  task automatic enter_switching(logic from_nobody);
    has_switch     = !(from_nobody && (!loaded || next == turn));
    state          = SWITCHING;
    turn           = next;
    is_first_cycle = 1'b1;
  endtask

  task automatic step_owned();
    if (!present[turn]) begin
      {tick, over} = '0;
      passes    = others_wait() || kernels[turn];
      to_nobody = !others_wait();
      cause     = kernels[turn] ? 2 : 0;
    end else if ((tick || over) && !is_changing_hands()) begin
      passes = others_wait();
      cause  = 1;
      over   = !passes && !queued[turn];
      tick   = 1'b0;
    end
    // Who is next.
    if (has_next && (queued[turn] || !present[next])) has_next = 1'b0;
    else if (!has_next && !queued[turn] && others_wait()) begin
      has_next = 1'b1;
      next     = first_from((turn + 1) % NUM_CONTEXTS);
    end
    if (passes) begin
      if (!has_next && !to_nobody) next = first_from((turn + 1) % NUM_CONTEXTS);
      {has_next, tick, over} = '0;
      runs       = in_use;
      from_owner = 1'b1;
      unlisted   = to_nobody;
      evicts     = of_gpu && slice_end[turn] != WAIT && (in_use || kernels[turn]);
      if (of_gpu)         state = LEAVING;
      else if (to_nobody) state = NOBODY;
      else                enter_switching(1'b0);
    end else if (tsr_scheduler.slice_tick_i) tick = 1'b1;
  endtask

  task automatic step_leaving();
    if (!evicts && !in_use && !(is_waited_for() && kernels[turn])) begin
      if (unlisted) state = NOBODY;
      else          enter_switching(!from_owner);
      unlisted = 1'b0;
    end else if (tsr_scheduler.evicted || u_search.state_q[1] && !tsr_scheduler.any_holds) evicts = 1'b0;
  endtask

  task automatic step();
    {passes, to_nobody, begins} = '0;
    case (state)
      NOBODY: if (|present) begin
        next       = first_from(turn);
        from_owner = 1'b0;
        if (of_gpu) begin
          {state, runs, evicts} = {LEAVING, 1'b0, in_use};
        end else enter_switching(1'b1);
      end
      OWNED:   step_owned();
      LEAVING: step_leaving();
      default: begin
        begins = !has_switch || !is_first_cycle && tsr_scheduler.switch_over_i;
        is_first_cycle = 1'b0;
        if (begins) {state, loaded} = {OWNED, 1'b1};
      end
    endcase
  endtask

  task automatic forget();
    {state, turn, next, has_next, tick, over, runs, evicts, loaded, unlisted, from_owner} = '0;
    {has_switch, is_first_cycle, shows_passed, shows_began} = '0;
  endtask

  task automatic check();
    turn_is_its_owners: assert (int'(u_search.u_turn.turn_o) == turn && int'(tsr_scheduler.turn_o) == turn);
    switch_starts_in_its_first_cycle: assert (tsr_scheduler.switch_start_o ==
      (state == SWITCHING && is_first_cycle && has_switch));
    switch_says_what_ran: assert (!tsr_scheduler.switch_start_o || tsr_scheduler.switch_runs_o == runs);
    switch_of_an_empty_gpu: assert (!tsr_scheduler.switch_start_o || !of_gpu || !in_use);
    turn_passed_is_shown: assert (tsr_scheduler.events_turn_passed_o == shows_passed &&
      (!shows_passed || int'(tsr_scheduler.events_turn_cause_o) == cause));
    turn_began_is_shown: assert (tsr_scheduler.events_turn_began_o == shows_began);
    slice_timer_runs_for_the_owner: assert (tsr_scheduler.slice_timer_enable_o ==
      (state == OWNED && present[turn] && !over));
    eviction_is_wanted: assert (tsr_scheduler.u_turn_control.evicts == evicts);
    kernels_of_the_turn_may: assert (tsr_scheduler.u_turn_control.turn_may ==
      (state == OWNED && listed[turn] || is_waited_for()));
    commands_of_who_leaves_wait: assert (tsr_scheduler.u_turn_control.holds_commands == is_waited_for());
    eviction_drains_as_said: assert (!evicts || tsr_scheduler.evict_drains ==
      (from_owner && slice_end[turn] == DRAIN || !(from_owner && slice_end[turn] inside {DRAIN, SWITCH}) &&
       tsr_scheduler.u_policy_register.drain_q));
  endtask

  logic said_settled;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      forget();
      {waiting, listed, cause, said_settled} = '0;
      for (int i = 0; i < num_contexts; i++) slice_end[i] = 0;
    end else if (KEPT_TURN != 0) begin
      look();
      if (kept) check();
      said_settled = tsr_scheduler.turn_settled;
      changes = 1'b0;
      if (kept) begin
        {changes, shows_passed, shows_began} = {shows_passed || shows_began, 2'b00};
        step();
        {shows_passed, shows_began} = {passes, begins};
        rest_is_said_when_nothing_passes: assert (!(said_settled && (passes || changes)));
        turn_invokes_the_policy: assert (tsr_scheduler.turn_invokes == (passes || begins));
      end
      if (policy_write || !kept) forget();
      if (is_written && tsr_scheduler.control_reg_i == CONTROL_SLICE_END)
        slice_end[int'(tsr_scheduler.control_context_i)] = int'(tsr_scheduler.control_data_i[1:0]);
      {waiting, listed} = {tsr_scheduler.waiting_i, tsr_scheduler.listed_i};
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
