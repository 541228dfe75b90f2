// SPDX-License-Identifier: Apache-2.0
// Policy engine of dss ([T14] Algorithm 1): the kernel with most tokens left gets SMs, from the one with fewest, while
// they differ by more than one. Tokens left may be negative: debt.
module tsr_dss #(
  parameter ROWS      = 1, // kernels that pass in a cycle
  parameter VICTIMS   = 1, // SMs that pass in a cycle
  parameter KSR_WIDTH = 4,
  parameter PIPELINED = 0  // the candidate is wanted when the last rows have passed
) (
  input                           clk_i,
  // First walk: rows pass, in the order of the active queue; with the first of them it starts anew.
  input                           pass_i,
  input                           start_i,
  input  [ROWS-1:0]               row_valid_i,
  input  [ROWS*KSR_WIDTH-1:0]     row_ksr_i,
  input  [ROWS*10-1:0]            row_tokens_left_i, // signed
  input  [ROWS-1:0]               row_uncovered_i,
  input  [ROWS-1:0]               row_holds_i, // an SM, or one is reserved for it
  // The candidate, this cycle's rows included, or pipelined, those before it.
  output                          candidate_valid_o,
  output [KSR_WIDTH-1:0]          candidate_ksr_o,
  output                          candidate_takes_away_o,
  // Second walk: the kernels that the passing SMs count against.
  input  [VICTIMS*KSR_WIDTH-1:0]  victim_ksr_i,
  output [VICTIMS-1:0]            is_victim_o
);

  reg                 max_valid_q, max_valid_d, min_valid_q, min_valid_d;
  reg [KSR_WIDTH-1:0] max_ksr_q, max_ksr_d, min_ksr_q, min_ksr_d;
  reg signed [9:0]    max_left_q, max_left_d, min_left_q, min_left_d, left;

  integer j;
  always @* begin
    max_valid_d = max_valid_q && !start_i;
    max_ksr_d   = max_ksr_q;
    max_left_d  = max_left_q;
    min_valid_d = min_valid_q && !start_i;
    min_ksr_d   = min_ksr_q;
    min_left_d  = min_left_q;
    left        = 10'sd0;
    for (j = 0; j < ROWS; j = j + 1) begin
      left = row_tokens_left_i[j*10 +: 10];
      if (row_valid_i[j] && row_uncovered_i[j] && (!max_valid_d || left > max_left_d)) begin
        max_valid_d = 1'b1;
        max_ksr_d   = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
        max_left_d  = left;
      end
      if (row_valid_i[j] && row_holds_i[j] && (!min_valid_d || left < min_left_d)) begin
        min_valid_d = 1'b1;
        min_ksr_d   = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
        min_left_d  = left;
      end
    end
  end

  wire signed [9:0]  max_left = PIPELINED != 0 ? max_left_q : max_left_d;
  wire signed [9:0]  min_left = PIPELINED != 0 ? min_left_q : min_left_d;
  wire signed [10:0] max_wide = {max_left[9], max_left};
  wire signed [10:0] min_wide = {min_left[9], min_left};

  assign candidate_valid_o      = PIPELINED != 0 ? max_valid_q : max_valid_d;
  assign candidate_ksr_o        = PIPELINED != 0 ? max_ksr_q : max_ksr_d;
  assign candidate_takes_away_o = (PIPELINED != 0 ? min_valid_q : min_valid_d) && max_wide > min_wide + 11'sd1;

  always @(posedge clk_i) begin
    if (pass_i) begin
      max_valid_q <= max_valid_d;
      max_ksr_q   <= max_ksr_d;
      max_left_q  <= max_left_d;
      min_valid_q <= min_valid_d;
      min_ksr_q   <= min_ksr_d;
      min_left_q  <= min_left_d;
    end
  end

  genvar i;
  generate
    for (i = 0; i < VICTIMS; i = i + 1) begin : g_victim
      assign is_victim_o[i] = min_valid_q && victim_ksr_i[i*KSR_WIDTH +: KSR_WIDTH] == min_ksr_q;
    end
  endgenerate

endmodule
