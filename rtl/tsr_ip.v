// SPDX-License-Identifier: Apache-2.0
// The scheduler as an IP: a driver's registers on AXI4-Lite (register_map.md) in front of the core. The pins of
// the SMs' side are the core's own (docs/hardware/timing.md).
module tsr_ip #(
`include "tsr_sizes.vh"
  , parameter DONE_DEPTH = NUM_KSRS + NUM_COMMAND_BUFFERS // kernels launched and not yet read as done
) (
  input                            clk_i,
  input                            rst_ni,
  // Straps: constant while out of reset.
  input  [15:0]                    strap_policy_i, // as written to the policy register
  input  [WAIT_WIDTH-1:0]          strap_activation_cycles_i,
  input  [WAIT_WIDTH-1:0]          strap_search_step_cycles_i,
  input                            strap_breadth_first_i,
  input                            strap_rounds_i,
  input                            strap_linger_i,
  // AXI4-Lite
  input                            axi_awvalid_i,
  output                           axi_awready_o,
  input  [15:0]                    axi_awaddr_i,
  input  [2:0]                     axi_awprot_i, // ignored, as arprot
  input                            axi_wvalid_i,
  output                           axi_wready_o,
  input  [31:0]                    axi_wdata_i,
  input  [3:0]                     axi_wstrb_i,
  output                           axi_bvalid_o,
  input                            axi_bready_i,
  output [1:0]                     axi_bresp_o,
  input                            axi_arvalid_i,
  output                           axi_arready_o,
  input  [15:0]                    axi_araddr_i,
  input  [2:0]                     axi_arprot_i,
  output                           axi_rvalid_o,
  input                            axi_rready_i,
  output [31:0]                    axi_rdata_o,
  output [1:0]                     axi_rresp_o,
  output                           irq_o, // a level
  // Slice timer, SM cycles
  output                           slice_timer_enable_o,
  input                            slice_tick_i,
  input                            sm_tick_i,
  // Linger timer
  output                           linger_start_o,
  input                            linger_over_i,
  // A turn that is kept: what is on its way, who may use the GPU, and the switch between two contexts. What the SoC
  // says here counts beside what a driver has written.
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

  wire                           command_valid;
  wire [BUFFER_WIDTH-1:0]        command_buffer;
  wire [CONTEXT_WIDTH-1:0]       command_context;
  wire [3:0]                     command_priority;
  wire                           command_has_due;
  wire [DUE_WIDTH-1:0]           command_due;
  wire [PARTITION_WIDTH-1:0]     command_partition;
  wire [TB_WIDTH-1:0]            command_num_tbs;
  wire [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm;
  wire [DESCRIPTOR_WIDTH-1:0]    command_descriptor;
  wire [NUM_COMMAND_BUFFERS-1:0] buffer_free;
  wire                           control_valid;
  wire [2:0]                     control_reg;
  wire [CONTEXT_WIDTH-1:0]       control_context;
  wire [63:0]                    control_data;
  wire                           control_ready;
  wire [NUM_CONTEXTS-1:0]        waiting, listed; // registers
  wire                           slice_tick, switch_over; // timers
  wire                           any_switch_over = switch_over_i || switch_over;

  tsr_axi_lite #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS),
    .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .TB_WIDTH(TB_WIDTH), .POLICIES(POLICIES),
    .KEPT_TURN(KEPT_TURN), .DONE_DEPTH(DONE_DEPTH)
  ) u_axi_lite (
    .clk_i                    (clk_i),
    .rst_ni                   (rst_ni),
    .strap_policy_i           (strap_policy_i),
    .axi_awvalid_i            (axi_awvalid_i),
    .axi_awready_o            (axi_awready_o),
    .axi_awaddr_i             (axi_awaddr_i),
    .axi_awprot_i             (axi_awprot_i),
    .axi_wvalid_i             (axi_wvalid_i),
    .axi_wready_o             (axi_wready_o),
    .axi_wdata_i              (axi_wdata_i),
    .axi_wstrb_i              (axi_wstrb_i),
    .axi_bvalid_o             (axi_bvalid_o),
    .axi_bready_i             (axi_bready_i),
    .axi_bresp_o              (axi_bresp_o),
    .axi_arvalid_i            (axi_arvalid_i),
    .axi_arready_o            (axi_arready_o),
    .axi_araddr_i             (axi_araddr_i),
    .axi_arprot_i             (axi_arprot_i),
    .axi_rvalid_o             (axi_rvalid_o),
    .axi_rready_i             (axi_rready_i),
    .axi_rdata_o              (axi_rdata_o),
    .axi_rresp_o              (axi_rresp_o),
    .irq_o                    (irq_o),
    .command_valid_o          (command_valid),
    .command_buffer_o         (command_buffer),
    .command_context_o        (command_context),
    .command_priority_o       (command_priority),
    .command_has_due_o        (command_has_due),
    .command_due_o            (command_due),
    .command_partition_o      (command_partition),
    .command_num_tbs_o        (command_num_tbs),
    .command_tbs_per_sm_o     (command_tbs_per_sm),
    .command_descriptor_o     (command_descriptor),
    .buffer_free_i            (buffer_free),
    .control_valid_o          (control_valid),
    .control_reg_o            (control_reg),
    .control_context_o        (control_context),
    .control_data_o           (control_data),
    .control_ready_i          (control_ready),
    .kernel_done_valid_i      (kernel_done_valid_o),
    .kernel_done_descriptor_i (kernel_done_descriptor_o),
    .sm_tick_i                (sm_tick_i),
    .usage_valid_i            (usage_valid_o),
    .usage_context_i          (usage_context_o),
    .usage_freed_i            (usage_freed_o),
    .dispatch_valid_i         (dispatch_valid_o),
    .dispatch_is_restore_i    (dispatch_is_restore_o),
    .events_policy_invoked_i  (events_policy_invoked_o),
    .events_policy_decided_i  (events_policy_decided_o),
    .events_activated_i       (events_activated_o),
    .events_moved_i           (events_moved_o),
    .events_move_i            (events_move_o),
    .events_cancelled_i       (events_cancelled_o),
    .events_preempted_i       (events_preempted_o),
    .events_released_i        (events_released_o),
    .slice_timer_enable_i     (slice_timer_enable_o),
    .turn_i                   (turn_o),
    .switch_start_i           (switch_start_o),
    .switch_runs_i            (switch_runs_o),
    .switch_over_i            (any_switch_over),
    .events_turn_passed_i     (events_turn_passed_o),
    .events_turn_began_i      (events_turn_began_o),
    .waiting_o                (waiting),
    .listed_o                 (listed),
    .slice_tick_o             (slice_tick),
    .switch_over_o            (switch_over),
    .fault_i                  (fault_o)
  );

  tsr_scheduler #(
`include "tsr_pass_sizes.vh"
  ) u_tsr_scheduler (
    .clk_i                     (clk_i),
    .rst_ni                    (rst_ni),
    .strap_policy_i            (strap_policy_i),
    .strap_activation_cycles_i (strap_activation_cycles_i),
    .strap_search_step_cycles_i(strap_search_step_cycles_i),
    .strap_breadth_first_i     (strap_breadth_first_i),
    .strap_rounds_i            (strap_rounds_i),
    .strap_linger_i            (strap_linger_i),
    .command_valid_i           (command_valid),
    .command_buffer_i          (command_buffer),
    .command_context_i         (command_context),
    .command_priority_i        (command_priority),
    .command_has_due_i         (command_has_due),
    .command_due_i             (command_due),
    .command_partition_i       (command_partition),
    .command_num_tbs_i         (command_num_tbs),
    .command_tbs_per_sm_i      (command_tbs_per_sm),
    .command_descriptor_i      (command_descriptor),
    .buffer_free_o             (buffer_free),
    .control_valid_i           (control_valid),
    .control_reg_i             (control_reg),
    .control_context_i         (control_context),
    .control_data_i            (control_data),
    .control_ready_o           (control_ready),
    .slice_timer_enable_o      (slice_timer_enable_o),
    .slice_tick_i              (slice_tick_i || slice_tick),
    .sm_tick_i                 (sm_tick_i),
    .linger_start_o            (linger_start_o),
    .linger_over_i             (linger_over_i),
    .waiting_i                 (waiting_i | waiting),
    .listed_i                  (listed_i & listed),
    .switch_over_i             (any_switch_over),
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
