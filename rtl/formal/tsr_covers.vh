// SPDX-License-Identifier: Apache-2.0
// What each property speaks of happens: a cover is an assertion that it never does, and has to fail.
//
// From the includer: ACTIVATE B DISTRIBUTE IDLE K KW MW NONE P RESERVED S SEARCH_IDLE sm_event_kind_i SW T TW WALK
// From tsr_pins.vh: dispatch_valid_o events_cancelled_o events_next_ksr_o events_policy_decided_o events_preempted_o
//   kernel_done_valid_o rst_ni sm_control_context_o started_q
// From tsr_registers.vh: active buffer_count buffer_valid chosen context_has_token context_held context_kernels drains
//   fcfs_valid full idle_found in_batch is_second ksr_covered ksr_has_fresh ksr_has_handles ksr_has_more
//   ksr_outstanding ksr_owned ksr_preempted ksr_reserved ksr_valid max_valid may_activate move_kind moves policy pool
//   queue_count restoring search_state second_passes slice_turn slice_valid sm_counts sm_issuable smst_ksr smst_next
//   smst_running smst_state step top_valid trap_pending trapped victim_found
// From tsr_environment.vh: reports restores_q sets_up_q SETUP_DONE stops_q
// From tsr_ownership.vh: i k
// From tsr_thread_blocks.vh: a_count_q a_fresh a_ksr a_next_tb a_tag_q a_tb a_valid a_was_there_q ahead_q DONE fresh
//   IN_RING occupied_q ON_SM place_q popped_q restore
// From tsr_flags.vh: hears_set_up
// From tsr_walk.vh: has_passed is_walking
// From tsr_rounds.vh: age walk_cycles
// From tsr_handshakes.vh: goes_on_q set_up trap worked_q
// From tsr_launches.vh: a_context page_sent_q set_up_ksr
// From tsr_moves.vh: checked_q
// From tsr_pool.vh: POOL
// From tsr_needs.vh: holds needs rule TIME_SLICE
// From tsr_quiescent.vh: is_quiescent moved_now moved_q quiescent_q rounds_q
// From tsr_passing.vh: seen
// From tsr_dss_service.vh: budgets_fit some_for_nobody
// From tsr_waiting.vh: wait_q
// From tsr_rest.vh: rests_q
// For others: nothing

reg some_reserved, some_full, some_busy_kernel, some_preempted, some_covered, some_stale, some_both;
always @* begin
  {some_reserved, some_full, some_busy_kernel, some_preempted, some_covered, some_stale, some_both} = 7'd0;
  for (i = 0; i < S; i = i + 1) begin
    if (smst_state[2*i +: 2] == RESERVED && smst_ksr[i*KW +: KW] != NONE && smst_next[i*KW +: KW] != NONE &&
        smst_ksr[i*KW +: KW] != smst_next[i*KW +: KW]) some_reserved = 1'b1;
    if (smst_running[i*TW +: TW] == T) some_full = 1'b1;
    if (smst_state[2*i +: 2] == IDLE && sets_up_q[i]) some_stale = 1'b1;
  end
  for (k = 0; k < K; k = k + 1) begin
    if (ksr_valid[k] && ksr_owned[k*MW +: MW] != 0 && ksr_reserved[k*MW +: MW] != 0) some_busy_kernel = 1'b1;
    if (ksr_valid[k] && ksr_preempted[k*SW +: SW] != 0 &&
        ksr_outstanding[k*SW +: SW] > ksr_preempted[k*SW +: SW]) some_preempted = 1'b1;
    if (ksr_valid[k] && ksr_has_fresh[k] && ksr_has_handles[k]) some_both = 1'b1;
    if (ksr_valid[k] && ksr_covered[k*SW +: SW] != 0 && ksr_reserved[k*MW +: MW] != 0) some_covered = 1'b1;
  end
end

cover_one_owner: assert property (!started_q || !some_reserved);
cover_running_in_range: assert property (!started_q || !some_full);
cover_tokens_conserved: assert property (!started_q || !some_busy_kernel);
cover_context_tokens_conserved: assert property (!started_q || context_held[0 +: MW] != S);
cover_tbs_conserved: assert property (!started_q || !some_preempted);
cover_slots_recounted: assert property (!started_q || !some_covered);
cover_kernel_in_range: assert property (!started_q || !(&ksr_valid));
cover_sm_in_one_phase: assert property (!started_q || !(|trapped && |active));
cover_preemption_of_reserved_only: assert property (!started_q || !(|drains && |trap_pending));
cover_batch_has_handles: assert property (!started_q || !in_batch);
cover_full_is_full: assert property (!started_q || !(&full));
cover_sm_knows_its_owner: assert property (!started_q || !(|(active & ~sm_issuable)));
cover_active_by_the_last_set_up: assert property (!started_q ||
  !(sm_event_kind_i == SETUP_DONE && |(reports & hears_set_up)));
cover_sm_is_as_told: assert property (!started_q || !some_stale);
cover_active_queue_holds_each_kernel_once: assert property (!started_q || queue_count != K);
cover_buffers_hold_each_command_once: assert property (!started_q || buffer_count != B);
cover_search_in_range: assert property (!started_q || !(search_state == DISTRIBUTE && step != 0));
cover_round_ends: assert property (!started_q || !(search_state == WALK && is_second && age > 4 &&
                                                           age == 2 * walk_cycles - 1));
cover_found_sm_is_idle: assert property (!started_q || !(has_passed && !is_second && idle_found));
cover_victim_exists: assert property (!started_q || !(has_passed && is_second && victim_found));
cover_found_kernel_exists: assert property (!started_q || !(has_passed && !is_second &&
                                            (fcfs_valid || top_valid || max_valid || slice_valid)));
cover_candidate_exists: assert property (!started_q || !is_second);
cover_ptbq_never_overflows: assert property (!started_q || occupied_q[0 +: 8] != T);
cover_tb_handle_in_ring_once: assert property (!started_q || !(a_valid && place_q == IN_RING && ahead_q == 1));
cover_tbs_issued_in_order: assert property (!started_q || !(a_valid && a_next_tb == 3));
cover_tb_sent_fresh_once: assert property (!started_q || !(rst_ni && a_fresh && a_tb == 1));
cover_tb_restored_only_when_saved: assert property (!started_q || !(rst_ni && restore && popped_q));
cover_tb_stays_where_it_is: assert property (!started_q ||
  !(a_valid && place_q == ON_SM && |(restoring & ~restores_q)));
cover_kernel_done_with_last_tb: assert property (!started_q ||
  !(kernel_done_valid_o && a_count_q == 2 && place_q == DONE));
cover_reserved_sm_gets_no_tb: assert property (!started_q || !(rst_ni && chosen && some_reserved));
cover_dispatch_to_ready_sm: assert property (!started_q || !(dispatch_valid_o && |sets_up_q));
cover_set_up_of_empty_sm: assert property (!started_q || !(set_up && |stops_q));
cover_trap_of_set_up_sm: assert property (!started_q || !(trap && some_full));
cover_handshakes_are_kept: assert property (!started_q || !(worked_q && goes_on_q));
cover_one_sm_changes_hands: assert property (!started_q || !(events_preempted_o && events_next_ksr_o != NONE));
cover_decisions_alternate: assert property (!started_q || !(events_policy_decided_o && |smst_running));
cover_pulses_and_their_fields: assert property (!started_q || !events_cancelled_o);
cover_idle_keeps_still: assert property (!started_q || !(rests_q && worked_q && |trapped));
cover_unsent_counted: assert property (!started_q || !(a_valid && |(ksr_valid & ksr_has_more) && a_next_tb != 0));
cover_issuable_is_seen: assert property (!started_q || !some_both);
cover_kernel_done_names_its_launch: assert property (!started_q ||
  !(kernel_done_valid_o && a_was_there_q && !a_valid && &a_tag_q));
cover_set_up_is_for_its_kernel: assert property (!started_q ||
  !(set_up && worked_q && set_up_ksr == a_ksr && &a_tag_q &&
  sm_control_context_o == a_context && page_sent_q == 5));
cover_moves_fit_the_tables: assert property (!started_q || !(rst_ni && moves && move_kind == 2'd2));
cover_activation_is_possible: assert property (!started_q ||
  !(may_activate && search_state == ACTIVATE && queue_count == K - 1));
cover_rows_arrive: assert property (!started_q || !(rst_ni && second_passes && |sm_counts));
cover_nothing_between_check_and_move: assert property (!started_q || !(rst_ni && checked_q && moves && fresh));
cover_pool_conserved: assert property (!started_q || !(POOL != 0 && pool == 0 && |context_has_token));
cover_process_shares_its_tokens: assert property (!started_q ||
  !(policy[6] && context_kernels[0 +: KW] == 2 && context_has_token[0]));
cover_turn_exists: assert property (!started_q || !(rule == TIME_SLICE && slice_turn == P - 1));
cover_engines_know_the_tables: assert property (!started_q || !(quiescent_q && has_passed && |(seen & needs & holds)));
cover_second_walk_knows_the_tables: assert property (!started_q ||
  !(quiescent_q && is_second && has_passed && victim_found));
cover_sm_moves_once: assert property (!started_q || !(|moved_q && |moved_now));
cover_decision_ends: assert property (!started_q || !(quiescent_q && is_second && rounds_q == 2));
cover_decision_is_complete: assert property (!started_q || !(search_state == SEARCH_IDLE && |(holds & needs)));
cover_dss_serves_each: assert property (!started_q ||
  !(search_state == SEARCH_IDLE && budgets_fit && &ksr_valid && &(ksr_has_fresh | ksr_has_handles) && !some_for_nobody));
cover_dss_takes_only_debt: assert property (!started_q ||
  !(moves && is_quiescent && budgets_fit && move_kind != 2'd0 && !some_for_nobody));
cover_rows_fly_as_the_tables: assert property (!started_q ||
  !(quiescent_q && is_walking && second_passes && |sm_counts));
cover_entrance_as_the_tables: assert property (!started_q || !(quiescent_q && is_walking && |buffer_valid));
cover_outcome_as_the_tables: assert property (!started_q || !(quiescent_q && moves && is_second));
cover_event_is_taken: assert property (!started_q || wait_q < 2);
