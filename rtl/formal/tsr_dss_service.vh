// SPDX-License-Identifier: Apache-2.0
// What DSS promises ([T14] 3.4.2) where every kernel has a token and there is an SM for every token.
//
// From the includer: K KW NONE S SEARCH_IDLE
// From tsr_pins.vh: started_q
// From tsr_registers.vh: ksr_has_fresh ksr_has_handles ksr_tokens ksr_valid move_kind move_sm moves policy search_state
// From tsr_ownership.vh: i k
// From tsr_needs.vh: are_reserved claimant DSS holds left rule
// From tsr_quiescent.vh: is_quiescent
// For others: budgets_fit some_for_nobody

reg        budgets_fit, serves_each, takes_debt;
reg        some_for_nobody; // an SM is reserved, but the kernel that it was for has ended
reg [15:0] n_budgets;
always @* begin
  budgets_fit     = rule == DSS && !policy[6];
  serves_each     = 1'b1;
  takes_debt      = 1'b1;
  some_for_nobody = 1'b0;
  n_budgets       = 0;
  for (k = 0; k < K; k = k + 1) begin
    if (ksr_valid[k]) n_budgets = n_budgets + ksr_tokens[k*9 +: 9];
    if (ksr_valid[k] && ksr_tokens[k*9 +: 9] == 0) budgets_fit = 1'b0;
    if (ksr_valid[k] && (ksr_has_fresh[k] || ksr_has_handles[k]) && !holds[k]) serves_each = 1'b0;
  end
  if (n_budgets > S) budgets_fit = 1'b0;
  for (i = 0; i < S; i = i + 1) begin
    if (are_reserved[i] && claimant[i*KW +: KW] == NONE) some_for_nobody = 1'b1;
    for (k = 0; k < K; k = k + 1) begin
      if (move_kind != 2'd0 && move_sm == i && claimant[i*KW +: KW] == k && !left[k*12+11]) takes_debt = 1'b0;
    end
  end
end

dss_serves_each: assert property (!started_q ||
  !(search_state == SEARCH_IDLE && budgets_fit) || serves_each || some_for_nobody);
dss_takes_only_debt: assert property (!started_q ||
  !(moves && is_quiescent && budgets_fit) || takes_debt || some_for_nobody);
