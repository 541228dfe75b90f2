// SPDX-License-Identifier: Apache-2.0
// Decoder: a bit per row, set for the row of the index while valid. An index of no row sets none.
module tsr_one_hot #(
  parameter ROWS        = 13,
  parameter INDEX_WIDTH = $clog2(ROWS + 1) // not to be set
) (
  input                    valid_i,
  input  [INDEX_WIDTH-1:0] index_i,
  output [ROWS-1:0]        row_o
);

  genvar i;
  generate
    for (i = 0; i < ROWS; i = i + 1) begin : g_row
      assign row_o[i] = valid_i && index_i == i;
    end
  endgenerate

endmodule
