// SPDX-License-Identifier: Apache-2.0
// The command port: three registers describe a launch, and a write of the last one, the doorbell, hands it in. It waits
// here until launches are let out, a command buffer is free, and u_done has a place for it when it is done; until then
// the registers are the launch's, and writes are refused.
module tsr_command_port #(
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter MAX_TBS_PER_SM      = 16,
  parameter TB_WIDTH            = 32,
  parameter DONE_DEPTH          = 32, // kernels that were launched and not yet read as done
  parameter HAS_DEADLINE        = 0,  // launches are due
  parameter DEADLINE_WIDTH      = 48,
  parameter HAS_PARTITIONS      = 0,
  parameter PARTITION_WIDTH     = 4,
  // Not to be set.
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1),
  parameter BUFFER_WIDTH   = $clog2(NUM_COMMAND_BUFFERS + 1),
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1),
  parameter COUNT_WIDTH    = $clog2(DONE_DEPTH + 1)
) (
  input                            clk_i,
  input                            rst_ni,
  // Reading and writing half a register
  input                            look_i, // the cycle before it may act
  input  [2:0]                     word_i, // 0 grid, 1 descriptor, 2 doorbell, 3 status, 4 kernel done
  input                            is_upper_i,
  input                            write_i,
  input  [31:0]                    data_i,
  input  [3:0]                     priority_i, // of the context that a doorbell names
  input  [DEADLINE_WIDTH-1:0]      deadline_i,
  input  [PARTITION_WIDTH-1:0]     partition_i,
  output reg [31:0]                data_o,
  output reg [3:0]                 error_o,    // code of what a write does wrong
  // A context's priority as the OS writes it
  input                            write_priority_i,
  input  [CONTEXT_WIDTH-1:0]       write_context_i,
  // and half of its deadline
  input                            write_deadline_i,
  input                            write_is_upper_i,
  input  [31:0]                    write_data_i,
  // and its partition
  input                            write_partition_i,
  input  [PARTITION_WIDTH-1:0]     written_partition_i,
  // Letting launches out
  input                            enable_i,
  input                            hold_i, // a control write goes first
  output                           is_busy_o,
  output                           waits_o, // a launch of command_context_o, until the core has taken it
  output                           is_any_done_o,
  // Command in of the core
  output                           command_valid_o,
  output [BUFFER_WIDTH-1:0]        command_buffer_o,
  output [CONTEXT_WIDTH-1:0]       command_context_o,
  output [3:0]                     command_priority_o,
  output                           command_has_due_o,
  output [31:0]                    command_due_o, // in 1024 cycles since reset
  output [PARTITION_WIDTH-1:0]     command_partition_o,
  output [TB_WIDTH-1:0]            command_num_tbs_o,
  output [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_o,
  output [39:0]                    command_descriptor_o,
  input  [NUM_COMMAND_BUFFERS-1:0] buffer_free_i,
  // Kernel done of the core
  input                            kernel_done_valid_i,
  input  [39:0]                    kernel_done_descriptor_i
);

  localparam [2:0] GRID = 3'd0, DESCRIPTOR = 3'd1, DOORBELL = 3'd2, STATUS = 3'd3, KERNEL_DONE = 3'd4;
  localparam [3:0] NONE = 4'd0, BAD_KERNEL = 4'd2, BAD_CONTEXT = 4'd3, PORT_FULL = 4'd8;

  localparam [31:0] DEPTH    = DONE_DEPTH;
  localparam [31:0] MOST_TBS = MAX_TBS_PER_SM;
  localparam [31:0] CONTEXTS = NUM_CONTEXTS;

  reg                     waits_q, valid_q, is_any_free_q;
  reg [BUFFER_WIDTH-1:0]  buffer_q;
  reg [CONTEXT_WIDTH-1:0] context_q;
  reg [3:0]               priority_q;
  reg                     has_own_priority_q;
  reg [31:0]              num_tbs_q;
  reg [7:0]               tbs_per_sm_q;
  reg [39:0]              descriptor_q;
  reg [COUNT_WIDTH-1:0]   outstanding_q;

  // ---- registers ----------------------------------------------------------------------------------------------------

  wire is_doorbell   = word_i == DOORBELL && !is_upper_i;
  wire knows_context = {1'b0, data_i[15:0]} < CONTEXTS[16:0];
  wire is_too_many;
  wire is_kernel     = num_tbs_q != 32'd0 && (num_tbs_q >> TB_WIDTH) == 32'd0 && tbs_per_sm_q != 8'd0 && !is_too_many;
  generate
    if (MAX_TBS_PER_SM < 255) begin : g_most
      assign is_too_many = tbs_per_sm_q > MOST_TBS[7:0];
    end else begin : g_all
      assign is_too_many = 1'b0;
    end
  endgenerate

  always @* begin
    error_o = NONE;
    if (word_i < STATUS && waits_q)         error_o = PORT_FULL;
    else if (is_doorbell && !knows_context) error_o = BAD_CONTEXT;
    else if (is_doorbell && !is_kernel)     error_o = BAD_KERNEL;
  end

  wire writes   = write_i && error_o == NONE;
  wire launches = writes && is_doorbell;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      num_tbs_q    <= 32'd0;
      tbs_per_sm_q <= 8'd0;
      descriptor_q <= 40'd0;
    end else if (writes) begin
      if (word_i == GRID && !is_upper_i)       num_tbs_q           <= data_i;
      if (word_i == GRID && is_upper_i)        tbs_per_sm_q        <= data_i[7:0];
      if (word_i == DESCRIPTOR && !is_upper_i) descriptor_q[31:0]  <= data_i;
      if (word_i == DESCRIPTOR && is_upper_i)  descriptor_q[39:32] <= data_i[7:0];
    end
  end

  wire        done_valid;
  wire [39:0] done_descriptor;
  always @* begin
    case ({word_i, is_upper_i})
      {GRID,        1'b0}: data_o = num_tbs_q;
      {GRID,        1'b1}: data_o = {24'd0, tbs_per_sm_q};
      {DESCRIPTOR,  1'b0}: data_o = descriptor_q[31:0];
      {DESCRIPTOR,  1'b1}: data_o = {24'd0, descriptor_q[39:32]};
      {STATUS,      1'b0}: data_o = {{(16-COUNT_WIDTH){1'b0}}, outstanding_q, 14'd0, is_any_free_q, waits_q};
      {STATUS,      1'b1}: data_o = DEPTH;
      {KERNEL_DONE, 1'b0}: data_o = done_descriptor[31:0];
      {KERNEL_DONE, 1'b1}: data_o = {done_valid, 23'd0, done_descriptor[39:32]};
      default:             data_o = 32'd0;
    endcase
  end

  // ---- the launch ---------------------------------------------------------------------------------------------------

  // The lowest buffer that is free. It stays so until a command is on the pins, so that it may be looked up ahead.
  wire [NUM_COMMAND_BUFFERS-1:0] free_at_or_below;
  wire [BUFFER_WIDTH-1:0]        free_buffer;
  wire                           is_any_free = free_at_or_below[NUM_COMMAND_BUFFERS-1];
  tsr_prefix_or #(.COUNT(NUM_COMMAND_BUFFERS)) u_free (.bits_i(buffer_free_i), .any_o(free_at_or_below));
  tsr_encode #(.COUNT(NUM_COMMAND_BUFFERS)) u_free_buffer (
    .row_i(buffer_free_i & ~(free_at_or_below << 1)), .none_i(!is_any_free), .index_o(free_buffer));

  always @(posedge clk_i) begin
    if (!rst_ni) is_any_free_q <= 1'b0;
    else         is_any_free_q <= is_any_free && !valid_q;
    buffer_q <= free_buffer;
  end

  wire pops; // a kernel was read as done
  wire issues = waits_q && enable_i && !hold_i && is_any_free_q && outstanding_q != DEPTH[COUNT_WIDTH-1:0];

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q       <= 1'b0;
      valid_q       <= 1'b0;
      outstanding_q <= {COUNT_WIDTH{1'b0}};
    end else begin
      waits_q       <= launches || (waits_q && !issues);
      valid_q       <= issues;
      outstanding_q <= outstanding_q + {{(COUNT_WIDTH-1){1'b0}}, issues} - {{(COUNT_WIDTH-1){1'b0}}, pops};
    end
  end

  // A priority of the context's, if the launch has none of its own, is that of the cycle in which it leaves.
  wire takes_written = write_priority_i && write_context_i == context_q && !has_own_priority_q;

  always @(posedge clk_i) begin
    if (launches) begin
      context_q          <= data_i[CONTEXT_WIDTH-1:0];
      has_own_priority_q <= data_i[20];
    end
    if (launches)           priority_q <= data_i[20] ? data_i[19:16] : priority_i;
    else if (takes_written) priority_q <= write_data_i[3:0];
  end

  // When it is due: its context's deadline from the cycle on in which it is on the pins of the core.
  generate
    if (HAS_DEADLINE != 0) begin : g_due
      localparam TIME_WIDTH = 32 + 10;
      localparam [TIME_WIDTH-1:0] ONE = 1;
      reg  [TIME_WIDTH-1:0]     next_cycle_q; // since reset
      reg  [DEADLINE_WIDTH-1:0] deadline_q;
      reg                       has_due_q;
      reg  [31:0]               due_q;
      wire [TIME_WIDTH-1:0]     due = next_cycle_q + deadline_q[TIME_WIDTH-1:0];
      wire                      unused = &{1'b0, due[9:0]};
      always @(posedge clk_i) begin
        next_cycle_q <= rst_ni ? next_cycle_q + ONE : ONE;
        has_due_q    <= deadline_q != {DEADLINE_WIDTH{1'b0}};
        due_q        <= due[TIME_WIDTH-1:10];
        if (launches) begin
          deadline_q <= deadline_i;
        end else if (write_deadline_i && write_context_i == context_q) begin
          if (write_is_upper_i) deadline_q[DEADLINE_WIDTH-1:32] <= write_data_i[DEADLINE_WIDTH-33:0];
          else                  deadline_q[31:0]                <= write_data_i;
        end
      end
      assign command_has_due_o = has_due_q;
      assign command_due_o     = due_q;
    end else begin : g_no_due
      wire unused = &{1'b0, deadline_i, write_deadline_i, write_is_upper_i, write_data_i[31:4]};
      assign command_has_due_o = 1'b0;
      assign command_due_o     = 32'd0;
    end
  endgenerate

  generate
    if (HAS_PARTITIONS != 0) begin : g_partition
      reg [PARTITION_WIDTH-1:0] partition_q;
      always @(posedge clk_i) begin
        if (launches)                                                  partition_q <= partition_i;
        else if (write_partition_i && write_context_i == context_q) partition_q <= written_partition_i;
      end
      assign command_partition_o = partition_q;
    end else begin : g_no_partition
      wire unused_partition = &{1'b0, partition_i, write_partition_i, written_partition_i};
      assign command_partition_o = {PARTITION_WIDTH{1'b0}};
    end
  endgenerate

  assign waits_o              = waits_q || valid_q;
  assign command_valid_o      = valid_q;
  assign command_buffer_o     = buffer_q;
  assign command_context_o    = context_q;
  assign command_priority_o   = priority_q;
  assign command_num_tbs_o    = num_tbs_q[TB_WIDTH-1:0];
  assign command_tbs_per_sm_o = tbs_per_sm_q[TB_COUNT_WIDTH-1:0];
  assign command_descriptor_o = descriptor_q;

  // ---- kernels that are done ----------------------------------------------------------------------------------------

  wire [COUNT_WIDTH-1:0] num_done;
  assign is_any_done_o = num_done != {COUNT_WIDTH{1'b0}};
  assign is_busy_o     = waits_q || outstanding_q != num_done;
  assign pops          = write_i && word_i == KERNEL_DONE && !is_upper_i && is_any_done_o;

  tsr_done_queue #(.DEPTH(DONE_DEPTH)) u_done (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .push_i       (kernel_done_valid_i),
    .descriptor_i (kernel_done_descriptor_i),
    .look_i       (look_i),
    .pop_i        (pops),
    .valid_o      (done_valid),
    .descriptor_o (done_descriptor),
    .count_o      (num_done)
  );

endmodule
