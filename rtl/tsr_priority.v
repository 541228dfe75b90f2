// SPDX-License-Identifier: Apache-2.0
// Policy engine of ppq ([T14] 3.4): SMs go to the first kernel of the highest priority with uncovered TBs, and are taken
// from the lowest priority below it.
// Named for what it compares, not for a policy: ppq alone today. npq takes nothing away, so tsr_fcfs serves it.
module tsr_priority #(
  parameter ROWS      = 1, // kernels that pass in a cycle
  parameter VICTIMS   = 1, // SMs that pass in a cycle
  parameter KSR_WIDTH = 4,
  parameter PIPELINED = 0  // the candidate is wanted when the last rows have passed
) (
  input                       clk_i,
  // Access: do priorities below the top get SMs? Exclusive scope: if not, do they also lose theirs unasked?
  input                       shared_i, // access
  input                       all_i,    // exclusive scope
  // First walk: rows pass, in the order of the active queue; with the first of them it starts anew; it ends.
  input                       pass_i,
  input                       start_i,
  input                       end_i,
  input  [ROWS-1:0]           row_valid_i,
  input  [ROWS*KSR_WIDTH-1:0] row_ksr_i,
  input  [ROWS*4-1:0]         row_priority_i,
  input  [ROWS-1:0]           row_uncovered_i,
  // The candidate, this cycle's rows included, or pipelined, those before it.
  output                      candidate_valid_o,
  output [KSR_WIDTH-1:0]      candidate_ksr_o,
  output                      candidate_takes_idle_o,
  // Second walk: the kernels that the passing SMs count against.
  input  [VICTIMS*4-1:0]      victim_priority_i,
  output [VICTIMS-1:0]        is_victim_o,
  output [VICTIMS*4-1:0]      victim_rank_o
);

  // `top` of all kernels, `requester` of those with uncovered TBs.
  reg                 top_valid_q, top_valid_d, requester_valid_q, requester_valid_d;
  reg [KSR_WIDTH-1:0] top_ksr_q, top_ksr_d, requester_ksr_q, requester_ksr_d;
  reg [3:0]           top_priority_q, top_priority_d, requester_priority_q, requester_priority_d;

  integer j;
  always @* begin
    top_valid_d          = top_valid_q && !start_i;
    top_ksr_d            = top_ksr_q;
    top_priority_d       = top_priority_q;
    requester_valid_d    = requester_valid_q && !start_i;
    requester_ksr_d      = requester_ksr_q;
    requester_priority_d = requester_priority_q;
    for (j = 0; j < ROWS; j = j + 1) begin
      if (row_valid_i[j] && (!top_valid_d || row_priority_i[j*4 +: 4] > top_priority_d)) begin
        top_valid_d    = 1'b1;
        top_ksr_d      = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
        top_priority_d = row_priority_i[j*4 +: 4];
      end
      if (row_valid_i[j] && row_uncovered_i[j] &&
          (!requester_valid_d || row_priority_i[j*4 +: 4] > requester_priority_d)) begin
        requester_valid_d    = 1'b1;
        requester_ksr_d      = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
        requester_priority_d = row_priority_i[j*4 +: 4];
      end
    end
  end

  wire                 top_valid          = PIPELINED != 0 ? top_valid_q : top_valid_d;
  wire                 requester_valid    = PIPELINED != 0 ? requester_valid_q : requester_valid_d;
  wire [KSR_WIDTH-1:0] top_ksr            = PIPELINED != 0 ? top_ksr_q : top_ksr_d;
  wire [KSR_WIDTH-1:0] requester_ksr      = PIPELINED != 0 ? requester_ksr_q : requester_ksr_d;
  wire [3:0]           top_priority       = PIPELINED != 0 ? top_priority_q : top_priority_d;
  wire [3:0]           requester_priority = PIPELINED != 0 ? requester_priority_q : requester_priority_d;

  wire requester_may = requester_valid && (shared_i || requester_priority == top_priority);
  wire empties       = !shared_i && all_i && top_valid;

  assign candidate_valid_o      = requester_may || empties;
  assign candidate_ksr_o        = requester_may ? requester_ksr : top_ksr;
  assign candidate_takes_idle_o = requester_may;

  // Below whom SMs are taken.
  reg [3:0] candidate_priority_q;

  always @(posedge clk_i) begin
    if (end_i) candidate_priority_q <= requester_may ? requester_priority : top_priority;
  end

  always @(posedge clk_i) begin
    if (pass_i) begin
      top_valid_q          <= top_valid_d;
      top_ksr_q            <= top_ksr_d;
      top_priority_q       <= top_priority_d;
      requester_valid_q    <= requester_valid_d;
      requester_ksr_q      <= requester_ksr_d;
      requester_priority_q <= requester_priority_d;
    end
  end

  genvar i;
  generate
    for (i = 0; i < VICTIMS; i = i + 1) begin : g_victim
      assign is_victim_o[i] = victim_priority_i[i*4 +: 4] < candidate_priority_q;
    end
  endgenerate
  assign victim_rank_o = victim_priority_i;

endmodule
