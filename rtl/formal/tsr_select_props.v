// SPDX-License-Identifier: Apache-2.0
// tsr_select: the row that has its bit set, 0 where none has.
module tsr_select_props #(
  parameter ROWS  = 3,
  parameter WIDTH = 2,
  parameter INDEX_WIDTH = $clog2(ROWS + 1)
) (
  input                   clk_i,
  input [ROWS*WIDTH-1:0]  rows_i,
  input [INDEX_WIDTH-1:0] index_i
);

  // yosys-abc wants a register.
  reg [ROWS*WIDTH-1:0]  rows_q;
  reg [INDEX_WIDTH-1:0] index_q;
  always @(posedge clk_i) {rows_q, index_q} <= {rows_i, index_i};

  wire [ROWS-1:0]  row = {{(ROWS-1){1'b0}}, 1'b1} << index_q;
  wire [WIDTH-1:0] data;
  tsr_select #(.ROWS(ROWS), .WIDTH(WIDTH)) dut (.rows_i(rows_q), .row_i(row), .data_o(data));

  reg [WIDTH-1:0] due;
  integer         i;
  always @* begin
    due = 0;
    for (i = 0; i < ROWS; i = i + 1) if (index_q == i) due = rows_q[i*WIDTH +: WIDTH];
  end

  row_of_the_bit: assert property (data == due);
  cover_row_of_the_bit: assert property (!(index_q == ROWS - 1 && &data));

endmodule
