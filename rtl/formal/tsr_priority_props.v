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

  (* anyconst *) wire shared, all; // access: below the top too; exclusive scope: SMs taken though the top needs none
  wire          candidate_valid, takes_idle, is_victim;
  wire [KW-1:0] candidate_ksr;
  wire [3:0]    rank;
  tsr_priority #(.ROWS(ROWS), .VICTIMS(1), .KSR_WIDTH(KW), .PIPELINED(PIPELINED)) dut (
    .clk_i(clk_i), .shared_i(shared), .all_i(all), .pass_i(pass_i), .start_i(start_i),
    .end_i(end_i), .row_valid_i(row_valid_i),
    .row_ksr_i(row_ksr_i), .row_priority_i(row_priority_i), .row_uncovered_i(row_uncovered_i),
    .candidate_valid_o(candidate_valid), .candidate_ksr_o(candidate_ksr), .candidate_takes_idle_o(takes_idle),
    .victim_priority_i(victim_priority_i), .is_victim_o(is_victim), .victim_rank_o(rank));

`include "tsr_engine_rows.vh"

(* hierconn *) wire          \dut.top_valid_q ;
(* hierconn *) wire          \dut.requester_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.top_ksr_q ;
(* hierconn *) wire [KW-1:0] \dut.requester_ksr_q ;
(* hierconn *) wire [3:0]    \dut.top_priority_q ;
(* hierconn *) wire [3:0]    \dut.requester_priority_q ;
(* hierconn *) wire [3:0]    \dut.candidate_priority_q ;
  wire          top_valid          = \dut.top_valid_q ;
  wire          requester_valid    = \dut.requester_valid_q ;
  wire [KW-1:0] top_ksr            = \dut.top_ksr_q ;
  wire [KW-1:0] requester_ksr      = \dut.requester_ksr_q ;
  wire [3:0]    top_priority       = \dut.top_priority_q ;
  wire [3:0]    requester_priority = \dut.requester_priority_q ;
  wire [3:0]    candidate_priority = \dut.candidate_priority_q ;

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
    keeps_best = top_valid == |seen_q && requester_valid == |(seen_q & uncovered_q);
    for (k = 0; k < K; k = k + 1) begin
      if (top_valid && top_ksr == k && !(seen_q[k] && priority_q[k*4 +: 4] == top_priority)) keeps_best = 1'b0;
      if (requester_valid && requester_ksr == k &&
          !(seen_q[k] && uncovered_q[k] && priority_q[k*4 +: 4] == requester_priority)) keeps_best = 1'b0;
      if (seen_q[k] && priority_q[k*4 +: 4] > top_priority) keeps_best = 1'b0;
      if (seen_q[k] && uncovered_q[k] && priority_q[k*4 +: 4] > requester_priority) keeps_best = 1'b0;
    end
    if (top_valid && top_ksr >= K || requester_valid && requester_ksr >= K) keeps_best = 1'b0;
  end

  wire [K*4-1:0] candidate_priorities = PIPELINED != 0 ? priority_q : prio;

  reg       candidate_ok;
  reg [3:0] highest, highest_requester, its;
  always @* begin
    highest           = 0;
    highest_requester = 0;
    its               = 0;
    for (k = 0; k < K; k = k + 1) begin
      if (candidate_seen[k] && candidate_priorities[k*4 +: 4] > highest) highest = candidate_priorities[k*4 +: 4];
      if (candidate_seen[k] && candidate_uncovered[k] && candidate_priorities[k*4 +: 4] > highest_requester) begin
        highest_requester = candidate_priorities[k*4 +: 4];
      end
    end
    candidate_ok = takes_idle == (|(candidate_seen & candidate_uncovered) &&
                                  (shared || highest_requester == highest)) &&
                   candidate_valid == (takes_idle || !shared && all && |candidate_seen);
    for (k = 0; k < K; k = k + 1) begin
      if (candidate_ksr == k) its = candidate_priorities[k*4 +: 4];
      if (candidate_valid && candidate_ksr == k &&
          !(candidate_seen[k] && (!takes_idle || candidate_uncovered[k]))) candidate_ok = 1'b0;
    end
    if (candidate_valid && its != (takes_idle ? highest_requester : highest)) candidate_ok = 1'b0;
  end

  // The priority of the last candidate.
  reg [3:0] last_priority_q;
  reg       had_candidate_q = 1'b0;
  assume_end: assume property (!end_i || has_candidate);
  always @(posedge clk_i) if (end_i) {had_candidate_q, last_priority_q} <= {candidate_valid, its};

  priority_keeps_the_best: assert property ((!started || keeps_best) &&
                                            (!had_candidate_q || last_priority_q == candidate_priority));
  priority_candidate_is_highest: assert property (!has_candidate || candidate_ok);
  priority_takes_from_below: assert property (!(started && had_candidate_q && is_victim) ||
                                              victim_priority_i < last_priority_q);
  cover_priority_keeps_the_best: assert property (!(
    started && top_valid && requester_valid && top_ksr != requester_ksr && &seen_q));
  cover_priority_candidate_is_highest: assert property (!(
    has_candidate && candidate_valid && !takes_idle && &candidate_seen));
  cover_priority_takes_from_below: assert property (!(started && had_candidate_q && is_victim && &seen_q));

endmodule
