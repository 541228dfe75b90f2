// SPDX-License-Identifier: Apache-2.0
// The pins keep their word (docs/timing.md section 3).
//
// From the includer: B clk_i command_buffer_i command_valid_i control_reg_i control_valid_i K MW NONE RUNNING S
//   SEARCH_IDLE T TW
// From tsr_pins.vh: buffer_free_o dispatch_last_o dispatch_sm_o dispatch_valid_o events_activated_buffer_o
//   events_activated_ksr_o events_activated_o events_cancelled_o events_move_o events_moved_ksr_o events_moved_o
//   events_moved_sm_o events_next_ksr_o events_policy_decided_o events_policy_invoked_o events_preempted_o
//   events_preempted_sm_o events_released_o events_released_sm_o rst_ni sm_control_kind_o sm_control_sm_o
//   sm_control_valid_o sm_event_ready_o started_q
// From tsr_registers.vh: chosen chosen_handle chosen_sm in_batch search_state smst_state turn
// From tsr_environment.vh: resident_q restores_q sets_up_q stops_q
// From tsr_ownership.vh: i
// From tsr_thread_blocks.vh: restore
// For others: goes_on_q set_up trap worked_q

wire set_up = sm_control_valid_o && !sm_control_kind_o;
wire trap   = sm_control_valid_o && sm_control_kind_o;

// ---- SMs ----------------------------------------------------------------------------------------------------------

reg reserved_gets_none, dispatch_ok, set_up_ok, trap_to_ok;
always @* begin
  reserved_gets_none = !chosen || chosen_sm < S;
  dispatch_ok        = !dispatch_valid_o || dispatch_sm_o < S;
  set_up_ok          = !set_up || sm_control_sm_o < S;
  trap_to_ok         = !trap || sm_control_sm_o < S;
  for (i = 0; i < S; i = i + 1) begin
    // A batch that was begun before goes on.
    if (chosen && chosen_sm == i && smst_state[2*i +: 2] != RUNNING && !(chosen_handle && in_batch && turn == i)) begin
      reserved_gets_none = 1'b0;
    end
    if (dispatch_valid_o && dispatch_sm_o == i && (sets_up_q[i] || stops_q[i] || restores_q[i] ||
        resident_q[i*TW +: TW] >= T || sm_control_valid_o && sm_control_sm_o == i)) dispatch_ok = 1'b0;
    if (set_up && sm_control_sm_o == i && resident_q[i*TW +: TW] != 0) set_up_ok = 1'b0;
    if (trap && sm_control_sm_o == i && (sets_up_q[i] || stops_q[i] || restores_q[i])) trap_to_ok = 1'b0;
  end
end

reserved_sm_gets_no_tb: assert property (!started_q || !rst_ni || reserved_gets_none);
dispatch_to_ready_sm: assert property (!started_q || dispatch_ok);
set_up_of_empty_sm: assert property (!started_q || set_up_ok);
trap_of_set_up_sm: assert property (!started_q || trap_to_ok);

// ---- command buffers, decisions, events: what was in the cycle before ---------------------------------------------

reg         worked_q; // the last cycle was not one of reset
reg [B-1:0] free_q;
reg         ready_q, wrote_q, goes_on_q, is_deciding_q;
reg [MW-1:0] batch_sm_q;
wire [B-1:0] taken     = command_valid_i ? {{(B-1){1'b0}}, 1'b1} << command_buffer_i : {B{1'b0}};
wire [B-1:0] activated = events_activated_o ? {{(B-1){1'b0}}, 1'b1} << events_activated_buffer_o : {B{1'b0}};
wire is_deciding       = is_deciding_q || events_policy_invoked_o;
always @(posedge clk_i) begin
  worked_q   <= rst_ni;
  free_q     <= buffer_free_o & ~taken;
  ready_q    <= sm_event_ready_o;
  wrote_q    <= control_valid_i && control_reg_i != 2'd3;
  goes_on_q  <= restore && !dispatch_last_o;
  batch_sm_q <= dispatch_sm_o;
  is_deciding_q <= rst_ni && is_deciding && !events_policy_decided_o;
end

handshakes_are_kept: assert property (!started_q || !worked_q ||
  buffer_free_o == (free_q | activated) && (free_q & activated) == 0 &&
  !(events_moved_o && ready_q) && !((events_moved_o || events_activated_o) && wrote_q) &&
  !(goes_on_q && !(restore && dispatch_sm_o == batch_sm_q)));
one_sm_changes_hands: assert property (!started_q ||
  {1'b0, events_moved_o} + events_preempted_o + events_released_o <= 1);
decisions_alternate: assert property (!started_q ||
  !(events_policy_invoked_o && is_deciding_q) && !(events_policy_decided_o && !is_deciding_q) &&
  (is_deciding && !events_policy_decided_o) == (search_state != SEARCH_IDLE));
pulses_and_their_fields: assert property (!started_q ||
  (events_moved_o ? events_move_o <= 2'd2 && events_moved_sm_o < S && events_moved_ksr_o < K :
                    {events_cancelled_o, events_move_o, events_moved_sm_o, events_moved_ksr_o} == 0) &&
  (events_activated_o ? events_activated_ksr_o < K && events_activated_buffer_o < B :
                        {events_activated_buffer_o, events_activated_ksr_o} == 0) &&
  (events_preempted_o ? events_preempted_sm_o < S && (events_next_ksr_o < K || events_next_ksr_o == NONE) :
                        events_preempted_sm_o == 0 && events_next_ksr_o == NONE) &&
  (events_released_o ? events_released_sm_o < S : events_released_sm_o == 0));
