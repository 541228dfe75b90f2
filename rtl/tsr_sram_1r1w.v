// SPDX-License-Identifier: Apache-2.0
// A memory with a read and a write port, the place for an SRAM macro or a block RAM. What is read in a cycle is there
// in the next and stays until the next read. A word that is read and written in one cycle is read as it was.
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

  reg [WIDTH-1:0] mem_q [0:DEPTH-1];

  always @(posedge clk_i) begin
    if (write_i) mem_q[write_address_i] <= write_data_i;
    if (read_i) read_data_o <= mem_q[read_address_i];
  end

endmodule
