// SPDX-License-Identifier: Apache-2.0
// tsr_prefix_or: whether a bit is set at or below each one.
module tsr_prefix_or_props #(
  parameter COUNT = 5
) (
  input             clk_i,
  input [COUNT-1:0] bits_i
);

  reg  [COUNT-1:0] bits_q; // yosys-abc wants a register
  always @(posedge clk_i) bits_q <= bits_i;

  wire [COUNT-1:0] any;
  tsr_prefix_or #(.COUNT(COUNT)) dut (.bits_i(bits_q), .any_o(any));

  reg     is_any, is_right;
  integer i;
  always @* begin
    is_any   = 1'b0;
    is_right = 1'b1;
    for (i = 0; i < COUNT; i = i + 1) begin
      is_any = is_any || bits_q[i];
      if (any[i] != is_any) is_right = 1'b0;
    end
  end

  set_at_or_below: assert property (is_right);
  cover_set_at_or_below: assert property (!(any[COUNT-1] && !any[COUNT-2]));

endmodule
