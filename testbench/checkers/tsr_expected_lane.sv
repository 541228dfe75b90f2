// SPDX-License-Identifier: Apache-2.0
// The refill lane of timing.md 6.7 as the contract says it: which entries stand where, and what the one in R does. SMs
// are those of tsr_expected_sms, jobs those of tsr_expected_jobs; what rows hold is the core's. It has no clock: whoever
// compares says when.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_expected_lane #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"

  int num_ksrs = NUM_KSRS; // a variable, so that Verilator does not unroll loops

  wire rounds = tsr_scheduler.strap_rounds_i, breadth_first = tsr_scheduler.strap_breadth_first_i;

  // Bits of a TB's number that the lane counts.
  localparam int SLOT_BITS = SLOT_WIDTH > 12 ? SLOT_WIDTH : 12;
  localparam int L = TB_WIDTH < SLOT_BITS ? TB_WIDTH : SLOT_BITS;
  localparam longint REFILLS_BELOW = (64'd1 << L) - 5;

  // Stages, and what an entry is: an event, by its kind, or an issue.
  localparam int A = 0, S = 1, B = 2, R = 3, X = 4, Y = 5, W = 6, STAGES = 7;
  localparam int ISSUE = 4;
  logic [STAGES-1:0] has;
  int   sm[STAGES], kind[STAGES], tag[STAGES], ksr[STAGES];
  // In X, Y and W, what is counted: a refill, an issue, or a TB that is done; that frees a slot of a running SM.
  logic [STAGES-1:0] refills, issues, counts, frees;

  logic [NUM_SMS-1:0] asked;
  logic issue_first;
  int   last_issue; // its SM

  // ---- a cycle (6.7.1 to 6.7.6) -------------------------------------------------------------------------------------

  logic [NUM_SMS-1:0] asks;
  logic ready, is_simple, is_stalled, wants, is_refill, drops, goes, stays, offers;
  logic was_not_simple, was_write; // the entry that is in R still; the engine
  int   i, k, ksr_of_s;
  // Those that leave, after what is judged before: the engine picks the entry of R.
  logic is_picked;

  function automatic logic refills_of(int row);
    return row < NUM_KSRS && u_logical_tables.valid[row] && u_logical_tables.remaining[row] != '0 &&
      u_logical_tables.preempted[row] == '0 && low(u_logical_tables.next_tb[row]) < REFILLS_BELOW &&
      low(~u_logical_tables.remaining[row]) < REFILLS_BELOW;
  endfunction
  function automatic longint low(logic [TB_WIDTH-1:0] number);
    return longint'(number[L-1:0]);
  endfunction

  function automatic logic is_current();
    return tag[R] == u_sms.tag[sm[R]] && !u_sms.set_up_pending[sm[R]];
  endfunction

  task automatic look();
    asks     = u_sms.wants & ~asked;
    ready    = !has[B] && !(asks != '0 && (issue_first || rounds));
    ksr_of_s = u_sms.ksr[sm[S]];
    i        = sm[R];
    k        = ksr[R];
    judge();
    is_stalled = u_jobs.stalls(i, k);
    drops      = has[R] && kind[R] == ISSUE && !wants;
    goes       = has[R] && is_simple && !is_stalled && !drops;
    stays      = goes && kind[R] == ISSUE && !breadth_first &&
                 u_sms.count[i] + 1 != int'(u_logical_tables.tbs_per_sm[k]);
    offers     = has[R] && was_not_simple && !was_write;
  endtask

  task automatic judge();
    wants     = u_sms.could_take(i);
    is_refill = 1'b0;
    is_simple = 1'b0;
    case (kind[R])
      int'(TB_DONE): if (u_sms.active[i] && !u_sms.restoring[i]) begin
        is_refill = u_sms.running[i] && refills_of(k) && !rounds;
        is_simple = is_refill || u_sms.count[i] > 1 && (u_sms.reserved[i] || !u_logical_tables.is_issuable(u_sms.ksr[i])) ||
                    u_sms.running[i] && refills_of(k);
      end
      int'(SETUP_DONE): is_simple = is_current() && u_sms.running[i] && u_logical_tables.is_issuable(u_sms.ksr[i]);
      ISSUE:            is_simple = wants && refills_of(k);
      default:          ;
    endcase
  endtask

  // ---- the edge -----------------------------------------------------------------------------------------------------

  task automatic move(int from, int to);
    {has[from], has[to]} = 2'b01;
    sm[to]   = sm[from];
    kind[to] = kind[from];
    tag[to]  = tag[from];
    ksr[to]  = ksr[from];
    {refills[to], issues[to], counts[to], frees[to]} = {refills[from], issues[from], counts[from], frees[from]};
  endtask

  // What is simple, at the end of its R.
  task automatic go();
    has[X]  = kind[R] != int'(SETUP_DONE);
    sm[X]   = i;
    ksr[X]  = k;
    kind[X] = kind[R];
    refills[X] = is_refill;
    issues[X]  = kind[R] == ISSUE;
    counts[X]  = kind[R] == int'(TB_DONE) && !is_refill;
    frees[X]   = counts[X] && u_sms.running[i];
    if (kind[R] == int'(SETUP_DONE)) {u_sms.active[i], u_sms.unanswered[i]} = {1'b1, 32'd0};
    if (counts[X]) {u_sms.full[i], u_sms.count[i]} = {1'b0, u_sms.count[i] - 1};
    if (issues[X]) begin
      u_sms.count[i] = u_sms.count[i] + 1;
      u_sms.full[i]  = u_sms.count[i] == int'(u_logical_tables.tbs_per_sm[k]);
    end
  endtask

  task automatic leave_r();
    has[R] = 1'b0;
    if (kind[R] == ISSUE) asked[i] = 1'b0;
  endtask

  task automatic enter();
    has[A] = 1'b1;
    if (ready && tsr_scheduler.sm_event_valid_i) begin
      sm[A]       = int'(tsr_scheduler.sm_event_sm_i);
      kind[A]     = int'(tsr_scheduler.sm_event_kind_i);
      tag[A]      = int'(tsr_scheduler.sm_event_tag_i);
      issue_first = 1'b1;
    end else if (asks != '0) begin
      sm[A]        = u_sms.next_in_turn(asks, last_issue);
      kind[A]      = ISSUE;
      last_issue   = sm[A];
      asked[sm[A]] = 1'b1;
      issue_first  = 1'b0;
    end else begin
      has[A] = 1'b0;
    end
  endtask

  // Before the engine's edge: what it picks is known, and a tick of the SMs comes after all.
  task automatic step();
    was_not_simple = has[R] && !is_simple;
    was_write      = u_jobs.phase == WRITE && !(u_jobs.is_set_up && u_jobs.sm != i);
    if (has[Y]) move(Y, W); else has[W] = 1'b0;
    if (has[X]) move(X, Y);
    has[X] = 1'b0;
    if (goes) go();
    if (goes && !stays || drops || is_picked) leave_r();
    if (!has[R]) was_not_simple = 1'b0;
    if (has[B]) begin
      if (!has[R]) move(B, R);
    end else begin
      ksr[S] = ksr_of_s;
      if (has[S]) move(S, has[R] ? B : R);
      if (has[A]) begin
        if (rounds) u_sms.served[sm[A]] = 1'b1;
        move(A, S);
      end
      enter();
    end
    show_flight();
  endtask

  task automatic reset();
    {has, asked, issue_first, refills, issues, counts, frees, was_not_simple, is_picked} = '0;
    was_write  = 1'b0;
    last_issue = NUM_SMS - 1;
    for (int n = 0; n < STAGES; n++) {sm[n], kind[n], tag[n], ksr[n]} = '0;
    show_flight();
  endtask

  // ---- for others ---------------------------------------------------------------------------------------------------

  // X, Y or W has one of the KSR's.
  function automatic logic holds(int row);
    return has[X] && ksr[X] == row || has[Y] && ksr[Y] == row || has[W] && ksr[W] == row;
  endfunction
  function automatic logic dispatches();
    return has[W] && !counts[W];
  endfunction

  // TBs of a kernel whose SM has counted them already, and whose row has not yet: registers, for those who look at an edge.
  logic [NUM_KSRS-1:0][1:0] issues_in_flight, counts_in_flight, frees_in_flight, issued, counted, freed;
  task automatic show_flight();
    {issued, counted, freed} = '0;
    for (int n = X; n <= W; n++) begin
      if (has[n] && ksr[n] < num_ksrs) begin
        issued[ksr[n]]  = issued[ksr[n]] + 2'(issues[n]);
        counted[ksr[n]] = counted[ksr[n]] + 2'(counts[n]);
        freed[ksr[n]]   = freed[ksr[n]] + 2'(frees[n]);
      end
    end
    issues_in_flight <= issued;
    counts_in_flight <= counted;
    frees_in_flight  <= freed;
  endtask
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
