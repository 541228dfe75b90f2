// SPDX-License-Identifier: Apache-2.0
// tsr_refill_steps behind any entries and beside any jobs (timing.md 6.7): what an entry counts, at the full width of
// thread blocks' numbers, and what a job reads. The row of a KSR as it is meant has all entries that went on counted.
module tsr_refill_steps_props #(
  parameter TB_WIDTH = 32
) (
  input                clk_i,
  input                reset_i,
  // R: an entry that may go, of one of two KSRs
  input                goes_i, is_fresh_i, is_issue_i, frees_slot_i,
  input [1:0]          ksr_i, sm_i,
  // The engine: a job, and what its WRITE makes of the row
  input                starts_i, writes_i, is_fresh_row_i, breadth_first_i, judges_i,
  input [1:0]          job_ksr_i,
  input [TB_WIDTH-1:0] next_tb_i, not_left_i,
  input [5:0]          slots_i, sms_i // covered, outstanding; owned, reserved
);

  localparam S = 3; // bits of a count of slots: two SMs of two
  localparam L = TB_WIDTH < 12 ? TB_WIDTH : 12;
  localparam STEP = 2*L + 2*S, BASE = TB_WIDTH - L + 1 + 4;
  localparam [L-1:0] NEAR = {L{1'b1}} - 4; // 2^L - 5

  // 1. The engine: ROW waits for the lane.
  localparam PICK = 0, ROW = 1, LOAD = 2, CALC = 3, WRITE = 4;
  reg  [4:0] phase_q;
  reg  [1:0] job_ksr_q;
  reg        started_q = 1'b0;
  wire       rst_ni = started_q && !reset_i;
  wire       holds_row;
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)                                                           phase_q <= 5'd1 << PICK;
    else if (!(phase_q[PICK] && !starts_i || phase_q[ROW] && holds_row)) phase_q <= {phase_q[3:0], phase_q[4]};
    if (phase_q[PICK]) job_ksr_q <= job_ksr_i;
  end
  wire works  = phase_q[LOAD] || phase_q[CALC] || phase_q[WRITE];
  wire writes = phase_q[WRITE] && writes_i;

  // 2. R: by the flag `refills` of its KSR.
  reg  [1:0] refills_q;
  wire       goes   = goes_i && !phase_q[ROW] && !(works && ksr_i == job_ksr_q) && (!is_fresh_i || refills_q[ksr_i[0]]);
  wire       issues = is_fresh_i && is_issue_i;
  wire       frees  = !is_fresh_i && frees_slot_i;
  wire       few;
  wire [1:0] few_ksr;
  wire       is_far = next_tb_i[L-1:0] < NEAR && not_left_i[L-1:0] < NEAR;
  wire [1:0] job_row = 2'd1 << job_ksr_q[0], few_row = 2'd1 << few_ksr[0];
  always @(posedge clk_i) begin
    if (!rst_ni) refills_q <= 2'd0;
    else refills_q <= (writes ? refills_q & ~job_row | job_row & {2{is_far && is_fresh_row_i}} : refills_q) & ~(few_row & {2{few}});
  end
  assume_ksr_of_two: assume property (ksr_i < 2 && job_ksr_i < 2);

  // 3. The module.
  wire [STEP-1:0]     step, written_step = {next_tb_i[L-1:0], not_left_i[L-1:0], slots_i};
  wire [BASE-1:0]     base, written_base;
  wire                dispatches;
  wire [TB_WIDTH-1:0] tb;
  generate
    if (TB_WIDTH > L) begin : g_high
      assign written_base = {next_tb_i[TB_WIDTH-1:L], &not_left_i[TB_WIDTH-1:L], sms_i[3:0]};
    end else begin : g_low
      assign written_base = {1'b1, sms_i[3:0]};
    end
  endgenerate
  tsr_refill_steps #(.NUM_SMS(2), .MAX_TBS_PER_SM(2), .NUM_KSRS(2), .TB_WIDTH(TB_WIDTH), .REFILL(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .breadth_first_i(breadth_first_i), .reads_i(goes_i && !phase_q[ROW]), .goes_i(goes),
    .sm_i(sm_i), .ksr_i(ksr_i), .is_fresh_i(is_fresh_i), .is_issue_i(issues), .frees_slot_i(frees),
    .judges_i(judges_i), .dispatch_o(dispatches), .dispatch_tb_o(tb), .few_o(few), .few_ksr_o(few_ksr),
    .row_read_i(phase_q[ROW]), .job_ksr_i(job_ksr_q), .holds_row_o(holds_row), .ksr_valid_i(1'b1),
    .row_write_i(writes), .step_i(written_step), .base_i(written_base), .step_o(step), .base_o(base));
  (* hierconn *) wire            \dut.x_valid_q ;
  (* hierconn *) wire            \dut.y_valid_q ;
  (* hierconn *) wire            \dut.w_valid_q ;
  (* hierconn *) wire            \dut.v_valid_q ;
  (* hierconn *) wire            \dut.x_fresh_q ;
  (* hierconn *) wire            \dut.y_fresh_q ;
  (* hierconn *) wire            \dut.w_fresh_q ;
  (* hierconn *) wire            \dut.x_issue_q ;
  (* hierconn *) wire            \dut.y_issue_q ;
  (* hierconn *) wire            \dut.x_frees_slot_q ;
  (* hierconn *) wire            \dut.y_frees_slot_q ;
  (* hierconn *) wire            \dut.same_1_q ;
  (* hierconn *) wire            \dut.same_2_q ;
  (* hierconn *) wire            \dut.same_3_q ;
  (* hierconn *) wire            \dut.y_same_q ;
  (* hierconn *) wire            \dut.w_few_q ;
  (* hierconn *) wire [1:0]      \dut.x_ksr_q ;
  (* hierconn *) wire [1:0]      \dut.y_ksr_q ;
  (* hierconn *) wire [1:0]      \dut.w_ksr_q ;
  (* hierconn *) wire [1:0]      \dut.v_ksr_q ;
  (* hierconn *) wire [STEP-1:0] \dut.y_step_q ;
  (* hierconn *) wire [STEP-1:0] \dut.w_step_q ;
  (* hierconn *) wire [STEP-1:0] \dut.v_step_q ;
  (* hierconn *) wire [BASE-1:0] \dut.y_base_q ;
  (* hierconn *) wire [BASE-1:0] \dut.w_base_q ;
  (* hierconn *) wire [L-1:0]    \dut.w_tb_q ;
  (* hierconn *) wire [2*STEP-1:0] \dut.u_steps.words ;
  (* hierconn *) wire [2*BASE-1:0] \dut.u_bases.words ;
  wire x = \dut.x_valid_q , y = \dut.y_valid_q , w = \dut.w_valid_q , v = \dut.v_valid_q ;
  wire xk = \dut.x_ksr_q [0], yk = \dut.y_ksr_q [0], wk = \dut.w_ksr_q [0], vk = \dut.v_ksr_q [0];
  wire yf = \dut.y_fresh_q , wf = \dut.w_fresh_q , xf = \dut.x_fresh_q ;
  wire [STEP-1:0] y_step = \dut.y_same_q ? \dut.w_step_q : \dut.y_step_q ;

  // 4. Rows as they are meant: stepped as an entry goes on.
  function [STEP-1:0] stepped(input [STEP-1:0] row, input is_fresh, input is_issue, input frees_slot);
    stepped = {row[STEP-1 -: L] + is_fresh, row[STEP-1-L -: L] + is_fresh,
               row[2*S-1 -: S] + {{(S-1){is_issue}}, is_issue || frees_slot},
               row[S-1:0] + {{(S-1){!is_fresh}}, !is_fresh || is_issue}};
  endfunction
  function [STEP-1:0] unstepped(input [STEP-1:0] row, input counted, input is_fresh, input is_issue, input frees_slot);
    unstepped = !counted ? row :
      {row[STEP-1 -: L] - is_fresh, row[STEP-1-L -: L] - is_fresh,
       row[2*S-1 -: S] - {{(S-1){is_issue}}, is_issue || frees_slot},
       row[S-1:0] - {{(S-1){!is_fresh}}, !is_fresh || is_issue}};
  endfunction
  reg [2*STEP-1:0]     meant_q;
  reg [2*BASE-1:0]     base_q;
  reg [2*TB_WIDTH-1:0] sum_q;      // TBs issued and left, as the last WRITE has it
  reg [2*TB_WIDTH-1:0] not_left_q; // whose upper bits the engine has
  reg [1:0]            written_q;
  always @(posedge clk_i) begin
    if (!rst_ni) written_q <= 2'd0;
    if (goes) meant_q[ksr_i[0]*STEP +: STEP] <= stepped(meant_q[ksr_i[0]*STEP +: STEP], is_fresh_i, issues, frees);
    if (writes) begin
      meant_q[job_ksr_q[0]*STEP +: STEP]    <= written_step;
      base_q[job_ksr_q[0]*BASE +: BASE]     <= written_base;
      sum_q[job_ksr_q[0]*TB_WIDTH +: TB_WIDTH]      <= next_tb_i + ~not_left_i;
      not_left_q[job_ksr_q[0]*TB_WIDTH +: TB_WIDTH] <= not_left_i;
      if (rst_ni) written_q[job_ksr_q[0]] <= 1'b1;
    end
  end
  assume_entry_of_a_row: assume property (!goes || written_q[ksr_i[0]]);

  // What an entry finds and leaves: the row, less what goes with it and behind it.
  wire [STEP-1:0] x_finds  = unstepped(meant_q[xk*STEP +: STEP], 1'b1, xf, \dut.x_issue_q , \dut.x_frees_slot_q );
  wire [STEP-1:0] y_leaves = unstepped(meant_q[yk*STEP +: STEP], x && xk == yk, xf, \dut.x_issue_q , \dut.x_frees_slot_q );
  wire [STEP-1:0] y_finds  = unstepped(y_leaves, 1'b1, yf, \dut.y_issue_q , \dut.y_frees_slot_q );
  wire [STEP-1:0] w_behind = unstepped(meant_q[wk*STEP +: STEP], x && xk == wk, xf, \dut.x_issue_q , \dut.x_frees_slot_q );
  wire [STEP-1:0] w_leaves = unstepped(w_behind, y && yk == wk, yf, \dut.y_issue_q , \dut.y_frees_slot_q );

  wire [STEP-1:0] w_finds  = unstepped(w_leaves, 1'b1, wf, 1'b0, 1'b0); // of TBs' numbers
  function is_below(input [STEP-1:0] row); // three before it may have counted since its KSR was looked at
    is_below = row[STEP-1 -: L] < NEAR + 3 && row[STEP-1-L -: L] < NEAR + 3;
  endfunction

  wire [STEP-1:0] row0 = \dut.u_steps.words [STEP-1:0], row1 = \dut.u_steps.words [2*STEP-1 -: STEP];
  wire [BASE-1:0] base0 = \dut.u_bases.words [BASE-1:0], base1 = \dut.u_bases.words [2*BASE-1 -: BASE];
  reg             rows_ok, bases_ok, sums_ok, far_ok;
  reg  [STEP-1:0] found, left;
  reg  [TB_WIDTH-1:0] next_full, not_left_full;
  reg             in_x, in_y, in_w;
  integer k;
  always @* begin
    {rows_ok, bases_ok, sums_ok, far_ok} = 4'b1111;
    for (k = 0; k < 2; k = k + 1) begin
      in_x  = x && xk == k[0];
      in_y  = y && yk == k[0];
      in_w  = w && wk == k[0];
      found = unstepped(meant_q[k*STEP +: STEP], in_x, xf, \dut.x_issue_q , \dut.x_frees_slot_q );
      found = unstepped(found, in_y, yf, \dut.y_issue_q , \dut.y_frees_slot_q );
      left  = k == 0 ? row0 : row1;
      // The one in W is counted in w_step_q; the table has what it found.
      if (written_q[k] && !in_w && left != found) rows_ok = 1'b0;
      if (written_q[k] && in_w && wf && (left[STEP-1 -: L] + 1'b1 != found[STEP-1 -: L] ||
                                         left[STEP-1-L -: L] + 1'b1 != found[STEP-1-L -: L])) rows_ok = 1'b0;
      if (written_q[k] && in_w && !wf && left[STEP-1 -: 2*L] != found[STEP-1 -: 2*L]) rows_ok = 1'b0;
      if (written_q[k] && (k == 0 ? base0 : base1) != base_q[k*BASE +: BASE]) bases_ok = 1'b0;
      next_full     = base_q[k*BASE +: BASE] >> 5;
      next_full     = next_full << L | meant_q[k*STEP+STEP-1 -: L];
      not_left_full = not_left_q[k*TB_WIDTH +: TB_WIDTH] >> L << L | meant_q[k*STEP+STEP-1-L -: L];
      if (written_q[k] && next_full + ~not_left_full != sum_q[k*TB_WIDTH +: TB_WIDTH]) sums_ok = 1'b0;
      if (refills_q[k] && !(written_q[k] && left[STEP-1 -: L] < NEAR && left[STEP-1-L -: L] < NEAR)) far_ok = 1'b0;
    end
  end
  wire [STEP-1:0] x_step  = \dut.same_2_q ? \dut.w_step_q : \dut.same_3_q ? \dut.v_step_q : step;
  wire            job_has = x && xk == job_ksr_q[0] || y && yk == job_ksr_q[0] || w && wk == job_ksr_q[0];

  // 5. Claims.
  refill_phases_pass_one_by_one: assert property (!started_q || phase_q != 0 && (phase_q & (phase_q - 5'd1)) == 0);
  entries_are_of_rows: assert property (!started_q || (!x || written_q[xk]) && (!y || written_q[yk]) && (!w || written_q[wk]) &&
    (!x || !\dut.x_ksr_q [1]) && (!y || !\dut.y_ksr_q [1]) && (!w || !\dut.w_ksr_q [1]) && (!v || !\dut.v_ksr_q [1]) &&
    (phase_q[PICK] || !job_ksr_q[1]));
  rows_before_are_known: assert property (!started_q || (!x || \dut.same_1_q == (y && yk == xk) &&
    \dut.same_2_q == (w && wk == xk) && \dut.same_3_q == (v && vk == xk)) && (!y || \dut.y_same_q == (w && wk == yk)) &&
    (!v || \dut.v_step_q == (vk ? row1 : row0)));
  entry_finds_what_those_before_leave: assert property (!started_q || (!x || \dut.same_1_q || x_step == x_finds) &&
    (!y || y_step == y_finds) && (!w || \dut.w_step_q == w_leaves));
  row_is_ram_and_what_the_lane_holds: assert property (!started_q || rows_ok);
  bases_are_the_engines: assert property (!started_q || bases_ok && (!x || base == base_q[xk*BASE +: BASE]) &&
    (!y || \dut.y_base_q == base_q[yk*BASE +: BASE]) && (!w || \dut.w_base_q == base_q[wk*BASE +: BASE]));
  job_reads_what_the_lane_left: assert property (!started_q || !phase_q[LOAD] || !written_q[job_ksr_q[0]] ||
    step == meant_q[job_ksr_q[0]*STEP +: STEP] && base == base_q[job_ksr_q[0]*BASE +: BASE]);
  job_and_lane_have_no_row_in_common: assert property (!started_q || !works || !job_has);
  rows_are_written_by_one: assert property (!started_q || !(phase_q[LOAD] && x) && !(phase_q[CALC] && y) &&
    !(phase_q[WRITE] && w));
  few_is_near_a_carry: assert property (!started_q || !(w && wf) || \dut.w_few_q ==
    (w_leaves[STEP-1 -: L] >= NEAR || w_leaves[STEP-1-L -: L] >= NEAR));
  refills_far_from_a_carry: assert property (!started_q || far_ok);
  fresh_entry_is_below_a_carry: assert property (!started_q || (!(x && xf) || is_below(x_finds)) &&
    (!(y && yf) || is_below(y_finds)) && (!(w && wf) || is_below(w_finds)));
  lane_issues_the_next_tb: assert property (!started_q || !dispatches || tb[L-1:0] + 1'b1 == w_leaves[STEP-1 -: L] &&
    tb[L-1:0] != {L{1'b1}} && tb >> L == base_q[wk*BASE +: BASE] >> 5);
  issued_and_left_add_up_in_the_lane: assert property (!started_q || sums_ok);

  cover_refill_phases_pass_one_by_one: assert property (!started_q || !phase_q[WRITE]);
  cover_entries_are_of_rows: assert property (!started_q || !(x && y && w));
  cover_rows_before_are_known: assert property (!started_q || !(x && \dut.same_3_q && !\dut.same_2_q && !\dut.same_1_q ));
  cover_entry_finds_what_those_before_leave: assert property (!started_q || !(x && y && w && \dut.same_2_q && !\dut.same_1_q ));
  cover_row_is_ram_and_what_the_lane_holds: assert property (!started_q || !(w && x && xk == wk && !wf));
  cover_bases_are_the_engines: assert property (!started_q || !(w && base_q[wk*BASE +: BASE] != 0));
  cover_job_reads_what_the_lane_left: assert property (!started_q || !(phase_q[ROW] && v && vk == job_ksr_q[0]));
  cover_job_and_lane_have_no_row_in_common: assert property (!started_q || !(works && w));
  cover_rows_are_written_by_one: assert property (!started_q || !(writes && v));
  cover_few_is_near_a_carry: assert property (!started_q || !(w && wf && \dut.w_few_q ));
  cover_refills_far_from_a_carry: assert property (!started_q || !(refills_q == 3));
  cover_fresh_entry_is_below_a_carry: assert property (!started_q || !(x && y && w && !refills_q[xk] && xk == yk && xk == wk));
  cover_lane_issues_the_next_tb: assert property (!started_q || !(dispatches && &tb[L-1:2]));
  cover_issued_and_left_add_up_in_the_lane: assert property (!started_q || !(dispatches && !refills_q[wk]));

endmodule
