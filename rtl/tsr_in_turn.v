// SPDX-License-Identifier: Apache-2.0
// Round robin: the first request behind `last_i`, `last_i` itself coming last; all ones where there is none. Costs two
// parallel prefixes, a mask of comparators with constants, and an encoder.
module tsr_in_turn #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set
) (
  input  [COUNT-1:0] request_i,
  input  [WIDTH-1:0] last_i,
  output [COUNT-1:0] row_o, // a bit for it
  output [WIDTH-1:0] index_o
);

  // 1. Requests behind the last one: never the first.
  wire [COUNT-1:0] behind;
  assign behind[0] = 1'b0;
  wire unused = &{1'b0, last_i}; // of one
  genvar i;
  generate
    for (i = 1; i < COUNT; i = i + 1) begin : g_behind
      assign behind[i] = request_i[i] && i > last_i;
    end
  endgenerate

  // 2. The first of them, or of all.
  wire [COUNT-1:0] behind_up_to, any_up_to;
  tsr_prefix_or #(.COUNT(COUNT)) u_behind (.bits_i(behind), .any_o(behind_up_to));
  tsr_prefix_or #(.COUNT(COUNT)) u_any    (.bits_i(request_i), .any_o(any_up_to));
  assign row_o = behind_up_to[COUNT-1] ? behind & ~(behind_up_to << 1) : request_i & ~(any_up_to << 1);
  tsr_encode #(.COUNT(COUNT)) u_index (.row_i(row_o), .none_i(!any_up_to[COUNT-1]), .index_o(index_o));

endmodule
