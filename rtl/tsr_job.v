// SPDX-License-Identifier: Apache-2.0
// What a job does (timing.md 6.4): judged in LOAD, by the tables of that cycle, and held in registers from CALC on.
// Lines without a register follow from the job and its SM's row alone.
module tsr_job #(
`include "tsr_sizes.vh"
) (
  input                  clk_i,
  input  [8:0]           job_i,
  input                  loads_i,       // LOAD
  input                  is_second_i,
  input  [2:0]           event_kind_i,
  input                  is_current_i,  // a set-up done is
  input                  rounds_i,
  // The move, as the search found it.
  input  [MOVE_WIDTH-1:0] move_i,
  input                  target_good_i, // LOAD: valid, and uncovered if it takes idle SMs
  input                  is_own_i,      // LOAD: the SM was to be foreign, and is not
  input  [SM_ROW_WIDTH-1:0] sm_row_i,
  // LOAD: the KSR's row.
  input                  valid_i,
  input                  fresh_i,
  input                  handles_i,
  input                  last_out_i,    // `outstanding` is 1
  input                  has_room_i,    // in the ring, for the SM's TBs
  // What it does (tsr_effects.vh).
  output [16:0]          effects_o,
  output                 finds_none_o,   // there is no SM to take away
  output                 will_release_o, // LOAD
  output                 will_issue_o,
  // From CALC on.
  output                 rejected_o,
  output                 no_room_o,      // the trap was
  output                 bursts_o,
  output                 has_second_o,
  output                 valid_o         // the KSR's
);

`include "tsr_codes.vh"
`include "tsr_buses.vh"

  reg comes_back_q; // from LOAD on: the SM's kernel is the one that the move is for
  reg rejected_q, is_own_q, no_room_q, leaves_q, releases_q, finishes_q, refills_q, valid_q, issuable_q, handles_q;

  wire unused = &{1'b0, job_i[JOB_ACTIVATE], job_i[JOB_DEAL], job_i[JOB_SETUP], job_i[JOB_EVICT], move_i, sm_row_i};

  // The SM's row: its state in two bits, and its kernels.
  wire                 running   = sm_row_i[SM_RUNNING];
  wire                 reserved  = sm_row_i[SM_RESERVED];
  wire                 trapped   = sm_row_i[SM_TRAPPED];
  wire                 restoring = sm_row_i[SM_RESTORING];
  wire                 drains    = sm_row_i[SM_DRAINS];
  wire [KSR_WIDTH-1:0] ksr       = sm_row_i[SM_KSR +: KSR_WIDTH];
  wire [KSR_WIDTH-1:0] next      = sm_row_i[SM_NEXT +: KSR_WIDTH];
  wire                 holds_one = sm_row_i[SM_COUNT +: TB_COUNT_WIDTH] == {{(TB_COUNT_WIDTH-1){1'b0}}, 1'b1};
  wire                 is_take   = move_i[MOVE_IS_TAKE]; // else an assign

  // 1. Which job it is.
  wire moves = job_i[JOB_MOVE];
  wire   assigns     = moves && !is_take;
  wire   reserves    = moves && is_take && running;
  wire   retargets   = moves && is_take && reserved;
  wire   cancels     = retargets && drains && comes_back_q;
  assign finds_none_o = moves && is_take && !running && !reserved;
  wire   takes       = reserves || retargets && !cancels;
  wire   tb_done     = job_i[JOB_EVENT] && event_kind_i == TB_DONE;
  wire   saved       = job_i[JOB_EVENT] && event_kind_i == PREEMPTED && trapped;
  wire   restored    = job_i[JOB_EVENT] && event_kind_i == RESTORE_DONE;
  wire   answers     = job_i[JOB_EVENT] && event_kind_i == SETUP_DONE;
  wire   set_up      = answers && is_current_i && (running || reserved);

  // 2. LOAD: does the SM leave?
  wire issuable  = fresh_i || handles_i;
  wire no_room   = job_i[JOB_TRAP] && !has_room_i;
  wire leaves    = tb_done && holds_one && !restoring || job_i[JOB_LEAVE] || set_up;
  wire finishes  = tb_done && last_out_i && !issuable;
  assign will_issue_o   = issuable;
  assign will_release_o = !is_second_i && running && leaves && !issuable && !finishes;

  always @(posedge clk_i) begin
    comes_back_q <= move_i[MOVE_KSR +: KSR_WIDTH] == ksr;
    if (loads_i) begin
      valid_q    <= valid_i;
      issuable_q <= issuable;
      handles_q  <= handles_i;
      rejected_q <= no_room || moves && !is_second_i && (finds_none_o || !target_good_i || is_take && is_own_i);
      is_own_q   <= moves && is_take && !is_second_i && is_own_i;
      no_room_q  <= no_room;
      if (!is_second_i) begin
        leaves_q   <= leaves;
        finishes_q <= finishes;
      end
      releases_q <= will_release_o;
      refills_q  <= !is_second_i && tb_done && running && !restoring && fresh_i && !handles_i && !rounds_i;
    end
  end

  assign rejected_o   = rejected_q;
  assign no_room_o    = no_room_q;
  wire   hands_over   = reserved && leaves_q || saved;
  assign bursts_o     = job_i[JOB_ISSUE] || refills_q || assigns;
  assign has_second_o = reserves || retargets || hands_over && next != NO_KSR;
  assign valid_o      = valid_q;
  assign effects_o    = {assigns, reserves, retargets, cancels, takes, is_own_q, tb_done, saved, restored, answers, set_up,
                         hands_over, releases_q, finishes_q, refills_q, issuable_q, handles_q};

endmodule
