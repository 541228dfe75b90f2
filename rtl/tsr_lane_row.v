// SPDX-License-Identifier: Apache-2.0
// The row that a lane of the search looks at in a step, a bit each: row i is of step i / SEARCH_WIDTH, lane
// i % SEARCH_WIDTH.
module tsr_lane_row #(
  parameter ROWS         = 13,
  parameter STEPS        = 13,
  parameter SEARCH_WIDTH = 1,
  parameter LANE         = 0
) (
  input  [STEPS-1:0] step_i,
  output [ROWS-1:0]  row_o
);

  genvar i;
  generate
    for (i = 0; i < ROWS; i = i + 1) begin : g_row
      assign row_o[i] = i % SEARCH_WIDTH == LANE && step_i[i / SEARCH_WIDTH];
    end
  endgenerate

endmodule
