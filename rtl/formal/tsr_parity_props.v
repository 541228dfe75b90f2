// SPDX-License-Identifier: Apache-2.0
// tsr_parity beside a memory that gives back what was written, but for one bit, or none.
module tsr_parity_props #(
  parameter WIDTH = 3,
  parameter INDEX_WIDTH = $clog2(WIDTH + 2)
) (
  input                   clk_i,
  input [WIDTH-1:0]       data_i,
  input [INDEX_WIDTH-1:0] wrong_i, // the bit; beyond the word: none
  input                   read_i,
  input                   used_i
);

  reg  started_q = 1'b0, was_read_q;
  reg  [WIDTH-1:0]       data_q;
  reg  [INDEX_WIDTH-1:0] wrong_q;
  reg  [WIDTH:0]         word_q;
  wire [WIDTH:0]         written;
  wire [WIDTH-1:0]       data;
  wire                   fault;
  tsr_parity #(.PARITY(1), .WIDTH(WIDTH)) dut (
    .clk_i(clk_i), .rst_ni(started_q), .write_data_i(data_i), .write_word_o(written), .read_i(read_i), .used_i(used_i),
    .read_word_i(word_q), .read_data_o(data), .fault_o(fault));

  always @(posedge clk_i) begin
    started_q  <= 1'b1;
    was_read_q <= started_q && read_i;
    data_q     <= data_i;
    wrong_q    <= wrong_i;
    word_q     <= written ^ ({{WIDTH{1'b0}}, 1'b1} << wrong_i);
  end
  wire is_wrong = wrong_q <= WIDTH;

  one_wrong_bit_is_a_fault: assert property (!started_q || fault == (was_read_q && used_i && is_wrong));
  right_word_is_read: assert property (!started_q || is_wrong || data == data_q);

  cover_one_wrong_bit_is_a_fault: assert property (!started_q || !(fault && wrong_q == WIDTH));
  cover_right_word_is_read: assert property (!started_q || is_wrong || data_q == 0);

endmodule
