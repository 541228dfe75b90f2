// SPDX-License-Identifier: Apache-2.0
// tsr_ksrt: a row counts the TBs of a launch of any size, though it has a few bits only: it has some to send until as
// many were sent as the launch has, and gives each the next number. Its descriptor comes out as it came in.
module tsr_ksrt_props #(
  parameter K  = 2,
  parameter S  = 1, // SMs
  parameter T  = 1, // slots of an SM
  parameter BW = 4, // bits of a TB's number
  // Not to be set.
  parameter KW    = $clog2(K + 1),
  parameter MW    = $clog2(S + 1),
  parameter TW    = $clog2(T + 1),
  parameter SW    = $clog2(S * T + 1),
  parameter LW    = BW > SW + 1 ? SW + 1 : BW,
  parameter UPPER = BW - LW
) (
  input          clk_i,
  input          reset_i,
  input          activate_i,
  input [BW-1:0] launch_num_tbs_i,
  input [1:0]    launch_tag_i,
  input          issue_i,
  input [KW-1:0] issue_ksr_i,
  input          free_i,
  input [KW-1:0] free_ksr_i,
  input          setup_i,
  input [KW-1:0] setup_ksr_i
);

  localparam [KW-1:0] NONE = {KW{1'b1}};

  reg  started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_ni = started_q && !reset_i;

  wire [39:0]     descriptor;
  wire [KW-1:0]   lowest_free;
  wire [K-1:0]    valid, has_fresh, has_more;
  wire [K*LW-1:0] remaining;
  wire [K*BW-1:0] next_tb;

  // Of the row that sends, and of a row, any.
  (* anyconst *) wire [KW-1:0] a_ksr;
  assume_a_ksr: assume property (a_ksr < K);
  reg  [LW-1:0]    its_remaining, a_remaining;
  reg  [BW-1:0]    its_next, a_next;
  reg              its_valid, its_fresh, freed_valid, freed_fresh, set_up_valid, a_valid, a_fresh, a_more;
  reg  [UPPER-1:0] a_upper;
  integer          k;
  always @* begin
    {its_remaining, its_next, its_valid, its_fresh} = 0;
    {freed_valid, freed_fresh, set_up_valid}        = 0;
    {a_remaining, a_next, a_valid, a_fresh, a_more, a_upper} = 0;
    for (k = 0; k < K; k = k + 1) begin
      if (issue_ksr_i == k) begin
        its_remaining = remaining[k*LW +: LW];
        its_next      = next_tb[k*BW +: BW];
        its_valid     = valid[k];
        its_fresh     = has_fresh[k];
      end
      if (free_ksr_i == k) {freed_valid, freed_fresh} = {valid[k], has_fresh[k]};
      if (setup_ksr_i == k) set_up_valid = valid[k];
      if (a_ksr == k) begin
        a_remaining = remaining[k*LW +: LW];
        a_next      = next_tb[k*BW +: BW];
        a_upper     = upper[k*UPPER +: UPPER];
        {a_valid, a_fresh, a_more} = {valid[k], has_fresh[k], has_more[k]};
      end
    end
  end

  tsr_ksrt #(.NUM_KSRS(K), .NUM_CONTEXTS(1), .NUM_SMS(S), .MAX_TBS_PER_SM(T), .TB_WIDTH(BW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .issue_i(issue_i), .issue_ksr_i(issue_ksr_i), .issue_tb_i(its_next),
    .issue_handle_i(1'b0), .issue_covers_i(1'b0), .issue_borrows_i(issue_i && its_remaining == 0), .trap_i(1'b0),
    .trap_ksr_i({KW{1'b0}}), .trap_count_i({TW{1'b0}}), .done_i(1'b0), .done_trapped_i(1'b0), .done_covered_i(1'b0),
    .saved_i(1'b0), .saved_count_i({TW{1'b0}}), .event_ksr_i({KW{1'b0}}), .lose_i(1'b0), .lose_ksr_i({KW{1'b0}}),
    .lose_reserved_i(1'b0), .lose_slots_i({TW{1'b0}}), .gain_i(1'b0), .gain_ksr_i({KW{1'b0}}), .gain_reserved_i(1'b0),
    .gain_hand_over_i(1'b0), .gain_slots_i({TW{1'b0}}), .activate_i(activate_i), .activate_context_i(1'b0),
    .activate_priority_i(4'd0), .activate_tbs_per_sm_i({{(TW-1){1'b0}}, 1'b1}),
    .launch_descriptor_i({38'd0, launch_tag_i}), .launch_num_tbs_i(launch_num_tbs_i), .free_i(free_i),
    .free_ksr_i(free_ksr_i), .distribute_i(1'b0), .distribute_ksr_i({KW{1'b0}}), .budget_i(9'd0),
    .budget_from_pool_i(1'b0),
    .write_priority_i(1'b0), .write_tokens_i(1'b0), .write_context_i(1'b0), .write_data_i(9'd0), .setup_i(setup_i),
    .setup_ksr_i(setup_ksr_i), .descriptor_o(descriptor), .lowest_free_o(lowest_free), .valid_o(valid),
    .has_fresh_o(has_fresh), .remaining_o(remaining), .has_more_o(has_more), .next_tb_o(next_tb));

(* hierconn *) wire [K*UPPER-1:0] \dut.g_more.u_more.words ;
(* hierconn *) wire [UPPER-1:0]   \dut.g_more.u_more.read_data_o ;
(* hierconn *) wire               \dut.g_more.borrow_valid_q ;
(* hierconn *) wire [KW-1:0]      \dut.g_more.borrow_ksr_q ;
(* hierconn *) wire [UPPER-1:0]   \dut.g_more.borrow_count_q ;
(* hierconn *) wire [K*40-1:0]    \dut.u_descriptors.words ;
(* hierconn *) wire                \dut.launch_valid_q ;
(* hierconn *) wire [KW-1:0]      \dut.launch_ksr_q ;
  wire [K*UPPER-1:0] upper        = \dut.g_more.u_more.words ;
  wire [UPPER-1:0]   upper_read   = \dut.g_more.u_more.read_data_o ;
  wire               borrow_valid = \dut.g_more.borrow_valid_q ;
  wire [KW-1:0]      borrow_ksr   = \dut.g_more.borrow_ksr_q ;
  wire [UPPER-1:0]   borrow_count = \dut.g_more.borrow_count_q ;

  // A launch follows its row by a cycle, and nothing is sent, set up or ended before.
  reg          arrives_q;
  reg [KW-1:0] arrives_ksr_q;
  always @(posedge clk_i) {arrives_q, arrives_ksr_q} <= {rst_ni && activate_i, lowest_free};
  assume_activate: assume property (!activate_i || lowest_free != NONE);
  assume_launch: assume property (launch_num_tbs_i != 0);
  assume_issue: assume property (!issue_i || its_valid && its_fresh && !(arrives_q && arrives_ksr_q == issue_ksr_i));
  assume_setup: assume property (!setup_i || set_up_valid && !(arrives_q && arrives_ksr_q == setup_ksr_i) && !free_i);
  assume_free: assume property (!free_i || freed_valid && !freed_fresh && !(issue_i && issue_ksr_i == free_ksr_i));

  // What came, and how many were sent.
  reg [BW-1:0] count_q;
  reg [BW-1:0] sent_q;
  reg [1:0]    tag_q;
  wire         a_arrives = arrives_q && arrives_ksr_q == a_ksr;
  always @(posedge clk_i) begin
    if (a_arrives) {count_q, tag_q, sent_q} <= {launch_num_tbs_i, launch_tag_i, {BW{1'b0}}};
    else if (issue_i && issue_ksr_i == a_ksr) sent_q <= sent_q + 1'b1;
  end

  // `remaining` is what the launch has not sent, modulo 2^LW; `more` whether the rest is not 0, but for the cycle after
  // the last borrow, in which the row counts all that it can.
  wire             counts_a = a_valid && !a_arrives;
  wire [BW-1:0]    left     = count_q - sent_q;
  wire             borrowed = borrow_valid && borrow_ksr == a_ksr;
  wire             launches = \dut.launch_valid_q == arrives_q &&
                              (!arrives_q || \dut.launch_ksr_q == arrives_ksr_q && arrives_ksr_q < K);
  row_counts_what_is_left: assert property (!started_q || launches && (counts_a ?
    a_upper == count_q[BW-1:LW] && a_remaining == left[LW-1:0] &&
    (a_more == (left[BW-1:LW] != 0) || borrowed && a_more) &&
    (!borrowed || a_more && &a_remaining && upper_read == a_upper &&
                  borrow_count + 1'b1 == a_upper - left[BW-1:LW]) :
    !(a_valid && (a_more || a_remaining != 1 || a_next != 0 || !a_fresh)) && !(borrowed && a_valid)));
  row_has_tbs_until_all_are_sent: assert property (!started_q || !counts_a ||
    a_next == sent_q && sent_q <= count_q && a_fresh == (sent_q != count_q));

  // Descriptors.
  reg       shows_q;
  reg [1:0] shown_q;
  reg       kept;
  always @(posedge clk_i) begin
    shows_q <= rst_ni && (free_i ? free_ksr_i == a_ksr : setup_i && setup_ksr_i == a_ksr);
    shown_q <= tag_q;
  end
  always @* begin
    kept = 1'b1;
    for (k = 0; k < K; k = k + 1) begin
      if (a_ksr == k && \dut.u_descriptors.words [k*40 +: 40] != {38'd0, tag_q}) kept = 1'b0;
    end
  end
  row_keeps_its_descriptor: assert property (!started_q || (!counts_a || kept) &&
                                                           (!shows_q || descriptor == {38'd0, shown_q}));

  cover_row_counts_what_is_left: assert property (!started_q || !(counts_a && borrowed && left[BW-1:LW] == 0));
  cover_row_has_tbs_until_all_are_sent: assert property (!started_q || !(counts_a && !a_fresh && sent_q == 10));
  cover_row_keeps_its_descriptor: assert property (!started_q || !(shows_q && !a_valid && shown_q == 2));

endmodule
