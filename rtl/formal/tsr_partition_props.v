// SPDX-License-Identifier: Apache-2.0
// tsr_search under static_partition, in front of any tables: SMs and kernels with their partitions, in which anything may
// change that a job may, at any time (timing.md 5.8).
module tsr_partition_props #(
  parameter S = 3, // SMs
  parameter K = 2, // KSRs
  parameter W = 1, // entries a step
  // Not to be set.
  parameter PW    = S > 1 ? $clog2(S) : 1,
  parameter KW    = $clog2(K + 1),
  parameter STEPS = (K + W - 1) / W
) (
  input            clk_i,
  input            shared_i, all_i, by_priority_i,
  input            command_i, tick_i, invokes_i, waits_i, queue_full_i, queue_empty_i, scanned_i, command_found_i,
  input            write_policy_i, write_tokens_i, write_priority_i, write_partition_i,
  input            has_more_i, any_idle_i, any_free_i, any_foreign_i, finds_none_i,
  input  [W-1:0]   entry_valid_i,
  input  [W*KW-1:0] entry_ksr_i,
  input  [W-1:0]   look_valid_i, look_uncovered_i, look_holds_i, look_context_i, look_has_due_i,
  input  [W*4-1:0] look_priority_i,
  input  [W*2-1:0] look_low_due_i, // the rest is constant
  input            picking_i, done_i, kernel_changes_i, sm_leaves_i, finishes_i,
  input  [PW-1:0]  kernel_partition_i, left_partition_i,
  input  [K*PW-1:0] kernel_partitions_i  // of kernels that enter
);

  reg  started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  // The tables: what the OS writes of an SM makes the search begin again; kernels enter while it activates.
  reg  [K*PW-1:0]  kernel_partition_q;
  wire [STEPS-1:0] step;
  wire             control_ready, offers_move, decided, is_idle;
  wire             is_take, of_foreign;
  wire [KW-1:0]    move_ksr, victim;
  integer          l, s, k;
  wire             is_on = 1'b1; // the policy

`include "tsr_partition_step.vh"
  wire [19:0] rules; // of static_partition
  tsr_policy_table #(.POLICIES(64)) policy (
    .policy_i(4'd6), .by_priority_i(by_priority_i), .rules_o(rules));

  wire            restarts = write_policy_i || write_tokens_i || write_priority_i || write_partition_i;
  always @(posedge clk_i) begin
    if (search_state[ACTIVATE]) kernel_partition_q <= kernel_partitions_i;
  end

  // Entries that pass.
  reg  [W*PW-1:0]  look_partition;
  always @* begin
    look_partition = 0;
    for (l = 0; l < W; l = l + 1) begin
      for (k = 0; k < K; k = k + 1) if (ksr_2[l*KW +: KW] == k) look_partition[l*PW +: PW] = kernel_partition_q[k*PW +: PW];
    end
  end

  wire [W*32-1:0] look_due;
  genvar g;
  generate
    for (g = 0; g < W; g = g + 1) begin : lanes
      assign look_due[g*32 +: 32] = {30'd0, look_low_due_i[g*2 +: 2]} << 30;
    end
  endgenerate

  // The buses (tsr_buses.vh).
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
    policy_bus[POLICY_SHARED]      = shared_i;
    policy_bus[POLICY_ALL]         = all_i;
    policy_bus[POLICY_RULES +: 20] = rules;
    os_write = 0;
    os_write[OS_POLICY]    = write_policy_i;
    os_write[OS_TOKENS]    = write_tokens_i;
    os_write[OS_PRIORITY]  = write_priority_i;
    os_write[OS_PARTITION] = write_partition_i;
    look_status[LOOK_VALID +: W]          = look_valid_i;
    look_status[LOOK_UNCOVERED +: W]      = look_uncovered_i;
    look_status[LOOK_HOLDS +: W]          = look_holds_i;
    look_status[LOOK_PRIORITY +: 4*W]     = look_priority_i;
    look_status[LOOK_CONTEXT +: W]        = look_context_i;
    look_launch[LOOK_HAS_DUE +: W]        = look_has_due_i;
    look_launch[LOOK_DUE +: 32*W]         = look_due;
    look_launch[LOOK_PARTITION +: PW*W]   = look_partition;
    changes[CHANGES_KERNEL]               = kernel_changes_i;
    changes[CHANGES_KERNEL_PARTITION +: PW] = kernel_partition_i;
    changes[CHANGES_SM]                   = sm_leaves_i;
    changes[CHANGES_SM_PARTITION +: PW]   = left_partition_i;
    changes[CHANGES_FINISHES]             = finishes_i;
  end

  tsr_search #(
    .NUM_SMS(S), .MAX_TBS_PER_SM(2), .NUM_KSRS(K), .NUM_COMMAND_BUFFERS(2), .NUM_CONTEXTS(2), .SEARCH_WIDTH(W),
    .TB_WIDTH(4), .POLICIES(64), .WAIT_WIDTH(3)
  ) dut (
    .clk_i(clk_i), .rst_ni(started_q), .activation_cycles_i(3'd1), .step_cycles_i(3'd1), .policy_i(policy_bus),
    .kept_turn_i(5'd0), .any_holds_i(1'b0), .command_i(command_i), .tick_i(tick_i), .invokes_i(invokes_i),
    .os_write_i(os_write), .control_ready_o(control_ready), .changing_hands_i(1'b0),
    .linger_priority_i(4'd0),
    .waits_i(waits_i), .queue_full_i(queue_full_i), .queue_empty_i(queue_empty_i), .scanned_i(scanned_i),
    .command_found_i(command_found_i), .command_context_i(1'b0), .step_o(step), .entry_valid_i(entry_valid_i),
    .entry_ksr_i(entry_ksr_i), .has_more_i(has_more_i && !step[STEPS-1]), .any_idle_i(any_idle_i), .any_free_i(any_free_i && any_idle_i),
    .any_foreign_i(any_foreign_i), .look_status_i(look_status), .look_launch_i(look_launch),
    .look_left_i({W*10{1'b0}}), .picking_i(picking_i),
    .offers_move_o(offers_move), .move_o(move),
    .done_i(done_i), .finds_none_i(finds_none_i), .changes_i(changes), .decided_o(decided),
    .is_idle_o(is_idle));

  assume_control: assume property (!restarts || control_ready);
  assume_reset: assume property (started_q || !restarts);

  // A queue has KSRs alone.
  reg entries_exist;
  always @* begin
    entries_exist = 1'b1;
    for (l = 0; l < W; l = l + 1) if (entry_valid_i[l] && entry_ksr_i[l*KW +: KW] >= K) entries_exist = 1'b0;
  end
  assume_entries: assume property (entries_exist);

  // ---- what has changed ---------------------------------------------------------------------------------------------

  wire scans   = search_state[BEGIN] && waits_i && !queue_full_i;
  reg  chooses_q, wrote_policy_q, survey_before_q;
  reg  [S-1:0] dirty_before_q, behind_before_q;
  reg  [S-1:0] expected; // the step's bit
  wire [S-1:0] step_bit = \dut.g_partitions.u_partitions.step_q ;
  wire chooses = !restarts && (search_state[BEGIN] && !scans || search_state[SCAN] && scanned_i && !command_found_i);
  always @(posedge clk_i) begin
    {chooses_q, wrote_policy_q, survey_before_q} <= {chooses, write_policy_i, survey} & {3{started_q}};
    {dirty_before_q, behind_before_q}            <= {dirty, behind} & {2*S{started_q}};
  end
  integer p;
  always @* begin // the first behind the last, round
    expected = 0;
    for (p = S - 1; p >= 0; p = p - 1) if (dirty_before_q[p]) expected = 1 << p;
    for (p = S - 1; p >= 0; p = p - 1) if (dirty_before_q[p] && behind_before_q[p]) expected = 1 << p;
  end
  wire begins_step = chooses_q && !survey_before_q && dirty_before_q != 0;
  bit_stays_until_its_step: assert property (!started_q || wrote_policy_q ||
    (dirty_before_q & ~dirty & ~(begins_step ? step_bit : {S{1'b0}})) == 0);
  step_is_the_next_in_turn: assert property (!started_q || !begins_step || has_partition && step_bit == expected &&
    expected == {{(S-1){1'b0}}, 1'b1} << partition);
  no_rest_while_something_has_changed: assert property (!started_q || !decided || dirty == 0 && !survey);

  cover_partition_entries_pass_in_order: assert property (!started_q || !(search_state[JUDGE] && has_partition));
  cover_entries_that_count_are_the_steps: assert property (!started_q || !(pass_3 && \dut.u_walk.entries_q [EW-1]));
  cover_found_is_the_steps: assert property (!started_q || !(search_state[JUDGE] && a_valid && v_valid));
  cover_move_is_for_the_steps_kernel: assert property (!started_q || !(offers_move && is_take && !of_foreign && partition != 0));
  cover_bit_stays_until_its_step: assert property (!started_q || !(begins_step && (dirty_before_q & dirty) != 0));
  cover_step_is_the_next_in_turn: assert property (!started_q || !(begins_step && behind_before_q[S-1] && (expected & behind_before_q) == 0));
  cover_no_rest_while_something_has_changed: assert property (!started_q || !(decided && has_partition));

endmodule
