// SPDX-License-Identifier: Apache-2.0
// The engine of tsr_scheduler (docs/hardware/timing.md 6): the expected one, tsr_expected_jobs, does the same jobs, on
// tsr_expected_sms, and both are compared with the core's in every cycle.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_engine_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"

  int num_sms = NUM_SMS; // a variable, so that Verilator does not unroll loops

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  localparam int NONE = int'(NO_KSR);

  task automatic check_sequence();
    // While ROW waits for the lane, only one bit says that it is ROW.
    one_phase_at_a_time: assert (tsr_scheduler.phase == (u_jobs.waits ? 8'd0 : 8'(1 << u_jobs.phase)) &&
      tsr_scheduler.in_row == (u_jobs.phase == ROW)) else $error("not %0d", u_jobs.phase);
    job_is_the_first_there_is: assert (u_jobs.phase == PICK || tsr_scheduler.job == u_jobs.kind())
      else $error("%s", u_jobs.job.name());
    holders_are_those_with_sms: assert (KEPT_TURN == 0 || u_jobs.phase != PICK ||
      tsr_scheduler.any_holds == (u_jobs.lowest_holder() < NUM_KSRS));
    visit_is_the_jobs: assert (u_jobs.phase < ROW || tsr_scheduler.is_second == u_jobs.is_b);
    job_is_of_its_sm: assert (u_jobs.phase < ROW || tsr_scheduler.job[JOB_ACTIVATE] ||
      tsr_scheduler.job[JOB_DEAL] || tsr_scheduler.job[JOB_EVICT] || u_jobs.sm == NUM_SMS || u_jobs.is_assign ||
      int'(tsr_scheduler.sm) == u_jobs.sm)
      else $error("not SM %0d", u_jobs.sm);
    visits_its_row: assert (u_jobs.phase < ROW || u_jobs.visited >= NUM_KSRS || int'(tsr_scheduler.ksr_q) == u_jobs.visited)
      else $error("not KSR %0d", u_jobs.visited);
    event_ready_as_registers_say: assert (tsr_scheduler.sm_event_ready_o == u_jobs.ready);
    row_and_lane_do_not_write_in_one_cycle: assert (!(u_expected_lane.has[u_expected_lane.W] && u_jobs.phase == WRITE &&
      u_jobs.steps_counters() && u_jobs.visited < NUM_KSRS)) else $error("KSR %0d", u_jobs.visited);
  endtask

  task automatic check_sms();
    for (int i = 0; i < num_sms; i++) begin
      sm_changes_hands_by_jobs_only: assert (
        u_smst.running_q[i] == u_sms.running[i] && u_smst.reserved_q[i] == u_sms.reserved[i] &&
        int'(u_smst.ksr_q[i*KSR_WIDTH +: KSR_WIDTH]) == u_sms.ksr[i] &&
        int'(u_smst.next_q[i*KSR_WIDTH +: KSR_WIDTH]) == u_sms.next[i])
        else $error("SM %0d", i);
      sm_has_the_tag_of_its_last_set_up: assert (int'(u_logical_tables.sm_tag[i]) == u_sms.tag[i])
        else $error("SM %0d", i);
      unanswered_as_answers_say: assert (int'(u_logical_tables.sm_unanswered[i]) == u_sms.unanswered[i])
        else $error("SM %0d", i);
      sm_runs_the_tbs_it_was_sent: assert (u_jobs.phase != PICK ||
        int'(u_smst.count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH]) == u_sms.count[i]) else $error("SM %0d", i);
      sm_knows_what_its_owner_has: assert (u_jobs.phase != PICK || u_sms.ksr[i] == NONE ||
        u_smst.issuable_q[i] == u_logical_tables.is_issuable(u_sms.ksr[i])) else $error("SM %0d", i);
    end
    ksr_is_valid_from_activation_to_finish: assert (u_logical_tables.valid == u_jobs.valid);
  endtask

  task automatic check_flags();
    flag_set_up_pending: assert (u_smst.set_up_pending_q == u_sms.set_up_pending);
    flag_active:         assert (u_smst.active_q == u_sms.active);
    flag_trap_pending:   assert (u_smst.trap_pending_q == u_sms.trap_pending);
    flag_trapped:        assert (u_smst.trapped_q == u_sms.trapped);
    flag_restoring:      assert (u_smst.restoring_q == u_sms.restoring);
    flag_full:           assert (u_smst.full_q == u_sms.full);
    flag_drains:         assert (u_smst.drains_q == u_sms.drains);
    flag_served:         assert (u_smst.served_q == u_sms.served);
    flag_no_room:        assert (u_smst.no_room == u_sms.no_room || PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM);
  endtask

  wire is_fresh_chosen = u_jobs.phase == BURST && !u_jobs.is_assign && !u_burst.carries && !u_burst.has_handles;
  int  lane_sm, lane_ksr; // in W
  wire [2:0] told_kind = !u_jobs.shows_stop ? SET_UP : tsr_scheduler.u_policy_register.flush_q ? FLUSH : TRAP;
  task automatic check_pins();
    control_after_its_job: assert (tsr_scheduler.sm_control_valid_o == u_jobs.shows_control && (!u_jobs.shows_control ||
      tsr_scheduler.sm_control_kind_o == told_kind && int'(tsr_scheduler.sm_control_sm_o) == u_jobs.sm));
    set_up_has_its_tag: assert (!u_jobs.shows_control || u_jobs.shows_stop ||
      int'(tsr_scheduler.sm_control_tag_o) == u_jobs.shown_tag);
    lane_sm  = u_expected_lane.sm[u_expected_lane.W];
    lane_ksr = u_expected_lane.ksr[u_expected_lane.W];
    dispatch_as_chosen: assert (tsr_scheduler.dispatch_valid_o ==
      (is_fresh_chosen || u_jobs.shows_handle || u_expected_lane.dispatches()) &&
      (!u_jobs.shows_handle || tsr_scheduler.dispatch_is_restore_o &&
       tsr_scheduler.dispatch_last_o == u_jobs.handle_is_last) &&
      (!is_fresh_chosen || !tsr_scheduler.dispatch_is_restore_o && !tsr_scheduler.dispatch_last_o &&
       longint'(tsr_scheduler.dispatch_tb_o) == u_burst.tb));
    dispatch_of_the_lane: assert (!u_expected_lane.dispatches() || !is_fresh_chosen && !u_jobs.shows_handle &&
      !tsr_scheduler.dispatch_is_restore_o && !tsr_scheduler.dispatch_last_o &&
      tsr_scheduler.dispatch_tb_o == u_logical_tables.next_tb[lane_ksr] && int'(tsr_scheduler.dispatch_sm_o) == lane_sm)
      else $error("SM %0d", lane_sm);
    dispatch_to_the_jobs_sm: assert (!tsr_scheduler.dispatch_valid_o || u_expected_lane.dispatches() ||
      int'(tsr_scheduler.dispatch_sm_o) == u_jobs.sm);
    events_after_their_job: assert (tsr_scheduler.events_moved_o == u_jobs.shows_move &&
      tsr_scheduler.events_cancelled_o == u_jobs.shows_cancel &&
      tsr_scheduler.events_preempted_o == u_jobs.shows_preempted &&
      tsr_scheduler.events_released_o == u_jobs.shows_released &&
      tsr_scheduler.events_activated_o == u_jobs.shows_activated);
    events_name_the_sm: assert (!(u_jobs.shows_move || u_jobs.shows_preempted || u_jobs.shows_released) ||
      int'(tsr_scheduler.events_sm_o) == u_jobs.sm);
    events_name_the_ksr: assert (!(u_jobs.shows_move || u_jobs.shows_activated ||
                                   u_jobs.shows_preempted && !u_jobs.shows_released) ||
      int'(tsr_scheduler.events_ksr_o) == u_jobs.visited);
    move_is_named: assert (!u_jobs.shows_move || int'(tsr_scheduler.events_move_o) == u_jobs.move());
    search_is_invoked_by_what_went_free: assert (tsr_scheduler.invokes_q == u_jobs.invokes);
    usage_of_all_sms_of_an_assign: assert (u_jobs.shows_given == 0 || tsr_scheduler.usage_valid_o &&
      int'($signed(tsr_scheduler.usage_freed_o)) == -u_jobs.shows_given &&
      int'(tsr_scheduler.usage_context_o) == int'(u_logical_tables.context_of[u_jobs.move_ksr]))
      else $error("not %0d", u_jobs.shows_given);
    evicted_after_the_last_visit: assert (tsr_scheduler.events_evicted_o == u_jobs.shows_evicted);
    kernel_done_after_last_tb: assert (tsr_scheduler.kernel_done_valid_o == u_jobs.shows_done);
  endtask

  // What W leaves in the table.
  logic was_w;
  int   written;
  logic [TB_WIDTH-1:0]   next_tb, remaining;
  logic [SLOT_WIDTH-1:0] outstanding, covered;
  task automatic check_w();
    lane_counts_in_its_row: assert (!was_w || u_logical_tables.next_tb[written] == next_tb &&
      u_logical_tables.remaining[written] == remaining && u_logical_tables.outstanding[written] == outstanding &&
      u_logical_tables.covered[written] == covered) else $error("KSR %0d", written);
    was_w   = u_expected_lane.has[u_expected_lane.W];
    written = u_expected_lane.ksr[u_expected_lane.W];
    if (was_w) begin
      next_tb     = u_logical_tables.next_tb[written] + TB_WIDTH'(u_expected_lane.dispatches());
      remaining   = u_logical_tables.remaining[written] - TB_WIDTH'(u_expected_lane.dispatches());
      outstanding = u_logical_tables.outstanding[written] + SLOT_WIDTH'(u_expected_lane.issues[u_expected_lane.W]) -
                    SLOT_WIDTH'(u_expected_lane.counts[u_expected_lane.W]);
      covered     = u_logical_tables.covered[written] - SLOT_WIDTH'(u_expected_lane.issues[u_expected_lane.W]) +
                    SLOT_WIDTH'(u_expected_lane.frees[u_expected_lane.W]);
    end
  endtask

  // Nothing to do, nothing on the pins, nothing on its way to a table (3.7).
  int   since_write;
  logic was_handle;
  task automatic check_idle();
    idle_if_nothing_to_do: assert (tsr_scheduler.idle_o == (u_search.state_q[0] && u_jobs.phase == PICK &&
      u_sms.leaves == '0 && u_sms.traps == '0 && u_sms.set_up_pending == '0 && u_sms.wants == '0 && u_sms.served == '0 &&
      u_expected_lane.has == '0 && since_write > 2 && !was_handle && !u_jobs.shows_control && !u_jobs.shows_handle &&
      !tsr_scheduler.events_policy_invoked_o && !tsr_scheduler.events_policy_decided_o &&
      tsr_scheduler.turn_settled)) // which is looked at in tsr_turn_checker.sv
      else $error("%0d cycles after a WRITE", since_write);
    was_handle  = tsr_scheduler.handle_valid_i;
    since_write = u_jobs.phase == WRITE || u_expected_lane.has[u_expected_lane.W] ? 1 : since_write + int'(since_write < 3);
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      since_write = 1; // as if one had been in the cycle before (1)
      {was_handle, was_w} = '0;
      u_jobs.reset();
    end else begin
      u_jobs.look();
      check_sequence();
      check_sms();
      if (u_jobs.phase == PICK) check_flags();
      check_pins();
      if (REFILL != 0) check_w();
      check_idle();
      u_jobs.step();
    end
  end
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
