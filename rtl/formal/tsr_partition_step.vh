// SPDX-License-Identifier: Apache-2.0
// A step of tsr_search under static_partition: what properties know of its inside, and of the rows of its walks, and four
// properties of these.
//
// From the includer: clk_i dut is_on K kernel_partition_q KW l move_ksr move_sm MW offers_move PW S sm_partition_q
//   started_q step STEPS W
// For others: ACTIVATE BEGIN behind dirty DRAIN has_partition is_kernels is_own is_walking JUDGE ksr_2 MOVE partition
//   pass_1 pass_2 pass_3 passed passed_1 passed_2 passed_3_q SCAN search_state second survey WALK

  localparam BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7; // states, a bit each

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
  wire [W*KW-1:0] ksr_2       = \dut.u_walk.ksr_2_q ;

  wire is_walking = is_on && (search_state[WALK] || search_state[DRAIN] || search_state[JUDGE] || search_state[MOVE]);

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
  move_stays_in_its_partition: assert property (!started_q || !(is_on && offers_move) || is_own(move_sm) && is_kernels(move_ksr));
