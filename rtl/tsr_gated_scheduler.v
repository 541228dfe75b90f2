// SPDX-License-Identifier: Apache-2.0
// tsr_scheduler on a clock that stands still while there is nothing to do (timing.md 3.7). Pins and parameters are
// the core's, and what happens on them: an input is seen in the cycle in which it comes, since it lets that cycle's
// edge through. So it has to be there a gate's set-up time before the edge, through one OR.
module tsr_gated_scheduler #(
`include "tsr_sizes.vh"
) (
  input                            clk_i,
  input                            rst_ni,
  input                            test_en_i, // the clock runs, whatever happens
  // Straps: constant while out of reset.
  input  [15:0]                    strap_policy_i, // as written to the policy register
  input  [WAIT_WIDTH-1:0]          strap_activation_cycles_i,
  input  [WAIT_WIDTH-1:0]          strap_search_step_cycles_i,
  input                            strap_breadth_first_i,
  input                            strap_rounds_i,
  input                            strap_linger_i,
  // Command in
  input                            command_valid_i,
  input  [BUFFER_WIDTH-1:0]        command_buffer_i,
  input  [CONTEXT_WIDTH-1:0]       command_context_i,
  input  [3:0]                     command_priority_i,
  input                            command_has_due_i,
  input  [DUE_WIDTH-1:0]           command_due_i,
  input  [PARTITION_WIDTH-1:0]     command_partition_i,
  input  [TB_WIDTH-1:0]            command_num_tbs_i,
  input  [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_i,
  input  [DESCRIPTOR_WIDTH-1:0]    command_descriptor_i,
  output [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  // Control registers
  input                            control_valid_i,
  input  [2:0]                     control_reg_i,
  input  [CONTEXT_WIDTH-1:0]       control_context_i,
  input  [63:0]                    control_data_i,
  output                           control_ready_o,
  // Slice timer, SM cycles
  output                           slice_timer_enable_o,
  input                            slice_tick_i,
  input                            sm_tick_i,
  // Linger timer
  output                           linger_start_o,
  input                            linger_over_i,
  // A turn that is kept: what is on its way, who may use the GPU, and the switch between two contexts
  input  [NUM_CONTEXTS-1:0]        waiting_i,
  input  [NUM_CONTEXTS-1:0]        listed_i,
  input                            switch_over_i,
  output [CONTEXT_WIDTH-1:0]       turn_o,
  output                           switch_start_o,
  output                           switch_runs_o,
  // SM event in
  input                            sm_event_valid_i,
  input  [SM_WIDTH-1:0]            sm_event_sm_i,
  input  [2:0]                     sm_event_kind_i,
  input  [TAG_BITS-1:0]            sm_event_tag_i,
  output                           sm_event_ready_o,
  // Handle in
  input                            handle_valid_i,
  input  [SM_WIDTH-1:0]            handle_sm_i,
  input  [TB_WIDTH-1:0]            handle_tb_i,
  input  [31:0]                    handle_stack_pointer_i,
  // SM control out
  output                           sm_control_valid_o,
  output [SM_WIDTH-1:0]            sm_control_sm_o,
  output [2:0]                     sm_control_kind_o,
  output [TAG_BITS-1:0]            sm_control_tag_o,
  output [CONTEXT_WIDTH-1:0]       sm_control_context_o,
  output [63:0]                    sm_control_page_table_o,
  output [DESCRIPTOR_WIDTH-1:0]    sm_control_descriptor_o,
  // Dispatch out
  output                           dispatch_valid_o,
  output [SM_WIDTH-1:0]            dispatch_sm_o,
  output                           dispatch_is_restore_o,
  output                           dispatch_last_o,
  output [TB_WIDTH-1:0]            dispatch_tb_o,
  output [31:0]                    dispatch_stack_pointer_o,
  // Kernel done
  output                           kernel_done_valid_o,
  output [DESCRIPTOR_WIDTH-1:0]    kernel_done_descriptor_o,
  // SMs that a context holds: fewer (freed), or with -1 one more
  output                           usage_valid_o,
  output [CONTEXT_WIDTH-1:0]       usage_context_o,
  output [SM_WIDTH:0]              usage_freed_o, // signed
  // Events
  output                           events_policy_invoked_o,
  output                           events_policy_decided_o,
  output                           events_withheld_o,
  output                           events_activated_o,
  output                           events_evicted_o,
  output                           events_turn_passed_o,
  output                           events_turn_began_o,
output                           events_moved_o,
  output                           events_cancelled_o,
  output                           events_preempted_o,
  output                           events_released_o,
  output [1:0]                     events_turn_cause_o,
  output [BUFFER_WIDTH-1:0]        events_buffer_o,
  output [1:0]                     events_move_o,
  output [SM_WIDTH-1:0]            events_sm_o,
  output [KSR_WIDTH-1:0]           events_ksr_o,
  output                           idle_o,
  output                           fault_o
);

  // Reset is synchronous: it needs the clock. sm_tick_i wakes nobody: while the core is idle it clears nothing.
  wire wakes = !rst_ni || !idle_o || command_valid_i || control_valid_i || slice_tick_i ||
               linger_over_i || sm_event_valid_i || handle_valid_i || turn_wakes;
  wire clk;

  // Pins of a kept turn: a change of a level counts, from what the core saw last.
  wire turn_wakes;
  generate
    if (KEPT_TURN != 0) begin : g_kept_turn
      reg [NUM_CONTEXTS-1:0] waiting_q, listed_q;
      always @(posedge clk) {waiting_q, listed_q} <= {waiting_i, listed_i};
      assign turn_wakes = switch_over_i || waiting_i != waiting_q || listed_i != listed_q;
    end else begin : g_no_kept_turn
      assign turn_wakes = 1'b0;
    end
  endgenerate

  tsr_clock_gate u_clock_gate (.clk_i(clk_i), .enable_i(wakes), .test_en_i(test_en_i), .clk_o(clk));

  tsr_scheduler #(
`include "tsr_pass_sizes.vh"
  ) u_scheduler (
    .clk_i                     (clk),
    .rst_ni                    (rst_ni),
    .strap_policy_i            (strap_policy_i),
    .strap_activation_cycles_i (strap_activation_cycles_i),
    .strap_search_step_cycles_i(strap_search_step_cycles_i),
    .strap_breadth_first_i     (strap_breadth_first_i),
    .strap_rounds_i            (strap_rounds_i),
    .strap_linger_i            (strap_linger_i),
    .command_valid_i           (command_valid_i),
    .command_buffer_i          (command_buffer_i),
    .command_context_i         (command_context_i),
    .command_priority_i        (command_priority_i),
    .command_has_due_i         (command_has_due_i),
    .command_due_i             (command_due_i),
    .command_partition_i       (command_partition_i),
    .command_num_tbs_i         (command_num_tbs_i),
    .command_tbs_per_sm_i      (command_tbs_per_sm_i),
    .command_descriptor_i      (command_descriptor_i),
    .buffer_free_o             (buffer_free_o),
    .control_valid_i           (control_valid_i),
    .control_reg_i             (control_reg_i),
    .control_context_i         (control_context_i),
    .control_data_i            (control_data_i),
    .control_ready_o           (control_ready_o),
    .slice_timer_enable_o      (slice_timer_enable_o),
    .slice_tick_i              (slice_tick_i),
    .sm_tick_i                 (sm_tick_i),
    .linger_start_o            (linger_start_o),
    .linger_over_i             (linger_over_i),
    .waiting_i                 (waiting_i),
    .listed_i                  (listed_i),
    .switch_over_i             (switch_over_i),
    .turn_o                    (turn_o),
    .switch_start_o            (switch_start_o),
    .switch_runs_o             (switch_runs_o),
    .sm_event_valid_i          (sm_event_valid_i),
    .sm_event_sm_i             (sm_event_sm_i),
    .sm_event_kind_i           (sm_event_kind_i),
    .sm_event_tag_i            (sm_event_tag_i),
    .sm_event_ready_o          (sm_event_ready_o),
    .handle_valid_i            (handle_valid_i),
    .handle_sm_i               (handle_sm_i),
    .handle_tb_i               (handle_tb_i),
    .handle_stack_pointer_i    (handle_stack_pointer_i),
    .sm_control_valid_o        (sm_control_valid_o),
    .sm_control_sm_o           (sm_control_sm_o),
    .sm_control_kind_o         (sm_control_kind_o),
    .sm_control_tag_o          (sm_control_tag_o),
    .sm_control_context_o      (sm_control_context_o),
    .sm_control_page_table_o   (sm_control_page_table_o),
    .sm_control_descriptor_o   (sm_control_descriptor_o),
    .dispatch_valid_o          (dispatch_valid_o),
    .dispatch_sm_o             (dispatch_sm_o),
    .dispatch_is_restore_o     (dispatch_is_restore_o),
    .dispatch_last_o           (dispatch_last_o),
    .dispatch_tb_o             (dispatch_tb_o),
    .dispatch_stack_pointer_o  (dispatch_stack_pointer_o),
    .kernel_done_valid_o       (kernel_done_valid_o),
    .kernel_done_descriptor_o  (kernel_done_descriptor_o),
    .usage_valid_o             (usage_valid_o),
    .usage_context_o           (usage_context_o),
    .usage_freed_o             (usage_freed_o),
    .events_policy_invoked_o   (events_policy_invoked_o),
    .events_policy_decided_o   (events_policy_decided_o),
    .events_withheld_o         (events_withheld_o),
    .events_activated_o        (events_activated_o),
    .events_evicted_o          (events_evicted_o),
    .events_turn_passed_o      (events_turn_passed_o),
    .events_turn_began_o       (events_turn_began_o),
    .events_moved_o            (events_moved_o),
    .events_cancelled_o        (events_cancelled_o),
    .events_preempted_o        (events_preempted_o),
    .events_released_o         (events_released_o),
    .events_turn_cause_o       (events_turn_cause_o),
    .events_buffer_o           (events_buffer_o),
    .events_move_o             (events_move_o),
    .events_sm_o               (events_sm_o),
    .events_ksr_o              (events_ksr_o),
    .idle_o                    (idle_o),
    .fault_o                   (fault_o)
  );

endmodule
