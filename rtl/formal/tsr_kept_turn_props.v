// SPDX-License-Identifier: Apache-2.0
// tsr_kept_turn with the turn that it tells, whatever contexts, SMs and timers do (timing.md 3.12). Who is present is
// worked out here from the pins, without what the module keeps of them.
module tsr_kept_turn_props #(
  parameter P = 3 // contexts
) (
  input         clk_i,
  input         reset_i,
  input         write_policy_i,
  input         keeps_i,    // as it is written
  input         of_gpu_i,
  input         write_slice_end_i,
  input [2:0]   write_context_i,
  input [1:0]   write_data_i,
  input [P-1:0] waiting_i,
  input [P-1:0] listed_i,
  input         tick_i,
  input         switch_over_i,
  input [P-1:0] queued_i,
  input [P-1:0] active_i,
  input         changing_hands_i,
  input         any_in_use_i,
  input         evicted_i,
  input         drain_i
);

  localparam CA = P > 1 ? $clog2(P) : 1;
  localparam [1:0] NOBODY = 2'd0, OWNED = 2'd1, LEAVING = 2'd2, SWITCHING = 2'd3;
  localparam [1:0] DRY = 2'd0, SLICE_OVER = 2'd1, UNLISTED = 2'd2, WAIT = 2'd2;

  reg  started_q = 1'b0;
  wire rst_ni = started_q && !reset_i;
  reg  keeps_q, of_gpu_q;
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni || write_policy_i) {keeps_q, of_gpu_q} <= {keeps_i, of_gpu_i};
  end

  // 1. The module, and the turn.
  wire timer_enable, switch_start, switch_runs, passed, began, sets_turn, invokes, may, holds_commands, evicts, drains,
       is_settled;
  wire [1:0]    cause;
  wire [CA-1:0] turn, next_turn;
  tsr_kept_turn #(.NUM_CONTEXTS(P), .KEPT_TURN(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .is_on_i(keeps_q), .of_gpu_i(of_gpu_q), .write_policy_i(write_policy_i),
    .write_slice_end_i(write_slice_end_i), .write_context_i(write_context_i[CA-1:0]), .write_data_i(write_data_i),
    .waiting_i(waiting_i), .listed_i(listed_i), .tick_i(tick_i), .switch_over_i(switch_over_i),
    .timer_enable_o(timer_enable), .switch_start_o(switch_start), .switch_runs_o(switch_runs), .passed_o(passed),
    .cause_o(cause), .began_o(began), .queued_i(queued_i), .active_i(active_i), .changing_hands_i(changing_hands_i),
    .any_in_use_i(any_in_use_i), .turn_i(turn), .sets_turn_o(sets_turn), .next_turn_o(next_turn), .invokes_o(invokes),
    .may_o(may), .holds_commands_o(holds_commands), .evicts_o(evicts), .evicted_i(evicted_i), .drain_i(drain_i),
    .drains_o(drains), .is_settled_o(is_settled));
  tsr_turn #(.NUM_CONTEXTS(P), .KEPT_TURN(1)) u_turn (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_policy_i(write_policy_i), .tick_i(1'b0), .begins_i(1'b0),
    .chosen_i(keeps_q && sets_turn), .chosen_context_i(next_turn), .turn_o(turn));
  (* hierconn *) wire [1:0]    \dut.state_q ;
  (* hierconn *) wire [CA-1:0] \dut.next_q ;
  (* hierconn *) wire \dut.has_next_q , \dut.tick_q , \dut.over_q , \dut.runs_q , \dut.loaded_q , \dut.unlisted_q ,
                      \dut.passed_q , \dut.skips_q ;
  (* hierconn *) wire [P-1:0]   \dut.waiting_q , \dut.listed_q ;
  (* hierconn *) wire [P*2-1:0] \dut.slice_end_q ;
  wire [1:0]    state    = \dut.state_q ;
  wire [CA-1:0] next     = \dut.next_q ;
  wire          has_next = \dut.has_next_q , tick_waits = \dut.tick_q , over = \dut.over_q , runs = \dut.runs_q ,
                loaded = \dut.loaded_q , unlisted = \dut.unlisted_q , from_owner = \dut.passed_q ,
                skips = \dut.skips_q ;

  // 2. What is so in a cycle, by its registers.
  reg [P-1:0]   was_waiting_q, was_listed_q; // the cycle before
  reg [P*2-1:0] slice_end_q;
  integer c;
  always @(posedge clk_i) begin
    was_waiting_q <= waiting_i & {P{rst_ni}};
    was_listed_q  <= listed_i & {P{rst_ni}};
    if (!rst_ni) slice_end_q <= 0;
    else for (c = 0; c < P; c = c + 1)
      if (write_slice_end_i && write_context_i[CA-1:0] == c) slice_end_q[c*2 +: 2] <= write_data_i;
  end
  wire [P-1:0] present = was_listed_q & (was_waiting_q | queued_i | active_i);
  reg           owner_present, owner_queued, owner_active, owner_listed, others, next_present, found;
  reg [1:0]     slice_end;
  reg [CA-1:0]  first; // present one behind the turn
  integer n, d;
  always @* begin
    {owner_present, owner_queued, owner_active, owner_listed, others, next_present, found} = 7'd0;
    slice_end = 0;
    first     = 0;
    for (n = 0; n < P; n = n + 1) begin
      if (turn == n) begin
        owner_present = present[n];
        owner_queued  = was_waiting_q[n] || queued_i[n];
        owner_active  = active_i[n];
        owner_listed  = was_listed_q[n];
        slice_end     = slice_end_q[n*2 +: 2];
      end else if (present[n]) begin
        others = 1'b1;
      end
      if (next == n) next_present = present[n];
    end
    for (d = 1; d < P; d = d + 1) begin
      for (n = 0; n < P; n = n + 1) begin
        if (!found && present[n] && n == (turn + d) % P) begin
          found = 1'b1;
          first = n;
        end
      end
    end
  end
  wire is_owned = state == OWNED;

  // 3. The cycle before.
  reg was_owned_q, was_leaving_q, was_written_q, others_q, owner_present_q, owner_active_q, owner_listed_q, is_due_q,
      in_use_q, changing_q, keeps_next_q, fixes_next_q, ends_q, waits_q, was_settled_q;
  reg [P-1:0]  present_q;
  reg [CA-1:0] first_q, next_before_q, turn_before_q;
  wire resets = !rst_ni || write_policy_i || !keeps_q;
  always @(posedge clk_i) begin
    {was_owned_q, was_leaving_q, was_written_q} <= {is_owned, state == LEAVING, resets};
    {others_q, owner_present_q, owner_active_q, owner_listed_q} <= {others, owner_present, owner_active, owner_listed};
    {in_use_q, changing_q, is_due_q} <= {any_in_use_i, changing_hands_i, tick_waits || over};
    keeps_next_q  <= has_next && !owner_queued && next_present;
    fixes_next_q  <= is_owned && !has_next && !owner_queued && others;
    present_q     <= present;
    first_q       <= first;
    next_before_q <= next;
    turn_before_q <= turn;
    waits_q       <= from_owner && slice_end == WAIT && owner_active;
    ends_q        <= switch_over_i && !switch_start;
  end
  wire [CA-1:0] chosen = of_gpu_q ? next : turn; // as the turn has passed

  // 4. Ticks that wait; switches; the last owner.
  reg tick_is_due_q, switched_q, had_owner_q;
  reg [CA-1:0] last_owner_q;
  always @(posedge clk_i) begin
    tick_is_due_q <= !resets && is_owned && (tick_i || tick_is_due_q && owner_present && changing_hands_i);
    if (resets)            switched_q <= 1'b0;
    else if (switch_start) switched_q <= 1'b1;
    else if (began)        switched_q <= 1'b0;
    if (resets)            had_owner_q <= 1'b0;
    else if (is_owned)     had_owner_q <= 1'b1;
    if (is_owned)          last_owner_q <= turn;
  end

  // 5. Is nothing on its way?
  reg [9+2*CA:0] were_q;
  wire [9+2*CA:0] are = {state, turn, next & {CA{has_next || state == LEAVING}}, has_next, tick_waits, over, runs,
                         evicts, loaded, unlisted, timer_enable};
  wire has_input = resets || tick_i || switch_over_i || waiting_i != was_waiting_q || listed_i != was_listed_q ||
                   evicted_i || write_slice_end_i;
  reg [P*2+1:0] was_around_q; // what the core has of contexts and SMs
  always @(posedge clk_i) begin
    were_q        <= are;
    was_settled_q <= is_settled && !has_input;
    was_around_q  <= {queued_i, active_i, changing_hands_i, any_in_use_i};
  end
  wire stays = was_settled_q && was_around_q == {queued_i, active_i, changing_hands_i, any_in_use_i};

  levels_are_kept_for_a_cycle: assert property (!started_q || \dut.waiting_q == was_waiting_q &&
    \dut.listed_q == was_listed_q && \dut.slice_end_q == slice_end_q);
  turn_is_a_context: assert property (!started_q || {1'b0, turn} < P && {1'b0, next} < P);
  kept_turn_off_is_nobody: assert property (!started_q || keeps_q || state == NOBODY && turn == 0 && !timer_enable &&
    !switch_start && !switch_runs && !passed && !began && !invokes && !may && !evicts && !holds_commands && is_settled);
  turn_passes_for_a_reason: assert property (!started_q || !passed || was_owned_q && !was_written_q &&
    (cause == DRY        ? !owner_present_q && !owner_active_q && others_q :
     cause == SLICE_OVER ? owner_present_q && is_due_q && !changing_q && others_q :
     cause == UNLISTED && !owner_listed_q && owner_active_q));
  turn_that_is_due_passes: assert property (!started_q || !was_owned_q || was_written_q || passed ||
    state == OWNED && (owner_present_q ? !(is_due_q && !changing_q && others_q) : !others_q && !owner_active_q));
  tick_is_not_lost: assert property (!started_q || !(is_owned && tick_is_due_q) || tick_waits);
  flags_of_an_owner: assert property (!started_q || is_owned || !has_next && !tick_waits && !over && !timer_enable);
  next_is_present_when_chosen: assert property (!started_q || !(passed && others_q) ||
    present_q[chosen] && chosen != turn_before_q);
  next_is_another: assert property (!started_q || (!has_next || next != turn) &&
    !(state == LEAVING && from_owner && !unlisted && next == turn));
  next_is_fixed_in_the_first_cycle: assert property (!started_q || was_written_q || !(fixes_next_q && is_owned) ||
    has_next && next == first_q);
  next_stays_fixed: assert property (!started_q || was_written_q || !was_owned_q ||
    (is_owned ? has_next == (keeps_next_q || fixes_next_q) && (!keeps_next_q || next == next_before_q) :
     !others_q || chosen == (keeps_next_q ? next_before_q : first_q)));
  switch_starts_when_sms_are_idle: assert property (!started_q || !switch_start || state == SWITCHING &&
    (!of_gpu_q || was_leaving_q && !in_use_q && !waits_q));
  eviction_is_asked_for_in_leaving: assert property (!started_q || !evicts || state == LEAVING);
  owner_alone_gets_sms: assert property (!started_q || !may || is_owned && owner_listed ||
    state == LEAVING && from_owner && slice_end == WAIT && of_gpu_q);
  switches_are_awaited: assert property (!started_q || (loaded == had_owner_q || began) &&
    (state != SWITCHING || skips == !(switch_start || switched_q) &&
                           (!skips || !had_owner_q || turn == last_owner_q)) &&
    (state == SWITCHING || !switch_start) && (is_owned || !began) && (!is_owned || loaded) &&
    (!is_owned || !switched_q || began) && (state == NOBODY || state == LEAVING ? !switched_q : 1'b1) &&
    (!had_owner_q || is_owned || state == SWITCHING || turn == last_owner_q));
  turn_begins_after_its_switch: assert property (!started_q || !began || is_owned && !was_owned_q && !was_written_q &&
    (switched_q ? ends_q : !had_owner_q || turn == last_owner_q));
  slice_timer_runs_for_its_owner: assert property (!started_q || timer_enable == (is_owned && owner_present && !over));
  leaving_is_of_the_gpu: assert property (!started_q || (state != LEAVING || of_gpu_q) &&
    (!unlisted || !of_gpu_q || state == LEAVING && from_owner));
  settled_means_settled: assert property (!started_q || !stays || are == were_q && is_settled);

  cover_levels_are_kept_for_a_cycle: assert property (!started_q || !(&was_waiting_q && &slice_end_q));
  cover_turn_is_a_context: assert property (!started_q || !(is_owned && turn == P - 1));
  cover_kept_turn_off_is_nobody: assert property (!started_q || !(!keeps_q && |present && any_in_use_i));
  cover_turn_passes_for_a_reason: assert property (!started_q || !(passed && cause == SLICE_OVER));
  cover_turn_that_is_due_passes: assert property (!started_q || !(passed && cause == UNLISTED));
  cover_tick_is_not_lost: assert property (!started_q || !(is_owned && tick_is_due_q && changing_q));
  cover_flags_of_an_owner: assert property (!started_q || !(is_owned && over));
  cover_next_is_present_when_chosen: assert property (!started_q || !(passed && others_q && turn_before_q == 1));
  cover_next_is_another: assert property (!started_q || !(state == LEAVING && from_owner && next == 0));
  cover_next_is_fixed_in_the_first_cycle: assert property (!started_q || !(fixes_next_q && is_owned && turn == 1));
  cover_next_stays_fixed: assert property (!started_q || !(passed && keeps_next_q && chosen != first_q));
  cover_switch_starts_when_sms_are_idle: assert property (!started_q || !(switch_start && of_gpu_q && switch_runs));
  cover_eviction_is_asked_for_in_leaving: assert property (!started_q || !(evicts && !from_owner));
  cover_owner_alone_gets_sms: assert property (!started_q || !(may && state == LEAVING));
  cover_switches_are_awaited: assert property (!started_q || !(state == SWITCHING && switched_q));
  cover_turn_begins_after_its_switch: assert property (!started_q || !(began && switched_q));
  cover_slice_timer_runs_for_its_owner: assert property (!started_q || !(is_owned && owner_present && over));
  cover_leaving_is_of_the_gpu: assert property (!started_q || !(state == LEAVING && unlisted));
  cover_settled_means_settled: assert property (!started_q || !(stays && is_owned && others));

endmodule
