// SPDX-License-Identifier: Apache-2.0
// The search (timing_next.md 5): begins at an event, lets a kernel in or walks over the rows, and has the engine carry out
// what it found, until there is nothing more to do.
module tsr_search #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  input  [WAIT_WIDTH-1:0]      activation_cycles_i,
  input  [WAIT_WIDTH-1:0]      step_cycles_i,
  // The policy register.
  input  [2:0]                 policy_i,
  input                        shared_i,
  input                        all_i,
  input                        by_process_i,
  // Invocations.
  input                        command_i,
  input                        tick_i,
  input                        invokes_i,        // the engine
  input                        write_policy_i,
  input                        write_tokens_i,
  input                        write_priority_i,
  input  [CONTEXT_ADDRESS-1:0] write_context_i,
  output                       control_ready_o,
  input                        changing_hands_i, // an SM
  // Commands.
  input                        waits_i,
  input                        queue_full_i,
  output                       scan_o,
  output                       in_turn_o,
  output                       by_priority_o,
  output                       by_due_o,
  input                        scanned_i,
  input                        command_found_i,
  input  [CONTEXT_ADDRESS-1:0] command_context_i,
  output                       budget_read_o,
  output [CONTEXT_ADDRESS-1:0] budget_context_o,
  // The rows of a step, a lane each: of the active queue and SMST; of KSR status a cycle later; of tokens another later.
  output [STEPS-1:0]                        step_o,
  input  [SEARCH_WIDTH-1:0]                 entry_valid_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       entry_ksr_i,
  input  [SEARCH_WIDTH-1:0]                 sm_idle_i,
  input  [SEARCH_WIDTH-1:0]                 sm_reserved_i,
  input  [SEARCH_WIDTH-1:0]                 sm_counts_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       sm_ksr_i,
  output [SEARCH_WIDTH*KSR_WIDTH-1:0]       look_ksr_o,
  input  [SEARCH_WIDTH-1:0]                 look_valid_i,
  input  [SEARCH_WIDTH-1:0]                 look_uncovered_i,
  input  [SEARCH_WIDTH-1:0]                 look_holds_i,
  input  [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] look_context_i,
  input  [SEARCH_WIDTH*4-1:0]               look_priority_i,
  output                                    look_o,
  input  [SEARCH_WIDTH-1:0]                 look_has_due_i, // these two a cycle later
  input  [SEARCH_WIDTH*DUE_WIDTH-1:0]       look_due_i,
  output [SEARCH_WIDTH*TOKEN_ADDRESS-1:0]   look_tokens_o,
  input  [SEARCH_WIDTH*TOKEN_WIDTH-1:0]     look_left_i,
  // The engine: its job, which holds still until it is done.
  input                        picking_i,        // it is in PICK
  output                       offers_activate_o,
  output                       offers_deal_o,
  output                       offers_move_o,
  output [1:0]                 move_kind_o,
  output [SM_WIDTH-1:0]        move_sm_o,
  output [KSR_WIDTH-1:0]       move_ksr_o,
  output [KSR_WIDTH-1:0]       claimant_o,
  output                       takes_idle_o,
  output [KSR_WIDTH-1:0]       deal_ksr_o,
  input                        done_i,           // its last WRITE, or it was rejected
  output                       dealing_o,
  // Pins of the next cycle.
  output                       invoked_o,
  output                       decided_o,
  output                       is_idle_o
);

`include "tsr_codes.vh"

  localparam HAS_EDF   = ((POLICIES >> EDF) & 1) != 0;
  localparam KEY_WIDTH = HAS_EDF ? DUE_WIDTH : TOKEN_WIDTH + 1;
  // States, a bit each.
  localparam IDLE = 0, BEGIN = 1, SCAN = 2, ACTIVATE = 3, WALK = 4, DRAIN = 5, JUDGE = 6, MOVE = 7,
             DEAL_READ = 8, DEAL_CONTEXT = 9, DEAL_BUDGET = 10, DEAL_OFFER = 11, STATES = 12;
  localparam [WAIT_WIDTH-1:0] ONE = 1, SEVEN = 7;

  reg [STATES-1:0] state_q;
  reg              second_q, pending_q;
  reg [STEPS-1:0]  step_q;                 // the step whose rows pass, a bit each
  reg              pass_1_q, pass_2_q, pass_3_q;
  reg [WAIT_WIDTH-1:0] wait_q;

  wire assigns, goes_on, found, one_context, top_valid;
  wire [CONTEXT_ADDRESS-1:0] top_context;
  wire restarts = write_policy_i || write_tokens_i || write_priority_i;
  wire deals    = write_policy_i || write_tokens_i;
  wire invoked  = command_i || tick_i || invokes_i || restarts;

  // 1. How long a step, and an activation, takes at least.
  wire waited    = wait_q >= (state_q[WALK] ? step_cycles_i : activation_cycles_i);
  wire step_ends = state_q[WALK] && waited;
  reg  waited_q; // so an activation counts from one more
  always @(posedge clk_i) waited_q <= waited;
  wire walk_ends = step_ends && step_q[STEPS-1];
  wire drained   = pass_3_q && !pass_2_q && !pass_1_q; // the last rows are being compared

  // 2. From state to state.
  wire front_valid, front_same, entry_read, is_dealt_context;
  wire may       = command_found_i && (!one_context || !front_valid || front_same);
  wire judges    = state_q[JUDGE];
  wire moves     = judges && (second_q ? found : assigns);
  wire looks_on  = judges && !second_q && goes_on;
  wire ends      = judges && !moves && !looks_on;
  wire goes_idle = ends && !pending_q && !invoked;
  wire deal_read = state_q[DEAL_READ] && picking_i;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= {{(STATES-1){1'b0}}, 1'b1};
      second_q  <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      state_q[IDLE]         <= !restarts && (state_q[IDLE] && !invoked || goes_idle);
      state_q[BEGIN]        <= restarts ? !deals : state_q[IDLE] && invoked || ends && !goes_idle ||
                               (state_q[ACTIVATE] || state_q[MOVE]) && done_i || deal_read && !entry_read;
      state_q[SCAN]         <= !restarts && (scan_o || state_q[SCAN] && !scanned_i);
      state_q[ACTIVATE]     <= state_q[SCAN] && scanned_i && may && !restarts || state_q[ACTIVATE] && !done_i;
      state_q[WALK]         <= !restarts && (state_q[BEGIN] && !scan_o || state_q[SCAN] && scanned_i && !may || looks_on ||
                               state_q[WALK] && !walk_ends);
      state_q[DRAIN]        <= !restarts && (walk_ends || state_q[DRAIN] && !drained);
      state_q[JUDGE]        <= !restarts && state_q[DRAIN] && drained;
      state_q[MOVE]         <= moves && !restarts || state_q[MOVE] && !done_i;
      state_q[DEAL_READ]    <= restarts ? deals : state_q[DEAL_READ] && !deal_read || state_q[DEAL_BUDGET] && !is_dealt_context ||
                               state_q[DEAL_OFFER] && done_i;
      state_q[DEAL_CONTEXT] <= deal_read && entry_read;
      state_q[DEAL_BUDGET]  <= state_q[DEAL_CONTEXT];
      state_q[DEAL_OFFER]   <= state_q[DEAL_BUDGET] && is_dealt_context || state_q[DEAL_OFFER] && !done_i;
      if (state_q[BEGIN])   second_q <= 1'b0;
      else if (looks_on)    second_q <= 1'b1;
      if (invoked && !state_q[IDLE]) pending_q <= 1'b1;
      else if (state_q[BEGIN])       pending_q <= 1'b0;
    end
    if (state_q[BEGIN])                                                      wait_q <= scan_o ? SEVEN : ONE;
    else if (state_q[SCAN] && scanned_i && !may || looks_on || step_ends)    wait_q <= ONE;
    else if (!waited && (state_q[WALK] || state_q[SCAN] || state_q[ACTIVATE])) wait_q <= wait_q + ONE;
  end

  assign scan_o          = state_q[BEGIN] && waits_i && !queue_full_i;
  assign control_ready_o = !(state_q[ACTIVATE] || state_q[MOVE] || dealing_o);
  assign dealing_o       = state_q[DEAL_READ] || state_q[DEAL_CONTEXT] || state_q[DEAL_BUDGET] || state_q[DEAL_OFFER];
  assign invoked_o       = state_q[IDLE] && invoked;
  assign decided_o       = goes_idle && !restarts;
  assign is_idle_o       = state_q[IDLE];

  // 3. Rows: the step's bit goes round; a deal takes them one by one.
  reg                        entry_valid;
  reg  [KSR_WIDTH-1:0]       entry_ksr;
  wire                       deal_next;
  wire                       at_start = state_q[IDLE] || state_q[BEGIN] || judges || state_q[SCAN] || restarts;
  always @(posedge clk_i) begin
    if (!rst_ni || at_start)    step_q <= {{(STEPS-1){1'b0}}, 1'b1};
    else if (step_ends || deal_next) step_q <= step_q << 1 | step_q >> (STEPS - 1);
  end
  assign step_o = step_q;
  generate
    if (SEARCH_WIDTH > 1) begin : g_deal_lane
      reg [SEARCH_WIDTH-1:0] lane_q;
      integer l;
      always @(posedge clk_i) begin
        if (!dealing_o)                 lane_q <= {{(SEARCH_WIDTH-1){1'b0}}, 1'b1};
        else if (state_q[DEAL_CONTEXT]) lane_q <= lane_q << 1 | lane_q >> (SEARCH_WIDTH - 1);
      end
      assign deal_next = state_q[DEAL_CONTEXT] && lane_q[SEARCH_WIDTH-1];
      always @* begin
        entry_valid = 1'b0;
        entry_ksr   = {KSR_WIDTH{1'b0}};
        for (l = 0; l < SEARCH_WIDTH; l = l + 1) begin
          entry_valid = entry_valid || entry_valid_i[l] && lane_q[l];
          entry_ksr   = entry_ksr | entry_ksr_i[l*KSR_WIDTH +: KSR_WIDTH] & {KSR_WIDTH{lane_q[l]}};
        end
      end
    end else begin : g_deal
      assign deal_next = state_q[DEAL_CONTEXT];
      always @* {entry_valid, entry_ksr} = {entry_valid_i, entry_ksr_i};
    end
  endgenerate
  reg past_q; // a deal has had all entries
  always @(posedge clk_i) past_q <= dealing_o && (past_q || deal_next && step_q[STEPS-1]);
  assign entry_read = entry_valid && !past_q;

  // 4. First stage: which KSRs.
  reg [SEARCH_WIDTH-1:0]           entry_1_q, idle_1_q, reserved_1_q, counts_1_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0] ksr_1_q;
  always @(posedge clk_i) begin
    pass_1_q <= rst_ni && step_ends && !restarts;
    pass_2_q <= rst_ni && pass_1_q && !restarts;
    pass_3_q <= rst_ni && pass_2_q && !restarts;
    if (step_ends || state_q[BEGIN] || state_q[SCAN] || deal_read) begin
      entry_1_q    <= entry_valid_i & {SEARCH_WIDTH{!second_q}};
      ksr_1_q      <= state_q[WALK] && second_q ? sm_ksr_i : entry_ksr_i;
      if (deal_read) ksr_1_q[KSR_WIDTH-1:0] <= entry_ksr;
      idle_1_q     <= sm_idle_i;
      reserved_1_q <= sm_reserved_i;
      counts_1_q   <= sm_counts_i;
    end
  end
  assign look_ksr_o  = ksr_1_q;
  assign look_o      = pass_1_q;
  assign deal_ksr_o  = ksr_1_q[KSR_WIDTH-1:0];
  assign front_valid = entry_1_q[0]; // while it scans: of the queue's first entry
  assign front_same  = look_context_i[CONTEXT_ADDRESS-1:0] == command_context_i;

  // 5. Deals: the context of the kernel, and whether it is concerned.
  reg                        deal_all_q, activating_q; // its budget was read
  reg  [CONTEXT_ADDRESS-1:0] dealt_context_q, deal_context_q;
  always @(posedge clk_i) begin
    if (deals) begin
      deal_all_q      <= write_policy_i;
      dealt_context_q <= write_context_i;
    end
    if (state_q[DEAL_CONTEXT]) deal_context_q <= look_context_i[CONTEXT_ADDRESS-1:0];
  end
  assign is_dealt_context = deal_all_q || deal_context_q == dealt_context_q;
  assign budget_read_o    = state_q[DEAL_BUDGET] || state_q[ACTIVATE] && !activating_q;
  assign budget_context_o = dealing_o ? deal_context_q : command_context_i;
  always @(posedge clk_i) activating_q <= state_q[ACTIVATE];

  // 6. Second stage: status and context; third: the key.
  reg [SEARCH_WIDTH-1:0] entry_2_q, uncovered_2_q, holds_2_q, idle_2_q, reserved_2_q, counts_2_q;
  reg [SEARCH_WIDTH-1:0] entry_3_q, uncovered_3_q, holds_3_q, has_due_3_q, idle_3_q, reserved_3_q, counts_3_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0]       ksr_2_q, ksr_3_q;
  reg [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] context_2_q, context_3_q;
  reg [SEARCH_WIDTH*4-1:0]               priority_2_q;
  reg [SEARCH_WIDTH*KEY_WIDTH-1:0]       key_3_q;
  reg [SM_WIDTH-1:0]                     row_3_q;
  wire [SEARCH_WIDTH*KEY_WIDTH-1:0]      key;
  reg [CONTEXT_ADDRESS-1:0]              turn_q;
  always @(posedge clk_i) begin
    if (pass_1_q) begin
      {entry_2_q, uncovered_2_q, holds_2_q} <= {entry_1_q & look_valid_i, look_uncovered_i, look_holds_i};
      {idle_2_q, reserved_2_q, counts_2_q} <= {idle_1_q, reserved_1_q, counts_1_q};
      {ksr_2_q, context_2_q, priority_2_q} <= {ksr_1_q, look_context_i, look_priority_i};
    end
    if (pass_2_q) begin
      {entry_3_q, uncovered_3_q, holds_3_q, has_due_3_q} <= {entry_2_q, uncovered_2_q, holds_2_q, look_has_due_i};
      {idle_3_q, reserved_3_q, counts_3_q} <= {idle_2_q, reserved_2_q, counts_2_q};
      {ksr_3_q, context_3_q, key_3_q} <= {ksr_2_q, context_2_q, key};
    end
    if (state_q[BEGIN] || judges) row_3_q <= {SM_WIDTH{1'b0}};
    else if (pass_3_q)            row_3_q <= row_3_q + {{(SM_WIDTH-1){1'b0}}, 1'b1};
  end

  localparam [CONTEXT_ADDRESS:0] CONTEXTS = NUM_CONTEXTS[CONTEXT_ADDRESS:0];
  genvar lane;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [CONTEXT_ADDRESS-1:0] owner  = context_2_q[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS];
      wire [CONTEXT_ADDRESS:0]   ahead  = {1'b0, owner} - {1'b0, turn_q};
      wire [CONTEXT_ADDRESS:0]   behind = ahead + (ahead[CONTEXT_ADDRESS] ? CONTEXTS : {(CONTEXT_ADDRESS+1){1'b0}});
      wire [KSR_WIDTH-1:0]       ksr    = ksr_2_q[lane*KSR_WIDTH +: KSR_WIDTH];
      wire [TOKEN_ADDRESS-1:0]   ksr_row, context_row;
      wire [TOKEN_WIDTH-1:0]     left   = look_left_i[lane*TOKEN_WIDTH +: TOKEN_WIDTH];
      wire                       unused = &{1'b0, ksr, behind[CONTEXT_ADDRESS]};
      if (TOKEN_ADDRESS > KSR_ADDRESS) begin : g_ksr_row
        assign ksr_row = {{(TOKEN_ADDRESS-KSR_ADDRESS){1'b0}}, ksr[KSR_ADDRESS-1:0]};
      end else begin : g_ksr_row
        assign ksr_row = ksr[TOKEN_ADDRESS-1:0];
      end
      if (TOKEN_ADDRESS > CONTEXT_ADDRESS) begin : g_context_row
        assign context_row = {{(TOKEN_ADDRESS-CONTEXT_ADDRESS){1'b0}}, owner};
      end else begin : g_context_row
        assign context_row = owner[TOKEN_ADDRESS-1:0];
      end
      assign look_tokens_o[lane*TOKEN_ADDRESS +: TOKEN_ADDRESS] = by_process_i ? context_row : ksr_row;
      wire [KEY_WIDTH-1:0] due_key;
      if (HAS_EDF) begin : g_due
        assign due_key = ~look_due_i[lane*DUE_WIDTH +: DUE_WIDTH] & {DUE_WIDTH{look_has_due_i[lane]}};
      end else begin : g_no_due
        wire unused_due = &{1'b0, look_due_i[lane*DUE_WIDTH +: DUE_WIDTH]};
        assign due_key = {KEY_WIDTH{1'b0}};
      end
      assign key[lane*KEY_WIDTH +: KEY_WIDTH] =
        policy_i == PPQ        ? {{(KEY_WIDTH-4){1'b0}}, priority_2_q[lane*4 +: 4]} :
        policy_i == DSS        ? {{(KEY_WIDTH-TOKEN_WIDTH){left[TOKEN_WIDTH-1]}}, left} :
        policy_i == TIME_SLICE ? {{(KEY_WIDTH-CONTEXT_ADDRESS){1'b1}}, ~behind[CONTEXT_ADDRESS-1:0]} :
        policy_i == EDF        ? due_key : {KEY_WIDTH{1'b0}};
    end
  endgenerate

  // 7. Outcome.
  wire [SM_WIDTH-1:0] idle_sm, victim_sm;
  wire                victim_reserved;
  tsr_policy #(
`include "tsr_pass_sizes.vh"
  ) u_policy (
    .clk_i(clk_i), .policy_i(policy_i), .shared_i(shared_i), .all_i(all_i),
    .begins_i(state_q[BEGIN]), .judges_i(judges && !second_q), .looks_on_i(looks_on), .passes_i(pass_3_q), .is_second_i(second_q), .row_i(row_3_q),
    .in_queue_i(entry_3_q), .uncovered_i(uncovered_3_q), .holds_i(holds_3_q), .ksr_i(ksr_3_q), .context_i(context_3_q),
    .has_due_i(has_due_3_q & {SEARCH_WIDTH{policy_i == EDF}}), .key_i(key_3_q), .is_idle_i(idle_3_q), .counts_i(counts_3_q),
    .is_reserved_i(reserved_3_q), .in_turn_o(in_turn_o), .by_priority_o(by_priority_o), .by_due_o(by_due_o),
    .one_context_o(one_context), .assigns_o(assigns), .goes_on_o(goes_on), .found_o(found), .takes_idle_o(takes_idle_o),
    .candidate_o(move_ksr_o), .idle_sm_o(idle_sm), .victim_sm_o(victim_sm), .victim_reserved_o(victim_reserved),
    .victim_ksr_o(claimant_o), .top_valid_o(top_valid), .top_context_o(top_context));

  assign offers_move_o     = state_q[MOVE];
  assign offers_activate_o = state_q[ACTIVATE] && waited_q;
  assign offers_deal_o     = state_q[DEAL_OFFER];
  assign move_kind_o       = !second_q ? ASSIGN : victim_reserved ? RETARGET : RESERVE;
  assign move_sm_o         = second_q ? victim_sm : idle_sm;

  // 8. Whose turn it is.
  localparam LAST_INDEX = NUM_CONTEXTS - 1;
  localparam [CONTEXT_ADDRESS-1:0] LAST_CONTEXT = LAST_INDEX[CONTEXT_ADDRESS-1:0];
  reg tick_waits_q;
  always @(posedge clk_i) begin
    if (!rst_ni || write_policy_i) begin
      turn_q       <= {CONTEXT_ADDRESS{1'b0}};
      tick_waits_q <= 1'b0;
    end else begin
      if (state_q[BEGIN] && tick_waits_q) begin
        turn_q <= turn_q == LAST_CONTEXT ? {CONTEXT_ADDRESS{1'b0}} : turn_q + {{(CONTEXT_ADDRESS-1){1'b0}}, 1'b1};
      end else if (judges && !second_q && policy_i == TIME_SLICE && top_valid && !restarts) begin
        turn_q <= top_context;
      end
      if (tick_i && !changing_hands_i && policy_i == TIME_SLICE) tick_waits_q <= 1'b1;
      else if (state_q[BEGIN])                                    tick_waits_q <= 1'b0;
    end
  end

endmodule
