// SPDX-License-Identifier: Apache-2.0
// A turn that is kept (timing.md 3.12): who has the GPU, for how long, and who is next. Whose turn it is stands in
// tsr_turn, which this tells.
//
//            a context is present        its SMs are idle            the switch is over
//   NOBODY ----------------------> LEAVING ------------> SWITCHING ---------------------> OWNED
//     ^                               |  ^                                                  |
//     +---- to nobody ----------------+  +--------------- dry, slice over, off the list ----+
//
// With switch scope SM there is no LEAVING. Costs three rows of bits, one a context, and finding the next one of them.
module tsr_kept_turn #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  input                        is_on_i,          // the policy keeps a turn; it changes by a policy write alone
  input                        of_gpu_i,         // switch scope
  input                        write_policy_i,
  input                        write_slice_end_i,
  input  [CONTEXT_ADDRESS-1:0] write_context_i,
  input  [1:0]                 write_data_i,
  // Pins
  input  [NUM_CONTEXTS-1:0]    waiting_i,
  input  [NUM_CONTEXTS-1:0]    listed_i,
  input                        tick_i,
  input                        switch_over_i,
  output                       timer_enable_o,
  output                       switch_start_o,
  output                       switch_runs_o,
  output                       passed_o,         // events
  output     [1:0]             cause_o,
  output                       began_o,
  // Contexts with a command that waits, and with active kernels.
  input  [NUM_CONTEXTS-1:0]    queued_i,
  input  [NUM_CONTEXTS-1:0]    active_i,
  // SMs
  input                        changing_hands_i, // one is
  input                        any_in_use_i,     // one is not idle
  // Whose turn it is.
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  output                       sets_turn_o,
  output [CONTEXT_ADDRESS-1:0] next_turn_o,
  // The search.
  output                       invokes_o,
  output                       may_o,            // kernels of the turn's context may have SMs
  output                       holds_commands_o, // none of its commands is activated
  output                       evicts_o,
  input                        evicted_i,        // that is done, or nothing was there
  input                        drain_i,          // the policy's technique
  output                       drains_o,         // an eviction: TBs run to their ends
  output                       is_settled_o      // nothing changes
);

  localparam [1:0] NOBODY = 2'd0, OWNED = 2'd1, LEAVING = 2'd2, SWITCHING = 2'd3;
  localparam [1:0] DRY = 2'd0, SLICE_OVER = 2'd1, UNLISTED = 2'd2; // causes
  localparam [1:0] WAIT = 2'd2; // slice end; bit 0: not as the technique says, then bit 1: no drain

  reg  [1:0]                 state_q;
  reg  [NUM_CONTEXTS-1:0]    waiting_q, listed_q;
  reg  [CONTEXT_ADDRESS-1:0] next_q;
  reg  has_next_q, tick_q, over_q, runs_q, evicts_q, loaded_q, unlisted_q;
  reg  passed_q;          // LEAVING: from an owner
  reg  skips_q;           // SWITCHING: nothing to switch
  reg  waiting_changed_q; // in the cycle before
  reg  switch_start_q, passed_out_q, began_out_q;
  reg  [1:0] cause_q;

  wire is_nobody    = state_q == NOBODY;
  wire is_owned     = state_q == OWNED;
  wire is_leaving   = state_q == LEAVING;
  wire is_switching = state_q == SWITCHING;

  // 1. Who is there.
  wire [NUM_CONTEXTS-1:0] turn_row, next_row;
  tsr_one_hot #(.ROWS(NUM_CONTEXTS), .INDEX_WIDTH(CONTEXT_ADDRESS)) u_turn (
    .valid_i(1'b1), .index_i(turn_i), .row_o(turn_row));
  tsr_one_hot #(.ROWS(NUM_CONTEXTS), .INDEX_WIDTH(CONTEXT_ADDRESS)) u_next (
    .valid_i(1'b1), .index_i(next_q), .row_o(next_row));
  wire [NUM_CONTEXTS-1:0] present = listed_q & (waiting_q | queued_i | active_i);
  wire is_queued     = |((waiting_q | queued_i) & turn_row); // the owner
  wire is_active     = |(active_i & turn_row);
  wire is_listed     = |(listed_q & turn_row);
  wire is_dry        = !(|(present & turn_row));
  wire others_wait   = |(present & ~turn_row);
  wire next_present  = |(present & next_row);

  // 2. The first of them from the turn's context on, itself only where nobody has the turn.
  wire [NUM_CONTEXTS-1:0] from_turn, at_or_below;
  tsr_prefix_or #(.COUNT(NUM_CONTEXTS)) u_from_turn (.bits_i(turn_row), .any_o(from_turn));
  wire [NUM_CONTEXTS-1:0] asks  = present & ~(turn_row & {NUM_CONTEXTS{!is_nobody}});
  wire [NUM_CONTEXTS-1:0] round = |(asks & from_turn) ? asks & from_turn : asks;
  tsr_prefix_or #(.COUNT(NUM_CONTEXTS)) u_first (.bits_i(round), .any_o(at_or_below));
  wire [CONTEXT_WIDTH-1:0] first_index;
  wire unused_index = &{1'b0, first_index}; // but for an address
  tsr_encode #(.COUNT(NUM_CONTEXTS)) u_index (
    .row_i(round & ~(at_or_below << 1)), .none_i(1'b0), .index_o(first_index));
  wire [CONTEXT_ADDRESS-1:0] first = first_index[CONTEXT_ADDRESS-1:0];

  // 3. OWNED: does the turn pass, and to whom?
  wire is_due     = (tick_q || over_q) && !changing_hands_i;
  wire passes     = is_owned && (is_dry ? others_wait || is_active : is_due && others_wait);
  wire to_nobody  = !others_wait;
  wire resolves   = is_owned && !is_dry && is_due && !others_wait;
  wire keeps_next = has_next_q && !is_queued && next_present;
  wire fixes_next = is_owned && !is_queued && others_wait && !has_next_q;
  wire takes_next = passes && !to_nobody && !keeps_next; // fixed as the turn passes
  wire [CONTEXT_ADDRESS-1:0] next = is_nobody || takes_next ? first : next_q;

  // 4. LEAVING, SWITCHING.
  reg  [NUM_CONTEXTS*2-1:0] slice_end_q; // of each context
  wire [1:0] slice_end; // of the turn's context
  tsr_select #(.ROWS(NUM_CONTEXTS), .WIDTH(2)) u_slice_end (
    .rows_i(slice_end_q), .row_i(turn_row), .data_o(slice_end));
  wire appears  = is_on_i && is_nobody && |present;
  wire waits    = is_leaving && passed_q && slice_end == WAIT; // for the kernels of the last owner
  wire left     = is_leaving && !evicts_q && !any_in_use_i && !(waits && is_active);
  wire switches = of_gpu_i ? left && !unlisted_q : appears || passes && !to_nobody;
  wire skips    = !loaded_q || next == turn_i; // nothing was on the GPU, or what is needed
  wire begins   = is_switching && (skips_q || switch_over_i && !switch_start_q);

  // 5. The registers' next values, but for a tick that comes.
  wire has_next = is_owned && !passes && (keeps_next || fixes_next);
  wire tick     = tick_q && !passes && !is_dry && !resolves;
  wire over     = is_owned && !passes && !is_dry && (resolves ? !is_queued : over_q);
  wire resets   = !rst_ni || write_policy_i || !is_on_i;
  always @(posedge clk_i) begin
    switch_start_q <= !resets && switches && !skips;
    passed_out_q   <= !resets && passes;
    began_out_q    <= !resets && begins;
    cause_q        <= !is_dry ? SLICE_OVER : is_active ? UNLISTED : DRY;
    if (resets) begin
      state_q <= NOBODY;
      next_q  <= {CONTEXT_ADDRESS{1'b0}};
      {has_next_q, tick_q, over_q, runs_q, evicts_q, loaded_q, unlisted_q, passed_q, skips_q} <= 9'd0;
    end else begin
      if (switches)                           state_q <= SWITCHING;
      else if (of_gpu_i && (appears || passes)) state_q <= LEAVING;
      else if (passes || left)                state_q <= NOBODY;
      else if (begins)                        state_q <= OWNED;
      if (appears || takes_next || fixes_next) next_q <= first;
      has_next_q <= has_next;
      tick_q     <= tick || is_owned && !passes && tick_i;
      over_q     <= over;
      if (passes)                   runs_q <= any_in_use_i;
      else if (of_gpu_i && appears) runs_q <= 1'b0;
      if (of_gpu_i && passes)       evicts_q <= slice_end != WAIT && (any_in_use_i || is_active);
      else if (of_gpu_i && appears) evicts_q <= any_in_use_i;
      else if (evicted_i)           evicts_q <= 1'b0;
      if (passes && to_nobody)      unlisted_q <= 1'b1;
      else if (left)                unlisted_q <= 1'b0;
      if (passes || appears)        passed_q <= passes;
      if (switches)                 skips_q <= skips;
      if (begins)                   loaded_q <= 1'b1;
    end
  end

  // 6. What is said outside, and what becomes of a context's SMs.
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q         <= {NUM_CONTEXTS{1'b0}};
      listed_q          <= {NUM_CONTEXTS{1'b0}};
      waiting_changed_q <= 1'b0;
    end else begin
      waiting_q         <= waiting_i;
      listed_q          <= listed_i;
      waiting_changed_q <= waiting_i != waiting_q;
    end
  end
  genvar c;
  generate
    for (c = 0; c < NUM_CONTEXTS; c = c + 1) begin : g_context
      always @(posedge clk_i) begin
        if (!rst_ni)                                        slice_end_q[c*2 +: 2] <= 2'd0;
        else if (write_slice_end_i && write_context_i == c) slice_end_q[c*2 +: 2] <= write_data_i;
      end
    end
  endgenerate

  assign timer_enable_o   = is_owned && !is_dry && !over_q;
  assign switch_start_o   = switch_start_q;
  assign switch_runs_o    = switch_start_q && runs_q;
  assign passed_o         = passed_out_q;
  assign cause_o          = cause_q;
  assign began_o          = began_out_q;
  assign sets_turn_o      = switches;
  assign next_turn_o      = next;
  assign invokes_o        = passes || begins;
  assign may_o            = is_owned && is_listed || waits;
  assign holds_commands_o = waits;
  assign evicts_o         = evicts_q;
  assign drains_o         = passed_q && slice_end[0] ? !slice_end[1] : drain_i;
  assign is_settled_o     = !(appears || passes || left || is_switching && skips_q || has_next != has_next_q ||
                            tick != tick_q || over != over_q || is_on_i && waiting_changed_q || switch_start_q ||
                            passed_out_q || began_out_q);

endmodule
