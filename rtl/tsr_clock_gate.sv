// SPDX-License-Identifier: Apache-2.0
// A clock gate, the place for the library's cell. The latch keeps what the enable was before the rising edge for as
// long as the clock is high: no pulse is cut short.
module tsr_clock_gate (
  input  clk_i,
  input  enable_i,  // the next pulse comes through
  input  test_en_i, // all do, as a scan test needs it
  output clk_o
);

  reg enable_q;

  always_latch if (!clk_i) enable_q = enable_i || test_en_i;

  assign clk_o = clk_i && enable_q;

endmodule
