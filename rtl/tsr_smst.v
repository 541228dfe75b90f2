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
  // A kernel is finished: after the change.
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

  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_row
      // 1. Resident TBs.
      wire is_issue = issue_i && issue_sm_i == i;
      wire is_event = event_sm_i == i;
      wire [TB_COUNT_WIDTH-1:0] running = running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH];
      // 2. The row as it changes hands, and without the finished kernel.
      wire is_change = change_i && change_sm_i == i;
      wire [1:0]           state = is_change ? change_state_i : state_q[2*i +: 2];
      wire [KSR_WIDTH-1:0] ksr   = is_change ? change_ksr_i : ksr_q[i*KSR_WIDTH +: KSR_WIDTH];
      wire [KSR_WIDTH-1:0] next  = is_change ? change_next_i : next_q[i*KSR_WIDTH +: KSR_WIDTH];
      wire forgets_ksr  = forget_i && ksr == forget_ksr_i;
      wire forgets_next = forget_i && next == forget_ksr_i;

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          state_q[2*i +: 2]                 <= IDLE;
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH]   <= NONE;
          next_q[i*KSR_WIDTH +: KSR_WIDTH]  <= NONE;
          running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= {TB_COUNT_WIDTH{1'b0}};
        end else begin
          state_q[2*i +: 2]                <= forgets_ksr && state == RUNNING ? IDLE : state;
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH]  <= forgets_ksr ? NONE : ksr;
          next_q[i*KSR_WIDTH +: KSR_WIDTH] <= forgets_next ? NONE : next;
          if (saved_i && is_event) begin
            running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= {TB_COUNT_WIDTH{1'b0}};
          end else if (is_issue && !(done_i && is_event)) begin
            running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= running + 1'b1;
          end else if (!is_issue && done_i && is_event) begin
            running_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= running - 1'b1;
          end
        end
      end
    end
  endgenerate

endmodule
