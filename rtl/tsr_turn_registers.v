// SPDX-License-Identifier: Apache-2.0
// A kept turn: what a driver says of contexts and of the IP's timers, and what it can see of the turn. Slices are read
// by the bus and by the timer, each from a RAM of its own.
module tsr_turn_registers #(
  parameter NUM_CONTEXTS = 16,
  // Not to be set.
  parameter CONTEXT_WIDTH   = $clog2(NUM_CONTEXTS + 1),
  parameter CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1
) (
  input                       clk_i,
  input                       rst_ni,
  // After reset rows are cleared, one a cycle.
  input                       clear_i,
  input [CONTEXT_ADDRESS-1:0] clear_row_i,
  // Reading and writing half a register; a context's from the cycle after look_i on
  input                       look_i,
  input                       of_context_i, // else one that there is once
  input [CONTEXT_ADDRESS-1:0] context_i,
  input [1:0]                 word_i,
  input                       is_upper_i,
  input                       write_i,
  input [31:0]                data_i,
  output reg [31:0]           data_o,
  output [1:0]                next_slice_end_o, // of the context, as it is written
  // A launch in the command port
  input                       launch_waits_i,
  input [CONTEXT_ADDRESS-1:0] launch_context_i,
  // Pins of the core, and when it takes a policy
  input                       sm_tick_i,
  input                       slice_timer_enable_i,
  input [CONTEXT_WIDTH-1:0]   turn_i,
  input                       turn_passed_i,
  input                       turn_began_i,
  input                       switch_start_i,
  input                       switch_runs_i,
  input                       switch_over_i,
  input                       takes_policy_i,
  input                       keeps_turn_i, // the policy register; else slices are everybody's
  output [NUM_CONTEXTS-1:0]   waiting_o,
  output [NUM_CONTEXTS-1:0]   listed_o,
  output                      slice_tick_o,
  output                      switch_over_o
);

  localparam [1:0] OWN_SLICE = 2'd0, WAITING = 2'd1, SLICE_END = 2'd2, LISTED = 2'd3;                // of a context
  localparam [1:0] COMMON_SLICE = 2'd0, SWITCH_COST = 2'd1, SWITCH_TIMER = 2'd2, TURN = 2'd3; // once

  wire writes_context = write_i && of_context_i && !is_upper_i;
  wire writes_lower   = write_i && !of_context_i && !is_upper_i;
  wire writes_upper   = write_i && !of_context_i && is_upper_i;

  // ---- of contexts --------------------------------------------------------------------------------------------------

  reg  [NUM_CONTEXTS-1:0] waiting_q, listed_q;
  wire [NUM_CONTEXTS-1:0] row, launch_row;
  tsr_one_hot #(.ROWS(NUM_CONTEXTS), .INDEX_WIDTH(CONTEXT_ADDRESS)) u_row (
    .valid_i(1'b1), .index_i(context_i), .row_o(row));
  tsr_one_hot #(.ROWS(NUM_CONTEXTS), .INDEX_WIDTH(CONTEXT_ADDRESS)) u_launch_row (
    .valid_i(launch_waits_i), .index_i(launch_context_i), .row_o(launch_row));

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= {NUM_CONTEXTS{1'b0}};
      listed_q  <= {NUM_CONTEXTS{1'b1}};
    end else if (writes_context) begin
      if (word_i == WAITING) waiting_q <= data_i[0] ? waiting_q | row : waiting_q & ~row;
      if (word_i == LISTED)  listed_q  <= data_i[0] ? listed_q | row : listed_q & ~row;
    end
  end

  assign waiting_o = waiting_q | launch_row;
  assign listed_o  = listed_q;

  wire [33:0] read_row;
  wire [31:0] own_slice, slice_of_turn;
  wire [1:0]  slice_end;
  assign {slice_end, own_slice} = read_row;
  wire [31:0] next_own_slice = word_i == OWN_SLICE && !is_upper_i ? data_i : own_slice;
  assign next_slice_end_o    = word_i == SLICE_END && !is_upper_i ? data_i[1:0] : slice_end;

  wire                       writes_row = clear_i || write_i && of_context_i;
  wire [CONTEXT_ADDRESS-1:0] write_row  = clear_i ? clear_row_i : context_i;
  wire [33:0]                next_row   = {next_slice_end_o, next_own_slice} & {34{!clear_i}};
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(34)) u_rows (
    .clk_i(clk_i), .write_i(writes_row), .write_address_i(write_row), .write_data_i(next_row), .read_i(look_i),
    .read_address_i(context_i), .read_data_o(read_row));
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(32)) u_slices (
    .clk_i(clk_i), .write_i(writes_row), .write_address_i(write_row), .write_data_i(next_row[31:0]), .read_i(1'b1),
    .read_address_i(turn_i[CONTEXT_ADDRESS-1:0]), .read_data_o(slice_of_turn));
  wire unused_none = &{1'b0, turn_i}; // but for an address

  // ---- timers -------------------------------------------------------------------------------------------------------

  reg [31:0] time_slice_q, preempted_q, dry_q, in_slice_q;
  reg        has_timer_q; // of switches

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {time_slice_q, preempted_q, dry_q, in_slice_q} <= 128'd0;
      has_timer_q                                    <= 1'b0;
    end else begin
      if (writes_lower && word_i == COMMON_SLICE) time_slice_q <= data_i;
      if (writes_lower && word_i == SWITCH_COST)  preempted_q  <= data_i;
      if (writes_upper && word_i == SWITCH_COST)  dry_q        <= data_i;
      if (writes_lower && word_i == SWITCH_TIMER) in_slice_q   <= data_i;
      if (writes_upper && word_i == SWITCH_TIMER) has_timer_q  <= data_i[0];
    end
  end

  tsr_turn_timers u_timers (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_tick_i(sm_tick_i), .slice_timer_enable_i(slice_timer_enable_i),
    .slice_i(keeps_turn_i && slice_of_turn != 32'd0 ? slice_of_turn : time_slice_q), .in_slice_i(in_slice_q),
    .switch_over_i(switch_over_i), .slice_tick_o(slice_tick_o), .switch_timer_i(has_timer_q),
    .switch_start_i(switch_start_i), .switch_runs_i(switch_runs_i), .preempted_i(preempted_q), .dry_i(dry_q),
    .switch_over_o(switch_over_o));

  // ---- what a driver sees -------------------------------------------------------------------------------------------

  reg  owned_q, switching_q; // a cycle late, as they are from events
  always @(posedge clk_i) begin
    if (!rst_ni || takes_policy_i) {owned_q, switching_q} <= 2'b00;
    else begin
      owned_q     <= turn_began_i || (owned_q && !turn_passed_i);
      switching_q <= switch_start_i || (switching_q && !switch_over_i);
    end
  end

  always @* begin
    case ({of_context_i, word_i, is_upper_i})
      {1'b1, OWN_SLICE,    1'b0}: data_o = own_slice;
      {1'b1, WAITING,      1'b0}: data_o = {31'd0, |(waiting_q & row)};
      {1'b1, SLICE_END,    1'b0}: data_o = {30'd0, slice_end};
      {1'b1, LISTED,       1'b0}: data_o = {31'd0, |(listed_q & row)};
      {1'b0, COMMON_SLICE, 1'b0}: data_o = time_slice_q;
      {1'b0, SWITCH_COST,  1'b0}: data_o = preempted_q;
      {1'b0, SWITCH_COST,  1'b1}: data_o = dry_q;
      {1'b0, SWITCH_TIMER, 1'b0}: data_o = in_slice_q;
      {1'b0, SWITCH_TIMER, 1'b1}: data_o = {31'd0, has_timer_q};
      {1'b0, TURN,         1'b0}: data_o = {14'd0, switching_q, owned_q, {(16-CONTEXT_WIDTH){1'b0}}, turn_i};
      default:                    data_o = 32'd0;
    endcase
  end

endmodule
