// SPDX-License-Identifier: Apache-2.0
// What properties speak of happens: a cover is an assertion that it never does, and has to fail.
//
// From the includer: T TW
// From tsr_flight.vh: given_q n_issued row_is_read
// From tsr_open_row.vh: judged old_fresh old_handles
// From tsr_pin_rules.vh: dispatch_resident fresh its_launch was_idle_q
// From tsr_pins.vh: control_ready_o dispatch_is_restore_o dispatch_stack_pointer_o dispatch_tb_o dispatch_valid_o
//   kernel_done_valid_o linger_start_o sm_control_kind_o sm_control_valid_o started_q
// From tsr_registers.vh: buffer_valid contexts_active finishes full has_pool_token is_found is_second is_take job
//   job_context job_ksr job_valid kept ksr_handles ksr_uncovered ksr_valid lingers open_preempted phase pool_takes push
//   queue_valid reads refills scan_found search_state sm_count sm_issuable sm_reserved sm_running sms_given status_writes_2
//   step trap_pending trapped uses_handles wait_count
// From tsr_rings.vh: ahead_q in_ring_q pops watches_q
// From tsr_sequence.vh: ACTIVATE BURST CALC FIND has_sm in_job JOB_ACTIVATE JOB_DEAL JOB_EVENT job_hands_over
//   JOB_ISSUE JOB_MOVE job_saved job_tb_done JOB_TRAP JUDGE LOAD MOVE SM WALK WRITE
// For others: nothing

cover_one_phase: assert property (!started_q || !(phase[WRITE]));
cover_one_job: assert property (!started_q || !(in_job && job[JOB_EVENT]));
cover_one_search_state: assert property (!started_q || !(search_state[JUDGE]));
cover_phase_of_the_job: assert property (!started_q || !(phase[BURST] && refills && job_tb_done));
cover_search_waits_for_its_job: assert property (!started_q || !(in_job && job[JOB_MOVE] && search_state[MOVE]));
cover_job_ends: assert property (!started_q || !(phase[BURST] && n_issued == T - 1));
cover_job_has_an_sm: assert property (!started_q || !(phase[FIND] && job[JOB_TRAP]));
cover_others_have_none: assert property (!started_q || !(in_job && !has_sm));
cover_row_is_the_sms: assert property (!started_q || !(row_is_read && is_second && job_hands_over));
cover_visits_the_right_ksr: assert property (!started_q || !(row_is_read && is_second));
cover_job_knows_valid: assert property (!started_q || !(judged && is_second && job_valid));
cover_status_row_is_the_ksrs: assert property (!started_q || !(phase[CALC] && job_ksr == 1));
cover_job_is_asked_for: assert property (!started_q || !(phase[CALC] && job[JOB_TRAP]));
cover_one_owner: assert property (!started_q || !(|(sm_reserved) && |(sm_running)));
cover_running_in_range: assert property (!started_q || !(sm_count[0 +: TW] == T));
cover_sms_recounted: assert property (!started_q || !(|sm_reserved && is_second));
cover_tbs_recounted: assert property (!started_q || !(open_preempted != 0));
cover_slots_recounted: assert property (!started_q || !(|(sm_reserved & trapped)));
cover_kernel_in_range: assert property (!started_q || !(&ksr_valid));
cover_flags_of_an_sm: assert property (!started_q || !(|trapped));
cover_full_is_full: assert property (!started_q || !(|full));
cover_sm_knows_its_owner: assert property (!started_q || !(|(sm_running & ~sm_issuable)));
cover_sm_is_as_told: assert property (!started_q || !(reads));
cover_no_sm_is_forgotten: assert property (!started_q || !(|trap_pending));
cover_stop_is_as_written: assert property (!started_q || !(sm_control_valid_o && sm_control_kind_o == 3'd2));
cover_sm_control_on_the_pins: assert property (!started_q || !(sm_control_valid_o && !sm_control_kind_o));
cover_row_is_read_back: assert property (!started_q || !(phase[LOAD] && job_ksr == 1));
cover_open_row_is_the_ksrs: assert property (!started_q || !(phase[WRITE] && job_saved && is_second));
cover_new_row: assert property (!started_q || !(phase[WRITE] && job[JOB_ACTIVATE]));
cover_burst_fits: assert property (!started_q || !(phase[BURST] && uses_handles));
cover_issues_to_whom_it_may: assert property (!started_q || !(phase[WRITE] && job[JOB_ISSUE]));
cover_none_has_tbs: assert property (!started_q || !(row_is_read && job_tb_done && !old_fresh && !old_handles));
cover_judged_by_the_tables: assert property (!started_q || !(judged && is_second && job_hands_over));
cover_status_is_the_rows: assert property (!started_q || !(|ksr_handles));
cover_uncovered_is_the_rows: assert property (!started_q || !(|ksr_uncovered && status_writes_2));
cover_free_row_is_free: assert property (!started_q || !(job[JOB_ACTIVATE] && in_job && job_ksr == 1));
cover_active_queue_holds_each_kernel_once: assert property (!started_q || !(queue_valid[1]));
cover_queue_knows_who_leaves: assert property (!started_q || !(phase[WRITE] && finishes && job_tb_done));
cover_buffers_hold_each_command_once: assert property (!started_q || !(|buffer_valid && ksr_valid != 0));
cover_scan_finds_a_command: assert property (!started_q || !(search_state[ACTIVATE] && scan_found && ksr_valid != 0));
cover_kept_sm_is_idle: assert property (!started_q || !(lingers && |kept));
cover_linger_starts_when_sms_are_left: assert property (!started_q || !(linger_start_o && kernel_done_valid_o));
cover_entries_pass_in_order: assert property (!started_q || !(search_state[JUDGE] && step == 1));
cover_taken_sm_is_found: assert property (!started_q || !(phase[SM] && job[JOB_MOVE] && is_found));
cover_burst_gives_idle_sms: assert property (!started_q || !(sms_given != 0 && given_q != 0));
cover_given_sms_await_their_set_up: assert property (!started_q || !(&given_q));
cover_burst_is_counted: assert property (!started_q || !(phase[WRITE] && &given_q));
cover_step_ends_in_time: assert property (!started_q || !(search_state[WALK] && wait_count == 1));
cover_found_kernels_exist: assert property (!started_q || !(search_state[MOVE] && is_take));
cover_kernels_recounted: assert property (!started_q || !(contexts_active == 2));
cover_context_of_the_job: assert property (!started_q || !(judged && job_context == 1));
cover_pool_token_is_somewhere_once: assert property (!started_q || !(pool_takes));
cover_pool_token_is_of_a_kernel: assert property (!started_q || !(|has_pool_token));
cover_dealt_kernel_stays: assert property (!started_q || !(phase[WRITE] && job[JOB_DEAL]));
cover_command_or_dispatch: assert property (!started_q || !(dispatch_valid_o && dispatch_is_restore_o));
cover_dispatch_to_ready_sm: assert property (!started_q || !(dispatch_valid_o && dispatch_resident != 0));
cover_command_to_ready_sm: assert property (!started_q || !(sm_control_valid_o && sm_control_kind_o));
cover_fresh_tbs_in_order: assert property (!started_q || !(fresh && dispatch_tb_o == 2));
cover_tbs_of_a_launch: assert property (!started_q || !(fresh && its_launch == 3));
cover_writes_wait: assert property (!started_q || !(search_state[MOVE] && !control_ready_o));
cover_rings_are_counted: assert property (!started_q || !(push && in_ring_q == 2));
cover_handle_comes_back: assert property (!started_q || !(pops && watches_q && ahead_q == 0 && &dispatch_stack_pointer_o));
cover_idle_means_idle: assert property (!started_q || !(was_idle_q && ksr_valid != 0));
