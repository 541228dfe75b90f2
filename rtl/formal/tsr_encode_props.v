// SPDX-License-Identifier: Apache-2.0
// tsr_encode: the index of the one bit that is set, all ones where none is.
module tsr_encode_props #(
  parameter COUNT = 5,
  parameter WIDTH = $clog2(COUNT + 1)
) (
  input             clk_i,
  input [WIDTH-1:0] index_i
);

  reg  [WIDTH-1:0] index_q; // yosys-abc wants a register
  always @(posedge clk_i) index_q <= index_i;

  wire [COUNT-1:0] row  = index_q < COUNT ? {{(COUNT-1){1'b0}}, 1'b1} << index_q : {COUNT{1'b0}};
  wire             none = index_q >= COUNT;
  wire [WIDTH-1:0] index;
  tsr_encode #(.COUNT(COUNT)) dut (.row_i(row), .none_i(none), .index_o(index));

  index_of_the_bit: assert property (index == (none ? {WIDTH{1'b1}} : index_q));
  cover_index_of_the_bit: assert property (!(index == COUNT - 1));

endmodule
