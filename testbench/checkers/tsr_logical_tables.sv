// SPDX-License-Identifier: Apache-2.0
// The tables of docs/timing.md 4.1 as they are meant, for the checkers beside it: wherever a field stands, a row of
// the KSRT is a row here. Names of registers resolve upwards, into tsr_scheduler.
// verilator coverage_off
module tsr_logical_tables #(
`include "tsr_sizes.vh"
) ();

  // Of rows that are not valid: whatever there is.
  wire [NUM_KSRS-1:0]                     valid    = u_ksr_status.valid_q;
  wire [NUM_KSRS-1:0][CONTEXT_ADDRESS-1:0] context_of = u_ksr_status.context_q;
  wire [NUM_KSRS-1:0][3:0]                priority_of = u_ksr_status.priority_q;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]       next_tb, remaining;
  wire [NUM_KSRS-1:0][SLOT_WIDTH-1:0]     outstanding, preempted, covered, promised;
  wire [NUM_KSRS-1:0][RING_ADDRESS-1:0]   head;
  wire [NUM_KSRS-1:0][SM_WIDTH-1:0]       owned, reserved;
  wire [NUM_KSRS-1:0][TB_COUNT_WIDTH-1:0] tbs_per_sm;
  wire [NUM_KSRS-1:0][DESCRIPTOR_WIDTH-1:0] descriptor;
  wire [NUM_KSRS-1:0]                     has_due;
  wire [NUM_KSRS-1:0][DUE_WIDTH-1:0]      due;

  for (genvar k = 0; k < NUM_KSRS; k++) begin : g_ksr
    wire [TB_WIDTH-1:0] not_left;
    assign {next_tb[k], not_left, outstanding[k], preempted[k], covered[k], head[k], owned[k], reserved[k], tbs_per_sm[k]} =
      u_ksr_row.u_rows.mem_q[k];
    assign remaining[k]  = ~not_left;
    assign descriptor[k] = u_descriptors.mem_q[k];
    if (PTBQ_DEPTH < NUM_SMS * MAX_TBS_PER_SM) begin : g_small
      assign promised[k] = u_ksr_row.u_promised.g_small.u_places.mem_q[k];
    end else begin : g_room
      assign promised[k] = '0;
    end
    if (((POLICIES >> 5) & 1) != 0) begin : g_due
      assign {has_due[k], due[k]} = u_ksr_status.g_due.g_lane_due[0].u_dues.mem_q[k];
    end else begin : g_no_due
      assign {has_due[k], due[k]} = '0;
    end
  end

  // Of kernel k, or of none: has it TBs to issue?
  function automatic logic is_issuable(int k);
    return k < NUM_KSRS && (remaining[k] != '0 || preempted[k] != '0);
  endfunction
endmodule
// verilator coverage_on
