// SPDX-License-Identifier: Apache-2.0
// tsr_priority: whoever gets an SM has the highest priority of those with TBs to place, exclusive access keeps everyone
// below the top out, and SMs are taken from strictly lower priorities only: no two kernels take from each other.
module tsr_priority_props #(
  parameter ROWS = 1,
  parameter K    = 3,
  parameter KW   = $clog2(K + 1),
  parameter PIPELINED = 0
) (
  input               clk_i,
  input               pass_i,
  input               start_i,
  input               end_i,
  input [ROWS-1:0]    row_valid_i,
  input [ROWS*KW-1:0] row_ksr_i,
  input [ROWS*4-1:0]  row_priority_i,
  input [ROWS-1:0]    row_uncovered_i,
  input [3:0]         victim_priority_i
);

  (* anyconst *) wire shared, all;
  wire          wish_valid, takes_idle, is_victim;
  wire [KW-1:0] wish_ksr;
  wire [3:0]    rank;
  tsr_priority #(.ROWS(ROWS), .VICTIMS(1), .KSR_WIDTH(KW), .PIPELINED(PIPELINED)) dut (
    .clk_i(clk_i), .shared_i(shared), .all_i(all), .pass_i(pass_i), .start_i(start_i),
    .end_i(end_i), .row_valid_i(row_valid_i),
    .row_ksr_i(row_ksr_i), .row_priority_i(row_priority_i), .row_uncovered_i(row_uncovered_i),
    .wish_valid_o(wish_valid), .wish_ksr_o(wish_ksr), .wish_takes_idle_o(takes_idle),
    .victim_priority_i(victim_priority_i), .is_victim_o(is_victim), .victim_rank_o(rank));

`include "tsr_engine_rows.vh"

(* hierconn *) wire          \dut.top_valid_q ;
(* hierconn *) wire          \dut.needy_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.top_ksr_q ;
(* hierconn *) wire [KW-1:0] \dut.needy_ksr_q ;
(* hierconn *) wire [3:0]    \dut.top_priority_q ;
(* hierconn *) wire [3:0]    \dut.needy_priority_q ;
(* hierconn *) wire [3:0]    \dut.wish_priority_q ;
  wire          top_valid      = \dut.top_valid_q ;
  wire          needy_valid    = \dut.needy_valid_q ;
  wire [KW-1:0] top_ksr        = \dut.top_ksr_q ;
  wire [KW-1:0] needy_ksr      = \dut.needy_ksr_q ;
  wire [3:0]    top_priority   = \dut.top_priority_q ;
  wire [3:0]    needy_priority = \dut.needy_priority_q ;
  wire [3:0]    wish_priority  = \dut.wish_priority_q ;

  reg [K*4-1:0] priority_q, prio;
  always @* begin
    prio = priority_q;
    for (j = 0; j < ROWS; j = j + 1) begin
      for (k = 0; k < K; k = k + 1) begin
        if (row_valid_i[j] && row_ksr_i[j*KW +: KW] == k) prio[k*4 +: 4] = row_priority_i[j*4 +: 4];
      end
    end
  end
  always @(posedge clk_i) if (pass_i) priority_q <= prio;

  reg keeps_best;
  always @* begin
    keeps_best = top_valid == |seen_q && needy_valid == |(seen_q & uncovered_q);
    for (k = 0; k < K; k = k + 1) begin
      if (top_valid && top_ksr == k && !(seen_q[k] && priority_q[k*4 +: 4] == top_priority)) keeps_best = 1'b0;
      if (needy_valid && needy_ksr == k &&
          !(seen_q[k] && uncovered_q[k] && priority_q[k*4 +: 4] == needy_priority)) keeps_best = 1'b0;
      if (seen_q[k] && priority_q[k*4 +: 4] > top_priority) keeps_best = 1'b0;
      if (seen_q[k] && uncovered_q[k] && priority_q[k*4 +: 4] > needy_priority) keeps_best = 1'b0;
    end
    if (top_valid && top_ksr >= K || needy_valid && needy_ksr >= K) keeps_best = 1'b0;
  end

  wire [K*4-1:0] wish_priorities = PIPELINED != 0 ? priority_q : prio;

  reg       wish_ok;
  reg [3:0] highest, highest_needy, its;
  always @* begin
    highest       = 0;
    highest_needy = 0;
    its           = 0;
    for (k = 0; k < K; k = k + 1) begin
      if (wish_seen[k] && wish_priorities[k*4 +: 4] > highest) highest = wish_priorities[k*4 +: 4];
      if (wish_seen[k] && wish_uncovered[k] && wish_priorities[k*4 +: 4] > highest_needy) begin
        highest_needy = wish_priorities[k*4 +: 4];
      end
    end
    wish_ok = takes_idle == (|(wish_seen & wish_uncovered) && (shared || highest_needy == highest)) &&
              wish_valid == (takes_idle || !shared && all && |wish_seen);
    for (k = 0; k < K; k = k + 1) begin
      if (wish_ksr == k) its = wish_priorities[k*4 +: 4];
      if (wish_valid && wish_ksr == k && !(wish_seen[k] && (!takes_idle || wish_uncovered[k]))) wish_ok = 1'b0;
    end
    if (wish_valid && its != (takes_idle ? highest_needy : highest)) wish_ok = 1'b0;
  end

  // The priority of the last wish.
  reg [3:0] wished_q;
  reg       has_wished_q = 1'b0;
  assume_end: assume property (!end_i || has_wish);
  always @(posedge clk_i) if (end_i) {has_wished_q, wished_q} <= {wish_valid, its};

  priority_keeps_the_best: assert property ((!started || keeps_best) &&
                                            (!has_wished_q || wished_q == wish_priority));
  priority_wish_is_highest: assert property (!has_wish || wish_ok);
  priority_takes_from_below: assert property (!(started && has_wished_q && is_victim) || victim_priority_i < wished_q);
  cover_priority_keeps_the_best: assert property (!(
    started && top_valid && needy_valid && top_ksr != needy_ksr && &seen_q));
  cover_priority_wish_is_highest: assert property (!(has_wish && wish_valid && !takes_idle && &wish_seen));
  cover_priority_takes_from_below: assert property (!(started && has_wished_q && is_victim && &seen_q));

endmodule
