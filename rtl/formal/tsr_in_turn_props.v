// SPDX-License-Identifier: Apache-2.0
// tsr_in_turn: the next request behind the last one served; and so a request that stays is served in time.
module tsr_in_turn_props #(
  parameter COUNT = 4,
  parameter WIDTH = $clog2(COUNT + 1)
) (
  input             clk_i,
  input [COUNT-1:0] request_i
);

  (* anyconst *) wire [WIDTH-1:0] one; // that asks without end
  reg  [WIDTH-1:0] last_q = 0;
  reg  [WIDTH-1:0] waited_q = 0; // services of others since it was served
  wire [COUNT-1:0] row;
  wire [WIDTH-1:0] index;
  wire [COUNT:0]   requests = {1'b0, request_i};
  tsr_in_turn #(.COUNT(COUNT)) dut (.request_i(request_i), .last_i(last_q), .row_o(row), .index_o(index));
  assume_one: assume property (one < COUNT && requests[one]);

  always @(posedge clk_i) begin
    last_q   <= index;
    waited_q <= index == one ? 0 : waited_q + 1'b1;
  end

  wire [WIDTH:0] distance = {1'b0, one} + (one > last_q ? 0 : COUNT) - last_q;

  reg     is_next;
  integer i;
  always @* begin
    is_next = index < COUNT && requests[index] && row == {{(COUNT-1){1'b0}}, 1'b1} << index;
    for (i = 0; i < COUNT; i = i + 1) begin
      // None between the last and this one.
      if (request_i[i] && (i > last_q ? i : i + COUNT) < (index > last_q ? index : index + COUNT)) is_next = 1'b0;
    end
  end

  next_in_turn: assert property (is_next);
  served_in_time: assert property (last_q < COUNT && waited_q + distance <= COUNT && waited_q < COUNT);
  cover_next_in_turn: assert property (index != 0 || last_q == 0);
  cover_served_in_time: assert property (waited_q != COUNT - 1);

endmodule
