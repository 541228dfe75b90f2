// SPDX-License-Identifier: Apache-2.0
// SMs and their flags (timing.md 6.2), as the jobs of tsr_expected_jobs leave them, and what there is to do for
// them. It has no clock: whoever compares it with the core says when.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_expected_sms #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  int num_sms = NUM_SMS; // a variable, so that Verilator does not unroll loops
  localparam int NONE = int'(NO_KSR);

  logic [NUM_SMS-1:0] running, reserved, set_up_pending, active, trap_pending, trapped, restoring, full, drains, served,
                      no_room;
  int                 ksr[NUM_SMS], next[NUM_SMS], count[NUM_SMS];
  int                 tag[NUM_SMS], unanswered[NUM_SMS]; // both 0 without tags
  localparam int      TAGS = 1 << TAG_WIDTH;

  task automatic reset();
    {running, reserved, set_up_pending, active, trap_pending, trapped, restoring, full, drains, served, no_room} = '0;
    for (int i = 0; i < num_sms; i++) begin
      ksr[i]   = NONE;
      next[i]  = NONE;
      count[i] = 0;
      {tag[i], unanswered[i]} = '0;
    end
  endtask

  // ---- what there is to do ------------------------------------------------------------------------------------------

  logic [NUM_SMS-1:0] wants, leaves, traps;
  logic issuable;

  task automatic look();
    for (int i = 0; i < num_sms; i++) begin
      issuable  = u_logical_tables.is_issuable(ksr[i]);
      wants[i]  = could_take(i) && !served[i];
      leaves[i] = active[i] && !restoring[i] && count[i] == 0 && (reserved[i] && drains[i] || running[i] && !issuable);
      traps[i]  = trap_pending[i] && !no_room[i];
    end
  endtask

  // It is ready for a TB, but that it may have had its one of this SM cycle.
  function automatic logic could_take(int i);
    return active[i] && running[i] && u_logical_tables.is_issuable(ksr[i]) && !full[i] && !restoring[i];
  endfunction

  function automatic int lowest(logic [NUM_SMS-1:0] of);
    for (int i = 0; i < num_sms; i++) if (of[i]) return i;
    return NUM_SMS;
  endfunction

  function automatic int next_in_turn(logic [NUM_SMS-1:0] of, int behind);
    for (int i = 1; i <= num_sms; i++) if (of[(behind + i) % NUM_SMS]) return (behind + i) % NUM_SMS;
    return NUM_SMS;
  endfunction

  // ---- an SM changes hands ------------------------------------------------------------------------------------------

  task automatic forget(int i);
    {set_up_pending[i], active[i], trap_pending[i], trapped[i], full[i], drains[i], no_room[i]} = '0;
  endtask

  task automatic own(int i, int k);
    {running[i], reserved[i]} = 2'b10;
    ksr[i]  = k;
    next[i] = NONE;
    forget(i);
    set_up_pending[i] = 1'b1;
  endtask

  task automatic free(int i);
    {running[i], reserved[i]} = 2'b00;
    ksr[i]  = NONE;
    next[i] = NONE;
    forget(i);
  endtask

  task automatic reserve(int i, int k, logic by_drain);
    {running[i], reserved[i]} = 2'b01;
    next[i]         = k;
    drains[i]       = by_drain;
    trap_pending[i] = !by_drain && active[i] && !restoring[i];
  endtask

  task automatic retarget(int i, int k, logic cancels);
    {running[i], reserved[i]} = {cancels, !cancels};
    next[i] = cancels ? NONE : k;
    if (cancels) drains[i] = 1'b0;
  endtask

  // Every SM is taken away from its kernel, for nobody.
  task automatic evict(logic by_drain);
    for (int i = 0; i < num_sms; i++) begin
      next[i] = NONE;
      if (running[i]) reserve(i, NONE, by_drain);
    end
  endtask

  task automatic restored(int i);
    restoring[i] = 1'b0;
    if (reserved[i] && active[i] && !drains[i]) trap_pending[i] = 1'b1;
  endtask

  // ---- which SM a job is about (5.4, 6.4) ---------------------------------------------------------------------------

  wire in_partitions = |(u_logical_tables.rules & IN_PARTITIONS);

  function automatic logic is_of_step(int i);
    return !in_partitions || u_logical_tables.has_partition && u_logical_tables.sm_partition[i] == u_logical_tables.partition;
  endfunction

  // The lowest idle one that a kernel of this priority may have, or NUM_SMS.
  function automatic int lowest_idle(int its_priority);
    logic may_have_kept;
    may_have_kept = !(|(u_logical_tables.rules & KEEPS_SMS)) || its_priority >= int'(u_linger.priority_q);
    for (int i = 0; i < num_sms; i++) begin
      if (!running[i] && !reserved[i] && !is_full(i) && is_of_step(i) &&
          (may_have_kept || !(u_linger.lingers_q && u_smst.kept_q[i]))) return i;
    end
    return NUM_SMS;
  endfunction

  function automatic int counts_against(int i);
    return running[i] ? ksr[i] : reserved[i] ? next[i] : NONE;
  endfunction

  // Of those that count against the victim, or of the foreign ones: reserved before running, then the lowest.
  function automatic int to_take(logic of_foreign, int victim);
    logic [NUM_SMS-1:0] of;
    for (int i = 0; i < num_sms; i++) begin
      of[i] = is_of_step(i) && counts_against(i) != NONE &&
              (of_foreign ? u_logical_tables.sm_foreign[i] : counts_against(i) == victim);
    end
    return lowest((of & reserved) != '0 ? of & reserved : of);
  endfunction

  // ---- set-ups and their answers (3.11) -----------------------------------------------------------------------------

  task automatic set_up(int i);
    tag[i]        = (tag[i] + 1) % TAGS;
    unanswered[i] = unanswered[i] + int'(TAG_WIDTH != 0);
  endtask

  task automatic answered(int i, int by_tag);
    unanswered[i] = (tag[i] - by_tag + TAGS) % TAGS;
  endtask

  function automatic logic is_full(int i);
    return TAG_WIDTH != 0 && unanswered[i] >= TAGS;
  endfunction

  // ---- a kernel that finishes ---------------------------------------------------------------------------------------

  task automatic forget_kernel(int k);
    for (int i = 0; i < num_sms; i++) begin
      if (ksr[i] == k) begin
        ksr[i] = NONE;
        if (running[i]) {running[i], active[i], full[i], set_up_pending[i]} = '0;
        // One that is reserved, and was not set up for it: it leaves.
        if (reserved[i] && set_up_pending[i]) {set_up_pending[i], active[i], drains[i]} = 3'b011;
      end
      if (next[i] == k) next[i] = NONE;
    end
  endtask
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
