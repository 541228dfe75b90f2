// SPDX-License-Identifier: Apache-2.0
// A walk: which rows are where in the pipeline, and that what is found is there.
//
// From the includer: clk_i MW S STEPS
// From tsr_pins.vh: rst_ni started_q strap_search_step_cycles_i
// From tsr_registers.vh: counts_1 counts_2 counts_3 free_1 free_2 free_3 free_found free_sm gets_kept idle_1 idle_2
//   idle_3 idle_found idle_sm is_second_walk pass_1 pass_2 pass_3 row_3 search_state step victim_found victim_sm W
//   wait_count
// From tsr_sequence.vh: BEGIN DRAIN is_one_hot JUDGE MOVE SCAN WALK
// For others: nothing

reg [7:0] step_index;
reg       lanes_ok;
integer   l;
// Rows compared so far.
reg [7:0] passed_3_q;
wire [7:0] passed_2 = passed_3_q + pass_3;
wire [7:0] passed_1 = passed_3_q + pass_3 + pass_2;
wire [7:0] passed   = passed_3_q + pass_3 + pass_2 + pass_1;
always @(posedge clk_i) begin
  if (!rst_ni || search_state[BEGIN] || search_state[JUDGE]) passed_3_q <= 0;
  else if (pass_3) passed_3_q <= passed_3_q + 1;
end
always @* begin
  step_index = 0;
  for (l = 0; l < STEPS; l = l + 1) if (step[l]) step_index = l;
  lanes_ok = 1'b1;
  for (l = 0; l < W; l = l + 1) begin
    if (pass_1 && (idle_1[l] || counts_1[l]) && passed_1 * W + l >= S) lanes_ok = 1'b0;
    if (pass_2 && (idle_2[l] || counts_2[l]) && passed_2 * W + l >= S) lanes_ok = 1'b0;
    if (pass_3 && (idle_3[l] || counts_3[l]) && passed_3_q * W + l >= S) lanes_ok = 1'b0;
    if (pass_1 && free_1[l] && !idle_1[l] || pass_2 && free_2[l] && !idle_2[l] || pass_3 && free_3[l] && !idle_3[l]) lanes_ok = 1'b0;
  end
end
wire is_walking = search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE];
wire passes = pass_1 || pass_2 || pass_3;
rows_pass_in_order: assert property (!started_q || is_one_hot(step) && (!is_walking || row_3 == passed_3_q[MW-1:0]) &&
  (!search_state[SCAN] || step[0] && passed_3_q == 0 && row_3 == 0) && (!search_state[WALK] || passed == step_index) && (!search_state[DRAIN] || passed == STEPS && passes) &&
  (!search_state[JUDGE] || passed_3_q == STEPS && !passes) &&
  (search_state[WALK] || search_state[DRAIN] || !passes) && lanes_ok);
step_ends_in_time: assert property (!started_q || !search_state[WALK] || wait_count != 0 && wait_count <= strap_search_step_cycles_i);
found_sm_exists: assert property (!started_q || (!search_state[SCAN] || !is_second_walk && !idle_found && !free_found) && (!is_walking || (!idle_found || idle_sm < S) &&
  (!free_found || idle_found && free_sm < S) && (!is_second_walk || !victim_found || victim_sm < S) &&
  (!search_state[MOVE] || (is_second_walk ? victim_found : gets_kept ? idle_found : free_found))));
