// SPDX-License-Identifier: Apache-2.0
// Round robin: the first request behind `last_i`, `last_i` itself coming last; all ones where there is none. Costs two
// priority encoders.
module tsr_in_turn #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set
) (
  input  [COUNT-1:0] request_i,
  input  [WIDTH-1:0] last_i,
  output [WIDTH-1:0] index_o
);

  wire [COUNT-1:0] is_behind;
  wire [WIDTH-1:0] behind, lowest;

  genvar i;
  generate
    for (i = 0; i < COUNT; i = i + 1) begin : g_behind
      assign is_behind[i] = request_i[i] && last_i < i;
    end
  endgenerate

  tsr_lowest #(.COUNT(COUNT)) u_behind (.request_i(is_behind), .index_o(behind));
  tsr_lowest #(.COUNT(COUNT)) u_lowest (.request_i(request_i), .index_o(lowest));

  assign index_o = |is_behind ? behind : lowest;

endmodule
