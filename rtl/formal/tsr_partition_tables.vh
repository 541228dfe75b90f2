// SPDX-License-Identifier: Apache-2.0
// The world of tsr_partition_rest_props.v: what jobs and the OS make of the tables, and the rows of them that pass.
//
// From the includer: all_i all_q by_priority_i by_priority_q cancels_i clk_i control_ready done_i due_i due_q entry_q
//   finishes_i i is_on is_on_i issuable_i j k K kernel_partition_q ksr_i KW leaves_i move_kind move_ksr move_sm MW
//   next_q NONE owner_q partition_i priorities_i priority_q PW queue_q rejects_i reserved_q returns_i s S shared_i
//   shared_q sm_i sm_partition_q sm_partitions_i started_q step told_1_q told_2_q uncovered_i uncovered_q valid_q W
//   write_partition_i write_policy_i write_priority_i write_tokens_i
// From tsr_partition_step.vh: ACTIVATE ksr_2 MOVE search_state
// For others: enters entry entry_ksr is_there look_due look_has_due look_ksr look_partition look_priority
//   look_uncovered look_valid partition_of partition_of_sm sm_counts sm_idle sm_ksr sm_partition sm_reserved

  wire restarts = write_policy_i || write_tokens_i || write_priority_i || write_partition_i;
  wire enters   = search_state[ACTIVATE] && done_i;
  wire moves    = search_state[MOVE] && done_i && !rejects_i;

  function [KW-1:0] owner_of(input [MW-1:0] sm);
    integer n;
    begin
      owner_of = NONE;
      for (n = 0; n < S; n = n + 1) if (sm == n) owner_of = owner_q[n*KW +: KW];
    end
  endfunction
  function is_reserved(input [MW-1:0] sm);
    integer n;
    begin
      is_reserved = 1'b0;
      for (n = 0; n < S; n = n + 1) if (sm == n) is_reserved = reserved_q[n];
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
  function [PW-1:0] partition_of_sm(input [MW-1:0] sm);
    integer n;
    begin
      partition_of_sm = 0;
      for (n = 0; n < S; n = n + 1) if (sm == n) partition_of_sm = sm_partition_q[n*PW +: PW];
    end
  endfunction

  // One job at a time, about what there is.
  wire was_seen = move_kind == 0 ? owner_of(move_sm) == NONE && !is_reserved(move_sm) :
                  move_kind == 1 ? owner_of(move_sm) != NONE && !is_reserved(move_sm) : is_reserved(move_sm);
  assume_one_job: assume property (3'd0 + finishes_i + leaves_i + returns_i + (done_i && !search_state[11]) <= 1 &&
                                   (!done_i || search_state[ACTIVATE] || search_state[MOVE] || search_state[11]));
  assume_kernels: assume property ((!finishes_i && !returns_i || is_there(ksr_i)) && (!enters || ksr_i < K && !is_there(ksr_i)));
  assume_sms: assume property (!leaves_i || owner_of(sm_i) != NONE || is_reserved(sm_i));
  assume_moves: assume property (!moves || was_seen && is_there(move_ksr));
  assume_control: assume property (!restarts || control_ready);
  assume_reset: assume property (started_q || !restarts && !finishes_i && !leaves_i && !returns_i && !done_i);

  always @(posedge clk_i) begin
    if (!started_q) begin
      {is_on, sm_partition_q, reserved_q, entry_q, valid_q, told_1_q, told_2_q} <= 0;
      is_on    <= 1'b1;
      owner_q <= {S{NONE}};
      next_q  <= {S{NONE}};
    end else begin
      if (write_policy_i)    is_on           <= is_on_i;
      if (write_partition_i) sm_partition_q <= sm_partitions_i;
      told_1_q <= 0;
      told_2_q <= told_1_q;
      for (k = 0; k < K; k = k + 1) begin
        if (ksr_i == k && (enters || returns_i)) told_1_q[k] <= 1'b1;
        if (ksr_i == k && enters)                valid_q[k]  <= 1'b1;
        if (ksr_i == k && finishes_i)            valid_q[k]  <= 1'b0;
      end
      for (s = 0; s < S; s = s + 1) begin
        if (moves && move_sm == s) begin
          if (move_kind == 0) owner_q[s*KW +: KW] <= move_ksr;
          else                {reserved_q[s], next_q[s*KW +: KW]} <= {1'b1, move_ksr};
          if (move_kind == 2 && cancels_i && move_ksr == owner_q[s*KW +: KW]) {reserved_q[s], next_q[s*KW +: KW]} <= {1'b0, NONE};
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
        if (finishes_i && is_behind[i]) begin
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
  reg [K-1:0] is_behind; // the one that finishes, or at its place
  always @* for (i = 0; i < K; i = i + 1) begin
    is_behind[i] = 1'b0;
    for (j = 0; j <= i; j = j + 1) if (entry_q[j] && queue_q[j*KW +: KW] == ksr_i) is_behind[i] = 1'b1;
  end

  // ---- rows that pass -----------------------------------------------------------------------------------------------

  wire [W*KW-1:0] look_ksr;
  reg  [W-1:0]    entry, sm_idle, sm_reserved, sm_counts, look_valid, look_uncovered, look_has_due;
  reg  [W*KW-1:0] entry_ksr, sm_ksr;
  reg  [W*PW-1:0] sm_partition, look_partition;
  reg  [W*4-1:0]  look_priority;
  reg  [W*32-1:0] look_due;
  integer lane, row;
  always @* begin
    {entry, sm_idle, sm_reserved, sm_counts, look_valid, look_uncovered, look_has_due} = 0;
    {entry_ksr, sm_ksr, sm_partition, look_partition, look_priority, look_due} = 0;
    for (lane = 0; lane < W; lane = lane + 1) begin
      for (row = 0; row < S; row = row + 1) if (row % W == lane && step[row / W]) begin
        sm_idle[lane]               = owner_q[row*KW +: KW] == NONE && !reserved_q[row];
        sm_reserved[lane]           = reserved_q[row];
        sm_counts[lane]             = reserved_q[row] ? next_q[row*KW +: KW] != NONE : owner_q[row*KW +: KW] != NONE;
        sm_ksr[lane*KW +: KW]       = reserved_q[row] ? next_q[row*KW +: KW] : owner_q[row*KW +: KW];
        sm_partition[lane*PW +: PW] = sm_partition_q[row*PW +: PW];
      end
      for (row = 0; row < K; row = row + 1) begin
        if (row % W == lane && step[row / W]) {entry[lane], entry_ksr[lane*KW +: KW]} = {entry_q[row], queue_q[row*KW +: KW]};
        if (look_ksr[lane*KW +: KW] == row) begin
          {look_valid[lane], look_uncovered[lane]} = {valid_q[row], uncovered_q[row]};
          look_priority[lane*4 +: 4] = {2'b00, priority_q[row*2 +: 2]};
        end
        if (ksr_2[lane*KW +: KW] == row) begin
          look_partition[lane*PW +: PW] = kernel_partition_q[row*PW +: PW];
          look_has_due[lane]            = due_q[row*2 + 1];
          look_due[lane*32 +: 32]       = {1'b0, due_q[row*2], 30'd0};
        end
      end
    end
  end
