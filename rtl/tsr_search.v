// SPDX-License-Identifier: Apache-2.0
// The search (timing.md 5): begins at an event, lets a kernel in or walks over the active queue, and has the engine carry out
// what it found, until there is nothing more to do.
module tsr_search #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  input  [WAIT_WIDTH-1:0]      activation_cycles_i,
  input  [WAIT_WIDTH-1:0]      step_cycles_i,
  input  [POLICY_WIDTH-1:0]    policy_i,
  // A turn that is kept.
  input  [KEPT_TURN_WIDTH-1:0] kept_turn_i,
  output [CONTEXT_ADDRESS-1:0] turn_o,
  input                        any_holds_i,      // a kernel holds an SM
  output                       evicts_nobody_o,
  // Invocations.
  input                        command_i,
  input                        tick_i,
  input                        invokes_i,        // the engine
  input  [OS_WRITE_WIDTH-1:0]  os_write_i,
  output                       control_ready_o,
  input                        changing_hands_i, // an SM
  input  [3:0]                 linger_priority_i, // who is below it gets free SMs alone
  // Commands.
  input                        waits_i,
  input                        queue_full_i,
  input                        queue_empty_i,
  output                       scan_o,
  input                        scanned_i,
  input                        command_found_i,
  input  [CONTEXT_ADDRESS-1:0] command_context_i,
  output                       budget_read_o,
  output [CONTEXT_ADDRESS-1:0] budget_context_o,
  // The entries of a step, a lane each: of the active queue; of KSR status a cycle later; of tokens two later.
  output [STEPS-1:0]                        step_o,
  input  [SEARCH_WIDTH-1:0]                 entry_valid_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       entry_ksr_i,
  input                                     has_more_i,     // entries behind the step's
  output [SEARCH_WIDTH*KSR_WIDTH-1:0]       look_ksr_o,
  input  [LOOK_STATUS_WIDTH-1:0]            look_status_i,
  output                                    look_o,
  input  [LOOK_LAUNCH_WIDTH-1:0]            look_launch_i,  // a cycle later
  output [SEARCH_WIDTH*TOKEN_ADDRESS-1:0]   look_tokens_o,
  input  [SEARCH_WIDTH*TOKEN_WIDTH-1:0]     look_left_i,
  // SMs, as they were in the cycle before; and those of which partition are seen.
  input                        any_idle_i,
  input                        any_free_i,       // not kept by a linger
  input                        any_foreign_i,    // counts against a kernel of another partition
  output [STEP_PARTITION_WIDTH-1:0] step_partition_o,
  // The engine: its job, which holds still until it is done.
  input                        picking_i,        // it is in PICK
  output                       offers_activate_o,
  output                       offers_deal_o,
  output                       offers_move_o,
  output                       offers_evict_o,
  output [MOVE_WIDTH-1:0]      move_o,
  output [KSR_WIDTH-1:0]       deal_ksr_o,
  input                        done_i,           // its last WRITE, or it was rejected
  input                        finds_none_i,     // since the victim had no SM
  input  [CHANGES_WIDTH-1:0]   changes_i,        // partitions in which its WRITE changes something
  output                       dealing_o,
  // Pins of the next cycle.
  output                       invoked_o,
  output                       decided_o,
  output                       withheld_o, // then: an SM stays idle by rule
  output                       is_idle_o,
  output                       rests_o   // nothing of it changes without an input
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"
`include "tsr_buses.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  localparam HAS_DUES       = (POLICIES & policies_with(ANY_DUE)) != 0;
  localparam KEY_WIDTH = HAS_DUES ? DUE_WIDTH : TOKEN_WIDTH + 1;
  // States, a bit each.
  localparam IDLE = 0, BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7,
             DEAL_READ = 8, DEAL_CONTEXT = 9, DEAL_BUDGET = 10, DEAL_OFFER = 11, STATES = 12; // and EVICT
  localparam [WAIT_WIDTH-1:0] ONE = 1, SEVEN = 7;

  reg [STATES-1:0] state_q;
  wire             in_evict; // the state that only a core with a kept turn has
  reg              pending_q;
  reg [STEPS-1:0]  step_q;                 // the step whose entries pass, a bit each
  reg [WAIT_WIDTH-1:0] wait_q;

  wire assigns, takes, top_valid;
  wire walk_rests, deal_rests, partitions_rest;
  wire [CONTEXT_ADDRESS-1:0] top_context;
  wire [RULES-1:0] rules      = policy_i[POLICY_RULES +: RULES];
  wire             is_kept    = policy_i[POLICY_KEPT];
  wire             new_policy = os_write_i[OS_POLICY];
  wire             unused     = &{1'b0, policy_i, os_write_i, look_status_i}; // but for parts of them
  wire restarts = new_policy || os_write_i[OS_TOKENS] || os_write_i[OS_PRIORITY] || os_write_i[OS_PARTITION];
  wire deals    = new_policy || os_write_i[OS_TOKENS];
  wire invoked  = command_i || tick_i || invokes_i || restarts;

  // 1. How long a step, and an activation, takes at least.
  wire waited    = wait_q >= (state_q[WALK] ? step_cycles_i : activation_cycles_i);
  wire step_ends = state_q[WALK] && waited;
  reg  waited_q;     // so an activation counts from one more
  reg  activating_q; // its budget was read
  always @(posedge clk_i) waited_q <= waited;
  wire walk_ends = step_ends && !has_more_i;
  wire drained;

  // 2. From state to state.
  wire front_valid, front_same, entry_read, is_dealt_context;
  wire [KSR_WIDTH-1:0] entry_ksr;
  wire may       = command_found_i && (!(|(rules & ONE_CONTEXT)) || !front_valid || front_same) &&
                   !(KEPT_TURN != 0 && kept_turn_i[KEPT_HOLDS_COMMANDS] && command_context_i == turn);
  wire judges    = state_q[JUDGE];
  wire moves     = judges && (assigns || takes);
  wire ends      = judges && !moves;
  wire has_more; // partitions
  wire goes_idle = ends && !pending_q && !invoked && !has_more;
  wire deal_read = state_q[DEAL_READ] && picking_i;
  wire evicts    = KEPT_TURN != 0 && state_q[BEGIN] && kept_turn_i[KEPT_EVICTS] && any_holds_i;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= {{(STATES-1){1'b0}}, 1'b1};
      pending_q <= 1'b0;
    end else begin
      state_q[IDLE]         <= !restarts && (state_q[IDLE] && !invoked || goes_idle);
      state_q[BEGIN]        <= restarts ? !deals : state_q[IDLE] && invoked || ends && !goes_idle ||
                               (state_q[ACTIVATE] || state_q[MOVE] || in_evict) && done_i || deal_read && !entry_read;
      state_q[SCAN]         <= !restarts && (scan_o || state_q[SCAN] && !scanned_i);
      state_q[ACTIVATE]     <= state_q[SCAN] && scanned_i && may && !restarts || state_q[ACTIVATE] && !done_i;
      state_q[WALK]         <= !restarts && (state_q[BEGIN] && !scan_o && !evicts || state_q[SCAN] && scanned_i && !may ||
                               state_q[WALK] && !walk_ends);
      state_q[DRAIN]        <= !restarts && (walk_ends || state_q[DRAIN] && !drained);
      state_q[JUDGE]        <= !restarts && state_q[DRAIN] && drained;
      state_q[MOVE]         <= moves && !restarts || state_q[MOVE] && !done_i;
      state_q[DEAL_READ]    <= restarts ? deals : state_q[DEAL_READ] && !deal_read ||
                               state_q[DEAL_BUDGET] && !is_dealt_context || state_q[DEAL_OFFER] && done_i;
      state_q[DEAL_CONTEXT] <= deal_read && entry_read;
      state_q[DEAL_BUDGET]  <= state_q[DEAL_CONTEXT];
      state_q[DEAL_OFFER]   <= state_q[DEAL_BUDGET] && is_dealt_context || state_q[DEAL_OFFER] && !done_i;
      if (invoked && !state_q[IDLE]) pending_q <= 1'b1;
      else if (state_q[BEGIN])       pending_q <= 1'b0;
    end
    if (state_q[BEGIN])                                                      wait_q <= scan_o ? SEVEN : ONE;
    else if (state_q[SCAN] && scanned_i && !may || step_ends)                wait_q <= ONE;
    else if (!waited && (state_q[WALK] || state_q[SCAN] || state_q[ACTIVATE])) wait_q <= wait_q + ONE;
  end

  generate
    if (KEPT_TURN != 0) begin : g_evict
      reg evict_q;
      always @(posedge clk_i) evict_q <= rst_ni && (evicts && !restarts || evict_q && !done_i);
      assign in_evict = evict_q;
    end else begin : g_no_evict
      assign in_evict = 1'b0;
    end
  endgenerate

  assign scan_o          = state_q[BEGIN] && waits_i && !queue_full_i && !evicts;
  assign control_ready_o = !(state_q[ACTIVATE] || state_q[MOVE] || in_evict || dealing_o);
  assign dealing_o       = state_q[DEAL_READ] || state_q[DEAL_CONTEXT] || state_q[DEAL_BUDGET] || state_q[DEAL_OFFER];
  assign invoked_o       = state_q[IDLE] && invoked;
  assign decided_o       = goes_idle && !restarts;
  assign is_idle_o       = state_q[IDLE];
  assign rests_o         = state_q == {{(STATES-1){1'b0}}, 1'b1} && !in_evict && !activating_q && waited_q == waited &&
                           step_q == {{(STEPS-1){1'b0}}, 1'b1} && walk_rests && deal_rests && partitions_rest;

  // 3. Entries: the step's bit goes round; a deal takes them one by one.
  wire                  deal_next;
  wire                  at_start = state_q[IDLE] || state_q[BEGIN] || judges || state_q[SCAN] || restarts;
  always @(posedge clk_i) begin
    if (!rst_ni || at_start)    step_q <= {{(STEPS-1){1'b0}}, 1'b1};
    else if (step_ends || deal_next) step_q <= step_q << 1 | step_q >> (STEPS - 1);
  end
  assign step_o = step_q;

  // 4. Entries on their way.
  localparam ENTRY_WIDTH = 4 + KSR_WIDTH + CONTEXT_ADDRESS + KEY_WIDTH; // tsr_trackers.v
  wire                                compares;
  wire [SEARCH_WIDTH*ENTRY_WIDTH-1:0] entries;
  wire [CONTEXT_ADDRESS-1:0]          turn;
  wire                       has_partition;
  wire [PARTITION_WIDTH-1:0] partition;
  wire [SEARCH_WIDTH-1:0]    surveyed;
  wire [SEARCH_WIDTH*PARTITION_WIDTH-1:0] surveyed_partition;
  tsr_walk #(
`include "tsr_pass_sizes.vh"
    , .KEY_WIDTH(KEY_WIDTH)
  ) u_walk (
    .clk_i(clk_i), .rst_ni(rst_ni), .policy_i(policy_i), .turn_i(turn), .has_partition_i(has_partition),
    .partition_i(partition), .surveyed_o(surveyed), .surveyed_partition_o(surveyed_partition), .restarts_i(restarts),
    .passes_i(step_ends), .looks_i(step_ends || state_q[BEGIN] || state_q[SCAN] || deal_read), .of_deal_i(deal_read),
    .deal_ksr_i(entry_ksr), .drained_o(drained), .entry_valid_i(entry_valid_i), .entry_ksr_i(entry_ksr_i),
    .look_ksr_o(look_ksr_o), .look_status_i(look_status_i), .look_o(look_o), .look_launch_i(look_launch_i),
    .look_tokens_o(look_tokens_o), .look_left_i(look_left_i), .front_valid_o(front_valid), .compares_o(compares),
    .entries_o(entries), .rests_o(walk_rests));
  assign deal_ksr_o = look_ksr_o[KSR_WIDTH-1:0];
  wire [CONTEXT_ADDRESS-1:0] first_context = look_status_i[LOOK_CONTEXT +: CONTEXT_ADDRESS]; // of the first lane
  assign front_same = first_context == command_context_i; // while it scans

  // 5. Deals.
  wire [CONTEXT_ADDRESS-1:0] deal_context;
  tsr_deal #(
`include "tsr_pass_sizes.vh"
  ) u_deal (
    .clk_i(clk_i), .dealing_i(dealing_o), .begins_i(deals), .all_i(new_policy),
    .context_i(os_write_i[OS_CONTEXT +: CONTEXT_ADDRESS]),
    .entry_valid_i(entry_valid_i), .entry_ksr_i(entry_ksr_i), .is_last_step_i(step_q[STEPS-1]),
    .takes_i(state_q[DEAL_CONTEXT]), .row_context_i(first_context), .valid_o(entry_read),
    .ksr_o(entry_ksr), .next_step_o(deal_next), .context_o(deal_context), .is_dealt_o(is_dealt_context),
    .rests_o(deal_rests));
  assign budget_read_o    = state_q[DEAL_BUDGET] || state_q[ACTIVATE] && !activating_q;
  assign budget_context_o = dealing_o ? deal_context : command_context_i;
  always @(posedge clk_i) activating_q <= state_q[ACTIVATE];

  // 6. Outcome.
  tsr_policy #(
`include "tsr_pass_sizes.vh"
    , .KEY_WIDTH(KEY_WIDTH)
  ) u_policy (
    .clk_i(clk_i), .policy_i(policy_i), .turn_may_i(kept_turn_i[KEPT_MAY]), .turn_i(turn),
    .begins_i(state_q[BEGIN]), .compares_i(compares), .entries_i(entries), .judges_i(judges), .any_idle_i(any_idle_i),
    .any_free_i(any_free_i), .any_foreign_i(any_foreign_i), .linger_priority_i(linger_priority_i),
    .assigns_o(assigns), .takes_o(takes), .withholds_o(withheld_o), .top_valid_o(top_valid),
    .top_context_o(top_context), .move_o(move_o));

  assign offers_move_o     = state_q[MOVE];
  assign offers_activate_o = state_q[ACTIVATE] && waited_q;
  assign offers_deal_o     = state_q[DEAL_OFFER];
  assign offers_evict_o    = in_evict;
  assign evicts_nobody_o   = state_q[BEGIN] && !any_holds_i;

  wire in_partitions = HAS_PARTITIONS && |(rules & IN_PARTITIONS);
  assign step_partition_o[PARTITION_IS_ON]                     = in_partitions;
  assign step_partition_o[PARTITION_IS_CHOSEN]                 = has_partition;
  assign step_partition_o[PARTITION_NUMBER +: PARTITION_WIDTH] = partition;

  // 7. Whose turn it is.
  wire takes_turns = |(rules & TAKES_TURNS);
  tsr_turn #(
`include "tsr_pass_sizes.vh"
  ) u_turn (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_policy_i(new_policy),
    .tick_i(tick_i && !changing_hands_i && takes_turns && !is_kept), .begins_i(state_q[BEGIN]),
    .chosen_i(is_kept ? kept_turn_i[KEPT_SETS_TURN] : judges && takes_turns && top_valid && !restarts),
    .chosen_context_i(is_kept ? kept_turn_i[KEPT_NEXT_TURN +: CONTEXT_ADDRESS] : top_context), .turn_o(turn));
  assign turn_o = turn;

  // 8. Which partition a step is about.
  generate
    if (HAS_PARTITIONS) begin : g_partitions
      tsr_partitions #(
`include "tsr_pass_sizes.vh"
      ) u_partitions (
        .clk_i(clk_i), .rst_ni(rst_ni), .is_on_i(in_partitions),
        .chooses_i(!restarts && (state_q[BEGIN] && !scan_o && !evicts || state_q[SCAN] && scanned_i && !may)),
        .moves_i(state_q[MOVE] && done_i && !finds_none_i), .walks_i(state_q[WALK]), .restarts_i(restarts),
        .write_policy_i(new_policy), .write_partition_i(os_write_i[OS_PARTITION]), .has_more_o(has_more),
        .has_partition_o(has_partition), .partition_o(partition), .surveyed_i(surveyed),
        .surveyed_partition_i(surveyed_partition), .changes_i(changes_i), .is_queue_empty_i(queue_empty_i),
        .rests_o(partitions_rest));
    end else begin : g_no_partitions
      wire unused_partitions = &{1'b0, surveyed, surveyed_partition, changes_i, queue_empty_i, finds_none_i};
      assign has_more        = 1'b0;
      assign partitions_rest = 1'b1;
      assign has_partition = 1'b0;
      assign partition     = {PARTITION_WIDTH{1'b0}};
    end
  endgenerate

endmodule
