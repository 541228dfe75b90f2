// SPDX-License-Identifier: Apache-2.0
// Command buffers ([T14] 3.3), and the scan that finds the one to be activated (timing.md 5.5): a buffer a cycle, then
// a cycle to compare and one to judge.
module tsr_commands #(
`include "tsr_sizes.vh"
  , parameter LAUNCH_WIDTH = TB_WIDTH + TB_COUNT_WIDTH + DESCRIPTOR_WIDTH // of a launch, what lies in RAM
) (
  input                            clk_i,
  input                            rst_ni,
  // Command in.
  input                            command_valid_i,
  input  [BUFFER_ADDRESS-1:0]      command_buffer_i,
  input  [CONTEXT_ADDRESS-1:0]     command_context_i,
  input  [3:0]                     command_priority_i,
  input                            command_has_due_i,
  input  [DUE_WIDTH-1:0]           command_due_i,
  input  [LAUNCH_WIDTH-1:0]        command_launch_i,
  output [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  output                           waits_o,          // a command
  // The OS.
  input                            write_priority_i,
  input  [CONTEXT_ADDRESS-1:0]     write_context_i,
  input  [3:0]                     write_data_i,
  // The scan begins in the cycle after.
  input                            scan_i,
  input  [19:0]                    rules_i,          // the policy's
  // A turn that is kept: the command of the nearest context enters.
  input                            by_nearness_i,
  input  [CONTEXT_ADDRESS-1:0]     turn_i,
  output [NUM_CONTEXTS-1:0]        queued_o,         // contexts that have one
  output                           scanned_o,        // its last cycle:
  output                           found_o,
  // What was found, from then on; its launch a cycle later.
  output [CONTEXT_ADDRESS-1:0]     context_o,
  output [3:0]                     priority_o,
  output                           has_due_o,
  output [DUE_WIDTH-1:0]           due_o,
  output [LAUNCH_WIDTH-1:0]        launch_o,
  output [BUFFER_ADDRESS-1:0]      buffer_o,
  output                           fault_o,          // of what was read in the cycle before
  input                            retire_i,         // it was activated
  output                           rests_o           // nothing of it changes without an input
);

`include "tsr_policy_table.vh"

  localparam HAS_DUES = (POLICIES & policies_with(ANY_DUE)) != 0;
  localparam [BUFFER_WIDTH-1:0]   PAST = NUM_COMMAND_BUFFERS[BUFFER_WIDTH-1:0];   // the step after all buffers
  localparam                      LAST_BUFFER = NUM_COMMAND_BUFFERS - 1;
  localparam [BUFFER_ADDRESS-1:0] LAST = LAST_BUFFER[BUFFER_ADDRESS-1:0];

  wire in_turn     = |(rules_i & ENTERS_IN_TURN);
  wire by_priority = |(rules_i & ENTERS_BY_PRIORITY);
  wire by_due      = |(rules_i & ENTERS_BY_DUE);

  reg [NUM_COMMAND_BUFFERS-1:0]                 valid_q;
  reg [NUM_COMMAND_BUFFERS*CONTEXT_ADDRESS-1:0] context_q;
  reg [NUM_COMMAND_BUFFERS*4-1:0]               priority_q;
  reg [NUM_COMMAND_BUFFERS*BUFFER_ADDRESS-1:0]  age_q;   // in order of arrival; the first `count_q` count
  reg [BUFFER_WIDTH-1:0]                        count_q;
  reg [BUFFER_ADDRESS-1:0]                      last_q;  // activated last

  assign buffer_free_o = ~valid_q;
  assign waits_o       = |valid_q;

  // 1. Which buffer passes.
  reg                       scanning_q, ending_q, passes_q, found_q;
  reg [BUFFER_WIDTH-1:0]    step_q;
  reg [BUFFER_ADDRESS-1:0]  at_q, passing_q, best_q;
  wire [NUM_COMMAND_BUFFERS-1:0] step_row, at_row;
  wire [BUFFER_ADDRESS-1:0]      aged;
  wire [BUFFER_ADDRESS-1:0]      buffer = in_turn ? at_q : aged;
  wire [BUFFER_ADDRESS-1:0]      first  = last_q == LAST ? {BUFFER_ADDRESS{1'b0}}
                                                         : last_q + {{(BUFFER_ADDRESS-1){1'b0}}, 1'b1};
  genvar b;
  generate
    for (b = 0; b < NUM_COMMAND_BUFFERS; b = b + 1) begin : g_row
      assign step_row[b] = step_q == b;
      assign at_row[b]   = buffer == b;
    end
  endgenerate
  tsr_select #(.ROWS(NUM_COMMAND_BUFFERS), .WIDTH(BUFFER_ADDRESS)) u_aged (
    .rows_i(age_q), .row_i(step_row), .data_o(aged));
  wire past       = step_q == PAST; // all have passed
  wire waits_here = in_turn ? |(valid_q & at_row) : step_q < count_q;

  // 2. Its fields, to be compared in the next cycle.
  wire [CONTEXT_ADDRESS-1:0] passing_context;
  wire [3:0]                 passing_priority;
  reg  [CONTEXT_ADDRESS-1:0] context_passing_q, best_context_q;
  reg  [3:0]                 priority_passing_q, best_priority_q;
  tsr_select #(.ROWS(NUM_COMMAND_BUFFERS), .WIDTH(CONTEXT_ADDRESS)) u_context (
    .rows_i(context_q), .row_i(at_row), .data_o(passing_context));
  tsr_select #(.ROWS(NUM_COMMAND_BUFFERS), .WIDTH(4)) u_priority (
    .rows_i(priority_q), .row_i(at_row), .data_o(passing_priority));
  wire due_better, is_nearer;
  wire better = passes_q &&
                (!found_q || by_priority && priority_passing_q > best_priority_q || by_due && due_better ||
                 by_nearness_i && is_nearer);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {scanning_q, ending_q, passes_q, found_q} <= 4'd0;
      step_q <= {BUFFER_WIDTH{1'b0}};
    end else begin
      scanning_q <= scan_i || scanning_q && !past;
      ending_q   <= scanning_q && past && !scan_i;
      step_q     <= scan_i || !scanning_q ? {BUFFER_WIDTH{1'b0}} : step_q + {{(BUFFER_WIDTH-1){1'b0}}, 1'b1};
      passes_q <= scanning_q && !scan_i && waits_here && |step_row;
      if (scan_i)      found_q <= 1'b0;
      else if (better) found_q <= 1'b1;
    end
    if (scan_i)          at_q <= first;
    else if (scanning_q) at_q <= at_q == LAST ? {BUFFER_ADDRESS{1'b0}} : at_q + {{(BUFFER_ADDRESS-1){1'b0}}, 1'b1};
    if (scanning_q) begin
      passing_q          <= buffer;
      context_passing_q  <= passing_context;
      priority_passing_q <= passing_priority;
    end
    if (better) begin
      best_q          <= passing_q;
      best_context_q  <= context_passing_q;
      best_priority_q <= priority_passing_q;
    end
  end

  assign scanned_o  = ending_q;
  assign found_o    = found_q;
  assign buffer_o   = best_q;
  assign context_o  = best_context_q;
  assign priority_o = best_priority_q;

  wire due_fault, launch_fault;
  generate
    if (HAS_DUES) begin : g_due
      reg                  best_has_due_q;
      reg  [DUE_WIDTH-1:0] best_due_q;
      wire                 passing_has_due;
      wire [DUE_WIDTH-1:0] passing_due;
      wire [DUE_WIDTH-1:0] distance = passing_due - best_due_q;
      wire [DUE_WIDTH+PARITY:0] due_written, due_read;
      tsr_parity #(.PARITY(PARITY), .WIDTH(DUE_WIDTH + 1)) u_parity (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i({command_has_due_i, command_due_i}), .write_word_o(due_written),
        .read_i(scanning_q), .used_i(passes_q), .read_word_i(due_read), .read_data_o({passing_has_due, passing_due}),
        .fault_o(due_fault));
      tsr_sram_1r1w #(.DEPTH(NUM_COMMAND_BUFFERS), .WIDTH(DUE_WIDTH + 1 + PARITY)) u_dues (
        .clk_i(clk_i), .write_i(command_valid_i), .write_address_i(command_buffer_i), .write_data_i(due_written),
        .read_i(scanning_q), .read_address_i(buffer), .read_data_o(due_read));
      assign due_better = passing_has_due && (!best_has_due_q || distance[DUE_WIDTH-1]);
      assign has_due_o  = best_has_due_q;
      assign due_o      = best_due_q;
      always @(posedge clk_i) if (better) {best_has_due_q, best_due_q} <= {passing_has_due, passing_due};
    end else begin : g_no_due
      wire unused_due = &{1'b0, command_has_due_i, command_due_i};
      assign due_fault  = 1'b0;
      assign due_better = 1'b0;
      assign has_due_o  = 1'b0;
      assign due_o      = {DUE_WIDTH{1'b0}};
    end
  endgenerate

  // How far a context is behind the turn's, as its buffer passes: the turn may change in a scan.
  generate
    if (KEPT_TURN != 0) begin : g_nearness
      localparam [CONTEXT_ADDRESS:0] CONTEXTS = NUM_CONTEXTS[CONTEXT_ADDRESS:0];
      wire [CONTEXT_ADDRESS:0]   ahead  = {1'b0, passing_context} - {1'b0, turn_i};
      wire [CONTEXT_ADDRESS:0]   behind = ahead + (ahead[CONTEXT_ADDRESS] ? CONTEXTS : {(CONTEXT_ADDRESS+1){1'b0}});
      reg  [CONTEXT_ADDRESS-1:0] distance_q, best_distance_q;
      wire                       unused_sign = behind[CONTEXT_ADDRESS];
      always @(posedge clk_i) begin
        if (scanning_q) distance_q      <= behind[CONTEXT_ADDRESS-1:0];
        if (better)     best_distance_q <= distance_q;
      end
      assign is_nearer = distance_q < best_distance_q;
    end else begin : g_no_nearness
      wire unused_nearness = &{1'b0, turn_i};
      assign is_nearer = 1'b0;
    end
  endgenerate

  // 3. What is in RAM until it is activated.
  wire [LAUNCH_WIDTH-1+PARITY:0] launch_written, launch_read;
  tsr_parity #(.PARITY(PARITY), .WIDTH(LAUNCH_WIDTH)) u_launch_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(command_launch_i), .write_word_o(launch_written), .read_i(ending_q),
    .used_i(found_q), .read_word_i(launch_read), .read_data_o(launch_o), .fault_o(launch_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_COMMAND_BUFFERS), .WIDTH(LAUNCH_WIDTH + PARITY)) u_launches (
    .clk_i(clk_i), .write_i(command_valid_i), .write_address_i(command_buffer_i), .write_data_i(launch_written),
    .read_i(ending_q), .read_address_i(best_q), .read_data_o(launch_read));
  assign fault_o = due_fault || launch_fault;

  // 4. A command comes, goes, or gets another priority; the order of arrival closes up.
  wire [BUFFER_WIDTH-1:0]                count_left = count_q - {{(BUFFER_WIDTH-1){1'b0}}, retire_i};
  wire [NUM_COMMAND_BUFFERS-1:0]         is_behind, is_best;
  reg  [NUM_COMMAND_BUFFERS-1:0]         is_best_q; // the entry of the one that was found
  wire [NUM_COMMAND_BUFFERS*BUFFER_ADDRESS-1:0] moved_up = age_q >> BUFFER_ADDRESS;
  tsr_prefix_or #(.COUNT(NUM_COMMAND_BUFFERS)) u_is_behind (.bits_i(is_best_q), .any_o(is_behind));
  generate
    for (b = 0; b < NUM_COMMAND_BUFFERS; b = b + 1) begin : g_buffer
      wire enters = command_valid_i && command_buffer_i == b;
      assign is_best[b] = age_q[b*BUFFER_ADDRESS +: BUFFER_ADDRESS] == best_q;
      always @(posedge clk_i) begin
        is_best_q[b] <= is_best[b];
        if (!rst_ni) valid_q[b] <= 1'b0;
        else         valid_q[b] <= enters || valid_q[b] && !(retire_i && best_q == b);
        if (enters) context_q[b*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] <= command_context_i;
        if (enters) priority_q[b*4 +: 4] <= command_priority_i;
        else if (write_priority_i && context_q[b*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] == write_context_i)
          priority_q[b*4 +: 4] <= write_data_i;
        if (command_valid_i && count_left == b) age_q[b*BUFFER_ADDRESS +: BUFFER_ADDRESS] <= command_buffer_i;
        else if (retire_i && is_behind[b])
          age_q[b*BUFFER_ADDRESS +: BUFFER_ADDRESS] <= moved_up[b*BUFFER_ADDRESS +: BUFFER_ADDRESS];
      end
    end
  endgenerate

  assign rests_o = !(scanning_q || ending_q || passes_q || |step_q) && is_best_q == is_best;

  // 5. Contexts that have a command here: a bit each, which costs less than to decode every buffer's context.
  generate
    if (KEPT_TURN != 0) begin : g_queued
      reg  [NUM_CONTEXTS-1:0]        queued_q;
      wire [NUM_COMMAND_BUFFERS-1:0] has_another; // of the context whose command is activated
      for (b = 0; b < NUM_COMMAND_BUFFERS; b = b + 1) begin : g_buffer
        assign has_another[b] = valid_q[b] && best_q != b &&
                                context_q[b*CONTEXT_ADDRESS +: CONTEXT_ADDRESS] == best_context_q;
      end
      wire empties = retire_i && !(|has_another);
      for (b = 0; b < NUM_CONTEXTS; b = b + 1) begin : g_context
        always @(posedge clk_i) begin
          queued_q[b] <= rst_ni && (command_valid_i && command_context_i == b ||
                                    queued_q[b] && !(empties && best_context_q == b));
        end
      end
      assign queued_o = queued_q;
    end else begin : g_none_queued
      assign queued_o = {NUM_CONTEXTS{1'b0}};
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= {BUFFER_WIDTH{1'b0}};
      last_q  <= LAST;
    end else begin
      count_q <= count_left + {{(BUFFER_WIDTH-1){1'b0}}, command_valid_i};
      if (retire_i) last_q <= best_q;
    end
  end

endmodule
