// SPDX-License-Identifier: Apache-2.0
// What the core keeps of an SM is what the pins told it and heard from it.
//
// From the includer: clk_i control_low_i control_reg_i control_valid_i K KW S TW
// From tsr_environment.vh: handed_q PREEMPTED resident_q RESTORE_DONE restores_q sets_up_q SETUP_DONE stops_q told
// From tsr_flight.vh: at_job given_q i k row_is_read stepped
// From tsr_ownership.vh: ksr_slots
// From tsr_pins.vh: control_ready_o events_preempted_o events_released_o kernel_done_valid_o linger_start_o rst_ni
//   sm_control_kind_o sm_control_sm_o sm_control_valid_o started_q strap_linger_i strap_policy_i
// From tsr_registers.vh: active drains event_kind finishes flushing full is_second job kept ksr_fresh ksr_handles
//   lingers phase reads reads_last restoring row_count set_up_pending sm_count sm_issuable sm_ksr sm_reserved
//   sm_running trap_pending trapped uses_handles
// From tsr_scenario.vh: control_low_i control_reg_i control_valid_i
// From tsr_sequence.vh: BURST job_event JOB_ISSUE JOB_SETUP job_tb_done JOB_TRAP NONE PICK WRITE
// For others: hears_preempted hears_set_up

reg [S-1:0] hears_set_up, hears_restore, hears_preempted, sets_up, stops, flags_ok, full_ok, issuable_ok, world_ok, waits_ok;
reg         it_is_issuable;
reg [TW-1:0] its_full, still_there;
always @* begin
  for (i = 0; i < S; i = i + 1) begin
    it_is_issuable = 1'b0;
    its_full = 0;
    for (k = 0; k < K; k = k + 1) begin
      if (sm_ksr[i*KW +: KW] == k) {it_is_issuable, its_full} = {ksr_fresh[k] || ksr_handles[k], ksr_slots[k*TW +: TW]};
    end
    // An event that was taken, by a job that is not at its end.
    hears_set_up[i]    = job_event && event_kind == SETUP_DONE && at_job[i];
    hears_restore[i]   = job_event && event_kind == RESTORE_DONE && at_job[i];
    hears_preempted[i] = job_event && event_kind == PREEMPTED && at_job[i];
    sets_up[i]         = sets_up_q[i] || told[i] && !sm_control_kind_o;
    stops[i]           = stops_q[i] && !(told[i] && !sm_control_kind_o) || told[i] && sm_control_kind_o;

    flags_ok[i] =
      (sm_running[i] || sm_reserved[i] || !set_up_pending[i] && !active[i] && !trap_pending[i] && !trapped[i] && !full[i] &&
       !drains[i] && sm_count[i*TW +: TW] == 0) &&
      (!sm_running[i] || !trap_pending[i] && !trapped[i] && !drains[i]) &&
      set_up_pending[i] + active[i] + trapped[i] <= 1 &&
      !(set_up_pending[i] && (sm_count[i*TW +: TW] != 0 || sm_ksr[i*KW +: KW] == NONE)) &&
      (!trap_pending[i] || active[i] && !drains[i] && !restoring[i]) && (!trapped[i] || !drains[i] && !restoring[i]) &&
      (sm_count[i*TW +: TW] == 0 || active[i] || trapped[i]) &&
      !(sm_reserved[i] && active[i] && !drains[i] && !trap_pending[i] && !restoring[i]);
    full_ok[i]     = is_second && at_job[i] && finishes && sm_ksr[i*KW +: KW] == NONE || (sm_ksr[i*KW +: KW] == NONE ? !full[i] : full[i] == (sm_count[i*TW +: TW] == its_full));
    issuable_ok[i] = given_q[i] || sm_ksr[i*KW +: KW] == NONE || sm_issuable[i] == it_is_issuable;

    still_there = hears_preempted[i] && !is_second ? 0 :
                  at_job[i] && row_is_read ? row_count - (job_tb_done && !stepped) : sm_count[i*TW +: TW] - (at_job[i] && job_tb_done);
    world_ok[i] =
      {1'b0, still_there} == {1'b0, resident_q[i*TW +: TW]} + (reads && at_job[i]) &&
      restoring[i] == (restores_q[i] || hears_restore[i]) &&
      !(restores_q[i] && hears_restore[i]) &&
      handed_q[i*TW +: TW] <= resident_q[i*TW +: TW] && (handed_q[i*TW +: TW] == 0 || stops_q[i] && trapped[i]) &&
      (!trapped[i] || (stops[i] || hears_preempted[i]) && !sets_up[i]) && !(stops[i] && hears_preempted[i]) &&
      !(stops[i] && !trapped[i] && resident_q[i*TW +: TW] != 0) && !(sets_up_q[i] && stops_q[i]) &&
      !(hears_set_up[i] && (sets_up[i] || stops[i])) &&
      !((sets_up[i] || stops[i] || hears_set_up[i] || hears_preempted[i]) && active[i]) &&
      !(set_up_pending[i] && job_event) && !(at_job[i] && job_tb_done && sm_count[i*TW +: TW] == 0) &&
      (!told[i] || (sm_control_kind_o ? trapped[i] : (sm_running[i] || sm_reserved[i]) && !set_up_pending[i] && !active[i] && !trapped[i])) &&
      !(told[i] && resident_q[i*TW +: TW] != 0 && !sm_control_kind_o);
    // Nobody waits for what does not come.
    waits_ok[i] = !(sm_running[i] || sm_reserved[i]) || set_up_pending[i] || active[i] || trapped[i] || sets_up[i] || hears_set_up[i];
  end
end

// 3.8: a kept SM is nobody's, and a linger starts as a kernel releases an SM or ends.
kept_sm_is_idle: assert property (!started_q || (kept & (sm_running | sm_reserved)) == 0 &&
  (strap_linger_i || kept == 0 && !lingers));
linger_starts_when_sms_are_left: assert property (!started_q || !linger_start_o || strap_linger_i && (kernel_done_valid_o ||
  events_released_o && !events_preempted_o));
flags_of_an_sm: assert property (!started_q || &flags_ok);
full_is_full: assert property (!started_q || &full_ok);
sm_knows_its_owner: assert property (!started_q || &issuable_ok);
sm_is_as_told: assert property (!started_q || &world_ok && (!reads || (phase[BURST] || phase[WRITE]) && job[JOB_ISSUE] && uses_handles && reads_last == phase[WRITE]) &&
  (!(phase[WRITE] && job[JOB_ISSUE] && uses_handles) || reads));
no_sm_is_forgotten: assert property (!started_q || &waits_ok);
// The technique is the policy register's.
reg flushes_q;
always @(posedge clk_i) begin
  if (!rst_ni)                                                       flushes_q <= strap_policy_i[6:4] == 2;
  else if (control_valid_i && control_ready_o && control_reg_i == 0 && control_low_i[6:4] < 3) flushes_q <= control_low_i[6:4] == 2;
end
stop_is_as_written: assert property (!started_q || flushing == flushes_q && (!sm_control_valid_o ||
  sm_control_kind_o == (!job[JOB_TRAP] ? 3'd0 : flushes_q ? 3'd2 : 3'd1)));
sm_control_on_the_pins: assert property (!started_q || !sm_control_valid_o ||
  phase[PICK] && (sm_control_kind_o ? job[JOB_TRAP] : job[JOB_SETUP]) && sm_control_sm_o < S);
