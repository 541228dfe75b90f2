// SPDX-License-Identifier: Apache-2.0
// tsr_fcfs: the first kernel that has TBs to place, whoever comes after it.
module tsr_fcfs_props #(
  parameter ROWS = 1,
  parameter K    = 3,
  parameter KW   = $clog2(K + 1),
  parameter PIPELINED = 0
) (
  input               clk_i,
  input               pass_i,
  input               start_i,
  input [ROWS-1:0]    row_valid_i,
  input [ROWS*KW-1:0] row_ksr_i,
  input [ROWS-1:0]    row_uncovered_i
);

  wire          candidate_valid;
  wire [KW-1:0] candidate_ksr;
  tsr_fcfs #(.ROWS(ROWS), .KSR_WIDTH(KW), .PIPELINED(PIPELINED)) dut (
    .clk_i(clk_i), .pass_i(pass_i), .start_i(start_i), .row_valid_i(row_valid_i), .row_ksr_i(row_ksr_i),
    .row_uncovered_i(row_uncovered_i), .candidate_valid_o(candidate_valid), .candidate_ksr_o(candidate_ksr));

`include "tsr_engine_rows.vh"

(* hierconn *) wire          \dut.found_q ;
(* hierconn *) wire [KW-1:0] \dut.ksr_q ;
  wire          found   = \dut.found_q ;
  wire [KW-1:0] its_ksr = \dut.ksr_q ;

  // The first one, kept from the rows.
  reg          first_valid_q, first_valid;
  reg [KW-1:0] first_q, first;
  always @* begin
    first_valid = first_valid_q && !start_i;
    first       = first_q;
    for (j = ROWS - 1; j >= 0; j = j - 1) begin
      if ((start_i || !first_valid_q) && row_valid_i[j] && row_uncovered_i[j]) begin
        {first_valid, first} = {1'b1, row_ksr_i[j*KW +: KW]};
      end
    end
  end
  always @(posedge clk_i) if (pass_i) {first_valid_q, first_q} <= {first_valid, first};

  wire          due_valid = PIPELINED != 0 ? first_valid_q : first_valid;
  wire [KW-1:0] due_ksr   = PIPELINED != 0 ? first_q : first;
  fcfs_keeps_the_first: assert property (!started || found == first_valid_q && found == |(seen_q & uncovered_q) &&
                                         (!found || its_ksr == first_q && its_ksr < K));
  fcfs_candidate_is_the_first: assert property (!has_candidate ||
    candidate_valid == |(candidate_seen & candidate_uncovered) && candidate_valid == due_valid &&
    (!candidate_valid || candidate_ksr == due_ksr));
  cover_fcfs_keeps_the_first: assert property (!(started && found && its_ksr == 1 && &uncovered_q));
  cover_fcfs_candidate_is_the_first: assert property (!(
    has_candidate && pass_i && started && !start_i && candidate_valid &&
    row_uncovered_i[0] && row_valid_i[0] && candidate_ksr != row_ksr_i[0 +: KW]));

endmodule
