// SPDX-License-Identifier: Apache-2.0
// Lingers of tsr_scheduler (timing.md 3.8), worked out again from what the pins tell of a WRITE in the cycle after
// it, and from SMs that were not idle before it.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_linger_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire [NUM_SMS-1:0] idle = ~u_smst.running_q & ~u_smst.reserved_q;
  wire policy_write = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o &&
                      tsr_scheduler.control_reg_i == CONTROL_POLICY;

  logic               lingers, was_on, starts; // was_on: in the cycle before
  logic [3:0]         for_priority;
  logic [NUM_SMS-1:0] kept;

  // Of the cycle before: that of the WRITE.
  logic                     past_ok, past_may, past_over, past_write;
  logic [NUM_SMS-1:0]       past_idle;
  logic [NUM_KSRS-1:0][3:0] past_priority;
  logic [KSR_WIDTH-1:0]     past_ksr;

  logic               is_left, to_nobody;
  logic [3:0]         its_priority;
  logic [NUM_SMS-1:0] has_become_idle;

  task automatic step();
    has_become_idle = idle & ~past_idle;
    to_nobody       = tsr_scheduler.events_released_o && tsr_scheduler.events_preempted_o;
    is_left         = tsr_scheduler.events_released_o && !to_nobody || tsr_scheduler.kernel_done_valid_o;
    its_priority    = int'(past_ksr) < NUM_KSRS ? past_priority[int'(past_ksr)] : '0;
    // 1. An SM that somebody has got is nobody's any more; one that was to go to a kernel which needs it no more is kept
    // like others.
    kept = kept & idle;
    if (to_nobody && lingers) kept = kept | has_become_idle;
    // 2. A linger ends.
    if (past_over && !starts) lingers = 1'b0;
    // 3. A kernel has left SMs.
    starts = past_may && is_left && (!was_on || its_priority >= for_priority);
    if (starts) begin
      kept         = (its_priority == for_priority ? kept : '0) | has_become_idle;
      for_priority = its_priority;
      lingers      = 1'b1;
    end
    if (past_write) lingers = 1'b0;
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {lingers, starts, for_priority, kept, past_ok, was_on} = '0;
    end else begin
      if (past_ok) step();
      linger_is_on_when_sms_were_left: assert (u_linger.lingers_q == lingers);
      linger_start_on_the_pins: assert (tsr_scheduler.linger_start_o == starts);
      linger_is_for_its_priority: assert (!lingers || u_linger.priority_q == for_priority);
      kept_sms_are_those_that_were_left: assert (u_smst.kept_q == kept) else $error("%b, not %b", u_smst.kept_q, kept);
      past_ok       = 1'b1;
      past_may      = tsr_scheduler.strap_linger_i && |(u_logical_tables.rules & KEEPS_SMS);
      past_over     = tsr_scheduler.linger_over_i;
      past_write    = policy_write;
      past_idle     = idle;
      past_priority = u_logical_tables.priority_of;
      past_ksr      = tsr_scheduler.ksr_q;
      was_on        = lingers;
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
