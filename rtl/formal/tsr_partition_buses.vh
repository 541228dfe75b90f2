// SPDX-License-Identifier: Apache-2.0
// The buses between tsr_search and what properties put around it under static_partition (tsr_buses.vh).
//
// From the includer: all changed_partition finishes_i is_take kernel_changes KW left_partition look_context look_due
//   look_has_due look_holds look_partition look_priority look_uncovered look_valid move_ksr of_foreign PW rules shared
//   sm_leaves victim W write_partition_i write_policy_i write_priority_i write_tokens_i
// For others: changes look_launch look_status move os_write policy_bus

  localparam SEARCH_WIDTH = W, KSR_WIDTH = KW, DUE_WIDTH = 32, PARTITION_WIDTH = PW;
`include "tsr_buses.vh"
  reg  [26:0]                   policy_bus;
  reg  [22:0]                   os_write;
  reg  [W*8-1:0]                look_status;
  reg  [W*(33+PW)-1:0]          look_launch;
  reg  [2*PW+2:0]               changes;
  wire [2*KW+12:0]              move;
  assign is_take    = move[MOVE_IS_TAKE];
  assign of_foreign = move[MOVE_OF_FOREIGN];
  assign move_ksr   = move[MOVE_KSR +: KW];
  assign victim     = move[MOVE_VICTIM +: KW];
  always @* begin
    policy_bus = 0;
    policy_bus[POLICY_SHARED]      = shared;
    policy_bus[POLICY_ALL]         = all;
    policy_bus[POLICY_RULES +: 20] = rules;
    os_write = 0;
    os_write[OS_POLICY]    = write_policy_i;
    os_write[OS_TOKENS]    = write_tokens_i;
    os_write[OS_PRIORITY]  = write_priority_i;
    os_write[OS_PARTITION] = write_partition_i;
    look_status[LOOK_VALID +: W]          = look_valid;
    look_status[LOOK_UNCOVERED +: W]      = look_uncovered;
    look_status[LOOK_HOLDS +: W]          = look_holds;
    look_status[LOOK_PRIORITY +: 4*W]     = look_priority;
    look_status[LOOK_CONTEXT +: W]        = look_context;
    look_launch[LOOK_HAS_DUE +: W]        = look_has_due;
    look_launch[LOOK_DUE +: 32*W]         = look_due;
    look_launch[LOOK_PARTITION +: PW*W]   = look_partition;
    changes[CHANGES_KERNEL]               = kernel_changes;
    changes[CHANGES_KERNEL_PARTITION +: PW] = changed_partition;
    changes[CHANGES_SM]                   = sm_leaves;
    changes[CHANGES_SM_PARTITION +: PW]   = left_partition;
    changes[CHANGES_FINISHES]             = finishes_i;
  end
