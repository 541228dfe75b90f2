// SPDX-License-Identifier: Apache-2.0
// The world of tsr_partition_rest_props.v: what jobs and the OS make of the tables, what is seen of SMs, and the entries
// of the queue that pass.
//
// From the includer: all_i all_q by_priority_i by_priority_q cancels_i clk_i control_ready done_i due_i due_q entry_q
//   finishes_i gives_i holds_i i is_on is_on_i is_take issuable_i j K k kernel_partition_q ksr_i KW leaves_i move_ksr MW
//   next_q NONE of_foreign owner_q partition_i priorities_i priority_q PW queue_q rejects_i reserved_q returns_i S s
//   shared_i shared_q sm_i started_q step told_1_q told_2_q uncovered_i uncovered_q valid_q victim W write_partition_i
//   write_policy_i write_priority_i write_tokens_i written_partition_i written_sm_i
// From tsr_partition_step.vh: ACTIVATE has_partition is_kernels ksr_2 MOVE partition search_state
// For others: any_foreign any_free any_idle counts_against enters entry entry_ksr foreign has_more in_step is_own
//   is_there left_partition look_due look_has_due look_holds look_ksr look_partition look_priority look_uncovered
//   look_valid partition_of sms takes victims

  wire restarts = write_policy_i || write_tokens_i || write_priority_i || write_partition_i;
  wire enters   = search_state[ACTIVATE] && done_i;
  wire gives    = search_state[MOVE] && !is_take && gives_i && is_at(may_have, sm_i); // in BURST
  wire is_own   = of_foreign && is_kernels(counts_against(sm_i)); // the SM was to be foreign, and is not
  wire takes    = search_state[MOVE] && is_take && done_i && victims != 0; // FIND found one,
  wire moves    = takes && !rejects_i && !is_own;                         // and nothing kept it from being taken

  function [KW-1:0] owner_of(input [MW-1:0] sm);
    integer n;
    begin
      owner_of = NONE;
      for (n = 0; n < S; n = n + 1) if (sm == n) owner_of = owner_q[n*KW +: KW];
    end
  endfunction
  function is_there(input [KW-1:0] ksr); // an active kernel
    integer n;
    begin
      is_there = 1'b0;
      for (n = 0; n < K; n = n + 1) if (ksr == n) is_there = valid_q[n];
    end
  endfunction
  function [PW-1:0] partition_of(input [KW-1:0] ksr);
    integer n;
    begin
      partition_of = 0;
      for (n = 0; n < K; n = n + 1) if (ksr == n) partition_of = kernel_partition_q[n*PW +: PW];
    end
  endfunction

  function is_at(input [S-1:0] sms, input [MW-1:0] sm);
    integer n;
    begin
      is_at = 1'b0;
      for (n = 0; n < S; n = n + 1) if (sm == n) is_at = sms[n];
    end
  endfunction
  function [KW-1:0] counts_against(input [MW-1:0] sm);
    integer n;
    begin
      counts_against = NONE;
      for (n = 0; n < S; n = n + 1) if (sm == n) counts_against = reserved_q[n] ? next_q[n*KW +: KW] : owner_q[n*KW +: KW];
    end
  endfunction

  // One job at a time, about what there is. A take is of the SM that its FIND found.
  assume_one_job: assume property (3'd0 + finishes_i + leaves_i + returns_i + gives + (done_i && !search_state[11]) <= 1 &&
                                   (!done_i || search_state[ACTIVATE] || search_state[MOVE] || search_state[11]));
  assume_kernels: assume property ((!finishes_i && !returns_i || is_there(ksr_i)) && (!enters || ksr_i < K && !is_there(ksr_i)));
  assume_sms: assume property (!leaves_i || owner_of(sm_i) != NONE || is_at(reserved_q, sm_i));
  assume_moves: assume property ((!gives && !moves || is_there(move_ksr)) && (!takes || is_at(victims, sm_i)));
  assume_control: assume property (!restarts || control_ready);
  assume_reset: assume property (started_q || !restarts && !finishes_i && !leaves_i && !returns_i && !done_i);

  always @(posedge clk_i) begin
    if (!started_q) begin
      {is_on, reserved_q, entry_q, valid_q, told_1_q, told_2_q} <= 0;
      is_on    <= 1'b1;
      owner_q <= {S{NONE}};
      next_q  <= {S{NONE}};
    end else begin
      if (write_policy_i) is_on <= is_on_i;
      told_1_q <= 0;
      told_2_q <= told_1_q;
      for (k = 0; k < K; k = k + 1) begin
        if (ksr_i == k && (enters || returns_i)) told_1_q[k] <= 1'b1;
        if (ksr_i == k && enters)                valid_q[k]  <= 1'b1;
        if (ksr_i == k && finishes_i)            valid_q[k]  <= 1'b0;
      end
      for (s = 0; s < S; s = s + 1) begin
        if (gives && sm_i == s) begin
          owner_q[s*KW +: KW] <= move_ksr;
        end else if (moves && sm_i == s) begin
          {reserved_q[s], next_q[s*KW +: KW]} <= {1'b1, move_ksr};
          if (reserved_q[s] && cancels_i && move_ksr == owner_q[s*KW +: KW]) {reserved_q[s], next_q[s*KW +: KW]} <= {1'b0, NONE};
        end else if (leaves_i && sm_i == s) begin
          owner_q[s*KW +: KW] <= reserved_q[s] && issuable_i ? next_q[s*KW +: KW] : NONE;
          {reserved_q[s], next_q[s*KW +: KW]} <= {1'b0, NONE};
        end else if (finishes_i) begin
          if (owner_q[s*KW +: KW] == ksr_i) owner_q[s*KW +: KW] <= NONE;
          if (next_q[s*KW +: KW] == ksr_i)  next_q[s*KW +: KW]  <= NONE;
        end
      end
      // The active queue closes up.
      for (i = 0; i < K; i = i + 1) begin
        if (enters && !entry_q[i] && (i == 0 || entry_q[i > 0 ? i - 1 : 0])) {entry_q[i], queue_q[i*KW +: KW]} <= {1'b1, ksr_i};
        if (finishes_i && closes_up[i]) begin
          {entry_q[i], queue_q[i*KW +: KW]} <= i == K - 1 ? {1'b0, NONE} : {entry_q[i < K - 1 ? i + 1 : i], queue_q[(i < K - 1 ? i + 1 : i)*KW +: KW]};
        end
      end
    end
    // Others than that may be anything at first.
    if (write_policy_i || !started_q) {shared_q, all_q, by_priority_q} <= {shared_i, all_i, by_priority_i};
    uncovered_q <= uncovered_i & (uncovered_q | told_2_q);
    for (k = 0; k < K; k = k + 1) begin
      if (ksr_i == k && enters) {kernel_partition_q[k*PW +: PW], due_q[k*2 +: 2]} <= {partition_i, due_i};
      if (ksr_i == k && enters || write_priority_i) priority_q[k*2 +: 2] <= priorities_i[k*2 +: 2];
    end
  end
  reg [K-1:0] closes_up; // the one that finishes, or at its place
  always @* for (i = 0; i < K; i = i + 1) begin
    closes_up[i] = 1'b0;
    for (j = 0; j <= i; j = j + 1) if (entry_q[j] && queue_q[j*KW +: KW] == ksr_i) closes_up[i] = 1'b1;
  end

  // ---- what is seen of SMs ------------------------------------------------------------------------------------------

  reg  [S-1:0] row, running, owned, next_of;
  wire [S-1:0] in_step, foreign, victims, may_have;
  wire         any_idle, any_free, any_foreign;
  wire [PW-1:0] left_partition;
  always @* begin
    for (s = 0; s < S; s = s + 1) begin
      row[s]     = sm_i == s;
      running[s] = owner_q[s*KW +: KW] != NONE && !reserved_q[s];
      owned[s]   = owner_q[s*KW +: KW] == victim;
      next_of[s] = next_q[s*KW +: KW] == victim;
    end
  end
  wire [S-1:0] moved = gives || takes && (is_own || !rejects_i) ? row : {S{1'b0}};
  tsr_sm_partitions #(.NUM_SMS(S), .NUM_KSRS(K), .NUM_CONTEXTS(2), .POLICIES(68)) sms (
    .clk_i(clk_i), .rst_ni(started_q), .write_policy_i(write_policy_i), .write_partition_i(write_partition_i),
    .write_sm_i(written_sm_i), .write_data_i(written_partition_i), .in_partitions_i(is_on),
    .has_partition_i(has_partition), .partition_i(partition), .in_step_o(in_step), .row_i(row),
    .partition_o(left_partition), .moved_i(moved), .foreign_o(foreign));
  tsr_smst_look #(.NUM_SMS(S), .NUM_KSRS(K), .NUM_CONTEXTS(2), .POLICIES(68)) look (
    .clk_i(clk_i), .running_i(running), .reserved_i(reserved_q), .full_i({S{1'b0}}), .kept_i({S{1'b0}}),
    .in_step_i(in_step), .foreign_i(foreign), .ksr_i(owner_q), .next_i(next_q), .handle_sm_i({MW{1'b0}}),
    .any_idle_o(any_idle), .any_free_o(any_free), .any_foreign_o(any_foreign), .of_foreign_i(of_foreign),
    .owned_i(owned), .next_of_i(next_of), .victims_o(victims), .gets_kept_i(1'b0), .may_have_o(may_have));

  // ---- entries that pass --------------------------------------------------------------------------------------------

  wire [W*KW-1:0] look_ksr;
  reg             has_more; // behind the step's
  reg  [W-1:0]    entry, look_valid, look_uncovered, look_holds, look_has_due;
  reg  [W*KW-1:0] entry_ksr;
  reg  [W*PW-1:0] look_partition;
  reg  [W*4-1:0]  look_priority;
  reg  [W*32-1:0] look_due;
  integer lane, k_row;
  always @* begin
    {has_more, entry, look_valid, look_uncovered, look_holds, look_has_due} = 0;
    {entry_ksr, look_partition, look_priority, look_due} = 0;
    for (k_row = W; k_row < K; k_row = k_row + W) if (step[k_row / W - 1] && entry_q[k_row]) has_more = 1'b1;
    for (lane = 0; lane < W; lane = lane + 1) begin
      for (k_row = 0; k_row < K; k_row = k_row + 1) begin
        if (k_row % W == lane && step[k_row / W]) {entry[lane], entry_ksr[lane*KW +: KW]} = {entry_q[k_row], queue_q[k_row*KW +: KW]};
        if (look_ksr[lane*KW +: KW] == k_row) begin
          {look_valid[lane], look_uncovered[lane], look_holds[lane]} = {valid_q[k_row], uncovered_q[k_row], holds_i[k_row]};
          look_priority[lane*4 +: 4] = {2'b00, priority_q[k_row*2 +: 2]};
        end
        if (ksr_2[lane*KW +: KW] == k_row) begin
          look_partition[lane*PW +: PW] = kernel_partition_q[k_row*PW +: PW];
          look_has_due[lane]            = due_q[k_row*2 + 1];
          look_due[lane*32 +: 32]       = {1'b0, due_q[k_row*2], 30'd0};
        end
      end
    end
  end
