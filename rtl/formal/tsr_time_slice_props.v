// SPDX-License-Identifier: Apache-2.0
// tsr_time_slice: SMs go to the context whose turn it is or, with shared access, the nearest behind it; they are taken
// from other contexts only by the one whose turn it is; and the turn goes on with a tick.
module tsr_time_slice_props #(
  parameter ROWS = 1,
  parameter K    = 3,
  parameter P    = 3,
  parameter KW   = $clog2(K + 1),
  parameter CW   = $clog2(P + 1),
  parameter PIPELINED = 0
) (
  input               clk_i,
  input               reset_i,
  input               select_i,
  input               tick_i,
  input               pass_i,
  input               start_i,
  input               end_i,
  input [ROWS-1:0]    row_valid_i,
  input [ROWS*KW-1:0] row_ksr_i,
  input [ROWS*CW-1:0] row_context_i,
  input [ROWS-1:0]    row_uncovered_i,
  input [CW-1:0]      victim_context_i
);

  (* anyconst *) wire shared;
  wire          candidate_valid, takes_away, is_victim;
  wire [KW-1:0] candidate_ksr;
  tsr_time_slice #(.ROWS(ROWS), .VICTIMS(1), .KSR_WIDTH(KW), .NUM_CONTEXTS(P), .PIPELINED(PIPELINED)) dut (
    .clk_i(clk_i), .rst_ni(!reset_i), .shared_i(shared), .select_i(select_i), .tick_i(tick_i), .pass_i(pass_i),
    .start_i(start_i), .end_i(end_i), .row_valid_i(row_valid_i), .row_ksr_i(row_ksr_i),
    .row_context_i(row_context_i), .row_uncovered_i(row_uncovered_i), .candidate_valid_o(candidate_valid),
    .candidate_ksr_o(candidate_ksr), .candidate_takes_away_o(takes_away), .victim_context_i(victim_context_i),
    .is_victim_o(is_victim));

`include "tsr_engine_rows.vh"

  reg contexts_ok;
  always @* begin
    contexts_ok = victim_context_i < P;
    for (j = 0; j < ROWS; j = j + 1) if (row_valid_i[j] && row_context_i[j*CW +: CW] >= P) contexts_ok = 1'b0;
  end
  assume_contexts: assume property (contexts_ok);
  // A walk ends with its last rows, PIPELINED after them. One that the turn moves in comes to no end.
  reg  within_q;
  wire is_within = pass_i && start_i || within_q;
  always @(posedge clk_i) within_q <= is_within && !end_i && !tick_i && !select_i && !reset_i;
  assume_end: assume property (!end_i || (PIPELINED != 0 ? within_q && !pass_i : pass_i));
  assume_begin: assume property (!pass_i || is_within);

(* hierconn *) wire [CW-1:0] \dut.turn_q ;
(* hierconn *) wire          \dut.nearest_valid_q ;
(* hierconn *) wire [CW-1:0] \dut.nearest_context_q ;
(* hierconn *) wire [CW-1:0] \dut.nearest_distance_q ;
(* hierconn *) wire          \dut.requester_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.requester_ksr_q ;
(* hierconn *) wire [CW-1:0] \dut.requester_context_q ;
(* hierconn *) wire [CW-1:0] \dut.requester_distance_q ;
  wire [CW-1:0] turn               = \dut.turn_q ;
  wire          nearest_valid      = \dut.nearest_valid_q ;
  wire [CW-1:0] nearest_context    = \dut.nearest_context_q ;
  wire [CW-1:0] nearest_distance   = \dut.nearest_distance_q ;
  wire          requester_valid    = \dut.requester_valid_q ;
  wire [KW-1:0] requester_ksr      = \dut.requester_ksr_q ;
  wire [CW-1:0] requester_context  = \dut.requester_context_q ;
  wire [CW-1:0] requester_distance = \dut.requester_distance_q ;

  reg [K*CW-1:0] context_q, contexts;
  always @* begin
    contexts = context_q;
    for (j = 0; j < ROWS; j = j + 1) begin
      for (k = 0; k < K; k = k + 1) begin
        if (row_valid_i[j] && row_ksr_i[j*KW +: KW] == k) contexts[k*CW +: CW] = row_context_i[j*CW +: CW];
      end
    end
  end
  always @(posedge clk_i) if (pass_i) context_q <= contexts;

  function [CW:0] behind(input [CW-1:0] of, input [CW-1:0] from);
    behind = {1'b0, of} + (of < from ? P : 0) - from;
  endfunction

  reg keeps_best, has_nearest;
  always @* begin
    has_nearest = !nearest_valid;
    keeps_best = nearest_valid == |seen_q && requester_valid == |(seen_q & uncovered_q) &&
                 (!nearest_valid || nearest_context < P && nearest_distance == behind(nearest_context, turn)) &&
                 (!requester_valid || requester_ksr < K && requester_context < P &&
                                      requester_distance == behind(requester_context, turn));
    for (k = 0; k < K; k = k + 1) begin
      if (requester_valid && requester_ksr == k &&
          !(seen_q[k] && uncovered_q[k] && context_q[k*CW +: CW] == requester_context)) keeps_best = 1'b0;
      if (seen_q[k] && context_q[k*CW +: CW] == nearest_context) has_nearest = 1'b1;
      if (seen_q[k] && context_q[k*CW +: CW] >= P) keeps_best = 1'b0;
      if (seen_q[k] && behind(context_q[k*CW +: CW], turn) < nearest_distance) keeps_best = 1'b0;
      if (seen_q[k] && uncovered_q[k] && behind(context_q[k*CW +: CW], turn) < requester_distance) keeps_best = 1'b0;
    end
    keeps_best = keeps_best && has_nearest;
  end

  // The nearest of all, and of those that need an SM.
  wire [K*CW-1:0] candidate_contexts = PIPELINED != 0 ? context_q : contexts;
  reg          candidate_ok;
  reg [CW:0]   nearest, nearest_requester, its;
  always @* begin
    nearest           = P;
    nearest_requester = P;
    its               = P;
    for (k = 0; k < K; k = k + 1) begin
      if (candidate_seen[k] && behind(candidate_contexts[k*CW +: CW], turn) < nearest) begin
        nearest = behind(candidate_contexts[k*CW +: CW], turn);
      end
      if (candidate_seen[k] && candidate_uncovered[k] &&
          behind(candidate_contexts[k*CW +: CW], turn) < nearest_requester) begin
        nearest_requester = behind(candidate_contexts[k*CW +: CW], turn);
      end
      if (candidate_ksr == k && candidate_seen[k] && candidate_uncovered[k]) begin
        its = behind(candidate_contexts[k*CW +: CW], turn);
      end
    end
    candidate_ok = candidate_valid == (|(candidate_seen & candidate_uncovered) &&
                                       (shared || nearest_requester == nearest)) &&
                   (!candidate_valid || its == nearest_requester && takes_away == (nearest_requester == nearest));
  end

  wire looks = PIPELINED != 0 ? within_q : pass_i && is_within;
  slice_turn_exists: assert property (!begun_q || turn < P);
  slice_keeps_the_nearest: assert property (!(begun_q && within_q) || started && keeps_best);
  slice_candidate_is_in_turn: assert property (!(begun_q && looks) || candidate_ok);
  slice_turn_passes_with_tick: assert property (!(begun_q && was_tick_q) || turn == turn_due_q);
  cover_slice_turn_exists: assert property (!(begun_q && turn == P - 1));
  cover_slice_keeps_the_nearest: assert property (!(begun_q && within_q && &seen_q && nearest_distance == 1));
  cover_slice_candidate_is_in_turn: assert property (!(
    begun_q && looks && candidate_valid && !takes_away && &candidate_seen));
  cover_slice_turn_passes_with_tick: assert property (!(begun_q && was_tick_q && turn == 2));

  // The turn after a tick: the one behind it, or behind the nearest where the walk ends with it.
  reg          begun_q = 1'b0, was_tick_q;
  reg [CW-1:0] turn_due_q;
  wire [CW:0]  found = end_i && |candidate_seen ? turn + nearest : turn;
  wire [CW-1:0] found_turn = found >= P ? found - P : found;
  always @(posedge clk_i) begin
    if (reset_i) begun_q <= 1'b1;
    was_tick_q <= tick_i && !select_i && !reset_i;
    turn_due_q <= found_turn == P - 1 ? 0 : found_turn + 1'b1;
  end

endmodule
