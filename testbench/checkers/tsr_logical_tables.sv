// SPDX-License-Identifier: Apache-2.0
// The tables of timing.md 4.1 as they are meant, for the checkers beside it: wherever a field stands, a row of
// the KSRT is a row here. Names of registers resolve upwards, into tsr_scheduler.
// verilator coverage_off
module tsr_logical_tables #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam bit HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;

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
  // The policy's rules, what is by order settled.
  wire [RULES-1:0]                        row      = policy_row(4'(tsr_scheduler.u_policy_register.policy_q));
  wire [RULES-1:0]                        by_order = {RULES{|(row & ENTERS_BY_ORDER)}} & (ENTERS_BY_PRIORITY | ENTERS_BY_DUE) |
                                                     {RULES{|(row & KEY_ORDER)}} & (KEY_PRIORITY | KEY_DUE);
  wire [RULES-1:0]                        rules    = row | by_order & (tsr_scheduler.u_policy_register.is_by_priority ?
                                                     ENTERS_BY_PRIORITY | KEY_PRIORITY : ENTERS_BY_DUE | KEY_DUE);
  // Set-ups (3.11).
  wire [NUM_SMS-1:0][TAG_BITS-1:0]         sm_tag;
  wire [NUM_SMS-1:0][TAG_WIDTH:0]          sm_unanswered;
  wire [NUM_SMS-1:0]                       sm_full;      // no more can be sent
  // Partitions.
  wire [NUM_KSRS-1:0][PARTITION_WIDTH-1:0] partition_of;
  wire [NUM_SMS-1:0][PARTITION_WIDTH-1:0]  sm_partition;
  wire [NUM_SMS-1:0]                      sm_foreign;    // may be
  wire                                    has_partition; // the search's step
  wire [PARTITION_WIDTH-1:0]              partition;
  wire                                    has_more;      // of partitions to look at

  for (genvar k = 0; k < NUM_KSRS; k++) begin : g_ksr
    wire [TB_WIDTH-1:0] not_left;
    if (REFILL == 0) begin : g_whole
      assign {next_tb[k], not_left, outstanding[k], preempted[k], covered[k], head[k], owned[k], reserved[k],
              tbs_per_sm[k]} = u_ksr_row.u_rows.mem_q[k];
    end else begin : g_shared // what the lane steps, what it reads beside, and the rest
      localparam int L = LOW_TB_WIDTH;
      wire [STEP_WIDTH-1:0] step = u_events.g_refill.u_lane.u_steps.u_steps.mem_q[k][STEP_WIDTH-1:0];
      wire [BASE_WIDTH-1:0] base = u_events.g_refill.u_lane.u_steps.u_bases.mem_q[k][BASE_WIDTH-1:0];
      assign {next_tb[k][L-1:0], not_left[L-1:0], covered[k], outstanding[k]} = step;
      assign {owned[k], reserved[k]} = base[2*SM_WIDTH-1:0];
      assign {preempted[k], head[k], tbs_per_sm[k]} =
        u_ksr_row.u_rows.mem_q[k][SLOT_WIDTH+RING_ADDRESS+TB_COUNT_WIDTH-1:0];
      if (TB_WIDTH > L) begin : g_high
        assign next_tb[k][TB_WIDTH-1:L] = base[BASE_WIDTH-1 -: TB_WIDTH-L];
        assign not_left[TB_WIDTH-1:L]   =
          u_ksr_row.u_rows.mem_q[k][SLOT_WIDTH+RING_ADDRESS+TB_COUNT_WIDTH +: TB_WIDTH-L];
      end
    end
    assign remaining[k]  = ~not_left;
    assign descriptor[k] = u_descriptors.u_words.mem_q[k][DESCRIPTOR_WIDTH-1:0];
    if (PTBQ_DEPTH < NUM_SMS * MAX_TBS_PER_SM) begin : g_small
      assign promised[k] = u_ksr_row.u_promised.g_small.u_places.mem_q[k];
    end else begin : g_room
      assign promised[k] = '0;
    end
    if ((POLICIES & policies_with(ANY_DUE)) != 0) begin : g_due
      assign {has_due[k], due[k]} = u_ksr_status.g_due.g_lane_due[0].u_dues.mem_q[k];
    end else begin : g_no_due
      assign {has_due[k], due[k]} = '0;
    end
    if (HAS_PARTITIONS) begin : g_partition
      assign partition_of[k] = u_ksr_status.g_partition.g_lane_partition[0].u_partitions.mem_q[k][PARTITION_WIDTH-1:0];
    end else begin : g_no_partition
      assign partition_of[k] = '0;
    end
  end

  if (TAG_WIDTH != 0) begin : g_tags
    assign sm_tag        = u_smst.u_set_ups.g_tags.u_tags.tag_q;
    assign sm_unanswered = u_smst.u_set_ups.g_tags.u_tags.unanswered_q;
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
      assign sm_full[i] = sm_unanswered[i][TAG_WIDTH];
    end
  end else begin : g_no_tags
    assign {sm_tag, sm_unanswered, sm_full} = '0;
  end

  if (HAS_PARTITIONS) begin : g_partitions
    assign sm_partition  = u_smst.u_partitions.g_partition.partition_q;
    assign sm_foreign    = u_smst.u_partitions.g_partition.foreign_q;
    assign has_partition = u_search.g_partitions.u_partitions.has_partition_q;
    assign partition     = u_search.g_partitions.u_partitions.partition_q;
    assign has_more      = |(rules & IN_PARTITIONS) &&
                           (u_search.g_partitions.u_partitions.survey_q || u_search.g_partitions.u_partitions.dirty_q != '0);
  end else begin : g_no_partitions
    assign {sm_partition, sm_foreign, has_partition, partition, has_more} = '0;
  end

  // A write of this control register makes the search begin again.
  function automatic logic restarts(logic [2:0] register);
    return register < CONTROL_PAGE_TABLE || HAS_PARTITIONS && register == CONTROL_PARTITION;
  endfunction

  // Of kernel k, or of none: has it TBs to issue?
  function automatic logic is_issuable(int k);
    return k < NUM_KSRS && (remaining[k] != '0 || preempted[k] != '0);
  endfunction
endmodule
// verilator coverage_on
