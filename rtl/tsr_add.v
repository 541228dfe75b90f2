// SPDX-License-Identifier: Apache-2.0
// A sum in groups of four bits, whose carries are found by parallel prefix: none ripples from group to group.
module tsr_add #(
  parameter WIDTH = 32
) (
  input  [WIDTH-1:0] a_i,
  input  [WIDTH-1:0] b_i,
  input              carry_i,
  output [WIDTH-1:0] sum_o,
  output             carry_o
);

  localparam GROUPS = (WIDTH + 3) / 4, PADDING = 4 * GROUPS - WIDTH;

  // Up to a whole group with what passes a carry on.
  wire [4*GROUPS-1:0] a, b;
  reg  [4*GROUPS-1:0] sum;
  reg  [GROUPS-1:0]   makes, passes; // a carry: of the group, then of all groups up to it
  reg  [GROUPS:0]     carry;
  reg  [3:0]          low;
  integer             i, span;
  generate
    if (PADDING != 0) begin : g_pad
      assign a = {{PADDING{1'b1}}, a_i};
      assign b = {{PADDING{1'b0}}, b_i};
      wire unused = &{1'b0, sum[4*GROUPS-1 -: PADDING]};
    end else begin : g_pad
      assign a = a_i;
      assign b = b_i;
    end
  endgenerate

  always @* begin
    for (i = 0; i < GROUPS; i = i + 1) begin
      {makes[i], low} = {1'b0, a[4*i +: 4]} + {1'b0, b[4*i +: 4]};
      passes[i] = &low;
    end
    for (span = 1; span < GROUPS; span = 2 * span) begin
      for (i = 0; i < GROUPS; i = i + 1) begin
        if ((i / span) % 2 == 1) begin
          makes[i]  = makes[i] | passes[i] & makes[i / span * span - 1];
          passes[i] = passes[i] & passes[i / span * span - 1];
        end
      end
    end
    carry = {makes | passes & {GROUPS{carry_i}}, carry_i};
    for (i = 0; i < GROUPS; i = i + 1) sum[4*i +: 4] = a[4*i +: 4] + b[4*i +: 4] + {3'd0, carry[i]};
  end
  assign sum_o   = sum[WIDTH-1:0];
  assign carry_o = carry[GROUPS];

endmodule
