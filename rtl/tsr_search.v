// SPDX-License-Identifier: Apache-2.0
// The search unit (docs/timing.md section 5): a counter that walks KSRT and SMST and shows their rows to the policy
// engine that is active, and so finds a candidate: a kernel to give an SM to. It also lets waiting kernels into the
// active queue, and distributes budgets and pool tokens anew when the policy changes.
//
//   idle -> begin -> activate -> begin                 begin is cycle 0 of what follows it
//                 -> first walk [-> second walk] -> begin (a move, or again) | idle
//   any  -> distribute (policy write) -> begin
//
// PIPELINED, a walk settles for three cycles before its outcome: registers stand between rows and engines, behind the
// engines, and behind the checks of the outcome (docs/timing.md 5.8).
module tsr_search #(
  parameter NUM_SMS        = 13,
  parameter MAX_TBS_PER_SM = 16,
  parameter TB_WIDTH       = 32,
  parameter NUM_KSRS       = 13,
  parameter NUM_CONTEXTS   = 16,
  parameter SEARCH_WIDTH   = 1,
  parameter KSRS_PER_STEP  = 1,
  parameter POLICIES       = 5'b11111,
  parameter WAIT_WIDTH     = 16,
  parameter PIPELINED      = 0,
  // Not to be set.
  parameter SM_WIDTH         = $clog2(NUM_SMS + 1),
  parameter KSR_WIDTH        = $clog2(NUM_KSRS + 1),
  parameter CONTEXT_WIDTH    = $clog2(NUM_CONTEXTS + 1),
  parameter SM_COUNT_WIDTH   = $clog2(NUM_SMS + 1),
  parameter SLOT_COUNT_WIDTH = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1),
  parameter REMAINING_WIDTH  = TB_WIDTH > SLOT_COUNT_WIDTH + 1 ? SLOT_COUNT_WIDTH + 1 : TB_WIDTH
) (
  input                                    clk_i,
  input                                    rst_ni,
  input  [6:0]                             strap_policy_i,
  input  [WAIT_WIDTH-1:0]                  strap_activation_cycles_i,
  input  [WAIT_WIDTH-1:0]                  strap_search_step_cycles_i,
  input                                    strap_breadth_first_i,
  // What comes in this cycle.
  input                                    invoke_i,        // something that wants a decision
  input                                    control_write_i, // policy, priority or tokens
  input                                    policy_write_i,
  input  [6:0]                             policy_data_i,
  input                                    tick_i, // of the slice timer, while no SM changes hands
  input                                    kernel_finished_i,
  input  [SM_COUNT_WIDTH-1:0]              pool_return_i, // tokens that come back
  // Tables.
  input                                    command_waits_i,
  input  [CONTEXT_WIDTH-1:0]               chosen_context_i,  // of the one to be activated
  input  [NUM_KSRS*KSR_WIDTH-1:0]          queue_ksr_i,
  input  [KSR_WIDTH-1:0]                   queue_count_i,
  input                                    queue_full_i,
  input  [NUM_KSRS-1:0]                    ksrt_valid_i,
  input  [NUM_KSRS*CONTEXT_WIDTH-1:0]      ksrt_context_i,
  input  [NUM_KSRS*4-1:0]                  ksrt_priority_i,
  input  [NUM_KSRS*9-1:0]                  ksrt_tokens_i,
  input  [NUM_KSRS*REMAINING_WIDTH-1:0]    ksrt_remaining_i,
  input  [NUM_KSRS-1:0]                    ksrt_has_more_i,
  input  [NUM_KSRS*SLOT_COUNT_WIDTH-1:0]   ksrt_preempted_i,
  input  [NUM_KSRS*SM_COUNT_WIDTH-1:0]     ksrt_owned_i,
  input  [NUM_KSRS*SM_COUNT_WIDTH-1:0]     ksrt_reserved_i,
  input  [NUM_KSRS*SLOT_COUNT_WIDTH-1:0]   ksrt_covered_i,
  input  [2*NUM_SMS-1:0]                   smst_state_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]           smst_ksr_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]           smst_next_i,
  input  [NUM_CONTEXTS-1:0]                context_has_budget_i,
  input  [9*NUM_CONTEXTS-1:0]              context_budget_i,
  input  [NUM_CONTEXTS*KSR_WIDTH-1:0]      context_kernels_i,
  input  [NUM_CONTEXTS*SM_COUNT_WIDTH-1:0] context_held_i,
  input  [NUM_CONTEXTS-1:0]                context_has_pool_token_i,
  // Which command is selected (tsr_command_buffers).
  output                                   in_turn_o,
  output                                   by_priority_o,
  output                                   choose_o, // for a stage of registers, if there is one
  // The chosen command becomes active; a kernel gets its budget, then or in a distribution.
  output                                   activate_o,
  output                                   distribution_start_o,
  output                                   distribute_o,
  output [KSR_WIDTH-1:0]                   distribute_ksr_o,
  output [8:0]                             budget_o,
  output                                   budget_from_pool_o, // and it stays with the kernel
  output                                   context_takes_token_o, // or with its context:
  output [CONTEXT_WIDTH-1:0]               budget_context_o,
  // The decision of this cycle, from registers alone. Checking: SMs wait, so that the move will still hold.
  output                                   checking_o,
  output                                   move_valid_o,
  output [1:0]                             move_kind_o, // 0 assign, 1 reserve, 2 retarget
  output [SM_WIDTH-1:0]                    move_sm_o,
  output [KSR_WIDTH-1:0]                   move_ksr_o,
  output                                   distributing_o,
  // Registers.
  output                                   drains_o,     // technique of new preemptions
  output                                   by_process_o, // token scope
  output                                   timer_enable_o,
  output                                   idle_o,
  // Pulses of the edge that ends this cycle.
  output                                   invoked_o,
  output                                   decided_o
);

  localparam KW = KSR_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam MW = SM_COUNT_WIDTH;
  localparam SW = SLOT_COUNT_WIDTH;
  localparam RW = REMAINING_WIDTH;
  localparam W  = SEARCH_WIDTH;
  localparam R  = KSRS_PER_STEP;

  localparam SEARCH_STEPS = (NUM_SMS + SEARCH_WIDTH - 1) / SEARCH_WIDTH;
  localparam LAST_STEP    = SEARCH_STEPS - 1;
  localparam STEP_MAX     = SEARCH_STEPS > NUM_KSRS ? SEARCH_STEPS : NUM_KSRS;
  localparam STEP_WIDTH   = $clog2(STEP_MAX + 1);
  localparam EQUAL_SHARE  = NUM_SMS / NUM_CONTEXTS;
  localparam TOKEN_POOL   = NUM_SMS % NUM_CONTEXTS;

  localparam [2:0] IDLE = 3'd0, BEGIN = 3'd1, ACTIVATE = 3'd2, WALK = 3'd3, DISTRIBUTE = 3'd4, SETTLE = 3'd5;
  localparam [2:0] FCFS = 3'd0, NPQ = 3'd1, PPQ = 3'd2, DSS = 3'd3, TIME_SLICE = 3'd4;
  localparam [1:0] SM_IDLE = 2'd0, SM_RUNNING = 2'd1, SM_RESERVED = 2'd2;
  localparam [1:0] ASSIGN = 2'd0, RESERVE = 2'd1, RETARGET = 2'd2;

  // ---- the policy register ----------------------------------------------------------------------------------------

  // Access: do others than the first in rank get SMs? Exclusive scope, of ppq: if not, do they lose theirs unasked too?
  reg [6:0] policy_q; // policy 2:0, technique 3, access 4, exclusive scope 5, token scope 6

  wire [2:0] policy = policy_q[2:0];
  wire       shared = policy_q[4];
  assign drains_o     = policy_q[3];
  assign by_process_o = policy_q[6];

  // A code of no engine leaves the policy as it is.
  wire [7:0] is_present = {3'b000, POLICIES[4:0]};
  wire       is_known   = is_present[policy_data_i[2:0]];

  always @(posedge clk_i) begin
    if (!rst_ni) policy_q <= strap_policy_i;
    else if (policy_write_i) policy_q <= {policy_data_i[6:3], is_known ? policy_data_i[2:0] : policy};
  end

  assign in_turn_o     = policy == PPQ || policy == DSS || policy == TIME_SLICE;
  assign by_priority_o = policy == NPQ || policy == PPQ;

  // ---- where the search is ----------------------------------------------------------------------------------------

  reg  [2:0]            state_q, state_d;
  reg                   is_second_q, is_second_d;
  reg  [STEP_WIDTH-1:0] step_q, step_d;   // of a walk, or position of a distribution
  reg  [WAIT_WIDTH-1:0] cycle_q, cycle_d; // of a step, or of an activation
  reg                   began_q;          // in the last cycle
  reg                   pending_q;        // an event since the walk began
  reg                   tick_waits_q;     // the slice timer has ticked since then
  reg  [1:0]            settle_q;         // cycles since the last rows passed, less one

  localparam [1:0] CHECKS = 2'd1, ENDS = 2'd2; // of `settle_q`

  // 1. A waiting command may become active: the chosen one, PIPELINED by the tables of the last cycle.
  wire [CW-1:0] first_context, front_context;
  wire          waits, is_full, is_empty;
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(CW)) u_first_context (
    .rows_i(ksrt_context_i), .index_i(queue_ksr_i[KW-1:0]), .data_o(first_context));
  tsr_stage #(.PRESENT(PIPELINED), .WIDTH(3 + CW)) u_entrance (
    .clk_i(clk_i), .enable_i(choose_o),
    .data_i({command_waits_i, queue_full_i, queue_count_i == {KW{1'b0}}, first_context}),
    .data_o({waits, is_full, is_empty, front_context}));
  assign choose_o = state_q != IDLE;

  wire one_context  = policy == FCFS || policy == NPQ;
  wire may_activate = waits && !is_full && (!one_context || is_empty || front_context == chosen_context_i);

  // 2. What this cycle is. PIPELINED, a walk begins in any case, and gives way to an activation in its second cycle.
  wire enters           = (PIPELINED != 0 ? began_q : state_q == BEGIN) && may_activate;
  wire is_activating    = state_q == ACTIVATE || enters;
  wire is_walking       = (state_q == BEGIN || state_q == WALK) && !enters;
  wire is_distributing  = state_q == DISTRIBUTE;
  assign distributing_o = is_distributing;
  assign idle_o         = state_q == IDLE;

  // 3. The cycle of an activation.
  wire [WAIT_WIDTH-1:0] activation_cycle = PIPELINED != 0 && enters ? {{(WAIT_WIDTH-1){1'b0}}, 1'b1} : cycle_q;

  // 4. The last of its kind.
  wire activation_ends   = is_activating && activation_cycle == strap_activation_cycles_i - 1'b1;
  wire passes            = is_walking && cycle_q == strap_search_step_cycles_i - 1'b1; // rows do, in this cycle
  wire last_passes       = passes && step_q == LAST_STEP[STEP_WIDTH-1:0];
  wire checks            = PIPELINED != 0 ? state_q == SETTLE && settle_q == CHECKS : last_passes;
  wire walk_ends         = PIPELINED != 0 ? state_q == SETTLE && settle_q == ENDS : last_passes;
  wire distribution_ends = step_q == {{(STEP_WIDTH-KW){1'b0}}, queue_count_i};

  wire first_ends      = walk_ends && !is_second_q;
  wire first_checks    = checks && !is_second_q;
  wire second_checks   = checks && is_second_q;
  assign checking_o    = PIPELINED != 0 && checks;

  // 5. Rows reach engines and finders: of a first or a second walk, the first ones.
  wire first_passes, second_passes, starts;
  tsr_stage #(.PRESENT(PIPELINED), .WIDTH(3)) u_passes (
    .clk_i(clk_i), .enable_i(1'b1),
    .data_i({rst_ni && passes && !is_second_q, rst_ni && passes && is_second_q, step_q == {STEP_WIDTH{1'b0}}}),
    .data_o({first_passes, second_passes, starts}));

  // ---- first walk: kernels to the engine, SMs to the idle-SM finder -----------------------------------------------

  wire [R-1:0]    row_valid, row_uncovered, row_holds;
  wire [R*KW-1:0] row_ksr;
  wire [R*CW-1:0] row_context;
  wire [R*4-1:0]  row_priority;
  wire [R*10-1:0] row_tokens_left;

  genvar i;
  generate
    for (i = 0; i < R; i = i + 1) begin : g_kernel
      // 1. The row that passes.
      wire [31:0]   position = step_q * R + i;
      wire          passing_valid = position < {{(32-KW){1'b0}}, queue_count_i};
      wire [KW-1:0] passing_ksr;
      wire [CW-1:0] passing_context;
      wire [3:0]    passing_priority;
      wire [8:0]    passing_tokens;
      wire [RW-1:0] passing_remaining;
      wire          passing_has_more;
      wire [SW-1:0] passing_preempted, passing_covered;
      wire [MW-1:0] passing_owned, passing_reserved, passing_context_held;

      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(KW)) u_ksr (
        .rows_i(queue_ksr_i), .index_i(position[KW-1:0]), .data_o(passing_ksr));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(CW)) u_context (
        .rows_i(ksrt_context_i), .index_i(passing_ksr), .data_o(passing_context));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(4)) u_priority (
        .rows_i(ksrt_priority_i), .index_i(passing_ksr), .data_o(passing_priority));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(9)) u_tokens (
        .rows_i(ksrt_tokens_i), .index_i(passing_ksr), .data_o(passing_tokens));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(RW)) u_remaining (
        .rows_i(ksrt_remaining_i), .index_i(passing_ksr), .data_o(passing_remaining));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_has_more (
        .rows_i(ksrt_has_more_i), .index_i(passing_ksr), .data_o(passing_has_more));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_preempted (
        .rows_i(ksrt_preempted_i), .index_i(passing_ksr), .data_o(passing_preempted));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_covered (
        .rows_i(ksrt_covered_i), .index_i(passing_ksr), .data_o(passing_covered));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(MW)) u_owned (
        .rows_i(ksrt_owned_i), .index_i(passing_ksr), .data_o(passing_owned));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(MW)) u_reserved (
        .rows_i(ksrt_reserved_i), .index_i(passing_ksr), .data_o(passing_reserved));
      tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(MW)) u_context_held (
        .rows_i(context_held_i), .index_i(passing_context), .data_o(passing_context_held));

      // 2. What the engine sees of it.
      wire [8:0]    tokens;
      wire [RW-1:0] remaining;
      wire          has_more;
      wire [SW-1:0] preempted, covered;
      wire [MW-1:0] owned, reserved, context_held;

      tsr_stage #(.PRESENT(PIPELINED), .WIDTH(1 + KW + CW + 4 + 9 + RW + 1 + 2*SW + 3*MW)) u_row (
        .clk_i(clk_i), .enable_i(passes),
        .data_i({passing_valid, passing_ksr, passing_context, passing_priority, passing_tokens, passing_remaining,
                 passing_has_more, passing_preempted, passing_covered, passing_owned, passing_reserved,
                 passing_context_held}),
        .data_o({row_valid[i], row_ksr[i*KW +: KW], row_context[i*CW +: CW], row_priority[i*4 +: 4], tokens, remaining,
                 has_more, preempted, covered, owned, reserved, context_held}));

      tsr_uncovered #(.REMAINING_WIDTH(RW), .SM_COUNT_WIDTH(MW), .SLOT_COUNT_WIDTH(SW)) u_uncovered (
        .breadth_first_i(strap_breadth_first_i), .remaining_i(remaining), .has_more_i(has_more),
        .preempted_i(preempted), .covered_i(covered), .owned_i(owned), .reserved_i(reserved),
        .uncovered_o(row_uncovered[i]));

      wire [MW-1:0] kernel_held = owned + reserved;
      wire [MW-1:0] held        = by_process_o ? context_held : kernel_held;

      assign row_holds[i]                = kernel_held != {MW{1'b0}};
      assign row_tokens_left[i*10 +: 10] = {1'b0, tokens} - {{(10-MW){1'b0}}, held};
      wire unused = &{1'b0, position};
    end
  endgenerate

  // ---- both walks: SMs --------------------------------------------------------------------------------------------

  wire [W-1:0]          sm_is_idle, sm_is_running, sm_counts;
  wire [W*SM_WIDTH-1:0] sm_index;
  wire [W*KW-1:0]       victim_ksr; // that the SM counts against
  wire [W*CW-1:0]       victim_context;
  wire [W*4-1:0]        victim_priority;

  generate
    for (i = 0; i < W; i = i + 1) begin : g_sm
      // 1. The row that passes.
      wire [31:0]         index = step_q * W + i;
      wire [SM_WIDTH-1:0] passing_sm    = index[SM_WIDTH-1:0];
      wire                passing_valid = index < NUM_SMS;
      wire [1:0]          state;
      wire [KW-1:0]       ksr, next;

      tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(2)) u_state (
        .rows_i(smst_state_i), .index_i(passing_sm), .data_o(state));
      tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(KW)) u_ksr (
        .rows_i(smst_ksr_i), .index_i(passing_sm), .data_o(ksr));
      tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(KW)) u_next (
        .rows_i(smst_next_i), .index_i(passing_sm), .data_o(next));

      wire [KW-1:0] claimant = state == SM_RESERVED ? next : ksr;
      wire          counts   = passing_valid && state != SM_IDLE && claimant != {KW{1'b1}};
      wire [CW-1:0] its_context;
      wire [3:0]    its_priority;
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(CW)) u_context (
        .rows_i(ksrt_context_i), .index_i(claimant), .data_o(its_context));
      tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(4)) u_priority (
        .rows_i(ksrt_priority_i), .index_i(claimant), .data_o(its_priority));

      // 2. What the finders see of it.
      tsr_stage #(.PRESENT(PIPELINED), .WIDTH(3 + SM_WIDTH + KW + CW + 4)) u_row (
        .clk_i(clk_i), .enable_i(passes),
        .data_i({passing_valid && state == SM_IDLE, state == SM_RUNNING, counts, passing_sm, claimant, its_context,
                 its_priority}),
        .data_o({sm_is_idle[i], sm_is_running[i], sm_counts[i], sm_index[i*SM_WIDTH +: SM_WIDTH],
                 victim_ksr[i*KW +: KW], victim_context[i*CW +: CW], victim_priority[i*4 +: 4]}));
      wire unused = &{1'b0, index};
    end
  endgenerate

  // The first idle SM of the first walk, this cycle's included, or pipelined, those before it. Victims likewise.
  reg                idle_found_q, idle_found_d;
  reg [SM_WIDTH-1:0] idle_sm_q, idle_sm_d;

  integer j;
  always @* begin
    idle_found_d = idle_found_q && !starts;
    idle_sm_d    = idle_sm_q;
    for (j = 0; j < W; j = j + 1) begin
      if (!idle_found_d && sm_is_idle[j]) begin
        idle_found_d = 1'b1;
        idle_sm_d    = sm_index[j*SM_WIDTH +: SM_WIDTH];
      end
    end
  end

  wire                idle_found = PIPELINED != 0 ? idle_found_q : idle_found_d;
  wire [SM_WIDTH-1:0] idle_sm    = PIPELINED != 0 ? idle_sm_q : idle_sm_d;

  always @(posedge clk_i) begin
    if (first_passes) begin
      idle_found_q <= idle_found_d;
      idle_sm_q    <= idle_sm_d;
    end
  end

  // ---- engines ----------------------------------------------------------------------------------------------------

  wire          fcfs_candidate_valid, priority_candidate_valid, dss_candidate_valid, slice_candidate_valid;
  wire [KW-1:0] fcfs_candidate_ksr, priority_candidate_ksr, dss_candidate_ksr, slice_candidate_ksr;
  wire          priority_takes_idle, dss_takes_away, slice_takes_away;
  wire [W-1:0]  priority_is_victim, dss_is_victim, slice_is_victim;
  wire [4*W-1:0] priority_rank;

  wire turn_passes = state_d == BEGIN && (tick_waits_q || tick_i && policy == TIME_SLICE);

  generate
    if (POLICIES[0] || POLICIES[1]) begin : g_fcfs
      tsr_fcfs #(.ROWS(R), .PIPELINED(PIPELINED), .KSR_WIDTH(KW)) u_fcfs (
        .clk_i(clk_i), .pass_i(first_passes && one_context), .start_i(starts),
        .row_valid_i(row_valid), .row_ksr_i(row_ksr), .row_uncovered_i(row_uncovered),
        .candidate_valid_o(fcfs_candidate_valid), .candidate_ksr_o(fcfs_candidate_ksr));
    end else begin : g_no_fcfs
      assign fcfs_candidate_valid = 1'b0;
      assign fcfs_candidate_ksr   = {KW{1'b0}};
    end

    if (POLICIES[2]) begin : g_priority
      tsr_priority #(.ROWS(R), .PIPELINED(PIPELINED), .VICTIMS(W), .KSR_WIDTH(KW)) u_priority (
        .clk_i(clk_i), .shared_i(shared), .all_i(policy_q[5]),
        .pass_i(first_passes && policy == PPQ), .start_i(starts), .end_i(first_checks && policy == PPQ),
        .row_valid_i(row_valid), .row_ksr_i(row_ksr), .row_priority_i(row_priority), .row_uncovered_i(row_uncovered),
        .candidate_valid_o(priority_candidate_valid), .candidate_ksr_o(priority_candidate_ksr),
        .candidate_takes_idle_o(priority_takes_idle),
        .victim_priority_i(victim_priority), .is_victim_o(priority_is_victim), .victim_rank_o(priority_rank));
    end else begin : g_no_priority
      assign priority_candidate_valid = 1'b0;
      assign priority_candidate_ksr   = {KW{1'b0}};
      assign priority_takes_idle      = 1'b0;
      assign priority_is_victim       = {W{1'b0}};
      assign priority_rank            = {4*W{1'b0}};
    end

    if (POLICIES[3]) begin : g_dss
      tsr_dss #(.ROWS(R), .PIPELINED(PIPELINED), .VICTIMS(W), .KSR_WIDTH(KW)) u_dss (
        .clk_i(clk_i), .pass_i(first_passes && policy == DSS), .start_i(starts),
        .row_valid_i(row_valid), .row_ksr_i(row_ksr), .row_tokens_left_i(row_tokens_left),
        .row_uncovered_i(row_uncovered), .row_holds_i(row_holds),
        .candidate_valid_o(dss_candidate_valid), .candidate_ksr_o(dss_candidate_ksr),
        .candidate_takes_away_o(dss_takes_away),
        .victim_ksr_i(victim_ksr), .is_victim_o(dss_is_victim));
    end else begin : g_no_dss
      assign dss_candidate_valid = 1'b0;
      assign dss_candidate_ksr   = {KW{1'b0}};
      assign dss_takes_away      = 1'b0;
      assign dss_is_victim       = {W{1'b0}};
    end

    if (POLICIES[4]) begin : g_time_slice
      tsr_time_slice #(
        .ROWS(R), .PIPELINED(PIPELINED), .VICTIMS(W), .KSR_WIDTH(KW), .NUM_CONTEXTS(NUM_CONTEXTS)
      ) u_time_slice (
        .clk_i(clk_i), .rst_ni(rst_ni), .shared_i(shared), .select_i(policy_write_i), .tick_i(turn_passes),
        .pass_i(first_passes && policy == TIME_SLICE), .start_i(starts),
        .end_i(first_ends && policy == TIME_SLICE),
        .row_valid_i(row_valid), .row_ksr_i(row_ksr), .row_context_i(row_context), .row_uncovered_i(row_uncovered),
        .candidate_valid_o(slice_candidate_valid), .candidate_ksr_o(slice_candidate_ksr),
        .candidate_takes_away_o(slice_takes_away),
        .victim_context_i(victim_context), .is_victim_o(slice_is_victim));
    end else begin : g_no_time_slice
      assign slice_candidate_valid = 1'b0;
      assign slice_candidate_ksr   = {KW{1'b0}};
      assign slice_takes_away      = 1'b0;
      assign slice_is_victim       = {W{1'b0}};
    end
  endgenerate

  // What the active one wants, and whom it takes from.
  reg           candidate_valid, candidate_takes_idle, candidate_takes_away;
  reg [KW-1:0]  candidate_ksr;
  reg [W-1:0]   is_victim;
  always @* begin
    candidate_valid      = fcfs_candidate_valid;
    candidate_ksr        = fcfs_candidate_ksr;
    candidate_takes_idle = 1'b1;
    candidate_takes_away = 1'b0;
    is_victim            = {W{1'b0}};
    case (policy)
      PPQ: begin
        candidate_valid      = priority_candidate_valid;
        candidate_ksr        = priority_candidate_ksr;
        candidate_takes_idle = priority_takes_idle;
        candidate_takes_away = 1'b1;
        is_victim            = priority_is_victim;
      end
      DSS: begin
        candidate_valid      = dss_candidate_valid;
        candidate_ksr        = dss_candidate_ksr;
        candidate_takes_away = dss_takes_away;
        is_victim            = dss_is_victim;
      end
      TIME_SLICE: begin
        candidate_valid      = slice_candidate_valid;
        candidate_ksr        = slice_candidate_ksr;
        candidate_takes_away = slice_takes_away;
        is_victim            = slice_is_victim;
      end
      default: ; // fcfs, npq
    endcase
  end

  // The candidate of the first walk, for the second.
  reg [KW-1:0] candidate_ksr_q;
  reg          candidate_takes_idle_q;
  always @(posedge clk_i) begin
    if (first_checks) begin
      candidate_ksr_q        <= candidate_ksr;
      candidate_takes_idle_q <= candidate_takes_idle;
    end
  end

  // ---- second walk: the victim, this cycle's SMs included: lowest rank, then reserved, then lowest ----------------

  reg                victim_found_q, victim_found_d, victim_running_q, victim_running_d;
  reg [3:0]          victim_rank_q, victim_rank_d, rank;
  reg [SM_WIDTH-1:0] victim_sm_q, victim_sm_d;
  reg [KW-1:0]       victim_claimant_q, victim_claimant_d;

  always @* begin
    victim_found_d    = victim_found_q && !starts;
    victim_running_d  = victim_running_q;
    victim_rank_d     = victim_rank_q;
    victim_sm_d       = victim_sm_q;
    victim_claimant_d = victim_claimant_q;
    rank              = 4'd0;
    for (j = 0; j < W; j = j + 1) begin
      rank = policy == PPQ ? priority_rank[4*j +: 4] : 4'd0;
      if (sm_counts[j] && is_victim[j] &&
          (!victim_found_d || {rank, sm_is_running[j]} < {victim_rank_d, victim_running_d})) begin
        victim_found_d    = 1'b1;
        victim_running_d  = sm_is_running[j];
        victim_rank_d     = rank;
        victim_sm_d       = sm_index[j*SM_WIDTH +: SM_WIDTH];
        victim_claimant_d = victim_ksr[j*KW +: KW];
      end
    end
  end

  wire                victim_found    = PIPELINED != 0 ? victim_found_q : victim_found_d;
  wire                victim_running  = PIPELINED != 0 ? victim_running_q : victim_running_d;
  wire [SM_WIDTH-1:0] victim_sm       = PIPELINED != 0 ? victim_sm_q : victim_sm_d;
  wire [KW-1:0]       victim_claimant = PIPELINED != 0 ? victim_claimant_q : victim_claimant_d;

  always @(posedge clk_i) begin
    if (second_passes) begin
      victim_found_q    <= victim_found_d;
      victim_running_q  <= victim_running_d;
      victim_rank_q     <= victim_rank_d;
      victim_sm_q       <= victim_sm_d;
      victim_claimant_q <= victim_claimant_d;
    end
  end

  // ---- outcome ----------------------------------------------------------------------------------------------------

  // 1. Is the candidate still good, and the victim as it was seen?
  wire [KW-1:0] good_ksr        = is_second_q ? candidate_ksr_q : candidate_ksr;
  wire          good_takes_idle = is_second_q ? candidate_takes_idle_q : candidate_takes_idle;
  wire          good_valid, good_uncovered;
  wire [RW-1:0] good_remaining;
  wire          good_has_more;
  wire [SW-1:0] good_preempted, good_covered;
  wire [MW-1:0] good_owned, good_reserved;

  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_good_valid (
    .rows_i(ksrt_valid_i), .index_i(good_ksr), .data_o(good_valid));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(RW)) u_good_remaining (
    .rows_i(ksrt_remaining_i), .index_i(good_ksr), .data_o(good_remaining));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_good_has_more (
    .rows_i(ksrt_has_more_i), .index_i(good_ksr), .data_o(good_has_more));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_good_preempted (
    .rows_i(ksrt_preempted_i), .index_i(good_ksr), .data_o(good_preempted));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_good_covered (
    .rows_i(ksrt_covered_i), .index_i(good_ksr), .data_o(good_covered));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(MW)) u_good_owned (
    .rows_i(ksrt_owned_i), .index_i(good_ksr), .data_o(good_owned));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(MW)) u_good_reserved (
    .rows_i(ksrt_reserved_i), .index_i(good_ksr), .data_o(good_reserved));
  tsr_uncovered #(.REMAINING_WIDTH(RW), .SM_COUNT_WIDTH(MW), .SLOT_COUNT_WIDTH(SW)) u_good_uncovered (
    .breadth_first_i(strap_breadth_first_i), .remaining_i(good_remaining), .has_more_i(good_has_more),
    .preempted_i(good_preempted), .covered_i(good_covered), .owned_i(good_owned), .reserved_i(good_reserved),
    .uncovered_o(good_uncovered));

  wire candidate_still_good = good_valid && (!good_takes_idle || good_uncovered);

  wire [1:0]    seen_state;
  wire [KW-1:0] seen_ksr, seen_next;
  tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(2)) u_seen_state (
    .rows_i(smst_state_i), .index_i(victim_sm), .data_o(seen_state));
  tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(KW)) u_seen_ksr (
    .rows_i(smst_ksr_i), .index_i(victim_sm), .data_o(seen_ksr));
  tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(KW)) u_seen_next (
    .rows_i(smst_next_i), .index_i(victim_sm), .data_o(seen_next));

  wire victim_as_seen = victim_running ? seen_state == SM_RUNNING && seen_ksr == victim_claimant
                                       : seen_state == SM_RESERVED && seen_next == victim_claimant;

  // 2. What comes of the walk.
  wire finds_idle    = candidate_valid && candidate_takes_idle && idle_found;
  wire may_assign    = first_checks && finds_idle && candidate_still_good;
  wire may_look_on   = first_checks && candidate_valid && !finds_idle && candidate_takes_away;
  wire may_take_away = second_checks && victim_found && victim_as_seen && candidate_still_good;
  wire may_repeat    = first_checks && finds_idle && !candidate_still_good ||
                       second_checks && victim_found && !may_take_away;

  // 3. When the walk ends.
  wire moves, looks_on, repeats;
  tsr_stage #(.PRESENT(PIPELINED), .WIDTH(5 + SM_WIDTH + KW)) u_outcome (
    .clk_i(clk_i), .enable_i(1'b1),
    .data_i({may_assign || may_take_away, may_look_on, may_repeat,
             may_assign ? ASSIGN : victim_running ? RESERVE : RETARGET, may_assign ? idle_sm : victim_sm, good_ksr}),
    .data_o({moves, looks_on, repeats, move_kind_o, move_sm_o, move_ksr_o}));
  assign move_valid_o = walk_ends && moves;

  // ---- activation and distribution --------------------------------------------------------------------------------

  // 1. Of whom.
  wire [CW-1:0] distribution_context, budget_context;
  wire [31:0]   distribution_position = {{(32-STEP_WIDTH){1'b0}}, step_q};
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(KW)) u_distribute_ksr (
    .rows_i(queue_ksr_i), .index_i(distribution_position[KW-1:0]), .data_o(distribute_ksr_o));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(CW)) u_distribution_context (
    .rows_i(ksrt_context_i), .index_i(distribute_ksr_o), .data_o(distribution_context));
  assign budget_context   = is_distributing ? distribution_context : chosen_context_i;
  assign budget_context_o = budget_context;

  // 2. A control write comes before; a kernel that finishes makes an activation wait.
  assign activate_o           = activation_ends && may_activate && !control_write_i && !kernel_finished_i;
  assign distribute_o         = is_distributing && !distribution_ends && !control_write_i;
  assign distribution_start_o = policy_write_i || is_distributing && control_write_i;

  // 3. The budget: the OS's, or an equal share and perhaps a token of the pool.
  reg  [MW-1:0] pool_q;
  wire          has_budget, has_pool_token;
  wire [8:0]    own_budget;
  wire [KW-1:0] context_kernels;
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(1)) u_has_budget (
    .rows_i(context_has_budget_i), .index_i(budget_context), .data_o(has_budget));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(9)) u_own_budget (
    .rows_i(context_budget_i), .index_i(budget_context), .data_o(own_budget));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(KW)) u_context_kernels (
    .rows_i(context_kernels_i), .index_i(budget_context), .data_o(context_kernels));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(1)) u_has_pool_token (
    .rows_i(context_has_pool_token_i), .index_i(budget_context), .data_o(has_pool_token));

  wire is_first  = is_distributing ? !has_pool_token : context_kernels == {KW{1'b0}};
  wire takes     = !has_budget && pool_q != {MW{1'b0}} && (!by_process_o || is_first);
  wire has_extra = takes || by_process_o && has_pool_token;

  assign budget_o              = has_budget ? own_budget : EQUAL_SHARE[8:0] + {8'd0, has_extra};
  assign budget_from_pool_o    = takes && !by_process_o;
  assign context_takes_token_o = (activate_o || distribute_o) && takes && by_process_o;

  always @(posedge clk_i) begin
    if (!rst_ni || distribution_start_o) pool_q <= TOKEN_POOL[MW-1:0];
    else pool_q <= pool_q + pool_return_i - {{(MW-1){1'b0}}, (activate_o || distribute_o) && takes};
  end

  // ---- next state -------------------------------------------------------------------------------------------------

  wire goes_on = pending_q || invoke_i || may_activate; // where a walk ends without a move

  always @* begin
    state_d     = state_q;
    is_second_d = is_second_q;
    step_d      = step_q;
    cycle_d     = cycle_q;
    if (is_activating) begin
      state_d = activation_ends && (control_write_i || !kernel_finished_i) ? BEGIN : ACTIVATE;
      cycle_d = activation_ends ? activation_cycle : activation_cycle + 1'b1;
    end else if (is_walking) begin
      state_d = PIPELINED != 0 && last_passes ? SETTLE : WALK;
      cycle_d = passes ? {WAIT_WIDTH{1'b0}} : cycle_q + 1'b1;
      if (passes) step_d = step_q + 1'b1;
    end else if (is_distributing) begin
      step_d = step_q + 1'b1;
      if (distribution_ends) state_d = BEGIN;
    end else if (state_q == IDLE && invoke_i) begin
      state_d = BEGIN;
    end
    if (walk_ends) begin
      if (move_valid_o || repeats || control_write_i) state_d = BEGIN;
      else if (looks_on) {state_d, is_second_d, step_d} = {WALK, 1'b1, {STEP_WIDTH{1'b0}}};
      else state_d = goes_on ? BEGIN : IDLE;
    end
    if (distribution_start_o) state_d = DISTRIBUTE;
    if (state_d == BEGIN || state_d == IDLE || distribution_start_o) begin
      is_second_d = 1'b0;
      step_d      = {STEP_WIDTH{1'b0}};
      cycle_d     = {WAIT_WIDTH{1'b0}};
    end
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= IDLE;
      is_second_q  <= 1'b0;
      step_q       <= {STEP_WIDTH{1'b0}};
      cycle_q      <= {WAIT_WIDTH{1'b0}};
      began_q      <= 1'b0;
      pending_q    <= 1'b0;
      tick_waits_q <= 1'b0;
    end else begin
      state_q      <= state_d;
      is_second_q  <= is_second_d;
      step_q       <= step_d;
      cycle_q      <= cycle_d;
      began_q      <= state_q == BEGIN && !distribution_start_o;
      pending_q    <= state_d != BEGIN && state_q != IDLE && (pending_q || invoke_i);
      tick_waits_q <= state_d != BEGIN && !policy_write_i && (tick_waits_q || tick_i && policy == TIME_SLICE);
    end
    settle_q <= state_q == SETTLE ? settle_q + 1'b1 : 2'd0;
  end

  assign invoked_o = state_q == IDLE && invoke_i;
  assign decided_o = state_q != IDLE && state_d == IDLE;

  // ---- slice timer ------------------------------------------------------------------------------------------------

  // Kernels of two contexts or more are active.
  reg [NUM_CONTEXTS-1:0] is_active_context;
  integer                c;
  always @* begin
    is_active_context = {NUM_CONTEXTS{1'b0}};
    c                 = 0;
    if (policy == TIME_SLICE) begin
      for (c = 0; c < NUM_CONTEXTS; c = c + 1) is_active_context[c] = context_kernels_i[c*KW +: KW] != {KW{1'b0}};
    end
  end

  assign timer_enable_o = |(is_active_context & (is_active_context - 1'b1));

  // What only engines look at that are not present.
  wire unused = &{1'b0, distribution_position, first_ends, policy_q, shared, row_ksr, row_context, row_priority,
                  row_tokens_left, row_holds, victim_ksr, victim_context, victim_priority, priority_rank, turn_passes};

endmodule
