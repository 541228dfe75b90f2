// SPDX-License-Identifier: Apache-2.0
// The row of SMST that is the job's (timing.md 6.2), from ROW on; its thread blocks as the job steps them.
module tsr_sm_row #(
`include "tsr_sizes.vh"
) (
  input                              clk_i,
  input                              reads_i,   // in SM
  input  [NUM_SMS-1:0]               row_i,     // which
  // SMST
  input  [NUM_SMS-1:0]               running_i,
  input  [NUM_SMS-1:0]               reserved_i,
  input  [NUM_SMS-1:0]               active_i,
  input  [NUM_SMS-1:0]               trapped_i,
  input  [NUM_SMS-1:0]               restoring_i,
  input  [NUM_SMS-1:0]               drains_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]     ksr_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]     next_i,
  input  [NUM_SMS*TB_COUNT_WIDTH-1:0] count_i,
  // The job.
  input                              tb_done_i, // one less
  input                              chooses_i, // one more
  input                              saved_i,   // all are gone
  output [KSR_WIDTH-1:0]             read_ksr_o,  // in SM, before it is in a register
  output [KSR_WIDTH-1:0]             read_next_o,
  output reg                         running_o,
  output reg                         reserved_o,
  output reg                         active_o,  // set up and not trapped
  output reg                         trapped_o,
  output reg                         restoring_o,
  output reg                         drains_o,
  output reg [KSR_WIDTH-1:0]         ksr_o,
  output reg [KSR_WIDTH-1:0]         next_o,
  output reg [TB_COUNT_WIDTH-1:0]    count_o
);

  localparam [TB_COUNT_WIDTH-1:0] ONE = 1;

  wire [TB_COUNT_WIDTH-1:0] read_count;
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_ksr (.rows_i(ksr_i), .row_i(row_i), .data_o(read_ksr_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_next (.rows_i(next_i), .row_i(row_i), .data_o(read_next_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TB_COUNT_WIDTH)) u_count (
    .rows_i(count_i), .row_i(row_i), .data_o(read_count));

  always @(posedge clk_i) begin
    if (reads_i) begin
      ksr_o       <= read_ksr_o;
      next_o      <= read_next_o;
      running_o   <= |(running_i & row_i);
      reserved_o  <= |(reserved_i & row_i);
      active_o    <= |(active_i & row_i);
      trapped_o   <= |(trapped_i & row_i);
      restoring_o <= |(restoring_i & row_i);
      drains_o    <= |(drains_i & row_i);
    end
    if (reads_i)        count_o <= read_count;
    else if (tb_done_i) count_o <= count_o - ONE;
    else if (chooses_i) count_o <= count_o + ONE;
    else if (saved_i)   count_o <= {TB_COUNT_WIDTH{1'b0}};
  end

endmodule
