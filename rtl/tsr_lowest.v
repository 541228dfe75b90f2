// SPDX-License-Identifier: Apache-2.0
// Priority encoder: the lowest request, all ones where there is none. Costs a chain of COUNT steps.
module tsr_lowest #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set: an index, and one code for "none"
) (
  input      [COUNT-1:0] request_i,
  output reg [WIDTH-1:0] index_o
);

  integer i;
  always @* begin
    index_o = {WIDTH{1'b1}};
    for (i = COUNT - 1; i >= 0; i = i - 1) begin
      if (request_i[i]) index_o = i[WIDTH-1:0];
    end
  end

endmodule
