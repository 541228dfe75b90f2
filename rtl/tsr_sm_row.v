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
  output reg                         active_o,  // set up and not trapped
  output [SM_ROW_WIDTH-1:0]          sm_row_o
);

`include "tsr_buses.vh"

  localparam [TB_COUNT_WIDTH-1:0] ONE = 1;

  reg                      running_q, reserved_q, trapped_q, restoring_q, drains_q;
  reg [KSR_WIDTH-1:0]      ksr_q, next_q;
  reg [TB_COUNT_WIDTH-1:0] count_q;

  wire [TB_COUNT_WIDTH-1:0] read_count;
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_ksr (.rows_i(ksr_i), .row_i(row_i), .data_o(read_ksr_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_next (.rows_i(next_i), .row_i(row_i), .data_o(read_next_o));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TB_COUNT_WIDTH)) u_count (
    .rows_i(count_i), .row_i(row_i), .data_o(read_count));

  always @(posedge clk_i) begin
    if (reads_i) begin
      ksr_q       <= read_ksr_o;
      next_q      <= read_next_o;
      running_q   <= |(running_i & row_i);
      reserved_q  <= |(reserved_i & row_i);
      active_o    <= |(active_i & row_i);
      trapped_q   <= |(trapped_i & row_i);
      restoring_q <= |(restoring_i & row_i);
      drains_q    <= |(drains_i & row_i);
    end
    if (reads_i)        count_q <= read_count;
    else if (tb_done_i) count_q <= count_q - ONE;
    else if (chooses_i) count_q <= count_q + ONE;
    else if (saved_i)   count_q <= {TB_COUNT_WIDTH{1'b0}};
  end

  assign sm_row_o[SM_RUNNING]                    = running_q;
  assign sm_row_o[SM_RESERVED]                   = reserved_q;
  assign sm_row_o[SM_TRAPPED]                    = trapped_q;
  assign sm_row_o[SM_RESTORING]                  = restoring_q;
  assign sm_row_o[SM_DRAINS]                     = drains_q;
  assign sm_row_o[SM_KSR +: KSR_WIDTH]           = ksr_q;
  assign sm_row_o[SM_NEXT +: KSR_WIDTH]          = next_q;
  assign sm_row_o[SM_COUNT +: TB_COUNT_WIDTH]    = count_q;

endmodule
