// SPDX-License-Identifier: Apache-2.0
// The handshakes of tsr_scheduler as seen from its pins (docs/timing.md section 3). The duties of whoever drives the core,
// and what its SMs hold, are in rtl/tsr_input_assumptions.sv.
// verilator coverage_off
module tsr_pin_checker #(
  parameter int NUM_SMS             = 13,
  parameter int MAX_TBS_PER_SM      = 16,
  parameter int NUM_KSRS            = 13,
  parameter int NUM_COMMAND_BUFFERS = 16,
  parameter int NUM_CONTEXTS        = 16,
  // Widths of the ports.
  parameter int SM_WIDTH            = 4,
  parameter int KSR_WIDTH           = 4,
  parameter int CONTEXT_WIDTH       = 5,
  parameter int BUFFER_WIDTH        = 5,
  parameter int TB_COUNT_WIDTH      = 5
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           command_valid_i,
  input logic [BUFFER_WIDTH-1:0]        command_buffer_i,
  input logic [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  input logic                           control_valid_i,
  input logic [1:0]                     control_reg_i,
  input logic [CONTEXT_WIDTH-1:0]       control_context_i,
  input logic [63:0]                    control_data_i,
  input logic                           slice_timer_enable_o,
  input logic                           slice_tick_i,
  input logic                           sm_event_valid_i,
  input logic [SM_WIDTH-1:0]            sm_event_sm_i,
  input logic [1:0]                     sm_event_kind_i,
  input logic                           sm_event_ready_o,
  input logic                           handle_valid_i,
  input logic                           sm_control_valid_o,
  input logic [SM_WIDTH-1:0]            sm_control_sm_o,
  input logic                           sm_control_kind_o,
  input logic [CONTEXT_WIDTH-1:0]       sm_control_context_o,
  input logic [63:0]                    sm_control_page_table_o,
  input logic                           dispatch_valid_o,
  input logic [SM_WIDTH-1:0]            dispatch_sm_o,
  input logic                           dispatch_is_restore_o,
  input logic                           dispatch_last_o,
  input logic [31:0]                    dispatch_stack_pointer_o,
  input logic                           kernel_done_valid_o,
  input logic [39:0]                    kernel_done_descriptor_o,
  input logic                           events_policy_invoked_o,
  input logic                           events_policy_decided_o,
  input logic                           events_activated_o,
  input logic [BUFFER_WIDTH-1:0]        events_activated_buffer_o,
  input logic [KSR_WIDTH-1:0]           events_activated_ksr_o,
  input logic                           events_moved_o,
  input logic [1:0]                     events_move_o,
  input logic [SM_WIDTH-1:0]            events_moved_sm_o,
  input logic [KSR_WIDTH-1:0]           events_moved_ksr_o,
  input logic                           events_cancelled_o,
  input logic                           events_preempted_o,
  input logic [SM_WIDTH-1:0]            events_preempted_sm_o,
  input logic [KSR_WIDTH-1:0]           events_next_ksr_o,
  input logic                           events_released_o,
  input logic [SM_WIDTH-1:0]            events_released_sm_o,
  input logic                           idle_o
);

  localparam logic [1:0] PAGE_TABLE = 2'd3;
  localparam logic [1:0] TB_DONE = 2'd0, SET_UP_DONE = 2'd1;
  localparam logic [1:0] RETARGET = 2'd2;
  localparam logic [KSR_WIDTH-1:0] NO_KSR = '1;

  // Concurrent assertions sample before the inputs of a cycle have settled: of the signals below those that depend on
  // an input are for clocked blocks alone.
  // The last edge was one of work: what the cycle before says, holds here.
  logic past_ok, was_reset;
  always_ff @(posedge clk_i) begin
    past_ok   <= rst_ni;
    was_reset <= !rst_ni;
  end
  `define HOLDS assert property (@(posedge clk_i) disable iff (!rst_ni)
  `define FOLLOWS assert property (@(posedge clk_i) disable iff (!rst_ni || !past_ok)

  wire event_taken = sm_event_valid_i && sm_event_ready_o;
  wire trap        = sm_control_valid_o && sm_control_kind_o;
  wire set_up      = sm_control_valid_o && !sm_control_kind_o;
  wire restore     = dispatch_valid_o && dispatch_is_restore_o;
  wire fresh       = dispatch_valid_o && !dispatch_is_restore_o;
  wire any_pulse   = |{events_policy_invoked_o, events_policy_decided_o, events_activated_o, events_moved_o,
                       events_cancelled_o, events_preempted_o, events_released_o, kernel_done_valid_o};

  // 3.1 Command in. ---------------------------------------------------------------------------------------------------

  function automatic logic [NUM_COMMAND_BUFFERS-1:0] one_buffer(logic valid, logic [BUFFER_WIDTH-1:0] buffer);
    return NUM_COMMAND_BUFFERS'(valid) << buffer;
  endfunction

  // A buffer's bit falls in the cycle after its command, rises with its activation, and changes for no other reason
  // (rules 2, 3).
  logic [NUM_COMMAND_BUFFERS-1:0] buffer_free_after_command;
  always_ff @(posedge clk_i) begin
    buffer_free_after_command <= buffer_free_o & ~one_buffer(command_valid_i, command_buffer_i);
  end
  buffer_free_follows_commands_and_activations: `FOLLOWS buffer_free_o ==
    (buffer_free_after_command | one_buffer(events_activated_o, events_activated_buffer_o)));
  // Only a buffer that held a command is activated.
  activated_buffer_held_a_command: `FOLLOWS events_activated_o |->
    (buffer_free_after_command & one_buffer(1'b1, events_activated_buffer_o)) == '0 &&
    int'(events_activated_buffer_o) < NUM_COMMAND_BUFFERS);

  // 3.2 Control registers. --------------------------------------------------------------------------------------------

  // A write to policy, priority or tokens comes before a decision of its cycle: no move, no activation (rule 2).
  control_write_drops_decision: `FOLLOWS $past(control_valid_i && control_reg_i != PAGE_TABLE) |->
    !events_moved_o && !events_activated_o);
  // It invokes the policy or finds it at work (rules 3, 4, 6), so that the core is not idle after it.
  control_write_wakes: `FOLLOWS $past(control_valid_i && control_reg_i != PAGE_TABLE) |-> !idle_o);

  // A set-up carries the page table of its context as it was when it was sent, the cycle before (rule 5; 3.5 rule 2).
  logic [63:0] page_table[NUM_CONTEXTS], page_table_before[NUM_CONTEXTS];
  always_ff @(posedge clk_i) begin
    page_table_before <= page_table;
    if (!rst_ni) begin
      for (int c = 0; c < NUM_CONTEXTS; c++) page_table[c] <= '0;
    end else if (control_valid_i && control_reg_i == PAGE_TABLE && int'(control_context_i) < NUM_CONTEXTS) begin
      page_table[int'(control_context_i)] <= control_data_i;
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni && set_up) begin
      set_up_carries_last_page_table: assert (int'(sm_control_context_o) < NUM_CONTEXTS &&
        sm_control_page_table_o == page_table_before[int'(sm_control_context_o)]);
    end
  end

  // 3.3 SM events. ----------------------------------------------------------------------------------------------------

  // An SM event is held back in the cycle of a move (3.3 rule 2).
  move_holds_event_back: `FOLLOWS events_moved_o |-> !$past(sm_event_ready_o));

  // 3.5, 3.6 SM control and dispatch. ---------------------------------------------------------------------------------

  control_to_an_sm: `HOLDS sm_control_valid_o |-> int'(sm_control_sm_o) < NUM_SMS);
  dispatch_to_an_sm: `HOLDS dispatch_valid_o |-> int'(dispatch_sm_o) < NUM_SMS);
  // Control and dispatch never go to the same SM in one cycle (3.5 rule 5).
  control_and_dispatch_to_two_sms: `HOLDS sm_control_valid_o && dispatch_valid_o |->
    sm_control_sm_o != dispatch_sm_o);
  // A fresh TB has no stack pointer and ends no batch.
  fresh_tb_has_no_context: `HOLDS fresh |-> dispatch_stack_pointer_o == '0 && !dispatch_last_o);
  // The handles of a batch come in successive cycles, to one SM (3.6 rule 5).
  batch_is_contiguous: `FOLLOWS $past(restore && !dispatch_last_o) |->
    restore && dispatch_sm_o == $past(dispatch_sm_o));

  // What an SM has been told. A stale set-up done cannot make an SM usable for long: its new set-up follows.
  logic [NUM_SMS-1:0] is_set_up;    // set-up done came after the last command
  logic [NUM_SMS-1:0] is_trapped;   // the last command was a trap
  wire  [NUM_SMS-1:0] is_restoring = u_input_assumptions.restores_q; // a batch is complete, restore done has not come
  wire  [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0] resident = u_input_assumptions.resident_q;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      if (dispatch_valid_o && int'(dispatch_sm_o) < NUM_SMS) begin
        // TBs go only to an SM that is set up (3.5 rule 5, 3.6).
        dispatch_only_to_set_up_sm: assert (is_set_up[dispatch_sm_o] && !is_trapped[dispatch_sm_o])
          else $error("SM %0d", dispatch_sm_o);
        // After `last` an SM gets nothing until its restore done was taken (3.6 rule 5).
        nothing_during_restore: assert (!is_restoring[dispatch_sm_o]) else $error("SM %0d", dispatch_sm_o);
        // There is a free slot.
        dispatch_into_free_slot: assert (int'(resident[dispatch_sm_o]) < MAX_TBS_PER_SM)
          else $error("SM %0d", dispatch_sm_o);
      end
      if (set_up && int'(sm_control_sm_o) < NUM_SMS) begin
        // A set-up goes only to an SM that holds no TB (3.5 rule 3).
        set_up_of_empty_sm: assert (resident[sm_control_sm_o] == '0) else $error("SM %0d", sm_control_sm_o);
      end
      if (trap && int'(sm_control_sm_o) < NUM_SMS) begin
        // A trap goes only to an SM that is set up and not restoring, and once (3.5 rule 4).
        trap_of_set_up_sm: assert (is_set_up[sm_control_sm_o] && !is_restoring[sm_control_sm_o] &&
                                   !is_trapped[sm_control_sm_o]) else $error("SM %0d", sm_control_sm_o);
      end
    end
  end
  for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
    wire is_told      = sm_control_valid_o && int'(sm_control_sm_o) == i;
    wire is_reporting = event_taken && int'(sm_event_sm_i) == i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        is_set_up[i]  <= 1'b0;
        is_trapped[i] <= 1'b0;
      end else begin
        // A command supersedes a set-up done that comes with it.
        if (is_told && !sm_control_kind_o) is_set_up[i] <= 1'b0;
        else if (is_reporting && sm_event_kind_i == SET_UP_DONE) is_set_up[i] <= 1'b1;
        if (is_told) is_trapped[i] <= sm_control_kind_o;
      end
    end
  end

  // 3.7, 3.8 Kernel done and events. ----------------------------------------------------------------------------------

  // A kernel is done in the cycle after a TB done was taken (3.7 rule 1).
  logic was_tb_done;
  always_ff @(posedge clk_i) was_tb_done <= event_taken && sm_event_kind_i == TB_DONE;
  kernel_done_follows_tb_done: `FOLLOWS kernel_done_valid_o |-> was_tb_done);
  kernel_done_field_is_0_without_pulse: `HOLDS !kernel_done_valid_o |-> kernel_done_descriptor_o == '0);

  // An invocation found the search idle, a decision ends it: they alternate (3.8 rule 1).
  logic is_deciding;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) is_deciding <= 1'b0;
    else is_deciding <= (is_deciding || events_policy_invoked_o) && !events_policy_decided_o;
  end
  invoked_only_when_idle: `HOLDS events_policy_invoked_o |-> !is_deciding);
  decided_only_when_deciding: `HOLDS events_policy_decided_o |-> is_deciding);
  moves_and_activations_are_decided: `HOLDS events_moved_o || events_activated_o |-> is_deciding);
  // The events that invoke the policy whatever else happens (5.2): a search is under way after them.
  invoked_by_what_invokes: `FOLLOWS
    $past(command_valid_i || slice_tick_i || (control_valid_i && control_reg_i != PAGE_TABLE)) || kernel_done_valid_o ||
    events_released_o || (events_preempted_o && events_next_ksr_o == NO_KSR) |->
    events_policy_invoked_o || (is_deciding && !events_policy_decided_o));

  // A move excludes the end of a preemption and a release, and these exclude each other (3.8 rule 2).
  one_sm_changes_hands: `HOLDS $onehot0({events_moved_o, events_preempted_o, events_released_o}));
  move_of_three_kinds: `HOLDS events_move_o <= RETARGET);
  cancelled_is_a_retarget: `HOLDS events_cancelled_o |-> events_moved_o && events_move_o == RETARGET);
  moved_sm_and_ksr_exist: `HOLDS events_moved_o |->
    int'(events_moved_sm_o) < NUM_SMS && int'(events_moved_ksr_o) < NUM_KSRS);
  preempted_sm_exists: `HOLDS events_preempted_o |-> int'(events_preempted_sm_o) < NUM_SMS &&
    (int'(events_next_ksr_o) < NUM_KSRS || events_next_ksr_o == NO_KSR));
  released_sm_exists: `HOLDS events_released_o |-> int'(events_released_sm_o) < NUM_SMS);
  activated_ksr_exists: `HOLDS events_activated_o |-> int'(events_activated_ksr_o) < NUM_KSRS);
  // Data fields are 0, `next_ksr` none, in cycles without their pulse (3.8 rule 4).
  activated_fields_are_0_without_pulse: `HOLDS !events_activated_o |->
    events_activated_buffer_o == '0 && events_activated_ksr_o == '0);
  moved_fields_are_0_without_pulse: `HOLDS !events_moved_o |->
    events_move_o == '0 && events_moved_sm_o == '0 && events_moved_ksr_o == '0);
  preempted_fields_are_0_without_pulse: `HOLDS !events_preempted_o |->
    events_preempted_sm_o == '0 && events_next_ksr_o == NO_KSR);
  released_field_is_0_without_pulse: `HOLDS !events_released_o |-> events_released_sm_o == '0);

  // 3.11 Idle, and section 1 rule 8: reset. ---------------------------------------------------------------------------

  // Idle: nothing is shown, nothing is sent (rule 1).
  idle_shows_nothing: `HOLDS idle_o |-> !any_pulse && !sm_control_valid_o && !dispatch_valid_o && sm_event_ready_o);
  // While idle, without an input, no output changes (rule 2).
  logic may_rest; // idle, and no input was valid
  logic [NUM_COMMAND_BUFFERS-1:0] buffer_free_before;
  logic slice_timer_enable_before;
  always_ff @(posedge clk_i) begin
    may_rest <= rst_ni && idle_o &&
                !(command_valid_i || control_valid_i || slice_tick_i || sm_event_valid_i || handle_valid_i);
    buffer_free_before        <= buffer_free_o;
    slice_timer_enable_before <= slice_timer_enable_o;
  end
  // With the rule above: all other outputs are then what they are while idle.
  idle_lasts_until_an_input: `HOLDS may_rest |-> idle_o && buffer_free_o == buffer_free_before &&
    slice_timer_enable_o == slice_timer_enable_before);

  reset_outputs: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    buffer_free_o == '1 && sm_event_ready_o && idle_o && !slice_timer_enable_o);

  `undef HOLDS
  `undef FOLLOWS
endmodule
// verilator coverage_on
