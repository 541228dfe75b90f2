// SPDX-License-Identifier: Apache-2.0
// What properties speak of happens: a cover is an assertion that it never does, and has to fail.
cover_job_ends: assert property (!started_q || !(phase[BURST] && n_issued == T - 1));
cover_second_visit: assert property (!started_q || !(phase[WRITE] && is_second));
cover_finish: assert property (!started_q || !kernel_done_valid_o);
cover_reserve: assert property (!started_q || !(events_moved_o && events_move_o == 2'd1));
cover_trap: assert property (!started_q || !(sm_control_valid_o && sm_control_kind_o));
cover_restore: assert property (!started_q || !(dispatch_valid_o && dispatch_is_restore_o));
cover_dispatch: assert property (!started_q || !dispatch_valid_o);
cover_deal: assert property (!started_q || !(phase[WRITE] && job[JOB_DEAL]));
cover_refill: assert property (!started_q || !(phase[BURST] && refills && job_tb_done));
cover_idle_means_idle: assert property (!started_q || !(was_idle_q && ksr_valid != 0));
cover_sms_recounted: assert property (!started_q || !(|sm_reserved));
