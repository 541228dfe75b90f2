// SPDX-License-Identifier: Apache-2.0
// tsr_lowest: the index of the lowest request.
module tsr_lowest_props #(
  parameter COUNT = 5,
  parameter WIDTH = $clog2(COUNT + 1)
) (
  input             clk_i,
  input [COUNT-1:0] request_i
);

  reg [COUNT-1:0] request_q; // yosys-abc wants a register
  always @(posedge clk_i) request_q <= request_i;

  wire [COUNT-1:0] row;
  wire [WIDTH-1:0] index;
  tsr_lowest #(.COUNT(COUNT)) dut (.request_i(request_q), .row_o(row), .index_o(index));

  reg     is_lowest;
  integer i;
  always @* begin
    is_lowest = index < COUNT ? 1'b0 : request_q == 0 && &index && row == 0;
    for (i = 0; i < COUNT; i = i + 1) begin
      if (index == i) is_lowest = request_q[i] && (request_q & ~({COUNT{1'b1}} << i)) == 0 &&
                                  row == {{(COUNT-1){1'b0}}, 1'b1} << i;
    end
  end

  lowest_request: assert property (is_lowest);
  cover_lowest_request: assert property (index != COUNT - 1);

endmodule
