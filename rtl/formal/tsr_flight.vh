// SPDX-License-Identifier: Apache-2.0
// The row of the job's SM, as it was read, against the table that has it still.
//
// From the includer: BW clk_i K KW MW S T TW
// From tsr_pins.vh: rst_ni started_q
// From tsr_registers.vh: active comes_back drains finishes freed full is_found is_second is_take job job_ksr job_row job_sm_index
//   job_valid ksr_valid phase rejected restoring row_active row_count row_drains row_ksr row_next row_reserved
//   row_restoring row_running row_trapped set_up_pending sm_count sm_issuable sm_ksr sm_next sm_reserved sm_running
//   sms_given status_row token_step trap_pending trapped victim_ksr
// From tsr_sequence.vh: BURST burst_age_q CALC FIND has_sm in_job JOB_ACTIVATE job_age_ok job_assigns job_bursts
//   JOB_EVENT JOB_ISSUE JOB_LEAVE JOB_MOVE job_moves job_retargets job_saved JOB_SETUP job_tb_done JOB_TRAP LOAD move_ksr
//   NONE ROW SM WRITE
// For others: at_job given_q i is_active_kernel job_count k n_given n_issued row_is_read stepped

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
    at_job[i] = in_job && has_sm && (phase[FIND] ? job[JOB_EVENT] && job_sm_index == i : job_row[i]);
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
                    (phase[BURST] || phase[WRITE]) && job_bursts ? n_issued <= T : n_issued == 0;

wire has_row = |(at_job) && (at_job & (at_job - 1'b1)) == 0;
wire [KW-1:0] visited_ksr = is_second ? (job_moves ? move_ksr : row_next) :
                            job_assigns ? move_ksr : finds_none ? NONE : job_retargets ? row_next : row_ksr;
// A take finds its SM in FIND, or none.
wire finds_none = job_moves && !phase[FIND] && at_job == 0;
job_has_an_sm: assert property (!started_q || !in_job || !has_sm || (phase[FIND] ? job[JOB_MOVE] || (job[JOB_EVENT] ? has_row : job_row != 0) :
  has_row || finds_none && !is_second && !phase[BURST] && !phase[WRITE] && !(phase[CALC] && !rejected)));
reg taken_ok; // it counts against the victim
always @* begin
  taken_ok = !row_is_read || (finds_none ? !row_running && !row_reserved :
                              row_running && row_ksr == victim_ksr || row_reserved && row_next == victim_ksr);
  for (i = 0; i < S; i = i + 1) begin
    if ((phase[SM] || phase[FIND] && job_moves && is_take) && job_row[i] &&
        !(sm_running[i] && sm_ksr[i*KW +: KW] == victim_ksr ||
          sm_reserved[i] && sm_next[i*KW +: KW] == victim_ksr)) taken_ok = 1'b0;
  end
end
taken_sm_is_found: assert property (!started_q || (!phase[SM] || is_found == (job_row != 0)) &&
  (!(job_moves && is_take) || taken_ok && (!phase[FIND] || job_ksr == victim_ksr)));
others_have_none: assert property (!started_q || !in_job || has_sm || job_assigns || job_row == 0);
wire comes_back_ok = !job_moves || phase[FIND] || phase[SM] || phase[ROW] || comes_back == (move_ksr == row_ksr);
row_is_the_sms: assert property (!started_q || &row_ok && (!row_is_read || row_count_ok && comes_back_ok));
visits_the_right_ksr: assert property (!started_q || !(row_is_read || job_assigns && !phase[FIND] && !phase[SM]) || job_ksr == visited_ksr);
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
wire [7:0] n_given = -{{(7-MW){freed[MW]}}, freed}; // SMs, by an assign
job_ends: assert property (!started_q || job_age_ok &&
  (!phase[BURST] || burst_age_q == (job_assigns ? n_given : BW > 8 ? burst_age_q : n_issued)));

// An assign gives an SM a cycle, none that is not idle; each is its kernel's, to be set up, before the row counts it.
reg  [S-1:0] given_q;
reg  [7:0]   n_counted;
reg          has_given_q; // in the cycle before
always @(posedge clk_i) has_given_q <= rst_ni && phase[WRITE] && job_assigns;
reg          given_ok;
always @(posedge clk_i) given_q <= rst_ni && phase[BURST] && job_assigns ? given_q | sms_given : {S{1'b0}};
always @* begin
  n_counted = 0;
  given_ok  = 1'b1;
  for (i = 0; i < S; i = i + 1) begin
    n_counted = n_counted + given_q[i];
    if (given_q[i] && !(sm_running[i] && set_up_pending[i] && sm_ksr[i*KW +: KW] == move_ksr)) given_ok = 1'b0;
  end
end
burst_gives_idle_sms: assert property (!started_q || (sms_given & (sm_running | sm_reserved)) == 0 &&
  (sms_given & (sms_given - 1'b1)) == 0);
given_sms_await_their_set_up: assert property (!started_q || given_ok && (given_q == 0 || job_assigns && (phase[BURST] || phase[WRITE])));
burst_is_counted: assert property (!started_q || (!(job_assigns && (phase[BURST] || phase[WRITE])) || n_given == n_counted &&
  n_given <= S) && (!has_given_q || token_step[MW:0] == freed));
