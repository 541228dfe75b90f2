// SPDX-License-Identifier: Apache-2.0
// tsr_one_hot: the bit of the index, and no other.
module tsr_one_hot_props #(
  parameter ROWS        = 5,
  parameter INDEX_WIDTH = $clog2(ROWS + 1)
) (
  input                   clk_i,
  input                   valid_i,
  input [INDEX_WIDTH-1:0] index_i
);

  reg                   valid_q; // yosys-abc wants a register
  reg [INDEX_WIDTH-1:0] index_q;
  always @(posedge clk_i) {valid_q, index_q} <= {valid_i, index_i};

  wire [ROWS-1:0] row;
  tsr_one_hot #(.ROWS(ROWS)) dut (.valid_i(valid_q), .index_i(index_q), .row_o(row));

  reg     is_decoded;
  integer i;
  always @* begin
    is_decoded = 1'b1;
    for (i = 0; i < ROWS; i = i + 1) if (row[i] != (valid_q && index_q == i)) is_decoded = 1'b0;
  end

  one_bit_of_the_index: assert property (is_decoded);
  cover_one_bit_of_the_index: assert property (!row[ROWS-1]);

endmodule
