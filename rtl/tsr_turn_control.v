// SPDX-License-Identifier: Apache-2.0
// A turn that is kept (timing.md 3.12), and what it asks of the search. Without KEPT_TURN nothing of it is there.
module tsr_turn_control #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  input  [POLICY_WIDTH-1:0]    policy_i,
  input  [OS_WRITE_WIDTH-1:0]  os_write_i,
  // Pins
  input  [NUM_CONTEXTS-1:0]    waiting_i,
  input  [NUM_CONTEXTS-1:0]    listed_i,
  input                        tick_i,
  input                        switch_over_i,
  output                       timer_enable_o,
  output                       switch_start_o,
  output                       switch_runs_o,
  output [CONTEXT_WIDTH-1:0]   turn_o,
  output                       passed_o,         // events
  output [1:0]                 cause_o,
  output                       began_o,
  output                       evicted_o,
  // Contexts with a command that waits, and with active kernels; SMs.
  input  [NUM_CONTEXTS-1:0]    queued_i,
  input  [NUM_CONTEXTS-1:0]    active_i,
  input                        changing_hands_i,
  input                        any_in_use_i,
  // The search, and the job that carries an eviction out.
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  output [KEPT_TURN_WIDTH-1:0] kept_turn_o,
  output                       invokes_o,
  input                        evicts_nobody_i,
  input                        evicted_i,        // in this cycle
  input                        drain_i,          // the policy's technique
  output                       drains_o,         // an eviction: TBs run to their ends
  output                       is_settled_o
);

`include "tsr_buses.vh"

  wire                       turn_may, holds_commands, sets_turn, evicts;
  wire [CONTEXT_ADDRESS-1:0] next_turn;
  assign kept_turn_o[KEPT_MAY]                          = turn_may;
  assign kept_turn_o[KEPT_HOLDS_COMMANDS]               = holds_commands;
  assign kept_turn_o[KEPT_SETS_TURN]                    = sets_turn;
  assign kept_turn_o[KEPT_EVICTS]                       = evicts;
  assign kept_turn_o[KEPT_NEXT_TURN +: CONTEXT_ADDRESS] = next_turn;

  wire unused = &{1'b0, policy_i, os_write_i}; // but for parts of them
  generate
    if (KEPT_TURN != 0) begin : g_kept_turn
      wire is_kept = policy_i[POLICY_KEPT];
      tsr_kept_turn #(
`include "tsr_pass_sizes.vh"
      ) u_kept_turn (
        .clk_i(clk_i), .rst_ni(rst_ni), .is_on_i(is_kept), .of_gpu_i(policy_i[POLICY_OF_GPU]),
        .write_policy_i(os_write_i[OS_POLICY]), .write_slice_end_i(os_write_i[OS_SLICE_END]),
        .write_context_i(os_write_i[OS_CONTEXT +: CONTEXT_ADDRESS]), .write_data_i(os_write_i[OS_DATA +: 2]),
        .waiting_i(waiting_i), .listed_i(listed_i), .tick_i(tick_i), .switch_over_i(switch_over_i),
        .timer_enable_o(timer_enable_o), .switch_start_o(switch_start_o), .switch_runs_o(switch_runs_o),
        .passed_o(passed_o), .cause_o(cause_o), .began_o(began_o), .queued_i(queued_i), .active_i(active_i),
        .changing_hands_i(changing_hands_i), .any_in_use_i(any_in_use_i), .turn_i(turn_i), .sets_turn_o(sets_turn),
        .next_turn_o(next_turn), .invokes_o(invokes_o), .may_o(turn_may), .holds_commands_o(holds_commands),
        .evicts_o(evicts), .evicted_i(evicted_i || evicts_nobody_i), .drain_i(drain_i), .drains_o(drains_o),
        .is_settled_o(is_settled_o));
      assign turn_o = {{(CONTEXT_WIDTH-CONTEXT_ADDRESS){1'b0}}, turn_i & {CONTEXT_ADDRESS{is_kept}}};
      reg evicted_q;
      always @(posedge clk_i) evicted_q <= rst_ni && evicted_i;
      assign evicted_o = evicted_q;
    end else begin : g_no_kept_turn
      wire unused_turn = &{1'b0, clk_i, rst_ni, waiting_i, listed_i, tick_i, switch_over_i, queued_i, active_i,
                           changing_hands_i, any_in_use_i, turn_i, evicts_nobody_i, evicted_i, drain_i};
      assign {turn_may, holds_commands, sets_turn, evicts} = 4'd0;
      assign {timer_enable_o, switch_start_o, switch_runs_o, invokes_o, drains_o} = 5'd0;
      assign {passed_o, cause_o, began_o, evicted_o} = 5'd0;
      assign next_turn    = {CONTEXT_ADDRESS{1'b0}};
      assign turn_o       = {CONTEXT_WIDTH{1'b0}};
      assign is_settled_o = 1'b1;
    end
  endgenerate

endmodule
