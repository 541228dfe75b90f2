// SPDX-License-Identifier: Apache-2.0
// tsr_axi_lite behind any master that keeps the rules of AXI4-Lite (tsr_axi_rules.v), in front of any core: its inputs
// and what its memories give are free. Resets come at any time, and a master may withdraw its requests then. What is
// claimed of accesses is claimed of the pins.
module tsr_axi_lite_props #(
  parameter NUM_SMS             = 2,
  parameter MAX_TBS_PER_SM      = 2,
  parameter NUM_KSRS            = 2,
  parameter NUM_COMMAND_BUFFERS = 2,
  parameter NUM_CONTEXTS        = 2,
  parameter TB_WIDTH            = 4,
  parameter POLICIES            = 31,
  parameter HAS_PARTITIONS      = 0, // as these policies have
  parameter KEPT_TURN           = 0,
  parameter SM_WIDTH            = $clog2(NUM_SMS + 1),
  parameter CONTEXT_WIDTH       = $clog2(NUM_CONTEXTS + 1)
) (
  input                           clk_i,
  input                           reset_i,
  input [15:0]                    strap_policy_i,
  input                           axi_awvalid_i,
  input [15:0]                    axi_awaddr_i,
  input [2:0]                     axi_awprot_i,
  input                           axi_wvalid_i,
  input [31:0]                    axi_wdata_i,
  input [3:0]                     axi_wstrb_i,
  input                           axi_bready_i,
  input                           axi_arvalid_i,
  input [15:0]                    axi_araddr_i,
  input [2:0]                     axi_arprot_i,
  input                           axi_rready_i,
  input [NUM_COMMAND_BUFFERS-1:0] buffer_free_i,
  input                           control_ready_i,
  input                           sm_tick_i,
  input                           usage_valid_i,
  input [CONTEXT_WIDTH-1:0]       usage_context_i,
  input [SM_WIDTH:0]              usage_freed_i,
  input                           kernel_done_valid_i,
  input [39:0]                    kernel_done_descriptor_i,
  input                           dispatch_valid_i,
  input                           dispatch_is_restore_i,
  input                           events_policy_invoked_i,
  input                           events_policy_decided_i,
  input                           events_activated_i,
  input                           events_moved_i,
  input [1:0]                     events_move_i,
  input                           events_cancelled_i,
  input                           events_preempted_i,
  input                           events_released_i,
  input                           slice_timer_enable_i,
  input [CONTEXT_WIDTH-1:0]       turn_i,
  input                           switch_start_i,
  input                           switch_runs_i,
  input                           switch_over_i,
  input                           events_turn_passed_i,
  input                           events_turn_began_i,
  input                           fault_i
);

  // After reset rows are cleared. Then what is slowest is a counter whose turn has just been.
  localparam CLEAR    = HAS_PARTITIONS && NUM_SMS > NUM_CONTEXTS ? NUM_SMS : NUM_CONTEXTS;
  localparam COUNTERS = KEPT_TURN ? 16 : 14, WORDS = 2 * COUNTERS;
  localparam MAX_WAIT = WORDS + 2;

  reg  started_q = 1'b0;
  wire rst_ni = started_q && !reset_i;
  reg  [8:0] cycle_q; // since reset, up to CLEAR
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)              cycle_q <= 9'd0;
    else if (cycle_q < CLEAR) cycle_q <= cycle_q + 9'd1;
  end

  wire        axi_awready_o, axi_wready_o, axi_bvalid_o, axi_arready_o, axi_rvalid_o, control_valid_o;
  wire [1:0]  axi_bresp_o, axi_rresp_o;
  wire [31:0] axi_rdata_o;
  tsr_axi_lite #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS),
    .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .TB_WIDTH(TB_WIDTH), .POLICIES(POLICIES),
    .KEPT_TURN(KEPT_TURN)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .strap_policy_i(strap_policy_i),
    .axi_awvalid_i(axi_awvalid_i), .axi_awready_o(axi_awready_o), .axi_awaddr_i(axi_awaddr_i),
    .axi_awprot_i(axi_awprot_i), .axi_wvalid_i(axi_wvalid_i), .axi_wready_o(axi_wready_o), .axi_wdata_i(axi_wdata_i),
    .axi_wstrb_i(axi_wstrb_i), .axi_bvalid_o(axi_bvalid_o), .axi_bready_i(axi_bready_i), .axi_bresp_o(axi_bresp_o),
    .axi_arvalid_i(axi_arvalid_i), .axi_arready_o(axi_arready_o), .axi_araddr_i(axi_araddr_i),
    .axi_arprot_i(axi_arprot_i), .axi_rvalid_o(axi_rvalid_o), .axi_rready_i(axi_rready_i), .axi_rdata_o(axi_rdata_o),
    .axi_rresp_o(axi_rresp_o),
    .buffer_free_i(buffer_free_i), .control_valid_o(control_valid_o), .control_ready_i(control_ready_i),
    .sm_tick_i(sm_tick_i), .usage_valid_i(usage_valid_i), .usage_context_i(usage_context_i),
    .usage_freed_i(usage_freed_i), .kernel_done_valid_i(kernel_done_valid_i),
    .kernel_done_descriptor_i(kernel_done_descriptor_i), .dispatch_valid_i(dispatch_valid_i),
    .dispatch_is_restore_i(dispatch_is_restore_i), .events_policy_invoked_i(events_policy_invoked_i),
    .events_policy_decided_i(events_policy_decided_i), .events_activated_i(events_activated_i),
    .events_moved_i(events_moved_i), .events_move_i(events_move_i), .events_cancelled_i(events_cancelled_i),
    .events_preempted_i(events_preempted_i), .events_released_i(events_released_i),
    .slice_timer_enable_i(slice_timer_enable_i), .turn_i(turn_i), .switch_start_i(switch_start_i),
    .switch_runs_i(switch_runs_i), .switch_over_i(switch_over_i), .events_turn_passed_i(events_turn_passed_i),
    .events_turn_began_i(events_turn_began_i), .fault_i(fault_i)
  );

  wire master_keeps, write_is_asked, read_is_asked, outstanding, answer_stays, reset_is_silent, answer_is_legal,
       overtaken_once, answered_in_time;
  tsr_axi_rules #(.MAX_WAIT(MAX_WAIT)) rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awvalid_i(axi_awvalid_i), .awready_i(axi_awready_o), .awaddr_i(axi_awaddr_i),
    .awprot_i(axi_awprot_i), .wvalid_i(axi_wvalid_i), .wready_i(axi_wready_o), .wdata_i(axi_wdata_i),
    .wstrb_i(axi_wstrb_i), .bvalid_i(axi_bvalid_o), .bready_i(axi_bready_i), .bresp_i(axi_bresp_o),
    .arvalid_i(axi_arvalid_i), .arready_i(axi_arready_o), .araddr_i(axi_araddr_i), .arprot_i(axi_arprot_i),
    .rvalid_i(axi_rvalid_o), .rready_i(axi_rready_i), .rdata_i(axi_rdata_o), .rresp_i(axi_rresp_o),
    .wait_pauses_i(cycle_q < CLEAR || control_valid_o && !control_ready_i && !fault_i),
    .wait_restarts_i(usage_valid_i),
    .master_keeps_o(master_keeps), .write_is_asked_o(write_is_asked), .read_is_asked_o(read_is_asked),
    .outstanding_o(outstanding), .answer_stays_o(answer_stays), .reset_is_silent_o(reset_is_silent),
    .answer_is_legal_o(answer_is_legal), .overtaken_once_o(overtaken_once), .answered_in_time_o(answered_in_time)
  );

  assume_master: assume property (master_keeps);

  write_answer_is_asked_for: assert property (write_is_asked);
  read_answer_is_asked_for: assert property (read_is_asked);
  one_access_of_a_kind: assert property (outstanding);
  answer_stays_until_taken: assert property (answer_stays);
  reset_leaves_no_answer: assert property (reset_is_silent);
  answer_is_no_exokay: assert property (answer_is_legal);
  overtaken_by_one_access: assert property (overtaken_once);
  access_is_answered_in_time: assert property (answered_in_time);

  // ---- what induction needs to know of the inside -------------------------------------------------------------------

  // The second prover does without.
`ifndef OUTSIDE

(* hierconn *) wire       \rules.is_live ;
(* hierconn *) wire [7:0] \rules.addresses_q ;
(* hierconn *) wire [7:0] \rules.data_q ;
(* hierconn *) wire [7:0] \rules.reads_q ;
(* hierconn *) wire [7:0] \rules.wait_q ;
(* hierconn *) wire [1:0] \rules.write_overtaken_q ;
(* hierconn *) wire [1:0] \rules.read_overtaken_q ;
(* hierconn *) wire       \rules.write_waited_q ;
(* hierconn *) wire       \rules.read_waited_q ;
(* hierconn *) wire       \rules.r_waits_q ;
(* hierconn *) wire       \dut.u_channels.act_q ;
(* hierconn *) wire       \dut.u_channels.write_q ;
(* hierconn *) wire       \dut.u_channels.read_first_q ;
(* hierconn *) wire       \dut.u_channels.refused_q ;
(* hierconn *) wire       \dut.u_channels.empty_q ;
(* hierconn *) wire [15:2] \dut.u_channels.address_q ;
  wire        act        = \dut.u_channels.act_q ;
  wire        is_write   = \dut.u_channels.write_q ;
  wire        read_first = \dut.u_channels.read_first_q ;
  wire        is_refused = \dut.u_channels.refused_q , is_empty = \dut.u_channels.empty_q ;
  wire [15:2] address    = \dut.u_channels.address_q ;
  wire [7:0]  waited     = \rules.wait_q ;
  wire [1:0]  write_overtaken = \rules.write_overtaken_q , read_overtaken = \rules.read_overtaken_q ;

  wire [4:0] phases  = {axi_awready_o, axi_arready_o, act, axi_bvalid_o, axi_rvalid_o};
  wire       is_idle = phases == 0;

  access_under_way_is_counted: assert property (!rst_ni || \rules.is_live && (phases & (phases - 5'd1)) == 0 &&
    axi_wready_o == axi_awready_o && (!axi_awready_o || axi_awvalid_i && axi_wvalid_i && is_write) &&
    (!axi_arready_o || axi_arvalid_i && !is_write) &&
    \rules.addresses_q == (axi_bvalid_o || act && is_write) && \rules.data_q == \rules.addresses_q &&
    \rules.reads_q == (axi_rvalid_o || act && !is_write));

  turns_are_kept: assert property (!rst_ni ||
    (write_overtaken == 0 || write_overtaken == 1 && !read_first && !(axi_arready_o && \rules.write_waited_q )) &&
    (read_overtaken == 0 || read_overtaken == 1 && read_first && !(axi_awready_o && \rules.read_waited_q )));

  // Rows are cleared first.
  localparam ROWS = NUM_SMS > NUM_CONTEXTS ? NUM_SMS : NUM_CONTEXTS;
  localparam CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1, ROW_WIDTH = ROWS > 1 ? $clog2(ROWS) : 1;
(* hierconn *) wire                       \dut.u_contexts.clearing_q ;
(* hierconn *) wire [CONTEXT_ADDRESS-1:0] \dut.u_contexts.clear_row_q ;
(* hierconn *) wire                       \dut.g_partitions.u_partitions.clearing_q ;
(* hierconn *) wire [ROW_WIDTH-1:0]       \dut.g_partitions.u_partitions.row_q ;
  wire clears_contexts   = \dut.u_contexts.clearing_q ;
  wire clears_partitions = HAS_PARTITIONS && \dut.g_partitions.u_partitions.clearing_q ;
  wire clears            = clears_contexts || clears_partitions;

  rows_are_cleared_first: assert property (!rst_ni || cycle_q <= CLEAR && (!clears || is_idle) &&
    clears_contexts == (cycle_q < NUM_CONTEXTS) && (!clears_contexts || \dut.u_contexts.clear_row_q == cycle_q) &&
    clears_partitions == (HAS_PARTITIONS && cycle_q < ROWS) &&
    (!clears_partitions || \dut.g_partitions.u_partitions.row_q == cycle_q));

  // Counters take turns, two cycles each.
(* hierconn *) wire       \dut.u_counters.read_valid_q ;
(* hierconn *) wire       \dut.u_counters.valid_q ;
(* hierconn *) wire [4:0] \dut.u_counters.address_q ;
(* hierconn *) wire [4:0] \dut.u_counters.read_step_q ;
(* hierconn *) wire [4:0] \dut.u_counters.step_q ;
  wire       reads_step = \dut.u_counters.read_valid_q , has_step = \dut.u_counters.valid_q ;
  wire [4:0] next_step  = \dut.u_counters.address_q , read_step = \dut.u_counters.read_step_q ;
  wire [4:0] step       = \dut.u_counters.step_q ;
  wire       is_counter = !is_write && address[15:7] == 9'd4 && address[6:3] < COUNTERS && !address[2];
  wire [4:0] turn       = {address[6:3], 1'b0};
  wire [4:0] until_turn = turn >= step ? turn - step : turn - step + WORDS;

  rounds_of_counters: assert property (!rst_ni || next_step < WORDS && (clears || reads_step) &&
    (clears || is_idle || has_step) && (!has_step || reads_step) &&
    (!reads_step || next_step == (read_step == WORDS - 1 ? 0 : read_step + 5'd1) && read_step < WORDS) &&
    (!has_step || read_step == (step == WORDS - 1 ? 0 : step + 5'd1) && step < WORDS));

  // SM cycles: a step or a read at a time, and a step that waits.
  localparam F = SM_WIDTH + 2, PAIRS = (F + 1) / 2, ALL = PAIRS + 4; // a factor's bits, and cycles of one
(* hierconn *) wire         \dut.u_usage.step_q ;
(* hierconn *) wire         \dut.u_usage.load_q ;
(* hierconn *) wire         \dut.u_usage.add_q ;
(* hierconn *) wire         \dut.u_usage.last_q ;
(* hierconn *) wire         \dut.u_usage.reads_q ;
(* hierconn *) wire [F-1:0] \dut.u_usage.factor_q ;
  wire [F-1:0] factor = \dut.u_usage.factor_q ;
  wire         loads  = \dut.u_usage.load_q , adds = \dut.u_usage.add_q , is_last = \dut.u_usage.last_q ;
  wire         steps  = \dut.u_usage.step_q , reads = \dut.u_usage.reads_q ;
  wire         is_busy = loads || adds || is_last;
  wire         is_usage = !is_write && address[15:11] == 5'd8 && address[10:3] < NUM_CONTEXTS && !address[2];

  // Pairs of bits that are not all the same as the sign.
  reg [7:0] pairs;
  integer i;
  always @* begin
    pairs = 0;
    for (i = 0; i < PAIRS; i = i + 1)
      if ($signed(factor) >>> (2 * i) != 0 && ~($signed(factor) >>> (2 * i)) != 0) pairs = i + 1;
  end
  wire [7:0] until_free = loads ? PAIRS + 3 : adds ? pairs + 8'd2 : is_last ? 8'd1 : 8'd0;
  wire [7:0] until_read = is_busy && reads && !steps ? until_free :
                          (is_busy && !reads ? until_free : 8'd0) + (steps ? ALL : 8'd0) + ALL;

  only_an_access_reads_sm_cycles: assert property (!rst_ni ||
    loads + adds + is_last <= 2'd1 && (!(is_busy && reads) || act && is_usage && !is_refused && !is_empty));

  // Of an access: a cycle to be taken, one to look, then what it needs.
  wait_is_that_of_the_phase: assert property (!rst_ni ||
    (!is_idle || waited == 0) &&
    (!(axi_awready_o || axi_arready_o) || waited <= 1) &&
    (!act || is_counter || is_usage || waited <= 2 + !control_valid_o) &&
    (!(act && is_counter) || waited + until_turn < MAX_WAIT) &&
    (!(act && is_usage) || waited + until_read < MAX_WAIT));

  // ---- covers -------------------------------------------------------------------------------------------------------

  cover_write_answer_is_asked_for: assert property (!rst_ni || !(axi_bvalid_o && axi_bready_i && axi_awvalid_i));
  cover_read_answer_is_asked_for: assert property (!rst_ni || !(axi_rvalid_o && axi_rready_i && axi_arvalid_i));
  cover_one_access_of_a_kind: assert property (!rst_ni || !(act && is_write && axi_awvalid_i && axi_wvalid_i));
  cover_answer_stays_until_taken: assert property (!rst_ni ||
    !( \rules.r_waits_q && axi_rvalid_o && axi_rready_i && axi_rresp_o != 0));
  cover_reset_leaves_no_answer: assert property (!started_q || !reset_i || !axi_rvalid_o || axi_rready_i);
  cover_answer_is_no_exokay: assert property (!rst_ni || !(axi_bvalid_o && axi_bresp_o != 0));
  cover_overtaken_by_one_access: assert property (!rst_ni || !(write_overtaken == 1 && axi_awready_o));
  cover_access_is_answered_in_time: assert property (!rst_ni || waited != MAX_WAIT);
  cover_access_under_way_is_counted: assert property (!rst_ni || !(act && is_write && axi_arvalid_i));
  cover_turns_are_kept: assert property (!rst_ni || !(read_overtaken == 1 && axi_arready_o));
  cover_rows_are_cleared_first: assert property (!rst_ni || !(clears && axi_arvalid_i));
  cover_rounds_of_counters: assert property (!rst_ni || !(has_step && step == 27));
  cover_only_an_access_reads_sm_cycles: assert property (!rst_ni || !(is_last && reads));
  cover_wait_is_that_of_the_phase: assert property (!rst_ni || !(act && is_usage && adds && !reads && waited == 5));
`endif

endmodule
