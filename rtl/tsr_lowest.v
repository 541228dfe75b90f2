// SPDX-License-Identifier: Apache-2.0
// Priority encoder: the lowest request, as a bit of its own and as an index, all ones where there is none. Costs a
// parallel prefix, which finds what is above another one, and an encoder.
module tsr_lowest #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set
) (
  input  [COUNT-1:0] request_i,
  output [COUNT-1:0] row_o,
  output [WIDTH-1:0] index_o
);

  wire [COUNT-1:0] at_or_below;
  tsr_prefix_or #(.COUNT(COUNT)) u_below (.bits_i(request_i), .any_o(at_or_below));
  assign row_o = request_i & ~(at_or_below << 1);
  tsr_encode #(.COUNT(COUNT)) u_index (.row_i(row_o), .none_i(!at_or_below[COUNT-1]), .index_o(index_o));

endmodule
