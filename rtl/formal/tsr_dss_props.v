// SPDX-License-Identifier: Apache-2.0
// tsr_dss: the kernel with most tokens left wants SMs, and takes from the one with fewest only where that brings the two
// closer. So moves cannot go round in a circle.
module tsr_dss_props #(
  parameter ROWS = 1,
  parameter K    = 3,
  parameter KW   = $clog2(K + 1),
  parameter PIPELINED = 0
) (
  input               clk_i,
  input               pass_i,
  input               start_i,
  input [ROWS-1:0]    row_valid_i,
  input [ROWS*KW-1:0] row_ksr_i,
  input [ROWS*10-1:0] row_tokens_left_i,
  input [ROWS-1:0]    row_uncovered_i,
  input [ROWS-1:0]    row_holds_i,
  input [KW-1:0]      victim_ksr_i
);

  wire          candidate_valid, candidate_takes_away, is_victim;
  wire [KW-1:0] candidate_ksr;
  tsr_dss #(.ROWS(ROWS), .VICTIMS(1), .KSR_WIDTH(KW), .PIPELINED(PIPELINED)) dut (
    .clk_i(clk_i), .pass_i(pass_i), .start_i(start_i), .row_valid_i(row_valid_i), .row_ksr_i(row_ksr_i),
    .row_tokens_left_i(row_tokens_left_i), .row_uncovered_i(row_uncovered_i), .row_holds_i(row_holds_i),
    .candidate_valid_o(candidate_valid), .candidate_ksr_o(candidate_ksr), .candidate_takes_away_o(candidate_takes_away),
    .victim_ksr_i(victim_ksr_i), .is_victim_o(is_victim));

`include "tsr_engine_rows.vh"

  // Tokens left of those that passed, and who holds SMs.
  reg [K*10-1:0] left_q, left;
  reg [K-1:0]    holds_q, holds;
  always @* begin
    left  = left_q;
    holds = start_i ? {K{1'b0}} : holds_q;
    for (j = 0; j < ROWS; j = j + 1) begin
      for (k = 0; k < K; k = k + 1) begin
        if (row_valid_i[j] && row_ksr_i[j*KW +: KW] == k) begin
          left[k*10 +: 10] = row_tokens_left_i[j*10 +: 10];
          holds[k]         = row_holds_i[j];
        end
      end
    end
  end
  always @(posedge clk_i) if (pass_i) {left_q, holds_q} <= {left, holds};

(* hierconn *) wire                 \dut.max_valid_q ;
(* hierconn *) wire [KW-1:0]        \dut.max_ksr_q ;
(* hierconn *) wire signed [9:0]    \dut.max_left_q ;
(* hierconn *) wire                 \dut.min_valid_q ;
(* hierconn *) wire [KW-1:0]        \dut.min_ksr_q ;
(* hierconn *) wire signed [9:0]    \dut.min_left_q ;
  wire                max_valid = \dut.max_valid_q ;
  wire                min_valid = \dut.min_valid_q ;
  wire [KW-1:0]       max_ksr   = \dut.max_ksr_q ;
  wire [KW-1:0]       min_ksr   = \dut.min_ksr_q ;
  wire signed [9:0]   max_left  = \dut.max_left_q ;
  wire signed [9:0]   min_left  = \dut.min_left_q ;

  // What the registers keep is the best of what passed before.
  reg                 keeps_best;
  reg signed [9:0]    its;
  always @* begin
    keeps_best = max_valid == |(seen_q & uncovered_q) && min_valid == |(seen_q & holds_q) &&
                 (!max_valid || max_ksr < K) && (!min_valid || min_ksr < K);
    its = 0;
    for (k = 0; k < K; k = k + 1) begin
      its = left_q[k*10 +: 10];
      if (max_valid && max_ksr == k && !(seen_q[k] && uncovered_q[k] && its == max_left)) keeps_best = 1'b0;
      if (min_valid && min_ksr == k && !(seen_q[k] && holds_q[k] && its == min_left)) keeps_best = 1'b0;
      if (seen_q[k] && uncovered_q[k] && its > max_left) keeps_best = 1'b0;
      if (seen_q[k] && holds_q[k] && its < min_left) keeps_best = 1'b0;
    end
  end

  // And the candidate is the best of all.
  wire [K*10-1:0] candidate_lefts = PIPELINED != 0 ? left_q : left;
  wire [K-1:0]    candidate_holds = PIPELINED != 0 ? holds_q : holds;
  reg                 candidate_ok, takes_ok, is_closer;
  reg signed [11:0]   candidate_left, fewest, one;
  reg                 some_hold;
  always @* begin
    candidate_left = 0;
    fewest         = 0;
    some_hold      = 1'b0;
    one            = 0;
    candidate_ok   = candidate_valid == |(candidate_seen & candidate_uncovered);
    for (k = 0; k < K; k = k + 1) begin
      one = {{2{candidate_lefts[k*10+9]}}, candidate_lefts[k*10 +: 10]};
      if (candidate_ksr == k) begin
        candidate_left = one;
        if (candidate_valid && !(candidate_seen[k] && candidate_uncovered[k])) candidate_ok = 1'b0;
      end
      if (candidate_seen[k] && candidate_holds[k] && (!some_hold || one < fewest)) {some_hold, fewest} = {1'b1, one};
    end
    for (k = 0; k < K; k = k + 1) begin
      one = {{2{candidate_lefts[k*10+9]}}, candidate_lefts[k*10 +: 10]};
      if (candidate_valid && candidate_seen[k] && candidate_uncovered[k] && one > candidate_left) candidate_ok = 1'b0;
    end
    takes_ok  = !candidate_valid || candidate_takes_away == (some_hold && candidate_left > fewest + 1);
    // An SM from the one to the other: they differ by less, and not the other way round.
    is_closer = !(candidate_valid && candidate_takes_away) ||
                (candidate_left - 1) - (fewest + 1) >= 0 &&
                (candidate_left - 1) - (fewest + 1) < candidate_left - fewest;
  end

  dss_keeps_the_best: assert property (!started || keeps_best);
  dss_candidate_has_most_tokens: assert property (!has_candidate || candidate_ok && takes_ok);
  dss_difference_falls: assert property (!has_candidate || is_closer);
  dss_victim_has_fewest_tokens: assert property (!started || is_victim == (min_valid && victim_ksr_i == min_ksr));
  cover_dss_keeps_the_best: assert property (!started || !(max_valid && min_valid && max_ksr != min_ksr && &seen_q));
  cover_dss_candidate_has_most_tokens: assert property (!(
    has_candidate && started && &candidate_seen && candidate_valid && candidate_ksr == 1));
  cover_dss_difference_falls: assert property (!(
    has_candidate && started && candidate_valid && candidate_takes_away && &candidate_seen));
  cover_dss_victim_has_fewest_tokens: assert property (!(started && is_victim));

endmodule
