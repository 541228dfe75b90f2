// SPDX-License-Identifier: Apache-2.0
// Properties of tsr_scheduler in the world of tsr_environment.vh: true of every state that can be reached, by induction
// over a cycle. They hold together: each may lean on all of them in the cycle before. docs/formal.md has them in words.
module tsr_scheduler_props #(
  parameter S = 2, // SMs
  parameter T = 2, // slots of an SM
  parameter K = 2, // KSRs
  parameter B = 2, // command buffers
  parameter P = 2, // contexts
  parameter D = 4, // handles in a ring
  parameter SEARCH_WIDTH  = 1,
  parameter KSRS_PER_STEP = 1,
  parameter BW            = 6, // bits of a TB's number
  parameter PIPELINED     = 0,
  parameter WAIT_WIDTH    = 4,
  parameter WAIT_MAX      = 15,
  parameter POLICIES      = 5'b11111,
  // Not to be set.
  parameter MW = $clog2(S + 1),
  parameter KW = $clog2(K + 1),
  parameter CW = $clog2(P + 1),
  parameter UW = $clog2(B + 1),
  parameter TW = $clog2(T + 1),
  parameter SW = $clog2(S * T + 1),
  parameter RW = D > 1 ? $clog2(D) : 1,
  parameter HW = BW + 32, // handle
  parameter LW = BW > SW + 1 ? SW + 1 : BW, // bits of a row's count of TBs never sent
  parameter UPPER = BW > LW ? BW - LW : 1,  // and of those above them
  parameter STEPS = (S + SEARCH_WIDTH - 1) / SEARCH_WIDTH,
  parameter NW = $clog2((STEPS > K ? STEPS : K) + 1)
) (
  input          clk_i,
  input          reset_i,
  input          command_valid_i,
  input [UW-1:0] command_buffer_i,
  input [CW-1:0] command_context_i,
  input [3:0]    command_priority_i,
  input [BW-1:0] command_num_tbs_i,
  input [TW-1:0] command_tbs_per_sm_i,
  input [1:0]    command_tag_i,
  input          control_valid_i,
  input [1:0]    control_reg_i,
  input [CW-1:0] control_context_i,
  input [8:0]    control_low_i,
  input          slice_tick_i,
  input          sm_tick_i,
  input          sm_event_valid_i,
  input [MW-1:0] sm_event_sm_i,
  input [1:0]    sm_event_kind_i,
  input          handle_valid_i,
  input [MW-1:0] handle_sm_i,
  input [BW-1:0] handle_tb_i,
  input          done_is_a_i
);

`include "tsr_pins.vh"
`include "tsr_registers.vh"
`include "tsr_environment.vh"

  localparam [1:0] IDLE = 2'd0, RUNNING = 2'd1, RESERVED = 2'd2;
  localparam [KW-1:0] NONE = {KW{1'b1}};
  localparam [2:0] SEARCH_IDLE = 3'd0, BEGIN = 3'd1, ACTIVATE = 3'd2, WALK = 3'd3, DISTRIBUTE = 3'd4, SETTLE = 3'd5;

`include "tsr_ownership.vh"
`include "tsr_thread_blocks.vh"
`include "tsr_flags.vh"
`include "tsr_queues.vh"
`include "tsr_walk.vh"
`include "tsr_rounds.vh"
`include "tsr_handshakes.vh"
`include "tsr_launches.vh"
`include "tsr_moves.vh"
`include "tsr_pool.vh"
`include "tsr_needs.vh"
`include "tsr_quiescent.vh"
`include "tsr_passing.vh"
`include "tsr_decision.vh"
`include "tsr_dss_service.vh"
`include "tsr_waiting.vh"
`include "tsr_rest.vh"
`include "tsr_covers.vh"

endmodule
