// SPDX-License-Identifier: Apache-2.0
// Tokens of the remainder of SMs by contexts (docs/timing.md 4.6): in the pool, with a kernel, or with a context. A
// distribution takes all back at its start and gives them anew, kernel by kernel: those that wait for it have none.
//
// From the includer: CW DISTRIBUTE K KW P S
// From tsr_pins.vh: started_q
// From tsr_registers.vh: context_budget context_has_budget context_has_token context_kernels ksr_context
//   ksr_has_pool_token ksr_tokens ksr_valid policy pool queue_count queue_ksr search_state step
// From tsr_ownership.vh: c k
// From tsr_queues.vh: a
// For others: POOL

localparam POOL = S % P;

reg [7:0] n_tokens;
reg       tokens_ok, by_scope_ok;
reg [K-1:0] waits_for_distribution, counts_token;
always @* begin
  waits_for_distribution = {K{1'b0}};
  by_scope_ok            = 1'b1;
  for (a = 0; a < K; a = a + 1) begin
    for (k = 0; k < K; k = k + 1) begin
      if (search_state == DISTRIBUTE && a >= step && a < queue_count && queue_ksr[a*KW +: KW] == k) begin
        waits_for_distribution[k] = 1'b1;
      end
    end
  end
  counts_token = ksr_valid & ksr_has_pool_token & ~waits_for_distribution;
  n_tokens     = pool;
  for (k = 0; k < K; k = k + 1) begin
    n_tokens = n_tokens + counts_token[k];
    if (counts_token[k] && policy[6]) by_scope_ok = 1'b0;
    for (c = 0; c < P; c = c + 1) begin
      // Who has a budget from the OS has no token of the pool.
      if (counts_token[k] && ksr_context[k*CW +: CW] == c && context_has_budget[c]) by_scope_ok = 1'b0;
    end
  end
  for (c = 0; c < P; c = c + 1) begin
    n_tokens = n_tokens + context_has_token[c];
    if (context_has_token[c] && (!policy[6] || context_has_budget[c] || context_kernels[c*KW +: KW] == 0)) begin
      by_scope_ok = 1'b0;
    end
  end
  tokens_ok = n_tokens == POOL;
end

pool_conserved: assert property (!started_q || tokens_ok && by_scope_ok);

// Where tokens are a process's, all of its kernels have the same number. In a distribution the first of them takes a
// token.
reg       shares_ok;
reg [8:0] its_budget;
always @* begin
  shares_ok = 1'b1;
  for (k = 0; k < K; k = k + 1) begin
    for (c = 0; c < P; c = c + 1) begin
      its_budget = context_has_budget[c] ? context_budget[c*9 +: 9] : S / P + context_has_token[c];
      if (policy[6] && ksr_valid[k] && !waits_for_distribution[k] && ksr_context[k*CW +: CW] == c) begin
        if (ksr_tokens[k*9 +: 9] != its_budget) shares_ok = 1'b0;
        if (search_state == DISTRIBUTE && !context_has_budget[c] && !context_has_token[c] && pool != 0) begin
          shares_ok = 1'b0;
        end
      end
    end
  end
end

process_shares_its_tokens: assert property (!started_q || shares_ok);
