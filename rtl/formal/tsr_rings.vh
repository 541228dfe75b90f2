// SPDX-License-Identifier: Apache-2.0
// Rings of handles (timing.md 6.6): each handle comes back as it went in, in order, once. To the core one of a TB that was
// flushed is like others. Any one handle of any one ring is watched: what holds of it holds of all.
//
// From the includer: BW clk_i D FW handle_sm_i handle_stack_pointer_i handle_tb_i handle_valid_i K KW marks_handle_i
//   RW S SW TW
// From tsr_environment.vh: handed_q
// From tsr_flags.vh: hears_preempted
// From tsr_flight.vh: i is_active_kernel k n_issued
// From tsr_open_row.vh: bursts
// From tsr_ownership.vh: AT_HEAD ksr_preempted
// From tsr_pin_rules.vh: dispatch_ksr
// From tsr_pins.vh: dispatch_is_restore_o dispatch_stack_pointer_o dispatch_tb_o dispatch_valid_o rst_ni started_q
//   watched_ksr
// From tsr_registers.vh: handle_words is_second job_ksr ksr_valid phase push push_data push_ksr reads ring_tail rows
//   sm_count sm_ksr trapped uses_handles
// From tsr_scenario.vh: handle_sm_i handle_stack_pointer_i handle_tb_i handle_valid_i marks_handle_i
// From tsr_sequence.vh: BURST NONE WRITE
// For others: ahead_q in_ring_q pops watches_q

// 1. Where a ring ends: behind what is counted, and what SMs have handed back that have not said that it is all.
reg [K-1:0]    ring_ok;
reg [K*SW-1:0] ring_length;
reg [7:0]      n_back, its_head, its_end, its_tail;
reg            is_pushed;
always @* begin
  for (k = 0; k < K; k = k + 1) begin
    n_back = 0;
    for (i = 0; i < S; i = i + 1) begin
      if (sm_ksr[i*KW +: KW] == k) begin
        n_back = n_back + (!(hears_preempted[i] && trapped[i]) ? handed_q[i*TW +: TW] : // else the job counts them
                           is_second ? {TW{1'b0}} : sm_count[i*TW +: TW]);
      end
    end
    is_pushed = push && push_ksr == k;
    ring_length[k*SW +: SW] = ksr_preempted[k*SW +: SW] + n_back;
    its_head = rows[k*FW + AT_HEAD +: RW];
    its_tail = ring_tail[k*RW +: RW];
    its_end  = its_head + ring_length[k*SW +: SW];
    ring_ok[k] = !ksr_valid[k] || its_head < D && its_tail < D && ring_length[k*SW +: SW] <= D &&
                 (!is_pushed || n_back != 0) &&
                 (its_tail + is_pushed == its_end || its_tail + is_pushed + D == its_end || its_tail + is_pushed == its_end + D);
  end
end
rings_are_counted: assert property (!started_q || &ring_ok && (!push || is_active_kernel(push_ksr, ksr_valid)));

// 2. A handle, as the pins have it; its ring is that of its SM's owner.
reg            watches_q;
reg [BW+31:0]  watched_q;
reg [SW-1:0]   in_ring_q, ahead_q; // handles of that ring; of them, those that come out before it
reg [KW-1:0]   pushed_ksr;
reg [SW-1:0]   its_length;
reg [7:0]      place;
reg [BW+31:0]  its_word;
reg            is_its_kernel_active;
always @* begin
  pushed_ksr = NONE;
  for (i = 0; i < S; i = i + 1) if (handle_sm_i == i) pushed_ksr = sm_ksr[i*KW +: KW];
end
wire pushes = handle_valid_i && pushed_ksr == watched_ksr;
wire pops   = dispatch_valid_o && dispatch_is_restore_o && dispatch_ksr == watched_ksr;
wire starts_watching = pushes && marks_handle_i && !watches_q;
always @(posedge clk_i) begin
  if (!rst_ni) {watches_q, in_ring_q} <= 0;
  else begin
    in_ring_q <= in_ring_q + pushes - pops;
    watches_q <= starts_watching || watches_q && !(pops && ahead_q == 0);
    ahead_q   <= (watches_q ? ahead_q : in_ring_q) - pops;
    if (starts_watching) watched_q <= {handle_tb_i, handle_stack_pointer_i};
  end
end

// 3. It is where its ring's head says, or on its way there, or out.
wire [SW-1:0] n_popped = (phase[BURST] || phase[WRITE]) && bursts && uses_handles && job_ksr == watched_ksr ?
                         n_issued - reads : 0; // by the job under way
wire is_in_port = push && push_ksr == watched_ksr && ahead_q + 1'b1 == in_ring_q;
wire is_read    = reads && job_ksr == watched_ksr && ahead_q == 0;
always @* begin
  its_length = 0;
  place      = n_popped + ahead_q;
  its_word   = 0;
  is_its_kernel_active = 1'b0;
  for (k = 0; k < K; k = k + 1) begin
    if (watched_ksr == k) begin
      its_length = ksr_valid[k] ? ring_length[k*SW +: SW] : 0;
      place = place + rows[k*FW + AT_HEAD +: RW];
      is_its_kernel_active = ksr_valid[k];
    end
  end
  if (place >= D) place = place - D;
  for (k = 0; k < K*D; k = k + 1) if (watched_ksr * D + place == k) its_word = handle_words[k*(BW+32) +: BW+32];
end
wire [BW+31:0] dispatched = {dispatch_tb_o, dispatch_stack_pointer_o};
wire is_where_it_should_be = is_its_kernel_active && ahead_q < in_ring_q &&
                             (is_in_port ? push_data == watched_q : is_read ? dispatched == watched_q : its_word == watched_q);
wire is_as_it_was = !(pops && ahead_q == 0) || dispatched == watched_q;
handle_comes_back: assert property (!started_q || (!reads || n_issued != 0) && (watched_ksr >= K ||
  in_ring_q == its_length - n_popped && (!pops || in_ring_q != 0) && (!watches_q || is_where_it_should_be && is_as_it_was)));
