// SPDX-License-Identifier: Apache-2.0
// The engine of timing.md 6 as the contract says it: from job to job, a phase a cycle. What the search offers and
// what rows hold is the core's; SMs are those of tsr_expected_sms. It has no clock: whoever compares says when.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_expected_jobs #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"

  int num_ksrs = NUM_KSRS; // a variable, so that Verilator does not unroll loops

  wire rounds = tsr_scheduler.strap_rounds_i, breadth_first = tsr_scheduler.strap_breadth_first_i;
  wire dealing = tsr_scheduler.dealing;
  localparam int NONE = int'(NO_KSR);

  // A take is one of the two: which, its SM's row says.
  typedef enum {ACTIVATES, DEALS, EVICTS, ASSIGNS, RESERVES, RETARGETS, LEAVES, TRAPS, SETS_UP, TB_ENDS, IS_SET_UP, IS_RESTORED,
                IS_SAVED, ISSUES} job_e;
  typedef enum {STAYS, HANDS_OVER, RELEASES} leaving_e;

  // The job.
  int       phase, sm, visited, last_issue; // `visited`: the KSR
  job_e     job;
  logic     is_b, issue_first;
  // The move, as it was offered.
  int       move_ksr, victim;
  logic     takes_idle, of_foreign;
  // The set-up done.
  int       event_tag;
  logic     is_current;
  // By KSR: the most TBs that one SM had of those in the ring.
  int       saved_per_sm [NUM_KSRS];
  // What LOAD says.
  leaving_e leaving;
  logic     is_rejected, finishes, refills, cancels, goes_on;
  logic     is_own; // the SM was to be foreign, and is not (5.8)
  int       next_owner; // that the SM had when its row was read
  logic [NUM_KSRS-1:0] valid, valid_p, valid_now; // and of the cycle before
  // What the pins show next.
  logic shows_control, shows_stop, shows_move, shows_cancel, shows_preempted, shows_released, shows_done, shows_activated,
        shows_handle, shows_evicted;
  int   shows_given; // SMs, as usage
  logic handle_is_last;
  int   shown_tag; // with a set-up
  logic invokes; // the engine the search, in this cycle
  logic waits;   // in ROW, for the lane
  // For others: what the job is.
  wire is_assign = job == ASSIGNS, is_set_up = job == SETS_UP;

  // ---- what there is to pick (6.3) ----------------------------------------------------------------------------------

  logic issuable, ready, offered, comes_first, sets_up, lane_offers, takes_entry;
  logic entry_is_current;
  int   entry_kind, entry_sm, entry_tag;

  task automatic look();
    u_sms.look();
    if (REFILL != 0) u_expected_lane.look();
    offered = tsr_scheduler.offers_activate || tsr_scheduler.offers_deal || tsr_scheduler.offers_move ||
              tsr_scheduler.offers_evict;
    comes_first = offered || u_sms.leaves != '0 && !dealing || u_sms.traps != '0;
    // After a set-up what the lane offers goes first.
    lane_offers = REFILL != 0 && !dealing && u_expected_lane.offers;
    sets_up     = u_sms.set_up_pending != '0 && !(job == SETS_UP && lane_offers);
    takes_entry = phase == PICK && !comes_first && !sets_up && lane_offers;
    ready       = REFILL != 0 ? u_expected_lane.ready : phase == PICK && !comes_first && !sets_up && !shows_control &&
                  !dealing && !(u_sms.wants != '0 && (issue_first || rounds));
    u_expected_lane.is_picked = takes_entry;
    entry_kind       = u_expected_lane.kind[u_expected_lane.R];
    entry_sm         = u_expected_lane.sm[u_expected_lane.R];
    entry_tag        = u_expected_lane.tag[u_expected_lane.R];
    entry_is_current = u_expected_lane.is_current();
    waits = REFILL != 0 && phase == ROW && steps_counters() && u_expected_lane.holds(visited);
  endtask

  // An entry of the lane, of SM i and KSR k, does not go on (6.7.5).
  function automatic logic stalls(int i, int k);
    logic is_of_sm;
    is_of_sm = job != ACTIVATES && job != DEALS && job != EVICTS && job != ASSIGNS;
    return phase == ROW && steps_counters() || (job == TB_ENDS || job == ISSUES || job == ASSIGNS) && phase >= LOAD &&
           phase <= BURST ||
           phase >= LOAD && steps_counters() && visited == k || phase >= SM && is_of_sm && sm == i ||
           phase >= FIND && job == EVICTS;
  endfunction
  // Others write no counter but `promised`.
  function automatic logic steps_counters();
    return job != TRAPS && job != SETS_UP;
  endfunction

  // ---- what the job is ----------------------------------------------------------------------------------------------

  // Who holds SMs, for an eviction.
  function automatic int lowest_holder();
    for (int i = 0; i < num_ksrs; i++) if (valid[i] && holds(i)) return i;
    return NUM_KSRS;
  endfunction
  function automatic logic others_hold();
    for (int i = 0; i < num_ksrs; i++) if (valid[i] && holds(i) && i != visited) return 1'b1;
    return 1'b0;
  endfunction
  function automatic logic holds(int k);
    return u_logical_tables.owned[k] != '0 || u_logical_tables.reserved[k] != '0;
  endfunction

  function automatic logic [8:0] kind();
    case (job)
      ACTIVATES: return 9'(1 << JOB_ACTIVATE);
      DEALS:     return 9'(1 << JOB_DEAL);
      EVICTS:    return 9'(1 << JOB_EVICT);
      ASSIGNS, RESERVES, RETARGETS: return 9'(1 << JOB_MOVE);
      LEAVES:    return 9'(1 << JOB_LEAVE);
      TRAPS:     return 9'(1 << JOB_TRAP);
      SETS_UP:   return 9'(1 << JOB_SETUP);
      ISSUES:    return 9'(1 << JOB_ISSUE);
      default:   return 9'(1 << JOB_EVENT);
    endcase
  endfunction

  function automatic int move(); // which kind, as on the pins
    return int'(job) - int'(ASSIGNS);
  endfunction

  // ---- PICK to LOAD -------------------------------------------------------------------------------------------------

  task automatic start(job_e which, int of_sm);
    job         = which;
    sm          = of_sm;
    phase       = FIND;
    is_b        = 1'b0;
    leaving     = STAYS;
    issue_first = which == TB_ENDS || which == IS_SET_UP || which == IS_RESTORED || which == IS_SAVED;
    {is_rejected, finishes, refills, cancels, goes_on, is_own} = '0;
    next_owner  = NONE;
  endtask

  task automatic pick();
    if (offered) begin
      start(tsr_scheduler.offers_activate ? ACTIVATES : tsr_scheduler.offers_deal ? DEALS :
            tsr_scheduler.offers_evict ? EVICTS : tsr_scheduler.is_take ? RESERVES : ASSIGNS, NUM_SMS);
      move_ksr   = int'(tsr_scheduler.move_ksr);
      victim     = int'(tsr_scheduler.victim);
      takes_idle = tsr_scheduler.takes_idle;
      of_foreign = tsr_scheduler.of_foreign;
      if (job == ACTIVATES) begin // the lowest that was free in the cycle before
        phase   = ROW;
        visited = NONE;
        for (int i = num_ksrs - 1; i >= 0; i--) if (!valid_p[i]) visited = i;
      end
      if (job == DEALS) begin
        phase   = ROW;
        visited = int'(tsr_scheduler.deal_ksr);
      end
      if (job == ASSIGNS) begin
        phase   = ROW;
        visited = move_ksr;
      end
    end else if (u_sms.leaves != '0 && !dealing) start(LEAVES, u_sms.lowest(u_sms.leaves));
    else if (u_sms.traps != '0) start(TRAPS, u_sms.lowest(u_sms.traps));
    else if (sets_up) start(SETS_UP, u_sms.lowest(u_sms.set_up_pending));
    else if (REFILL != 0) begin
      if (takes_entry) pick_entry();
    end else if (ready && tsr_scheduler.sm_event_valid_i) begin
      start(job_e'(int'(TB_ENDS) + int'(tsr_scheduler.sm_event_kind_i)), int'(tsr_scheduler.sm_event_sm_i));
      event_tag  = TAG_WIDTH == 0 ? 0 : int'(tsr_scheduler.sm_event_tag_i);
      is_current = event_tag == u_sms.tag[sm];
    end else if (u_sms.wants != '0) start(ISSUES, NUM_SMS);
  endtask

  // Of R as it was in this cycle, which knows its SM.
  task automatic pick_entry();
    start(entry_kind == u_expected_lane.ISSUE ? ISSUES : job_e'(int'(TB_ENDS) + entry_kind), entry_sm);
    event_tag  = entry_tag;
    is_current = entry_is_current;
    phase      = SM;
  endtask

  task automatic find();
    if (job == EVICTS) visited = lowest_holder();
    if (job == RESERVES) begin
      sm = u_sms.to_take(of_foreign, victim);
      if (sm < NUM_SMS && u_sms.reserved[sm]) job = RETARGETS;
    end
    if (job == ISSUES) begin
      sm         = u_sms.next_in_turn(u_sms.wants, last_issue);
      last_issue = sm;
    end
    if (rounds && (job == ISSUES || job >= TB_ENDS)) u_sms.served[sm] = 1'b1;
    phase = job == EVICTS ? ROW : SM;
  endtask

  task automatic read_sm();
    next_owner = sm < NUM_SMS ? u_sms.next[sm] : NONE;
    visited    = job == RETARGETS ? next_owner : sm < NUM_SMS ? u_sms.ksr[sm] : NONE;
    phase      = ROW;
  endtask

  // ---- LOAD: what the job does (6.4) --------------------------------------------------------------------------------

  task automatic judge_move();
    is_rejected = !(move_ksr < NUM_KSRS && valid[move_ksr] && (!takes_idle || u_ksr_status.uncovered_q[move_ksr]));
    if (job == ASSIGNS) u_burst.start_assign(visited, u_walk_checker.limit_q);
    if (job == ASSIGNS) return;
    is_own      = of_foreign && visited < NUM_KSRS && u_logical_tables.partition_of[visited] == u_logical_tables.partition;
    is_rejected = is_rejected || sm == NUM_SMS || is_own;
    cancels     = job == RETARGETS && u_sms.drains[sm] && u_sms.ksr[sm] == move_ksr;
  endtask

  task automatic judge_tb_done();
    issuable = u_logical_tables.is_issuable(visited);
    finishes = visited < NUM_KSRS && int'(u_logical_tables.outstanding[visited]) == 1 && !issuable;
    refills  = u_sms.running[sm] && !u_sms.restoring[sm] && u_logical_tables.remaining[visited] != '0 &&
               u_logical_tables.preempted[visited] == '0 && !rounds;
    if (u_sms.count[sm] == 1 && !u_sms.restoring[sm]) begin
      if (u_sms.reserved[sm]) leaving = HANDS_OVER;
      else if (u_sms.running[sm] && !issuable && !finishes) leaving = RELEASES;
    end
  endtask

  task automatic load();
    issuable = u_logical_tables.is_issuable(visited);
    if (is_b) begin // of a hand-over: a kernel that is gone has nothing issuable
      goes_on = leaving == HANDS_OVER && visited < NUM_KSRS && valid[visited] && issuable;
    end else begin
      case (job)
        ASSIGNS, RESERVES, RETARGETS: judge_move();
        LEAVES:    leaving = u_sms.reserved[sm] ? HANDS_OVER : RELEASES;
        TRAPS:     is_rejected = u_sms.count[sm] > 0 && int'(u_logical_tables.preempted[visited]) +
                                 int'(u_logical_tables.promised[visited]) + u_sms.count[sm] > PTBQ_DEPTH;
        TB_ENDS:   judge_tb_done();
        IS_SET_UP: leaving = !is_current ? STAYS : u_sms.reserved[sm] ? HANDS_OVER :
                             u_sms.running[sm] && !issuable ? RELEASES : STAYS;
        IS_SAVED:  leaving = u_sms.trapped[sm] ? HANDS_OVER : STAYS;
        default: ;
      endcase
      if (job == ISSUES || refills) u_burst.start(visited, u_sms.count[sm], saved_per_sm[visited], job == TB_ENDS);
    end
    phase = CALC;
  endtask

  task automatic calc();
    if (is_rejected) begin
      if (job == TRAPS) u_sms.no_room[sm] = 1'b1;
      phase = PICK;
    end else begin
      if (job == TB_ENDS && !is_b) u_sms.count[sm] = u_sms.count[sm] - 1;
      phase = !is_b && (job == ISSUES || job == ASSIGNS || refills) ? BURST : WRITE;
    end
  endtask

  // ---- BURST (6.1, 6.4, 6.5) ----------------------------------------------------------------------------------------

  task automatic burst();
    if (job == ASSIGNS) begin
      burst_of_sms();
      return;
    end
    u_burst.step();
    if (u_burst.chose) u_sms.count[sm] = u_sms.count[sm] + 1;
    shows_handle   = u_burst.chose && u_burst.has_handles;
    handle_is_last = shows_handle && u_burst.is_over;
    if (u_burst.is_over && !u_burst.carries) phase = WRITE;
  endtask

  task automatic burst_of_sms();
    sm = u_burst.gives_another() ? u_sms.lowest_idle(int'(u_logical_tables.priority_of[move_ksr])) : NUM_SMS;
    if (sm == NUM_SMS) begin
      phase = WRITE;
    end else begin
      u_sms.own(sm, move_ksr);
      u_burst.given = u_burst.given + 1;
      shows_move    = 1'b1;
    end
  endtask

  // ---- WRITE --------------------------------------------------------------------------------------------------------

  task automatic release_sm();
    u_sms.free(sm);
    {shows_released, invokes} = 2'b11;
  endtask

  task automatic finish(int k);
    u_sms.forget_kernel(k);
    valid[k] = 1'b0;
    {shows_done, invokes} = 2'b11;
  endtask

  task automatic keep_most(int saved);
    if (u_logical_tables.preempted[visited] == '0 || saved > saved_per_sm[visited]) saved_per_sm[visited] = saved;
  endtask

  // Of visit A.
  task automatic write_event();
    case (job)
      TB_ENDS: begin
        u_sms.full[sm] = refills && u_burst.room == 0 && int'(u_logical_tables.tbs_per_sm[visited]) == u_sms.count[sm];
        if (finishes) finish(visited);
      end
      IS_SET_UP: begin
        if (u_sms.running[sm] && is_current && leaving == STAYS) u_sms.active[sm] = 1'b1;
        invokes = u_sms.is_full(sm) && !u_sms.running[sm] && !u_sms.reserved[sm]; // it is idle for walks again
        u_sms.answered(sm, event_tag);
      end
      IS_RESTORED: u_sms.restored(sm);
      IS_SAVED: if (leaving != STAYS) begin
        if (visited < NUM_KSRS) keep_most(u_sms.count[sm]);
        invokes   = u_sms.count[sm] > 0;
        u_sms.count[sm] = 0;
      end
      default: ;
    endcase
  endtask

  task automatic write_move();
    shows_move   = 1'b1;
    shows_cancel = cancels;
    case (job)
      RESERVES: u_sms.reserve(sm, move_ksr, tsr_scheduler.u_policy_register.drain_q);
      default:  u_sms.retarget(sm, move_ksr, cancels);
    endcase
  endtask

  task automatic write_last();
    case (job)
      ACTIVATES: begin
        valid[visited]  = 1'b1;
        shows_activated = 1'b1;
      end
      ASSIGNS: shows_given = u_burst.given;
      RESERVES, RETARGETS: write_move();
      EVICTS: begin
        u_sms.evict(tsr_scheduler.evict_drains);
        shows_evicted = 1'b1;
      end
      TRAPS:   {u_sms.trap_pending[sm], u_sms.active[sm], u_sms.trapped[sm]} = 3'b001;
      SETS_UP: begin
        u_sms.set_up_pending[sm] = 1'b0;
        u_sms.set_up(sm);
        shown_tag = u_sms.tag[sm];
      end
      ISSUES: begin
        if (int'(u_logical_tables.tbs_per_sm[visited]) == u_sms.count[sm]) u_sms.full[sm] = 1'b1;
        if (u_burst.has_handles) u_sms.restoring[sm] = 1'b1;
      end
      default: ;
    endcase
    shows_control   = job == TRAPS || job == SETS_UP;
    shows_stop      = job == TRAPS;
    shows_preempted = leaving == HANDS_OVER;
    if (leaving == HANDS_OVER && goes_on) u_sms.own(sm, visited);
    else if (leaving != STAYS) release_sm();
    if (job >= TB_ENDS) u_sms.no_room = '0; // events and issues
  endtask

  task automatic write();
    if (!is_b && job >= TB_ENDS) write_event();
    if (!is_b && (job == RESERVES || job == RETARGETS || leaving == HANDS_OVER && next_owner != NONE)) begin
      visited = job == RESERVES || job == RETARGETS ? move_ksr : next_owner;
      is_b    = 1'b1;
      phase   = ROW;
    end else if (job == EVICTS && others_hold()) begin
      phase   = FIND;
    end else begin
      write_last();
      phase = PICK;
    end
  endtask

  // ---- a cycle ------------------------------------------------------------------------------------------------------

  task automatic reset();
    u_sms.reset();
    phase      = PICK;
    job        = ISSUES;
    last_issue = NUM_SMS - 1;
    {is_b, issue_first, valid, valid_p, is_current} = '0;
    {event_tag, shown_tag} = '0;
    {sm, visited} = '0;
    u_expected_lane.reset();
    quiet_pins();
  endtask

  task automatic quiet_pins();
    shows_given = 0;
    {shows_control, shows_stop, shows_move, shows_cancel, shows_preempted, shows_released, shows_done, shows_activated,
     shows_handle, handle_is_last, invokes, shows_evicted} = '0;
  endtask

  task automatic step();
    quiet_pins();
    valid_now = valid;
    if (REFILL != 0) u_expected_lane.step();
    case (phase)
      PICK:    pick();
      FIND:    find();
      SM:      read_sm();
      ROW:     phase = waits ? ROW : LOAD;
      LOAD:    load();
      CALC:    calc();
      BURST:   burst();
      default: write();
    endcase
    valid_p = valid_now;
    if (tsr_scheduler.sm_tick_i) u_sms.served = '0;
  endtask
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
