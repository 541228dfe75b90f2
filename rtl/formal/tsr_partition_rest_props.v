// SPDX-License-Identifier: Apache-2.0
// tsr_search and what it sees of SMs, in front of tables that jobs change as timing.md 5.8 says, and tell of it in the same
// cycle: who has an SM, and where somebody waits beside an idle one. Under static_partition, or ppq for a time.
module tsr_partition_rest_props #(
  parameter S = 3, // SMs
  parameter K = 2, // KSRs
  parameter W = 1, // entries a step
  // Not to be set.
  parameter PW    = S > 1 ? $clog2(S) : 1,
  parameter MW    = $clog2(S + 1),
  parameter KW    = $clog2(K + 1),
  parameter STEPS = (K + W - 1) / W
) (
  input            clk_i,
  input            command_i, tick_i, invokes_i, waits_i, scanned_i, command_found_i, picking_i, done_i,
  input            write_policy_i, write_tokens_i, write_priority_i, write_partition_i,
  input            is_on_i, shared_i, all_i, by_priority_i, // as the OS writes them
  input  [7:0]     written_sm_i,
  input  [PW-1:0]  written_partition_i,
  input  [K*2-1:0] priorities_i,
  // Jobs: a kernel finishes, an SM is left or handed over, TBs come back to a kernel, an SM is given, or taken from it.
  input            finishes_i, leaves_i, returns_i, gives_i, rejects_i, cancels_i, issuable_i,
  input  [KW-1:0]  ksr_i,          // the kernel's; or a free one's, for one that enters
  input  [MW-1:0]  sm_i,
  input  [PW-1:0]  partition_i,    // of the one that enters
  input  [1:0]     due_i,          // has it one, and the bit 30 of it
  input  [K-1:0]   uncovered_i,    // kernels that may still be
  input  [K-1:0]   holds_i         // of kernels, whatever they have
);

  reg  started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  localparam [KW-1:0] NONE = {KW{1'b1}};

  // ---- tables -------------------------------------------------------------------------------------------------------

  reg              is_on, shared_q, all_q, by_priority_q;
  reg  [K*PW-1:0]  kernel_partition_q;
  reg  [S*KW-1:0]  owner_q, next_q;
  reg  [S-1:0]     reserved_q;
  reg  [K-1:0]     entry_q, valid_q, uncovered_q, told_1_q, told_2_q; // told: a bit was set for it a cycle ago, two
  reg  [K*KW-1:0]  queue_q;
  reg  [K*2-1:0]   priority_q, due_q;
  wire [STEPS-1:0] step;
  wire             control_ready, offers_move, is_take, of_foreign, is_idle;
  wire [KW-1:0]    move_ksr, victim;
  integer          i, j, k, l, s;

`include "tsr_partition_step.vh"

(* hierconn *) wire             \dut.g_partitions.u_partitions.mixed_q ;
(* hierconn *) wire             \dut.g_partitions.u_partitions.surveys_q ;
(* hierconn *) wire [W-1:0]     \dut.u_walk.uncovered_2_q ;
(* hierconn *) wire [W*4-1:0]   \dut.u_walk.priority_2_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.a_due_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.b_due_q ;
(* hierconn *) wire             \dut.u_policy.u_trackers.a_below_q ;
(* hierconn *) wire [31:0]      \dut.u_policy.u_trackers.a_key_q ;
(* hierconn *) wire [31:0]      \dut.u_policy.u_trackers.b_key_q ;
(* hierconn *) wire [S*PW-1:0]  \sms.g_partition.partition_q ;
  wire [S*PW-1:0] sm_partition = \sms.g_partition.partition_q ;
  wire mixed   = \dut.g_partitions.u_partitions.mixed_q ;
  wire surveys = \dut.g_partitions.u_partitions.surveys_q ;

`include "tsr_partition_tables.vh"
  wire [19:0] rules; // of static_partition, or of ppq
  tsr_policy_table #(.POLICIES(68)) policy (
    .policy_i(is_on ? 4'd6 : 4'd2), .by_priority_i(by_priority_q), .rules_o(rules));

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
    policy_bus[POLICY_SHARED]      = shared_q;
    policy_bus[POLICY_ALL]         = all_q;
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
    look_status[LOOK_CONTEXT +: W]        = {W{1'b0}};
    look_launch[LOOK_HAS_DUE +: W]        = look_has_due;
    look_launch[LOOK_DUE +: 32*W]         = look_due;
    look_launch[LOOK_PARTITION +: PW*W]   = look_partition;
    changes[CHANGES_KERNEL]               = enters || finishes_i || returns_i;
    changes[CHANGES_KERNEL_PARTITION +: PW] = enters ? partition_i : partition_of(ksr_i);
    changes[CHANGES_SM]                   = leaves_i;
    changes[CHANGES_SM_PARTITION +: PW]   = left_partition;
    changes[CHANGES_FINISHES]             = finishes_i;
  end

  tsr_search #(
    .NUM_SMS(S), .MAX_TBS_PER_SM(2), .NUM_KSRS(K), .NUM_COMMAND_BUFFERS(2), .NUM_CONTEXTS(2), .SEARCH_WIDTH(W),
    .TB_WIDTH(4), .POLICIES(68), .WAIT_WIDTH(3)
  ) dut (
    .clk_i(clk_i), .rst_ni(started_q), .activation_cycles_i(3'd1), .step_cycles_i(3'd1), .policy_i(policy_bus),
    .kept_turn_i(5'd0), .any_holds_i(1'b0), .command_i(command_i), .tick_i(tick_i), .invokes_i(invokes_i),
    .os_write_i(os_write), .control_ready_o(control_ready), .changing_hands_i(1'b0),
    .linger_priority_i(4'd0),
    .waits_i(waits_i), .queue_full_i(entry_q[K-1]), .queue_empty_i(!entry_q[0]), .scanned_i(scanned_i),
    .command_found_i(command_found_i), .command_context_i(1'b0), .step_o(step), .entry_valid_i(entry),
    .entry_ksr_i(entry_ksr), .has_more_i(has_more), .any_idle_i(any_idle), .any_free_i(any_free),
    .any_foreign_i(any_foreign), .look_ksr_o(look_ksr), .look_status_i(look_status), .look_launch_i(look_launch),
    .look_left_i({W*10{1'b0}}), .picking_i(picking_i), .offers_move_o(offers_move), .move_o(move), .done_i(done_i),
    .finds_none_i(is_take && !of_foreign && victims == 0),
    .changes_i(changes), .is_idle_o(is_idle));

  // ---- who waits ----------------------------------------------------------------------------------------------------

  function is_above(input [1:0] a_priority, input [1:0] a_due, input [1:0] b_priority, input [1:0] b_due);
    is_above = by_priority_q ? a_priority > b_priority : a_due[1] && (!b_due[1] || !a_due[0] && b_due[0]);
  endfunction
  reg [K-1:0] may;       // have an SM by the others of its partition
  reg [S-1:0] has_idle, somebody_waits; // in a partition
  always @* begin
    {has_idle, somebody_waits} = 0;
    for (k = 0; k < K; k = k + 1) begin
      may[k] = 1'b1;
      for (j = 0; j < K; j = j + 1) begin
        if (valid_q[j] && !shared_q && kernel_partition_q[j*PW +: PW] == kernel_partition_q[k*PW +: PW] &&
            is_above(priority_q[j*2 +: 2], due_q[j*2 +: 2], priority_q[k*2 +: 2], due_q[k*2 +: 2])) may[k] = 1'b0;
      end
    end
    for (i = 0; i < S; i = i + 1) begin
      for (s = 0; s < S; s = s + 1) begin
        if (sm_partition[s*PW +: PW] == i && owner_q[s*KW +: KW] == NONE && !reserved_q[s]) has_idle[i] = 1'b1;
      end
      for (k = 0; k < K; k = k + 1) begin
        if (kernel_partition_q[k*PW +: PW] == i && valid_q[k] && uncovered_q[k] && may[k]) somebody_waits[i] = 1'b1;
      end
    end
  end
  wire          is_in_walk  = search_state[WALK] || search_state[DRAIN] || search_state[JUDGE];
  wire          is_surveyed = survey || surveys && is_in_walk;
  wire [S-1:0]  step_bit    = \dut.g_partitions.u_partitions.step_q ;
  wire [S-1:0]  at_rest     = ~dirty & ~(has_partition && is_walking ? step_bit : {S{1'b0}}) & {S{is_on && !is_surveyed}};

  reg  is_foreign, foreign_are_known, tables_agree;
  always @* begin
    {is_foreign, foreign_are_known, tables_agree} = 3'b011;
    for (s = 0; s < S; s = s + 1) begin
      if (owner_q[s*KW +: KW] != NONE && partition_of(owner_q[s*KW +: KW]) != sm_partition[s*PW +: PW]) is_foreign = 1'b1;
      if (next_q[s*KW +: KW] != NONE && partition_of(next_q[s*KW +: KW]) != sm_partition[s*PW +: PW])   is_foreign = 1'b1;
      if (counts_against(s) != NONE && partition_of(counts_against(s)) != sm_partition[s*PW +: PW] && !foreign[s]) foreign_are_known = 1'b0;
      if (owner_q[s*KW +: KW] != NONE && !is_there(owner_q[s*KW +: KW]))                     tables_agree = 1'b0;
      if (next_q[s*KW +: KW] != NONE && !(reserved_q[s] && is_there(next_q[s*KW +: KW])))    tables_agree = 1'b0;
    end
    for (i = 0; i < K; i = i + 1) begin
      if (entry_q[i] && (!is_there(queue_q[i*KW +: KW]) || i > 0 && !entry_q[i > 0 ? i - 1 : 0])) tables_agree = 1'b0;
      for (j = 0; j < i; j = j + 1) if (entry_q[i] && queue_q[i*KW +: KW] == queue_q[j*KW +: KW]) tables_agree = 1'b0;
      if (valid_q[i] && !is_queued[i]) tables_agree = 1'b0;
    end
  end

  // ---- what a walk knows --------------------------------------------------------------------------------------------

  wire [W*EW-1:0] passing = \dut.u_walk.entries_q ; // {counts, uncovered, holds, has a due, ksr, context, key}
  reg  [K-1:0] compared_q; // kernels, in this walk
  always @(posedge clk_i) begin
    if (!started_q || search_state[BEGIN] || search_state[SCAN]) compared_q <= 0;
    else compared_q <= compared_q | in_3;
  end
  reg [K-1:0] in_1, in_2, in_3, is_ahead, is_queued;
  always @* begin
    {in_1, in_2, in_3, is_ahead, is_queued} = 0;
    for (k = 0; k < K; k = k + 1) begin
      for (l = 0; l < W; l = l + 1) begin
        if (pass_1 && \dut.u_walk.entry_1_q [l] && \dut.u_walk.ksr_1_q [l*KW +: KW] == k) in_1[k] = 1'b1;
        if (pass_2 && \dut.u_walk.entry_2_q [l] && ksr_2[l*KW +: KW] == k) in_2[k] = 1'b1;
        if (pass_3 && passing[l*EW + EW - 1] && passing[l*EW + KEY + 1 +: KW] == k) in_3[k] = 1'b1;
      end
      for (i = 0; i < K; i = i + 1) begin
        if (entry_q[i] && queue_q[i*KW +: KW] == k) is_queued[k] = 1'b1;
        if (entry_q[i] && queue_q[i*KW +: KW] == k && i >= passed * W && search_state[WALK]) is_ahead[k] = 1'b1;
      end
    end
  end

  // Nothing has changed in the step's partition since the step began.
  wire is_quiet = is_on && has_partition && (dirty & step_bit) == 0 && !survey;
  function [32:0] key_of(input [KW-1:0] ksr); // has it a due, and its key
    integer n;
    begin
      key_of = 0;
      for (n = 0; n < K; n = n + 1) if (ksr == n) begin
        key_of = by_priority_q ? {31'd0, priority_q[n*2 +: 2]} :
                 {due_q[n*2 + 1], ~{1'b0, due_q[n*2], 30'd0} & {32{due_q[n*2 + 1]}}};
      end
    end
  endfunction
  function is_below(input [32:0] a, input [32:0] b); // a's key is below b's
    reg [31:0] distance;
    begin
      distance = a[31:0] - b[31:0];
      is_below = b[32] && !a[32] || b[32] == a[32] && distance[31];
    end
  endfunction
  function is_compared(input [KW-1:0] ksr);
    integer n;
    begin
      is_compared = 1'b0;
      for (n = 0; n < K; n = n + 1) if (ksr == n) is_compared = compared_q[n];
    end
  endfunction
  wire [KW-1:0] a_ksr = \dut.u_policy.u_trackers.a_ksr_q , b_ksr = \dut.u_policy.u_trackers.b_ksr_q ;
  wire [32:0]   a_key = {\dut.u_policy.u_trackers.a_due_q , \dut.u_policy.u_trackers.a_key_q };
  wire [32:0]   b_key = {\dut.u_policy.u_trackers.b_due_q , \dut.u_policy.u_trackers.b_key_q };

  reg told_is_known, kernels_pass, rows_are_right, trackers_are_right, sms_are_seen, survey_finds;
  always @* begin
    {told_is_known, kernels_pass, rows_are_right, trackers_are_right, sms_are_seen, survey_finds} = 6'b111111;
    for (k = 0; k < K; k = k + 1) begin
      for (i = 0; i < S; i = i + 1) if (kernel_partition_q[k*PW +: PW] == i) begin
        if (told_1_q[k] && !dirty[i]) told_is_known = 1'b0;
        if (told_2_q[k] && !(dirty[i] || survey || is_on && has_partition && step_bit[i] && search_state[WALK] &&
                             step[0] && passed == 0)) told_is_known = 1'b0;
        if (valid_q[k] && !(dirty[i] || in_1[k] || in_2[k] || is_ahead[k])) survey_finds = 1'b0;
      end
      if (is_kernels(k)) begin
        if (3'd0 + compared_q[k] + in_1[k] + in_2[k] + in_3[k] + is_ahead[k] != valid_q[k]) kernels_pass = 1'b0;
        if (compared_q[k] && (!b_valid || is_below(b_key, key_of(k)))) trackers_are_right = 1'b0;
        if (compared_q[k] && uncovered_q[k] && (!a_valid || is_below(a_key, key_of(k)))) trackers_are_right = 1'b0;
      end else if (compared_q[k] || in_3[k]) kernels_pass = 1'b0;
    end
    if (passed_3_q == 0 && compared_q != 0) kernels_pass = 1'b0;
    for (l = 0; l < W; l = l + 1) for (k = 0; k < K; k = k + 1) begin
      if (pass_2 && ksr_2[l*KW +: KW] == k && is_kernels(k) && \dut.u_walk.entry_2_q [l] &&
          (uncovered_q[k] && !\dut.u_walk.uncovered_2_q [l] ||
           \dut.u_walk.priority_2_q [l*4 +: 4] != priority_q[k*2 +: 2])) rows_are_right = 1'b0;
      if (pass_3 && passing[l*EW + KEY + 1 +: KW] == k && passing[l*EW + EW - 1] &&
          (uncovered_q[k] && !passing[l*EW + EW - 2] ||
           {passing[l*EW + EW - 4], passing[l*EW +: KEY]} != key_of(k))) rows_are_right = 1'b0;
    end
    if (a_valid && !(b_valid && is_kernels(a_ksr) && is_compared(a_ksr) && a_key == key_of(a_ksr) &&
                     \dut.u_policy.u_trackers.a_below_q == is_below(a_key, b_key))) trackers_are_right = 1'b0;
    if (b_valid && !(is_kernels(b_ksr) && is_compared(b_ksr) && b_key == key_of(b_ksr))) trackers_are_right = 1'b0;
    // A cycle after the step has begun the SMs of its partition are known, and two after it the idle ones are seen.
    for (s = 0; s < S; s = s + 1) begin
      if ((passed != 0 || search_state[MOVE]) && in_step[s] != is_steps(s)) sms_are_seen = 1'b0;
      if (passed_1 != 0 && is_quiet && is_steps(s) && owner_q[s*KW +: KW] == NONE && !reserved_q[s] &&
          !(any_idle && any_free)) sms_are_seen = 1'b0;
    end
  end
  function is_steps(input [7:0] sm); // of the step's partition
    integer n;
    begin
      is_steps = 1'b0;
      for (n = 0; n < S; n = n + 1) if (sm == n) is_steps = has_partition && sm_partition[n*PW +: PW] == partition;
    end
  endfunction

  tables_are_tables: assert property (!started_q || tables_agree && (!has_partition || partition < S &&
    step_bit == {{(S-1){1'b0}}, 1'b1} << partition) && !(surveys && has_partition));
  told_of_what_rises: assert property (!started_q || told_is_known);
  step_misses_no_kernel: assert property (!started_q || !(is_quiet && is_in_walk) || kernels_pass && rows_are_right);
  step_knows_the_most_urgent: assert property (!started_q || !(is_quiet && is_in_walk) || trackers_are_right);
  step_sees_its_sms: assert property (!started_q || !is_walking || sms_are_seen);
  survey_misses_no_kernel: assert property (!started_q || !(is_on && surveys && !survey && is_in_walk) || survey_finds);
  take_beside_no_idle_sm: assert property (!started_q || !(is_quiet && search_state[MOVE] && is_take) ||
    (has_idle & somebody_waits & step_bit) == 0);
  foreign_sms_are_marked: assert property (!started_q || !is_on || foreign_are_known);
  foreign_only_while_mixed: assert property (!started_q || !is_on || mixed || !is_foreign);
  nobody_waits_at_rest: assert property (!started_q || (at_rest & has_idle & somebody_waits) == 0);

  cover_tables_are_tables: assert property (!started_q || !(finishes_i && reserved_q != 0 && next_q != {S{NONE}}));
  cover_told_of_what_rises: assert property (!started_q || !(is_on && (told_2_q & uncovered_i & ~uncovered_q & valid_q) != 0));
  cover_step_knows_the_most_urgent: assert property (!started_q || !(is_quiet && search_state[JUDGE] && a_valid &&
    \dut.u_policy.u_trackers.a_below_q ));
  cover_step_sees_its_sms: assert property (!started_q || !(is_quiet && search_state[JUDGE] && any_idle && in_step != {S{1'b1}}));
  cover_take_beside_no_idle_sm: assert property (!started_q || !(is_quiet && search_state[MOVE] && is_take && done_i && !rejects_i &&
    (somebody_waits & step_bit) != 0));
  cover_foreign_sms_are_marked: assert property (!started_q || !(is_on && takes && of_foreign && !is_own));
  cover_step_misses_no_kernel: assert property (!started_q || !(is_quiet && compared_q[0] && in_3[1]));
  cover_survey_misses_no_kernel: assert property (!started_q || !(is_on && surveys && !survey && search_state[JUDGE] && dirty != 0));
  cover_foreign_only_while_mixed: assert property (!started_q || !(is_on && is_foreign));
  cover_nobody_waits_at_rest: assert property (!started_q || !(is_idle && (at_rest & ~has_idle & somebody_waits) != 0));

endmodule
