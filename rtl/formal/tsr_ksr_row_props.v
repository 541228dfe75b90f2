// SPDX-License-Identifier: Apache-2.0
// tsr_ksr_row in the phases of any job: thread blocks are counted, at the full width of their numbers, whatever carries.
module tsr_ksr_row_props #(
  parameter TB_WIDTH = 32
) (
  input                clk_i,
  input                starts_i, // a job
  input                bursts_i, // it issues
  input [TB_WIDTH-1:0] num_tbs_i,
  input                assigns_i,
  input [15:0]         others_i, // of its effects (tsr_effects.vh)
  input [8:0]          limit_i,
  input [1:0]          tbs_per_sm_i, count_i, ksr_i, // two slots, two KSRs
  input                breadth_first_i, valid_i, activates_i, is_second_i, traps_i, issue_job_i, running_i, trapped_i,
  input                will_release_i, will_issue_i, has_limit_i, gives_i, writes_i
);

  localparam KSR_WIDTH = 2, SEARCH_WIDTH = 1, DUE_WIDTH = 32, PARTITION_WIDTH = 1;
`include "tsr_codes.vh"
`include "tsr_buses.vh"

  // 1. The phases (tsr_codes.vh): BURST lasts until the burst ends.
  reg  [7:0] phase_q = 8'd1 << PICK;
  wire       burst_ends;
  wire       waits = phase_q[PICK] && !starts_i || phase_q[BURST] && !burst_ends;
  always @(posedge clk_i) begin
    if (phase_q[CALC] && !bursts_i) phase_q <= 8'd1 << WRITE;
    else if (!waits)                phase_q <= {phase_q[6:0], phase_q[7]};
  end
  reg        assigns_q; // the job does: it gives SMs and issues no thread block
  always @(posedge clk_i) if (phase_q[PICK]) assigns_q <= assigns_i;
  wire       uses_handles = others_i[0];
  wire one_phase = phase_q != 0 && (phase_q & (phase_q - 8'd1)) == 0;

  // 2. The row, of any kernel.
  wire chooses;
  reg  [8:0]          job;
  reg  [SM_COUNT+1:0] sm_row;
  always @* begin
    job    = 0;
    sm_row = 0;
    {job[JOB_TRAP], job[JOB_ISSUE]}          = {traps_i, issue_job_i};
    {sm_row[SM_RUNNING], sm_row[SM_TRAPPED]} = {running_i, trapped_i};
    sm_row[SM_COUNT +: 2]                    = count_i;
  end
  tsr_ksr_row #(.NUM_SMS(2), .MAX_TBS_PER_SM(2), .NUM_KSRS(2), .TB_WIDTH(TB_WIDTH)) dut (
    .clk_i(clk_i), .rst_ni(1'b1), .breadth_first_i(breadth_first_i), .phase_i(phase_q), .ksr_i(ksr_i),
    .valid_i(valid_i), .activates_i(activates_i), .launch_i({num_tbs_i, tbs_per_sm_i}),
    .is_second_i(is_second_i), .job_i(job), .effects_i({assigns_q, others_i}), .sm_row_i(sm_row),
    .will_release_i(will_release_i), .will_issue_i(will_issue_i), .has_limit_i(has_limit_i), .limit_i(limit_i),
    .gives_i(phase_q[BURST] && assigns_q && gives_i),
    .chooses_o(chooses), .burst_ends_o(burst_ends), .writes_i(writes_i), .steps_i(writes_i));
  (* hierconn *) wire [TB_WIDTH-1:0] \dut.next_tb_q ;
  (* hierconn *) wire [TB_WIDTH-1:0] \dut.not_left_q ;
  (* hierconn *) wire \dut.carry_next_q ;
  (* hierconn *) wire \dut.carry_left_q ;

  // 3. The numbers that are meant: a carry under way counts.
  wire carries_next = \dut.carry_next_q ;
  wire carries_left = \dut.carry_left_q ;
  wire [TB_WIDTH-1:0] next_tb   = \dut.next_tb_q + (carries_next ? 9'd256 : 9'd0);
  wire [TB_WIDTH-1:0] remaining = ~(\dut.not_left_q + (carries_left ? 9'd256 : 9'd0));

  // 4. Those of the cycle before.
  reg                past_q = 1'b0, loaded_q, issued_q;
  reg [TB_WIDTH-1:0] next_tb_q, remaining_q;
  always @(posedge clk_i) begin
    past_q      <= 1'b1;
    loaded_q    <= phase_q[LOAD];
    issued_q    <= chooses && !uses_handles;
    next_tb_q   <= next_tb;
    remaining_q <= remaining;
  end
  wire keeps = past_q && !loaded_q;

  phases_pass_one_by_one: assert property (one_phase);
  carry_within_its_burst: assert property (!past_q || !(carries_next || carries_left) ||
    phase_q[BURST] && !assigns_q);
  next_tb_counts_each: assert property (!keeps || next_tb == next_tb_q + issued_q);
  issued_and_left_add_up: assert property (!keeps || next_tb + remaining == next_tb_q + remaining_q);

  cover_phases_pass_one_by_one: assert property (!phase_q[WRITE]);
  cover_carry_within_its_burst: assert property (!past_q || !(carries_next && carries_left));
  cover_next_tb_counts_each: assert property (!keeps || !(issued_q && next_tb[8:0] == 9'd256));
  cover_issued_and_left_add_up: assert property (!keeps || !(issued_q && next_tb[8:0] == 9'd256 && &remaining[7:0]));

endmodule
