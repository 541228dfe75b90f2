// SPDX-License-Identifier: Apache-2.0
// Who owns an SM, and what the KSRT counts of it.
//
// From the includer: CW IDLE K KW MW NONE P RESERVED RUNNING S SW T TW
// From tsr_pins.vh: events_activated_ksr_o events_activated_o started_q strap_breadth_first_i
// From tsr_registers.vh: context_held context_kernels ksr_context ksr_covered ksr_outstanding ksr_owned ksr_preempted
//   ksr_promised ksr_reserved ksr_slots ksr_valid smst_ksr smst_next smst_running smst_state trapped
// For others: c i is_active_kernel k

// An index of KSRs that are there, and free ones for codes of none.
function is_active_kernel(input [KW-1:0] k, input [K-1:0] valid);
  integer i;
  begin
    is_active_kernel = 1'b0;
    for (i = 0; i < K; i = i + 1) if (k == i) is_active_kernel = valid[i];
  end
endfunction

reg [S-1:0] has_one_owner, is_running_in_range;
reg [K-1:0] owned_ok, reserved_ok, outstanding_ok, promised_ok, covered_ok, slots_ok;
reg [P-1:0] held_ok, kernels_ok;
reg [7:0]   n_owned, n_reserved, n_resident, n_saving, n_free, n_held, n_kernels, n_named;
integer     i, k, c;

always @* begin
  for (i = 0; i < S; i = i + 1) begin
    case (smst_state[2*i +: 2])
      IDLE:     has_one_owner[i] = smst_ksr[i*KW +: KW] == NONE && smst_next[i*KW +: KW] == NONE;
      RUNNING:  has_one_owner[i] = is_active_kernel(smst_ksr[i*KW +: KW], ksr_valid) && smst_next[i*KW +: KW] == NONE;
      RESERVED: has_one_owner[i] =
        (smst_ksr[i*KW +: KW] == NONE || is_active_kernel(smst_ksr[i*KW +: KW], ksr_valid)) &&
        (smst_next[i*KW +: KW] == NONE || is_active_kernel(smst_next[i*KW +: KW], ksr_valid));
      default:  has_one_owner[i] = 1'b0;
    endcase
    is_running_in_range[i] = smst_running[i*TW +: TW] == 0;
    for (k = 0; k < K; k = k + 1) begin
      if (smst_ksr[i*KW +: KW] == k && ksr_valid[k] && smst_running[i*TW +: TW] <= ksr_slots[k*TW +: TW]) begin
        is_running_in_range[i] = 1'b1;
      end
    end
  end
end

always @* begin
  for (k = 0; k < K; k = k + 1) begin
    n_owned    = 0;
    n_reserved = 0;
    n_resident = 0;
    n_saving   = 0;
    n_free     = 0;
    n_named    = 0;
    for (i = 0; i < S; i = i + 1) begin
      if (smst_ksr[i*KW +: KW] == k || smst_next[i*KW +: KW] == k) n_named = n_named + 1;
      if (smst_ksr[i*KW +: KW] == k) begin
        n_resident = n_resident + smst_running[i*TW +: TW];
        if (trapped[i]) n_saving = n_saving + smst_running[i*TW +: TW];
        if (smst_state[2*i +: 2] == RUNNING) begin
          n_owned = n_owned + 1;
          n_free  = n_free + ksr_slots[k*TW +: TW] - smst_running[i*TW +: TW];
        end
      end
      if (smst_next[i*KW +: KW] == k) begin
        n_reserved = n_reserved + 1;
        if (!strap_breadth_first_i) n_free = n_free + ksr_slots[k*TW +: TW];
      end
    end
    owned_ok[k]       = !ksr_valid[k] || ksr_owned[k*MW +: MW] == n_owned;
    reserved_ok[k]    = !ksr_valid[k] || ksr_reserved[k*MW +: MW] == n_reserved;
    outstanding_ok[k] = !ksr_valid[k] || ksr_outstanding[k*SW +: SW] == n_resident + ksr_preempted[k*SW +: SW] &&
                        n_resident + ksr_preempted[k*SW +: SW] <= S * ksr_slots[k*TW +: TW];
    promised_ok[k]    = !ksr_valid[k] || ksr_promised[k*SW +: SW] == n_saving;
    covered_ok[k]     = !ksr_valid[k] || ksr_covered[k*SW +: SW] == n_free;
    slots_ok[k]       = !ksr_valid[k] || ksr_slots[k*TW +: TW] != 0 && ksr_slots[k*TW +: TW] <= T &&
                        ksr_context[k*CW +: CW] < P &&
                        !(events_activated_o && events_activated_ksr_o == k &&
                          (ksr_owned[k*MW +: MW] != 0 || ksr_reserved[k*MW +: MW] != 0 ||
                           ksr_outstanding[k*SW +: SW] != 0 || n_named != 0));
  end
end

always @* begin
  for (c = 0; c < P; c = c + 1) begin
    n_held    = 0;
    n_kernels = 0;
    for (k = 0; k < K; k = k + 1) begin
      if (ksr_valid[k] && ksr_context[k*CW +: CW] == c) begin
        n_held    = n_held + ksr_owned[k*MW +: MW] + ksr_reserved[k*MW +: MW];
        n_kernels = n_kernels + 1;
      end
    end
    held_ok[c]    = context_held[c*MW +: MW] == n_held;
    kernels_ok[c] = context_kernels[c*KW +: KW] == n_kernels;
  end
end

one_owner: assert property (!started_q || &has_one_owner);
running_in_range: assert property (!started_q || &is_running_in_range);
tokens_conserved: assert property (!started_q || &owned_ok && &reserved_ok);
context_tokens_conserved: assert property (!started_q || &held_ok && &kernels_ok);
tbs_conserved: assert property (!started_q || &outstanding_ok && &promised_ok);
slots_recounted: assert property (!started_q || &covered_ok);
kernel_in_range: assert property (!started_q || &slots_ok);
