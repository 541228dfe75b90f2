// SPDX-License-Identifier: Apache-2.0
// The sequence of jobs (timing.md 6.1, 6.3): which comes next, and in which phase it is. One at a time.
module tsr_engine #(
`include "tsr_sizes.vh"
) (
  input                      clk_i,
  input                      rst_ni,
  input                      rounds_i,
  // What there is to do.
  input                      offers_activate_i, // the search's job; it holds still until it is done
  input                      offers_deal_i,
  input                      offers_move_i,
  input                      offers_evict_i,
  input                      is_take_i,         // of a move; else an assign, of no one SM
  input                      dealing_i,         // no SM events meanwhile
  input                      leave_any_i,       // of the SMs
  input                      trap_any_i,
  input                      set_up_any_i,
  input                      wants_any_i,
  input                      sm_event_valid_i,
  input  [SM_WIDTH-1:0]      sm_event_sm_i,
  input  [2:0]               sm_event_kind_i,
  output                     sm_event_ready_o,
  input                      sm_control_valid_i, // on the pins
  input                      row_waits_i,        // ROW: the refill lane still counts in it
  // How the job under way goes on.
  input                      rejected_i,         // CALC
  input                      bursts_i,           // CALC
  input                      burst_ends_i,       // BURST
  input                      has_second_i,       // WRITE of its first visit
  input                      evicts_more_i,      // WRITE of an eviction: another KSR
  // The job.
  output [8:0]               picks_o,            // the job that is picked in this cycle, a bit each (tsr_codes.vh)
  output [8:0]               job_o,              // from FIND on
  output [7:0]               phase_o,            // ROW: the last cycle of it, in which the row is read
  output                     in_row_o,           // ROW, with all of its cycles
  output                     is_second_o,        // visit B
  output [SM_WIDTH-1:0]      sm_o,               // from FIND on; of jobs whose SM is found, from ROW on
  input  [SM_WIDTH-1:0]      found_sm_i,         // SM
  output [2:0]               event_kind_o,
  output                     is_idle_o           // nothing to pick
);

`include "tsr_codes.vh"

  reg [PHASES-1:0]   phase_q;
  reg [JOB_ISSUE:0]  job_q;
  wire               evicts; // the last kind of job
  reg                is_second_q, issue_first_q;
  reg [SM_WIDTH-1:0] sm_q;
  reg [1:0]          event_kind_q;

  wire unused = sm_event_kind_i[2]; // of codes that are not sent

  // 1. PICK: the first that there is. With a refill lane what it leaves to the engine comes here one by one, with FIND
  // behind it; between two set-ups it comes first.
  localparam HAS_LANE = REFILL != 0;
  wire yields     = HAS_LANE && job_q[JOB_SETUP] && !dealing_i && (sm_event_valid_i || wants_any_i);
  wire offered    = offers_activate_i || offers_deal_i || offers_move_i || offers_evict_i;
  wire leaves     = leave_any_i && !dealing_i; // a deal counts SMs
  wire sets_up    = set_up_any_i && !yields;
  wire before_all = offered || leaves || trap_any_i || sets_up;
  wire takes_none = before_all || dealing_i ||
                    !HAS_LANE && (sm_control_valid_i || wants_any_i && (issue_first_q || rounds_i));

  assign sm_event_ready_o = phase_q[PICK] && !takes_none;

  wire takes_event = sm_event_ready_o && sm_event_valid_i;
  assign picks_o[JOB_ACTIVATE] = phase_q[PICK] && offers_activate_i;
  assign picks_o[JOB_DEAL]     = phase_q[PICK] && offers_deal_i;
  assign picks_o[JOB_MOVE]     = phase_q[PICK] && offers_move_i;
  assign picks_o[JOB_EVICT]    = phase_q[PICK] && offers_evict_i;
  assign picks_o[JOB_LEAVE]    = phase_q[PICK] && !offered && leaves;
  assign picks_o[JOB_TRAP]     = phase_q[PICK] && !offered && !leaves && trap_any_i;
  assign picks_o[JOB_SETUP]    = phase_q[PICK] && !offered && !leaves && !trap_any_i && sets_up;
  assign picks_o[JOB_EVENT]    = takes_event;
  assign picks_o[JOB_ISSUE]    = phase_q[PICK] && !before_all && !takes_event && wants_any_i;

  // 2. From phase to phase.
  wire skips_sm = offers_activate_i || offers_deal_i || offers_move_i && !is_take_i;
  wire is_found = HAS_LANE && (picks_o[JOB_EVENT] || picks_o[JOB_ISSUE]);
  wire in_row   = phase_q[ROW] && !row_waits_i;
  wire second   = phase_q[WRITE] && !is_second_q && has_second_i;
  wire another  = phase_q[WRITE] && evicts && evicts_more_i;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q       <= {{(PHASES-1){1'b0}}, 1'b1};
      issue_first_q <= 1'b0;
    end else begin
      phase_q[PICK]  <= phase_q[PICK] && !(|picks_o) || phase_q[CALC] && rejected_i || phase_q[WRITE] && !second && !another;
      phase_q[FIND]  <= |picks_o && !skips_sm && !is_found || another;
      phase_q[SM]    <= phase_q[FIND] && !evicts || is_found;
      phase_q[ROW]   <= phase_q[SM] || phase_q[PICK] && skips_sm || second || phase_q[FIND] && evicts ||
                        phase_q[ROW] && row_waits_i;
      phase_q[LOAD]  <= in_row;
      phase_q[CALC]  <= phase_q[LOAD];
      phase_q[BURST] <= phase_q[CALC] && bursts_i && !rejected_i || phase_q[BURST] && !burst_ends_i;
      phase_q[WRITE] <= phase_q[CALC] && !bursts_i && !rejected_i || phase_q[BURST] && burst_ends_i;
      if (|picks_o) issue_first_q <= takes_event;
    end
  end

  // 3. The job. Assign and activate have no visit A.
  always @(posedge clk_i) begin
    if (phase_q[PICK]) begin
      job_q        <= picks_o[JOB_ISSUE:0];
      event_kind_q <= sm_event_kind_i[1:0];
      is_second_q  <= 1'b0;
    end else if (second) begin
      is_second_q <= 1'b1;
    end
    if (phase_q[PICK])    sm_q <= sm_event_sm_i;
    else if (phase_q[SM]) sm_q <= found_sm_i;
  end

  generate
    if (KEPT_TURN != 0) begin : g_evict
      reg evicts_q;
      always @(posedge clk_i) if (phase_q[PICK]) evicts_q <= picks_o[JOB_EVICT];
      assign evicts = evicts_q;
    end else begin : g_no_evict
      assign evicts = 1'b0;
    end
  endgenerate
  assign job_o        = {evicts, job_q};
  assign phase_o      = {phase_q[WRITE:LOAD], in_row, phase_q[SM:PICK]};
  assign in_row_o     = phase_q[ROW];
  assign is_second_o  = is_second_q;
  assign sm_o         = sm_q;
  assign event_kind_o = {1'b0, event_kind_q};
  assign is_idle_o    = phase_q[PICK] && !before_all && !wants_any_i && !sm_control_valid_i;

endmodule
