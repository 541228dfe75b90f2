// SPDX-License-Identifier: Apache-2.0
// An example of a SoC around the IP: registers on AXI4-Lite, SMs at different distances, and nothing else. Policy ppq
// with context switch, until a driver writes another.
module tsr_example_soc #(
`include "tsr_sizes.vh"
  , parameter [NUM_SMS*8-1:0] UP_REGISTERS   = {NUM_SMS{8'd1}} // of each SM's links, a byte an SM
  , parameter [NUM_SMS*8-1:0] DOWN_REGISTERS = {NUM_SMS{8'd1}}
) (
  input                                 clk_i,
  input                                 rst_ni,
  // AXI4-Lite
  input                                 axi_awvalid_i,
  output                                axi_awready_o,
  input  [15:0]                         axi_awaddr_i,
  input  [2:0]                          axi_awprot_i,
  input                                 axi_wvalid_i,
  output                                axi_wready_o,
  input  [31:0]                         axi_wdata_i,
  input  [3:0]                          axi_wstrb_i,
  output                                axi_bvalid_o,
  input                                 axi_bready_i,
  output [1:0]                          axi_bresp_o,
  input                                 axi_arvalid_i,
  output                                axi_arready_o,
  input  [15:0]                         axi_araddr_i,
  input  [2:0]                          axi_arprot_i,
  output                                axi_rvalid_o,
  input                                 axi_rready_i,
  output [31:0]                         axi_rdata_o,
  output [1:0]                          axi_rresp_o,
  output                                irq_o,
  // For who watches: thread blocks that have run, rules that were broken
  output [NUM_SMS-1:0]                  ran_valid_o,
  output [NUM_SMS*DESCRIPTOR_WIDTH-1:0] ran_descriptor_o,
  output [NUM_SMS*TB_WIDTH-1:0]         ran_tb_o,
  output [NUM_SMS-1:0]                  broken_o,
  output                                idle_o
);

  // ---- the IP -----------------------------------------------------------------------------------------------------

  wire                        sm_event_valid, sm_event_ready, handle_valid, sm_control_valid, dispatch_valid;
  wire                        dispatch_is_restore, dispatch_last;
  wire [SM_WIDTH-1:0]         sm_event_sm, handle_sm, sm_control_sm, dispatch_sm;
  wire [2:0]                  sm_event_kind, sm_control_kind;
  wire [TAG_BITS-1:0]         sm_event_tag, sm_control_tag;
  wire [TB_WIDTH-1:0]         handle_tb, dispatch_tb;
  wire [31:0]                 handle_stack_pointer, dispatch_stack_pointer;
  wire [CONTEXT_WIDTH-1:0]    sm_control_context;
  wire [63:0]                 sm_control_page_table;
  wire [DESCRIPTOR_WIDTH-1:0] sm_control_descriptor;

  /* verilator lint_off PINCONNECTEMPTY */
  tsr_ip #(
`include "tsr_pass_sizes.vh"
  ) u_ip (
    .clk_i                     (clk_i),
    .rst_ni                    (rst_ni),
    .strap_policy_i            (16'd2), // ppq, context switch, exclusive
    .strap_activation_cycles_i ({{(WAIT_WIDTH-3){1'b0}}, 3'd1}),
    .strap_search_step_cycles_i({{(WAIT_WIDTH-3){1'b0}}, 3'd1}),
    .strap_breadth_first_i     (1'b0),
    .strap_rounds_i            (1'b0),
    .strap_linger_i            (1'b0),
    .axi_awvalid_i             (axi_awvalid_i),
    .axi_awready_o             (axi_awready_o),
    .axi_awaddr_i              (axi_awaddr_i),
    .axi_awprot_i              (axi_awprot_i),
    .axi_wvalid_i              (axi_wvalid_i),
    .axi_wready_o              (axi_wready_o),
    .axi_wdata_i               (axi_wdata_i),
    .axi_wstrb_i               (axi_wstrb_i),
    .axi_bvalid_o              (axi_bvalid_o),
    .axi_bready_i              (axi_bready_i),
    .axi_bresp_o               (axi_bresp_o),
    .axi_arvalid_i             (axi_arvalid_i),
    .axi_arready_o             (axi_arready_o),
    .axi_araddr_i              (axi_araddr_i),
    .axi_arprot_i              (axi_arprot_i),
    .axi_rvalid_o              (axi_rvalid_o),
    .axi_rready_i              (axi_rready_i),
    .axi_rdata_o               (axi_rdata_o),
    .axi_rresp_o               (axi_rresp_o),
    .irq_o                     (irq_o),
    .slice_timer_enable_o      (),     // no time slices, so no timer
    .slice_tick_i              (1'b0),
    .sm_tick_i                 (1'b1), // SMs are on the core's clock
    .linger_start_o            (),
    .linger_over_i             (1'b0),
    .waiting_i                 ({NUM_CONTEXTS{1'b0}}), // nor a turn that is kept
    .listed_i                  ({NUM_CONTEXTS{1'b1}}),
    .switch_over_i             (1'b0),
    .turn_o                    (),
    .switch_start_o            (),
    .switch_runs_o             (),
    .sm_event_valid_i          (sm_event_valid),
    .sm_event_sm_i             (sm_event_sm),
    .sm_event_kind_i           (sm_event_kind),
    .sm_event_tag_i            (sm_event_tag),
    .sm_event_ready_o          (sm_event_ready),
    .handle_valid_i            (handle_valid),
    .handle_sm_i               (handle_sm),
    .handle_tb_i               (handle_tb),
    .handle_stack_pointer_i    (handle_stack_pointer),
    .sm_control_valid_o        (sm_control_valid),
    .sm_control_sm_o           (sm_control_sm),
    .sm_control_kind_o         (sm_control_kind),
    .sm_control_tag_o          (sm_control_tag),
    .sm_control_context_o      (sm_control_context),
    .sm_control_page_table_o   (sm_control_page_table),
    .sm_control_descriptor_o   (sm_control_descriptor),
    .dispatch_valid_o          (dispatch_valid),
    .dispatch_sm_o             (dispatch_sm),
    .dispatch_is_restore_o     (dispatch_is_restore),
    .dispatch_last_o           (dispatch_last),
    .dispatch_tb_o             (dispatch_tb),
    .dispatch_stack_pointer_o  (dispatch_stack_pointer),
    // Kernels that are done are read from a register, events from counters.
    .kernel_done_valid_o       (),
    .kernel_done_descriptor_o  (),
    .usage_valid_o             (),
    .usage_context_o           (),
    .usage_freed_o             (),
    .events_policy_invoked_o   (),
    .events_policy_decided_o   (),
    .events_withheld_o         (),
    .events_activated_o        (),
    .events_evicted_o          (),
    .events_turn_passed_o      (),
    .events_turn_began_o       (),
    .events_moved_o            (),
    .events_cancelled_o        (),
    .events_preempted_o        (),
    .events_released_o         (),
    .events_turn_cause_o       (),
    .events_buffer_o           (),
    .events_move_o             (),
    .events_sm_o               (),
    .events_ksr_o              (),
    .idle_o                    (idle_o),
    .fault_o                   ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- links and arbiters -----------------------------------------------------------------------------------------

  wire [NUM_SMS-1:0]                  event_valid, event_taken, handles_valid, handles_last, handles_taken;
  wire [NUM_SMS-1:0]                  control_valid, given_valid, given_is_restore, given_last;
  wire [NUM_SMS*3-1:0]                event_kind, control_kind;
  wire [NUM_SMS*TAG_BITS-1:0]         event_tag, control_tag;
  wire [NUM_SMS*TB_WIDTH-1:0]         handles_tb, given_tb;
  wire [NUM_SMS*32-1:0]               handles_stack_pointer, given_stack_pointer;
  wire [NUM_SMS*CONTEXT_WIDTH-1:0]    control_context;
  wire [NUM_SMS*64-1:0]               control_page_table;
  wire [NUM_SMS*DESCRIPTOR_WIDTH-1:0] control_descriptor;

  tsr_sm_side #(
    .NUM_SMS(NUM_SMS), .NUM_CONTEXTS(NUM_CONTEXTS), .TB_WIDTH(TB_WIDTH), .TAG_WIDTH(TAG_WIDTH),
    .UP_REGISTERS(UP_REGISTERS), .DOWN_REGISTERS(DOWN_REGISTERS)
  ) u_sm_side (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .sm_event_valid_o(sm_event_valid), .sm_event_sm_o(sm_event_sm), .sm_event_kind_o(sm_event_kind),
    .sm_event_tag_o(sm_event_tag), .sm_event_ready_i(sm_event_ready),
    .handle_valid_o(handle_valid), .handle_sm_o(handle_sm), .handle_tb_o(handle_tb),
    .handle_stack_pointer_o(handle_stack_pointer),
    .sm_control_valid_i(sm_control_valid), .sm_control_sm_i(sm_control_sm), .sm_control_kind_i(sm_control_kind),
    .sm_control_tag_i(sm_control_tag), .sm_control_context_i(sm_control_context),
    .sm_control_page_table_i(sm_control_page_table), .sm_control_descriptor_i(sm_control_descriptor),
    .dispatch_valid_i(dispatch_valid), .dispatch_sm_i(dispatch_sm), .dispatch_is_restore_i(dispatch_is_restore),
    .dispatch_last_i(dispatch_last), .dispatch_tb_i(dispatch_tb), .dispatch_stack_pointer_i(dispatch_stack_pointer),
    .event_valid_i(event_valid), .event_kind_i(event_kind), .event_tag_i(event_tag), .event_taken_o(event_taken),
    .handle_valid_i(handles_valid), .handle_tb_i(handles_tb), .handle_stack_pointer_i(handles_stack_pointer),
    .handle_last_i(handles_last), .handle_taken_o(handles_taken),
    .control_valid_o(control_valid), .control_kind_o(control_kind), .control_tag_o(control_tag),
    .control_context_o(control_context), .control_page_table_o(control_page_table),
    .control_descriptor_o(control_descriptor),
    .dispatch_valid_o(given_valid), .dispatch_is_restore_o(given_is_restore), .dispatch_last_o(given_last),
    .dispatch_tb_o(given_tb), .dispatch_stack_pointer_o(given_stack_pointer)
  );

  // ---- SMs --------------------------------------------------------------------------------------------------------

  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
      tsr_example_sm #(
        .SLOTS(MAX_TBS_PER_SM), .TB_WIDTH(TB_WIDTH), .TAG_BITS(TAG_BITS), .CONTEXT_WIDTH(CONTEXT_WIDTH)
      ) u_sm (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .control_valid_i(control_valid[i]), .control_kind_i(control_kind[i*3 +: 3]),
        .control_tag_i(control_tag[i*TAG_BITS +: TAG_BITS]),
        .control_context_i(control_context[i*CONTEXT_WIDTH +: CONTEXT_WIDTH]),
        .control_page_table_i(control_page_table[i*64 +: 64]),
        .control_descriptor_i(control_descriptor[i*DESCRIPTOR_WIDTH +: DESCRIPTOR_WIDTH]),
        .dispatch_valid_i(given_valid[i]), .dispatch_is_restore_i(given_is_restore[i]), .dispatch_last_i(given_last[i]),
        .dispatch_tb_i(given_tb[i*TB_WIDTH +: TB_WIDTH]), .dispatch_stack_pointer_i(given_stack_pointer[i*32 +: 32]),
        .event_valid_o(event_valid[i]), .event_kind_o(event_kind[i*3 +: 3]),
        .event_tag_o(event_tag[i*TAG_BITS +: TAG_BITS]), .event_taken_i(event_taken[i]),
        .handle_valid_o(handles_valid[i]), .handle_tb_o(handles_tb[i*TB_WIDTH +: TB_WIDTH]),
        .handle_stack_pointer_o(handles_stack_pointer[i*32 +: 32]), .handle_last_o(handles_last[i]),
        .handle_taken_i(handles_taken[i]),
        .ran_valid_o(ran_valid_o[i]), .ran_descriptor_o(ran_descriptor_o[i*DESCRIPTOR_WIDTH +: DESCRIPTOR_WIDTH]),
        .ran_tb_o(ran_tb_o[i*TB_WIDTH +: TB_WIDTH]), .broken_o(broken_o[i])
      );
    end
  endgenerate

endmodule
