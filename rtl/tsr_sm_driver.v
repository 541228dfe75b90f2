// SPDX-License-Identifier: Apache-2.0
// The SM driver ([T14] Figure 3; docs/timing.md section 6). In every cycle it takes one thing that happened (the
// policy's move, or an SM's event) into the tables, tells one SM to set up or to save, and sends one TB to an SM.
//
//   commands: registers -> sm_control (in the next cycle), dispatch, choice of a TB
//   events:   move > internal event > SM event -> changes of SMST, KSRT, context table
module tsr_sm_driver #(
  parameter NUM_SMS        = 13,
  parameter MAX_TBS_PER_SM = 16,
  parameter TB_WIDTH       = 32,
  parameter NUM_KSRS       = 13,
  parameter NUM_CONTEXTS   = 16,
  parameter PTBQ_DEPTH     = 208,
  // Not to be set.
  parameter SM_WIDTH         = $clog2(NUM_SMS + 1),
  parameter KSR_WIDTH        = $clog2(NUM_KSRS + 1),
  parameter CONTEXT_WIDTH    = $clog2(NUM_CONTEXTS + 1),
  parameter TB_COUNT_WIDTH   = $clog2(MAX_TBS_PER_SM + 1),
  parameter SLOT_COUNT_WIDTH = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1),
  parameter REMAINING_WIDTH  = TB_WIDTH > SLOT_COUNT_WIDTH + 1 ? SLOT_COUNT_WIDTH + 1 : TB_WIDTH
) (
  input                                  clk_i,
  input                                  rst_ni,
  input                                  strap_breadth_first_i,
  input                                  strap_rounds_i,
  input                                  sm_tick_i,
  // What happens in this cycle: a move, or an event that is taken.
  input                                  move_i,
  input  [1:0]                           move_kind_i, // 0 assign, 1 reserve, 2 retarget
  input  [SM_WIDTH-1:0]                  move_sm_i,
  input  [KSR_WIDTH-1:0]                 move_ksr_i,
  input                                  move_drains_i, // technique of new preemptions
  input                                  hold_i, // SMs change hands by no event: the policy is checking its move
  input                                  event_i,
  input  [SM_WIDTH-1:0]                  event_sm_i,
  input  [1:0]                           event_kind_i, // 0 TB done, 1 set-up done, 2 restore done, 3 preempted
  // Tables.
  input  [2*NUM_SMS-1:0]                 smst_state_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]         smst_ksr_i,
  input  [NUM_SMS*KSR_WIDTH-1:0]         smst_next_i,
  input  [NUM_SMS*TB_COUNT_WIDTH-1:0]    smst_running_i,
  input  [NUM_KSRS-1:0]                  ksrt_has_handles_i,
  input  [NUM_KSRS-1:0]                  ksrt_has_fresh_i,
  input  [NUM_KSRS-1:0]                  ksrt_is_issuable_i,
  input  [NUM_KSRS*CONTEXT_WIDTH-1:0]    ksrt_context_i,
  input  [NUM_KSRS*TB_COUNT_WIDTH-1:0]   ksrt_tbs_per_sm_i,
  input  [NUM_KSRS*REMAINING_WIDTH-1:0]  ksrt_remaining_i,
  input  [NUM_KSRS-1:0]                  ksrt_has_more_i,
  input  [NUM_KSRS*TB_WIDTH-1:0]         ksrt_next_tb_i,
  input  [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] ksrt_outstanding_i,
  input  [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] ksrt_preempted_i,
  input  [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] ksrt_promised_i,
  input  [TB_WIDTH+31:0]                 handle_i, // read from the PTBQ in the last cycle
  // To the SMs. A set-up is sent: descriptor and page table are read, and go out with the rest in the next cycle.
  output                                 setup_o,
  output [KSR_WIDTH-1:0]                 setup_ksr_o,
  output [CONTEXT_WIDTH-1:0]             setup_context_o,
  output reg                             control_valid_o,
  output reg [SM_WIDTH-1:0]              control_sm_o,
  output reg                             control_kind_o, // 0 set-up, 1 trap
  output reg [CONTEXT_WIDTH-1:0]         control_context_o,
  output                                 dispatch_valid_o,
  output [SM_WIDTH-1:0]                  dispatch_sm_o,
  output                                 dispatch_is_restore_o,
  output                                 dispatch_last_o,
  output [TB_WIDTH-1:0]                  dispatch_tb_o,
  output [31:0]                          dispatch_stack_pointer_o,
  // A TB is chosen: a fresh one, or a handle is read. It covers: takes a slot that waited for it.
  output                                 issue_o,
  output [SM_WIDTH-1:0]                  issue_sm_o,
  output [KSR_WIDTH-1:0]                 issue_ksr_o,
  output [TB_WIDTH-1:0]                  issue_tb_o, // of a fresh one
  output                                 issue_handle_o,
  output                                 issue_covers_o,
  output                                 issue_borrows_o, // the first of the TBs that its KSR does not count
  // A trap is sent to an SM with so many TBs.
  output                                 trap_o,
  output [KSR_WIDTH-1:0]                 trap_ksr_o,
  output [TB_COUNT_WIDTH-1:0]            trap_count_o,
  // A TB is done; an SM's TBs are saved.
  output                                 done_o,
  output                                 done_trapped_o,
  output                                 done_covered_o,
  output                                 saved_o,
  output [KSR_WIDTH-1:0]                 owner_o, // of the SM of the event
  output [TB_COUNT_WIDTH-1:0]            running_o,
  // The SM of the move or event changes hands.
  output                                 change_o,
  output [SM_WIDTH-1:0]                  change_sm_o,
  output [1:0]                           change_state_o,
  output [KSR_WIDTH-1:0]                 change_ksr_o,
  output [KSR_WIDTH-1:0]                 change_next_o,
  output                                 lose_o,
  output [KSR_WIDTH-1:0]                 lose_ksr_o,
  output                                 lose_reserved_o,
  output [TB_COUNT_WIDTH-1:0]            lose_slots_o,
  output                                 gain_o,
  output [KSR_WIDTH-1:0]                 gain_ksr_o,
  output                                 gain_reserved_o,
  output                                 gain_hand_over_o,
  output [TB_COUNT_WIDTH-1:0]            gain_slots_o,
  // The kernel of `owner_o` is finished.
  output                                 finish_o,
  // Something wants a decision of the policy.
  output                                 invoke_o,
  // Pulses of the edge that ends this cycle.
  output                                 cancelled_o,
  output                                 handed_over_o, // to change_ksr_o
  output                                 released_o,
  // From registers alone.
  output                                 internal_event_o,
  output                                 issues_first_o,
  output                                 changing_hands_o,
  output                                 idle_o
);

  localparam N  = NUM_SMS;
  localparam MW = SM_WIDTH;
  localparam KW = KSR_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;
  localparam SW = SLOT_COUNT_WIDTH;
  localparam RW = REMAINING_WIDTH;

  localparam [1:0] IDLE = 2'd0, RUNNING = 2'd1, RESERVED = 2'd2;
  localparam [1:0] ASSIGN = 2'd0, RESERVE = 2'd1, RETARGET = 2'd2;
  localparam [1:0] TB_DONE = 2'd0, SETUP_DONE = 2'd1, RESTORE_DONE = 2'd2, PREEMPTED = 2'd3;
  localparam [KW-1:0] NONE = {KW{1'b1}};
  localparam HAS_ROOM_FOR_ALL = PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM;

  // ---- registers --------------------------------------------------------------------------------------------------

  // A bit per SM.
  reg [N-1:0] set_up_pending_q; // its set-up is still to be sent
  reg [N-1:0] active_q;         // set up, not yet trapped
  reg [N-1:0] trap_pending_q;   // to be trapped
  reg [N-1:0] trapped_q;        // trap was sent, not yet handed over
  reg [N-1:0] restoring_q;      // a batch of handles is complete, the contexts are not there yet
  reg [N-1:0] full_q;           // no free slot
  reg [N-1:0] drains_q;         // technique of the preemption under way
  reg [N-1:0] served_q;         // gets no TB, or no more, in this SM cycle
  reg [N-1:0] issuable_q;       // its owner has TBs to be sent: `is_issuable` of the KSRT; of an idle SM, whatever

  reg [MW-1:0] turn_q;       // the SM that got a TB last
  reg [TW-1:0] turn_count_q; // TBs it got in its turn
  reg          in_batch_q;   // it is being sent handles
  reg          read_valid_q; // a handle was read for the dispatch pins
  reg          read_last_q;
  reg [MW-1:0] read_sm_q;

  // ---- of each SM, from registers ---------------------------------------------------------------------------------

  wire [N-1:0] is_running, is_reserved, is_batch, wants, traps, has_internal_event;

  tsr_one_hot #(.ROWS(N)) u_is_batch (.valid_i(in_batch_q), .index_i(turn_q), .row_o(is_batch));

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_sm
      wire [TW-1:0] running  = smst_running_i[i*TW +: TW];
      wire          is_empty = running == {TW{1'b0}};

      assign is_running[i]  = smst_state_i[2*i +: 2] == RUNNING;
      assign is_reserved[i] = smst_state_i[2*i +: 2] == RESERVED;

      // 1. It takes a TB.
      assign wants[i] = active_q[i] && is_running[i] && issuable_q[i] && !full_q[i] && !restoring_q[i] && !served_q[i];

      // 2. It is empty, and leaves without an event of its own.
      assign has_internal_event[i] = active_q[i] && !restoring_q[i] && is_empty && !is_batch[i] &&
                                     (is_reserved[i] && drains_q[i] || is_running[i] && !issuable_q[i]);

      // 3. It may be trapped: the PTBQ has room for all of its TBs.
      if (HAS_ROOM_FOR_ALL) begin : g_room
        assign traps[i] = trap_pending_q[i];
      end else begin : g_check
        wire [SW-1:0] preempted, promised;
        tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_preempted (
          .rows_i(ksrt_preempted_i), .index_i(smst_ksr_i[i*KW +: KW]), .data_o(preempted));
        tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_promised (
          .rows_i(ksrt_promised_i), .index_i(smst_ksr_i[i*KW +: KW]), .data_o(promised));
        wire [SW+1:0] needed = {2'b00, preempted} + {2'b00, promised} + {{(SW+2-TW){1'b0}}, running};
        assign traps[i] = trap_pending_q[i] && (is_empty || needed <= PTBQ_DEPTH);
      end
    end
  endgenerate

  // ---- commands: a trap, or a set-up ------------------------------------------------------------------------------

  // 1. The lowest SM that may be trapped, else the lowest to be set up.
  wire [N-1:0]  lowest_trap, lowest_setup, trap_row, setup_row;
  wire [MW-1:0] trap_sm, setup_sm;
  wire [KW-1:0] control_ksr;

  tsr_lowest #(.COUNT(N)) u_trap  (.request_i(traps), .row_o(lowest_trap), .index_o(trap_sm));
  tsr_lowest #(.COUNT(N)) u_setup (.request_i(set_up_pending_q), .row_o(lowest_setup), .index_o(setup_sm));

  assign trap_o      = |traps;
  assign trap_ksr_o  = control_ksr;
  assign setup_o     = !trap_o && |set_up_pending_q && !finish_o; // else a descriptor is read for kernel done
  assign setup_ksr_o = control_ksr;
  assign trap_row    = lowest_trap;
  assign setup_row   = setup_o ? lowest_setup : {N{1'b0}};
  wire [MW-1:0] control_sm = trap_o ? trap_sm : setup_sm;

  tsr_select #(.ROWS(N), .WIDTH(KW)) u_control_ksr (
    .rows_i(smst_ksr_i), .row_i(trap_o ? lowest_trap : lowest_setup), .data_o(control_ksr));
  tsr_select #(.ROWS(N), .WIDTH(TW)) u_trap_count (
    .rows_i(smst_running_i), .row_i(trap_row), .data_o(trap_count_o));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(CW)) u_control_context (
    .rows_i(ksrt_context_i), .index_i(control_ksr), .data_o(setup_context_o));

  // 2. On the pins in the next cycle.
  always @(posedge clk_i) begin
    if (!rst_ni) control_valid_o <= 1'b0;
    else         control_valid_o <= trap_o || setup_o;
    if (trap_o || setup_o) begin
      control_sm_o      <= control_sm;
      control_kind_o    <= trap_o;
      control_context_o <= setup_context_o;
    end
  end

  // ---- commands: a thread block -----------------------------------------------------------------------------------

  // 1. Who gets one: the SM of the batch; depth first, the one whose turn it is; else the next in turn.
  wire [N-1:0]  turn_row, next_row, chosen_row;
  wire [MW-1:0] next_sm, choice_sm;
  wire          stays;

  tsr_one_hot #(.ROWS(N)) u_turn_row (.valid_i(1'b1), .index_i(turn_q), .row_o(turn_row));
  tsr_in_turn #(.COUNT(N)) u_next_sm (
    .request_i(wants), .last_i(turn_q), .row_o(next_row), .index_o(next_sm));
  assign stays      = in_batch_q || !strap_breadth_first_i && |(wants & turn_row) && turn_count_q < MAX_TBS_PER_SM;
  assign choice_sm  = stays ? turn_q : next_sm;
  assign chosen_row = stays ? turn_row : next_row;

  // 2. Which: a handle of its kernel if there is one, else a fresh TB, when the pins are free.
  wire          is_wanted = in_batch_q || |wants;
  wire [KW-1:0] choice_ksr;
  wire [1:0]    choice_state;
  wire [TW-1:0] choice_running, choice_tbs_per_sm;
  wire [RW-1:0] choice_remaining;
  wire [TB_WIDTH-1:0] choice_next_tb;
  wire [SW-1:0] choice_preempted;
  wire          has_handles, has_more;

  tsr_select #(.ROWS(N), .WIDTH(KW)) u_choice_ksr (
    .rows_i(smst_ksr_i), .row_i(chosen_row), .data_o(choice_ksr));
  tsr_select #(.ROWS(N), .WIDTH(2)) u_choice_state (
    .rows_i(smst_state_i), .row_i(chosen_row), .data_o(choice_state));
  tsr_select #(.ROWS(N), .WIDTH(TW)) u_choice_running (
    .rows_i(smst_running_i), .row_i(chosen_row), .data_o(choice_running));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(TW)) u_choice_tbs_per_sm (
    .rows_i(ksrt_tbs_per_sm_i), .index_i(choice_ksr), .data_o(choice_tbs_per_sm));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(RW)) u_choice_remaining (
    .rows_i(ksrt_remaining_i), .index_i(choice_ksr), .data_o(choice_remaining));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_choice_has_more (
    .rows_i(ksrt_has_more_i), .index_i(choice_ksr), .data_o(has_more));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(TB_WIDTH)) u_choice_next_tb (
    .rows_i(ksrt_next_tb_i), .index_i(choice_ksr), .data_o(choice_next_tb));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_choice_preempted (
    .rows_i(ksrt_preempted_i), .index_i(choice_ksr), .data_o(choice_preempted));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_choice_has_handles (
    .rows_i(ksrt_has_handles_i), .index_i(choice_ksr), .data_o(has_handles));

  wire reads       = is_wanted && has_handles;
  wire sends_fresh = is_wanted && !has_handles && !read_valid_q;
  wire is_one_left = choice_preempted == {{(SW-1){1'b0}}, 1'b1};
  wire fills       = {1'b0, choice_running} + 1'b1 == {1'b0, choice_tbs_per_sm};
  wire is_last     = is_one_left || fills; // of the batch
  wire counts_none = choice_remaining == {RW{1'b0}};
  wire counts_one  = choice_remaining == {{(RW-1){1'b0}}, 1'b1};
  wire exhausts    = !has_more && (counts_none ? is_one_left : counts_one && !has_handles);

  assign issue_o        = reads || sends_fresh;
  assign issue_sm_o     = choice_sm;
  assign issue_ksr_o    = choice_ksr;
  assign issue_tb_o      = choice_next_tb;
  assign issue_handle_o  = reads;
  assign issue_covers_o  = choice_state == RUNNING;
  assign issue_borrows_o = sends_fresh && counts_none;

  // 3. On the pins: a fresh TB at once, a handle when the PTBQ has been read.
  assign dispatch_valid_o         = read_valid_q || sends_fresh;
  assign dispatch_sm_o            = read_valid_q ? read_sm_q : choice_sm;
  assign dispatch_is_restore_o    = read_valid_q;
  assign dispatch_last_o          = read_valid_q && read_last_q;
  assign dispatch_tb_o            = read_valid_q ? handle_i[32 +: TB_WIDTH] : choice_next_tb;
  assign dispatch_stack_pointer_o = read_valid_q ? handle_i[31:0] : 32'd0;

  // ---- events: the SM that something happens to -------------------------------------------------------------------

  wire [N-1:0]  internal_row, event_row, sm_row;
  wire [MW-1:0] internal_sm;
  tsr_lowest #(.COUNT(N)) u_internal (.request_i(has_internal_event), .row_o(internal_row), .index_o(internal_sm));
  assign internal_event_o = |has_internal_event;
  assign issues_first_o   = strap_rounds_i && |wants;

  wire          internal = internal_event_o && !move_i && !hold_i;
  wire [MW-1:0] sm       = move_i ? move_sm_i : internal ? internal_sm : event_sm_i;
  tsr_one_hot #(.ROWS(N)) u_event_row (
    .valid_i(1'b1), .index_i(move_i ? move_sm_i : event_sm_i), .row_o(event_row));
  assign sm_row = internal ? internal_row : event_row;

  wire [1:0]    state;
  wire [KW-1:0] owner, next;
  wire [TW-1:0] running;
  wire          is_pending, is_trapped, is_restoring, in_batch, drains;

  tsr_select #(.ROWS(N), .WIDTH(2)) u_state (.rows_i(smst_state_i), .row_i(sm_row), .data_o(state));
  tsr_select #(.ROWS(N), .WIDTH(KW)) u_owner (.rows_i(smst_ksr_i), .row_i(sm_row), .data_o(owner));
  tsr_select #(.ROWS(N), .WIDTH(KW)) u_next (.rows_i(smst_next_i), .row_i(sm_row), .data_o(next));
  tsr_select #(.ROWS(N), .WIDTH(TW)) u_running (.rows_i(smst_running_i), .row_i(sm_row), .data_o(running));
  assign is_pending   = |(set_up_pending_q & sm_row);
  assign is_trapped   = |(trapped_q & sm_row);
  assign is_restoring = |(restoring_q & sm_row);
  assign in_batch     = |(is_batch & sm_row);
  assign drains       = |(drains_q & sm_row);
  wire   owner_issuable = |(issuable_q & sm_row);

  wire          owner_has_fresh, next_issuable, move_issuable;
  wire [SW-1:0] owner_outstanding;
  wire [TW-1:0] owner_slots, next_slots, move_slots;

  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_owner_has_fresh (
    .rows_i(ksrt_has_fresh_i), .index_i(owner), .data_o(owner_has_fresh));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(SW)) u_owner_outstanding (
    .rows_i(ksrt_outstanding_i), .index_i(owner), .data_o(owner_outstanding));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(TW)) u_owner_slots (
    .rows_i(ksrt_tbs_per_sm_i), .index_i(owner), .data_o(owner_slots));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_next_issuable (
    .rows_i(ksrt_is_issuable_i), .index_i(next), .data_o(next_issuable));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(TW)) u_next_slots (
    .rows_i(ksrt_tbs_per_sm_i), .index_i(next), .data_o(next_slots));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(1)) u_move_issuable (
    .rows_i(ksrt_is_issuable_i), .index_i(move_ksr_i), .data_o(move_issuable));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(TW)) u_move_slots (
    .rows_i(ksrt_tbs_per_sm_i), .index_i(move_ksr_i), .data_o(move_slots));

  // ---- events: what happens ---------------------------------------------------------------------------------------

  // 1. The policy's move. To give an SM that drains back to its owner cancels the preemption.
  wire assigns   = move_i && move_kind_i == ASSIGN;
  wire reserves  = move_i && move_kind_i == RESERVE;
  wire retargets = move_i && move_kind_i == RETARGET;
  wire cancels   = retargets && drains && move_ksr_i == owner;

  // 2. An SM's event. A set-up done of an earlier set-up, and a `preempted` of an SM that was handed over when its last
  //    TB finished, mean nothing.
  wire is_on_pins   = control_valid_o && !control_kind_o && control_sm_o == sm; // its set-up
  wire is_set_up    = event_i && event_kind_i == SETUP_DONE && !is_pending && !is_on_pins;
  wire is_restored  = event_i && event_kind_i == RESTORE_DONE;
  assign done_o     = event_i && event_kind_i == TB_DONE;
  assign saved_o    = event_i && event_kind_i == PREEMPTED && is_trapped;
  assign finish_o   = done_o && !owner_has_fresh && owner_outstanding == {{(SW-1){1'b0}}, 1'b1};

  // 3. Does it leave its kernel? An SM that is being filled does not, though it may be empty for a moment.
  wire is_chosen = issue_o && choice_sm == sm;
  wire is_filled = is_restoring || in_batch;
  wire empties   = done_o && running == {{(TW-1){1'b0}}, 1'b1} && !is_chosen && !is_filled;
  wire leaves    = empties || internal || is_set_up;
  wire hands_over = state == RESERVED && leaves || saved_o;
  wire releases   = state == RUNNING && leaves && !owner_issuable && !finish_o;
  wire activates  = state == RUNNING && is_set_up && owner_issuable;

  // 4. Hand-over: to `next`, if that has something to issue; those that were saved just now count.
  wire is_next_alive = next != NONE && !(finish_o && next == owner);
  wire has_saved     = saved_o && running != {TW{1'b0}};
  wire goes_on       = hands_over && is_next_alive && (next_issuable || next == owner && has_saved);
  wire goes_idle     = hands_over && !goes_on || releases;

  // ---- events: changes of the tables ------------------------------------------------------------------------------

  assign owner_o        = owner;
  assign running_o      = running;
  assign done_trapped_o = is_trapped || trap_o && trap_sm == sm;
  assign done_covered_o = state == RUNNING;

  // 1. SMST.
  assign change_o       = move_i || hands_over || releases;
  assign change_sm_o    = sm;
  assign change_state_o = goes_idle ? IDLE : (reserves || retargets && !cancels) ? RESERVED : RUNNING;
  assign change_ksr_o   = goes_idle ? NONE : assigns ? move_ksr_i : move_i ? owner : next;
  assign change_next_o  = (reserves || retargets && !cancels) ? move_ksr_i : NONE;

  // 2. KSRT: SMs, and slots that wait for a kernel's TBs. Breadth first, a reserved SM stands for no slot.
  wire [TW-1:0] free_slots     = owner_slots - running - {{(TW-1){1'b0}}, is_chosen};
  wire [TW-1:0] next_reserved  = strap_breadth_first_i ? {TW{1'b0}} : next_slots;
  wire [TW-1:0] move_reserved  = strap_breadth_first_i ? {TW{1'b0}} : move_slots;
  wire [TW-1:0] next_hand_over = strap_breadth_first_i ? next_slots : {TW{1'b0}};

  assign lose_o           = reserves || retargets || releases || hands_over && !goes_on && next != NONE;
  assign lose_reserved_o  = !reserves && !releases;
  assign lose_ksr_o       = lose_reserved_o ? next : owner;
  assign lose_slots_o     = reserves ? free_slots : releases ? owner_slots : next_reserved;

  assign gain_o           = move_i || goes_on;
  assign gain_ksr_o       = move_i ? move_ksr_i : next;
  assign gain_reserved_o  = reserves || retargets && !cancels;
  assign gain_hand_over_o = goes_on;
  assign gain_slots_o     = assigns ? move_slots : cancels ? free_slots : goes_on ? next_hand_over : move_reserved;

  // 3. The policy, and what is shown.
  assign invoke_o      = goes_idle || has_saved || finish_o;
  assign cancelled_o   = cancels;
  assign handed_over_o = hands_over;
  assign released_o    = releases;

  // ---- next values ------------------------------------------------------------------------------------------------

  wire forgets = assigns || hands_over || releases; // what is known of the SM

  // SMs of the kernel that something happens to, and of the one that gets a TB.
  wire [N-1:0] is_of_owner, is_of_choice;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_owned
      assign is_of_owner[i]  = smst_ksr_i[i*KW +: KW] == owner;
      assign is_of_choice[i] = smst_ksr_i[i*KW +: KW] == choice_ksr;
    end
  endgenerate

  wire [N-1:0] choice_row = issue_o ? chosen_row : {N{1'b0}};
  wire [N-1:0] forget_row = forgets ? sm_row : {N{1'b0}};

  // SMs of a kernel that is finished: running ones go idle; reserved and not yet set up, they go to the next without a
  // set-up.
  wire [N-1:0] is_ended   = finish_o ? is_of_owner : {N{1'b0}};
  wire [N-1:0] runs_out   = is_ended & is_running;
  wire [N-1:0] skips      = is_ended & is_reserved & set_up_pending_q;
  wire [N-1:0] is_filling = restoring_q | is_batch | (reads ? choice_row : {N{1'b0}});

  // What begins: on the SM that something happens to, or that is chosen.
  wire [N-1:0] to_set_up   = assigns || goes_on ? sm_row : {N{1'b0}};
  wire [N-1:0] to_activate = activates ? sm_row : {N{1'b0}};
  wire [N-1:0] to_trap     = reserves && !move_drains_i ? sm_row & active_q & ~is_filling :
                             is_restored ? sm_row & is_reserved & active_q & ~drains_q : {N{1'b0}};
  wire [N-1:0] to_drain    = reserves && move_drains_i ? sm_row : {N{1'b0}};
  wire [N-1:0] to_restore  = reads && is_last ? choice_row : {N{1'b0}};
  wire [N-1:0] to_fill     = fills ? choice_row : {N{1'b0}};

  // Has the owner TBs to be sent? The last one may be sent in this cycle, and contexts that are saved are to be sent again.
  // An SM that gets another owner looks into the KSRT.
  wire         is_last_issue  = issue_o && exhausts;
  wire         gain_issuable  = has_saved && gain_ksr_o == owner ||
                                (assigns ? move_issuable : next_issuable) && !(is_last_issue && gain_ksr_o == choice_ksr);
  wire [N-1:0] keeps_issuable = has_saved ? is_of_owner : {N{1'b0}};
  wire [N-1:0] ends_issuable  = is_last_issue ? is_of_choice : {N{1'b0}};
  wire [N-1:0] issuable_d     = keeps_issuable | issuable_q & ~ends_issuable;

  always @(posedge clk_i) begin
    issuable_q <= to_set_up & {N{gain_issuable}} | issuable_d & ~to_set_up;
    if (!rst_ni) begin
      set_up_pending_q <= {N{1'b0}};
      active_q         <= {N{1'b0}};
      trap_pending_q   <= {N{1'b0}};
      trapped_q        <= {N{1'b0}};
      restoring_q      <= {N{1'b0}};
      full_q           <= {N{1'b0}};
      drains_q         <= {N{1'b0}};
      served_q         <= {N{1'b0}};
    end else begin
      set_up_pending_q <= to_set_up | set_up_pending_q & ~setup_row & ~forget_row & ~is_ended;
      active_q         <= to_activate | skips | active_q & ~trap_row & ~forget_row & ~runs_out;
      trap_pending_q   <= to_trap | trap_pending_q & ~trap_row & ~forget_row;
      trapped_q        <= (trapped_q | trap_row) & ~forget_row;
      restoring_q      <= to_restore | restoring_q & ~(is_restored ? sm_row : {N{1'b0}});
      full_q           <= (full_q | to_fill) & ~forget_row & ~runs_out & ~(done_o ? sm_row : {N{1'b0}});
      drains_q         <= to_drain | skips | drains_q & ~forget_row & ~(cancels ? sm_row : {N{1'b0}});
      served_q         <= strap_rounds_i && !sm_tick_i ? served_q | choice_row | (event_i ? sm_row : {N{1'b0}})
                                                       : {N{1'b0}};
    end
  end

  wire [MW-1:0] turn_d       = issue_o ? choice_sm : turn_q;
  wire [TW-1:0] count_before = turn_q == choice_sm && turn_count_q != MAX_TBS_PER_SM ? turn_count_q : {TW{1'b0}};
  wire [TW-1:0] count_after  = fills || exhausts ? {TW{1'b0}} : count_before + 1'b1;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q       <= {MW{1'b0}};
      turn_count_q <= {TW{1'b0}};
      in_batch_q   <= 1'b0;
      read_valid_q <= 1'b0;
      read_last_q  <= 1'b0;
      read_sm_q    <= {MW{1'b0}};
    end else begin
      turn_q       <= turn_d;
      if (forgets && sm == turn_d) turn_count_q <= {TW{1'b0}};
      else if (issue_o) turn_count_q <= count_after;
      in_batch_q   <= reads && !is_last;
      read_valid_q <= reads;
      if (reads) begin
        read_last_q <= is_last;
        read_sm_q   <= choice_sm;
      end
    end
  end

  // ---- at rest ----------------------------------------------------------------------------------------------------

  assign changing_hands_o = |is_reserved || |(is_running & ~active_q) || |restoring_q || in_batch_q;
  assign idle_o = !internal_event_o && !trap_o && !(|set_up_pending_q) && !control_valid_o && !(|wants) && !in_batch_q &&
                  !read_valid_q && !(|served_q);

  wire unused = &{1'b0, ksrt_promised_i}; // where the PTBQ has room for all

endmodule
