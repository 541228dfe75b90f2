// SPDX-License-Identifier: Apache-2.0
// Properties of tsr_scheduler in the world of tsr_environment.vh: true of every state that can be reached, by induction
// over a cycle. They hold together: each may lean on all of them in the cycle before. With SCENARIO the world is closed: it
// does one thing, in which covers are met and seeded bugs are seen.
module tsr_scheduler_props #(
  parameter S = 2, // SMs
  parameter T = 2, // slots of an SM
  parameter K = 2, // KSRs
  parameter B = 2, // command buffers
  parameter P = 2, // contexts
  parameter D = 4, // handles in a ring
  parameter SEARCH_WIDTH = 1,
  parameter BW           = 4, // bits of a TB's number
  parameter WAIT_WIDTH   = 4,
  parameter WAIT_MAX     = 15,
  parameter POLICIES     = 31,
  parameter KEPT_TURN    = 0,
  // Not to be set.
  parameter MW = $clog2(S + 1),
  parameter KW = $clog2(K + 1),
  parameter CW = $clog2(P + 1),
  parameter UW = $clog2(B + 1),
  parameter TW = $clog2(T + 1),
  parameter SW = $clog2(S * T + 1),
  parameter RW = D > 1 ? $clog2(D) : 1,
  parameter KA = K > 1 ? $clog2(K) : 1,
  parameter CA = P > 1 ? $clog2(P) : 1,
  parameter UA = B > 1 ? $clog2(B) : 1,
  parameter TR = K > P ? K : P, // rows of tokens
  parameter LW = BW + TW + 40,  // of a launch in RAM
  parameter FW = 2*BW + 3*SW + RW + 2*MW + TW, // of a KSR's row
  parameter STEPS = (K + SEARCH_WIDTH - 1) / SEARCH_WIDTH
) (
  input          clk_i
`ifndef SCENARIO
,
  input          reset_i,
  input          command_valid_i,
  input [UW-1:0] command_buffer_i,
  input [CW-1:0] command_context_i,
  input [3:0]    command_priority_i,
  input          command_has_due_i,
  input [1:0]    command_low_due_i,
  input [BW-1:0] command_num_tbs_i,
  input [TW-1:0] command_tbs_per_sm_i,
  input [1:0]    command_tag_i,
  input          control_valid_i,
  input [2:0]    control_reg_i,
  input [CW-1:0] control_context_i,
  input [15:0]   control_low_i,
  input          slice_tick_i,
  input          sm_tick_i,
  input          linger_over_i,
  input [P-1:0]  waiting_i,
  input [P-1:0]  listed_i,
  input          switch_over_i,
  input          sm_event_valid_i,
  input [MW-1:0] sm_event_sm_i,
  input [2:0]    sm_event_kind_i,
  input          handle_valid_i,
  input [MW-1:0] handle_sm_i,
  input [BW-1:0] handle_tb_i,
  input [31:0]   handle_stack_pointer_i,
  input          marks_handle_i // one that is looked at
`endif
);

`ifdef SCENARIO
`include "tsr_scenario.vh"
`endif
`include "tsr_pins.vh"
`include "tsr_registers.vh"
`include "tsr_environment.vh"
`include "tsr_sequence.vh"
`include "tsr_flight.vh"
`include "tsr_ownership.vh"
`include "tsr_flags.vh"
`include "tsr_open_row.vh"
`include "tsr_status.vh"
`include "tsr_queues.vh"
`include "tsr_walk.vh"
`include "tsr_pool.vh"
`include "tsr_pin_rules.vh"
`include "tsr_rings.vh"
`include "tsr_eviction.vh"
`ifdef SCENARIO
`include "tsr_answers.vh"
`endif
`include "tsr_covers.vh"

endmodule
