// SPDX-License-Identifier: Apache-2.0
// The rules of the policy that the register names (timing.md 5.4).
module tsr_policy_table #(
  parameter POLICIES = 31
) (
  input  [3:0]  policy_i,
  input         by_priority_i, // what "by order" is; else by dues
  output [19:0] rules_o
);

`include "tsr_policy_table.vh"

  // 1. Of each policy that is present; of others none, so that nothing is made for them.
  wire [16*RULES-1:0] rows;
  genvar p;
  generate
    for (p = 0; p < 16; p = p + 1) begin : g_policy
      localparam [3:0]       CODE = p;
      localparam [RULES-1:0] ROW  = ((POLICIES >> p) & 1) != 0 ? policy_row(CODE) : NO_RULES;
      assign rows[p*RULES +: RULES] = policy_i == CODE ? ROW : NO_RULES;
    end
  endgenerate

  // 2. The one of them.
  reg [RULES-1:0] row;
  integer i;
  always @* begin
    row = NO_RULES;
    for (i = 0; i < 16; i = i + 1) row = row | rows[i*RULES +: RULES];
  end

  // 3. By order.
  wire                enters  = |(row & ENTERS_BY_ORDER);
  wire                compares = |(row & KEY_ORDER);
  wire [RULES-1:0]    entry   = by_priority_i ? ENTERS_BY_PRIORITY : ENTERS_BY_DUE;
  wire [RULES-1:0]    key     = by_priority_i ? KEY_PRIORITY : KEY_DUE;
  assign rules_o = row | {RULES{enters}} & entry | {RULES{compares}} & key;

endmodule
