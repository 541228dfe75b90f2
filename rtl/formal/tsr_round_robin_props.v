// SPDX-License-Identifier: Apache-2.0
// tsr_round_robin: whose turn it is, and what is behind.
module tsr_round_robin_props #(
  parameter COUNT = 13
) (
  input             clk_i,
  input [COUNT-1:0] asks_i,
  input [COUNT-1:0] behind_i
);

  reg  [COUNT-1:0] asks_q, behind_q; // yosys-abc wants a register
  always @(posedge clk_i) {asks_q, behind_q} <= {asks_i, behind_i};

  wire             any;
  wire [COUNT-1:0] next, behind;
  tsr_round_robin #(.COUNT(COUNT)) dut (
    .asks_i(asks_q), .behind_i(behind_q), .any_o(any), .next_o(next), .behind_o(behind));

  reg              is_any, is_behind;
  reg  [COUNT-1:0] first, first_behind, above;
  integer i;
  always @* begin
    {is_any, is_behind} = 2'b00;
    {first, first_behind, above} = {3*COUNT{1'b0}};
    for (i = 0; i < COUNT; i = i + 1) begin
      if (asks_q[i] && !is_any) first[i] = 1'b1;
      if (asks_q[i] && behind_q[i] && !is_behind) first_behind[i] = 1'b1;
      is_any    = is_any || asks_q[i];
      is_behind = is_behind || asks_q[i] && behind_q[i];
    end
    for (i = 1; i < COUNT; i = i + 1) above[i] = above[i-1] || next[i-1];
  end

  next_in_turn:          assert property (next == (is_behind ? first_behind : first) && any == is_any);
  behind_the_next:       assert property (!any || behind == above);
  cover_next_in_turn:    assert property (!(is_behind && first != first_behind));
  cover_behind_the_next: assert property (!(is_behind && behind[COUNT-1] && !behind[1]));

endmodule
