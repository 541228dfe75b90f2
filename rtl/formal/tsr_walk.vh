// SPDX-License-Identifier: Apache-2.0
// The search: where it may be, and what it has found.
//
// From the includer: ACTIVATE DISTRIBUTE IDLE K NONE PIPELINED S SETTLE STEPS WALK
// From tsr_pins.vh: started_q strap_activation_cycles_i strap_search_step_cycles_i
// From tsr_registers.vh: began candidate_ksr fcfs_ksr fcfs_valid first_passes idle_found idle_sm is_second looks_on
//   max_ksr max_valid policy queue_count requester_ksr requester_valid search_state second_passes settle slice_ksr
//   slice_valid smst_state starts step step_cycle top_ksr top_valid victim_claimant victim_found victim_sm
// From tsr_environment.vh: is_present
// From tsr_ownership.vh: i
// From tsr_rounds.vh: age
// For others: found_exists goes_to_second has_passed is_walking

// Rows of this walk have come to engines and finders; PIPELINED, they are a cycle on their way.
wire is_walking = search_state == WALK || search_state == SETTLE;
wire has_passed = is_walking && step != 0 && !(PIPELINED != 0 && starts && (first_passes || second_passes));
reg  idle_sm_ok;

always @* begin
  idle_sm_ok = 1'b0;
  for (i = 0; i < S; i = i + 1) if (idle_sm == i) idle_sm_ok = smst_state[2*i +: 2] == IDLE;
end

search_in_range: assert property (!started_q || search_state <= (PIPELINED != 0 ? SETTLE : DISTRIBUTE) && step_cycle < (
  search_state == ACTIVATE ? strap_activation_cycles_i : search_state == WALK ? strap_search_step_cycles_i : 1) &&
  (search_state == DISTRIBUTE ? step <= queue_count : search_state == WALK ? step < STEPS :
   search_state == SETTLE ? step == STEPS && settle <= 2 :
   search_state == ACTIVATE && PIPELINED != 0 ? step <= 1 : step == 0) && (is_walking || !is_second) &&
  (PIPELINED == 0 || !began || is_walking && !is_second && age == 1) && is_present[policy[2:0]]);
found_sm_is_idle: assert property (!started_q || !(has_passed && !is_second && idle_found) || idle_sm_ok);
victim_exists: assert property (!started_q || !(has_passed && is_second && victim_found) ||
                                victim_sm < S && victim_claimant != NONE);

// Whom an engine has found so far, while its policy walks.
reg found_exists;
always @* begin
  case (policy[2:0])
    3'd2:    found_exists = (!top_valid || top_ksr < K) && (!requester_valid || requester_ksr < K) &&
                            (top_valid || !requester_valid);
    3'd3:    found_exists = !max_valid || max_ksr < K;
    3'd4:    found_exists = !slice_valid || slice_ksr < K;
    default: found_exists = !fcfs_valid || fcfs_ksr < K;
  endcase
end

found_kernel_exists: assert property (!started_q || !(has_passed && !is_second) || found_exists);
wire goes_to_second = PIPELINED != 0 && search_state == SETTLE && settle == 2 && looks_on;
candidate_exists: assert property (!started_q || (candidate_ksr < K || !(is_second || goes_to_second)) &&
                                            !(is_second && goes_to_second));
