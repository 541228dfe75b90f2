// SPDX-License-Identifier: Apache-2.0
// Contexts, and the pool: each token is in it, or a kernel's (a context's), once.
//
// From the includer: CA K KW P S TR
// From tsr_flight.vh: is_active_kernel k
// From tsr_pins.vh: started_q
// From tsr_registers.vh: by_process context_kernels contexts_active deal_lane has_pool_token job job_context job_ksr
//   job_valid ksr_context ksr_valid once pass_ksr_1 phase pool pool_replaces pool_returns pool_takes scan_best_context
//   search_state
// From tsr_sequence.vh: BURST CALC DEAL_BUDGET DEAL_CONTEXT DEAL_OFFER in_job is_dealing is_one_hot JOB_ACTIVATE
//   JOB_DEAL JOB_ISSUE JOB_SETUP JOB_TRAP PICK ROW WRITE
// For others: nothing

localparam POOL = S % P;
reg [7:0] n_tokens, n_kernels, n_contexts;
reg [P-1:0] kernels_ok;
reg [TR-1:0] holder_ok;
integer c;
always @* begin
  n_tokens   = pool + pool_returns + pool_replaces - pool_takes;
  n_contexts = 0;
  for (c = 0; c < P; c = c + 1) begin
    n_kernels = 0;
    for (k = 0; k < K; k = k + 1) if (ksr_valid[k] && ksr_context[k*CA +: CA] == c) n_kernels = n_kernels + 1;
    n_contexts = n_contexts + (n_kernels != 0);
    kernels_ok[c] = context_kernels[c*KW +: KW] == n_kernels;
  end
  for (c = 0; c < TR; c = c + 1) begin
    n_tokens = n_tokens + has_pool_token[c];
    holder_ok[c] = !has_pool_token[c] || (by_process ? c < P && (once || context_kernels[(c % P)*KW +: KW] != 0) : c < K && ksr_valid[c % K]);
  end
end
kernels_recounted: assert property (!started_q || &kernels_ok && contexts_active == n_contexts);
reg context_ok;
always @* begin
  context_ok = !job[JOB_ACTIVATE] || job_context == scan_best_context;
  for (k = 0; k < K; k = k + 1) if (job_ksr == k && ksr_valid[k] && job_context != ksr_context[k*CA +: CA]) context_ok = 1'b0;
end
context_of_the_job: assert property (!started_q || !(phase[CALC] || phase[BURST] || phase[WRITE]) || !job_valid || context_ok);
pool_token_is_somewhere_once: assert property (!started_q || (n_tokens == POOL || once && n_tokens < POOL) && pool <= POOL && (!pool_takes || pool != 0) && !(pool_returns && pool_takes) &&
  (!(pool_returns || pool_takes) || phase[PICK] || phase[ROW]));
pool_token_is_of_a_kernel: assert property (!started_q || &holder_ok);
// While kernels are dealt their tokens, none ends and no SM changes hands.
wire deal_has_read = search_state[DEAL_CONTEXT] || search_state[DEAL_BUDGET] || search_state[DEAL_OFFER];
dealt_kernel_stays: assert property (!started_q || (!is_dealing || is_one_hot(deal_lane)) && (!deal_has_read || is_active_kernel(pass_ksr_1[KW-1:0], ksr_valid) &&
  (!in_job || job[JOB_TRAP] || job[JOB_SETUP] || job[JOB_ISSUE] || job[JOB_DEAL])) &&
  (!(in_job && job[JOB_DEAL]) || job_ksr == pass_ksr_1[KW-1:0]));
