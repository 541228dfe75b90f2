// SPDX-License-Identifier: Apache-2.0
// Decoder: a bit per row, set for the row of the index while valid. An index of no row sets none.
module tsr_one_hot #(
  parameter ROWS        = 13,
  parameter INDEX_WIDTH = $clog2(ROWS + 1) // less where there is no code for "none"
) (
  input                    valid_i,
  input  [INDEX_WIDTH-1:0] index_i,
  output [ROWS-1:0]        row_o
);

  localparam [ROWS-1:0] FIRST = {{(ROWS-1){1'b0}}, 1'b1};
  assign row_o = FIRST << index_i & {ROWS{valid_i}};

endmodule
