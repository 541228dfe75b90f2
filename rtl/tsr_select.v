// SPDX-License-Identifier: Apache-2.0
// A read port whose row is given by a bit each (none: 0), not by an index: one level of AND, one of OR.
module tsr_select #(
  parameter ROWS  = 13,
  parameter WIDTH = 1
) (
  input      [ROWS*WIDTH-1:0] rows_i,
  input      [ROWS-1:0]       row_i,
  output reg [WIDTH-1:0]      data_o
);

  integer r;
  always @* begin
    data_o = {WIDTH{1'b0}};
    for (r = 0; r < ROWS; r = r + 1) data_o = data_o | rows_i[r*WIDTH +: WIDTH] & {WIDTH{row_i[r]}};
  end

endmodule
