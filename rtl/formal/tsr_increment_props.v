// SPDX-License-Identifier: Apache-2.0
// tsr_increment: one more, modulo 2^WIDTH.
module tsr_increment_props #(
  parameter WIDTH = 24
) (
  input             clk_i,
  input [WIDTH-1:0] data_i
);

  reg  [WIDTH-1:0] data_q; // yosys-abc wants a register
  always @(posedge clk_i) data_q <= data_i;

  wire [WIDTH-1:0] more;
  tsr_increment #(.WIDTH(WIDTH)) dut (.data_i(data_q), .data_o(more));

  one_more: assert property (more == data_q + 1'b1);
  cover_one_more: assert property (!(more == 0));

endmodule
