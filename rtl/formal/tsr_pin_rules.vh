// SPDX-License-Identifier: Apache-2.0
// Rules of the pins (timing.md 3.2, 3.4, 3.7).
//
// From the includer: B BW CA clk_i command_buffer_i command_num_tbs_i command_valid_i control_valid_i FW
//   handle_valid_i K KW linger_over_i listed_i LW MW P S slice_tick_i sm_event_kind_i sm_event_valid_i STEPS
//   switch_over_i TR TW UA UW waiting_i
// From tsr_environment.vh: reports resident_q restores_q SETUP_DONE told
// From tsr_flags.vh: hears_set_up
// From tsr_flight.vh: i k n_issued
// From tsr_open_row.vh: bursts
// From tsr_ownership.vh: ksr_left ksr_next_tb ksr_slots
// From tsr_pins.vh: buffer_free_o control_ready_o dispatch_is_restore_o dispatch_sm_o dispatch_tb_o
//   dispatch_valid_o events_activated_o events_buffer_o events_ksr_o idle_o rst_ni sm_control_context_o
//   sm_control_kind_o sm_control_sm_o sm_control_valid_o sm_event_ready_o started_q
// From tsr_queues.vh: b
// From tsr_registers.vh: active buffer_age buffer_context buffer_count buffer_launch buffer_valid context_dealt
//   context_has_budget context_kernels drains full has_pool_token job_ksr kept ksr_context ksr_fresh ksr_handles
//   ksr_holds ksr_uncovered ksr_valid lingers phase pool queue_ksr queue_valid restoring rows search_state
//   set_up_pending sm_count sm_ksr sm_next sm_reserved sm_running tokens_left trap_pending trapped turn turn_state
//   uses_handles was_listed was_waiting
// From tsr_scenario.vh: command_buffer_i command_num_tbs_i command_valid_i control_valid_i handle_valid_i
//   linger_over_i listed_i slice_tick_i sm_event_kind_i sm_event_valid_i switch_over_i waiting_i
// From tsr_sequence.vh: ACTIVATE BURST EVICT is_dealing MOVE NONE PICK WRITE
// For others: dispatch_ksr dispatch_resident fresh its_launch was_idle_q

reg [S-1:0] is_set_up_q; // its last command was a set-up, and it is done
reg [S-1:0] set_up_is_known;
always @(posedge clk_i) begin
  for (i = 0; i < S; i = i + 1) begin
    if (!rst_ni || told[i])                                   is_set_up_q[i] <= 1'b0;
    else if (reports[i] && sm_event_kind_i == SETUP_DONE) is_set_up_q[i] <= 1'b1;
  end
end
// Launches, by buffer and by KSR, from the pins.
reg [B*BW-1:0] launched_q;
reg [K*BW-1:0] count_q, sent_q, count_now, sent_now;
reg [K-1:0]    fresh_ok, launch_ok;
reg [B-1:0]    launched_ok;
reg [TW-1:0]   dispatch_resident, dispatch_slots;
reg [KW-1:0]   dispatch_ksr;
reg            dispatch_ok, control_ok;
reg [CA-1:0]   its_context;
wire fresh = dispatch_valid_o && !dispatch_is_restore_o;
always @* begin
  {dispatch_resident, dispatch_slots} = 0;
  dispatch_ksr = NONE;
  dispatch_ok = 1'b0;
  control_ok  = 1'b0;
  its_context = 0;
  for (i = 0; i < S; i = i + 1) begin
    set_up_is_known[i] = !(active[i] || hears_set_up[i]) || is_set_up_q[i];
    if (dispatch_sm_o == i) begin
      dispatch_resident = resident_q[i*TW +: TW];
      dispatch_ksr      = sm_ksr[i*KW +: KW];
      dispatch_ok       = is_set_up_q[i] && !restores_q[i] && !told[i];
    end
    if (sm_control_sm_o == i) begin
      control_ok = sm_control_kind_o ? is_set_up_q[i] && !restores_q[i] : resident_q[i*TW +: TW] == 0;
      for (k = 0; k < K; k = k + 1) if (sm_ksr[i*KW +: KW] == k) its_context = ksr_context[k*CA +: CA];
    end
  end
  for (k = 0; k < K; k = k + 1) begin
    if (dispatch_ksr == k) dispatch_slots = ksr_slots[k*TW +: TW];
    fresh_ok[k]  = !ksr_valid[k] || (events_activated_o && events_ksr_o == k ? ksr_next_tb[k*BW +: BW] == 0 && sent_now[k*BW +: BW] == 0 :
                   sent_q[k*BW +: BW] == ksr_next_tb[k*BW +: BW] +
                   (job_ksr == k && (phase[BURST] || phase[WRITE]) && bursts && !uses_handles ? n_issued : 0));
    launch_ok[k] = !ksr_valid[k] || {1'b0, count_now[k*BW +: BW]} == {1'b0, ksr_left[k*BW +: BW]} + ksr_next_tb[k*BW +: BW];
  end
  for (b = 0; b < B; b = b + 1) launched_ok[b] = !buffer_valid[b] || buffer_launch[b*LW+TW+40 +: BW] == launched_q[b*BW +: BW];
end
always @* begin
  {count_now, sent_now} = {count_q, sent_q};
  for (k = 0; k < K; k = k + 1) begin
    if (events_activated_o && events_ksr_o == k) begin
      sent_now[k*BW +: BW] = 0;
      for (b = 0; b < B; b = b + 1) if (events_buffer_o == b) count_now[k*BW +: BW] = launched_q[b*BW +: BW];
    end
  end
end
always @(posedge clk_i) begin
  for (b = 0; b < B; b = b + 1) if (command_valid_i && command_buffer_i == b) launched_q[b*BW +: BW] <= command_num_tbs_i;
  count_q <= count_now;
  for (k = 0; k < K; k = k + 1) sent_q[k*BW +: BW] <= sent_now[k*BW +: BW] + (fresh && dispatch_ksr == k);
end
reg [BW-1:0] its_sent, its_launch;
always @* begin
  {its_sent, its_launch} = 0;
  for (k = 0; k < K; k = k + 1) if (dispatch_ksr == k) {its_sent, its_launch} = {sent_now[k*BW +: BW], count_now[k*BW +: BW]};
end

command_or_dispatch: assert property (!started_q || !(sm_control_valid_o && (dispatch_valid_o || sm_event_ready_o)));
dispatch_to_ready_sm: assert property (!started_q || &set_up_is_known && (!dispatch_valid_o || dispatch_ok && dispatch_sm_o < S &&
                                       dispatch_resident < dispatch_slots));
command_to_ready_sm: assert property (!started_q || !sm_control_valid_o || control_ok && (sm_control_kind_o || sm_control_context_o == its_context));
fresh_tbs_in_order: assert property (!started_q || &fresh_ok && (!fresh || dispatch_tb_o == its_sent && its_sent < its_launch));
tbs_of_a_launch: assert property (!started_q || &launch_ok && &launched_ok && (!events_activated_o || events_ksr_o < K && phase[PICK]));
writes_wait: assert property (!started_q || !control_ready_o || !(search_state[ACTIVATE] || search_state[MOVE] || search_state[EVICT] || is_dealing));
// idle: nothing changes without inputs.
wire has_input = command_valid_i || control_valid_i || slice_tick_i || linger_over_i || sm_event_valid_i || handle_valid_i || !rst_ni ||
                 switch_over_i || waiting_i != was_waiting || listed_i != was_listed;
reg  was_idle_q;
reg [2 + CA + STEPS + 13 + 8 + S*(10 + 2*KW + TW) + 1 + K*FW + K*(5 + CA + KW + 1) + B*(1 + CA + UA) + UW + P*(KW + 2) + TR*11 + MW + B-1:0] was_q;
wire [2 + CA + STEPS + 13 + 8 + S*(10 + 2*KW + TW) + 1 + K*FW + K*(5 + CA + KW + 1) + B*(1 + CA + UA) + UW + P*(KW + 2) + TR*11 + MW + B-1:0] is_now = {
  turn_state, turn, search_state, phase, sm_running, sm_reserved, set_up_pending, active, trap_pending, trapped, restoring, full, drains, kept, lingers,
  sm_ksr,
  sm_next, sm_count, rows, ksr_valid, ksr_fresh, ksr_handles, ksr_holds, ksr_uncovered, ksr_context, queue_ksr, queue_valid,
  buffer_valid, buffer_context, buffer_age, buffer_count, context_kernels, context_has_budget, context_dealt, tokens_left,
  has_pool_token, pool, buffer_free_o};
always @(posedge clk_i) begin
  was_idle_q <= idle_o && !has_input;
  was_q      <= is_now;
end
idle_means_idle: assert property (!started_q || !was_idle_q || idle_o && is_now == was_q);
