// SPDX-License-Identifier: Apache-2.0
// A walk: which entries are where in the pipeline, and that a move has the kernels that it is about.
//
// From the includer: clk_i K KW STEPS
// From tsr_pins.vh: rst_ni started_q strap_search_step_cycles_i
// From tsr_registers.vh: a_ksr a_valid b_ksr b_valid entry_2 entry_3 is_a is_take pass_1 pass_2 pass_3 pass_ksr_2
//   pass_ksr_3 search_state step v_valid victim_ksr W wait_count
// From tsr_sequence.vh: BEGIN DRAIN is_one_hot JUDGE MOVE SCAN WALK
// For others: nothing

reg [7:0] step_index;
reg       entries_ok;
integer   l;
// Steps compared so far.
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
  entries_ok = 1'b1;
  for (l = 0; l < W; l = l + 1) begin
    if (pass_2 && entry_2[l] && pass_ksr_2[l*KW +: KW] >= K) entries_ok = 1'b0;
    if (pass_3 && entry_3[l] && pass_ksr_3[l*KW +: KW] >= K) entries_ok = 1'b0;
  end
end
wire is_walking = search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE];
wire passes = pass_1 || pass_2 || pass_3;
wire is_behind_the_last = passed != 0 && passed <= STEPS && step_index == (passed == STEPS ? 0 : passed); // that passed
entries_pass_in_order: assert property (!started_q || is_one_hot(step) && entries_ok &&
  (!search_state[SCAN] || step[0] && passed_3_q == 0) && (!search_state[WALK] || passed == step_index) &&
  (!search_state[DRAIN] || is_behind_the_last && passes) && (!search_state[JUDGE] || is_behind_the_last && !passes) &&
  (search_state[WALK] || search_state[DRAIN] || !passes));
step_ends_in_time: assert property (!started_q || !search_state[WALK] || wait_count != 0 && wait_count <= strap_search_step_cycles_i);
found_kernels_exist: assert property (!started_q || (!search_state[SCAN] || !a_valid && !b_valid && !v_valid) &&
  (!is_walking || (!a_valid || a_ksr < K) && (!b_valid || b_ksr < K) && (!v_valid || victim_ksr < K)) &&
  (!search_state[MOVE] || (is_a ? a_valid : is_take && b_valid) && (!is_take || v_valid)));
