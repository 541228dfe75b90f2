// SPDX-License-Identifier: Apache-2.0
// What is kept of a KSR beside its row follows from the row: at once, `uncovered` two cycles later.
//
// From the includer: BW clk_i K KW MW SW
// From tsr_flight.vh: is_active_kernel k
// From tsr_ownership.vh: ksr_covered ksr_left ksr_owned ksr_preempted ksr_reserved
// From tsr_pins.vh: started_q strap_breadth_first_i
// From tsr_registers.vh: free_ksr is_few job job_ksr ksr_fresh ksr_handles ksr_holds ksr_uncovered ksr_valid
//   low_left many open_covered open_not_left open_owned open_preempted open_reserved phase search_state
//   status_writes status_writes_2 waiting written_ksr
// From tsr_sequence.vh: ACTIVATE BURST CALC FIND in_job JOB_ACTIVATE JOB_EVICT PICK ROW SCAN WRITE
// For others: nothing

reg [K-1:0]  status_ok, uncovered_ok, was_valid_q;
reg [SW+7:0] its_need, its_supply;
reg          is_pending, written_ok, written_2_ok;
reg [KW-1:0] lowest_free;
always @(posedge clk_i) was_valid_q <= ksr_valid;
always @* begin
  written_ok   = 1'b1;
  written_2_ok = 1'b1;
  lowest_free  = 0;
  for (k = K - 1; k >= 0; k = k - 1) if (!was_valid_q[k]) lowest_free = k;
  for (k = 0; k < K; k = k + 1) begin
    is_pending = (status_writes || status_writes_2) && written_ksr == k;
    its_need   = ksr_left[k*BW +: BW] + ksr_preempted[k*SW +: SW];
    its_supply = !strap_breadth_first_i ? ksr_covered[k*SW +: SW] : ksr_reserved[k*MW +: MW] +
      (ksr_covered[k*SW +: SW] < ksr_owned[k*MW +: MW] ? ksr_covered[k*SW +: SW] : ksr_owned[k*MW +: MW]);
    status_ok[k] = !ksr_valid[k] || ksr_fresh[k] == (ksr_left[k*BW +: BW] != 0) &&
                   ksr_handles[k] == (ksr_preempted[k*SW +: SW] != 0) &&
                   ksr_holds[k] == (ksr_owned[k*MW +: MW] != 0 || ksr_reserved[k*MW +: MW] != 0);
    uncovered_ok[k] = !ksr_valid[k] || is_pending || ksr_uncovered[k] == (its_need > its_supply);
    if (written_ksr == k && ksr_valid[k]) begin
      if (status_writes && !(~open_not_left == ksr_left[k*BW +: BW] && open_covered == ksr_covered[k*SW +: SW] &&
          open_preempted == ksr_preempted[k*SW +: SW] && open_owned == ksr_owned[k*MW +: MW] &&
          open_reserved == ksr_reserved[k*MW +: MW] && is_few == (open_covered < open_owned))) written_ok = 1'b0;
      if (status_writes_2 && (many || low_left > {1'b0, waiting}) != (its_need > its_supply)) written_2_ok = 1'b0;
    end
  end
end
status_is_the_rows: assert property (!started_q || &status_ok);
uncovered_is_the_rows: assert property (!started_q || &uncovered_ok && written_ok && written_2_ok &&
  (!status_writes || phase[PICK] || phase[ROW] || phase[FIND] && job[JOB_EVICT]) && (!status_writes_2 || !phase[CALC] && !phase[BURST] && !phase[WRITE]) &&
  !(status_writes && status_writes_2));
free_row_is_free: assert property (!started_q || free_ksr == lowest_free &&
  (!(search_state[SCAN] || search_state[ACTIVATE]) || !(&was_valid_q) && (ksr_valid & ~was_valid_q) == 0) &&
  (!(in_job && job[JOB_ACTIVATE]) || job_ksr < K && !is_active_kernel(job_ksr, ksr_valid)));
