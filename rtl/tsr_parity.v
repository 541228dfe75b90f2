// SPDX-License-Identifier: Apache-2.0
// Parity of the words of a RAM, beside it: the bit that is stored with a word, and the check of a word that is read. It
// is odd, so that a RAM that gives nothing but zeros is noticed. Without PARITY there is neither.
module tsr_parity #(
  parameter PARITY = 0,
  parameter WIDTH  = 64
) (
  input                     clk_i,
  input                     rst_ni,
  // To the RAM.
  input  [WIDTH-1:0]        write_data_i,
  output [WIDTH+PARITY-1:0] write_word_o,
  // From the RAM.
  input                     read_i,       // it is read
  input                     used_i,       // in the cycle after: its word was written once, and somebody looks at it
  input  [WIDTH+PARITY-1:0] read_word_i,
  output [WIDTH-1:0]        read_data_o,
  output                    fault_o       // then: the word is wrong
);

  assign read_data_o = read_word_i[WIDTH-1:0];

  generate
    if (PARITY != 0) begin : g_parity
      reg read_q;
      always @(posedge clk_i) read_q <= rst_ni && read_i;
      assign write_word_o = {~(^write_data_i), write_data_i};
      assign fault_o      = read_q && used_i && !(^read_word_i);
    end else begin : g_no_parity
      wire unused = &{1'b0, clk_i, rst_ni, read_i, used_i};
      assign write_word_o = write_data_i;
      assign fault_o      = 1'b0;
    end
  endgenerate

endmodule
