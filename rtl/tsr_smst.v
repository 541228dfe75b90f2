// SPDX-License-Identifier: Apache-2.0
// The SM status table ([T14] 3.3): state, owner, next owner and resident TBs of each SM. Flip-flops, since a kernel that
// finishes is forgotten in all rows at once: two comparators a row.
module tsr_smst #(
  parameter NUM_SMS        = 13,
  parameter NUM_KSRS       = 13,
  parameter MAX_TBS_PER_SM = 16,
  // Not to be set.
  parameter SM_WIDTH       = $clog2(NUM_SMS + 1),
  parameter KSR_WIDTH      = $clog2(NUM_KSRS + 1),
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1)
) (
  input                               clk_i,
  input                               rst_ni,
  // Resident TBs: one is sent, one is done, all are saved.
  input                               issue_i,
  input  [SM_WIDTH-1:0]               issue_sm_i,
  input                               done_i,
  input                               saved_i,
  input  [SM_WIDTH-1:0]               event_sm_i, // of done and saved
  // A row changes hands.
  input                               change_i,
  input  [SM_WIDTH-1:0]               change_sm_i,
  input  [1:0]                        change_state_i,
  input  [KSR_WIDTH-1:0]              change_ksr_i,
  input  [KSR_WIDTH-1:0]              change_next_i,
  // A kernel is finished; the row that changes in this cycle names it no more.
  input                               forget_i,
  input  [KSR_WIDTH-1:0]              forget_ksr_i,
  output [2*NUM_SMS-1:0]              state_o, // 0 idle, 1 running, 2 reserved
  output [NUM_SMS*KSR_WIDTH-1:0]      ksr_o,   // all ones: none
  output [NUM_SMS*KSR_WIDTH-1:0]      next_o,
  output [NUM_SMS*TB_COUNT_WIDTH-1:0] running_o
);

  localparam [1:0] IDLE = 2'd0, RUNNING = 2'd1;
  localparam [KSR_WIDTH-1:0] NONE = {KSR_WIDTH{1'b1}};

  reg [2*NUM_SMS-1:0]              state_q;
  reg [NUM_SMS*KSR_WIDTH-1:0]      ksr_q, next_q;
  reg [NUM_SMS*TB_COUNT_WIDTH-1:0] running_q;

  assign state_o   = state_q;
  assign ksr_o     = ksr_q;
  assign next_o    = next_q;
  assign running_o = running_q;

  wire [NUM_SMS-1:0] issue_row, event_row, change_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_issue  (.valid_i(issue_i), .index_i(issue_sm_i), .row_o(issue_row));
  tsr_one_hot #(.ROWS(NUM_SMS)) u_event  (.valid_i(done_i || saved_i), .index_i(event_sm_i), .row_o(event_row));
  tsr_one_hot #(.ROWS(NUM_SMS)) u_change (.valid_i(change_i), .index_i(change_sm_i), .row_o(change_row));

  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_row
      // 1. Resident TBs. One that is sent and one that is done leave their number as it is.
      always @(posedge clk_i) begin
        if (!rst_ni || event_row[i] && saved_i) begin
          running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= {TB_COUNT_WIDTH{1'b0}};
        end else if (issue_row[i] != event_row[i]) begin
          running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <=
              running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] + {{(TB_COUNT_WIDTH-1){event_row[i]}}, 1'b1};
        end
      end

      // 2. The row changes hands, or forgets the finished kernel: what changes hands is never given to that.
      always @(posedge clk_i) begin
        if (!rst_ni) begin
          state_q[2*i +: 2]                <= IDLE;
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH]  <= NONE;
          next_q[i*KSR_WIDTH +: KSR_WIDTH] <= NONE;
        end else if (change_row[i]) begin
          state_q[2*i +: 2]                <= change_state_i;
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH]  <= change_ksr_i;
          next_q[i*KSR_WIDTH +: KSR_WIDTH] <= change_next_i;
        end else if (forget_i) begin
          if (ksr_q[i*KSR_WIDTH +: KSR_WIDTH] == forget_ksr_i) begin
            ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= NONE;
            if (state_q[2*i +: 2] == RUNNING) state_q[2*i +: 2] <= IDLE;
          end
          if (next_q[i*KSR_WIDTH +: KSR_WIDTH] == forget_ksr_i) next_q[i*KSR_WIDTH +: KSR_WIDTH] <= NONE;
        end
      end
    end
  endgenerate

endmodule
