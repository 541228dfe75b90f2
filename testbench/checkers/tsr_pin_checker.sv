// SPDX-License-Identifier: Apache-2.0
// The handshakes of tsr_scheduler as seen from its pins (timing.md 3), and what SMs hold. When the core is idle is
// in tsr_engine_checker.sv.
// verilator coverage_off
module tsr_pin_checker #(
`include "tsr_sizes.vh"
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           command_valid_i,
  input logic [BUFFER_WIDTH-1:0]        command_buffer_i,
  input logic [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  input logic                           control_valid_i,
  input logic [2:0]                     control_reg_i,
  input logic                           control_ready_o,
  input logic                           slice_timer_enable_o,
  input logic                           slice_tick_i,
  input logic                           linger_over_i,
  input logic                           linger_start_o,
  input logic [NUM_CONTEXTS-1:0]        waiting_i,
  input logic [NUM_CONTEXTS-1:0]        listed_i,
  input logic                           switch_over_i,
  input logic                           switch_start_o,
  input logic                           events_evicted_o,
  input logic                           events_turn_passed_o,
  input logic                           events_turn_began_o,
  input logic                           sm_event_valid_i,
  input logic [SM_WIDTH-1:0]            sm_event_sm_i,
  input logic [2:0]                     sm_event_kind_i,
  input logic [TAG_BITS-1:0]            sm_event_tag_i,
  input logic                           sm_event_ready_o,
  input logic                           handle_valid_i,
  input logic                           sm_control_valid_o,
  input logic [SM_WIDTH-1:0]            sm_control_sm_o,
  input logic [2:0]                     sm_control_kind_o,
  input logic [TAG_BITS-1:0]            sm_control_tag_o,
  input logic                           dispatch_valid_o,
  input logic [SM_WIDTH-1:0]            dispatch_sm_o,
  input logic                           dispatch_is_restore_o,
  input logic                           dispatch_last_o,
  input logic                           kernel_done_valid_o,
  input logic [DESCRIPTOR_WIDTH-1:0]    kernel_done_descriptor_o,
  input logic                           events_policy_invoked_o,
  input logic                           events_policy_decided_o,
  input logic                           events_withheld_o,
  input logic                           events_activated_o,
  input logic                           events_moved_o,
  input logic                           events_cancelled_o,
  input logic                           events_preempted_o,
  input logic                           events_released_o,
  input logic [BUFFER_WIDTH-1:0]        events_buffer_o,
  input logic [1:0]                     events_move_o,
  input logic [SM_WIDTH-1:0]            events_sm_o,
  input logic [KSR_WIDTH-1:0]           events_ksr_o,
  input logic                           idle_o
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  // The last edge was one of work: what the cycle before says, holds here.
  logic past_ok, was_reset;
  always_ff @(posedge clk_i) begin
    past_ok   <= rst_ni;
    was_reset <= !rst_ni;
  end
  `define HOLDS assert property (@(posedge clk_i) disable iff (!rst_ni)
  `define FOLLOWS assert property (@(posedge clk_i) disable iff (!rst_ni || !past_ok)

  wire stop        = sm_control_valid_o && sm_control_kind_o != SET_UP; // a trap or a flush
  wire set_up      = sm_control_valid_o && sm_control_kind_o == SET_UP;
  wire restore     = dispatch_valid_o && dispatch_is_restore_o;
  wire event_taken = sm_event_valid_i && sm_event_ready_o;
  wire sm_changes  = events_moved_o || events_preempted_o || events_released_o;
  wire any_pulse   = sm_changes || linger_start_o || events_policy_invoked_o || events_policy_decided_o || events_activated_o ||
                     kernel_done_valid_o || switch_start_o || events_evicted_o || events_turn_passed_o ||
                     events_turn_began_o;

  // 3.1 Command in. ---------------------------------------------------------------------------------------------------

  function automatic logic [NUM_COMMAND_BUFFERS-1:0] one_buffer(logic valid, logic [BUFFER_WIDTH-1:0] buffer);
    return NUM_COMMAND_BUFFERS'(valid) << buffer;
  endfunction
  logic [NUM_COMMAND_BUFFERS-1:0] buffer_free_after_command;
  always_ff @(posedge clk_i) buffer_free_after_command <= buffer_free_o & ~one_buffer(command_valid_i, command_buffer_i);
  buffer_free_follows_commands_and_activations: `FOLLOWS buffer_free_o ==
    (buffer_free_after_command | one_buffer(events_activated_o, events_buffer_o)));
  activated_buffer_held_a_command: `FOLLOWS events_activated_o |->
    (buffer_free_after_command & one_buffer(1'b1, events_buffer_o)) == '0 && int'(events_buffer_o) < NUM_COMMAND_BUFFERS);

  // 3.2 Control registers. --------------------------------------------------------------------------------------------

  logic was_restart; // a write that restarts the search was taken
  localparam bit HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  always_ff @(posedge clk_i) was_restart <= control_valid_i && control_ready_o &&
    (control_reg_i < CONTROL_PAGE_TABLE || HAS_PARTITIONS && control_reg_i == CONTROL_PARTITION);
  control_write_meets_no_decision: `FOLLOWS was_restart |-> !events_moved_o && !events_activated_o && !events_policy_decided_o);
  control_write_wakes: `FOLLOWS was_restart |-> !idle_o);

  // 3.3, 3.4 SMs. -----------------------------------------------------------------------------------------------------

  control_of_three_kinds: `HOLDS sm_control_valid_o |-> sm_control_kind_o <= FLUSH);
  control_to_an_sm: `HOLDS sm_control_valid_o |-> int'(sm_control_sm_o) < NUM_SMS);
  dispatch_to_an_sm: `HOLDS dispatch_valid_o |-> int'(dispatch_sm_o) < NUM_SMS);
  control_or_dispatch: `HOLDS !(sm_control_valid_o && dispatch_valid_o) || REFILL != 0 && sm_control_sm_o != dispatch_sm_o);
  no_event_beside_a_command: `HOLDS sm_control_valid_o |-> !sm_event_ready_o || REFILL != 0);
  no_event_beside_a_dispatch: `HOLDS dispatch_valid_o |-> !sm_event_ready_o || REFILL != 0);
  last_is_of_a_handle: `HOLDS dispatch_valid_o && dispatch_last_o |-> dispatch_is_restore_o);
  // Handles of a batch come in successive cycles, to one SM (6.5).
  batch_is_contiguous: `FOLLOWS $past(restore && !dispatch_last_o) |-> restore && dispatch_sm_o == $past(dispatch_sm_o));

  // What an SM has been told, and how many TBs it holds.
  logic [NUM_SMS-1:0]                     is_set_up, is_trapped, is_restoring;
  logic [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0] resident;
  // Set-ups (3.11): the tag of the last one, and how many may still be answered.
  logic [NUM_SMS-1:0][TAG_BITS-1:0]       last_tag;
  logic [NUM_SMS-1:0][TAG_WIDTH+1:0]      unanswered;
  for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
    wire is_told      = sm_control_valid_o && int'(sm_control_sm_o) == i;
    wire is_reporting = event_taken && int'(sm_event_sm_i) == i;
    wire gets         = dispatch_valid_o && int'(dispatch_sm_o) == i;
    wire answers      = is_reporting && sm_event_kind_i == SETUP_DONE;
    // An answer of the cycle of a set-up is to one before it.
    wire [TAG_BITS-1:0] shown_tag = set_up && is_told ? sm_control_tag_o : last_tag[i];
    wire is_current   = TAG_WIDTH == 0 || sm_event_tag_i == last_tag[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {is_set_up[i], is_trapped[i], is_restoring[i]} <= '0;
        {last_tag[i], unanswered[i]} <= '0;
        resident[i] <= '0;
      end else begin
        if (set_up && is_told) last_tag[i] <= sm_control_tag_o;
        if (answers && TAG_WIDTH != 0) unanswered[i] <= (TAG_WIDTH+2)'(TAG_BITS'(shown_tag - sm_event_tag_i));
        else if (set_up && is_told && TAG_WIDTH != 0) unanswered[i] <= unanswered[i] + 1'b1;
        if (is_told) is_set_up[i] <= 1'b0;
        else if (answers && is_current) is_set_up[i] <= 1'b1;
        if (is_told) is_trapped[i] <= stop;
        if (gets && dispatch_last_o) is_restoring[i] <= 1'b1;
        else if (is_reporting && sm_event_kind_i == RESTORE_DONE) is_restoring[i] <= 1'b0;
        if (is_reporting && sm_event_kind_i == PREEMPTED && is_trapped[i]) resident[i] <= '0;
        else resident[i] <= resident[i] + TB_COUNT_WIDTH'(gets) - TB_COUNT_WIDTH'(is_reporting && sm_event_kind_i == TB_DONE);
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni && dispatch_valid_o && int'(dispatch_sm_o) < NUM_SMS) begin
      // Nothing between a trap and the next set-up done (3.4), nor during a restore; and there is a free slot.
      dispatch_only_to_set_up_sm: assert (is_set_up[int'(dispatch_sm_o)] && !is_trapped[int'(dispatch_sm_o)])
        else $error("SM %0d", dispatch_sm_o);
      nothing_during_restore: assert (!is_restoring[int'(dispatch_sm_o)]) else $error("SM %0d", dispatch_sm_o);
      dispatch_into_free_slot: assert (int'(resident[int'(dispatch_sm_o)]) < MAX_TBS_PER_SM) else $error("SM %0d", dispatch_sm_o);
    end
    if (rst_ni && set_up && int'(sm_control_sm_o) < NUM_SMS) begin
      set_up_of_empty_sm: assert (resident[int'(sm_control_sm_o)] == '0) else $error("SM %0d", sm_control_sm_o);
      set_up_has_the_next_tag: assert (sm_control_tag_o ==
        (TAG_WIDTH == 0 ? '0 : TAG_BITS'(last_tag[int'(sm_control_sm_o)] + 1'b1)))
        else $error("SM %0d", sm_control_sm_o);
      no_more_set_ups_than_tags: assert (TAG_WIDTH == 0 || !unanswered[int'(sm_control_sm_o)][TAG_WIDTH])
        else $error("SM %0d", sm_control_sm_o);
    end
    if (rst_ni && stop && int'(sm_control_sm_o) < NUM_SMS) begin
      trap_of_set_up_sm: assert (is_set_up[int'(sm_control_sm_o)] && !is_trapped[int'(sm_control_sm_o)] && !is_restoring[int'(sm_control_sm_o)])
        else $error("SM %0d", sm_control_sm_o);
    end
  end

  // 3.5 Events, kernel done. ------------------------------------------------------------------------------------------

  logic is_deciding;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) is_deciding <= 1'b0;
    else is_deciding <= (is_deciding || events_policy_invoked_o) && !events_policy_decided_o;
  end
  invoked_only_when_idle: `HOLDS events_policy_invoked_o |-> !is_deciding);
  withheld_when_decided: `HOLDS events_withheld_o |-> events_policy_decided_o);
  decided_only_when_deciding: `HOLDS events_policy_decided_o |-> is_deciding);
  moves_and_activations_are_decided: `HOLDS events_moved_o || events_activated_o |-> is_deciding);
  invoked_by_what_invokes: `FOLLOWS $past(command_valid_i || slice_tick_i || linger_over_i) || was_restart ||
    $past(kernel_done_valid_o || events_released_o) |->
    events_policy_invoked_o || (is_deciding && !events_policy_decided_o));
  one_job_at_a_time: `HOLDS $onehot0({events_moved_o, events_evicted_o, events_preempted_o || events_released_o, events_activated_o}));
  // An assign gives an SM a cycle (6.4); between other moves there are jobs.
  moves_in_a_row_are_an_assign: `FOLLOWS events_moved_o && $past(events_moved_o) |-> events_move_o == ASSIGN &&
    $past(events_move_o) == ASSIGN && events_ksr_o == $past(events_ksr_o) && events_sm_o != $past(events_sm_o));
  move_of_three_kinds: `HOLDS events_moved_o |-> events_move_o <= RETARGET);
  cancelled_is_a_retarget: `HOLDS events_cancelled_o |-> events_moved_o && events_move_o == RETARGET);
  // 3.12: a turn passes, is switched and begins, in this order; with the last event of it nothing is on the GPU.
  turn_passes_or_begins: `HOLDS $onehot0({events_turn_passed_o, events_turn_began_o}));
  turn_begins_after_its_switch_was_over: `FOLLOWS events_turn_began_o |-> !switch_start_o && !$past(switch_start_o));
  kept_turn_needs_its_parameter: `HOLDS KEPT_TURN != 0 || !(events_evicted_o || events_turn_passed_o ||
    events_turn_began_o || switch_start_o));
  event_is_of_an_sm: `HOLDS sm_changes |-> int'(events_sm_o) < NUM_SMS);
  event_is_of_a_ksr: `HOLDS events_moved_o || events_activated_o || (events_preempted_o && !events_released_o) |->
    int'(events_ksr_o) < NUM_KSRS);

  // A kernel is done once, with the descriptor of a command: those of launches, less those of kernels that are done.
  logic [63:0] launches, finishes;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {launches, finishes} <= '0;
    else begin
      launches <= launches + 64'(events_activated_o);
      finishes <= finishes + 64'(kernel_done_valid_o);
    end
  end
  kernel_done_once: `HOLDS kernel_done_valid_o |-> finishes < launches);
  kernel_done_is_of_its_kernel: `HOLDS kernel_done_valid_o |->
    $past(u_descriptors.u_words.mem_q[u_ksr_row.ksr_i[KSR_ADDRESS-1:0]][DESCRIPTOR_WIDTH-1:0]) ==
    kernel_done_descriptor_o);

  // 3.7 Idle; 1 rule 8: reset. ----------------------------------------------------------------------------------------

  idle_shows_nothing: `HOLDS idle_o |-> !any_pulse && !sm_control_valid_o && !dispatch_valid_o && sm_event_ready_o &&
    control_ready_o);
  logic may_rest; // idle, and no input was valid
  logic [NUM_CONTEXTS-1:0] waiting, listed; // in the cycle before
  always_ff @(posedge clk_i) {waiting, listed} <= {waiting_i, listed_i};
  always_ff @(posedge clk_i) may_rest <= rst_ni && idle_o && !switch_over_i && waiting == waiting_i &&
    listed == listed_i && !(command_valid_i || control_valid_i || slice_tick_i || linger_over_i || sm_event_valid_i || handle_valid_i);
  idle_lasts_until_an_input: `FOLLOWS may_rest |-> idle_o && $stable(buffer_free_o) && $stable(slice_timer_enable_o));
  reset_outputs: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni) buffer_free_o == '1 &&
    sm_event_ready_o && control_ready_o && !slice_timer_enable_o && !any_pulse && !sm_control_valid_o && !dispatch_valid_o);

  `undef HOLDS
  `undef FOLLOWS
endmodule
// verilator coverage_on
