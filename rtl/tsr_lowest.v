// SPDX-License-Identifier: Apache-2.0
// Priority encoder: the lowest request, as a bit of its own and as an index, all ones where there is none. Costs a
// carry chain of COUNT bits, which leaves the lowest one alone, and an OR of half of them for each bit of the index.
module tsr_lowest #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set: an index, and one code for "none"
) (
  input  [COUNT-1:0] request_i,
  output [COUNT-1:0] row_o,
  output [WIDTH-1:0] index_o
);

  wire none = ~|request_i;
  assign row_o = request_i & (~request_i + 1'b1);

  // Requests whose index has this bit set.
  function [COUNT-1:0] with_bit(input integer index_bit);
    integer i;
    for (i = 0; i < COUNT; i = i + 1) with_bit[i] = ((i >> index_bit) & 1) != 0;
  endfunction

  genvar b;
  generate
    for (b = 0; b < WIDTH; b = b + 1) begin : g_bit
      localparam [COUNT-1:0] WITH_BIT = with_bit(b);
      assign index_o[b] = none || |(row_o & WITH_BIT);
    end
  endgenerate

endmodule
