// SPDX-License-Identifier: Apache-2.0
// A step of tsr_search under static_partition: what properties know of its inside, and of the entries of its walk, and four
// properties of these.
//
// From the includer: clk_i dut is_on is_take K kernel_partition_q KW l move_ksr of_foreign offers_move PW S started_q
//   step STEPS victim W
// For others: a_valid ACTIVATE b_valid BEGIN behind dirty DRAIN EW has_partition is_kernels is_walking JUDGE KEY ksr_2
//   MOVE partition pass_1 pass_2 pass_3 passed passed_1 passed_3_q SCAN search_state survey v_valid WALK

  localparam BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7; // states, a bit each

  localparam KEY = 32, EW = 4 + KW + 1 + KEY; // an entry: counts, uncovered, holds, is due, its KSR, context and key

  // ---- what properties know of its inside ---------------------------------------------------------------------------

(* hierconn *) wire [11:0]      \dut.state_q ;
(* hierconn *) wire             \dut.u_walk.pass_1_q ;
(* hierconn *) wire             \dut.u_walk.pass_2_q ;
(* hierconn *) wire             \dut.u_walk.compares_o ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.entry_1_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.entry_2_q ;
(* hierconn *) wire [W*KW-1:0]  \dut.u_walk.ksr_1_q ;
(* hierconn *) wire [W*KW-1:0]  \dut.u_walk.ksr_2_q ;
(* hierconn *) wire [W*EW-1:0]  \dut.u_walk.entries_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.a_valid_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.b_valid_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.v_valid_q ;
(* hierconn *) wire [KW-1:0]    \dut.u_policy.u_trackers.a_ksr_q ;
(* hierconn *) wire [KW-1:0]    \dut.u_policy.u_trackers.b_ksr_q ;
(* hierconn *) wire [KW-1:0]    \dut.u_policy.u_trackers.v_ksr_q ;
(* hierconn *) wire             \dut.u_policy.is_a_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.dirty_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.behind_q ;
(* hierconn *) wire             \dut.g_partitions.u_partitions.survey_q ;
(* hierconn *) wire             \dut.g_partitions.u_partitions.has_partition_q ;
(* hierconn *) wire [PW-1:0]    \dut.g_partitions.u_partitions.partition_q ;
(* hierconn *) wire [S-1:0]     \dut.g_partitions.u_partitions.step_q ;
  wire [11:0]   search_state  = \dut.state_q ;
  wire          pass_1        = \dut.u_walk.pass_1_q ;
  wire          pass_2        = \dut.u_walk.pass_2_q ;
  wire          pass_3        = \dut.u_walk.compares_o ;
  wire          has_partition = \dut.g_partitions.u_partitions.has_partition_q ;
  wire [PW-1:0] partition     = \dut.g_partitions.u_partitions.partition_q ;
  wire [S-1:0]  dirty         = \dut.g_partitions.u_partitions.dirty_q ;
  wire [S-1:0]  behind        = \dut.g_partitions.u_partitions.behind_q ;
  wire          survey        = \dut.g_partitions.u_partitions.survey_q ;
  wire          is_a          = \dut.u_policy.is_a_q ;
  wire [W*KW-1:0] ksr_2       = \dut.u_walk.ksr_2_q ;

  wire is_walking = is_on && (search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE]);

  wire a_valid = \dut.u_policy.u_trackers.a_valid_q ;
  wire b_valid = \dut.u_policy.u_trackers.b_valid_q ;
  wire v_valid = \dut.u_policy.u_trackers.v_valid_q ;

  // ---- entries on their way -----------------------------------------------------------------------------------------

  reg  [7:0] passed_3_q, step_index; // steps compared; whose turn it is
  wire [7:0] passed_2 = passed_3_q + pass_3;
  wire [7:0] passed_1 = passed_2 + pass_2;
  wire [7:0] passed   = passed_1 + pass_1;
  always @(posedge clk_i) begin
    if (!started_q || search_state[BEGIN] || search_state[JUDGE]) passed_3_q <= 0;
    else if (pass_3) passed_3_q <= passed_3_q + 1;
  end

  function is_kernels(input [KW-1:0] ksr);
    integer i;
    begin
      is_kernels = 1'b0;
      for (i = 0; i < K; i = i + 1) if (ksr == i) is_kernels = has_partition && kernel_partition_q[i*PW +: PW] == partition;
    end
  endfunction

  reg entries_are_own;
  always @* begin
    step_index = 0;
    for (l = 0; l < STEPS; l = l + 1) if (step[l]) step_index = l;
    entries_are_own = 1'b1;
    for (l = 0; l < W; l = l + 1) begin
      if (pass_1 && \dut.u_walk.entry_1_q [l] && \dut.u_walk.ksr_1_q [l*KW +: KW] >= K) entries_are_own = 1'b0;
      if (pass_2 && \dut.u_walk.entry_2_q [l] && ksr_2[l*KW +: KW] >= K) entries_are_own = 1'b0;
      if (pass_3 && \dut.u_walk.entries_q [l*EW + EW - 1] && !is_kernels(\dut.u_walk.entries_q [l*EW + KEY + 1 +: KW])) entries_are_own = 1'b0;
    end
  end
  wire one_state = search_state != 0 && (search_state & (search_state - 1)) == 0;
  wire one_step  = step != 0 && (step & (step - 1)) == 0;
  wire passes    = pass_1 || pass_2 || pass_3;
  wire is_behind = passed != 0 && passed <= STEPS && step_index == (passed == STEPS ? 0 : passed); // the last step
  partition_entries_pass_in_order: assert property (!started_q || one_state && one_step && passed_3_q <= STEPS &&
    (!search_state[SCAN] || step[0] && passed_3_q == 0) &&
    (!search_state[WALK] || passed == step_index) && (!search_state[DRAIN] || is_behind && passes) &&
    (!search_state[JUDGE] || is_behind && !passes) && (search_state[WALK] || search_state[DRAIN] || !passes));
  entries_that_count_are_the_steps: assert property (!started_q || !is_walking || entries_are_own);
  found_is_the_steps: assert property (!started_q || (!search_state[SCAN] || !a_valid && !b_valid && !v_valid) &&
    (!is_walking || (!a_valid || is_kernels(\dut.u_policy.u_trackers.a_ksr_q )) &&
      (!b_valid || is_kernels(\dut.u_policy.u_trackers.b_ksr_q )) &&
      (!v_valid || is_kernels(\dut.u_policy.u_trackers.v_ksr_q )) &&
      (!search_state[MOVE] || (is_a ? a_valid : b_valid) && (!is_take || of_foreign || v_valid))));
  move_is_for_the_steps_kernel: assert property (!started_q || !(is_on && offers_move) || is_kernels(move_ksr) &&
    (!is_take || of_foreign || is_kernels(victim)));
