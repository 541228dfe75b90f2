// SPDX-License-Identifier: Apache-2.0
// What others ask of a KSR without opening its row: a few bits each, kept up to date by every WRITE, and who its kernel
// is (timing.md 4.1). Index in, row out.
module tsr_ksr_status #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  // The visit.
  input  [7:0]                phase_i,
  input  [KSR_WIDTH-1:0]      ksr_i,
  output                      valid_o,     // LOAD
  output                      fresh_o,
  output                      handles_o,
  output [CONTEXT_ADDRESS-1:0] context_o,
  output [3:0]                priority_o,
  // WRITE
  input                       steps_i,     // the row is a kernel's, and its counters are the job's
  input                       activates_i,
  input                       finishes_i,
  input  [STATUS_WIDTH-1:0]   status_i,
  input                       uncovered_i, // two cycles later
  // Activation: the lowest row that was free in the cycle before, and who comes into it.
  output reg [KSR_WIDTH-1:0]  free_ksr_o,
  input  [CONTEXT_ADDRESS-1:0] launch_context_i,
  input  [3:0]                launch_priority_i,
  input                       launch_has_due_i,
  input  [DUE_WIDTH-1:0]      launch_due_i,
  input  [PARTITION_WIDTH-1:0] launch_partition_i,
  // An eviction: the lowest row that holds an SM, and whether another one than that which is visited does.
  output [KSR_WIDTH-1:0]      holder_o,
  output                      any_holds_o,
  output                      others_hold_o,
  input  [OS_WRITE_WIDTH-1:0] os_write_i,
  // The refill lane: R asks, W says that it has come near a carry, and two cycles later whether it is uncovered.
  input  [KSR_WIDTH-1:0]      lane_ksr_i,
  output                      lane_refills_o,
  output [TB_COUNT_WIDTH-1:0] lane_tbs_per_sm_o,
  input                       lane_few_i,
  input  [KSR_WIDTH-1:0]      lane_few_ksr_i,
  input                       lane_writes_i,
  input  [KSR_WIDTH-1:0]      lane_written_ksr_i,
  input                       lane_uncovered_i,
  // The kernel that a move is for, in LOAD.
  input  [KSR_WIDTH-1:0]      target_ksr_i,
  output                      target_valid_o,
  output                      target_uncovered_o,
  // The search: a lane each.
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0] look_ksr_i,
  output [LOOK_STATUS_WIDTH-1:0] look_status_o,
  input                       look_i,
  output [LOOK_LAUNCH_WIDTH-1:0] look_launch_o, // a cycle later
  output                      fault_o,
  output                      is_settled_o // nothing on its way
);

`include "tsr_codes.vh"
`include "tsr_buses.vh"
`include "tsr_policy_table.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  localparam HAS_DUES       = (POLICIES & policies_with(ANY_DUE)) != 0;

  reg [NUM_KSRS-1:0]                 valid_q, fresh_q, handles_q, holds_q, uncovered_q;
  reg [NUM_KSRS*CONTEXT_ADDRESS-1:0] context_q;
  reg [NUM_KSRS*4-1:0]               priority_q;

  wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], phase_i[LOAD], phase_i[CALC], phase_i[BURST],
                  status_i, os_write_i}; // but for parts of them
  wire [TB_COUNT_WIDTH-1:0] tbs_per_sm = status_i[STATUS_TBS_PER_SM +: TB_COUNT_WIDTH];

  // 1. The row that is visited.
  wire [NUM_KSRS-1:0] row;
  reg  [NUM_KSRS-1:0] row_q;
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_row (.valid_i(1'b1), .index_i(ksr_i), .row_o(row));
  always @(posedge clk_i) if (phase_i[ROW]) row_q <= row;
  assign valid_o   = |(valid_q & row_q);
  assign fresh_o   = |(fresh_q & row_q);
  assign handles_o = |(handles_q & row_q);
  tsr_select #(.ROWS(NUM_KSRS), .WIDTH(CONTEXT_ADDRESS)) u_context (
    .rows_i(context_q), .row_i(row_q), .data_o(context_o));
  tsr_select #(.ROWS(NUM_KSRS), .WIDTH(4)) u_priority (.rows_i(priority_q), .row_i(row_q), .data_o(priority_o));

  wire [NUM_KSRS-1:0] target_row;
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_target (.valid_i(1'b1), .index_i(target_ksr_i), .row_o(target_row));
  assign target_valid_o     = |(valid_q & target_row);
  assign target_uncovered_o = |(uncovered_q & target_row);

  // 2. WRITE, and two cycles later.
  reg                 write_q, write_2_q;
  reg [KSR_WIDTH-1:0] written_ksr_q;
  wire                writes = phase_i[WRITE] && steps_i;
  wire [NUM_KSRS-1:0] written_row, lane_written_row;
  wire                judges_2;
  wire [NUM_KSRS-1:0] lane_uncovered = lane_written_row & {NUM_KSRS{lane_uncovered_i}};
  wire [NUM_KSRS-1:0] lane_covered   = lane_written_row & {NUM_KSRS{!lane_uncovered_i}};
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_written (.valid_i(judges_2), .index_i(written_ksr_q), .row_o(written_row));
  assign is_settled_o = !write_q && !write_2_q;

  wire enters = phase_i[WRITE] && activates_i;
  always @(posedge clk_i) begin
    if (!rst_ni)                           valid_q <= {NUM_KSRS{1'b0}};
    else if (enters)                       valid_q <= valid_q | row_q;
    else if (phase_i[WRITE] && finishes_i) valid_q <= valid_q & ~row_q;
    if (writes) begin
      fresh_q   <= status_i[STATUS_FRESH] ? fresh_q | row_q : fresh_q & ~row_q;
      handles_q <= status_i[STATUS_HANDLES] ? handles_q | row_q : handles_q & ~row_q;
      holds_q   <= status_i[STATUS_HOLDS] ? holds_q | row_q : holds_q & ~row_q;
    end
    uncovered_q <= lane_uncovered |
                   (uncovered_i ? uncovered_q | written_row : uncovered_q & ~written_row) & ~lane_covered;
  end

  genvar k, lane;
  wire   any_due_fault, any_partition_fault;
  assign fault_o = any_due_fault || any_partition_fault;
  generate
    for (k = 0; k < NUM_KSRS; k = k + 1) begin : g_ksr
      always @(posedge clk_i) begin
        if (enters && row_q[k]) context_q[k*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] <= launch_context_i;
        if (enters && row_q[k]) priority_q[k*4 +: 4] <= launch_priority_i;
        else if (os_write_i[OS_PRIORITY] && context_q[k*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] ==
                                            os_write_i[OS_CONTEXT +: CONTEXT_ADDRESS])
          priority_q[k*4 +: 4] <= os_write_i[OS_DATA +: 4];
      end
    end
    if (HAS_DUES) begin : g_due
      wire [SEARCH_WIDTH-1:0] due_fault;
      for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane_due
        wire [DUE_WIDTH+PARITY:0] written_due, read_due;
        tsr_parity #(.PARITY(PARITY), .WIDTH(DUE_WIDTH + 1)) u_parity (
          .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i({launch_has_due_i, launch_due_i}), .write_word_o(written_due),
          .read_i(look_i && look_status_o[LOOK_VALID + lane]), .used_i(1'b1), .read_word_i(read_due),
          .read_data_o({look_launch_o[LOOK_HAS_DUE + lane], look_launch_o[LOOK_DUE + lane*DUE_WIDTH +: DUE_WIDTH]}),
          .fault_o(due_fault[lane]));
        tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(DUE_WIDTH + 1 + PARITY)) u_dues (
          .clk_i(clk_i), .write_i(phase_i[WRITE] && activates_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]),
          .write_data_i(written_due), .read_i(look_i), .read_address_i(look_ksr_i[lane*KSR_WIDTH +: KSR_ADDRESS]),
          .read_data_o(read_due));
      end
      assign any_due_fault = |due_fault;
    end else begin : g_no_due
      wire unused_due = &{1'b0, launch_has_due_i, launch_due_i, look_i};
      assign any_due_fault  = 1'b0;
      assign look_launch_o[LOOK_HAS_DUE +: SEARCH_WIDTH]       = {SEARCH_WIDTH{1'b0}};
      assign look_launch_o[LOOK_DUE +: SEARCH_WIDTH*DUE_WIDTH] = {SEARCH_WIDTH*DUE_WIDTH{1'b0}};
    end
    if (HAS_PARTITIONS) begin : g_partition
      wire [SEARCH_WIDTH-1:0] partition_fault;
      for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane_partition
        wire [PARTITION_WIDTH-1+PARITY:0] written, read;
        tsr_parity #(.PARITY(PARITY), .WIDTH(PARTITION_WIDTH)) u_parity (
          .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(launch_partition_i), .write_word_o(written),
          .read_i(look_i && look_status_o[LOOK_VALID + lane]), .used_i(1'b1), .read_word_i(read),
          .read_data_o(look_launch_o[LOOK_PARTITION + lane*PARTITION_WIDTH +: PARTITION_WIDTH]),
          .fault_o(partition_fault[lane]));
        tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(PARTITION_WIDTH + PARITY)) u_partitions (
          .clk_i(clk_i), .write_i(phase_i[WRITE] && activates_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]),
          .write_data_i(written), .read_i(look_i), .read_address_i(look_ksr_i[lane*KSR_WIDTH +: KSR_ADDRESS]),
          .read_data_o(read));
      end
      assign any_partition_fault = |partition_fault;
    end else begin : g_no_partition
      wire unused_partition = &{1'b0, launch_partition_i};
      assign any_partition_fault = 1'b0;
      assign look_launch_o[LOOK_PARTITION +: SEARCH_WIDTH*PARTITION_WIDTH] = {SEARCH_WIDTH*PARTITION_WIDTH{1'b0}};
    end
  endgenerate

  always @(posedge clk_i) begin
    write_q   <= !rst_ni || phase_i[WRITE]; // reset, and of no kernel's row, too: nobody reads what becomes of it
    write_2_q <= rst_ni && write_q;
    if (phase_i[WRITE]) written_ksr_q <= ksr_i;
  end

  // 3. What the refill lane asks. A job that leaves counters to the lane has none to judge by.
  generate
    if (REFILL != 0) begin : g_refill
      reg  [NUM_KSRS-1:0]                refills_q; // fresh, without handles, and far from a carry of the low bits
      reg  [NUM_KSRS*TB_COUNT_WIDTH-1:0] tbs_per_sm_q;
      reg                                judges_q, judges_2_q;
      wire [NUM_KSRS-1:0] lane_row, lane_few;
      tsr_one_hot #(.ROWS(NUM_KSRS)) u_lane (.valid_i(1'b1), .index_i(lane_ksr_i), .row_o(lane_row));
      tsr_one_hot #(.ROWS(NUM_KSRS)) u_lane_few (.valid_i(lane_few_i), .index_i(lane_few_ksr_i), .row_o(lane_few));
      tsr_one_hot #(.ROWS(NUM_KSRS)) u_lane_written (
        .valid_i(lane_writes_i), .index_i(lane_written_ksr_i), .row_o(lane_written_row));
      tsr_select #(.ROWS(NUM_KSRS), .WIDTH(TB_COUNT_WIDTH)) u_tbs_per_sm (
        .rows_i(tbs_per_sm_q), .row_i(lane_row), .data_o(lane_tbs_per_sm_o));
      assign lane_refills_o = |(refills_q & lane_row);
      wire refills = status_i[STATUS_FRESH] && !status_i[STATUS_HANDLES] && !status_i[STATUS_FEW];
      always @(posedge clk_i) begin
        refills_q  <= (writes && refills ? refills_q | row_q : refills_q & ~(row_q & {NUM_KSRS{writes}})) & ~lane_few;
        judges_q   <= writes;
        judges_2_q <= judges_q;
      end
      for (k = 0; k < NUM_KSRS; k = k + 1) begin : g_ksr_slots
        always @(posedge clk_i) begin
          if (enters && row_q[k]) tbs_per_sm_q[k*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= tbs_per_sm;
        end
      end
      assign judges_2 = judges_2_q;
    end else begin : g_no_refill
      wire unused_refill = &{1'b0, tbs_per_sm, lane_ksr_i, lane_few_i, lane_few_ksr_i, lane_writes_i,
                             lane_written_ksr_i};
      assign lane_refills_o    = 1'b0;
      assign lane_tbs_per_sm_o = {TB_COUNT_WIDTH{1'b0}};
      assign lane_written_row  = {NUM_KSRS{1'b0}};
      assign judges_2          = write_2_q;
    end
  endgenerate

  // 4. The lowest free row, a cycle later.
  wire [NUM_KSRS-1:0]  taken_below;
  wire [KSR_WIDTH-1:0] free_ksr;
  tsr_prefix_or #(.COUNT(NUM_KSRS)) u_free (.bits_i(~valid_q), .any_o(taken_below));
  tsr_encode #(.COUNT(NUM_KSRS)) u_free_ksr (.row_i(~valid_q & ~(taken_below << 1)), .none_i(1'b0), .index_o(free_ksr));
  always @(posedge clk_i) free_ksr_o <= free_ksr;

  // 5. Who holds SMs.
  generate
    if (KEPT_TURN != 0) begin : g_holders
      wire [NUM_KSRS-1:0]  holders = valid_q & holds_q;
      wire [NUM_KSRS-1:0]  held_below;
      tsr_prefix_or #(.COUNT(NUM_KSRS)) u_holders (.bits_i(holders), .any_o(held_below));
      tsr_encode #(.COUNT(NUM_KSRS)) u_holder (
        .row_i(holders & ~(held_below << 1)), .none_i(!any_holds_o), .index_o(holder_o));
      assign any_holds_o   = |holders;
      assign others_hold_o = |(holders & ~row_q);
    end else begin : g_no_holders
      assign holder_o      = {KSR_WIDTH{1'b0}};
      assign any_holds_o   = 1'b0;
      assign others_hold_o = 1'b0;
    end
  endgenerate

  // 6. The search's rows.
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [NUM_KSRS-1:0] look_row;
      tsr_one_hot #(.ROWS(NUM_KSRS)) u_look (
        .valid_i(1'b1), .index_i(look_ksr_i[lane*KSR_WIDTH +: KSR_WIDTH]), .row_o(look_row));
      assign look_status_o[LOOK_VALID + lane]     = |(valid_q & look_row);
      assign look_status_o[LOOK_UNCOVERED + lane] = |(uncovered_q & look_row);
      assign look_status_o[LOOK_HOLDS + lane]     = |(holds_q & look_row);
      tsr_select #(.ROWS(NUM_KSRS), .WIDTH(CONTEXT_ADDRESS)) u_look_context (
        .rows_i(context_q), .row_i(look_row),
        .data_o(look_status_o[LOOK_CONTEXT + lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS]));
      tsr_select #(.ROWS(NUM_KSRS), .WIDTH(4)) u_look_priority (
        .rows_i(priority_q), .row_i(look_row), .data_o(look_status_o[LOOK_PRIORITY + lane*4 +: 4]));
    end
  endgenerate

endmodule
