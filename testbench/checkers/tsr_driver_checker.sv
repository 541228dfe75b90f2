// SPDX-License-Identifier: Apache-2.0
// The SM driver of tsr_scheduler (docs/timing.md section 6): what it sends in a cycle follows from its registers, and
// its registers follow from what was sent and taken in the cycle before.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_driver_checker #(
  parameter int NUM_SMS          = 13,
  parameter int MAX_TBS_PER_SM   = 16,
  parameter int NUM_KSRS         = 13,
  parameter int PTBQ_DEPTH       = 208,
  parameter int SM_WIDTH         = 4,
  parameter int TB_WIDTH         = 32,
  parameter int KSR_WIDTH        = 4,
  parameter int TB_COUNT_WIDTH   = 5,
  parameter int SLOT_COUNT_WIDTH = 8
) ();

  localparam logic [1:0] IDLE = 2'd0, RUNNING = 2'd1, RESERVED = 2'd2;
  localparam logic [1:0] ASSIGN = 2'd0, RESERVE = 2'd1;
  localparam logic [2:0] SEARCH_IDLE = 3'd0, DISTRIBUTE = 3'd4;
  localparam logic [KSR_WIDTH-1:0] NONE = '1;

  // Bounds of loops: variables, so that Verilator does not unroll them (a third of the compile time).
  int num_sms = NUM_SMS;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;

  wire [NUM_SMS-1:0][1:0]                   smst_state     = u_smst.state_q;
  wire [NUM_SMS-1:0][KSR_WIDTH-1:0]         smst_ksr       = u_smst.ksr_q;
  wire [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0]    smst_running   = u_smst.running_q;
  wire [NUM_KSRS-1:0][TB_COUNT_WIDTH-1:0]   ksr_tbs_per_sm = u_ksrt.tbs_per_sm_q;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]         ksr_remaining  = u_logical_tables.ksr_remaining;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]         ksr_next_tb    = u_ksrt.next_tb_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_preempted  = u_ksrt.preempted_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_promised   = u_ksrt.promised_q;

  wire [NUM_SMS-1:0] active = u_sm_driver.active_q, set_up_pending = u_sm_driver.set_up_pending_q;
  wire [NUM_SMS-1:0] trap_pending = u_sm_driver.trap_pending_q, trapped = u_sm_driver.trapped_q;
  wire [NUM_SMS-1:0] restoring = u_sm_driver.restoring_q, full = u_sm_driver.full_q;
  wire [NUM_SMS-1:0] drains = u_sm_driver.drains_q, served = u_sm_driver.served_q;
  wire [SM_WIDTH-1:0]       turn       = u_sm_driver.turn_q;
  wire [TB_COUNT_WIDTH-1:0] turn_count = u_sm_driver.turn_count_q;
  wire                      in_batch   = u_sm_driver.in_batch_q;
  wire                      is_breadth_first = tsr_scheduler.strap_breadth_first_i;
  wire                      issues_in_rounds = tsr_scheduler.strap_rounds_i;

  // ---- what the registers of this cycle ask for ---------------------------------------------------------------------

  logic [NUM_SMS-1:0] wants;    // a TB (6.4)
  logic [NUM_SMS-1:0] leaves;   // by the internal event (6.2)
  logic [NUM_SMS-1:0] trappable;
  int                 choice_sm;
  logic               issuable;
  int                 k; // owner of the SM looked at
  int                 s; // SM of a command, an event or a choice

  task automatic look_at(int i);
    k        = int'(smst_ksr[i]);
    issuable = k < NUM_KSRS && (ksr_remaining[k] != '0 || ksr_preempted[k] != '0);
    wants[i] = active[i] && smst_state[i] == RUNNING && issuable && !full[i] && !restoring[i] && !served[i];
    leaves[i] = active[i] && !restoring[i] && smst_running[i] == '0 && !(in_batch && int'(turn) == i) &&
                (smst_state[i] == RESERVED && drains[i] || smst_state[i] == RUNNING && !issuable);
    trappable[i] = trap_pending[i] && (smst_running[i] == '0 || k < NUM_KSRS &&
                   int'(ksr_preempted[k]) + int'(ksr_promised[k]) + int'(smst_running[i]) <= PTBQ_DEPTH);
  endtask

  function automatic int lowest(logic [NUM_SMS-1:0] of);
    for (int i = 0; i < num_sms; i++) if (of[i]) return i;
    return NUM_SMS;
  endfunction

  // Which SM is the turn's: that of a batch; depth first the same while it may; else the next one round.
  function automatic int chosen(logic [NUM_SMS-1:0] of);
    if (in_batch) return int'(turn);
    if (!is_breadth_first && int'(turn) < NUM_SMS && of[turn] && int'(turn_count) < MAX_TBS_PER_SM) return int'(turn);
    for (int i = 1; i <= num_sms; i++) if (of[(int'(turn) + i) % NUM_SMS]) return (int'(turn) + i) % NUM_SMS;
    return NUM_SMS;
  endfunction

  // ---- the pins of this cycle (6.2, 6.4, 6.8) -----------------------------------------------------------------------

  wire restore = tsr_scheduler.dispatch_valid_o && tsr_scheduler.dispatch_is_restore_o;
  wire fresh   = tsr_scheduler.dispatch_valid_o && !tsr_scheduler.dispatch_is_restore_o;

  // A fresh TB goes to the SM whose turn it is if its kernel has no handles and no handle is on the pins.
  task automatic check_fresh();
    choice_sm = chosen(wants);
    k         = choice_sm < NUM_SMS ? int'(smst_ksr[choice_sm]) : NUM_KSRS;
    fresh_tb_when_its_turn_comes: assert (restore || fresh == (k < NUM_KSRS && ksr_preempted[k] == '0));
    fresh_tb_to_the_sm_whose_turn_it_is: assert (!fresh || int'(tsr_scheduler.dispatch_sm_o) == choice_sm);
    // Fresh TBs go out in order, to no SM that is reserved, restoring or full (3.6 rule 4).
    fresh_tbs_in_order: assert (!fresh || k < NUM_KSRS && tsr_scheduler.dispatch_tb_o == ksr_next_tb[k]);
    fresh_tb_to_an_sm_that_wants_one: assert (!fresh || wants[tsr_scheduler.dispatch_sm_o]);
    // Nobody else is served in the middle of a batch (3.6 rule 5).
    no_fresh_tb_in_a_batch: assert (!in_batch || !fresh);
  endtask

  // 3.3 rule 2: low for a move of this cycle, which the next one shows if no control write drops it; while a move is
  // being checked; in a distribution; for an internal event; while issuing goes first.
  task automatic check_ready();
    ready_is_low_in_a_distribution: assert (u_search.state_q != DISTRIBUTE || !tsr_scheduler.sm_event_ready_o);
    ready_is_low_while_checking: assert (!u_last_cycle.checks || !tsr_scheduler.sm_event_ready_o);
    ready_is_low_for_internal_event: assert (leaves == '0 || !tsr_scheduler.sm_event_ready_o);
    ready_is_low_while_issuing_first: assert (!(issues_in_rounds && wants != '0) || !tsr_scheduler.sm_event_ready_o);
  endtask

  task automatic check_idle();
    // Idle if and only if there is nothing to do (3.11 rule 1).
    idle_if_nothing_to_do: assert (tsr_scheduler.idle_o == (
      u_search.state_q == SEARCH_IDLE && leaves == '0 && set_up_pending == '0 && trappable == '0 && wants == '0 &&
      !in_batch && !restore && served == '0 && !tsr_scheduler.sm_control_valid_o && !u_logical_tables.borrowed_last &&
      !(|{tsr_scheduler.events_policy_invoked_o, tsr_scheduler.events_policy_decided_o,
          tsr_scheduler.events_activated_o, tsr_scheduler.events_moved_o, tsr_scheduler.events_preempted_o,
          tsr_scheduler.events_released_o, tsr_scheduler.kernel_done_valid_o})));
  endtask

  // ---- the trap or the set-up that the cycle before sent (6.2, 6.5, 6.8) --------------------------------------------

  logic [NUM_SMS-1:0] trappable_p;

  task automatic check_control();
    if (trappable_p != '0) begin
      // A trap that may be sent goes before a set-up, the lowest SM first (3.5 rule 2); it may where the PTBQ has room.
      control_is_lowest_trap: assert (u_last_cycle.trap_sent && int'(u_last_cycle.sent_sm) == lowest(trappable_p));
    end else begin
      // None in a cycle in which a kernel finishes.
      s = u_last_cycle.finish ? NUM_SMS : lowest(u_last_cycle.set_up_pending_p);
      control_is_lowest_set_up: assert (!u_last_cycle.trap_sent && u_last_cycle.set_up_sent == (s < NUM_SMS) &&
                                        (s == NUM_SMS || int'(u_last_cycle.sent_sm) == s));
      k = s == NUM_SMS ? NUM_KSRS : int'(u_last_cycle.smst_ksr_p[s]);
      // A set-up is for the SM's owner, as it was when it was sent.
      set_up_is_of_the_owner: assert (s == NUM_SMS || k < NUM_KSRS &&
        tsr_scheduler.sm_control_context_o == u_last_cycle.ksr_context_p[k] &&
        tsr_scheduler.sm_control_descriptor_o == u_last_cycle.ksr_descriptor_p[k]);
    end
  endtask

  // ---- what the cycle before makes of the registers (6.1, 6.3, 6.5 - 6.9) -------------------------------------------

  logic [NUM_SMS-1:0] set_up_pending_e, active_e, trap_pending_e, trapped_e, restoring_e, full_e, drains_e, served_e;
  logic [NUM_SMS-1:0] trap_pending_p, full_p, drains_p, served_p;
  logic [TB_COUNT_WIDTH-1:0] turn_count_p;
  int                        turn_count_e;
  int                        internal_sm_p;
  logic                      hands_over, gets_next, choice_fills;

  function automatic logic is_reserved(int i);
    return u_last_cycle.smst_state_p[i] == RESERVED;
  endfunction

  function automatic logic is_being_filled(int i);
    return u_last_cycle.restoring_p[i] || u_last_cycle.in_batch_p && int'(u_last_cycle.turn_p) == i;
  endfunction

  // 1. The command half: what was sent.
  task automatic apply_commands();
    s = int'(u_last_cycle.sent_sm);
    if (u_last_cycle.trap_sent) begin
      active_e[s]       = 1'b0;
      trap_pending_e[s] = 1'b0;
      trapped_e[s]      = 1'b1;
    end
    if (u_last_cycle.set_up_sent) set_up_pending_e[s] = 1'b0;
    if (!u_last_cycle.choice) return;
    s = int'(u_last_cycle.choice_sm);
    k = int'(u_last_cycle.smst_ksr_p[s]);
    choice_fills = int'(u_last_cycle.smst_running_p[s]) + 1 == int'(u_last_cycle.ksr_tbs_per_sm_p[k]);
    if (choice_fills) full_e[s] = 1'b1;
    if (issues_in_rounds) served_e[s] = 1'b1;
    if (u_last_cycle.read && tsr_scheduler.dispatch_last_o) restoring_e[s] = 1'b1;
    turn_count_e = s != int'(u_last_cycle.turn_p) || int'(turn_count_p) == MAX_TBS_PER_SM ? 1 : int'(turn_count_p) + 1;
    if (choice_fills || u_last_cycle.ksr_remaining_p[k] == '0 && int'(u_last_cycle.ksr_preempted_p[k]) == 1 ||
        int'(u_last_cycle.ksr_remaining_p[k]) == 1 && u_last_cycle.ksr_preempted_p[k] == '0) turn_count_e = 0;
  endtask

  // 2. The event, but for what it means for the SM's owner.
  task automatic apply_event();
    if (!u_last_cycle.event_taken) return;
    s = int'(u_last_cycle.event_sm);
    if (issues_in_rounds) served_e[s] = 1'b1;
    if (u_last_cycle.tb_done) full_e[s] = 1'b0;
    if (u_last_cycle.restore_done) restoring_e[s] = 1'b0;
    if (u_last_cycle.restore_done && is_reserved(s) && !drains_p[s]) trap_pending_e[s] = 1'b1;
    if (u_last_cycle.set_up && !is_reserved(s)) active_e[s] = 1'b1;
  endtask

  // 3. A finished kernel: its running SMs go idle, its reserved ones that wait for their set-up leave by the internal
  // event.
  task automatic apply_finish();
    if (!u_last_cycle.finish) return;
    for (int i = 0; i < num_sms; i++) begin
      if (u_last_cycle.smst_ksr_p[i] == u_last_cycle.event_ksr) begin
        if (u_last_cycle.smst_state_p[i] == RUNNING) begin
          active_e[i]         = 1'b0;
          full_e[i]           = 1'b0;
          set_up_pending_e[i] = 1'b0;
        end else if (u_last_cycle.set_up_pending_p[i]) begin
          set_up_pending_e[i] = 1'b0;
          active_e[i]         = 1'b1;
          drains_e[i]         = 1'b1;
        end
      end
    end
  endtask

  // 4. An SM that changes hands is forgotten; then the new owner's set-up is pending.
  task automatic forget(int i);
    active_e[i]         = 1'b0;
    trapped_e[i]        = 1'b0;
    full_e[i]           = 1'b0;
    drains_e[i]         = 1'b0;
    trap_pending_e[i]   = 1'b0;
    set_up_pending_e[i] = 1'b0;
    if (int'(turn) == i) turn_count_e = 0;
  endtask

  task automatic apply_move();
    s = int'(tsr_scheduler.events_moved_sm_o);
    if (tsr_scheduler.events_move_o == ASSIGN) begin
      forget(s);
      set_up_pending_e[s] = 1'b1;
    end else if (tsr_scheduler.events_move_o == RESERVE) begin
      drains_e[s] = u_last_cycle.policy_p[3];
      // A trap, at once if it is active and not being filled with handles (6.6).
      if (!drains_e[s] && u_last_cycle.active_p[s] && !is_being_filled(s) &&
          !(u_last_cycle.read && int'(u_last_cycle.read_sm) == s)) trap_pending_e[s] = 1'b1;
    end else if (tsr_scheduler.events_cancelled_o) begin
      drains_e[s] = 1'b0;
    end
  endtask

  task automatic apply_hand_over();
    if (tsr_scheduler.events_moved_o) apply_move();
    if (tsr_scheduler.events_released_o) forget(int'(tsr_scheduler.events_released_sm_o));
    if (tsr_scheduler.events_preempted_o) begin
      s = int'(tsr_scheduler.events_preempted_sm_o);
      forget(s);
      if (tsr_scheduler.events_next_ksr_o != NONE) set_up_pending_e[s] = 1'b1;
    end
  endtask

  task automatic check_registers();
    {active_e, restoring_e, trapped_e, set_up_pending_e} = {u_last_cycle.active_p, u_last_cycle.restoring_p,
                                                            u_last_cycle.trapped_p, u_last_cycle.set_up_pending_p};
    {trap_pending_e, full_e, drains_e, served_e} = {trap_pending_p, full_p, drains_p, served_p};
    turn_count_e = int'(turn_count_p);
    apply_commands();
    apply_event();
    apply_finish();
    apply_hand_over();
    if (u_last_cycle.sm_tick) served_e = '0;
    driver_set_up_pending: assert (set_up_pending == set_up_pending_e);
    driver_active: assert (active == active_e);
    driver_trap_pending: assert (trap_pending == trap_pending_e);
    driver_trapped: assert (trapped == trapped_e);
    driver_restoring: assert (restoring == restoring_e);
    driver_full: assert (full == full_e);
    driver_drains: assert (drains == drains_e);
    driver_served: assert (served == served_e);
    driver_turn: assert (turn == (u_last_cycle.choice ? u_last_cycle.choice_sm : u_last_cycle.turn_p));
    driver_turn_count: assert (int'(turn_count) == turn_count_e);
    driver_in_batch: assert (in_batch == (u_last_cycle.read ? !tsr_scheduler.dispatch_last_o :
                                                              u_last_cycle.in_batch_p));
  endtask

  // A handle is read where the turn's SM has one to get; the batch ends with the last handle or the last slot (6.4).
  int   choice_p; // the SM whose turn it was
  logic handle_due_p;
  task automatic check_read();
    handle_read_when_its_turn_comes: assert (restore == handle_due_p);
    handle_to_the_sm_whose_turn_it_is: assert (!restore || int'(tsr_scheduler.dispatch_sm_o) == choice_p);
    if (restore) begin
      s = int'(tsr_scheduler.dispatch_sm_o);
      k = int'(u_last_cycle.smst_ksr_p[s]);
      batch_ends_with_last_handle_or_slot: assert (tsr_scheduler.dispatch_last_o ==
        (int'(u_last_cycle.ksr_preempted_p[k]) == 1 ||
         int'(u_last_cycle.smst_running_p[s]) + 1 == int'(u_last_cycle.ksr_tbs_per_sm_p[k])));
    end
  endtask

  // ---- who leaves, and to whom (6.2, 6.5, 6.7) ----------------------------------------------------------------------

  logic event_leaves;

  // The SM of the event that was taken leaves.
  function automatic logic leaves_by_event(int i);
    logic owner_has_tbs, is_running;
    is_running    = u_last_cycle.smst_state_p[i] == RUNNING;
    owner_has_tbs = u_last_cycle.is_issuable(u_last_cycle.smst_ksr_p[i]);
    if (u_last_cycle.set_up) return is_reserved(i) || is_running && !owner_has_tbs;
    if (u_last_cycle.saved) return 1'b1;
    return u_last_cycle.tb_done && int'(u_last_cycle.smst_running_p[i]) == 1 && !is_being_filled(i) &&
           !(u_last_cycle.choice && int'(u_last_cycle.choice_sm) == i) &&
           (is_reserved(i) || is_running && !owner_has_tbs && !u_last_cycle.finish);
  endfunction

  // The next owner takes the SM if it has TBs to send, those just saved included, and is not finished.
  function automatic logic next_takes(int i);
    logic [KSR_WIDTH-1:0] next;
    next = u_last_cycle.smst_next_p[i];
    return int'(next) < NUM_KSRS && !(u_last_cycle.finish && next == u_last_cycle.event_ksr) &&
           (u_last_cycle.is_issuable(next) || next == u_last_cycle.smst_ksr_p[i] && u_last_cycle.saved_count != '0);
  endfunction

  task automatic check_hand_over();
    event_leaves = u_last_cycle.event_taken && leaves_by_event(int'(u_last_cycle.event_sm));
    s = event_leaves ? int'(u_last_cycle.event_sm) :
        internal_sm_p < NUM_SMS && !tsr_scheduler.events_moved_o && !u_last_cycle.checked ? internal_sm_p : NUM_SMS;
    hands_over = s < NUM_SMS && is_reserved(s);
    gets_next  = hands_over && next_takes(s);
    // A reserved SM goes to its next kernel when its last TB, its set-up or its save is done; no completion is lost.
    hand_over_when_preemption_is_over: assert (tsr_scheduler.events_preempted_o == hands_over &&
      (!hands_over || int'(tsr_scheduler.events_preempted_sm_o) == s));
    hand_over_to_next_if_it_has_tbs: assert (!hands_over ||
      tsr_scheduler.events_next_ksr_o == (gets_next ? u_last_cycle.smst_next_p[s] : NONE));
    // An SM that is not reserved goes idle for want of work.
    release_for_want_of_work: assert (tsr_scheduler.events_released_o == (s < NUM_SMS && !hands_over) &&
      (s == NUM_SMS || hands_over || int'(tsr_scheduler.events_released_sm_o) == s));
    // 5.2: the policy is invoked if and only if there is a reason, and decides if it is not at work already.
    policy_invoked_for_a_reason: assert (tsr_scheduler.events_policy_invoked_o == (
      u_last_cycle.search_state_p == SEARCH_IDLE && (
        u_last_cycle.command_valid || u_last_cycle.control_write || u_last_cycle.slice_tick ||
        tsr_scheduler.events_released_o || hands_over && !gets_next || u_last_cycle.saved_count != '0 ||
        u_last_cycle.finish)));
    // A drain that goes back to its owner is cancelled, nothing else is (6.6).
    s = int'(tsr_scheduler.events_moved_sm_o);
    cancelled_if_draining_for_owner: assert (tsr_scheduler.events_cancelled_o == (
      tsr_scheduler.events_moved_o && tsr_scheduler.events_move_o > RESERVE && drains_p[s] &&
      tsr_scheduler.events_moved_ksr_o == u_last_cycle.smst_ksr_p[s]));
  endtask

  logic ready_due_p;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < num_sms; i++) look_at(i);
      check_fresh();
      check_ready();
      check_idle();
      if (u_last_cycle.past_ok) begin
        check_control();
        check_read();
        check_registers();
        check_hand_over();
        // Ready was low for one of the five reasons only.
        ready_is_low_for_a_reason: assert (!ready_due_p || u_last_cycle.event_ready || tsr_scheduler.events_moved_o ||
                                           u_last_cycle.control_write);
      end
    end
    for (int i = 0; i < num_sms; i++) look_at(i);
    trap_pending_p = trap_pending;
    full_p         = full;
    drains_p       = drains;
    served_p       = served;
    turn_count_p   = turn_count;
    trappable_p    = trappable;
    internal_sm_p  = lowest(leaves);
    choice_p       = chosen(wants);
    handle_due_p   = choice_p < NUM_SMS && int'(smst_ksr[choice_p]) < NUM_KSRS &&
                     ksr_preempted[smst_ksr[choice_p]] != '0;
    ready_due_p    = u_search.state_q != DISTRIBUTE && !u_last_cycle.checks && leaves == '0 &&
                     !(issues_in_rounds && wants != '0);
  end

  // ---- what holds in every cycle ------------------------------------------------------------------------------------

  always @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < num_sms; i++) begin
        // Set-up, running, trapped exclude each other.
        sm_in_one_phase: assert ($onehot0({set_up_pending[i], active[i], trapped[i]})) else $error("SM %0d", i);
        // Its restore done may still be to come, if its kernel finished before.
        flags_only_of_a_busy_sm: assert (smst_state[i] != IDLE || !(active[i] || set_up_pending[i] || trap_pending[i] ||
                                         trapped[i] || full[i] || drains[i])) else $error("SM %0d", i);
        // Only a reserved SM is trapped or drained.
        preemption_only_of_a_reserved_sm: assert (smst_state[i] == RESERVED ||
          !(trap_pending[i] || trapped[i] || drains[i])) else $error("SM %0d", i);
        // A trap waits for the end of a restore (6.6).
        trap_waits_for_restore: assert (!trap_pending[i] || active[i] && !drains[i] && !restoring[i] &&
                                        !(in_batch && int'(turn) == i)) else $error("SM %0d", i);
        // It may be empty: TBs that are done go before the restore done (3.3 rule 3). Not active: its kernel is finished.
        restoring_sm_is_not_trapped: assert (!restoring[i] || !trapped[i]) else $error("SM %0d", i);
        set_up_of_an_empty_sm: assert (!set_up_pending[i] || smst_running[i] == '0) else $error("SM %0d", i);
        full_if_no_free_slot: assert (int'(smst_ksr[i]) >= NUM_KSRS || full[i] ==
          (smst_running[i] == ksr_tbs_per_sm[smst_ksr[i]])) else $error("SM %0d", i);
      end
      // A batch goes on while its kernel has handles and its SM a slot.
      batch_has_handle_and_slot: assert (!in_batch || active[turn] && !full[turn] &&
        int'(smst_ksr[turn]) < NUM_KSRS && ksr_preempted[smst_ksr[turn]] != '0);
      served_only_in_rounds: assert (issues_in_rounds || served == '0);
      turn_count_within_slots: assert (int'(turn_count) <= MAX_TBS_PER_SM);
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
