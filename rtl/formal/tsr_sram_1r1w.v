// SPDX-License-Identifier: Apache-2.0
// The memory, for proofs: the same pins and behaviour as rtl/tsr_sram_1r1w.v, its words in one vector that has a name.
// A word that is read and written in one cycle is read as it was.
module tsr_sram_1r1w #(
  parameter DEPTH         = 2704,
  parameter WIDTH         = 64,
  parameter ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1 // not to be set
) (
  input                          clk_i,
  input                          write_i,
  input      [ADDRESS_WIDTH-1:0] write_address_i,
  input      [WIDTH-1:0]         write_data_i,
  input                          read_i,
  input      [ADDRESS_WIDTH-1:0] read_address_i,
  output reg [WIDTH-1:0]         read_data_o
);

  wire [DEPTH*WIDTH-1:0] words;

  genvar i;
  generate
    for (i = 0; i < DEPTH; i = i + 1) begin : g_word
      reg [WIDTH-1:0] word_q;
      assign words[i*WIDTH +: WIDTH] = word_q;
      always @(posedge clk_i) if (write_i && write_address_i == i) word_q <= write_data_i;
    end
  endgenerate

  always @(posedge clk_i) if (read_i) read_data_o <= words[read_address_i*WIDTH +: WIDTH];

endmodule
