// SPDX-License-Identifier: Apache-2.0
// The way of one thread block, any: number `a_tb` of the kernel in row `a_ksr`. Pins say where it is; an SM may end it or
// give it back only while it is there. And the rings of the PTBQ, by count and by content.
//
// From the includer: B BW clk_i command_buffer_i command_num_tbs_i command_tag_i command_valid_i D done_is_a_i
//   handle_sm_i handle_tb_i handle_valid_i HW K KW LW MW NONE RW S sm_event_kind_i sm_event_sm_i SW TW UPPER
// From tsr_pins.vh: dispatch_is_restore_o dispatch_sm_o dispatch_tb_o dispatch_valid_o events_activated_buffer_o
//   events_activated_ksr_o events_activated_o kernel_done_valid_o rst_ni started_q
// From tsr_registers.vh: buffer_launch buffer_valid chosen chosen_handle chosen_ksr chosen_sm HAS_UPPER ksr_next_tb
//   ksr_preempted ksr_remaining ksr_upper ksr_valid launch ring_head ring_tail ring_words smst_ksr smst_running trapped
// From tsr_environment.vh: event_taken handed_q PREEMPTED s TB_DONE
// From tsr_ownership.vh: i is_active_kernel k
// From tsr_queues.vh: a b
// From tsr_launches.vh: has_fresh
// For others: a_arrives a_count_q a_fresh a_ksr a_next_tb a_tag a_tag_q a_tb a_valid a_was_there_q ahead_q DONE fresh
//   IN_RING is_last occupied_q ON_SM owner_of place_q popped_q restore

(* anyconst *) wire [KW-1:0] a_ksr;
(* anyconst *) wire [BW-1:0] a_tb;
assume_a_ksr: assume property (a_ksr < K);

wire a_valid = is_active_kernel(a_ksr, ksr_valid);

function [KW-1:0] owner_of(input [MW-1:0] sm, input [S*KW-1:0] owners);
  integer i;
  begin
    owner_of = NONE;
    for (i = 0; i < S; i = i + 1) if (sm == i) owner_of = owners[i*KW +: KW];
  end
endfunction

// ---- the launch: what the pins said of its number of TBs ----------------------------------------------------------

reg [B*BW-1:0] launched_q; // by buffer
reg [BW-1:0]   a_count_q;  // of a_ksr's kernel, in the cycle after its activation
reg [B*2-1:0]  tag_q;      // of its descriptor, by buffer
reg [1:0]      a_tag_q, its_tag;
reg [BW-1:0]   its_launch, a_next_tb;
reg [LW-1:0]   a_remaining;
reg [UPPER-1:0] a_upper;
wire           a_arrives = events_activated_o && events_activated_ksr_o == a_ksr;

always @* begin
  its_launch  = 0;
  a_remaining = 0;
  a_next_tb   = 0;
  a_upper     = 0;
  its_tag     = 0;
  for (b = 0; b < B; b = b + 1) begin
    if (events_activated_buffer_o == b) {its_launch, its_tag} = {launched_q[b*BW +: BW], tag_q[b*2 +: 2]};
  end
  for (k = 0; k < K; k = k + 1) begin
    if (a_ksr == k) begin
      {a_remaining, a_upper}    = {ksr_remaining[k*LW +: LW], ksr_upper[k*UPPER +: UPPER]};
      a_next_tb                 = ksr_next_tb[k*BW +: BW];
    end
  end
end

wire [BW-1:0] a_count = a_arrives ? its_launch : a_count_q;
wire [1:0]    a_tag   = a_arrives ? its_tag : a_tag_q;

generate
  for (s = 0; s < B; s = s + 1) begin : g_launch
    always @(posedge clk_i) begin
      if (command_valid_i && command_buffer_i == s) begin
        launched_q[s*BW +: BW] <= command_num_tbs_i;
        tag_q[s*2 +: 2]        <= command_tag_i;
      end
    end
  end
endgenerate
always @(posedge clk_i) {a_count_q, a_tag_q} <= {a_count, a_tag};

reg launched_ok;
always @* begin
  launched_ok = 1'b1;
  for (b = 0; b < B; b = b + 1) begin
    if (buffer_valid[b] &&
        buffer_launch[b*(BW+40) +: BW+40] != {launched_q[b*BW +: BW], 38'd0, tag_q[b*2 +: 2]}) begin
      launched_ok = 1'b0;
    end
  end
end

// ---- where it is --------------------------------------------------------------------------------------------------

localparam [1:0] NEVER_SENT = 2'd0, ON_SM = 2'd1, IN_RING = 2'd2, DONE = 2'd3;

reg [1:0]    place_q;
reg [MW-1:0] place_sm_q;
reg [RW:0]   ahead_q;   // handles before it in the ring
reg          popped_q;  // it was read in the last cycle
reg [KW-1:0] read_ksr_q;

wire done        = event_taken && sm_event_kind_i == TB_DONE;
wire saved       = event_taken && sm_event_kind_i == PREEMPTED;
wire fresh       = dispatch_valid_o && !dispatch_is_restore_o;
wire restore     = dispatch_valid_o && dispatch_is_restore_o;
wire a_fresh     = fresh && owner_of(dispatch_sm_o, smst_ksr) == a_ksr && dispatch_tb_o == a_tb;
wire a_handed    = handle_valid_i && owner_of(handle_sm_i, smst_ksr) == a_ksr && handle_tb_i == a_tb;
wire a_read      = chosen && chosen_handle && chosen_ksr == a_ksr;
wire a_popped    = a_read && place_q == IN_RING && ahead_q == 0;
wire a_done      = done && done_is_a_i;

reg [TW-1:0] event_running, handle_left; // TBs of the event's SM; those that the handle's SM has still to give back
always @* begin
  event_running = 0;
  handle_left   = 0;
  for (i = 0; i < S; i = i + 1) begin
    if (sm_event_sm_i == i) event_running = smst_running[i*TW +: TW];
    if (handle_sm_i == i) handle_left = smst_running[i*TW +: TW] - handed_q[i*TW +: TW];
  end
end
wire is_there_for_event  = place_q == ON_SM && place_sm_q == sm_event_sm_i;
wire is_there_for_handle = place_q == ON_SM && place_sm_q == handle_sm_i;

// An SM ends, and gives back, what it has; the last of its TBs is this one if this one is there.
assume_done_tb_is_there: assume property (!(done && done_is_a_i) || is_there_for_event);
assume_last_tb_done: assume property (!(done && is_there_for_event && event_running == 1) || done_is_a_i);
assume_handle_tb_is_there: assume property (!a_handed || is_there_for_handle);
assume_last_handle: assume property (!(handle_valid_i && is_there_for_handle && handle_left == 1) || a_handed);

reg [7:0]    a_occupied; // of its ring
reg [K*8-1:0] occupied_q; // handles in each ring, from pins
always @* begin
  a_occupied = 0;
  for (k = 0; k < K; k = k + 1) if (a_ksr == k) a_occupied = occupied_q[k*8 +: 8];
end

always @(posedge clk_i) begin
  if (!rst_ni) begin
    place_q  <= NEVER_SENT;
    popped_q <= 1'b0;
  end else begin
    popped_q   <= a_popped;
    read_ksr_q <= chosen_ksr;
    if (a_arrives) place_q <= NEVER_SENT;
    else if (a_done) place_q <= DONE;
    else if (a_fresh) {place_q, place_sm_q} <= {ON_SM, dispatch_sm_o};
    else if (a_popped) {place_q, place_sm_q} <= {ON_SM, chosen_sm};
    else if (a_handed) {place_q, ahead_q} <= {IN_RING, a_occupied[RW:0] - a_read};
    else if (a_read) ahead_q <= ahead_q - 1'b1;
  end
end

// ---- the rings ----------------------------------------------------------------------------------------------------

generate
  for (s = 0; s < K; s = s + 1) begin : g_ring
    wire pushes = handle_valid_i && owner_of(handle_sm_i, smst_ksr) == s;
    wire pops   = chosen && chosen_handle && chosen_ksr == s;
    always @(posedge clk_i) begin
      if (!rst_ni) occupied_q[s*8 +: 8] <= 8'd0;
      else occupied_q[s*8 +: 8] <= occupied_q[s*8 +: 8] + pushes - pops;
    end
  end
endgenerate

reg       ring_room_ok, ring_count_ok, ring_pointers_ok, ring_has_a_once;
reg [7:0] n_handed, n_promised, distance;
always @* begin
  ring_room_ok     = 1'b1;
  ring_count_ok    = 1'b1;
  ring_pointers_ok = 1'b1;
  ring_has_a_once  = 1'b1;
  n_handed         = 0;
  n_promised       = 0;
  distance         = 0;
  for (k = 0; k < K; k = k + 1) begin
    n_handed   = 0;
    n_promised = 0;
    for (i = 0; i < S; i = i + 1) begin
      if (smst_ksr[i*KW +: KW] == k && trapped[i]) begin
        n_handed   = n_handed + handed_q[i*TW +: TW];
        n_promised = n_promised + smst_running[i*TW +: TW];
      end
    end
    if (occupied_q[k*8 +: 8] != (ksr_valid[k] ? ksr_preempted[k*SW +: SW] + n_handed : 8'd0)) ring_count_ok = 1'b0;
    if (ksr_valid[k] && ksr_preempted[k*SW +: SW] + n_promised > D) ring_room_ok = 1'b0;
    distance = {1'b0, ring_tail[k*RW +: RW]} + (ring_tail[k*RW +: RW] < ring_head[k*RW +: RW] ? D : 0) -
               ring_head[k*RW +: RW];
    if (ring_head[k*RW +: RW] >= D || ring_tail[k*RW +: RW] >= D ||
        distance != (occupied_q[k*8 +: 8] == D ? 8'd0 : occupied_q[k*8 +: 8])) ring_pointers_ok = 1'b0;
    // Every word of the ring: this TB's handle where it should be, and nowhere else.
    for (a = 0; a < D; a = a + 1) begin
      distance = a + (a < ring_head[k*RW +: RW] ? D : 0) - ring_head[k*RW +: RW];
      if (a_ksr == k && distance < occupied_q[k*8 +: 8] &&
          (ring_words[(k*D+a)*HW+32 +: BW] == a_tb) != (place_q == IN_RING && ahead_q == distance)) begin
        ring_has_a_once = 1'b0;
      end
    end
  end
end

reg sm_of_a_ok; // the SM where it is, is its kernel's, and has a TB that was not given back
always @* begin
  sm_of_a_ok = place_q != ON_SM;
  for (i = 0; i < S; i = i + 1) begin
    if (place_sm_q == i && smst_ksr[i*KW +: KW] == a_ksr && smst_running[i*TW +: TW] > handed_q[i*TW +: TW]) begin
      sm_of_a_ok = 1'b1;
    end
  end
end

// ---- kernel done --------------------------------------------------------------------------------------------------

reg       last_done_q; // what was taken was the last TB of its kernel
reg [7:0] n_left;
reg       is_last;
reg       a_was_there_q;
always @* begin
  n_left  = 0;
  is_last = 1'b0;
  for (k = 0; k < K; k = k + 1) begin
    if (done && owner_of(sm_event_sm_i, smst_ksr) == k) begin
      n_left  = ksr_preempted[k*SW +: SW];
      for (i = 0; i < S; i = i + 1) if (smst_ksr[i*KW +: KW] == k) n_left = n_left + smst_running[i*TW +: TW];
      is_last = n_left == 1 && !has_fresh[k];
    end
  end
end
always @(posedge clk_i) begin
  last_done_q   <= rst_ni && is_last;
  a_was_there_q <= rst_ni && a_valid;
end

// Sent and counted by the row; those above add up to the rest of the launch. Its number comes a cycle after the row.
wire [BW:0] a_sent_and_counted = {1'b0, a_next_tb} + a_remaining;
wire [BW:0] a_all              = HAS_UPPER ? {1'b0, a_upper, a_sent_and_counted[LW-1:0]} : a_sent_and_counted;

ptbq_never_overflows: assert property (!started_q || ring_room_ok && ring_count_ok && ring_pointers_ok);
tb_handle_in_ring_once: assert property (!started_q || !a_valid || a_arrives ||
  ring_has_a_once && (place_q != IN_RING || ahead_q < a_occupied));
tbs_issued_in_order: assert property (!started_q || launched_ok &&
  (!a_valid || (a_arrives ? launch[40 +: BW] == a_count : a_all == a_count) && (a_arrives ? a_next_tb == 0 :
                                                (place_q != NEVER_SENT) == (a_tb < a_next_tb))));
tb_sent_fresh_once: assert property (!started_q || !(rst_ni && a_fresh) || place_q == NEVER_SENT && a_tb < a_count);
tb_restored_only_when_saved: assert property (!started_q || !(rst_ni && restore) ||
  read_ksr_q == owner_of(dispatch_sm_o, smst_ksr) && popped_q == (read_ksr_q == a_ksr && dispatch_tb_o == a_tb));
tb_stays_where_it_is: assert property (!started_q || !(a_valid && !a_arrives) || sm_of_a_ok);
kernel_done_with_last_tb: assert property (!started_q || kernel_done_valid_o == last_done_q &&
  (!(a_was_there_q && !a_valid) || a_tb >= a_count_q || place_q == DONE));
