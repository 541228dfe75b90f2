// SPDX-License-Identifier: Apache-2.0
// The scheduling framework ([T14] 3.3, Figure 4): command buffers, active queue, KSRT, SMST, PTBQ, context table,
// policy search and SM driver. docs/timing.md is the contract of these pins, cycle by cycle.
module tsr_scheduler #(
  parameter NUM_SMS             = 13,  // 1 .. 256
  parameter MAX_TBS_PER_SM      = 16,  // slots of an SM, T_MAX
  parameter NUM_KSRS            = 13,  // active kernels
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter PTBQ_DEPTH          = NUM_SMS * MAX_TBS_PER_SM, // handles in a KSR's ring
  parameter SEARCH_WIDTH        = 1,   // SMST rows a step: each costs a read port of SMST and KSRT
  parameter KSRS_PER_STEP       = 1,   // active-queue entries a step: each costs a read port of the KSRT
  parameter TB_WIDTH            = 32,  // bits of a TB's number: a kernel has fewer than 2^TB_WIDTH TBs
  parameter PIPELINED           = 0,   // registers in the search: three cycles more a walk, a faster clock
  parameter POLICIES            = 5'b11111, // engines present: time_slice, dss, ppq, npq, fcfs
  parameter WAIT_WIDTH          = 16,  // bits of the latency straps and of their counter
  // Widths, not to be set.
  parameter SM_WIDTH      = $clog2(NUM_SMS + 1),
  parameter KSR_WIDTH     = $clog2(NUM_KSRS + 1),
  parameter CONTEXT_WIDTH = $clog2(NUM_CONTEXTS + 1),
  parameter BUFFER_WIDTH  = $clog2(NUM_COMMAND_BUFFERS + 1),
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1)
) (
  input                            clk_i,
  input                            rst_ni, // synchronous
  // Straps: constant while out of reset.
  input  [6:0]                     strap_policy_i, // as written to the policy register
  input  [WAIT_WIDTH-1:0]          strap_activation_cycles_i,  // command buffer to KSRT, 1 or more; PIPELINED, 2
  input  [WAIT_WIDTH-1:0]          strap_search_step_cycles_i, // 1 or more
  input                            strap_breadth_first_i,
  input                            strap_rounds_i, // breadth first, on a clock faster than the SMs'
  input  [NUM_CONTEXTS-1:0]        strap_has_budget_i,
  input  [9*NUM_CONTEXTS-1:0]      strap_budget_i,
  // Command in
  input                            command_valid_i,
  input  [BUFFER_WIDTH-1:0]        command_buffer_i,
  input  [CONTEXT_WIDTH-1:0]       command_context_i,
  input  [3:0]                     command_priority_i,
  input  [TB_WIDTH-1:0]            command_num_tbs_i,
  input  [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_i,
  input  [39:0]                    command_descriptor_i,
  output [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  // Control registers
  input                            control_valid_i,
  input  [1:0]                     control_reg_i,
  input  [CONTEXT_WIDTH-1:0]       control_context_i,
  input  [63:0]                    control_data_i,
  // Slice timer, SM clock
  output                           slice_timer_enable_o,
  input                            slice_tick_i,
  input                            sm_tick_i,
  // SM event in
  input                            sm_event_valid_i,
  input  [SM_WIDTH-1:0]            sm_event_sm_i,
  input  [1:0]                     sm_event_kind_i,
  output                           sm_event_ready_o,
  // Handle in
  input                            handle_valid_i,
  input  [SM_WIDTH-1:0]            handle_sm_i,
  input  [TB_WIDTH-1:0]            handle_tb_i,
  input  [31:0]                    handle_stack_pointer_i,
  // SM control out
  output                           sm_control_valid_o,
  output [SM_WIDTH-1:0]            sm_control_sm_o,
  output                           sm_control_kind_o, // 0 set-up, 1 trap
  output [CONTEXT_WIDTH-1:0]       sm_control_context_o,
  output [63:0]                    sm_control_page_table_o,
  output [39:0]                    sm_control_descriptor_o,
  // Dispatch out
  output                           dispatch_valid_o,
  output [SM_WIDTH-1:0]            dispatch_sm_o,
  output                           dispatch_is_restore_o,
  output                           dispatch_last_o,
  output [TB_WIDTH-1:0]            dispatch_tb_o,
  output [31:0]                    dispatch_stack_pointer_o,
  // Kernel done
  output                           kernel_done_valid_o,
  output [39:0]                    kernel_done_descriptor_o,
  // Events
  output                           events_policy_invoked_o,
  output                           events_policy_decided_o,
  output                           events_activated_o,
  output [BUFFER_WIDTH-1:0]        events_activated_buffer_o,
  output [KSR_WIDTH-1:0]           events_activated_ksr_o,
  output                           events_moved_o,
  output [1:0]                     events_move_o,
  output [SM_WIDTH-1:0]            events_moved_sm_o,
  output [KSR_WIDTH-1:0]           events_moved_ksr_o,
  output                           events_cancelled_o,
  output                           events_preempted_o,
  output [SM_WIDTH-1:0]            events_preempted_sm_o,
  output [KSR_WIDTH-1:0]           events_next_ksr_o, // all ones: none
  output                           events_released_o,
  output [SM_WIDTH-1:0]            events_released_sm_o,
  output                           idle_o
);

  localparam SM_COUNT_WIDTH   = $clog2(NUM_SMS + 1);
  localparam SLOT_COUNT_WIDTH = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1);
  localparam REMAINING_WIDTH  = TB_WIDTH > SLOT_COUNT_WIDTH + 1 ? SLOT_COUNT_WIDTH + 1 : TB_WIDTH;

  localparam N  = NUM_KSRS;
  localparam KW = KSR_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam MW = SM_COUNT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;
  localparam SW = SLOT_COUNT_WIDTH;
  localparam RW = REMAINING_WIDTH;

  // ---- parameters that make no scheduler end the elaboration here: no such module -----------------------------------

  generate
    if (NUM_SMS < 1 || NUM_SMS > 256) begin : g_num_sms
      NUM_SMS_must_be_1_to_256 u_error ();
    end
    if (MAX_TBS_PER_SM < 1 || PTBQ_DEPTH < MAX_TBS_PER_SM) begin : g_ptbq_depth
      PTBQ_DEPTH_must_hold_the_TBs_of_an_SM u_error ();
    end
    if (NUM_KSRS < 1 || NUM_KSRS > 256 || NUM_CONTEXTS < 1 || NUM_COMMAND_BUFFERS < 1 ||
        NUM_COMMAND_BUFFERS > 256) begin : g_tables
      NUM_KSRS_NUM_CONTEXTS_and_NUM_COMMAND_BUFFERS_must_be_1_or_more u_error ();
    end
    if (SEARCH_WIDTH < 1 || SEARCH_WIDTH > NUM_SMS ||
        KSRS_PER_STEP * ((NUM_SMS + SEARCH_WIDTH - 1) / SEARCH_WIDTH) < NUM_KSRS) begin : g_search
      SEARCH_WIDTH_or_KSRS_PER_STEP_is_out_of_range u_error ();
    end
    if (TB_WIDTH < 4 || TB_WIDTH > 32) begin : g_tb_width
      TB_WIDTH_must_be_4_to_32 u_error ();
    end
    if ((POLICIES & 5'b11111) == 0) begin : g_policies
      POLICIES_must_name_an_engine u_error ();
    end
  endgenerate

  // ---- wires --------------------------------------------------------------------------------------------------------

  // Tables.
  wire                      command_waits, in_turn, by_priority;
  wire [BUFFER_WIDTH-1:0]   chosen;
  wire [CW-1:0]             chosen_context;
  wire [3:0]                chosen_priority;
  wire [TW-1:0]             chosen_tbs_per_sm;
  wire [TB_WIDTH-1:0]       retired_num_tbs;
  wire [39:0]               retired_descriptor;
  wire [N*KW-1:0]           queue_ksr;
  wire [KW-1:0]             queue_count;
  wire                      queue_full;
  wire [KW-1:0]             lowest_free;
  wire [N-1:0]              ksrt_valid, ksrt_has_pool_token, ksrt_has_handles, ksrt_has_fresh, ksrt_is_issuable;
  wire [N*CW-1:0]           ksrt_context;
  wire [N*4-1:0]            ksrt_priority;
  wire [N*9-1:0]            ksrt_tokens;
  wire [N*TW-1:0]           ksrt_tbs_per_sm;
  wire [N*RW-1:0]           ksrt_remaining;
  wire [N-1:0]              ksrt_has_more;
  wire                      ksrt_borrowed;
  wire [N*TB_WIDTH-1:0]     ksrt_next_tb;
  wire [N*SW-1:0]           ksrt_outstanding, ksrt_preempted, ksrt_promised, ksrt_covered;
  wire [N*MW-1:0]           ksrt_owned, ksrt_reserved;
  wire [2*NUM_SMS-1:0]      smst_state;
  wire [NUM_SMS*KW-1:0]     smst_ksr, smst_next;
  wire [NUM_SMS*TW-1:0]     smst_running;
  wire [NUM_CONTEXTS-1:0]   context_has_budget, context_has_pool_token;
  wire [9*NUM_CONTEXTS-1:0] context_budget;
  wire [NUM_CONTEXTS*KW-1:0] context_kernels;
  wire [NUM_CONTEXTS*MW-1:0] context_held;
  wire [TB_WIDTH+31:0]      handle;

  // Search.
  wire                      choose, activate, distribution_start, distribute, budget_from_pool, context_takes_token;
  wire [KW-1:0]             distribute_ksr;
  wire [8:0]                budget;
  wire [CW-1:0]             budget_context;
  wire                      move_valid, checking, distributing, drains, by_process, search_idle, invoked, decided;
  wire [1:0]                move_kind;
  wire [SM_WIDTH-1:0]       move_sm;
  wire [KW-1:0]             move_ksr;

  // Driver.
  wire                      issue, issue_handle, issue_covers, issue_borrows, trap, done, done_trapped, done_covered;
  wire                      saved, setup;
  wire [TB_WIDTH-1:0]       issue_tb;
  wire [KW-1:0]             setup_ksr;
  wire [CW-1:0]             setup_context;
  wire [SM_WIDTH-1:0]       issue_sm, change_sm;
  wire [KW-1:0]             issue_ksr, trap_ksr, owner, change_ksr, change_next, lose_ksr, gain_ksr;
  wire [TW-1:0]             trap_count, running, lose_slots, gain_slots;
  wire                      change, lose, lose_reserved, gain, gain_reserved, gain_hand_over, finish;
  wire [1:0]                change_state;
  wire                      driver_invokes, cancelled, handed_over, released;
  wire                      internal_event, issues_first, changing_hands, driver_idle;

  // ---- inputs of this cycle -----------------------------------------------------------------------------------------

  // 1. What the OS writes: 0 policy, 1 priority, 2 tokens, 3 page table. All but the last come before a decision of
  //    the same cycle.
  wire write_policy     = control_valid_i && control_reg_i == 2'd0;
  wire write_priority   = control_valid_i && control_reg_i == 2'd1;
  wire write_tokens     = control_valid_i && control_reg_i == 2'd2;
  wire write_page_table = control_valid_i && control_reg_i == 2'd3;
  wire control_write    = control_valid_i && !write_page_table;

  // 2. A move is carried out, or an event is taken. SMs wait where the tables are in use.
  wire move        = move_valid && !control_write;
  wire event_taken = sm_event_valid_i && sm_event_ready_o;
  assign sm_event_ready_o = !move_valid && !checking && !distributing && !internal_event && !issues_first;

  // 3. The policy is wanted. A tick passes the turn on only while no SM changes hands: contexts that take longer to
  //    move than a slice lasts would go back and forth without ever running.
  wire invoke = driver_invokes || command_valid_i || control_write || slice_tick_i;
  wire tick   = slice_tick_i && !changing_hands;

  // ---- tokens of the pool that come back ----------------------------------------------------------------------------

  // 1. Of a kernel that is finished; where a process shares its tokens, of its last one.
  wire [CW-1:0] leave_context;
  wire          leave_has_budget, leave_context_has_token, leave_ksr_has_token;
  wire [KW-1:0] leave_kernels;
  wire [MW-1:0] leave_owned, leave_reserved;
  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_leave_context (
    .rows_i(ksrt_context), .index_i(owner), .data_o(leave_context));
  tsr_read_port #(.ROWS(N), .WIDTH(MW)) u_leave_owned (
    .rows_i(ksrt_owned), .index_i(owner), .data_o(leave_owned));
  tsr_read_port #(.ROWS(N), .WIDTH(MW)) u_leave_reserved (
    .rows_i(ksrt_reserved), .index_i(owner), .data_o(leave_reserved));
  tsr_read_port #(.ROWS(N), .WIDTH(1)) u_leave_ksr_has_token (
    .rows_i(ksrt_has_pool_token), .index_i(owner), .data_o(leave_ksr_has_token));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(1)) u_leave_has_budget (
    .rows_i(context_has_budget), .index_i(leave_context), .data_o(leave_has_budget));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(1)) u_leave_context_has_token (
    .rows_i(context_has_pool_token), .index_i(leave_context), .data_o(leave_context_has_token));
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(KW)) u_leave_kernels (
    .rows_i(context_kernels), .index_i(leave_context), .data_o(leave_kernels));

  wire is_last_of_context = leave_kernels == {{(KW-1){1'b0}}, 1'b1};
  wire context_returns    = finish && by_process && !leave_has_budget && is_last_of_context && leave_context_has_token;
  wire kernel_returns     = finish && !by_process && !leave_has_budget && leave_ksr_has_token;

  // 2. Of a context whose tokens the OS writes: its own, or those of its kernels.
  wire         written_has_token;
  reg [MW-1:0] replaced;
  tsr_read_port #(.ROWS(NUM_CONTEXTS), .WIDTH(1)) u_written_has_token (
    .rows_i(context_has_pool_token), .index_i(control_context_i), .data_o(written_has_token));

  integer k;
  always @* begin
    replaced = {MW{1'b0}};
    k        = 0;
    if (write_tokens && by_process) begin
      replaced = {{(MW-1){1'b0}}, written_has_token};
    end else if (write_tokens) begin
      for (k = 0; k < N; k = k + 1) begin
        if (ksrt_valid[k] && ksrt_has_pool_token[k] && ksrt_context[k*CW +: CW] == control_context_i) begin
          replaced = replaced + 1'b1;
        end
      end
    end
  end

  // 3. A token that is both is counted once.
  wire is_written  = write_tokens && leave_context == control_context_i;
  wire is_replaced = is_written && (by_process ? context_returns : finish && leave_ksr_has_token);

  wire [MW-1:0] pool_return = replaced + {{(MW-1){1'b0}}, context_returns || kernel_returns} -
                              {{(MW-1){1'b0}}, is_replaced};

  // ---- tables -------------------------------------------------------------------------------------------------------

  tsr_command_buffers #(
    .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM),
    .TB_WIDTH(TB_WIDTH), .PIPELINED(PIPELINED)
  ) u_command_buffers (
    .clk_i                 (clk_i),
    .rst_ni                (rst_ni),
    .accept_i              (command_valid_i),
    .accept_buffer_i       (command_buffer_i),
    .accept_context_i      (command_context_i),
    .accept_priority_i     (command_priority_i),
    .accept_num_tbs_i      (command_num_tbs_i),
    .accept_tbs_per_sm_i   (command_tbs_per_sm_i),
    .accept_descriptor_i   (command_descriptor_i),
    .retire_i              (activate),
    .write_priority_i      (write_priority),
    .write_context_i       (control_context_i),
    .write_data_i          (control_data_i[3:0]),
    .in_turn_i             (in_turn),
    .by_priority_i         (by_priority),
    .free_o                (buffer_free_o),
    .waits_o               (command_waits),
    .choose_i              (choose),
    .chosen_o              (chosen),
    .chosen_context_o      (chosen_context),
    .chosen_priority_o     (chosen_priority),
    .chosen_tbs_per_sm_o   (chosen_tbs_per_sm),
    .retired_num_tbs_o     (retired_num_tbs),
    .retired_descriptor_o  (retired_descriptor)
  );

  tsr_active_queue #(.NUM_KSRS(NUM_KSRS)) u_active_queue (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .push_i       (activate),
    .push_ksr_i   (lowest_free),
    .remove_i     (finish),
    .remove_ksr_i (owner),
    .ksr_o        (queue_ksr),
    .count_o      (queue_count),
    .full_o       (queue_full)
  );

  tsr_ksrt #(
    .NUM_KSRS(NUM_KSRS), .NUM_CONTEXTS(NUM_CONTEXTS), .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM),
    .TB_WIDTH(TB_WIDTH)
  ) u_ksrt (
    .clk_i                 (clk_i),
    .rst_ni                (rst_ni),
    .issue_i               (issue),
    .issue_ksr_i           (issue_ksr),
    .issue_tb_i            (issue_tb),
    .issue_handle_i        (issue_handle),
    .issue_covers_i        (issue_covers),
    .issue_borrows_i       (issue_borrows),
    .trap_i                (trap),
    .trap_ksr_i            (trap_ksr),
    .trap_count_i          (trap_count),
    .done_i                (done),
    .done_trapped_i        (done_trapped),
    .done_covered_i        (done_covered),
    .saved_i               (saved),
    .saved_count_i         (running),
    .event_ksr_i           (owner),
    .lose_i                (lose),
    .lose_ksr_i            (lose_ksr),
    .lose_reserved_i       (lose_reserved),
    .lose_slots_i          (lose_slots),
    .gain_i                (gain),
    .gain_ksr_i            (gain_ksr),
    .gain_reserved_i       (gain_reserved),
    .gain_hand_over_i      (gain_hand_over),
    .gain_slots_i          (gain_slots),
    .activate_i            (activate),
    .activate_context_i    (chosen_context),
    .activate_priority_i   (chosen_priority),
    .activate_tbs_per_sm_i (chosen_tbs_per_sm),
    .launch_descriptor_i   (retired_descriptor),
    .launch_num_tbs_i      (retired_num_tbs),
    .free_i                (finish),
    .free_ksr_i            (owner),
    .distribute_i          (distribute),
    .distribute_ksr_i      (distribute_ksr),
    .budget_i              (budget),
    .budget_from_pool_i    (budget_from_pool),
    .write_priority_i      (write_priority),
    .write_tokens_i        (write_tokens),
    .write_context_i       (control_context_i),
    .write_data_i          (control_data_i[8:0]),
    .setup_i               (setup),
    .setup_ksr_i           (setup_ksr),
    .descriptor_o          (sm_control_descriptor_o),
    .lowest_free_o         (lowest_free),
    .valid_o               (ksrt_valid),
    .has_pool_token_o      (ksrt_has_pool_token),
    .has_handles_o         (ksrt_has_handles),
    .has_fresh_o           (ksrt_has_fresh),
    .is_issuable_o         (ksrt_is_issuable),
    .context_o             (ksrt_context),
    .priority_o            (ksrt_priority),
    .tokens_o              (ksrt_tokens),
    .tbs_per_sm_o          (ksrt_tbs_per_sm),
    .remaining_o           (ksrt_remaining),
    .has_more_o            (ksrt_has_more),
    .borrowed_o            (ksrt_borrowed),
    .next_tb_o             (ksrt_next_tb),
    .outstanding_o         (ksrt_outstanding),
    .preempted_o           (ksrt_preempted),
    .promised_o            (ksrt_promised),
    .owned_o               (ksrt_owned),
    .reserved_o            (ksrt_reserved),
    .covered_o             (ksrt_covered)
  );

  tsr_smst #(.NUM_SMS(NUM_SMS), .NUM_KSRS(NUM_KSRS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM)) u_smst (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .issue_i        (issue),
    .issue_sm_i     (issue_sm),
    .done_i         (done),
    .saved_i        (saved),
    .event_sm_i     (sm_event_sm_i),
    .change_i       (change),
    .change_sm_i    (change_sm),
    .change_state_i (change_state),
    .change_ksr_i   (change_ksr),
    .change_next_i  (change_next),
    .forget_i       (finish),
    .forget_ksr_i   (owner),
    .state_o        (smst_state),
    .ksr_o          (smst_ksr),
    .next_o         (smst_next),
    .running_o      (smst_running)
  );

  // Tokens in use move with the SMs; a kernel that is finished takes along all that it held. A hand-over leaves a
  // context's sum as it is: what was reserved is owned now.
  wire [CW-1:0] lose_context, gain_context;
  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_lose_context (
    .rows_i(ksrt_context), .index_i(lose_ksr), .data_o(lose_context));
  tsr_read_port #(.ROWS(N), .WIDTH(CW)) u_gain_context (
    .rows_i(ksrt_context), .index_i(move_ksr), .data_o(gain_context));

  tsr_context_table #(.NUM_CONTEXTS(NUM_CONTEXTS), .NUM_KSRS(NUM_KSRS), .NUM_SMS(NUM_SMS)) u_context_table (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .strap_has_budget_i  (strap_has_budget_i),
    .strap_budget_i      (strap_budget_i),
    .write_page_table_i  (write_page_table),
    .write_budget_i      (write_tokens),
    .write_context_i     (control_context_i),
    .write_data_i        (control_data_i),
    .enter_i             (activate),
    .enter_context_i     (chosen_context),
    .leave_i             (finish),
    .leave_context_i     (leave_context),
    .leave_held_i        (leave_owned + leave_reserved),
    .lose_i              (lose && !(finish && lose_ksr == owner)),
    .lose_context_i      (lose_context),
    .gain_i              (move),
    .gain_context_i      (gain_context),
    .clear_pool_tokens_i (distribution_start),
    .take_pool_token_i   (context_takes_token),
    .take_context_i      (budget_context),
    .return_pool_token_i (context_returns),
    .read_page_table_i   (setup),
    .read_context_i      (setup_context),
    .page_table_o        (sm_control_page_table_o),
    .has_budget_o        (context_has_budget),
    .budget_o            (context_budget),
    .kernels_o           (context_kernels),
    .held_o              (context_held),
    .has_pool_token_o    (context_has_pool_token)
  );

  wire [KW-1:0] handle_ksr;
  tsr_read_port #(.ROWS(NUM_SMS), .WIDTH(KW)) u_handle_ksr (
    .rows_i(smst_ksr), .index_i(handle_sm_i), .data_o(handle_ksr));

  tsr_ptbq #(.NUM_KSRS(NUM_KSRS), .PTBQ_DEPTH(PTBQ_DEPTH), .TB_WIDTH(TB_WIDTH)) u_ptbq (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .push_i        (handle_valid_i),
    .push_ksr_i    (handle_ksr),
    .push_handle_i ({handle_tb_i, handle_stack_pointer_i}),
    .pop_i         (issue && issue_handle),
    .pop_ksr_i     (issue_ksr),
    .handle_o      (handle)
  );

  // ---- search and driver --------------------------------------------------------------------------------------------

  tsr_search #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS), .NUM_CONTEXTS(NUM_CONTEXTS),
    .SEARCH_WIDTH(SEARCH_WIDTH), .KSRS_PER_STEP(KSRS_PER_STEP), .POLICIES(POLICIES), .WAIT_WIDTH(WAIT_WIDTH),
    .TB_WIDTH(TB_WIDTH), .PIPELINED(PIPELINED)
  ) u_search (
    .clk_i                      (clk_i),
    .rst_ni                     (rst_ni),
    .strap_policy_i             (strap_policy_i),
    .strap_activation_cycles_i  (strap_activation_cycles_i),
    .strap_search_step_cycles_i (strap_search_step_cycles_i),
    .strap_breadth_first_i      (strap_breadth_first_i),
    .invoke_i                   (invoke),
    .control_write_i            (control_write),
    .policy_write_i             (write_policy),
    .policy_data_i              (control_data_i[6:0]),
    .tick_i                     (tick),
    .kernel_finished_i          (finish),
    .pool_return_i              (pool_return),
    .command_waits_i            (command_waits),
    .chosen_context_i           (chosen_context),
    .queue_ksr_i                (queue_ksr),
    .queue_count_i              (queue_count),
    .queue_full_i               (queue_full),
    .ksrt_valid_i               (ksrt_valid),
    .ksrt_context_i             (ksrt_context),
    .ksrt_priority_i            (ksrt_priority),
    .ksrt_tokens_i              (ksrt_tokens),
    .ksrt_remaining_i           (ksrt_remaining),
    .ksrt_has_more_i            (ksrt_has_more),
    .ksrt_preempted_i           (ksrt_preempted),
    .ksrt_owned_i               (ksrt_owned),
    .ksrt_reserved_i            (ksrt_reserved),
    .ksrt_covered_i             (ksrt_covered),
    .smst_state_i               (smst_state),
    .smst_ksr_i                 (smst_ksr),
    .smst_next_i                (smst_next),
    .context_has_budget_i       (context_has_budget),
    .context_budget_i           (context_budget),
    .context_kernels_i          (context_kernels),
    .context_held_i             (context_held),
    .context_has_pool_token_i   (context_has_pool_token),
    .in_turn_o                  (in_turn),
    .by_priority_o              (by_priority),
    .choose_o                   (choose),
    .activate_o                 (activate),
    .distribution_start_o       (distribution_start),
    .distribute_o               (distribute),
    .distribute_ksr_o           (distribute_ksr),
    .budget_o                   (budget),
    .budget_from_pool_o         (budget_from_pool),
    .context_takes_token_o      (context_takes_token),
    .budget_context_o           (budget_context),
    .checking_o                 (checking),
    .move_valid_o               (move_valid),
    .move_kind_o                (move_kind),
    .move_sm_o                  (move_sm),
    .move_ksr_o                 (move_ksr),
    .distributing_o             (distributing),
    .drains_o                   (drains),
    .by_process_o               (by_process),
    .timer_enable_o             (slice_timer_enable_o),
    .idle_o                     (search_idle),
    .invoked_o                  (invoked),
    .decided_o                  (decided)
  );

  tsr_sm_driver #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS), .NUM_CONTEXTS(NUM_CONTEXTS),
    .PTBQ_DEPTH(PTBQ_DEPTH), .TB_WIDTH(TB_WIDTH)
  ) u_sm_driver (
    .clk_i                    (clk_i),
    .rst_ni                   (rst_ni),
    .strap_breadth_first_i    (strap_breadth_first_i),
    .strap_rounds_i           (strap_rounds_i),
    .sm_tick_i                (sm_tick_i),
    .move_i                   (move),
    .move_kind_i              (move_kind),
    .move_sm_i                (move_sm),
    .move_ksr_i               (move_ksr),
    .move_drains_i            (drains),
    .hold_i                   (checking),
    .event_i                  (event_taken),
    .event_sm_i               (sm_event_sm_i),
    .event_kind_i             (sm_event_kind_i),
    .smst_state_i             (smst_state),
    .smst_ksr_i               (smst_ksr),
    .smst_next_i              (smst_next),
    .smst_running_i           (smst_running),
    .ksrt_has_handles_i       (ksrt_has_handles),
    .ksrt_has_fresh_i         (ksrt_has_fresh),
    .ksrt_is_issuable_i       (ksrt_is_issuable),
    .ksrt_context_i           (ksrt_context),
    .ksrt_tbs_per_sm_i        (ksrt_tbs_per_sm),
    .ksrt_remaining_i         (ksrt_remaining),
    .ksrt_has_more_i          (ksrt_has_more),
    .ksrt_next_tb_i           (ksrt_next_tb),
    .ksrt_outstanding_i       (ksrt_outstanding),
    .ksrt_preempted_i         (ksrt_preempted),
    .ksrt_promised_i          (ksrt_promised),
    .handle_i                 (handle),
    .setup_o                  (setup),
    .setup_ksr_o              (setup_ksr),
    .setup_context_o          (setup_context),
    .control_valid_o          (sm_control_valid_o),
    .control_sm_o             (sm_control_sm_o),
    .control_kind_o           (sm_control_kind_o),
    .control_context_o        (sm_control_context_o),
    .dispatch_valid_o         (dispatch_valid_o),
    .dispatch_sm_o            (dispatch_sm_o),
    .dispatch_is_restore_o    (dispatch_is_restore_o),
    .dispatch_last_o          (dispatch_last_o),
    .dispatch_tb_o            (dispatch_tb_o),
    .dispatch_stack_pointer_o (dispatch_stack_pointer_o),
    .issue_o                  (issue),
    .issue_sm_o               (issue_sm),
    .issue_ksr_o              (issue_ksr),
    .issue_tb_o               (issue_tb),
    .issue_handle_o           (issue_handle),
    .issue_covers_o           (issue_covers),
    .issue_borrows_o          (issue_borrows),
    .trap_o                   (trap),
    .trap_ksr_o               (trap_ksr),
    .trap_count_o             (trap_count),
    .done_o                   (done),
    .done_trapped_o           (done_trapped),
    .done_covered_o           (done_covered),
    .saved_o                  (saved),
    .owner_o                  (owner),
    .running_o                (running),
    .change_o                 (change),
    .change_sm_o              (change_sm),
    .change_state_o           (change_state),
    .change_ksr_o             (change_ksr),
    .change_next_o            (change_next),
    .lose_o                   (lose),
    .lose_ksr_o               (lose_ksr),
    .lose_reserved_o          (lose_reserved),
    .lose_slots_o             (lose_slots),
    .gain_o                   (gain),
    .gain_ksr_o               (gain_ksr),
    .gain_reserved_o          (gain_reserved),
    .gain_hand_over_o         (gain_hand_over),
    .gain_slots_o             (gain_slots),
    .finish_o                 (finish),
    .invoke_o                 (driver_invokes),
    .cancelled_o              (cancelled),
    .handed_over_o            (handed_over),
    .released_o               (released),
    .internal_event_o         (internal_event),
    .issues_first_o           (issues_first),
    .changing_hands_o         (changing_hands),
    .idle_o                   (driver_idle)
  );

  // ---- kernel done and events: a pulse in the cycle after, fields 0 without it --------------------------------------

  wire events_quiet;

  tsr_event_outputs #(
    .BUFFER_WIDTH(BUFFER_WIDTH), .KSR_WIDTH(KSR_WIDTH), .SM_WIDTH(SM_WIDTH)
  ) u_event_outputs (
    .clk_i                     (clk_i),
    .rst_ni                    (rst_ni),
    .kernel_done_i             (finish),
    .descriptor_i              (sm_control_descriptor_o),
    .policy_invoked_i          (invoked),
    .policy_decided_i          (decided),
    .activated_i               (activate),
    .activated_buffer_i        (chosen),
    .activated_ksr_i           (lowest_free),
    .moved_i                   (move),
    .move_i                    (move_kind),
    .moved_sm_i                (move_sm),
    .moved_ksr_i               (move_ksr),
    .cancelled_i               (cancelled),
    .preempted_i               (handed_over),
    .next_ksr_i                (change_ksr),
    .released_i                (released),
    .changed_sm_i              (change_sm),
    .kernel_done_valid_o       (kernel_done_valid_o),
    .kernel_done_descriptor_o  (kernel_done_descriptor_o),
    .policy_invoked_o          (events_policy_invoked_o),
    .policy_decided_o          (events_policy_decided_o),
    .activated_o               (events_activated_o),
    .activated_buffer_o        (events_activated_buffer_o),
    .activated_ksr_o           (events_activated_ksr_o),
    .moved_o                   (events_moved_o),
    .move_o                    (events_move_o),
    .moved_sm_o                (events_moved_sm_o),
    .moved_ksr_o               (events_moved_ksr_o),
    .cancelled_o               (events_cancelled_o),
    .preempted_o               (events_preempted_o),
    .preempted_sm_o            (events_preempted_sm_o),
    .next_ksr_o                (events_next_ksr_o),
    .released_o                (events_released_o),
    .released_sm_o             (events_released_sm_o),
    .quiet_o                   (events_quiet)
  );

  // Nothing changes until an input comes.
  assign idle_o = search_idle && driver_idle && events_quiet && !ksrt_borrowed;

endmodule
