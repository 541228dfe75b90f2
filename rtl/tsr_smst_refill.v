// SPDX-License-Identifier: Apache-2.0
// What the refill lane reads of SMST, and what becomes of the SM that is in R (timing.md 6.7). Without a lane, nothing.
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
  input                               is_job_i,     // its SM is the job's
  output [6:0]                        lane_sm_o,
  // R goes.
  input  [2:0]                        lane_step_i,
  output [NUM_SMS-1:0]                counted_o,
  output [TB_COUNT_WIDTH-1:0]         new_count_o,
  output [NUM_SMS-1:0]                filled_o,
  output [NUM_SMS-1:0]                emptied_o,
  output [NUM_SMS-1:0]                activated_o
);

`include "tsr_buses.vh"

  localparam [TB_COUNT_WIDTH-1:0] ONE = 1, ALL_ONES = {TB_COUNT_WIDTH{1'b1}};

  generate
    if (REFILL != 0) begin : g_lane
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_s_ksr (.rows_i(ksr_i), .row_i(s_row_i), .data_o(s_ksr_o));

      wire [TB_COUNT_WIDTH-1:0] count;
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(TB_COUNT_WIDTH)) u_count (.rows_i(count_i), .row_i(row_i), .data_o(count));
      wire [TB_COUNT_WIDTH-1:0] more = count + ONE, less = count + ALL_ONES;
      wire fills = more == tbs_per_sm_i;
      // A TB done, if its kernel has TBs for the lane; one without a refill, of an SM that stays occupied.
      assign lane_sm_o[LANE_REFILLS] = |(row_i & active_i & running_i & ~restoring_i);
      assign lane_sm_o[LANE_COUNTS]  = |(row_i & active_i & ~restoring_i & (reserved_i | running_i & ~issuable_i)) &&
                                       |(count >> 1);
      // An issue, and whether the SM is full then; a set-up done.
      assign lane_sm_o[LANE_WANTS]   = |(row_i & could_take_i);
      assign lane_sm_o[LANE_FILLS]   = fills;
      assign lane_sm_o[LANE_SETS_UP] = |(row_i & running_i & issuable_i & ~set_up_pending_i) && is_current_i;
      assign lane_sm_o[LANE_RUNNING] = |(row_i & running_i);
      assign lane_sm_o[LANE_IS_JOB]  = is_job_i;

      wire takes = lane_step_i[LANE_TAKES]; // a TB done without a refill
      wire adds  = lane_step_i[LANE_ADDS];  // an issue
      assign counted_o   = row_i & {NUM_SMS{takes || adds}};
      assign new_count_o = adds ? more : less;
      assign filled_o    = row_i & {NUM_SMS{adds && fills}};
      assign emptied_o   = row_i & {NUM_SMS{takes}};
      assign activated_o = row_i & {NUM_SMS{lane_step_i[LANE_ACTIVATES]}};
    end else begin : g_no_lane
      wire unused = &{1'b0, running_i, reserved_i, active_i, restoring_i, issuable_i, set_up_pending_i, could_take_i,
                      ksr_i, count_i, s_row_i, row_i, is_current_i, tbs_per_sm_i, is_job_i, lane_step_i};
      assign s_ksr_o     = {KSR_WIDTH{1'b0}};
      assign lane_sm_o   = 7'd0;
      assign new_count_o = {TB_COUNT_WIDTH{1'b0}};
      assign {counted_o, filled_o, emptied_o, activated_o} = {4*NUM_SMS{1'b0}};
    end
  endgenerate

endmodule
