// SPDX-License-Identifier: Apache-2.0
// A read port of a table of flip-flops: one row's field, by index. Costs a decoder, and one level of AND and one of OR
// of ROWS x WIDTH. An index of no row (the code for "none") gives 0.
module tsr_read_port #(
  parameter ROWS        = 13,
  parameter WIDTH       = 1,
  parameter INDEX_WIDTH = $clog2(ROWS + 1)
) (
  input  [ROWS*WIDTH-1:0]  rows_i,
  input  [INDEX_WIDTH-1:0] index_i,
  output [WIDTH-1:0]       data_o
);

  wire [ROWS-1:0] row;
  tsr_one_hot #(.ROWS(ROWS), .INDEX_WIDTH(INDEX_WIDTH)) u_row (.valid_i(1'b1), .index_i(index_i), .row_o(row));
  tsr_select #(.ROWS(ROWS), .WIDTH(WIDTH)) u_data (.rows_i(rows_i), .row_i(row), .data_o(data_o));

endmodule
