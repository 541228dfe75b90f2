// SPDX-License-Identifier: Apache-2.0
// The next of many that ask: the first one behind the last, or the first of all where nobody asks behind it. The rows
// are searched in groups: which group, and which of each group, at once.
module tsr_round_robin #(
  parameter COUNT = 13,
  // Not to be set
  parameter GROUP  = COUNT > 16 ? 12 : COUNT,
  parameter GROUPS = (COUNT + GROUP - 1) / GROUP
) (
  input  [COUNT-1:0] asks_i,
  input  [COUNT-1:0] behind_i, // rows behind the last one
  output             any_o,
  output [COUNT-1:0] next_o,
  output [COUNT-1:0] behind_o  // rows behind the next one
);

  localparam ROWS = GROUPS * GROUP; // the last group may have more rows than there are

  wire [ROWS-1:0] asks = {{(ROWS-COUNT){1'b0}}, asks_i}, asks_behind = {{(ROWS-COUNT){1'b0}}, asks_i & behind_i};

  // 1. The groups.
  wire [GROUPS-1:0] has_any, has_behind, from_any, from_behind;
  tsr_prefix_or #(.COUNT(GROUPS)) u_any (.bits_i(has_any), .any_o(from_any));
  tsr_prefix_or #(.COUNT(GROUPS)) u_behind (.bits_i(has_behind), .any_o(from_behind));
  wire              goes_on      = |has_behind;
  wire [GROUPS-1:0] first_any    = goes_on ? {GROUPS{1'b0}} : has_any & ~(from_any << 1);
  wire [GROUPS-1:0] first_behind = has_behind & ~(from_behind << 1);
  wire [GROUPS-1:0] later        = goes_on ? from_behind << 1 : from_any << 1;
  assign any_o = |has_any;

  // 2. The rows of each.
  wire [ROWS-1:0] next, behind;
  genvar g;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : g_group
      wire [GROUP-1:0] of_any = asks[g*GROUP +: GROUP], of_behind = asks_behind[g*GROUP +: GROUP];
      wire [GROUP-1:0] in_any, in_behind;
      tsr_prefix_or #(.COUNT(GROUP)) u_in_any (.bits_i(of_any), .any_o(in_any));
      tsr_prefix_or #(.COUNT(GROUP)) u_in_behind (.bits_i(of_behind), .any_o(in_behind));
      assign has_any[g]    = |of_any;
      assign has_behind[g] = |of_behind;
      assign next[g*GROUP +: GROUP] = {GROUP{first_any[g]}} & of_any & ~(in_any << 1) |
                                      {GROUP{first_behind[g]}} & of_behind & ~(in_behind << 1);
      assign behind[g*GROUP +: GROUP] = {GROUP{later[g]}} | {GROUP{first_any[g]}} & in_any << 1 |
                                        {GROUP{first_behind[g]}} & in_behind << 1;
    end
    if (ROWS > COUNT) begin : g_no_rows
      wire unused = &{1'b0, next[ROWS-1:COUNT], behind[ROWS-1:COUNT]};
    end
  endgenerate
  assign next_o   = next[COUNT-1:0];
  assign behind_o = behind[COUNT-1:0];

endmodule
