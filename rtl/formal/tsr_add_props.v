// SPDX-License-Identifier: Apache-2.0
// tsr_add: the sum with both carries.
module tsr_add_props #(
  parameter WIDTH = 9
) (
  input             clk_i,
  input [WIDTH-1:0] a_i,
  input [WIDTH-1:0] b_i,
  input             carry_i
);

  // yosys-abc wants a register.
  reg  [WIDTH-1:0] a_q, b_q;
  reg              carry_q;
  always @(posedge clk_i) {a_q, b_q, carry_q} <= {a_i, b_i, carry_i};

  wire [WIDTH-1:0] sum;
  wire             carry;
  tsr_add #(.WIDTH(WIDTH)) dut (.a_i(a_q), .b_i(b_q), .carry_i(carry_q), .sum_o(sum), .carry_o(carry));

  sum_and_carry: assert property ({carry, sum} == {1'b0, a_q} + {1'b0, b_q} + {{WIDTH{1'b0}}, carry_q});
  cover_sum_and_carry: assert property (!(carry && sum == 0 && carry_q));

endmodule
