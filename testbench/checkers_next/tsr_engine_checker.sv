// SPDX-License-Identifier: Apache-2.0
// The engine of tsr_scheduler (docs/timing_next.md 6): an engine of the checker's own goes from job to job as the contract
// says, keeps SMs and their flags, and is compared with the core's in every cycle.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_engine_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"

  int num_sms = NUM_SMS, num_ksrs = NUM_KSRS; // variables, so that Verilator does not unroll loops

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire rounds = tsr_scheduler.strap_rounds_i, breadth_first = tsr_scheduler.strap_breadth_first_i;
  wire dealing = tsr_scheduler.dealing;
  localparam int NONE = int'(NO_KSR);

  typedef enum {ACTIVATES, DEALS, ASSIGNS, RESERVES, RETARGETS, LEAVES, TRAPS, SETS_UP, TB_ENDS, IS_SET_UP, IS_RESTORED,
                IS_SAVED, ISSUES} job_e;
  typedef enum {STAYS, HANDS_OVER, RELEASES} leaving_e;

  // The job.
  int       phase, sm, visited, last_issue; // `visited`: the KSR
  job_e     job;
  logic     is_b, issue_first;
  // The move, as it was offered.
  int       move_ksr, claimant;
  logic     takes_idle;
  // What LOAD says.
  leaving_e leaving;
  logic     is_rejected, finishes, refills, cancels, goes_on;
  int       next_owner; // that the SM had when its row was read
  // BURST.
  logic     has_handles, is_over, carries;
  int       room, ring_left;
  longint   tb, tbs_left;
  // SMs.
  logic [NUM_SMS-1:0] running, reserved, set_up_pending, active, trap_pending, trapped, restoring, full, drains, served, no_room;
  int                 ksr[NUM_SMS], next[NUM_SMS], count[NUM_SMS];
  logic [NUM_KSRS-1:0] valid, valid_p, valid_now; // and of the cycle before
  // What the pins show next.
  logic shows_control, shows_trap, shows_move, shows_cancel, shows_preempted, shows_released, shows_done, shows_activated, shows_handle;
  logic handle_is_last;
  logic invokes; // the engine the search, in this cycle

  // ---- what there is to pick (6.2, 6.3) -----------------------------------------------------------------------------

  logic [NUM_SMS-1:0] wants, leave, traps;
  logic issuable, ready, offered;

  task automatic look();
    for (int i = 0; i < num_sms; i++) begin
      issuable = u_logical_tables.is_issuable(ksr[i]);
      wants[i] = active[i] && running[i] && issuable && !full[i] && !restoring[i] && !served[i];
      leave[i] = active[i] && !restoring[i] && count[i] == 0 && (reserved[i] && drains[i] || running[i] && !issuable);
      traps[i] = trap_pending[i] && !no_room[i];
    end
    offered = tsr_scheduler.offers_activate || tsr_scheduler.offers_deal || tsr_scheduler.offers_move;
    ready   = phase == PICK && !offered && (leave == '0 || dealing) && traps == '0 && set_up_pending == '0 && !shows_control &&
              !dealing && !(wants != '0 && (issue_first || rounds));
  endtask

  function automatic int lowest(logic [NUM_SMS-1:0] of);
    for (int i = 0; i < num_sms; i++) if (of[i]) return i;
    return NUM_SMS;
  endfunction

  function automatic int next_in_turn(logic [NUM_SMS-1:0] of, int behind);
    for (int i = 1; i <= num_sms; i++) if (of[(behind + i) % NUM_SMS]) return (behind + i) % NUM_SMS;
    return NUM_SMS;
  endfunction

  // ---- PICK to LOAD -------------------------------------------------------------------------------------------------

  task automatic start(job_e which, int of_sm);
    job         = which;
    sm          = of_sm;
    phase       = FIND;
    is_b        = 1'b0;
    leaving     = STAYS;
    issue_first = which == TB_ENDS || which == IS_SET_UP || which == IS_RESTORED || which == IS_SAVED;
    {is_rejected, finishes, refills, cancels, goes_on, carries} = '0;
    next_owner  = NONE;
  endtask

  task automatic pick();
    if (offered) begin
      start(tsr_scheduler.offers_activate ? ACTIVATES : tsr_scheduler.offers_deal ? DEALS :
            job_e'(int'(ASSIGNS) + int'(tsr_scheduler.move_kind)), int'(tsr_scheduler.move_sm));
      move_ksr   = int'(tsr_scheduler.move_ksr);
      claimant   = int'(tsr_scheduler.claimant);
      takes_idle = tsr_scheduler.takes_idle;
      if (job == ACTIVATES) begin // the lowest that was free in the cycle before
        phase   = ROW;
        visited = NONE;
        for (int i = num_ksrs - 1; i >= 0; i--) if (!valid_p[i]) visited = i;
      end
      if (job == DEALS) begin
        phase   = ROW;
        visited = int'(tsr_scheduler.deal_ksr);
      end
    end else if (leave != '0 && !dealing) start(LEAVES, lowest(leave));
    else if (traps != '0) start(TRAPS, lowest(traps));
    else if (set_up_pending != '0) start(SETS_UP, lowest(set_up_pending));
    else if (ready && tsr_scheduler.sm_event_valid_i)
      start(job_e'(int'(TB_ENDS) + int'(tsr_scheduler.sm_event_kind_i)), int'(tsr_scheduler.sm_event_sm_i));
    else if (wants != '0) start(ISSUES, NUM_SMS);
  endtask

  task automatic find();
    if (job == ISSUES) begin
      sm         = next_in_turn(wants, last_issue);
      last_issue = sm;
    end
    if (rounds && (job == ISSUES || job >= TB_ENDS)) served[sm] = 1'b1;
    phase = SM;
  endtask

  task automatic read_sm();
    next_owner = next[sm];
    visited    = job == ASSIGNS ? move_ksr : job == RETARGETS ? next[sm] : ksr[sm];
    phase      = ROW;
  endtask

  // ---- LOAD: what the job does (6.4) --------------------------------------------------------------------------------

  task automatic judge_move();
    is_rejected = !(move_ksr < NUM_KSRS && valid[move_ksr] && (!takes_idle || u_ksr_status.uncovered_q[move_ksr]));
    case (job)
      ASSIGNS:  is_rejected = is_rejected || running[sm] || reserved[sm];
      RESERVES: is_rejected = is_rejected || !running[sm] || ksr[sm] != claimant;
      default:  is_rejected = is_rejected || !reserved[sm] || next[sm] != claimant;
    endcase
    cancels = job == RETARGETS && drains[sm] && ksr[sm] == move_ksr;
  endtask

  task automatic judge_tb_done();
    issuable = u_logical_tables.is_issuable(visited);
    finishes = visited < NUM_KSRS && int'(u_logical_tables.outstanding[visited]) == 1 && !issuable;
    refills  = running[sm] && !restoring[sm] && u_logical_tables.remaining[visited] != '0 &&
               u_logical_tables.preempted[visited] == '0 && !rounds;
    if (count[sm] == 1 && !restoring[sm]) begin
      if (reserved[sm]) leaving = HANDS_OVER;
      else if (running[sm] && !issuable && !finishes) leaving = RELEASES;
    end
  endtask

  task automatic open_burst();
    has_handles = u_logical_tables.preempted[visited] != '0;
    tbs_left    = longint'(u_logical_tables.remaining[visited]);
    tb          = longint'(u_logical_tables.next_tb[visited]);
    ring_left   = int'(u_logical_tables.preempted[visited]);
    room        = int'(u_logical_tables.tbs_per_sm[visited]) - count[sm];
    if (job == TB_ENDS) room = 1;
  endtask

  task automatic load();
    issuable = u_logical_tables.is_issuable(visited);
    if (is_b) begin // of a hand-over: a kernel that is gone has nothing issuable
      goes_on = leaving == HANDS_OVER && visited < NUM_KSRS && valid[visited] && issuable;
    end else begin
      case (job)
        ASSIGNS, RESERVES, RETARGETS: judge_move();
        LEAVES:    leaving = reserved[sm] ? HANDS_OVER : RELEASES;
        TRAPS:     is_rejected = count[sm] > 0 && int'(u_logical_tables.preempted[visited]) +
                                 int'(u_logical_tables.promised[visited]) + count[sm] > PTBQ_DEPTH;
        TB_ENDS:   judge_tb_done();
        IS_SET_UP: leaving = reserved[sm] ? HANDS_OVER : running[sm] && !issuable ? RELEASES : STAYS;
        IS_SAVED:  leaving = trapped[sm] ? HANDS_OVER : STAYS;
        default: ;
      endcase
      if (job == ISSUES || refills) open_burst();
    end
    phase = CALC;
  endtask

  task automatic calc();
    if (is_rejected) begin
      if (job == TRAPS) no_room[sm] = 1'b1;
      phase = PICK;
    end else begin
      if (job == TB_ENDS && !is_b) count[sm] = count[sm] - 1;
      phase = !is_b && (job == ISSUES || refills) ? BURST : WRITE;
    end
  endtask

  // ---- BURST (6.1, 6.5) ---------------------------------------------------------------------------------------------

  // A TB is chosen, but in the cycle of a carry. What it shows was compared before.
  task automatic burst();
    if (carries) begin
      carries = 1'b0;
    end else begin
      count[sm] = count[sm] + 1;
      room      = room - 1;
      if (has_handles) begin
        ring_left = ring_left - 1;
        is_over   = ring_left == 0 || room == 0;
        shows_handle   = 1'b1;
        handle_is_last = is_over;
      end else begin
        carries  = TB_WIDTH > 8 && (tb % 256 == 255 || tbs_left % 256 == 0);
        tb       = tb + 1;
        tbs_left = tbs_left - 1;
        is_over  = tbs_left == 0 || room == 0 || breadth_first;
      end
    end
    if (is_over && !carries) phase = WRITE;
  endtask

  // ---- WRITE --------------------------------------------------------------------------------------------------------

  task automatic forget(int i);
    {set_up_pending[i], active[i], trap_pending[i], trapped[i], full[i], drains[i], no_room[i]} = '0;
  endtask

  task automatic own(int i, int k);
    {running[i], reserved[i]} = 2'b10;
    ksr[i]  = k;
    next[i] = NONE;
    forget(i);
    set_up_pending[i] = 1'b1;
  endtask

  task automatic release_sm(int i);
    {running[i], reserved[i]} = 2'b00;
    ksr[i]  = NONE;
    next[i] = NONE;
    forget(i);
    shows_released = 1'b1;
    invokes        = 1'b1;
  endtask

  task automatic finish(int k);
    for (int i = 0; i < num_sms; i++) begin
      if (ksr[i] == k) begin
        ksr[i] = NONE;
        if (running[i]) {running[i], active[i], full[i]} = '0;
      end
      if (next[i] == k) next[i] = NONE;
    end
    valid[k]   = 1'b0;
    shows_done = 1'b1;
    invokes    = 1'b1;
  endtask

  // Of visit A.
  task automatic write_event();
    case (job)
      TB_ENDS: begin
        full[sm] = refills && room == 0 && int'(u_logical_tables.tbs_per_sm[visited]) == count[sm];
        if (finishes) finish(visited);
      end
      IS_SET_UP:   if (running[sm] && leaving == STAYS) active[sm] = 1'b1;
      IS_RESTORED: begin
        restoring[sm] = 1'b0;
        if (reserved[sm] && active[sm] && !drains[sm]) trap_pending[sm] = 1'b1;
      end
      IS_SAVED: if (leaving != STAYS) begin
        invokes   = count[sm] > 0;
        count[sm] = 0;
      end
      default: ;
    endcase
  endtask

  task automatic write_move();
    shows_move   = 1'b1;
    shows_cancel = cancels;
    case (job)
      ASSIGNS: own(sm, move_ksr);
      RESERVES: begin
        {running[sm], reserved[sm]} = 2'b01;
        next[sm]         = move_ksr;
        drains[sm]       = tsr_scheduler.drain_q;
        trap_pending[sm] = !drains[sm] && active[sm] && !restoring[sm];
      end
      default: begin
        {running[sm], reserved[sm]} = {cancels, !cancels};
        next[sm] = cancels ? NONE : move_ksr;
        if (cancels) drains[sm] = 1'b0;
      end
    endcase
  endtask

  task automatic write_last();
    case (job)
      ACTIVATES: begin
        valid[visited]  = 1'b1;
        shows_activated = 1'b1;
      end
      ASSIGNS, RESERVES, RETARGETS: write_move();
      TRAPS: begin
        {trap_pending[sm], active[sm], trapped[sm]} = 3'b001;
        {shows_control, shows_trap} = 2'b11;
      end
      SETS_UP: begin
        set_up_pending[sm] = 1'b0;
        {shows_control, shows_trap} = 2'b10;
      end
      ISSUES: begin
        if (int'(u_logical_tables.tbs_per_sm[visited]) == count[sm]) full[sm] = 1'b1;
        if (has_handles) restoring[sm] = 1'b1;
      end
      default: ;
    endcase
    if (leaving == HANDS_OVER) shows_preempted = 1'b1;
    if (leaving == HANDS_OVER && goes_on) own(sm, visited);
    else if (leaving != STAYS) release_sm(sm);
    if (job >= TB_ENDS) no_room = '0; // events and issues
  endtask

  task automatic write();
    if (!is_b && job >= TB_ENDS) write_event();
    if (!is_b && (job == RESERVES || job == RETARGETS || leaving == HANDS_OVER && next_owner != NONE)) begin
      visited = job == RESERVES || job == RETARGETS ? move_ksr : next_owner;
      is_b    = 1'b1;
      phase   = ROW;
    end else begin
      write_last();
      phase = PICK;
    end
  endtask

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  task automatic reset();
    phase      = PICK;
    job        = ISSUES;
    last_issue = NUM_SMS - 1;
    {is_b, issue_first, running, reserved, set_up_pending, active, trap_pending, trapped, restoring, full, drains, served,
     no_room, valid, valid_p, carries} = '0;
    for (int i = 0; i < num_sms; i++) begin
      ksr[i]   = NONE;
      next[i]  = NONE;
      count[i] = 0;
    end
  endtask

  task automatic quiet_pins();
    {shows_control, shows_trap, shows_move, shows_cancel, shows_preempted, shows_released, shows_done, shows_activated,
     shows_handle, handle_is_last, invokes} = '0;
  endtask

  function automatic logic [7:0] kind_of(job_e which);
    case (which)
      ACTIVATES: return 8'(1 << JOB_ACTIVATE);
      DEALS:     return 8'(1 << JOB_DEAL);
      ASSIGNS, RESERVES, RETARGETS: return 8'(1 << JOB_MOVE);
      LEAVES:    return 8'(1 << JOB_LEAVE);
      TRAPS:     return 8'(1 << JOB_TRAP);
      SETS_UP:   return 8'(1 << JOB_SETUP);
      ISSUES:    return 8'(1 << JOB_ISSUE);
      default:   return 8'(1 << JOB_EVENT);
    endcase
  endfunction

  task automatic check_sequence();
    one_phase_at_a_time: assert (tsr_scheduler.phase == 8'(1 << phase)) else $error("not %0d", phase);
    job_is_the_first_there_is: assert (phase == PICK || tsr_scheduler.job == kind_of(job)) else $error("%s", job.name());
    visit_is_the_jobs: assert (phase < ROW || tsr_scheduler.is_second == is_b);
    job_is_of_its_sm: assert (phase < ROW || job <= DEALS || int'(tsr_scheduler.sm) == sm) else $error("not SM %0d", sm);
    visits_its_row: assert (phase < ROW || visited >= NUM_KSRS || int'(tsr_scheduler.ksr_q) == visited)
      else $error("not KSR %0d", visited);
    event_ready_as_registers_say: assert (tsr_scheduler.sm_event_ready_o == ready);
  endtask

  task automatic check_sms();
    for (int i = 0; i < num_sms; i++) begin
      sm_changes_hands_by_jobs_only: assert (u_smst.running_q[i] == running[i] && u_smst.reserved_q[i] == reserved[i] &&
        int'(u_smst.ksr_q[i*KSR_WIDTH +: KSR_WIDTH]) == ksr[i] && int'(u_smst.next_q[i*KSR_WIDTH +: KSR_WIDTH]) == next[i])
        else $error("SM %0d", i);
      sm_runs_the_tbs_it_was_sent: assert (phase != PICK ||
        int'(u_smst.count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH]) == count[i]) else $error("SM %0d", i);
      sm_knows_what_its_owner_has: assert (phase != PICK || ksr[i] == NONE ||
        u_smst.issuable_q[i] == u_logical_tables.is_issuable(ksr[i])) else $error("SM %0d", i);
    end
    ksr_is_valid_from_activation_to_finish: assert (u_logical_tables.valid == valid);
  endtask

  task automatic check_flags();
    flag_set_up_pending: assert (u_smst.set_up_pending_q == set_up_pending);
    flag_active:         assert (u_smst.active_q == active);
    flag_trap_pending:   assert (u_smst.trap_pending_q == trap_pending);
    flag_trapped:        assert (u_smst.trapped_q == trapped);
    flag_restoring:      assert (u_smst.restoring_q == restoring);
    flag_full:           assert (u_smst.full_q == full);
    flag_drains:         assert (u_smst.drains_q == drains);
    flag_served:         assert (u_smst.served_q == served);
    flag_no_room:        assert (u_smst.no_room == no_room || PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM);
  endtask

  wire is_fresh_chosen = phase == BURST && !carries && !has_handles;
  task automatic check_pins();
    control_after_its_job: assert (tsr_scheduler.sm_control_valid_o == shows_control && (!shows_control ||
      tsr_scheduler.sm_control_kind_o == shows_trap && int'(tsr_scheduler.sm_control_sm_o) == sm));
    dispatch_as_chosen: assert (tsr_scheduler.dispatch_valid_o == (is_fresh_chosen || shows_handle) &&
      (!shows_handle || tsr_scheduler.dispatch_is_restore_o && tsr_scheduler.dispatch_last_o == handle_is_last) &&
      (!is_fresh_chosen || !tsr_scheduler.dispatch_is_restore_o && !tsr_scheduler.dispatch_last_o &&
       longint'(tsr_scheduler.dispatch_tb_o) == tb));
    dispatch_to_the_jobs_sm: assert (!tsr_scheduler.dispatch_valid_o || int'(tsr_scheduler.dispatch_sm_o) == sm);
    events_after_their_job: assert (tsr_scheduler.events_moved_o == shows_move &&
      tsr_scheduler.events_cancelled_o == shows_cancel && tsr_scheduler.events_preempted_o == shows_preempted &&
      tsr_scheduler.events_released_o == shows_released && tsr_scheduler.events_activated_o == shows_activated);
    events_name_the_sm: assert (!(shows_move || shows_preempted || shows_released) || int'(tsr_scheduler.events_sm_o) == sm);
    events_name_the_ksr: assert (!(shows_move || shows_activated || shows_preempted && !shows_released) ||
      int'(tsr_scheduler.events_ksr_o) == visited);
    move_is_named: assert (!shows_move || int'(tsr_scheduler.events_move_o) == int'(job) - int'(ASSIGNS));
    search_is_invoked_by_what_went_free: assert (tsr_scheduler.invokes_q == invokes);
    kernel_done_after_last_tb: assert (tsr_scheduler.kernel_done_valid_o == shows_done);
  endtask

  // Nothing to do, nothing on the pins, nothing on its way to a table (3.7).
  int   since_write;
  logic was_handle;
  task automatic check_idle();
    idle_if_nothing_to_do: assert (tsr_scheduler.idle_o == (u_search.state_q[0] && phase == PICK && leave == '0 &&
      traps == '0 && set_up_pending == '0 && wants == '0 && served == '0 && since_write > 2 && !was_handle &&
      !shows_control && !shows_handle && !tsr_scheduler.events_policy_invoked_o && !tsr_scheduler.events_policy_decided_o))
      else $error("%0d cycles after a WRITE", since_write);
    was_handle  = tsr_scheduler.handle_valid_i;
    since_write = phase == WRITE ? 1 : since_write + int'(since_write < 3);
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      since_write = 1; // as if one had been in the cycle before (1)
      was_handle  = 1'b0;
      reset();
      quiet_pins();
    end else begin
      look();
      check_sequence();
      check_sms();
      if (phase == PICK) check_flags();
      check_pins();
      check_idle();
      quiet_pins();
      valid_now = valid;
      case (phase)
        PICK:    pick();
        FIND:    find();
        SM:      read_sm();
        ROW:     phase = LOAD;
        LOAD:    load();
        CALC:    calc();
        BURST:   burst();
        default: write();
      endcase
      valid_p = valid_now;
      if (tsr_scheduler.sm_tick_i) served = '0;
    end
  end
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
