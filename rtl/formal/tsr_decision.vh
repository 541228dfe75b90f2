// SPDX-License-Identifier: Apache-2.0
// A decision as a whole (docs/timing.md section 5): from the last thing that invoked the policy on, it comes to an end,
// and at the end there is nothing left to do.
//
// From the includer: BEGIN K KW PIPELINED S SEARCH_IDLE SETTLE
// From tsr_pins.vh: started_q
// From tsr_registers.vh: began candidate_ksr is_second looks_on may_activate move_kind move_ksr move_sm moves pending
//   repeats search_state settle tick_waits victim_found victim_sm
// From tsr_ownership.vh: i k
// From tsr_walk.vh: is_walking
// From tsr_needs.vh: are_idle are_reserved claimant holds is_served j may_take needs wants
// From tsr_quiescent.vh: moved_now moved_q needed needed_q quiescent_q rounds_q were_reserved were_reserved_q
// From tsr_passing.vh: best_ksr best_valid
// For others: nothing

// ---- what has moved stays where it is -------------------------------------------------------------------------------

reg moved_stay;
always @* begin
  moved_stay = (moved_q & moved_now) == 0;
  for (i = 0; i < S; i = i + 1) begin
    if (moved_q[i] && claimant[i*KW +: KW] >= K) moved_stay = 1'b0;
    for (j = 0; j < K; j = j + 1) begin
      for (k = 0; k < K; k = k + 1) begin
        if (moved_q[i] && claimant[i*KW +: KW] == k && wants[j] && may_take[j*K+k]) moved_stay = 1'b0;
      end
    end
  end
end

sm_moves_once: assert property (!started_q || moved_stay);

// ---- every round leaves less to do ----------------------------------------------------------------------------------

// SMs that have not moved weigh more than what a move may bring: a reservation, and a kernel in need.
function [7:0] to_do(input [S-1:0] moved, input [K-1:0] in_need, input [S-1:0] reserved);
  integer n;
  begin
    to_do = 0;
    for (n = 0; n < S; n = n + 1) to_do = to_do + (moved[n] ? 0 : 3) + reserved[n];
    for (n = 0; n < K; n = n + 1) to_do = to_do + in_need[n];
  end
endfunction

localparam MOST = 4 * S + K;
wire [7:0] at_begin = to_do(moved_q, needed, were_reserved);

decision_ends: assert property (!started_q || search_state == SEARCH_IDLE ||
  (search_state == BEGIN ? rounds_q + at_begin <= MOST && !pending && !tick_waits :
   !quiescent_q ? {rounds_q, moved_q} == 0 && (pending || !is_walking) :
   rounds_q != 0 && rounds_q + at_begin <= MOST + 1 && !pending && !tick_waits &&
   (!may_activate || PIPELINED != 0 && began) && (needs & ~needed_q) == 0 && (are_reserved & ~were_reserved_q) == 0));

// ---- at the end nobody is left --------------------------------------------------------------------------------------

reg leaves_none;
always @* begin
  leaves_none = 1'b1;
  for (j = 0; j < K; j = j + 1) begin
    if (is_served[j] && |are_idle) leaves_none = 1'b0;
    for (k = 0; k < K; k = k + 1) if (is_served[j] && holds[k] && may_take[j*K+k]) leaves_none = 1'b0;
  end
end

decision_is_complete: assert property (!started_q || search_state != SEARCH_IDLE || leaves_none);

// PIPELINED, what comes of a walk stands in registers for a cycle.
reg outcome_ok;
always @* begin
  if (!moves) outcome_ok = repeats ? to_do(moved_q, needs, are_reserved) < at_begin : looks_on || leaves_none;
  else if (is_second) begin
    outcome_ok = move_kind != 2'd0 && victim_found && move_sm == victim_sm && move_ksr == candidate_ksr;
  end else outcome_ok = move_kind == 2'd0 && best_valid && move_ksr == best_ksr;
end

outcome_as_the_tables: assert property (!started_q || PIPELINED == 0 ||
  !(quiescent_q && search_state == SETTLE && settle == 2) || outcome_ok);
