// SPDX-License-Identifier: Apache-2.0
// A search looks at a row of the tables at a time. In a quiescent round it has nevertheless judged them as they are
// now.
//
// From the includer: CW K KSRS_PER_STEP KW MW NONE P PIPELINED POLICIES S SEARCH_WIDTH
// From tsr_pins.vh: rst_ni started_q
// From tsr_registers.vh: at_entrance candidate_ksr candidate_priority candidate_takes_idle chosen_buffer fcfs_ksr
//   fcfs_valid first_passes idle_found is_second ksr_context ksr_priority max_ksr max_left max_valid min_ksr min_left
//   min_valid nearest_context nearest_distance queue_count queue_ksr requester_ksr requester_priority requester_valid
//   row_context row_holds row_ksr row_left row_priority row_uncovered row_valid row_victim second_passes
//   seen_at_entrance selected_buffer slice_context slice_distance slice_ksr slice_nearest_valid slice_turn slice_valid
//   sm_counts sm_index sm_is_idle sm_is_running step top_ksr top_priority top_valid victim_claimant victim_context
//   victim_found victim_priority victim_running victim_sm
// From tsr_ownership.vh: i k
// From tsr_queues.vh: a b
// From tsr_walk.vh: found_exists goes_to_second has_passed is_walking
// From tsr_needs.vh: are_idle are_reserved behind claimant DSS holds in_turn left needs PPQ rule shared TIME_SLICE
// From tsr_quiescent.vh: needed_q quiescent_q were_reserved_q
// For others: best_ksr best_valid seen

// ---- PIPELINED: rows on their way -----------------------------------------------------------------------------------

wire in_flight = PIPELINED != 0 && (first_passes || second_passes);

reg       kernels_fly_ok, sms_fly_ok, contexts_fly_ok;
reg [7:0] place;
always @* begin
  kernels_fly_ok  = 1'b1;
  contexts_fly_ok = 1'b1;
  for (a = 0; a < KSRS_PER_STEP; a = a + 1) begin
    place = (step - 1'b1) * KSRS_PER_STEP + a;
    if (row_valid[a] != (place < queue_count)) kernels_fly_ok = 1'b0;
    if (row_valid[a] && row_context[a*CW +: CW] >= P) contexts_fly_ok = 1'b0;
    for (b = 0; b < K; b = b + 1) begin
      for (k = 0; k < K; k = k + 1) begin
        if (place == b && b < queue_count && queue_ksr[b*KW +: KW] == k &&
            !(row_ksr[a*KW +: KW] == k && (row_uncovered[a] ? needed_q[k] : !needs[k]) && row_holds[a] == holds[k] &&
              row_left[a*10 +: 10] == left[k*12 +: 10] && row_priority[a*4 +: 4] == ksr_priority[k*4 +: 4] &&
              row_context[a*CW +: CW] == ksr_context[k*CW +: CW])) kernels_fly_ok = 1'b0;
      end
    end
  end
end

always @* begin
  sms_fly_ok = 1'b1;
  for (a = 0; a < SEARCH_WIDTH; a = a + 1) begin
    if ((step - 1'b1) * SEARCH_WIDTH + a >= S && (sm_is_idle[a] || sm_counts[a])) sms_fly_ok = 1'b0;
    for (i = 0; i < S; i = i + 1) begin
      if ((step - 1'b1) * SEARCH_WIDTH + a == i) begin
        if (!(sm_index[a*MW +: MW] == i && sm_is_idle[a] == are_idle[i] &&
              sm_counts[a] == (claimant[i*KW +: KW] != NONE))) sms_fly_ok = 1'b0;
        if (sm_counts[a] && !(row_victim[a*KW +: KW] == claimant[i*KW +: KW] &&
                              (sm_is_running[a] ? !are_reserved[i] : were_reserved_q[i]))) sms_fly_ok = 1'b0;
        for (k = 0; k < K; k = k + 1) begin
          if (sm_counts[a] && claimant[i*KW +: KW] == k &&
              !(victim_priority[a*4 +: 4] == ksr_priority[k*4 +: 4] &&
                victim_context[a*CW +: CW] == ksr_context[k*CW +: CW])) sms_fly_ok = 1'b0;
        end
      end
    end
  end
end

rows_fly_as_the_tables: assert property (!started_q || PIPELINED == 0 || !(quiescent_q && is_walking) ||
  (!first_passes || kernels_fly_ok) && (!in_flight || sms_fly_ok));
entrance_as_the_tables: assert property (!started_q || !(quiescent_q && is_walking) ||
  {at_entrance, selected_buffer} == {seen_at_entrance, chosen_buffer});

// ---- engines keep the best of the rows that have passed -------------------------------------------------------------

reg [K-1:0] seen;    // kernels that have passed
reg [S-1:0] sm_seen; // SMs, in this walk
always @* begin
  seen = {K{1'b0}};
  for (a = 0; a < K; a = a + 1) begin
    for (k = 0; k < K; k = k + 1) begin
      if (is_walking && a < queue_count && queue_ksr[a*KW +: KW] == k) begin
        seen[k] = is_second || a < (step - in_flight) * KSRS_PER_STEP;
      end
    end
  end
  for (i = 0; i < S; i = i + 1) sm_seen[i] = is_walking && i < (step - in_flight) * SEARCH_WIDTH;
end

// None of them is better than the one that is kept, and that one was as good as this when the round began.
reg [K-1:0]       best_ok;
reg [3:0]         its_priority;
reg signed [11:0] its_left;
reg [7:0]         its_distance;
reg               is_nearest;
always @* begin
  for (k = 0; k < K; k = k + 1) begin
    its_priority = ksr_priority[k*4 +: 4];
    its_left     = left[k*12 +: 12];
    its_distance = behind[k*8 +: 8];
    is_nearest   = ksr_context[k*CW +: CW] == nearest_context;
    case (rule)
      PPQ: best_ok[k] =
        (!seen[k] || top_valid && its_priority <= top_priority) &&
        (!(seen[k] && needs[k]) || requester_valid && its_priority <= requester_priority) &&
        (!(top_valid && top_ksr == k) || seen[k] && its_priority == top_priority) &&
        (!(requester_valid && requester_ksr == k) || seen[k] && needed_q[k] && its_priority == requester_priority);
      DSS: best_ok[k] =
        (!(seen[k] && needs[k]) || max_valid && its_left <= max_left) &&
        (!(seen[k] && holds[k]) || min_valid && its_left >= min_left) &&
        (!(max_valid && max_ksr == k) || seen[k] && needed_q[k] && its_left == max_left) &&
        (!(min_valid && min_ksr == k) || seen[k] && holds[k] && its_left == min_left);
      // The turn goes to the nearest context when the first walk ends.
      TIME_SLICE: best_ok[k] =
        (!seen[k] || slice_nearest_valid && (is_second ? is_nearest == in_turn[k] : its_distance >= nearest_distance &&
                                             is_nearest == (its_distance == nearest_distance))) &&
        (!(seen[k] && needs[k]) || slice_valid && (is_second || its_distance >= slice_distance)) &&
        (!(slice_valid && slice_ksr == k) || seen[k] && needed_q[k] && ksr_context[k*CW +: CW] == slice_context &&
                                             (is_second || its_distance == slice_distance));
      default: best_ok[k] =
        (!(seen[k] && needs[k]) || fcfs_valid) && (!(fcfs_valid && fcfs_ksr == k) || seen[k] && needed_q[k]);
    endcase
  end
end

// The nearest context is one of theirs, and no idle SM was passed over.
reg nearest_ok, idle_ok_so_far;
always @* begin
  nearest_ok     = rule != TIME_SLICE || !slice_nearest_valid;
  idle_ok_so_far = is_second || idle_found || (sm_seen & are_idle) == 0;
  for (k = 0; k < K; k = k + 1) if (seen[k] && ksr_context[k*CW +: CW] == nearest_context) nearest_ok = 1'b1;
end

turn_exists: assert property (!started_q || !POLICIES[4] || slice_turn < P &&
  (PIPELINED == 0 || !rst_ni || !first_passes || contexts_fly_ok) &&
  (!(has_passed && !is_second && rule == TIME_SLICE && slice_nearest_valid) || nearest_context < P));
engines_know_the_tables: assert property (!started_q || !(quiescent_q && (is_second || has_passed)) ||
  &best_ok && nearest_ok && idle_ok_so_far && found_exists && (rule != DSS || !min_valid || min_ksr < K));

// ---- the candidate of the first walk, the victim of the second ------------------------------------------------------

// Who gets SMs that are free, and who takes them away from others.
reg          best_valid, candidate_ok;
reg [KW-1:0] best_ksr;
always @* begin
  best_valid   = fcfs_valid;
  best_ksr     = fcfs_ksr;
  candidate_ok = 1'b0;
  case (rule)
    PPQ: begin
      best_valid   = requester_valid && (shared || requester_priority == top_priority);
      best_ksr     = requester_ksr;
      candidate_ok = candidate_takes_idle ? best_valid && candidate_ksr == requester_ksr &&
                                            candidate_priority == requester_priority
                                          : !best_valid && !shared && top_valid && candidate_ksr == top_ksr &&
                                            candidate_priority == top_priority;
    end
    DSS: begin
      best_valid   = max_valid;
      best_ksr     = max_ksr;
      candidate_ok = candidate_takes_idle && max_valid && candidate_ksr == max_ksr && min_valid &&
                     max_left > min_left + 10'sd1;
    end
    TIME_SLICE: begin
      best_valid   = slice_valid && (shared || slice_context == nearest_context);
      best_ksr     = slice_ksr;
      candidate_ok = candidate_takes_idle && slice_valid && candidate_ksr == slice_ksr &&
                     slice_context == nearest_context;
    end
    default: ;
  endcase
  candidate_ok = candidate_ok && candidate_ksr < K && !(candidate_takes_idle && |are_idle);
end

reg [S-1:0] is_prey, victim_ok;
always @* begin
  for (i = 0; i < S; i = i + 1) begin
    is_prey[i] = 1'b0;
    for (k = 0; k < K; k = k + 1) begin
      if (claimant[i*KW +: KW] == k) begin
        is_prey[i] = rule == PPQ ? ksr_priority[k*4 +: 4] < candidate_priority :
                     rule == DSS ? min_ksr == k : ksr_context[k*CW +: CW] != nearest_context;
      end
    end
    victim_ok[i] = (!(sm_seen[i] && is_prey[i]) || victim_found) &&
                   (!(victim_found && victim_sm == i) ||
                    sm_seen[i] && is_prey[i] && claimant[i*KW +: KW] == victim_claimant &&
                    (victim_running ? !are_reserved[i] : were_reserved_q[i]));
  end
end

second_walk_knows_the_tables: assert property (!started_q || !(quiescent_q && (is_second || goes_to_second)) ||
  candidate_ok && (!(is_second && has_passed) || &victim_ok));
