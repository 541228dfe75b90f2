// SPDX-License-Identifier: Apache-2.0
// Which SM a job is about (timing.md 6.1, 6.3): the first of those that ask, in PICK and FIND; of an assign, the next
// one in each cycle of BURST.
module tsr_sm_find #(
`include "tsr_sizes.vh"
) (
  input                clk_i,
  input                rst_ni,
  input  [8:0]         picks_i,
  input  [8:0]         job_i,
  input  [7:0]         phase_i,
  input  [SM_WIDTH-1:0] event_sm_i,
  // Who asks, by the registers of PICK.
  input  [NUM_SMS-1:0] leaves_i,
  input  [NUM_SMS-1:0] traps_i,
  input  [NUM_SMS-1:0] set_ups_i,
  input  [NUM_SMS-1:0] wants_i,   // and of FIND: a tick may come between
  input  [NUM_SMS-1:0] lane_row_i,
  input  [NUM_SMS-1:0] victims_i, // of a take
  input  [NUM_SMS-1:0] idle_i,    // BURST of an assign
  output [NUM_SMS-1:0] first_o,   // FIND: the one
  output [NUM_SMS-1:0] next_o,    // BURST: the first of the idle ones
  output               any_idle_o,
  output [NUM_SMS-1:0] row_o,     // in the cycle after
  output               found_o,   // SM: there is one
  output [SM_WIDTH-1:0] sm_o
);

`include "tsr_codes.vh"

  localparam [NUM_SMS-1:0] NONE = {NUM_SMS{1'b0}};

  reg  [NUM_SMS-1:0] row_q, behind_q; // behind the SM of the last issue job
  reg                found_q;
  wire unused = &{1'b0, picks_i[JOB_ACTIVATE], picks_i[JOB_DEAL], picks_i[JOB_EVENT],
                  picks_i[JOB_EVICT], job_i[JOB_ACTIVATE], job_i[JOB_DEAL], job_i[JOB_LEAVE], job_i[JOB_TRAP],
                  job_i[JOB_SETUP], job_i[JOB_EVICT], phase_i[SM], phase_i[ROW], phase_i[LOAD], phase_i[CALC],
                  phase_i[WRITE]};

  // 1. PICK keeps who asks; FIND puts in their place the first of them, or the SM of an event.
  wire [NUM_SMS-1:0] turn = REFILL != 0 ? lane_row_i : |(wants_i & behind_q) ? wants_i & behind_q : wants_i;
  wire [NUM_SMS-1:0] event_row, first, behind;
  wire               is_found;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_event (.valid_i(1'b1), .index_i(event_sm_i), .row_o(event_row));
  tsr_round_robin #(.COUNT(NUM_SMS)) u_first (
    .asks_i(row_q), .behind_i(NONE), .any_o(is_found), .next_o(first), .behind_o(behind));
  assign first_o = job_i[JOB_EVENT] ? event_row : first;

  // 2. The next idle one; not through the same gates, since its SM is given in this cycle.
  wire [NUM_SMS-1:0] unused_behind;
  tsr_round_robin #(.COUNT(NUM_SMS)) u_next (
    .asks_i(idle_i), .behind_i(NONE), .any_o(any_idle_o), .next_o(next_o), .behind_o(unused_behind));

  always @(posedge clk_i) begin
    if (phase_i[PICK]) begin
      row_q <= leaves_i & {NUM_SMS{picks_i[JOB_LEAVE]}} | traps_i & {NUM_SMS{picks_i[JOB_TRAP]}} |
               set_ups_i & {NUM_SMS{picks_i[JOB_SETUP]}} | victims_i & {NUM_SMS{picks_i[JOB_MOVE]}} |
               turn & {NUM_SMS{picks_i[JOB_ISSUE] || REFILL != 0 && picks_i[JOB_EVENT]}};
    end else if (phase_i[FIND]) begin
      row_q <= first_o;
    end else if (phase_i[BURST] && job_i[JOB_MOVE]) begin
      row_q <= next_o;
    end
    found_q <= !(phase_i[FIND] && job_i[JOB_MOVE]) || is_found;
    if (!rst_ni || REFILL != 0)                 behind_q <= NONE;
    else if (phase_i[FIND] && job_i[JOB_ISSUE]) behind_q <= behind;
  end
  assign row_o   = row_q;
  assign found_o = found_q;
  tsr_encode #(.COUNT(NUM_SMS)) u_index (.row_i(row_q), .none_i(1'b0), .index_o(sm_o));

endmodule
