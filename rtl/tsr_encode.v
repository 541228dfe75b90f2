// SPDX-License-Identifier: Apache-2.0
// The index of the one bit that is set, all ones where none is. Costs an OR of half of the bits for each bit of it.
module tsr_encode #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set: an index, and one code for "none"
) (
  input  [COUNT-1:0] row_i,
  input              none_i,
  output [WIDTH-1:0] index_o
);

  // Rows whose index has this bit set.
  function [COUNT-1:0] with_bit(input integer index_bit);
    integer i;
    for (i = 0; i < COUNT; i = i + 1) with_bit[i] = ((i >> index_bit) & 1) != 0;
  endfunction

  genvar b;
  generate
    for (b = 0; b < WIDTH; b = b + 1) begin : g_bit
      localparam [COUNT-1:0] WITH_BIT = with_bit(b);
      assign index_o[b] = none_i || |(row_i & WITH_BIT);
    end
  endgenerate

endmodule
