// SPDX-License-Identifier: Apache-2.0
// Plus one, in groups of eight bits: a group counts when all bits below it are ones, so that no carry ripples from
// group to group.
module tsr_increment #(
  parameter WIDTH = 24
) (
  input  [WIDTH-1:0] data_i,
  output [WIDTH-1:0] data_o
);

  genvar low;
  generate
    for (low = 0; low < WIDTH; low = low + 8) begin : g_group
      localparam BITS = WIDTH - low < 8 ? WIDTH - low : 8;
      wire [BITS-1:0] group = data_i[low +: BITS];
      wire            carry;
      if (low == 0) begin : g_first
        assign carry = 1'b1;
      end else begin : g_carry
        assign carry = &data_i[low-1:0];
      end
      assign data_o[low +: BITS] = carry ? group + {{(BITS-1){1'b0}}, 1'b1} : group;
    end
  endgenerate

endmodule
