// SPDX-License-Identifier: Apache-2.0
// Policy engine of fcfs and npq: SMs that are idle go to the first kernel with uncovered TBs; nothing is taken away.
module tsr_fcfs #(
  parameter ROWS      = 1, // that pass in a cycle
  parameter KSR_WIDTH = 4,
  parameter PIPELINED = 0  // the candidate is wanted when the last rows have passed
) (
  input                       clk_i,
  // First walk: rows pass, in the order of the active queue; with the first of them it starts anew.
  input                       pass_i,
  input                       start_i,
  input  [ROWS-1:0]           row_valid_i,
  input  [ROWS*KSR_WIDTH-1:0] row_ksr_i,
  input  [ROWS-1:0]           row_uncovered_i,
  // The candidate, this cycle's rows included, or pipelined, those before it.
  output                      candidate_valid_o,
  output [KSR_WIDTH-1:0]      candidate_ksr_o
);

  reg                 found_q, found_d;
  reg [KSR_WIDTH-1:0] ksr_q, ksr_d;

  integer j;
  always @* begin
    found_d = found_q && !start_i;
    ksr_d   = ksr_q;
    for (j = 0; j < ROWS; j = j + 1) begin
      if (!found_d && row_valid_i[j] && row_uncovered_i[j]) begin
        found_d = 1'b1;
        ksr_d   = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
      end
    end
  end

  assign candidate_valid_o = PIPELINED != 0 ? found_q : found_d;
  assign candidate_ksr_o   = PIPELINED != 0 ? ksr_q : ksr_d;

  always @(posedge clk_i) begin
    if (pass_i) begin
      found_q <= found_d;
      ksr_q   <= ksr_d;
    end
  end

endmodule
