// SPDX-License-Identifier: Apache-2.0
// What a launch brings and only carries along: RAMs hold it, and it comes out as it came in. TBs that a row does not
// count, descriptors, page tables.
//
// From the includer: BW clk_i control_context_i control_low_i control_reg_i control_valid_i CW K KW LW P S SW UPPER
// From tsr_pins.vh: events_activated_ksr_o events_activated_o kernel_done_descriptor_o kernel_done_valid_o rst_ni
//   sm_control_context_o sm_control_descriptor_o sm_control_page_table_o sm_control_sm_o started_q
// From tsr_registers.vh: borrow_count borrow_ksr borrow_valid has_page_table HAS_UPPER ksr_context ksr_descriptor
//   ksr_has_fresh ksr_has_handles ksr_has_more ksr_next_tb ksr_preempted ksr_remaining ksr_upper ksr_valid launch
//   launch_ksr launch_valid page_tables smst_ksr upper_read
// From tsr_ownership.vh: c is_active_kernel k
// From tsr_thread_blocks.vh: a_arrives a_ksr a_tag a_tag_q a_valid a_was_there_q owner_of
// From tsr_handshakes.vh: set_up worked_q
// For others: a_context has_fresh owners_q page_sent_q set_up_ksr

// ---- TBs that a row does not count --------------------------------------------------------------------------------

// As many times 2^LW are left: what the launch had above, less the times the row has borrowed.
reg [K-1:0]  has_fresh, is_upper_left, upper_ok, placeholder_ok, flags_ok;
reg [BW:0]   upper_taken;
reg          borrow_ok;
always @* begin
  borrow_ok   = !borrow_valid || borrow_ksr < K && is_active_kernel(borrow_ksr, ksr_valid);
  upper_taken = 0;
  for (k = 0; k < K; k = k + 1) begin
    has_fresh[k]      = ksr_has_more[k] || ksr_remaining[k*LW +: LW] != 0;
    flags_ok[k]       = !ksr_valid[k] || ksr_has_fresh[k] == has_fresh[k] &&
                                         ksr_has_handles[k] == (ksr_preempted[k*SW +: SW] != 0);
    placeholder_ok[k] = !(launch_valid && launch_ksr == k) ||
                        ksr_valid[k] && ksr_remaining[k*LW +: LW] == 1 && !ksr_has_more[k] &&
                        ksr_next_tb[k*BW +: BW] == 0;
    upper_taken       = ({1'b0, ksr_next_tb[k*BW +: BW]} + ksr_remaining[k*LW +: LW]) >> LW;
    is_upper_left[k]  = HAS_UPPER && upper_taken < ksr_upper[k*UPPER +: UPPER];
    // Exact; where the row borrowed for the last time in the last cycle, one cycle later. It counts enough till then.
    upper_ok[k] = !ksr_valid[k] || launch_valid && launch_ksr == k ||
                  (!HAS_UPPER || upper_taken <= ksr_upper[k*UPPER +: UPPER]) &&
                  (ksr_has_more[k] == is_upper_left[k] || borrow_valid && borrow_ksr == k && ksr_has_more[k]);
    if (borrow_valid && borrow_ksr == k &&
        !(ksr_remaining[k*LW +: LW] == {LW{1'b1}} && upper_taken == borrow_count + 1'b1 && ksr_has_more[k] &&
          upper_read == ksr_upper[k*UPPER +: UPPER] && !(launch_valid && launch_ksr == k))) borrow_ok = 1'b0;
  end
end

unsent_counted: assert property (!started_q || &upper_ok && &placeholder_ok && borrow_ok &&
  launch_valid == events_activated_o && (!launch_valid || launch_ksr == events_activated_ksr_o && launch[40 +: BW] != 0));

issuable_is_seen: assert property (!started_q || &flags_ok);

// ---- descriptors --------------------------------------------------------------------------------------------------

reg [S*KW-1:0] owners_q; // in the cycle in which a set-up was sent
always @(posedge clk_i) owners_q <= smst_ksr;

wire [KW-1:0] set_up_ksr = owner_of(sm_control_sm_o, owners_q);
reg           descriptors_ok;
reg [CW-1:0]  set_up_context;
always @* begin
  descriptors_ok = 1'b1;
  set_up_context = 0;
  for (k = 0; k < K; k = k + 1) begin
    if (a_ksr == k && a_valid && !a_arrives && ksr_descriptor[k*40 +: 40] != {38'd0, a_tag}) descriptors_ok = 1'b0;
    if (set_up_ksr == k) set_up_context = ksr_context[k*CW +: CW];
  end
end

kernel_done_names_its_launch: assert property (!started_q ||
  descriptors_ok && (!a_arrives || launch[39:0] == {38'd0, a_tag}) &&
  (!(a_was_there_q && !a_valid && worked_q) || kernel_done_valid_o && kernel_done_descriptor_o == {38'd0, a_tag_q}));

// ---- page tables: of one context, any -----------------------------------------------------------------------------

(* anyconst *) wire [CW-1:0] a_context;
assume_a_context: assume property (a_context < P);

reg [8:0] page_q, page_sent_q; // as the OS wrote it last; as it was when what is on the pins was sent
always @(posedge clk_i) begin
  if (!rst_ni) page_q <= 9'd0;
  else if (control_valid_i && control_reg_i == 2'd3 && control_context_i == a_context) page_q <= control_low_i;
  page_sent_q <= page_q;
end

reg pages_ok;
always @* begin
  pages_ok = 1'b1;
  for (c = 0; c < P; c = c + 1) begin
    if (a_context == c && (has_page_table[c] ? page_tables[c*64 +: 64] : 64'd0) != {55'd0, page_q}) pages_ok = 1'b0;
  end
end

set_up_is_for_its_kernel: assert property (!started_q || pages_ok && (!set_up || !worked_q ||
  set_up_ksr < K && sm_control_context_o == set_up_context &&
  (set_up_ksr != a_ksr || sm_control_descriptor_o == {38'd0, a_tag_q}) &&
  (sm_control_context_o != a_context || sm_control_page_table_o == {55'd0, page_sent_q})));
