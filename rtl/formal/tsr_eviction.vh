// SPDX-License-Identifier: Apache-2.0
// A turn that is kept: an eviction takes every SM away and keeps every count, and only kernels of the turn's context
// get SMs.
//
// From the includer: B CA clk_i K KEPT_TURN KW MW P S
// From tsr_open_row.vh: old_owned old_reserved
// From tsr_pins.vh: events_evicted_o rst_ni started_q
// From tsr_registers.vh: a_context a_ksr a_valid buffer_context buffer_valid context_queued entry_2 entry_3 is_a
//   is_kept job_ksr job_valid ksr_context ksr_holds ksr_valid open_owned open_reserved pass_2 pass_3
//   pass_context_2 pass_context_3 pass_ksr_2 pass_ksr_3 phase search_state sm_next sm_reserved sm_running
//   token_step turn turn_may turn_state W
// From tsr_sequence.vh: DRAIN evicting FIND JUDGE MOVE NONE SCAN WALK WRITE
// For others: nothing

// 1. Evictions.
reg        holds_any, visits_a_holder, next_is_nobody;
reg [P-1:0] queued_in_buffers;
reg [CA-1:0] candidates_context;
reg        is_candidate_there, contexts_ok;
integer    v, w;
always @* begin
  visits_a_holder = 1'b0;
  next_is_nobody  = 1'b1;
  holds_any       = (ksr_valid & ksr_holds) != 0;
  for (v = 0; v < K; v = v + 1) if (job_ksr == v && ksr_valid[v] && ksr_holds[v]) visits_a_holder = 1'b1;
  for (v = 0; v < S; v = v + 1) if (sm_next[v*KW +: KW] != NONE) next_is_nobody = 1'b0;
  queued_in_buffers = 0;
  for (v = 0; v < B; v = v + 1)
    for (w = 0; w < P; w = w + 1) if (buffer_valid[v] && buffer_context[v*CA +: CA] == w) queued_in_buffers[w] = 1'b1;
  {is_candidate_there, candidates_context, contexts_ok} = 1;
  for (v = 0; v < K; v = v + 1) begin
    if (a_ksr == v) {is_candidate_there, candidates_context} = {ksr_valid[v], ksr_context[v*CA +: CA]};
    for (w = 0; w < W; w = w + 1) begin
      if (pass_2 && entry_2[w] && pass_ksr_2[w*KW +: KW] == v && ksr_valid[v] &&
          pass_context_2[w*CA +: CA] != ksr_context[v*CA +: CA]) contexts_ok = 1'b0;
      if (pass_3 && entry_3[w] && pass_ksr_3[w*KW +: KW] == v && ksr_valid[v] &&
          pass_context_3[w*CA +: CA] != ksr_context[v*CA +: CA]) contexts_ok = 1'b0;
    end
  end
end
eviction_visits_those_that_hold: assert property (!started_q || !evicting || phase[FIND] ||
  (job_ksr == NONE ? !holds_any : visits_a_holder));
eviction_leaves_no_running_sm: assert property (!started_q || !events_evicted_o ||
  sm_running == 0 && next_is_nobody && !holds_any);
evicted_sms_come_back_as_tokens: assert property (!started_q || !(phase[WRITE] && evicting && job_valid) ||
  token_step == {{(10-MW){1'b0}}, old_owned} + {{(10-MW){1'b0}}, old_reserved} &&
  open_owned == 0 && open_reserved == 0);

// 2. Who gets SMs.
reg          was_judged_q, may_q, was_kept_q;
reg [CA-1:0] turn_q;
always @(posedge clk_i) begin
  was_judged_q <= rst_ni && search_state[JUDGE];
  {may_q, was_kept_q, turn_q} <= {turn_may, is_kept, turn};
end
walk_knows_contexts: assert property (!started_q || contexts_ok && !(search_state[SCAN] && a_valid) &&
  !(a_valid && is_candidate_there && a_context != candidates_context &&
    (search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE])));
sms_go_to_the_turn_alone: assert property (!started_q || !(was_judged_q && was_kept_q && search_state[MOVE]) ||
  may_q && is_a && (!is_candidate_there || candidates_context == turn_q));
passed_turn_is_nobodys: assert property (!started_q || is_kept || turn_state == 0);
queued_contexts_have_commands: assert property (!started_q || KEPT_TURN == 0 || context_queued == queued_in_buffers);

cover_eviction_visits_those_that_hold: assert property (!started_q || !(phase[WRITE] && evicting));
cover_eviction_leaves_no_running_sm: assert property (!started_q || !(events_evicted_o && |sm_reserved));
cover_evicted_sms_come_back_as_tokens: assert property (!started_q || !(phase[WRITE] && evicting && old_owned == S));
cover_walk_knows_contexts: assert property (!started_q || !(pass_3 && |entry_3 && pass_context_3 != 0));
cover_sms_go_to_the_turn_alone: assert property (!started_q ||
  !(was_judged_q && was_kept_q && search_state[MOVE] && turn_q != 0));
cover_passed_turn_is_nobodys: assert property (!started_q || !(is_kept && turn_state == 2));
cover_queued_contexts_have_commands: assert property (!started_q || !(context_queued == 2));
