// SPDX-License-Identifier: Apache-2.0
// What timing.md demands of whoever drives the pins of tsr_scheduler. Read with the core, this file binds itself
// to every instance: a simulator reports who breaks a rule, a prover takes the rules as given.
// verilator coverage_off
module tsr_input_assumptions #(
`include "tsr_sizes.vh"
) (
  input                           clk_i,
  input                           rst_ni,
  input [15:0]                    strap_policy_i,
  input [WAIT_WIDTH-1:0]          strap_activation_cycles_i,
  input [WAIT_WIDTH-1:0]          strap_search_step_cycles_i,
  input                           strap_breadth_first_i,
  input                           strap_rounds_i,
  input                           strap_linger_i,
  input                           command_valid_i,
  input [BUFFER_WIDTH-1:0]        command_buffer_i,
  input [CONTEXT_WIDTH-1:0]       command_context_i,
  input [TB_WIDTH-1:0]            command_num_tbs_i,
  input [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_i,
  input [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  input                           control_valid_i,
  input [2:0]                     control_reg_i,
  input [CONTEXT_WIDTH-1:0]       control_context_i,
  input [63:0]                    control_data_i,
  input                           control_ready_o,
  input [NUM_CONTEXTS-1:0]        waiting_i,
  input                           switch_over_i,
  input                           switch_start_o,
  input                           sm_event_valid_i,
  input [SM_WIDTH-1:0]            sm_event_sm_i,
  input [2:0]                     sm_event_kind_i,
  input [TAG_BITS-1:0]            sm_event_tag_i,
  input                           sm_event_ready_o,
  input                           handle_valid_i,
  input [SM_WIDTH-1:0]            handle_sm_i,
  input                           sm_control_valid_o,
  input [SM_WIDTH-1:0]            sm_control_sm_o,
  input [2:0]                     sm_control_kind_o,
  input [TAG_BITS-1:0]            sm_control_tag_o,
  input                           dispatch_valid_o,
  input [SM_WIDTH-1:0]            dispatch_sm_o,
  input                           dispatch_last_o,
  input                           fault_o
);

`include "tsr_policy_table.vh"

  localparam [2:0] PRIORITY = 3'd1, PAGE_TABLE = 3'd3, PARTITION = 3'd4, SLICE_END = 3'd5; // control registers
  localparam [2:0] SET_UP = 3'd0; // of the kinds of SM commands
  localparam [2:0] TB_DONE = 3'd0, SET_UP_DONE = 3'd1, RESTORE_DONE = 3'd2, PREEMPTED = 3'd3;

  // Assumptions look at pins and registers alone: they sample before a wire that depends on an input has settled.
  // A core that has stopped asks for nothing.
  `define HOLDS assume property (@(posedge clk_i) disable iff (!rst_ni || fault_o)

  // ---- 2. Straps ----------------------------------------------------------------------------------------------------

  localparam [15:0] PRESENT = 16'(POLICIES);

  assume_policy_is_present: `HOLDS PRESENT[strap_policy_i[3:0]] && strap_policy_i[6:4] < TECHNIQUES);
  assume_activation_takes_cycles: `HOLDS strap_activation_cycles_i != '0);
  assume_search_step_takes_cycles: `HOLDS strap_search_step_cycles_i != '0);
  assume_rounds_are_breadth_first: `HOLDS strap_rounds_i |-> strap_breadth_first_i);

  localparam STRAPS_WIDTH = 19 + 2 * WAIT_WIDTH;
  // From the last edge of reset on, which takes reset values from them.
  logic [STRAPS_WIDTH-1:0] straps_q;
  always_ff @(posedge clk_i) begin
    straps_q <= {strap_policy_i, strap_activation_cycles_i, strap_search_step_cycles_i, strap_breadth_first_i,
                 strap_rounds_i, strap_linger_i};
  end
  assume_straps_are_constant: `HOLDS
    straps_q == {strap_policy_i, strap_activation_cycles_i, strap_search_step_cycles_i, strap_breadth_first_i,
                 strap_rounds_i, strap_linger_i});

  // ---- 3.1, 3.2 Commands and control registers ----------------------------------------------------------------------

  assume_command_towards_free_buffer: `HOLDS command_valid_i |->
    ((NUM_COMMAND_BUFFERS'(1) << command_buffer_i) & buffer_free_o) != '0);
  assume_command_has_tbs: `HOLDS command_valid_i |-> command_num_tbs_i != '0);
  assume_command_fits_an_sm: `HOLDS command_valid_i |->
    command_tbs_per_sm_i != '0 && 32'(command_tbs_per_sm_i) <= MAX_TBS_PER_SM);
  assume_command_context_exists: `HOLDS command_valid_i |-> 32'(command_context_i) < NUM_CONTEXTS);
  // A write is held until it is taken.
  logic control_waits_q;
  logic [CONTEXT_WIDTH+66:0] control_q;
  always_ff @(posedge clk_i) begin
    control_waits_q <= rst_ni && control_valid_i && !control_ready_o;
    control_q       <= {control_reg_i, control_context_i, control_data_i};
  end
  assume_control_is_held: `HOLDS control_waits_q |->
    control_valid_i && control_q == {control_reg_i, control_context_i, control_data_i});
  assume_control_context_exists: `HOLDS control_valid_i && (control_reg_i >= PRIORITY && control_reg_i <= PAGE_TABLE ||
                                                         control_reg_i == SLICE_END) |->
    32'(control_context_i) < NUM_CONTEXTS);
  assume_control_sm_exists: `HOLDS control_valid_i && control_reg_i == PARTITION |->
    32'(control_data_i[15:8]) < NUM_SMS);

  // ---- 3.12 A kept turn ---------------------------------------------------------------------------------------------

  // What is on its way waits until its command has come: else the context could look as if it had run dry.
  logic [NUM_CONTEXTS-1:0] waited_q;
  always_ff @(posedge clk_i) waited_q <= rst_ni ? waiting_i : '0;
  assume_waiting_until_its_command: `HOLDS command_valid_i && 32'(command_context_i) < NUM_CONTEXTS |->
    ((NUM_CONTEXTS'(1) << command_context_i) & (waiting_i | ~waited_q)) != '0);
  // One end of a switch for each start, in a later cycle.
  logic is_switched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) is_switched_q <= 1'b0;
    else         is_switched_q <= switch_start_o || is_switched_q && !switch_over_i;
  end
  assume_switch_ends_after_its_start: `HOLDS switch_over_i |-> is_switched_q);

  // ---- what an SM was told, and has reported ------------------------------------------------------------------------

  // With tags links may be in between: an SM may not have got yet what was sent (3.11).
  localparam bit HAS_TAGS = TAG_WIDTH != 0;
  logic [NUM_SMS-1:0][TAG_WIDTH:0]  sets_up_q; // set-ups that were sent and may be answered; without tags the last
  logic [NUM_SMS-1:0][TAG_BITS-1:0] tag_q;     // of the last one
  logic [NUM_SMS-1:0] stops_q;    // a trap was sent, and has not been answered
  logic [NUM_SMS-1:0] restores_q; // a batch is complete, its contexts are not there
  logic [NUM_SMS-1:0] closed_q;   // of its save handles were given, and then those of another SM
  logic [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0] resident_q; // TBs that it holds
  logic [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0] handed_q;   // those of them whose handles were given back

  for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
    wire is_told       = sm_control_valid_o && 32'(sm_control_sm_o) == i;
    wire is_given      = dispatch_valid_o && 32'(dispatch_sm_o) == i;
    wire reports       = sm_event_valid_i && sm_event_ready_o && 32'(sm_event_sm_i) == i;
    wire hands         = handle_valid_i && 32'(handle_sm_i) == i;
    wire is_done       = reports && sm_event_kind_i == TB_DONE;
    wire is_set_up     = reports && sm_event_kind_i == SET_UP_DONE;
    wire is_restored   = reports && sm_event_kind_i == RESTORE_DONE;
    wire is_preempted  = reports && sm_event_kind_i == PREEMPTED;
    // With a refill lane an answer may be taken in the cycle of the next set-up.
    wire [TAG_WIDTH:0] still_set_up = is_set_up ? (TAG_WIDTH+1)'(TAG_BITS'(tag_q[i] - sm_event_tag_i)) : sets_up_q[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        sets_up_q[i]  <= '0;
        tag_q[i]      <= '0;
        stops_q[i]    <= 1'b0;
        restores_q[i] <= 1'b0;
        closed_q[i]   <= 1'b0;
        resident_q[i] <= '0;
        handed_q[i]   <= '0;
      end else begin
        // An answer of that cycle is to the command before.
        if (is_told && sm_control_kind_o == SET_UP) begin
          sets_up_q[i] <= HAS_TAGS ? still_set_up + 1'b1 : (TAG_WIDTH+1)'(1);
          tag_q[i]     <= sm_control_tag_o;
        end else if (is_set_up || is_told && !HAS_TAGS) begin
          sets_up_q[i] <= HAS_TAGS ? still_set_up : '0;
        end
        // An answer to a trap may come until the set-up that has followed is done.
        if (is_told && (sm_control_kind_o != SET_UP || !HAS_TAGS)) stops_q[i] <= sm_control_kind_o != SET_UP;
        else stops_q[i] <= stops_q[i] && !is_preempted && !(HAS_TAGS && is_set_up);
        restores_q[i] <= is_given && dispatch_last_o || restores_q[i] && !is_restored;
        resident_q[i] <= is_preempted ? '0 : resident_q[i] + TB_COUNT_WIDTH'(is_given) - TB_COUNT_WIDTH'(is_done);
        closed_q[i]   <= !is_preempted && (closed_q[i] || handle_valid_i && !hands && handed_q[i] != '0);
        handed_q[i]   <= is_preempted ? '0 : handed_q[i] + TB_COUNT_WIDTH'(hands);
      end
    end
  end

  // ---- 3.3 SM events ------------------------------------------------------------------------------------------------

  // Of an event that is offered, whether it is taken or not: rule 3 lets it go away, not be wrong.
  assume_event_of_an_sm: `HOLDS sm_event_valid_i |-> 32'(sm_event_sm_i) < NUM_SMS);
  `define EVENT(KIND) `HOLDS sm_event_valid_i && sm_event_kind_i == KIND && 32'(sm_event_sm_i) < NUM_SMS |->
  // Of one whose handle was not given. Handles do not wait for a TB done that waits for the port.
  assume_tb_done_of_running_tb: `EVENT(TB_DONE) 32'(resident_q[sm_event_sm_i]) >
    32'(handed_q[sm_event_sm_i]) + 32'(handle_valid_i && handle_sm_i == sm_event_sm_i));
  assume_event_of_a_kind: `HOLDS sm_event_valid_i |-> sm_event_kind_i <= PREEMPTED);
  // Of one that was not answered, nor one after it.
  assume_set_up_done_after_set_up: `EVENT(SET_UP_DONE) HAS_TAGS ?
    (TAG_WIDTH+1)'(TAG_BITS'(tag_q[sm_event_sm_i] - sm_event_tag_i)) < sets_up_q[sm_event_sm_i] :
    sets_up_q[sm_event_sm_i] != '0);
  assume_restore_done_after_batch: `EVENT(RESTORE_DONE) restores_q[sm_event_sm_i] &&
    (HAS_TAGS || sets_up_q[sm_event_sm_i] == '0));
  // All TBs are done, or their handles were given in earlier cycles (rule 4).
  assume_preempted_after_trap_and_handles: `EVENT(PREEMPTED)
    stops_q[sm_event_sm_i] && handed_q[sm_event_sm_i] == resident_q[sm_event_sm_i]);

  // ---- 3.4 Handles --------------------------------------------------------------------------------------------------

  assume_handle_of_an_sm: `HOLDS handle_valid_i |-> 32'(handle_sm_i) < NUM_SMS);
  // As many as TBs were stopped, none of which was done.
  assume_handle_of_stopped_tb: `HOLDS handle_valid_i && 32'(handle_sm_i) < NUM_SMS |->
    stops_q[handle_sm_i] && handed_q[handle_sm_i] != resident_q[handle_sm_i]);
  // After those of another SM no more of a save's come (rule 13).
  assume_handles_of_a_save_are_together: `HOLDS handle_valid_i && 32'(handle_sm_i) < NUM_SMS |->
    !closed_q[handle_sm_i]);

  `undef EVENT
  `undef HOLDS
endmodule
// verilator coverage_on

bind tsr_scheduler tsr_input_assumptions #(
`include "tsr_pass_sizes.vh"
) u_input_assumptions (.*);
