// SPDX-License-Identifier: Apache-2.0
// A read port of a table of flip-flops: one row's field, by index. Costs a multiplexer of ROWS x WIDTH. An index of no
// row (the code for "none") gives whatever there is.
module tsr_read_port #(
  parameter ROWS        = 13,
  parameter WIDTH       = 1,
  parameter INDEX_WIDTH = $clog2(ROWS + 1)
) (
  input  [ROWS*WIDTH-1:0]  rows_i,
  input  [INDEX_WIDTH-1:0] index_i,
  output [WIDTH-1:0]       data_o
);

  localparam OFFSET_WIDTH = ROWS * WIDTH > 1 ? $clog2(ROWS * WIDTH) : 1;

  generate
    if (ROWS == 1) begin : g_one
      assign data_o = rows_i;
      wire unused = &{1'b0, index_i};
    end else begin : g_many
      wire [31:0] product = index_i * WIDTH;
      wire [OFFSET_WIDTH-1:0] offset = product[OFFSET_WIDTH-1:0];
      wire unused = &{1'b0, product};
      assign data_o = rows_i[offset +: WIDTH];
    end
  endgenerate

endmodule
