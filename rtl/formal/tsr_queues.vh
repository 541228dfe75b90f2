// SPDX-License-Identifier: Apache-2.0
// Active queue and command buffers: every valid row stands in its queue once.
//
// From the includer: B BW CA K KW LW P T TW UA
// From tsr_flight.vh: is_active_kernel k
// From tsr_pins.vh: started_q
// From tsr_registers.vh: buffer_age buffer_context buffer_count buffer_is_best buffer_last buffer_launch buffer_valid
//   job_ksr ksr_valid launch phase queue_ksr queue_leaves queue_valid scan_best scan_best_context scan_ends scan_found
//   scan_passes scan_passing scan_passing_context scan_step scanning search_state
// From tsr_sequence.vh: ACTIVATE BURST CALC LOAD SCAN WRITE
// For others: b

reg       queue_ok, behind_ok, age_ok, buffers_ok, best_ok, passing_ok;
reg [K-1:0] is_leaving;
reg [7:0] n_queued, n_valid, n_waiting;
reg       is_waiting, was_behind, stands_behind;
integer   a, b;
always @* begin
  queue_ok  = 1'b1;
  n_queued  = 0;
  n_valid   = 0;
  is_leaving = 0;
  for (k = 0; k < K; k = k + 1) begin
    n_queued = n_queued + queue_valid[k];
    n_valid  = n_valid + ksr_valid[k];
    is_leaving[k] = queue_valid[k] && queue_ksr[k*KW +: KW] == job_ksr;
  end
  behind_ok = is_leaving == queue_leaves;
  if (n_queued != n_valid || ((queue_valid + 1'b1) & queue_valid) != 0) queue_ok = 1'b0;
  for (a = 0; a < K; a = a + 1) begin
    if (queue_valid[a] && !is_active_kernel(queue_ksr[a*KW +: KW], ksr_valid)) queue_ok = 1'b0;
    for (b = 0; b < a; b = b + 1) if (queue_valid[a] && queue_ksr[a*KW +: KW] == queue_ksr[b*KW +: KW]) queue_ok = 1'b0;
  end
end

always @* begin
  age_ok     = 1'b1;
  buffers_ok = {1'b0, buffer_last} < B;
  n_waiting  = 0;
  is_waiting = 1'b0;
  best_ok    = 1'b0;
  passing_ok = 1'b0;
  for (a = 0; a < B; a = a + 1) begin
    n_waiting = n_waiting + buffer_valid[a];
    if (buffer_valid[a] && (buffer_launch[a*LW+TW+40 +: BW] == 0 || buffer_launch[a*LW+40 +: TW] == 0 ||
                            buffer_launch[a*LW+40 +: TW] > T || {1'b0, buffer_context[a*CA +: CA]} >= P)) buffers_ok = 1'b0;
    if (scan_best == a) best_ok = buffer_valid[a] && scan_best_context == buffer_context[a*CA +: CA] &&
                                  (!search_state[ACTIVATE] || launch == buffer_launch[a*LW +: LW]);
    if (scan_passing == a) passing_ok = buffer_valid[a] && scan_passing_context == buffer_context[a*CA +: CA];
  end
  if (buffer_count != n_waiting) age_ok = 1'b0;
  for (a = 0; a < B; a = a + 1) begin
    is_waiting = 1'b0;
    for (b = 0; b < B; b = b + 1) if (buffer_age[a*UA +: UA] == b) is_waiting = buffer_valid[b];
    if (a < buffer_count && !is_waiting) age_ok = 1'b0;
    // Who stands behind the one that was found; an entry that has just come does in any case.
    {was_behind, stands_behind} = 2'b00;
    for (b = 0; b <= a; b = b + 1) begin
      was_behind    = was_behind || buffer_is_best[b];
      stands_behind = stands_behind || buffer_age[b*UA +: UA] == scan_best;
    end
    if (a < buffer_count && search_state[ACTIVATE] && was_behind != stands_behind) age_ok = 1'b0;
    for (b = 0; b < a; b = b + 1) begin
      if (a < buffer_count && buffer_age[a*UA +: UA] == buffer_age[b*UA +: UA]) age_ok = 1'b0;
    end
  end
end

active_queue_holds_each_kernel_once: assert property (!started_q || queue_ok);
queue_knows_who_leaves: assert property (!started_q || !(phase[LOAD] || phase[CALC] || phase[BURST] || phase[WRITE]) || behind_ok);
buffers_hold_each_command_once: assert property (!started_q || age_ok && buffers_ok);
scan_finds_a_command: assert property (!started_q || (!scanning || scan_step <= B) &&
  !(scanning && scan_ends) &&
  (!search_state[SCAN] || (scanning || scan_ends) && (!scan_found || best_ok) && (!scan_passes || scanning && passing_ok)) &&
  (!search_state[ACTIVATE] || !scanning && !scan_ends && !scan_passes && scan_found && best_ok));
