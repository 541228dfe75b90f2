// SPDX-License-Identifier: Apache-2.0
// The register front end of an IP that is this and tsr_scheduler: register_map.md on AXI4-Lite. Of the core it
// knows the pins alone (timing.md, section 3), and that a control write may have to be held until it is taken.
module tsr_axi_lite #(
  parameter NUM_SMS             = 13,
  parameter MAX_TBS_PER_SM      = 16,
  parameter NUM_KSRS            = 13,
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter TB_WIDTH            = 32,
  parameter POLICIES            = 31,
  parameter KEPT_TURN           = 0,
  parameter DONE_DEPTH          = NUM_KSRS + NUM_COMMAND_BUFFERS, // kernels launched and not yet read as done
  // Not to be set.
  parameter SM_WIDTH       = $clog2(NUM_SMS + 1),
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1),
  parameter CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1,
  parameter PARTITION_WIDTH = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1,
  parameter BUFFER_WIDTH   = $clog2(NUM_COMMAND_BUFFERS + 1),
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1)
) (
  input                            clk_i,
  input                            rst_ni, // synchronous
  input  [15:0]                    strap_policy_i, // what the policy register holds after reset
  // AXI4-Lite
  input                            axi_awvalid_i,
  output                           axi_awready_o,
  input  [15:0]                    axi_awaddr_i,
  input  [2:0]                     axi_awprot_i, // ignored, as arprot: any master may access any register
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
  // Command in of the core
  output                           command_valid_o,
  output [BUFFER_WIDTH-1:0]        command_buffer_o,
  output [CONTEXT_WIDTH-1:0]       command_context_o,
  output [3:0]                     command_priority_o,
  output                           command_has_due_o,
  output [31:0]                    command_due_o,
  output [PARTITION_WIDTH-1:0]     command_partition_o,
  output [TB_WIDTH-1:0]            command_num_tbs_o,
  output [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_o,
  output [39:0]                    command_descriptor_o,
  input  [NUM_COMMAND_BUFFERS-1:0] buffer_free_i,
  // Control registers of the core
  output                           control_valid_o,
  output [2:0]                     control_reg_o,
  output [CONTEXT_WIDTH-1:0]       control_context_o,
  output [63:0]                    control_data_o,
  input                            control_ready_i,
  // Kernel done and what is counted
  input                            sm_tick_i,
  input                            usage_valid_i,
  input  [CONTEXT_WIDTH-1:0]       usage_context_i,
  input  [SM_WIDTH:0]              usage_freed_i,
  input                            kernel_done_valid_i,
  input  [39:0]                    kernel_done_descriptor_i,
  input                            dispatch_valid_i,
  input                            dispatch_is_restore_i,
  input                            events_policy_invoked_i,
  input                            events_policy_decided_i,
  input                            events_activated_i,
  input                            events_moved_i,
  input  [1:0]                     events_move_i,
  input                            events_cancelled_i,
  input                            events_preempted_i,
  input                            events_released_i,
  // A kept turn: nothing of it without KEPT_TURN
  input                            slice_timer_enable_i,
  input  [CONTEXT_WIDTH-1:0]       turn_i,
  input                            switch_start_i,
  input                            switch_runs_i,
  input                            switch_over_i,
  input                            events_turn_passed_i,
  input                            events_turn_began_i,
  output [NUM_CONTEXTS-1:0]        waiting_o,
  output [NUM_CONTEXTS-1:0]        listed_o,
  output                           slice_tick_o,
  output                           switch_over_o,
  input                            fault_i // the core has stopped
);

  generate
    if (NUM_CONTEXTS < 1 || NUM_CONTEXTS > 256 || MAX_TBS_PER_SM < 1 || MAX_TBS_PER_SM > 255) begin : g_map
      NUM_CONTEXTS_or_MAX_TBS_PER_SM_is_more_than_the_register_map_has u_error ();
    end
    if (DONE_DEPTH < 1 || DONE_DEPTH > 32767) begin : g_done_depth
      DONE_DEPTH_must_be_1_to_32767 u_error ();
    end
  endgenerate

  localparam NUM_COUNTERS = KEPT_TURN != 0 ? 16 : 14;
  localparam DEADLINE_WIDTH = 48;

`include "tsr_policy_table.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0 ? 1 : 0;
  localparam HAS_DEADLINE   = (POLICIES & policies_with(ANY_DUE)) != 0 ? 1 : 0;

  // ---- the access ---------------------------------------------------------------------------------------------------

  wire        ready, are_partitions_ready, look, act, is_write, done, refused;
  wire [15:2] address;
  wire [31:0] data;
  reg  [31:0] answer;

  wire unused = &{1'b0, axi_awprot_i, axi_arprot_i};

  tsr_axi_channels u_channels (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(ready && are_partitions_ready),
    .axi_awvalid_i(axi_awvalid_i), .axi_awready_o(axi_awready_o), .axi_awaddr_i(axi_awaddr_i),
    .axi_wvalid_i(axi_wvalid_i), .axi_wready_o(axi_wready_o), .axi_wdata_i(axi_wdata_i), .axi_wstrb_i(axi_wstrb_i),
    .axi_bvalid_o(axi_bvalid_o), .axi_bready_i(axi_bready_i), .axi_bresp_o(axi_bresp_o),
    .axi_arvalid_i(axi_arvalid_i), .axi_arready_o(axi_arready_o), .axi_araddr_i(axi_araddr_i),
    .axi_rvalid_o(axi_rvalid_o), .axi_rready_i(axi_rready_i), .axi_rdata_o(axi_rdata_o), .axi_rresp_o(axi_rresp_o),
    .look_o(look), .act_o(act), .write_o(is_write), .address_o(address), .data_o(data),
    .done_i(done), .error_i(refused), .data_i(answer)
  );

  // Where it goes: 0x0000 control registers, 0x0100 command port, 0x0128 size and features of the core, 0x0140 timers
  // of a turn, 0x0200 counters, 0x1000 contexts, 0x3000 partitions of SMs, 0x3800 of contexts, 0x4000 SM cycles of
  // contexts, 0x6000 four registers of a context for a kept turn.
  wire       is_upper    = address[2];
  wire       is_own      = address[15:8] == 8'h00;
  wire       is_command  = address[15:6] == 10'h004 && address[5:3] < 3'd5;
  wire       is_core     = address[15:3] == 13'h025 || address[15:3] == 13'h026;
  wire       is_counter  = address[15:7] == 9'h004 && (KEPT_TURN != 0 || address[6:4] != 3'd7);
  wire [9:0] context_row = address[14:5] - 10'h080;
  wire       is_context  = !address[15] && address[14:12] != 3'd0 && {22'd0, context_row} < NUM_CONTEXTS &&
                           (address[4:3] != 2'd3 || HAS_DEADLINE != 0);
  wire       has_sm_partition = HAS_PARTITIONS != 0 && address[15:11] == 5'h06 && {24'd0, address[10:3]} < NUM_SMS;
  wire       has_partition    = HAS_PARTITIONS != 0 && address[15:11] == 5'h07 && {24'd0, address[10:3]} < NUM_CONTEXTS;
  wire       is_timer    = KEPT_TURN != 0 && address[15:5] == 11'h00A;
  wire       is_turn     = KEPT_TURN != 0 && address[15:13] == 3'h3 && {24'd0, address[10:3]} < NUM_CONTEXTS;
  wire       is_slice_end = is_turn && address[12:11] == 2'd2;
  wire       is_usage    = address[15:11] == 5'h08 && {24'd0, address[10:3]} < NUM_CONTEXTS;

  // It ends once the core can be told of a change, or what is counted is known. Writes act in its last cycle.
  wire is_policy, counter_ready, usage_ready;
  wire is_control = is_write && (is_context && address[4:3] != 2'd3 || is_policy || has_sm_partition ||
                                 is_slice_end);
  wire is_count   = !is_write && (is_counter || is_usage) && !is_upper;
  assign done     = act && (is_control ? !control_valid_o : !is_count || counter_ready || usage_ready);
  wire writes     = done && is_write;

  wire [7:0]  next_partition; // written, or as it was: the other half has none of it

  // ---- policy, errors, interrupts -----------------------------------------------------------------------------------

  localparam [3:0] NONE = 4'd0, BAD_POLICY = 4'd6;

  wire [31:0] control_register_data;
  wire        names_policy, keeps_turn, enable, is_busy, is_any_done;
  wire [15:0] next_policy;
  wire [3:0]  command_error;
  wire [3:0]  error_code = is_command ? command_error : is_policy && !names_policy ? BAD_POLICY : NONE;
  assign refused = is_write && error_code != NONE;

  tsr_control_registers #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS),
    .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .TB_WIDTH(TB_WIDTH), .POLICIES(POLICIES),
    .KEPT_TURN(KEPT_TURN)
  ) u_control_registers (
    .clk_i(clk_i), .rst_ni(rst_ni), .strap_policy_i(strap_policy_i), .select_i(is_own), .word_i(address[7:3]),
    .is_upper_i(is_upper), .write_i(writes), .data_i(data[24:0]), .data_o(control_register_data),
    .is_policy_o(is_policy), .names_policy_o(names_policy), .next_policy_o(next_policy), .keeps_turn_o(keeps_turn),
    .error_i(done && refused), .error_code_i(error_code), .fault_i(fault_i), .is_busy_i(is_busy),
    .is_any_done_i(is_any_done), .enable_o(enable), .irq_o(irq_o)
  );

  // ---- contexts, and control writes ---------------------------------------------------------------------------------

  wire [3:0]                context_priority;
  wire [DEADLINE_WIDTH-1:0] context_deadline;
  wire [31:0]               context_data;
  wire [CONTEXT_ADDRESS-1:0] clear_row;
  wire [1:0]                 next_slice_end;
  wire                       has_own_row = is_slice_end || has_partition; // of a context, 8 bytes apart
  wire [CONTEXT_WIDTH-1:0]   own_row     = {{(CONTEXT_WIDTH-CONTEXT_ADDRESS){1'b0}}, address[3 +: CONTEXT_ADDRESS]};
  wire [CONTEXT_WIDTH-1:0]   named_context = has_own_row ? own_row : context_row[CONTEXT_WIDTH-1:0];

  tsr_context_registers #(
    .NUM_CONTEXTS(NUM_CONTEXTS), .HAS_DEADLINE(HAS_DEADLINE), .DEADLINE_WIDTH(DEADLINE_WIDTH)
  ) u_contexts (
    .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready), .clear_row_o(clear_row), .look_i(look),
    .context_i(is_command ? data[CONTEXT_WIDTH-1:0] : named_context),
    .priority_o(context_priority), .deadline_o(context_deadline), .word_i(address[4:3]), .is_upper_i(is_upper),
    .write_i(writes && is_context), .data_i(data), .data_o(context_data),
    .write_policy_i(writes && is_policy && names_policy), .policy_i(next_policy),
    .write_sm_partition_i(writes && has_sm_partition), .sm_partition_i({address[10:3], next_partition}),
    .write_slice_end_i(writes && is_slice_end), .slice_end_i(next_slice_end), .control_valid_o(control_valid_o),
    .control_reg_o(control_reg_o), .control_context_o(control_context_o), .control_data_o(control_data_o),
    .control_ready_i(control_ready_i || fault_i) // nobody waits for a core that has stopped
  );

  // ---- partitions ---------------------------------------------------------------------------------------------------

  wire [PARTITION_WIDTH-1:0] sm_partition, context_partition;
  generate
    if (HAS_PARTITIONS != 0) begin : g_partitions
      localparam SM_ADDRESS = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1;
      localparam [7:0] NUMBERS = NUM_SMS > 1 ? (8'd1 << PARTITION_WIDTH) - 8'd1 : 8'd0; // the bits of one
      wire [7:0] now = {{(8-PARTITION_WIDTH){1'b0}}, has_sm_partition ? sm_partition : context_partition};
      assign next_partition = is_upper ? now : data[7:0] & NUMBERS;
      tsr_partition_registers #(.NUM_SMS(NUM_SMS), .NUM_CONTEXTS(NUM_CONTEXTS)) u_partitions (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(are_partitions_ready), .look_i(look),
        .sm_i(address[3 +: SM_ADDRESS]),
        .context_i(is_command ? data[CONTEXT_ADDRESS-1:0] : address[3 +: CONTEXT_ADDRESS]),
        .sm_partition_o(sm_partition), .context_partition_o(context_partition),
        .write_sm_i(writes && has_sm_partition), .write_context_i(writes && has_partition),
        .data_i(next_partition[PARTITION_WIDTH-1:0]));
    end else begin : g_no_partitions
      assign are_partitions_ready = 1'b1;
      assign sm_partition         = {PARTITION_WIDTH{1'b0}};
      assign context_partition    = {PARTITION_WIDTH{1'b0}};
      assign next_partition       = 8'd0;
    end
  endgenerate

  // ---- command port -------------------------------------------------------------------------------------------------

  wire [31:0] command_data;
  wire        launch_waits;

  tsr_command_port #(
    .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM),
    .TB_WIDTH(TB_WIDTH), .DONE_DEPTH(DONE_DEPTH), .HAS_DEADLINE(HAS_DEADLINE), .DEADLINE_WIDTH(DEADLINE_WIDTH),
    .HAS_PARTITIONS(HAS_PARTITIONS), .PARTITION_WIDTH(PARTITION_WIDTH)
  ) u_command_port (
    .clk_i(clk_i), .rst_ni(rst_ni), .look_i(look), .word_i(address[5:3]), .is_upper_i(is_upper),
    .write_i(writes && is_command), .data_i(data), .priority_i(context_priority), .deadline_i(context_deadline),
    .partition_i(context_partition), .write_partition_i(writes && has_partition),
    .written_partition_i(next_partition[PARTITION_WIDTH-1:0]), .command_partition_o(command_partition_o),
    .data_o(command_data), .error_o(command_error),
    .write_priority_i(writes && is_context && address[4:3] == 2'd0 && !is_upper),
    .write_context_i(named_context),
    .write_deadline_i(writes && is_context && address[4:3] == 2'd3), .write_is_upper_i(is_upper),
    .write_data_i(data), .enable_i(enable), .hold_i(control_valid_o || writes && is_control), .is_busy_o(is_busy),
    .waits_o(launch_waits), .is_any_done_o(is_any_done), .command_valid_o(command_valid_o),
    .command_buffer_o(command_buffer_o),
    .command_context_o(command_context_o), .command_priority_o(command_priority_o),
    .command_has_due_o(command_has_due_o), .command_due_o(command_due_o), .command_num_tbs_o(command_num_tbs_o),
    .command_tbs_per_sm_o(command_tbs_per_sm_o), .command_descriptor_o(command_descriptor_o),
    .buffer_free_i(buffer_free_i), .kernel_done_valid_i(kernel_done_valid_i),
    .kernel_done_descriptor_i(kernel_done_descriptor_i)
  );

  // ---- a kept turn --------------------------------------------------------------------------------------------------

  wire [31:0] turn_data;
  generate
    if (KEPT_TURN != 0) begin : g_turn
      tsr_turn_registers #(.NUM_CONTEXTS(NUM_CONTEXTS)) u_turn (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(!ready), .clear_row_i(clear_row), .look_i(look),
        .of_context_i(is_turn), .context_i(address[3 +: CONTEXT_ADDRESS]),
        .word_i(is_turn ? address[12:11] : address[4:3]), .is_upper_i(is_upper),
        .write_i(writes && (is_turn || is_timer)), .data_i(data), .data_o(turn_data),
        .next_slice_end_o(next_slice_end), .launch_waits_i(launch_waits),
        .launch_context_i(command_context_o[CONTEXT_ADDRESS-1:0]), .sm_tick_i(sm_tick_i),
        .slice_timer_enable_i(slice_timer_enable_i), .turn_i(turn_i), .turn_passed_i(events_turn_passed_i),
        .turn_began_i(events_turn_began_i), .switch_start_i(switch_start_i), .switch_runs_i(switch_runs_i),
        .switch_over_i(switch_over_i),
        .takes_policy_i(control_valid_o && control_reg_o == 3'd0 && control_ready_i), .keeps_turn_i(keeps_turn),
        .waiting_o(waiting_o), .listed_o(listed_o), .slice_tick_o(slice_tick_o), .switch_over_o(switch_over_o));
    end else begin : g_no_turn
      wire unused_turn = &{1'b0, slice_timer_enable_i, turn_i, switch_start_i, switch_runs_i, switch_over_i, keeps_turn,
                           launch_waits};
      assign turn_data      = 32'd0;
      assign next_slice_end = 2'd0;
      assign waiting_o      = {NUM_CONTEXTS{1'b0}};
      assign listed_o       = {NUM_CONTEXTS{1'b1}};
      assign slice_tick_o   = 1'b0;
      assign switch_over_o  = 1'b0;
    end
  endgenerate

  // ---- counters -----------------------------------------------------------------------------------------------------

  wire [31:0] count_lower, count_upper;

  tsr_event_counters #(.COUNT(NUM_COUNTERS)) u_counters (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .policy_invoked_i(events_policy_invoked_i), .policy_decided_i(events_policy_decided_i),
    .activated_i(events_activated_i), .moved_i(events_moved_i), .move_i(events_move_i),
    .cancelled_i(events_cancelled_i), .preempted_i(events_preempted_i), .released_i(events_released_i),
    .kernel_done_i(kernel_done_valid_i), .dispatch_i(dispatch_valid_i), .is_restore_i(dispatch_is_restore_i),
    .turn_passed_i(events_turn_passed_i), .turn_began_i(events_turn_began_i),
    .read_i(act && is_count && is_counter), .index_i(address[6:3]), .ready_o(counter_ready),
    .lower_o(count_lower), .upper_o(count_upper)
  );

  // ---- SM cycles ----------------------------------------------------------------------------------------------------

  wire [31:0] usage_lower, usage_upper;

  tsr_usage #(.NUM_SMS(NUM_SMS), .NUM_CONTEXTS(NUM_CONTEXTS)) u_usage (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_tick_i(sm_tick_i), .clear_i(!ready), .clear_row_i(clear_row),
    .usage_valid_i(usage_valid_i), .usage_context_i(usage_context_i), .usage_freed_i(usage_freed_i),
    .read_i(act && is_count && is_usage), .context_i(address[3 +: CONTEXT_ADDRESS]), .ready_o(usage_ready),
    .lower_o(usage_lower), .upper_o(usage_upper)
  );

  // ---- what is read -------------------------------------------------------------------------------------------------

  always @* begin
    answer = 32'd0;
    if (is_own || is_core) answer = control_register_data;
    if (is_command)        answer = command_data;
    if (is_counter)        answer = is_upper ? count_upper : count_lower;
    if (is_usage)          answer = is_upper ? usage_upper : usage_lower;
    if (is_context)        answer = context_data;
    if (is_turn || is_timer) answer = turn_data;
    if (has_sm_partition && !is_upper) answer = {{(32-PARTITION_WIDTH){1'b0}}, sm_partition};
    if (has_partition && !is_upper)    answer = {{(32-PARTITION_WIDTH){1'b0}}, context_partition};
  end

endmodule
