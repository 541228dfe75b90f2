// SPDX-License-Identifier: Apache-2.0
// Round robin: the first request behind `last_i`, `last_i` itself coming last; all ones where there is none. Costs two
// priority encoders and a mask.
module tsr_in_turn #(
  parameter COUNT = 13,
  parameter WIDTH = $clog2(COUNT + 1) // not to be set
) (
  input  [COUNT-1:0] request_i,
  input  [WIDTH-1:0] last_i,
  output [COUNT-1:0] row_o, // a bit for it
  output [WIDTH-1:0] index_o
);

  wire [COUNT-1:0] behind = request_i & ({COUNT{1'b1}} << last_i << 1);
  wire [COUNT-1:0] behind_row, first_row;
  wire [WIDTH-1:0] first_behind, first;

  tsr_lowest #(.COUNT(COUNT)) u_behind (.request_i(behind), .row_o(behind_row), .index_o(first_behind));
  tsr_lowest #(.COUNT(COUNT)) u_first  (.request_i(request_i), .row_o(first_row), .index_o(first));

  assign row_o   = |behind ? behind_row : first_row;
  assign index_o = |behind ? first_behind : first;

endmodule
