// SPDX-License-Identifier: Apache-2.0
// A memory of which anything may be read.
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

  (* anyseq *) wire [WIDTH-1:0] word;
  always @(posedge clk_i) if (read_i) read_data_o <= word;

endmodule
