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
  input  [1:0]           move_kind_i,
  input  [KSR_WIDTH-1:0] move_ksr_i,
  input  [KSR_WIDTH-1:0] claimant_i,    // whom the SM counted against
  input                  target_good_i, // LOAD: valid, and uncovered if it takes idle SMs
  // The SM's row.
  input                  running_i,     // its state, two bits
  input                  reserved_i,
  input                  trapped_i,
  input                  restoring_i,
  input                  drains_i,
  input  [KSR_WIDTH-1:0] ksr_i,
  input  [KSR_WIDTH-1:0] next_i,
  input                  holds_one_i,   // `running` is 1
  // LOAD: the KSR's row.
  input                  valid_i,
  input                  fresh_i,
  input                  handles_i,
  input                  last_out_i,    // `outstanding` is 1
  input                  has_room_i,    // in the ring, for the SM's TBs
  // Moves.
  output                 assigns_o,
  output                 reserves_o,
  output                 retargets_o,
  output                 cancels_o,
  output                 takes_o,       // the SM is reserved for the move's kernel
  // Events.
  output                 tb_done_o,
  output                 saved_o,
  output                 restored_o,
  output                 answers_o,     // set-up done
  output                 set_up_o,      // it is current, and the kernel is still there
  output                 will_release_o, // LOAD
  output                 will_issue_o,
  // From CALC on.
  output                 rejected_o,
  output                 no_room_o,     // the trap was
  output                 hands_over_o,
  output                 releases_o,
  output                 finishes_o,
  output                 refills_o,
  output                 issues_o,
  output                 has_second_o,
  output                 valid_o,       // the KSR's
  output                 issuable_o,
  output                 handles_o
);

`include "tsr_codes.vh"

  reg rejected_q, no_room_q, leaves_q, releases_q, finishes_q, refills_q, valid_q, issuable_q, handles_q;

  wire unused = &{1'b0, job_i[JOB_ACTIVATE], job_i[JOB_DEAL], job_i[JOB_SETUP], job_i[JOB_EVICT]};

  // 1. Which job it is.
  wire moves = job_i[JOB_MOVE];
  assign assigns_o   = moves && move_kind_i == ASSIGN;
  assign reserves_o  = moves && move_kind_i == RESERVE;
  assign retargets_o = moves && move_kind_i == RETARGET;
  assign cancels_o   = retargets_o && drains_i && move_ksr_i == ksr_i;
  assign takes_o     = reserves_o || retargets_o && !cancels_o;
  assign tb_done_o   = job_i[JOB_EVENT] && event_kind_i == TB_DONE;
  assign saved_o     = job_i[JOB_EVENT] && event_kind_i == PREEMPTED && trapped_i;
  assign restored_o  = job_i[JOB_EVENT] && event_kind_i == RESTORE_DONE;
  assign answers_o   = job_i[JOB_EVENT] && event_kind_i == SETUP_DONE;
  assign set_up_o    = answers_o && is_current_i && (running_i || reserved_i);

  // 2. LOAD: is the SM as it was seen, and does it leave?
  wire issuable  = fresh_i || handles_i;
  wire as_seen   = assigns_o ? !running_i && !reserved_i :
                   reserves_o ? running_i && ksr_i == claimant_i : reserved_i && next_i == claimant_i;
  wire no_room   = job_i[JOB_TRAP] && !has_room_i;
  wire leaves    = tb_done_o && holds_one_i && !restoring_i || job_i[JOB_LEAVE] || set_up_o;
  wire finishes  = tb_done_o && last_out_i && !issuable;
  assign will_issue_o   = issuable;
  assign will_release_o = !is_second_i && running_i && leaves && !issuable && !finishes;

  always @(posedge clk_i) begin
    if (loads_i) begin
      valid_q    <= valid_i;
      issuable_q <= issuable;
      handles_q  <= handles_i;
      rejected_q <= no_room || moves && !is_second_i && !(as_seen && target_good_i);
      no_room_q  <= no_room;
      if (!is_second_i) begin
        leaves_q   <= leaves;
        finishes_q <= finishes;
      end
      releases_q <= will_release_o;
      refills_q  <= !is_second_i && tb_done_o && running_i && !restoring_i && fresh_i && !handles_i && !rounds_i;
    end
  end

  assign rejected_o   = rejected_q;
  assign no_room_o    = no_room_q;
  assign hands_over_o = reserved_i && leaves_q || saved_o;
  assign releases_o   = releases_q;
  assign finishes_o   = finishes_q;
  assign refills_o    = refills_q;
  assign issues_o     = job_i[JOB_ISSUE] || refills_q;
  assign has_second_o = reserves_o || retargets_o || hands_over_o && next_i != NO_KSR;
  assign valid_o      = valid_q;
  assign issuable_o   = issuable_q;
  assign handles_o    = handles_q;

endmodule
