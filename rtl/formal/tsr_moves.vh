// SPDX-License-Identifier: Apache-2.0
// (docs/timing.md 5.8), nothing happens between.
//
// From the includer: ACTIVATE B clk_i DISTRIBUTE IDLE K KSRS_PER_STEP KW MW NONE PIPELINED RESERVED RUNNING S
//   SEARCH_WIDTH SETTLE WALK
// From tsr_pins.vh: events_activated_o events_moved_o events_preempted_o events_released_o kernel_done_valid_o rst_ni
//   sm_event_ready_o started_q
// From tsr_registers.vh: began buffer_valid checking chosen_buffer first_passes is_second ksr_valid may_activate
//   move_kind move_ksr move_sm moves queue_count row_ksr row_valid row_victim search_state second_passes settle
//   sm_counts sm_index sm_is_idle smst_ksr smst_next smst_state starts step victim_claimant
// From tsr_ownership.vh: i is_active_kernel
// From tsr_queues.vh: a b
// From tsr_walk.vh: is_walking
// From tsr_launches.vh: owners_q
// For others: checked_q

// ---- rows on their way to engines and finders ---------------------------------------------------------------------

reg rows_ok;
always @* begin
  rows_ok = !(first_passes && second_passes);
  for (a = 0; a < KSRS_PER_STEP; a = a + 1) begin
    if (first_passes && row_valid[a] && row_ksr[a*KW +: KW] >= K) rows_ok = 1'b0;
  end
  for (a = 0; a < SEARCH_WIDTH; a = a + 1) begin
    for (i = 0; i < S; i = i + 1) begin
      if (first_passes && sm_is_idle[a] && sm_index[a*MW +: MW] == i && smst_state[2*i +: 2] != IDLE) rows_ok = 1'b0;
    end
    if ((first_passes && sm_is_idle[a] || second_passes && sm_counts[a]) && sm_index[a*MW +: MW] >= S) rows_ok = 1'b0;
    if (second_passes && sm_counts[a] && row_victim[a*KW +: KW] == NONE) rows_ok = 1'b0;
  end
end

rows_arrive: assert property (!started_q || PIPELINED == 0 || !rst_ni || rows_ok &&
  (!(first_passes || second_passes) || search_state == DISTRIBUTE || search_state == ACTIVATE || is_walking &&
   second_passes == is_second && starts == (step == 1) && (search_state == WALK || settle == 0)));

// ---- a command that may be activated ------------------------------------------------------------------------------

reg chosen_waits;
always @* begin
  chosen_waits = 1'b0;
  for (b = 0; b < B; b = b + 1) if (chosen_buffer == b) chosen_waits = buffer_valid[b];
end

activation_is_possible: assert property (!started_q ||
  !(may_activate && (PIPELINED == 0 || began || search_state == ACTIVATE)) ||
  chosen_waits && queue_count < K);

// ---- moves --------------------------------------------------------------------------------------------------------

reg move_ok;
always @* begin
  move_ok = is_active_kernel(move_ksr, ksr_valid) && move_sm < S;
  for (i = 0; i < S; i = i + 1) begin
    if (move_sm == i) begin
      case (move_kind)
        2'd0:    if (smst_state[2*i +: 2] != IDLE) move_ok = 1'b0;
        2'd1:    if (smst_state[2*i +: 2] != RUNNING ||
                     PIPELINED != 0 && smst_ksr[i*KW +: KW] != victim_claimant) move_ok = 1'b0;
        2'd2:    if (smst_state[2*i +: 2] != RESERVED || smst_next[i*KW +: KW] == NONE ||
                     PIPELINED != 0 && smst_next[i*KW +: KW] != victim_claimant) move_ok = 1'b0;
        default: move_ok = 1'b0;
      endcase
    end
  end
end

moves_fit_the_tables: assert property (!started_q || !rst_ni || !moves || move_ok);

// The cycle after a check: SMs and kernels are as they were.
reg            checked_q;
reg [2*S-1:0]  states_q;
reg [S*KW-1:0] nexts_q;
reg [K-1:0]    valid_q;
always @(posedge clk_i) begin
  checked_q <= rst_ni && checking;
  states_q  <= smst_state;
  nexts_q   <= smst_next;
  valid_q   <= ksr_valid;
end

nothing_between_check_and_move: assert property (!started_q || PIPELINED == 0 || !rst_ni ||
  !(checking && sm_event_ready_o) && !(moves && (sm_event_ready_o || !checked_q)) &&
  (checking == (search_state == SETTLE && settle == 1)) &&
  (!checked_q || {states_q, owners_q, nexts_q, valid_q} == {smst_state, smst_ksr, smst_next, ksr_valid} &&
                 !(events_moved_o || events_preempted_o || events_released_o || events_activated_o ||
                   kernel_done_valid_o)));
