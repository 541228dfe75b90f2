// SPDX-License-Identifier: Apache-2.0
// tsr_search under static_partition, in front of any tables: SMs and kernels with their partitions, in which anything may
// change that a job may, at any time (timing.md 5.8).
module tsr_partition_props #(
  parameter S = 3, // SMs
  parameter K = 2, // KSRs
  parameter W = 1, // rows a step
  // Not to be set.
  parameter PW    = S > 1 ? $clog2(S) : 1,
  parameter MW    = $clog2(S + 1),
  parameter KW    = $clog2(K + 1),
  parameter STEPS = ((S > K ? S : K) + W - 1) / W
) (
  input            clk_i,
  input            shared_i, all_i, by_priority_i,
  input            command_i, tick_i, invokes_i, waits_i, queue_full_i, queue_empty_i, scanned_i, command_found_i,
  input            write_policy_i, write_tokens_i, write_priority_i, write_partition_i,
  input  [W-1:0]   entry_valid_i, sm_idle_i, sm_free_i, sm_reserved_i, sm_counts_i,
  input  [W*KW-1:0] entry_ksr_i, sm_ksr_i,
  input  [W-1:0]   look_valid_i, look_uncovered_i, look_holds_i, look_context_i, look_has_due_i,
  input  [W*4-1:0] look_priority_i,
  input  [W*2-1:0] look_low_due_i, // the rest is constant
  input            picking_i, done_i, kernel_changes_i, sm_leaves_i, finishes_i,
  input  [PW-1:0]  kernel_partition_i, left_partition_i,
  input  [S*PW-1:0] sm_partitions_i,     // as the OS writes them
  input  [K*PW-1:0] kernel_partitions_i  // of kernels that enter
);

  localparam BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7; // states, a bit each

  reg  started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  // ---- what properties know of its inside ---------------------------------------------------------------------------

(* hierconn *) wire [11:0]      \dut.state_q ;
(* hierconn *) wire             \dut.second_q ;
(* hierconn *) wire             \dut.u_walk.pass_1_q ;
(* hierconn *) wire             \dut.u_walk.pass_2_q ;
(* hierconn *) wire             \dut.u_walk.compares_o ;
(* hierconn *) wire [MW-1:0]    \dut.u_walk.row_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.idle_1_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.free_1_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.counts_1_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.idle_2_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.free_2_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.counts_2_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.is_idle_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.is_free_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.counts_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.in_queue_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.entry_1_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.entry_2_q ;
(* hierconn *) wire [W*KW-1:0]  \dut.u_walk.ksr_1_q ;
(* hierconn *) wire [W*KW-1:0]  \dut.u_walk.ksr_2_q ;
(* hierconn *) wire [W*KW-1:0]  \dut.u_walk.ksr_o ;
(* hierconn *) wire             \dut.u_policy.a_valid_q ;
(* hierconn *) wire             \dut.u_policy.b_valid_q ;
(* hierconn *) wire [KW-1:0]    \dut.u_policy.a_ksr_q ;
(* hierconn *) wire [KW-1:0]    \dut.u_policy.b_ksr_q ;
(* hierconn *) wire             \dut.u_policy.is_a_q ;
(* hierconn *) wire             \dut.u_policy.gets_kept_q ;
(* hierconn *) wire             \dut.u_policy.idle_found_q ;
(* hierconn *) wire             \dut.u_policy.free_found_q ;
(* hierconn *) wire [MW-1:0]    \dut.u_policy.idle_sm_q ;
(* hierconn *) wire [MW-1:0]    \dut.u_policy.free_sm_q ;
(* hierconn *) wire             \dut.u_policy.victim_found_q ;
(* hierconn *) wire [MW-1:0]    \dut.u_policy.victim_sm_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.dirty_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.behind_q ;
(* hierconn *) wire             \dut.g_partitions.u_partitions.survey_q ;
(* hierconn *) wire             \dut.g_partitions.u_partitions.has_partition_q ;
(* hierconn *) wire [PW-1:0]    \dut.g_partitions.u_partitions.partition_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.step_q ;
  wire [11:0]   search_state  = \dut.state_q ;
  wire          second        = \dut.second_q ;
  wire          pass_1        = \dut.u_walk.pass_1_q ;
  wire          pass_2        = \dut.u_walk.pass_2_q ;
  wire          pass_3        = \dut.u_walk.compares_o ;
  wire          has_partition = \dut.g_partitions.u_partitions.has_partition_q ;
  wire [PW-1:0] partition     = \dut.g_partitions.u_partitions.partition_q ;
  wire [S-1:0]  dirty         = \dut.g_partitions.u_partitions.dirty_q ;
  wire [S-1:0]  behind        = \dut.g_partitions.u_partitions.behind_q ;
  wire          survey        = \dut.g_partitions.u_partitions.survey_q ;
  wire          is_a          = \dut.u_policy.is_a_q ;

  // The tables: what the OS writes of an SM makes the search begin again; kernels enter while it activates.
  reg  [S*PW-1:0] sm_partition_q;
  reg  [K*PW-1:0] kernel_partition_q;
  wire            restarts = write_policy_i || write_tokens_i || write_priority_i || write_partition_i;
  always @(posedge clk_i) begin
    if (write_partition_i)      sm_partition_q     <= sm_partitions_i;
    if (search_state[ACTIVATE]) kernel_partition_q <= kernel_partitions_i;
  end

  // Rows that pass.
  wire [STEPS-1:0] step;
  wire [W*KW-1:0]  ksr_2 = \dut.u_walk.ksr_2_q ;
  reg  [W*PW-1:0]  sm_partition, look_partition;
  reg  [W-1:0]     exists;
  integer l, s, k;
  always @* begin
    {sm_partition, look_partition, exists} = 0;
    for (l = 0; l < W; l = l + 1) begin
      for (s = 0; s < S; s = s + 1) begin
        if (s % W == l && step[s / W]) begin
          sm_partition[l*PW +: PW] = sm_partition_q[s*PW +: PW];
          exists[l] = 1'b1;
        end
      end
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

  wire          control_ready, offers_move, decided, is_idle;
  wire [1:0]    move_kind;
  wire [MW-1:0] move_sm;
  wire [KW-1:0] move_ksr;
  tsr_search #(
    .NUM_SMS(S), .MAX_TBS_PER_SM(2), .NUM_KSRS(K), .NUM_COMMAND_BUFFERS(2), .NUM_CONTEXTS(2), .SEARCH_WIDTH(W),
    .TB_WIDTH(4), .POLICIES(64), .WAIT_WIDTH(3)
  ) dut (
    .clk_i(clk_i), .rst_ni(started_q), .activation_cycles_i(3'd1), .step_cycles_i(3'd1), .policy_i(3'd6),
    .shared_i(shared_i), .all_i(all_i), .debt_i(2'd0), .by_process_i(1'b0), .by_priority_order_i(by_priority_i),
    .command_i(command_i), .tick_i(tick_i), .invokes_i(invokes_i), .write_policy_i(write_policy_i),
    .write_tokens_i(write_tokens_i), .write_priority_i(write_priority_i), .write_partition_i(write_partition_i),
    .write_context_i(1'b0), .control_ready_o(control_ready), .changing_hands_i(1'b0), .linger_priority_i(4'd0),
    .waits_i(waits_i), .queue_full_i(queue_full_i), .queue_empty_i(queue_empty_i), .scanned_i(scanned_i),
    .command_found_i(command_found_i), .command_context_i(1'b0), .step_o(step), .entry_valid_i(entry_valid_i),
    .entry_ksr_i(entry_ksr_i), .sm_idle_i(sm_idle_i & exists), .sm_free_i(sm_free_i & sm_idle_i & exists),
    .sm_reserved_i(sm_reserved_i), .sm_counts_i(sm_counts_i & exists), .sm_ksr_i(sm_ksr_i),
    .sm_partition_i(sm_partition), .look_valid_i(look_valid_i), .look_uncovered_i(look_uncovered_i),
    .look_holds_i(look_holds_i), .look_context_i(look_context_i), .look_priority_i(look_priority_i),
    .look_has_due_i(look_has_due_i), .look_due_i(look_due), .look_partition_i(look_partition),
    .look_left_i({W*10{1'b0}}), .picking_i(picking_i),
    .offers_move_o(offers_move), .move_kind_o(move_kind), .move_sm_o(move_sm), .move_ksr_o(move_ksr),
    .done_i(done_i), .kernel_changes_i(kernel_changes_i), .kernel_partition_i(kernel_partition_i),
    .sm_leaves_i(sm_leaves_i), .left_partition_i(left_partition_i), .finishes_i(finishes_i), .decided_o(decided),
    .is_idle_o(is_idle));

  assume_control: assume property (!restarts || control_ready);
  assume_reset: assume property (started_q || !restarts);

  wire is_walking = search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE];

  // ---- rows on their way --------------------------------------------------------------------------------------------

  reg  [7:0] passed_3_q, step_index; // rows compared; whose turn it is
  wire [7:0] passed_2 = passed_3_q + pass_3;
  wire [7:0] passed_1 = passed_2 + pass_2;
  wire [7:0] passed   = passed_1 + pass_1;
  always @(posedge clk_i) begin
    if (!started_q || search_state[BEGIN] || search_state[JUDGE]) passed_3_q <= 0;
    else if (pass_3) passed_3_q <= passed_3_q + 1;
  end

  function is_own(input [7:0] sm);
    integer i;
    begin
      is_own = 1'b0;
      for (i = 0; i < S; i = i + 1) if (sm == i) is_own = has_partition && sm_partition_q[i*PW +: PW] == partition;
    end
  endfunction
  function is_kernels(input [KW-1:0] ksr);
    integer i;
    begin
      is_kernels = 1'b0;
      for (i = 0; i < K; i = i + 1) if (ksr == i) is_kernels = has_partition && kernel_partition_q[i*PW +: PW] == partition;
    end
  endfunction

  reg rows_are_own;
  always @* begin
    step_index = 0;
    for (l = 0; l < STEPS; l = l + 1) if (step[l]) step_index = l;
    rows_are_own = 1'b1;
    for (l = 0; l < W; l = l + 1) begin
      if (pass_1 && (\dut.u_walk.idle_1_q [l] || \dut.u_walk.free_1_q [l] || \dut.u_walk.counts_1_q [l]) && !is_own(passed_1 * W + l)) rows_are_own = 1'b0;
      if (pass_2 && (\dut.u_walk.idle_2_q [l] || \dut.u_walk.free_2_q [l] || \dut.u_walk.counts_2_q [l]) && !is_own(passed_2 * W + l)) rows_are_own = 1'b0;
      if (pass_3 && (\dut.u_walk.is_idle_o [l] || \dut.u_walk.is_free_o [l] || \dut.u_walk.counts_o [l]) && !is_own(passed_3_q * W + l)) rows_are_own = 1'b0;
      if (pass_1 && \dut.u_walk.entry_1_q [l] && \dut.u_walk.ksr_1_q [l*KW +: KW] >= K) rows_are_own = 1'b0;
      if (pass_2 && \dut.u_walk.entry_2_q [l] && ksr_2[l*KW +: KW] >= K) rows_are_own = 1'b0;
      if (pass_3 && \dut.u_walk.in_queue_o [l] && !is_kernels(\dut.u_walk.ksr_o [l*KW +: KW])) rows_are_own = 1'b0;
    end
  end
  // A queue has KSRs alone.
  reg entries_exist;
  always @* begin
    entries_exist = 1'b1;
    for (l = 0; l < W; l = l + 1) if (entry_valid_i[l] && entry_ksr_i[l*KW +: KW] >= K) entries_exist = 1'b0;
  end
  assume_entries: assume property (entries_exist);

  wire one_state = search_state != 0 && (search_state & (search_state - 1)) == 0;
  wire one_step  = step != 0 && (step & (step - 1)) == 0;
  wire passes    = pass_1 || pass_2 || pass_3;
  partition_rows_pass_in_order: assert property (!started_q || one_state && one_step && passed_3_q <= STEPS &&
    (!is_walking || \dut.u_walk.row_o == passed_3_q[MW-1:0]) &&
    (!search_state[SCAN] || step[0] && passed_3_q == 0 && \dut.u_walk.row_o == 0) &&
    (!search_state[WALK] || passed == step_index) && (!search_state[DRAIN] || passed == STEPS && passes) &&
    (!search_state[JUDGE] || passed_3_q == STEPS && !passes) && (search_state[WALK] || search_state[DRAIN] || !passes));
  rows_that_count_are_the_steps: assert property (!started_q || !is_walking || rows_are_own);
  found_is_the_steps: assert property (!started_q ||
    (!search_state[SCAN] || !second && !\dut.u_policy.a_valid_q && !\dut.u_policy.b_valid_q && !\dut.u_policy.idle_found_q &&
      !\dut.u_policy.free_found_q ) &&
    (!is_walking || (!\dut.u_policy.a_valid_q || is_kernels(\dut.u_policy.a_ksr_q )) &&
      (!\dut.u_policy.b_valid_q || is_kernels(\dut.u_policy.b_ksr_q )) &&
      (!\dut.u_policy.idle_found_q || is_own(\dut.u_policy.idle_sm_q )) &&
      (!\dut.u_policy.free_found_q || is_own(\dut.u_policy.free_sm_q )) &&
      (!second || !\dut.u_policy.victim_found_q || is_own(\dut.u_policy.victim_sm_q )) &&
      (!second && !search_state[MOVE] || (is_a ? \dut.u_policy.a_valid_q : \dut.u_policy.b_valid_q )) &&
      (!search_state[MOVE] || (second ? \dut.u_policy.victim_found_q :
        \dut.u_policy.gets_kept_q ? \dut.u_policy.idle_found_q : \dut.u_policy.free_found_q ))));
  move_stays_in_its_partition: assert property (!started_q || !offers_move || is_own(move_sm) && is_kernels(move_ksr));

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

  cover_partition_rows_pass_in_order: assert property (!started_q || !(search_state[JUDGE] && second));
  cover_rows_that_count_are_the_steps: assert property (!started_q || !(pass_3 && |\dut.u_walk.counts_o && second));
  cover_found_is_the_steps: assert property (!started_q || !(search_state[JUDGE] && second && \dut.u_policy.victim_found_q ));
  cover_move_stays_in_its_partition: assert property (!started_q || !(offers_move && second && partition != 0));
  cover_bit_stays_until_its_step: assert property (!started_q || !(begins_step && (dirty_before_q & dirty) != 0));
  cover_step_is_the_next_in_turn: assert property (!started_q || !(begins_step && behind_before_q[S-1] && (expected & behind_before_q) == 0));
  cover_no_rest_while_something_has_changed: assert property (!started_q || !(decided && has_partition));

endmodule
