// SPDX-License-Identifier: Apache-2.0
// The active queue ([T14] 3.3): KSRs of the kernels that run or are preempted, in the order of their activation. It
// closes up when a kernel leaves. The search reads it step by step, a lane each.
module tsr_active_queue #(
`include "tsr_sizes.vh"
) (
  input                               clk_i,
  input                               rst_ni,
  input                               push_i,
  input                               remove_i,
  input  [KSR_WIDTH-1:0]              ksr_i,   // that comes or leaves, the latter for a cycle already
  output                              full_o,
  output                              empty_o,
  input  [STEPS-1:0]                  step_i,
  output [SEARCH_WIDTH-1:0]           look_valid_o,
  output [SEARCH_WIDTH*KSR_WIDTH-1:0] look_ksr_o,
  output                              has_more_o // behind the step's
);

  reg [NUM_KSRS*KSR_WIDTH-1:0] ksr_q;
  reg [NUM_KSRS-1:0]           valid_q; // the first of them

  assign full_o  = valid_q[NUM_KSRS-1];
  assign empty_o = !valid_q[0];

  // 1. Entries at or behind the one that leaves move up; a newcomer goes behind the last.
  wire [NUM_KSRS*KSR_WIDTH-1:0] moved_up = ksr_q >> KSR_WIDTH;
  wire [NUM_KSRS-1:0]           leaves, is_behind;
  reg  [NUM_KSRS-1:0]           leaves_q;
  wire [NUM_KSRS:0]             is_next = {valid_q, 1'b1}; // before it all are taken
  tsr_prefix_or #(.COUNT(NUM_KSRS)) u_is_behind (.bits_i(leaves_q), .any_o(is_behind));
  wire unused = is_next[NUM_KSRS];

  genvar i;
  generate
    for (i = 0; i < NUM_KSRS; i = i + 1) begin : g_entry
      assign leaves[i] = valid_q[i] && ksr_q[i*KSR_WIDTH +: KSR_WIDTH] == ksr_i;
      always @(posedge clk_i) begin
        if (push_i && is_next[i] && !valid_q[i]) ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= ksr_i;
        else if (remove_i && is_behind[i])       ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= moved_up[i*KSR_WIDTH +: KSR_WIDTH];
      end
    end
  endgenerate
  always @(posedge clk_i) begin
    leaves_q <= leaves;
    if (!rst_ni)       valid_q <= {NUM_KSRS{1'b0}};
    else if (push_i)   valid_q <= is_next[NUM_KSRS-1:0];
    else if (remove_i) valid_q <= valid_q >> 1;
  end

  // 2. The search's entries.
  genvar lane;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [NUM_KSRS-1:0] look_row;
      tsr_lane_row #(.ROWS(NUM_KSRS), .STEPS(STEPS), .SEARCH_WIDTH(SEARCH_WIDTH), .LANE(lane)) u_row (
        .step_i(step_i), .row_o(look_row));
      assign look_valid_o[lane] = |(valid_q & look_row);
      tsr_select #(.ROWS(NUM_KSRS), .WIDTH(KSR_WIDTH)) u_look (
        .rows_i(ksr_q), .row_i(look_row), .data_o(look_ksr_o[lane*KSR_WIDTH +: KSR_WIDTH]));
    end
  endgenerate
  wire [NUM_KSRS-1:0] behind_row; // the first entry behind a step's
  generate
    for (i = 0; i < NUM_KSRS; i = i + 1) begin : g_behind
      if (i != 0 && i % SEARCH_WIDTH == 0) begin : g_step
        assign behind_row[i] = step_i[i/SEARCH_WIDTH-1];
      end else begin : g_within
        assign behind_row[i] = 1'b0;
      end
    end
  endgenerate
  assign has_more_o = |(valid_q & behind_row);

endmodule
