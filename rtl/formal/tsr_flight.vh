// SPDX-License-Identifier: Apache-2.0
// The row of the job's SM, as it was read, against the table that has it still.
//
// From the includer: BW K KW S T TW
// From tsr_pins.vh: started_q
// From tsr_registers.vh: active drains finishes full is_second job job_ksr job_row job_sm_index job_valid ksr_valid
//   phase restoring row_active row_count row_drains row_ksr row_next row_reserved row_restoring row_running row_trapped
//   set_up_pending sm_count sm_issuable sm_ksr sm_next sm_reserved sm_running status_row trap_pending trapped
// From tsr_sequence.vh: BURST burst_age_q CALC FIND has_sm in_job JOB_ACTIVATE job_age_ok job_assigns job_bursts
//   JOB_EVENT JOB_ISSUE JOB_LEAVE JOB_MOVE job_moves job_retargets job_saved JOB_SETUP job_tb_done JOB_TRAP LOAD
//   move_ksr NONE SM WRITE
// For others: at_job i is_active_kernel job_count k n_issued row_is_read stepped

function is_active_kernel(input [KW-1:0] k, input [K-1:0] valid);
  integer i;
  begin
    is_active_kernel = 1'b0;
    for (i = 0; i < K; i = i + 1) if (k == i) is_active_kernel = valid[i];
  end
endfunction

reg [S-1:0] at_job;                     // the job's SM
reg [S-1:0] row_ok, flight_resident_ok;
reg [TW-1:0] job_count;                 // of the table
wire        row_is_read = in_job && has_sm && !phase[FIND] && !phase[SM];
wire        stepped = phase[BURST] || phase[WRITE] || is_second; // CALC is over
reg [TW-1:0] its_resident;
integer     i, k;
always @* begin
  job_count = 0;
  for (i = 0; i < S; i = i + 1) begin
    at_job[i] = in_job && has_sm && (phase[FIND] ? (job[JOB_EVENT] || job[JOB_MOVE]) && job_sm_index == i : job_row[i]);
    if (at_job[i]) job_count = sm_count[i*TW +: TW];
    row_ok[i] = !(row_is_read && at_job[i]) ||
      row_running == sm_running[i] && row_reserved == sm_reserved[i] &&
      (is_second && !job_moves || row_ksr == sm_ksr[i*KW +: KW] && row_next == sm_next[i*KW +: KW] &&
       row_active == active[i] && row_drains == drains[i]) &&
      (!is_second || row_next == sm_next[i*KW +: KW] || sm_next[i*KW +: KW] == NONE && !is_active_kernel(row_next, ksr_valid)) &&
      (!is_second || row_ksr == sm_ksr[i*KW +: KW] || sm_ksr[i*KW +: KW] == NONE && finishes && !is_active_kernel(row_ksr, ksr_valid)) &&
      row_trapped == trapped[i] && row_restoring == restoring[i] && job_sm_index == i;
  end
end
wire [TW-1:0] n_issued = row_count - job_count + (job_tb_done && stepped); // TBs of the burst so far
wire row_count_ok = job_saved && is_second ? row_count == 0 :
                    (phase[BURST] || phase[WRITE] && job_bursts) ? n_issued <= T : n_issued == 0;

wire has_row = |(at_job) && (at_job & (at_job - 1'b1)) == 0;
wire [KW-1:0] visited_ksr = is_second ? (job_moves ? move_ksr : row_next) :
                            job_assigns ? move_ksr : job_retargets ? row_next : row_ksr;
job_has_an_sm: assert property (!started_q || !in_job || !has_sm || (phase[FIND] && !job[JOB_EVENT] && !job[JOB_MOVE] ? job_row != 0 : has_row));
others_have_none: assert property (!started_q || !in_job || has_sm || job_row == 0);
row_is_the_sms: assert property (!started_q || &row_ok && (!row_is_read || row_count_ok));
visits_the_right_ksr: assert property (!started_q || !row_is_read || job_ksr == visited_ksr);
// A kernel that a job visits is there for as long as the job lasts, but for the one that it ends itself.
job_knows_valid: assert property (!started_q || !(phase[CALC] || phase[BURST] || phase[WRITE]) ||
  (job[JOB_ACTIVATE] ? job_valid : job_valid == is_active_kernel(job_ksr, ksr_valid)));
reg is_row_of_ksr;
always @* begin
  is_row_of_ksr = 1'b1;
  for (k = 0; k < K; k = k + 1) if (status_row[k] != (job_ksr == k)) is_row_of_ksr = 1'b0;
end
status_row_is_the_ksrs: assert property (!started_q || !(phase[LOAD] || phase[CALC] || phase[BURST] || phase[WRITE]) || is_row_of_ksr);
// Who asked for a job still does until it is done.
reg asks_still;
always @* begin
  asks_still = 1'b1;
  for (i = 0; i < S; i = i + 1) begin
    if (in_job && job_row[i] && (
        job[JOB_TRAP] && !trap_pending[i] || job[JOB_SETUP] && !set_up_pending[i] ||
        job[JOB_LEAVE] && !(active[i] && !restoring[i] && sm_count[i*TW +: TW] == 0 && (sm_reserved[i] && drains[i] || sm_running[i] && !sm_issuable[i])) ||
        job[JOB_ISSUE] && !(active[i] && sm_running[i] && sm_issuable[i] && !full[i] && !restoring[i]))) asks_still = 1'b0;
  end
end
job_is_asked_for: assert property (!started_q || asks_still);
job_ends: assert property (!started_q || job_age_ok && (BW > 8 || !phase[BURST] || burst_age_q == n_issued));
