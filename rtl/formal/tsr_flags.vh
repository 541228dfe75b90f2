// SPDX-License-Identifier: Apache-2.0
// The SM driver's flags and what the SMs know are two sides of one story. What is on the pins was sent in the last cycle.
//
// From the includer: clk_i IDLE K KW NONE RESERVED S SW T TW
// From tsr_pins.vh: events_move_o events_moved_o events_moved_sm_o events_next_ksr_o events_preempted_o
//   events_preempted_sm_o rst_ni sm_control_kind_o started_q
// From tsr_registers.vh: active drains full in_batch ksr_has_fresh ksr_has_handles ksr_preempted ksr_slots read_last
//   read_sm read_valid restoring set_up_pending sm_issuable smst_ksr smst_running smst_state trap_pending trapped turn
//   turn_count
// From tsr_environment.vh: handed_q resident_q restores_q sets_up_q stops_q told
// From tsr_ownership.vh: i k
// For others: hears_set_up

reg [S-1:0] phase_ok, idle_ok, reserved_flags_ok, trap_ok, restore_ok, full_ok, batch_ok, world_ok, told_ok,
            issuable_ok;
reg         is_turn;
// What the SMs know when they have heard this cycle's pins.
wire [S-1:0] hears_set_up = told & {S{!sm_control_kind_o}};
wire [S-1:0] hears_trap   = told & {S{sm_control_kind_o}};
wire [S-1:0] sets_up      = sets_up_q & ~told | hears_set_up;
wire [S-1:0] stops        = stops_q & ~told | hears_trap;

// An SM that came to an owner, and has had no set-up on the pins since then.
reg  [S-1:0] waits_for_set_up_q;
wire [S-1:0] comes =
  (events_moved_o && events_move_o == 2'd0 ? {{(S-1){1'b0}}, 1'b1} << events_moved_sm_o : {S{1'b0}}) |
  (events_preempted_o && events_next_ksr_o != NONE ? {{(S-1){1'b0}}, 1'b1} << events_preempted_sm_o : {S{1'b0}});
wire [S-1:0] waits_for_set_up = waits_for_set_up_q | comes;
always @(posedge clk_i) waits_for_set_up_q <= !rst_ni ? {S{1'b0}} : comes | waits_for_set_up_q & ~hears_set_up;

reg [S-1:0]  last_set_up_ok;
reg [SW-1:0] its_preempted;
reg          it_is_issuable;
reg [TW-1:0] its_slots;

always @* begin
  for (i = 0; i < S; i = i + 1) begin
    is_turn       = turn == i;
    its_slots     = 0;
    its_preempted = 0;
    it_is_issuable = 1'b0;
    for (k = 0; k < K; k = k + 1) begin
      if (smst_ksr[i*KW +: KW] == k) begin
        its_slots     = ksr_slots[k*TW +: TW];
        its_preempted = ksr_preempted[k*SW +: SW];
        it_is_issuable = ksr_has_fresh[k] || ksr_has_handles[k];
      end
    end
    // 1. Set-up, running, trapped exclude each other; an idle SM has no flag; only a reserved one is trapped or drains.
    phase_ok[i] = {1'b0, set_up_pending[i]} + active[i] + trapped[i] <= 1 &&
                  (smst_state[2*i +: 2] == IDLE || set_up_pending[i] || active[i] || trapped[i] || sets_up[i]);
    idle_ok[i]  = smst_state[2*i +: 2] != IDLE ||
                  !(set_up_pending[i] || active[i] || trap_pending[i] || trapped[i] || full[i] || drains[i]);
    reserved_flags_ok[i] = smst_state[2*i +: 2] == RESERVED || !(trap_pending[i] || trapped[i] || drains[i]);
    // 2. A trap waits for restores, a batch has handles to read and a slot for the next.
    trap_ok[i]    = !(trapped[i] && drains[i]) &&
                    !(trap_pending[i] && (!active[i] || drains[i] || restoring[i] || in_batch && is_turn));
    // The last TB of a kernel may end before its restore is reported: then no TB is there, and none comes before that.
    restore_ok[i] = !restoring[i] || !(in_batch && is_turn) && !trapped[i] &&
                    (active[i] || smst_running[i*TW +: TW] == 0 && !trap_pending[i]);
    batch_ok[i]   = !(in_batch && is_turn) ||
                    active[i] && smst_state[2*i +: 2] != IDLE && its_preempted != 0 && !full[i] &&
                    smst_running[i*TW +: TW] < its_slots && read_valid && !read_last && read_sm == i;
    full_ok[i]    = smst_ksr[i*KW +: KW] == NONE ? !full[i] : full[i] == (smst_running[i*TW +: TW] == its_slots);
    issuable_ok[i] = smst_ksr[i*KW +: KW] == NONE || sm_issuable[i] == it_is_issuable;
    // 3. An SM without an owner holds nothing. It has TBs only once it is set up.
    told_ok[i]    = (smst_running[i*TW +: TW] == 0 || active[i] || trapped[i]) &&
                    !(set_up_pending[i] && smst_ksr[i*KW +: KW] == NONE) &&
                    !(smst_state[2*i +: 2] == RESERVED && active[i] && !drains[i] && !trap_pending[i] && !restoring[i] &&
                      !(in_batch && is_turn));
    // 4. The same from the SM's side: the handle that is read is not there yet.
    world_ok[i] =
      {1'b0, smst_running[i*TW +: TW]} == {1'b0, resident_q[i*TW +: TW]} + (read_valid && read_sm == i) &&
      restoring[i] == (restores_q[i] || read_valid && read_last && read_sm == i) &&
      !(restores_q[i] && read_valid && read_sm == i) &&
      (!trapped[i] || stops[i]) &&
      handed_q[i*TW +: TW] <= resident_q[i*TW +: TW] &&
      (handed_q[i*TW +: TW] == 0 || trapped[i] && !told[i]) &&
      !(stops[i] && !trapped[i] && resident_q[i*TW +: TW] != 0) &&
      !(sets_up[i] && trapped[i]) && !(sets_up_q[i] && stops_q[i]) &&
      !(read_valid && read_sm == i && !active[i]) &&
      // Set up in spite of what is still to be reported: only where that is skipped, since the owner has finished.
      !((sets_up[i] || stops[i] && !trapped[i]) && active[i] &&
        !(smst_state[2*i +: 2] == RESERVED && smst_ksr[i*KW +: KW] == NONE && drains[i]));
    // 5. Active only by the last set-up, which was sent since the SM came to its owner.
    last_set_up_ok[i] = smst_ksr[i*KW +: KW] == NONE ||
      waits_for_set_up[i] == (set_up_pending[i] || hears_set_up[i]) &&
      !(active[i] && (sets_up[i] || waits_for_set_up[i])) &&
      !(set_up_pending[i] && hears_set_up[i]) && (!comes[i] || set_up_pending[i]);
  end
end

sm_in_one_phase: assert property (!started_q || &phase_ok && &idle_ok && &told_ok);
preemption_of_reserved_only: assert property (!started_q || &reserved_flags_ok && &trap_ok && &restore_ok);
batch_has_handles: assert property (!started_q || &batch_ok && (!read_valid || read_sm < S) &&
                                    (in_batch == (read_valid && !read_last)) && (!in_batch || turn == read_sm) &&
                                    turn < S && turn_count <= T);
full_is_full: assert property (!started_q || &full_ok);
sm_knows_its_owner: assert property (!started_q || &issuable_ok);
active_by_the_last_set_up: assert property (!started_q || &last_set_up_ok);
sm_is_as_told: assert property (!started_q || &world_ok);
