// SPDX-License-Identifier: Apache-2.0
// What the refill lane reads of SMST, and what becomes of the SM that is in R (timing.md 6.7).
module tsr_smst_refill #(
`include "tsr_sizes.vh"
) (
  // SMST
  input  [NUM_SMS-1:0]                running_i,
  input  [NUM_SMS-1:0]                reserved_i,
  input  [NUM_SMS-1:0]                active_i,
  input  [NUM_SMS-1:0]                restoring_i,
  input  [NUM_SMS-1:0]                issuable_i,
  input  [NUM_SMS-1:0]                set_up_pending_i,
  input  [NUM_SMS-1:0]                could_take_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]      ksr_i,
  input  [NUM_SMS*TB_COUNT_WIDTH-1:0] count_i,
  // S: its owner
  input  [NUM_SMS-1:0]                s_row_i,
  output [KSR_WIDTH-1:0]              s_ksr_o,
  // R: what its entry can do. The flags come together before its row is selected.
  input  [NUM_SMS-1:0]                row_i,
  input                               is_current_i, // the tag
  input  [TB_COUNT_WIDTH-1:0]         tbs_per_sm_i,
  output                              refills_o,    // a TB done, if its kernel has TBs for the lane
  output                              counts_o,     // a TB done without a refill, of an SM that stays occupied
  output                              wants_o,      // an issue
  output                              fills_o,      // and the SM is full then
  output                              sets_up_o,    // a set-up done
  output                              running_o,
  // R goes.
  input                               takes_i,      // a TB done without a refill
  input                               adds_i,       // an issue
  input                               activates_i,  // a set-up done
  output [NUM_SMS-1:0]                counted_o,
  output [TB_COUNT_WIDTH-1:0]         new_count_o,
  output [NUM_SMS-1:0]                filled_o,
  output [NUM_SMS-1:0]                emptied_o,
  output [NUM_SMS-1:0]                activated_o
);

  localparam [TB_COUNT_WIDTH-1:0] ONE = 1, ALL_ONES = {TB_COUNT_WIDTH{1'b1}};

  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_s_ksr (.rows_i(ksr_i), .row_i(s_row_i), .data_o(s_ksr_o));

  wire [TB_COUNT_WIDTH-1:0] count;
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TB_COUNT_WIDTH)) u_count (.rows_i(count_i), .row_i(row_i), .data_o(count));
  wire [TB_COUNT_WIDTH-1:0] more = count + ONE, less = count + ALL_ONES;
  assign refills_o   = |(row_i & active_i & running_i & ~restoring_i);
  assign counts_o    = |(row_i & active_i & ~restoring_i & (reserved_i | running_i & ~issuable_i)) && |(count >> 1);
  assign wants_o     = |(row_i & could_take_i);
  assign fills_o     = more == tbs_per_sm_i;
  assign sets_up_o   = |(row_i & running_i & issuable_i & ~set_up_pending_i) && is_current_i;
  assign running_o   = |(row_i & running_i);
  assign counted_o   = row_i & {NUM_SMS{takes_i || adds_i}};
  assign new_count_o = adds_i ? more : less;
  assign filled_o    = row_i & {NUM_SMS{adds_i && fills_o}};
  assign emptied_o   = row_i & {NUM_SMS{takes_i}};
  assign activated_o = row_i & {NUM_SMS{activates_i}};

endmodule
