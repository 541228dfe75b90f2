// SPDX-License-Identifier: Apache-2.0
// The policy register (timing.md 3.3): from the strap in reset, then as the OS writes it. A code of a policy, or of a
// technique, that is not present is not taken. With it, the rules of the policy that it names.
module tsr_policy_register #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  input  [15:0]               strap_policy_i,
  input  [OS_WRITE_WIDTH-1:0] os_write_i,
  output [POLICY_WIDTH-1:0]   policy_o,
  // The technique, if not context switch: an SM's thread blocks run to their ends, or are dropped.
  output                      drain_o,
  output                      flush_o,
  output                      once_o     // tokens are dealt once
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"
`include "tsr_buses.vh"

  localparam CODE_WIDTH = POLICIES < 256 ? 3 : 4; // of the policies that are present
  reg  [CODE_WIDTH-1:0] policy_q;
  wire [4:0]            policy = {{(5-CODE_WIDTH){1'b0}}, policy_q};
  reg                   drain_q, shared_q, all_q, by_process_q, once_q, flush_q;
  reg  [1:0]            debt_q;
  wire                  loads        = !rst_ni || os_write_i[OS_POLICY];
  wire [15:0]           data         = rst_ni ? os_write_i[OS_DATA +: 16] : strap_policy_i;
  wire                  is_present   = |((POLICIES >> data[3:0]) & 1);
  wire                  is_technique = data[6:4] < TECHNIQUES;
  wire                  unused       = &{1'b0, policy[4], os_write_i}; // but for parts of it
  always @(posedge clk_i) begin
    if (loads) begin
      if (is_present)   policy_q <= data[CODE_WIDTH-1:0];
      if (is_technique) {flush_q, drain_q} <= {data[6:4] == FLUSHES, data[6:4] == DRAINS};
      {once_q, debt_q, by_process_q, all_q, shared_q} <= data[12:7];
    end
  end

  wire is_by_priority; // the order of policies that have a choice; else by dues
  generate
    if ((POLICIES & policies_with(ANY_ORDER)) != 0) begin : g_order
      reg by_priority_q;
      always @(posedge clk_i) if (loads) by_priority_q <= data[13];
      assign is_by_priority = by_priority_q;
    end else begin : g_no_order
      wire unused_order = data[13];
      assign is_by_priority = 1'b0;
    end
  endgenerate

  wire [RULES-1:0] rules;
  tsr_policy_table #(.POLICIES(POLICIES)) u_policy_table (
    .policy_i(policy[3:0]), .by_priority_i(is_by_priority), .rules_o(rules));

  generate
    if (KEPT_TURN != 0) begin : g_turn
      reg kept_q, of_gpu_q;
      always @(posedge clk_i) if (loads) {of_gpu_q, kept_q} <= data[15:14];
      assign policy_o[POLICY_KEPT]   = kept_q && |(rules & TAKES_TURNS);
      assign policy_o[POLICY_OF_GPU] = of_gpu_q;
    end else begin : g_no_turn
      wire unused_turn = &{1'b0, data[15:14]};
      assign policy_o[POLICY_KEPT]   = 1'b0;
      assign policy_o[POLICY_OF_GPU] = 1'b0;
    end
  endgenerate

  assign policy_o[POLICY_RULES +: RULES] = rules;
  assign policy_o[POLICY_SHARED]         = shared_q;
  assign policy_o[POLICY_ALL]            = all_q;
  assign policy_o[POLICY_BY_PROCESS]     = by_process_q;
  assign policy_o[POLICY_DEBT +: 2]      = debt_q;
  assign drain_o = drain_q;
  assign flush_o = flush_q;
  assign once_o  = once_q;

endmodule
