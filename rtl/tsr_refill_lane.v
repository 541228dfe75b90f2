// SPDX-License-Identifier: Apache-2.0
// The refill lane (timing.md 6.7): TBs that end and start, an entry a cycle, beside the engine's jobs. This is R, where
// an entry is judged. What is simple goes on to the counters; the rest waits here for the engine.
module tsr_refill_lane #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  input                       breadth_first_i,
  input                       rounds_i,
  // Pins
  input                       event_valid_i,
  input  [SM_WIDTH-1:0]       event_sm_i,
  input  [1:0]                event_kind_i,
  input  [TAG_BITS-1:0]       event_tag_i,
  output                      event_ready_o,
  output                      dispatch_o,
  output [SM_WIDTH-1:0]       dispatch_sm_o,
  output [TB_WIDTH-1:0]       dispatch_tb_o,
  // SMST
  input  [NUM_SMS-1:0]        wants_i,
  output [NUM_SMS-1:0]        serves_o,
  output [NUM_SMS-1:0]        s_row_o,
  input  [KSR_WIDTH-1:0]      s_ksr_i,
  output [NUM_SMS-1:0]        row_o,         // R
  input  [6:0]                lane_sm_i,     // what its SM lets it do
  output [2:0]                lane_step_o,   // and what becomes of the SM
  // The KSR
  input                       ksr_refills_i, // has TBs for the lane
  output                      few_o,         // W: is near a carry
  output [KSR_WIDTH-1:0]      few_ksr_o,
  output                      writes_o,      // two cycles after W
  output [KSR_WIDTH-1:0]      written_ksr_o,
  output                      uncovered_o,
  // The engine: what it finds in R,
  output                      offers_o,
  output [SM_WIDTH-1:0]       sm_o,
  output [KSR_WIDTH-1:0]      ksr_o,
  output                      is_issue_o,
  output [1:0]                kind_o,
  output [TAG_BITS-1:0]       tag_o,
  input                       picked_i,
  // and its job.
  input  [8:0]                job_i,
  input  [7:0]                phase_i,
  input                       in_row_i,      // ROW, the cycles that wait included
  input                       tb_done_i,
  input                       assigns_i,
  input  [KSR_WIDTH-1:0]      job_ksr_i,
  output                      row_waits_o,
  input                       ksr_valid_i,   // LOAD
  input                       row_write_i,   // WRITE
  input  [STEP_WIDTH-1:0]     step_i,
  input  [BASE_WIDTH-1:0]     base_i,
  output [STEP_WIDTH-1:0]     step_o,        // LOAD
  output [BASE_WIDTH-1:0]     base_o,
  output                      fault_o,
  output                      is_idle_o
);

`include "tsr_codes.vh"
`include "tsr_buses.vh"

  wire unused = &{1'b0, job_i[JOB_ACTIVATE], job_i[JOB_DEAL], job_i[JOB_MOVE], job_i[JOB_LEAVE], job_i[JOB_EVENT],
                  phase_i[FIND]};

  wire is_job_sm = lane_sm_i[LANE_IS_JOB]; // R's SM

  // 1. A, S, B.
  wire                 leaves, frees, next_valid, next_issue, entry_idle, steps_idle;
  wire [NUM_SMS-1:0]   next_row;
  wire [SM_WIDTH-1:0]  next_sm;
  wire [KSR_WIDTH-1:0] next_ksr;
  wire [1:0]           next_kind;
  wire [TAG_BITS-1:0]  next_tag;
  reg                  valid_q, slow_q, issue_q;
  reg [NUM_SMS-1:0]    row_q;
  reg [SM_WIDTH-1:0]   sm_q;
  reg [KSR_WIDTH-1:0]  ksr_q;
  reg [1:0]            kind_q;
  reg [TAG_BITS-1:0]   tag_q;
  tsr_refill_entry #(
`include "tsr_pass_sizes.vh"
  ) u_entry (
    .clk_i(clk_i), .rst_ni(rst_ni), .rounds_i(rounds_i), .event_valid_i(event_valid_i), .event_sm_i(event_sm_i),
    .event_kind_i(event_kind_i), .event_tag_i(event_tag_i), .event_ready_o(event_ready_o), .wants_i(wants_i),
    .serves_o(serves_o), .s_row_o(s_row_o), .s_ksr_i(s_ksr_i), .frees_i(frees), .issue_leaves_i(issue_q && leaves),
    .row_i(row_q), .valid_o(next_valid), .row_o(next_row), .sm_o(next_sm), .ksr_o(next_ksr), .is_issue_o(next_issue),
    .kind_o(next_kind), .tag_o(next_tag), .is_idle_o(entry_idle));

  // 2. R: an entry is judged in each cycle.
  wire tb_done = valid_q && !issue_q && kind_q == TB_DONE[1:0];
  wire answers = valid_q && !issue_q && kind_q == SETUP_DONE[1:0];
  wire refills = tb_done && lane_sm_i[LANE_REFILLS] && ksr_refills_i && !rounds_i;
  wire counts  = tb_done && (lane_sm_i[LANE_COUNTS] || lane_sm_i[LANE_REFILLS] && ksr_refills_i && rounds_i);
  wire sets_up = answers && lane_sm_i[LANE_SETS_UP];
  wire issues  = valid_q && issue_q && lane_sm_i[LANE_WANTS] && ksr_refills_i;
  wire simple  = refills || counts || sets_up || issues;
  wire drops   = valid_q && issue_q && !lane_sm_i[LANE_WANTS];

  // The engine has the ports, the row or the SM.
  wire passes  = job_i[JOB_TRAP] || job_i[JOB_SETUP]; // jobs that step no counters
  wire works   = phase_i[LOAD] || phase_i[CALC] || phase_i[BURST];
  wire stalls  = in_row_i && !passes || works && (tb_done_i || job_i[JOB_ISSUE] || assigns_i) ||
                 (works || phase_i[WRITE]) && !passes && ksr_q == job_ksr_i ||
                 (phase_i[SM] || in_row_i || works || phase_i[WRITE]) && is_job_sm ||
                 !phase_i[PICK] && job_i[JOB_EVICT];
  wire goes    = simple && !stalls;
  wire stays   = issues && !breadth_first_i && !lane_sm_i[LANE_FILLS]; // for another TB
  wire changes = phase_i[WRITE] && (!job_i[JOB_SETUP] || is_job_sm); // what the entry is judged by
  assign leaves = drops || goes && !stays || picked_i;
  assign frees  = !valid_q || leaves;
  always @(posedge clk_i) begin
    valid_q <= rst_ni && (!frees || next_valid);
    slow_q  <= rst_ni && !frees && !simple && !changes;
    if (frees) begin
      row_q   <= next_row;
      sm_q    <= next_sm;
      ksr_q   <= next_ksr;
      issue_q <= next_issue;
      kind_q  <= next_kind;
      tag_q   <= next_tag;
    end
  end
  wire   holds_row; // counters of the job's KSR are on their way
  assign row_waits_o = holds_row && !passes;
  assign row_o       = row_q;
  assign lane_step_o[LANE_TAKES]     = goes && counts;
  assign lane_step_o[LANE_ADDS]      = goes && issues;
  assign lane_step_o[LANE_ACTIVATES] = goes && sets_up;
  assign offers_o    = slow_q;
  assign sm_o        = sm_q;
  assign ksr_o       = ksr_q;
  assign is_issue_o  = issue_q;
  assign kind_o      = kind_q;
  assign tag_o       = tag_q;
  assign is_idle_o   = entry_idle && !valid_q && steps_idle;

  // 3. X, Y, W.
  tsr_refill_steps #(
`include "tsr_pass_sizes.vh"
  ) u_steps (
    .clk_i(clk_i), .rst_ni(rst_ni), .breadth_first_i(breadth_first_i), .reads_i(valid_q), .goes_i(goes && !sets_up),
    .sm_i(sm_q), .ksr_i(ksr_q), .is_fresh_i(!counts), .is_issue_i(issues),
    .frees_slot_i(counts && lane_sm_i[LANE_RUNNING]),
    .judges_i(ksr_refills_i), .dispatch_o(dispatch_o), .dispatch_sm_o(dispatch_sm_o), .dispatch_tb_o(dispatch_tb_o),
    .few_o(few_o), .few_ksr_o(few_ksr_o), .writes_o(writes_o), .written_ksr_o(written_ksr_o),
    .uncovered_o(uncovered_o), .row_read_i(phase_i[ROW] && !passes), .job_ksr_i(job_ksr_i), .holds_row_o(holds_row),
    .ksr_valid_i(ksr_valid_i), .row_write_i(row_write_i), .step_i(step_i), .base_i(base_i), .step_o(step_o),
    .base_o(base_o), .fault_o(fault_o), .is_idle_o(steps_idle));

endmodule
