// SPDX-License-Identifier: Apache-2.0
// Idle, and no input: everything stays as it is, registers and pins.
//
// From the includer: B BW clk_i command_valid_i control_valid_i CW handle_valid_i K KW LW MW P RW S slice_tick_i
//   sm_event_valid_i SW TW UW
// From tsr_pins.vh: buffer_free_o dispatch_valid_o events_activated_o events_cancelled_o events_moved_o
//   events_policy_decided_o events_policy_invoked_o events_preempted_o events_released_o idle_o kernel_done_valid_o
//   rst_ni slice_timer_enable_o sm_control_valid_o sm_event_ready_o started_q
// From tsr_registers.vh: active buffer_age buffer_context buffer_count buffer_last buffer_launch buffer_slots
//   buffer_valid context_held context_kernels drains full in_batch ksr_context ksr_covered ksr_has_fresh
//   ksr_has_handles ksr_has_more ksr_has_pool_token ksr_next_tb ksr_outstanding ksr_owned ksr_preempted ksr_priority
//   ksr_promised ksr_remaining ksr_reserved ksr_slots ksr_tokens ksr_valid policy pool queue_count queue_ksr read_last
//   read_valid restoring ring_head ring_tail search_state served set_up_pending smst_ksr smst_next smst_running
//   smst_state trap_pending trapped turn turn_count
// From tsr_handshakes.vh: worked_q
// For others: rests_q

wire no_input = !command_valid_i && !control_valid_i && !slice_tick_i && !sm_event_valid_i && !handle_valid_i && rst_ni;

wire [2*S-1+S*(2*KW+TW)+8*S:0] of_sms = {smst_state, smst_ksr, smst_next, smst_running, set_up_pending, active,
  trap_pending, trapped, restoring, full, drains, served};
wire [K*(5+CW+4+9+TW+LW+BW+4*SW+2*MW+KW+2*RW)+KW-1:0] of_kernels = {
  ksr_valid, ksr_has_pool_token, ksr_context, ksr_priority, ksr_tokens, ksr_slots, ksr_has_fresh,
  ksr_has_handles, ksr_remaining, ksr_has_more, ksr_next_tb, ksr_outstanding, ksr_preempted, ksr_promised, ksr_owned,
  ksr_reserved, ksr_covered,
  queue_ksr, ring_head, ring_tail, queue_count};
wire [B*(1+CW+BW+40+TW+UW)+2*UW-1:0] of_commands = {buffer_valid, buffer_context, buffer_launch, buffer_slots, buffer_age,
  buffer_count, buffer_last};
wire [P*(KW+MW)+2*MW+TW+3+2+7-1:0] of_the_rest = {context_kernels, context_held, turn, turn_count, in_batch, read_valid,
  read_last, search_state[1:0], policy, pool};
wire [B+19:0] pins = {buffer_free_o, slice_timer_enable_o, sm_event_ready_o, sm_control_valid_o, dispatch_valid_o,
  kernel_done_valid_o, events_policy_invoked_o, events_policy_decided_o, events_activated_o, events_moved_o,
  events_cancelled_o, events_preempted_o, events_released_o, idle_o};

reg rests_q;
reg [$bits(of_sms)-1:0]      of_sms_q;
reg [$bits(of_kernels)-1:0]  of_kernels_q;
reg [$bits(of_commands)-1:0] of_commands_q;
reg [$bits(of_the_rest)-1:0] of_the_rest_q;
reg [$bits(pins)-1:0]        pins_q;
always @(posedge clk_i) begin
  rests_q       <= idle_o && no_input;
  of_sms_q      <= of_sms;
  of_kernels_q  <= of_kernels;
  of_commands_q <= of_commands;
  of_the_rest_q <= of_the_rest;
  pins_q        <= pins;
end

idle_keeps_still: assert property (!started_q || !(rests_q && worked_q) ||
  {of_sms, of_kernels, of_commands, of_the_rest, pins} ==
  {of_sms_q, of_kernels_q, of_commands_q, of_the_rest_q, pins_q});
