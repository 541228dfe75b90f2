// SPDX-License-Identifier: Apache-2.0
// What a policy would see if it looked at all of the tables in this cycle: who needs SMs, who has them, who may take
// them from whom.
//
// From the includer: CW IDLE K KW LW MW NONE P RESERVED S SW
// From tsr_pins.vh: strap_breadth_first_i
// From tsr_registers.vh: context_held ksr_context ksr_covered ksr_has_more ksr_owned ksr_preempted ksr_priority
//   ksr_remaining ksr_reserved ksr_tokens ksr_valid policy slice_turn smst_ksr smst_next smst_state
// From tsr_ownership.vh: c i k
// For others: are_idle are_reserved behind claimant DSS holds in_turn is_served j left may_take needs PPQ rule shared
//   TIME_SLICE wants

localparam [2:0] PPQ = 3'd2, DSS = 3'd3, TIME_SLICE = 3'd4; // fcfs and npq take none

wire [2:0] rule   = policy[2:0];
wire       shared = policy[4]; // access

// ---- kernels --------------------------------------------------------------------------------------------------------

// TBs that no slot waits for; an SM that is or will be its own; tokens left; contexts behind the one in turn.
reg [K-1:0]    needs, holds;
reg [K*12-1:0] left; // signed
reg [K*8-1:0]  behind;
reg [7:0]      n_issuable, n_covering, n_in_use, least_behind;
integer        j;

always @* begin
  least_behind = P;
  for (k = 0; k < K; k = k + 1) begin
    n_issuable = ksr_remaining[k*LW +: LW] + ksr_preempted[k*SW +: SW];
    n_covering = ksr_covered[k*SW +: SW];
    if (strap_breadth_first_i) begin
      if (ksr_owned[k*MW +: MW] < n_covering) n_covering = ksr_owned[k*MW +: MW];
      n_covering = n_covering + ksr_reserved[k*MW +: MW];
    end
    n_in_use         = ksr_owned[k*MW +: MW] + ksr_reserved[k*MW +: MW];
    needs[k]         = ksr_valid[k] && (ksr_has_more[k] || n_issuable > n_covering);
    holds[k]         = ksr_valid[k] && n_in_use != 0;
    behind[k*8 +: 8] = P;
    for (c = 0; c < P; c = c + 1) begin
      if (ksr_context[k*CW +: CW] == c) begin
        if (policy[6]) n_in_use = context_held[c*MW +: MW];
        behind[k*8 +: 8] = c - slice_turn + (c < slice_turn ? P : 0);
      end
    end
    left[k*12 +: 12] = {3'd0, ksr_tokens[k*9 +: 9]} - n_in_use;
    if (ksr_valid[k] && behind[k*8 +: 8] < least_behind) least_behind = behind[k*8 +: 8];
  end
end

// ---- SMs ------------------------------------------------------------------------------------------------------------

// The kernel that an SM runs, or will run if it is reserved, or NONE.
reg [S*KW-1:0] claimant;
reg [S-1:0]    are_idle, are_reserved;
always @* begin
  for (i = 0; i < S; i = i + 1) begin
    are_idle[i]     = smst_state[2*i +: 2] == IDLE;
    are_reserved[i] = smst_state[2*i +: 2] == RESERVED;
    claimant[i*KW +: KW] = are_idle[i] ? NONE : are_reserved[i] ? smst_next[i*KW +: KW] : smst_ksr[i*KW +: KW];
  end
end

// ---- the policy -----------------------------------------------------------------------------------------------------

// `wants`: SMs go to it, or are emptied for it. `is_served`: it is not passed over. `may_take`, bit j*K+k: j from k.
reg [K-1:0]   in_turn, wants, is_served;
reg [K*K-1:0] may_take;
always @* begin
  for (k = 0; k < K; k = k + 1) begin
    in_turn[k] = ksr_valid[k] && behind[k*8 +: 8] == least_behind;
    wants[k]   = ksr_valid[k] && (needs[k] || rule == PPQ && !shared);
  end
  for (j = 0; j < K; j = j + 1) begin
    is_served[j] = needs[j] && (rule != TIME_SLICE || shared || in_turn[j]);
    for (k = 0; k < K; k = k + 1) begin
      case (rule)
        PPQ:        may_take[j*K+k] = ksr_priority[j*4 +: 4] > ksr_priority[k*4 +: 4];
        DSS:        may_take[j*K+k] = $signed(left[j*12 +: 12]) > $signed(left[k*12 +: 12]) + 12'sd1;
        TIME_SLICE: may_take[j*K+k] = in_turn[j] && !in_turn[k];
        default:    may_take[j*K+k] = 1'b0;
      endcase
      // Exclusive access: the top priority alone.
      if (rule == PPQ && !shared && ksr_valid[k] && ksr_priority[k*4 +: 4] > ksr_priority[j*4 +: 4]) begin
        is_served[j] = 1'b0;
      end
    end
  end
end
