// SPDX-License-Identifier: Apache-2.0
// Who owns an SM, and what the rows of KSRT count of it. Rows change in each visit of a job, the SM's row only in the last:
// between them the SM counts as the first visit left it.
//
// From the includer: BW CA D FW K KW MW P RW S SW T TW
// From tsr_flight.vh: at_job given_q i is_active_kernel k
// From tsr_pins.vh: started_q strap_breadth_first_i
// From tsr_registers.vh: finishes is_second ksr_context ksr_valid promised_words row_count rows sm_count sm_ksr
//   sm_next sm_reserved sm_running trapped
// From tsr_sequence.vh: evicting job_reserves job_retargets NONE
// For others: AT_COVERED AT_HEAD AT_LEFT AT_NEXT AT_OUTSTANDING AT_OWNED AT_PREEMPTED AT_RESERVED ksr_covered
//   ksr_left ksr_next_tb ksr_owned ksr_preempted ksr_reserved ksr_slots

localparam AT_RESERVED = TW, AT_OWNED = TW + MW, AT_HEAD = TW + 2*MW, AT_COVERED = AT_HEAD + RW,
           AT_PREEMPTED = AT_COVERED + SW, AT_OUTSTANDING = AT_PREEMPTED + SW,
           AT_LEFT = AT_OUTSTANDING + SW, AT_NEXT = AT_LEFT + BW;

reg [K*TW-1:0] ksr_slots;
reg [K*MW-1:0] ksr_owned, ksr_reserved;
reg [K*SW-1:0] ksr_covered, ksr_promised, ksr_preempted, ksr_outstanding;
reg [K*BW-1:0] ksr_left, ksr_next_tb;
always @* begin
  for (k = 0; k < K; k = k + 1) begin
    ksr_slots[k*TW +: TW]       = rows[k*FW +: TW];
    ksr_reserved[k*MW +: MW]    = rows[k*FW + AT_RESERVED +: MW];
    ksr_owned[k*MW +: MW]       = rows[k*FW + AT_OWNED +: MW];
    ksr_covered[k*SW +: SW]     = rows[k*FW + AT_COVERED +: SW];
    ksr_promised[k*SW +: SW]    = promised_words[k*SW +: SW];
    ksr_preempted[k*SW +: SW]   = rows[k*FW + AT_PREEMPTED +: SW];
    ksr_outstanding[k*SW +: SW] = rows[k*FW + AT_OUTSTANDING +: SW];
    ksr_left[k*BW +: BW]        = ~rows[k*FW + AT_LEFT +: BW];
    ksr_next_tb[k*BW +: BW]     = rows[k*FW + AT_NEXT +: BW];
  end
end

// 1. The SMs, as the rows count them.
reg [S-1:0]    is_owned, is_promised, has_one_owner, running_ok;
reg [S*KW-1:0] counted_next;
reg [S*TW-1:0] counted;
reg [TW-1:0]   its_slots;
always @* begin
  for (i = 0; i < S; i = i + 1) begin
    is_owned[i]               = sm_running[i] && !(is_second && at_job[i] && job_reserves) && !given_q[i]; // not yet
    is_promised[i]            = trapped[i] && sm_reserved[i];
    counted_next[i*KW +: KW]  = is_second && at_job[i] && job_retargets ? NONE : sm_next[i*KW +: KW];
    counted[i*TW +: TW]       = is_second && at_job[i] ? row_count : sm_count[i*TW +: TW];
    its_slots = T;
    for (k = 0; k < K; k = k + 1) if (sm_ksr[i*KW +: KW] == k) its_slots = ksr_slots[k*TW +: TW];
    has_one_owner[i] = !(sm_running[i] && sm_reserved[i]) &&
      (sm_ksr[i*KW +: KW] == NONE ? !sm_running[i] : is_active_kernel(sm_ksr[i*KW +: KW], ksr_valid)) &&
      (sm_next[i*KW +: KW] == NONE || is_active_kernel(sm_next[i*KW +: KW], ksr_valid) && sm_reserved[i]) &&
      (sm_running[i] || sm_reserved[i] || sm_ksr[i*KW +: KW] == NONE);
    running_ok[i] = is_second && at_job[i] && finishes && sm_ksr[i*KW +: KW] == NONE || // its owner may have finished
      sm_count[i*TW +: TW] <= its_slots && (sm_count[i*TW +: TW] == 0 || sm_ksr[i*KW +: KW] != NONE);
  end
end

// 2. The recount.
reg [K-1:0] is_evicted, owned_ok, reserved_ok, outstanding_ok, covered_ok, kernel_ok;
reg [7:0]   n_owned, n_reserved, n_resident, n_saving, n_free;
always @* begin
  for (k = 0; k < K; k = k + 1) begin
    n_owned    = 0;
    n_reserved = 0;
    n_resident = 0;
    n_saving   = 0;
    n_free     = 0;
    for (i = 0; i < S; i = i + 1) begin
      if (sm_ksr[i*KW +: KW] == k) begin
        n_resident = n_resident + counted[i*TW +: TW];
        if (is_promised[i]) n_saving = n_saving + counted[i*TW +: TW];
        if (is_owned[i]) begin
          n_owned = n_owned + 1;
          n_free  = n_free + ksr_slots[k*TW +: TW] - counted[i*TW +: TW];
        end
      end
      if (counted_next[i*KW +: KW] == k) begin
        n_reserved = n_reserved + 1;
        if (!strap_breadth_first_i) n_free = n_free + ksr_slots[k*TW +: TW];
      end
    end
    // A kernel that an eviction has visited holds none any more, though its SMs are taken away with the last one's.
    is_evicted[k]     = evicting && ksr_owned[k*MW +: MW] == 0 && ksr_reserved[k*MW +: MW] == 0 &&
                        ksr_covered[k*SW +: SW] == 0;
    owned_ok[k]       = !ksr_valid[k] || is_evicted[k] || ksr_owned[k*MW +: MW] == n_owned;
    reserved_ok[k]    = !ksr_valid[k] || is_evicted[k] || ksr_reserved[k*MW +: MW] == n_reserved;
    outstanding_ok[k] = !ksr_valid[k] || ksr_outstanding[k*SW +: SW] == n_resident + ksr_preempted[k*SW +: SW] &&
                        n_resident + ksr_preempted[k*SW +: SW] <= S * ksr_slots[k*TW +: TW] &&
                        ksr_promised[k*SW +: SW] == (D >= S*T ? 8'd0 : n_saving) &&
                        (D >= S*T || ksr_promised[k*SW +: SW] + ksr_preempted[k*SW +: SW] <= D);
    covered_ok[k]     = !ksr_valid[k] || is_evicted[k] || ksr_covered[k*SW +: SW] == n_free;
    kernel_ok[k]      = !ksr_valid[k] || ksr_slots[k*TW +: TW] != 0 && ksr_slots[k*TW +: TW] <= T &&
                        {1'b0, ksr_context[k*CA +: CA]} < P &&
                        (ksr_left[k*BW +: BW] != 0 || ksr_outstanding[k*SW +: SW] != 0);
  end
end

one_owner: assert property (!started_q || &has_one_owner);
running_in_range: assert property (!started_q || &running_ok);
sms_recounted: assert property (!started_q || &owned_ok && &reserved_ok);
tbs_recounted: assert property (!started_q || &outstanding_ok);
slots_recounted: assert property (!started_q || &covered_ok);
kernel_in_range: assert property (!started_q || &kernel_ok);
