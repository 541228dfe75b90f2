// SPDX-License-Identifier: Apache-2.0
// Is there a bit at or below each one? A parallel prefix: ceil(log2(COUNT)) levels of OR, not a chain of COUNT.
module tsr_prefix_or #(
  parameter COUNT = 13
) (
  input      [COUNT-1:0] bits_i,
  output reg [COUNT-1:0] any_o
);

  integer reach; // a bit stands for as many at and below it
  always @* begin
    any_o = bits_i;
    for (reach = 1; reach < COUNT; reach = reach + reach) any_o = any_o | any_o << reach;
  end

endmodule
