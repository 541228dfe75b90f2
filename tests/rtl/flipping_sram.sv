// SPDX-License-Identifier: Apache-2.0
// tsr_sram_1r1w whose words can be read with a wrong bit: parity.cpp says when, and which.
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

  import "DPI-C" function int number_of_memory(input string name, input int width);
  import "DPI-C" function int wrong_bit_of_read(input int memory); // or -1

  int number, wrong_bit;
  initial number = number_of_memory($sformatf("%m"), WIDTH);

  reg [WIDTH-1:0] mem_q [0:DEPTH-1];

  always @(posedge clk_i) begin
    if (write_i) mem_q[write_address_i] <= write_data_i;
    if (read_i) begin
      wrong_bit = wrong_bit_of_read(number);
      read_data_o <= mem_q[read_address_i] ^ (wrong_bit < 0 ? '0 : WIDTH'(1) << wrong_bit);
    end
  end

endmodule
