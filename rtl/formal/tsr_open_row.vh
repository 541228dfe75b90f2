// SPDX-License-Identifier: Apache-2.0
// The open row: that of the KSR that is visited, and what the job made of it so far.
//
// From the includer: BW D FW K MW RW S SW T TW
// From tsr_environment.vh: SETUP_DONE
// From tsr_flight.vh: is_active_kernel job_count k n_given n_issued row_is_read
// From tsr_ownership.vh: AT_COVERED AT_HEAD AT_LEFT AT_NEXT AT_OUTSTANDING AT_OWNED AT_PREEMPTED AT_RESERVED
// From tsr_pins.vh: started_q strap_breadth_first_i strap_rounds_i
// From tsr_registers.vh: burst_left event_kind finishes HAS_ROOM is_less is_second issuable job job_ksr job_valid
//   ksr_fresh ksr_handles ksr_valid launch leaves open_covered open_head open_next_tb open_not_left
//   open_outstanding open_owned open_preempted open_promised open_reserved open_slots phase promised_words
//   read_promised read_row refills rejected releases row_active row_count row_ksr row_next row_reserved
//   row_restoring row_running row_trapped rows uses_handles victim_ksr
// From tsr_sequence.vh: BURST CALC evicting has_sm in_job JOB_ACTIVATE job_assigns job_bursts job_cancels JOB_DEAL
//   job_event job_hands_over JOB_ISSUE JOB_LEAVE job_moves job_reserves job_retargets job_saved job_takes
//   job_tb_done JOB_TRAP LOAD move_ksr WRITE
// For others: bursts judged old_fresh old_handles old_owned old_reserved

reg [FW-1:0]   old_row; // in RAM
reg [SW-1:0]   old_promised;
reg            old_fresh, old_handles;
always @* begin
  old_row = 0;
  old_promised = 0;
  {old_fresh, old_handles} = 2'b00;
  for (k = 0; k < K; k = k + 1) begin
    if (job_ksr == k) begin
      old_row = rows[k*FW +: FW];
      old_promised = promised_words[k*SW +: SW];
      {old_fresh, old_handles} = {ksr_fresh[k], ksr_handles[k]};
    end
  end
end
wire [TW-1:0] old_slots       = old_row[0 +: TW];
wire [MW-1:0] old_reserved    = old_row[AT_RESERVED +: MW];
wire [MW-1:0] old_owned       = old_row[AT_OWNED +: MW];
wire [RW-1:0] old_head        = old_row[AT_HEAD +: RW];
wire [SW-1:0] old_covered     = old_row[AT_COVERED +: SW];
wire [SW-1:0] old_preempted   = old_row[AT_PREEMPTED +: SW];
wire [SW-1:0] old_outstanding = old_row[AT_OUTSTANDING +: SW];
wire [BW-1:0] old_not_left    = old_row[AT_LEFT +: BW];
wire [BW-1:0] old_next_tb     = old_row[AT_NEXT +: BW];

// 1. What LOAD judged.
wire judged = phase[CALC] || phase[BURST] || phase[WRITE];
wire job_set_up_counts = job_event && event_kind == SETUP_DONE && (row_running || row_reserved);
wire its_leaves   = job_tb_done && job_count == 1 && !row_restoring || job[JOB_LEAVE] || job_set_up_counts;
wire its_issuable = is_active_kernel(job_ksr, ksr_valid) && (old_fresh || old_handles);
wire its_finishes = job_tb_done && old_outstanding == 1 && !(old_fresh || old_handles);
wire judged_ok = job[JOB_ACTIVATE] || issuable == (old_fresh || old_handles) && uses_handles == old_handles;
wire left_ok   = !has_sm || leaves == its_leaves && (job_tb_done || !finishes);
wire first_ok  = is_second ? !releases && !refills : (!has_sm ? !finishes && !releases && !refills && !leaves : (job_tb_done || !finishes) &&
                 (!job_valid || finishes == its_finishes) && releases == (row_running && leaves && !issuable && !finishes) &&
                 refills == (job_tb_done && row_running && !row_restoring && issuable && !uses_handles && !strap_rounds_i));
wire room_ok   = D >= S*T || !(judged && job[JOB_TRAP] && !rejected && job_valid) || job_count == 0 ||
                 {2'b00, old_preempted} + old_promised + job_count <= D;
wire seen_ok   = !(job_moves && !rejected && judged) ||
                 (job_assigns || (job_reserves ? row_running && row_ksr == victim_ksr : row_reserved && row_next == victim_ksr)) &&
                 is_active_kernel(move_ksr, ksr_valid);
wire seen_second_ok = !(job_moves && is_second) || (job_reserves ? row_running && row_ksr == victim_ksr : row_reserved && row_next == victim_ksr) &&
                 is_active_kernel(move_ksr, ksr_valid);
// A kernel that is none, or has just finished, has nothing to issue.
none_has_tbs: assert property (!started_q || !row_is_read || job_moves || is_active_kernel(job_ksr, ksr_valid) || !old_fresh && !old_handles);
judged_by_the_tables: assert property (!started_q || (!judged || judged_ok && left_ok && first_ok) && (!(in_job && is_second) || left_ok) && room_ok && seen_ok && seen_second_ok);

// 2. The row.
wire has_old = job_valid && !job[JOB_ACTIVATE];
wire [SW-1:0] R   = strap_breadth_first_i ? 0 : old_slots;
wire [SW-1:0] its_count = job_count;
wire [SW-1:0] tbs = old_slots;
wire [SW-1:0] n_fresh  = uses_handles ? 0 : n_issued;
wire [SW-1:0] n_handles = uses_handles ? n_issued : 0;
wire bursts   = job_bursts;
wire [SW-1:0] n_first  = bursts ? n_fresh : 0;
wire [SW-1:0] n_again  = bursts ? n_handles : 0;
wire [SW-1:0] next_outstanding = old_outstanding - (job_tb_done && !is_second) + n_first;
wire [SW-1:0] next_preempted   = old_preempted + (job_saved && !is_second ? its_count : 0) - n_again;
wire [SW-1:0] next_promised    = old_promised + (job[JOB_TRAP] ? its_count : job_saved && !is_second ? -its_count :
                                                 job_tb_done && row_trapped && !is_second ? -1 : 0);
wire [SW-1:0] next_covered     = evicting ? 0 : old_covered - n_first - n_again + (is_second ?
  (job_cancels ? tbs - its_count : job_takes ? R : job_hands_over ? (issuable ? tbs - R : -R) : 0) :
  (job_tb_done && row_running) + (job_assigns ? n_given * tbs : job_reserves ? its_count - tbs : job_retargets ? -R : releases ? -tbs : 0));
wire [7:0]    at_head          = old_head + n_again;
wire [7:0]    next_head        = at_head >= D ? at_head - D : at_head;
wire [MW-1:0] next_owned       = evicting ? 0 : old_owned + (is_second ? job_cancels || job_hands_over && issuable : job_assigns ? n_given : 0) -
                                 (!is_second && (job_reserves || releases));
wire [MW-1:0] next_reserved    = evicting ? 0 : old_reserved + (is_second && job_takes) - (is_second ? job_hands_over : job_retargets);
wire is_deal = job[JOB_DEAL];
wire open_is_old = open_outstanding == old_outstanding && open_preempted == old_preempted && open_covered == old_covered &&
                   open_owned == old_owned && open_reserved == old_reserved && open_head == old_head && open_slots == old_slots &&
                   open_next_tb == old_next_tb && open_not_left == old_not_left && open_promised == (D >= S*T ? 0 : old_promised);
wire open_is_next = open_outstanding == next_outstanding && open_preempted == next_preempted && open_covered == next_covered &&
                   open_owned == next_owned && open_reserved == next_reserved && open_slots == old_slots && open_head == next_head &&
                   open_promised == (D >= S*T ? 0 : next_promised) &&
                   open_next_tb == old_next_tb + (bursts && !uses_handles ? n_issued : 0) &&
                   open_not_left == old_not_left + (bursts && !uses_handles ? n_issued : 0);
wire open_is_new = open_outstanding == 0 && open_preempted == 0 && open_covered == 0 && open_owned == 0 && open_reserved == 0 &&
                   open_head == 0 && open_slots == launch[40 +: TW] && open_next_tb == 0 && open_promised == 0 &&
                   open_not_left == ~launch[TW+40 +: BW];
wire loads_ok = !phase[LOAD] || !is_active_kernel(job_ksr, ksr_valid) || read_row == old_row && (HAS_ROOM || read_promised == old_promised);
row_is_read_back: assert property (!started_q || loads_ok);
open_row_is_the_ksrs: assert property (!started_q || !has_old || (is_deal ? !judged || open_is_old :
  (!phase[CALC] || open_is_old) && (!(phase[BURST] || phase[WRITE]) || open_is_next)));
new_row: assert property (!started_q || !judged || !job[JOB_ACTIVATE] || open_is_new);

// 3. The slots that its SM counts for; a burst counts them down.
wire counts_free = job[JOB_ISSUE] || job_reserves && !is_second || job_cancels && is_second;
wire covers = job[JOB_ISSUE] || (is_second ? job_cancels || job_takes && !strap_breadth_first_i || job_hands_over && issuable == strap_breadth_first_i :
              job_assigns || job_reserves || job_retargets && !strap_breadth_first_i || releases);
wire [TW-1:0] its_burst = (old_slots - (counts_free ? row_count : 0)) & {TW{covers}};
wire burst_ok = (!phase[CALC] || has_sm || job_assigns || burst_left == 0) &&
                (!(job_assigns && has_old && (phase[CALC] || phase[BURST])) || burst_left == old_slots && !is_less) && (!(phase[CALC] && has_sm && has_old) || burst_left == its_burst &&
                 is_less == (!is_second && (job_reserves || job_retargets || releases) || is_second && job_hands_over && !issuable)) &&
                (!(phase[BURST] && job[JOB_ISSUE]) || burst_left == old_slots - row_count && row_count < old_slots &&
                 (uses_handles ? open_preempted != 0 : !(&open_not_left))) &&
                (!((phase[BURST] || phase[WRITE]) && job_bursts) || (uses_handles ? n_issued <= old_preempted : n_issued <= ~old_not_left)) &&
                (!(phase[WRITE] && job_bursts) || (refills && job_tb_done ? n_issued == 1 : n_issued != 0 && row_count <= old_slots)) &&
                (!(phase[BURST] && refills && job_tb_done) || n_issued == 0 && !(&open_not_left));
burst_fits: assert property (!started_q || burst_ok);
issues_to_whom_it_may: assert property (!started_q || !(row_is_read && job[JOB_ISSUE]) ||
  row_running && row_active && !row_restoring && job_count < old_slots && is_active_kernel(job_ksr, ksr_valid) && (old_fresh || old_handles));
