// SPDX-License-Identifier: Apache-2.0
// BURST of timing.md 6.1, 6.4 and 6.5: which TBs an issue job or a refill chooses, one a cycle, and how many SMs an assign
// gives. It has no clock: the job that it belongs to says when.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_expected_burst #(
`include "tsr_sizes.vh"
) ();

  wire breadth_first = tsr_scheduler.strap_breadth_first_i;

  logic   has_handles, is_over, carries, chose; // `chose`: in the cycle that was last
  int     room, ring_left;
  int     share; // of the handles, that the SM gets at most, but for one
  longint tb, tbs_left;

  // Of kernel k, whose SM runs `running` TBs; of the TBs in its ring one SM had `saved_per_sm`.
  task automatic start(int k, int running, int saved_per_sm, logic is_refill);
    has_handles = u_logical_tables.preempted[k] != '0;
    tbs_left    = longint'(u_logical_tables.remaining[k]);
    tb          = longint'(u_logical_tables.next_tb[k]);
    ring_left   = int'(u_logical_tables.preempted[k]);
    room        = is_refill ? 1 : int'(u_logical_tables.tbs_per_sm[k]) - running;
    share       = breadth_first && tsr_scheduler.is_kept ? saved_per_sm - running : room;
    carries     = 1'b0;
  endtask

  // ---- of an assign -------------------------------------------------------------------------------------------------

  int     given, limit;
  longint waiting, slots, per_sm;

  task automatic start_assign(int k, int limit_by_policy);
    given   = 0;
    limit   = limit_by_policy;
    waiting = longint'(u_logical_tables.remaining[k]) + longint'(u_logical_tables.preempted[k]);
    slots   = longint'(u_logical_tables.covered[k]);
    per_sm  = longint'(u_logical_tables.tbs_per_sm[k]);
    if (breadth_first) begin
      slots  = longint'(u_logical_tables.owned[k]) + longint'(u_logical_tables.reserved[k]);
      per_sm = 1;
    end
  endtask

  function automatic logic gives_another();
    return given == 0 || given < limit && waiting > slots + given * per_sm;
  endfunction

  // ---- of TBs -------------------------------------------------------------------------------------------------------

  // A TB is chosen, but in the cycle of a carry.
  task automatic step();
    chose = !carries;
    if (carries) begin
      carries = 1'b0;
    end else begin
      room  = room - 1;
      share = share - 1;
      if (has_handles) begin
        ring_left = ring_left - 1;
        is_over   = ring_left == 0 || room == 0 || share <= 0;
      end else begin
        carries  = TB_WIDTH > 8 && (tb % 256 == 255 || tbs_left % 256 == 0);
        tb       = tb + 1;
        tbs_left = tbs_left - 1;
        is_over  = tbs_left == 0 || room == 0 || breadth_first;
      end
    end
  endtask
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
