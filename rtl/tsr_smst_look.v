// SPDX-License-Identifier: Apache-2.0
// What is read of SMST without a job: whose an SM is that sends a handle, and the rows of a step of the search.
module tsr_smst_look #(
`include "tsr_sizes.vh"
) (
  // SMST
  input  [NUM_SMS-1:0]           running_i,
  input  [NUM_SMS-1:0]           reserved_i,
  input  [NUM_SMS-1:0]           full_i, // cannot be set up: idle for nobody
  input  [NUM_SMS-1:0]           kept_i, // not for everybody
  input  [NUM_SMS*KSR_WIDTH-1:0] ksr_i,
  input  [NUM_SMS*KSR_WIDTH-1:0] next_i,
  input  [NUM_SMS*PARTITION_WIDTH-1:0] partitions_i,
  // A handle
  input  [SM_WIDTH-1:0]          handle_sm_i,
  output [KSR_WIDTH-1:0]         handle_ksr_o,
  // The search: a lane each.
  input  [STEPS-1:0]                  step_i,
  output [SEARCH_WIDTH-1:0]           look_idle_o,
  output [SEARCH_WIDTH-1:0]           look_free_o,   // idle, and not kept
  output [SEARCH_WIDTH-1:0]           look_reserved_o,
  output [SEARCH_WIDTH-1:0]           look_counts_o, // against a kernel:
  output [SEARCH_WIDTH*KSR_WIDTH-1:0] look_ksr_o,
  output [SEARCH_WIDTH*PARTITION_WIDTH-1:0] look_partition_o
);

`include "tsr_codes.vh"

  wire [NUM_SMS-1:0] handle_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_handle (.valid_i(1'b1), .index_i(handle_sm_i), .row_o(handle_row));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_handle_ksr (
    .rows_i(ksr_i), .row_i(handle_row), .data_o(handle_ksr_o));

  wire [NUM_SMS-1:0] idle = ~(running_i | reserved_i | full_i);
  genvar lane;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [NUM_SMS-1:0]   look_row;
      wire [KSR_WIDTH-1:0] ksr, next_ksr;
      wire                 is_running;
      tsr_lane_row #(.ROWS(NUM_SMS), .STEPS(STEPS), .SEARCH_WIDTH(SEARCH_WIDTH), .LANE(lane)) u_row (
        .step_i(step_i), .row_o(look_row));
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_ksr (.rows_i(ksr_i), .row_i(look_row), .data_o(ksr));
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_next (.rows_i(next_i), .row_i(look_row), .data_o(next_ksr));
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(PARTITION_WIDTH)) u_partition (
        .rows_i(partitions_i), .row_i(look_row), .data_o(look_partition_o[lane*PARTITION_WIDTH +: PARTITION_WIDTH]));
      assign is_running            = |(running_i & look_row);
      assign look_reserved_o[lane] = |(reserved_i & look_row);
      assign look_idle_o[lane]     = |(look_row & idle);
      assign look_free_o[lane]     = |(look_row & idle & ~kept_i);
      assign look_counts_o[lane]   = is_running || look_reserved_o[lane] && next_ksr != NO_KSR;
      assign look_ksr_o[lane*KSR_WIDTH +: KSR_WIDTH] = look_reserved_o[lane] ? next_ksr : ksr;
    end
  endgenerate

endmodule
