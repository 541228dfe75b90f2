// SPDX-License-Identifier: Apache-2.0
// Registers of the GPU contexts, a row each in a RAM, and the control write that tells the core of a change: it is held
// until the core takes it, and accesses that need the core wait so long.
module tsr_context_registers #(
  parameter NUM_CONTEXTS   = 16,
  parameter HAS_DEADLINE   = 0, // a register more
  parameter DEADLINE_WIDTH = 48,
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1), // not to be set
  parameter ADDRESS_WIDTH  = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1 // not to be set
) (
  input                          clk_i,
  input                          rst_ni,
  output                         ready_o, // after reset rows are cleared, one a cycle
  output [ADDRESS_WIDTH-1:0]     clear_row_o, // until then
  // The row of a context that exists, from the cycle after look_i on.
  input                          look_i,
  input  [CONTEXT_WIDTH-1:0]     context_i,
  output [3:0]                   priority_o,
  output [DEADLINE_WIDTH-1:0]    deadline_o,
  // Reading and writing half a word of it.
  input  [1:0]                   word_i, // 0 priority, 1 tokens, 2 page table, 3 deadline: the core is not told of it
  input                          is_upper_i,
  input                          write_i,
  input  [31:0]                  data_i,
  output reg [31:0]              data_o,
  input                          write_policy_i,
  input  [15:0]                  policy_i,
  input                          write_sm_partition_i, // static_partition: {SM, its partition}
  input  [15:0]                  sm_partition_i,
  input                          write_slice_end_i, // a kept turn
  input  [1:0]                   slice_end_i,
  // Control registers of the core
  output                         control_valid_o,
  output reg [2:0]               control_reg_o,
  output reg [CONTEXT_WIDTH-1:0] control_context_o,
  output reg [63:0]              control_data_o,
  input                          control_ready_i
);

  localparam ROW_WIDTH = (HAS_DEADLINE != 0 ? DEADLINE_WIDTH : 0) + 64 + 9 + 4;
  localparam LAST      = NUM_CONTEXTS - 1;

  localparam [1:0] PRIORITY = 2'd0, TOKENS = 2'd1, PAGE_TABLE = 2'd2, DEADLINE = 2'd3;

  // ---- rows ---------------------------------------------------------------------------------------------------------

  reg                      clearing_q;
  reg  [ADDRESS_WIDTH-1:0] clear_row_q;
  wire [63:0]              page_table, next_page_table;
  wire [8:0]               tokens, next_tokens;
  wire [3:0]               next_priority;

  assign ready_o     = !clearing_q;
  assign clear_row_o = clear_row_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q  <= 1'b1;
      clear_row_q <= {ADDRESS_WIDTH{1'b0}};
    end else if (clearing_q) begin
      clearing_q  <= clear_row_q != LAST[ADDRESS_WIDTH-1:0];
      clear_row_q <= clear_row_q + 1'b1;
    end
  end

  wire [ROW_WIDTH-1:0]     read_row, next_row;
  wire [ADDRESS_WIDTH-1:0] row = context_i[ADDRESS_WIDTH-1:0];
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(ROW_WIDTH)) u_rows (
    .clk_i           (clk_i),
    .write_i         (clearing_q || write_i),
    .write_address_i (clearing_q ? clear_row_q : row),
    .write_data_i    (clearing_q ? {ROW_WIDTH{1'b0}} : next_row),
    .read_i          (look_i),
    .read_address_i  (row),
    .read_data_o     (read_row)
  );
  assign {page_table, tokens, priority_o} = read_row[76:0];

  assign next_priority          = word_i == PRIORITY && !is_upper_i ? data_i[3:0] : priority_o;
  assign next_tokens            = word_i == TOKENS && !is_upper_i ? data_i[8:0] : tokens;
  assign next_page_table[31:0]  = word_i == PAGE_TABLE && !is_upper_i ? data_i : page_table[31:0];
  assign next_page_table[63:32] = word_i == PAGE_TABLE && is_upper_i ? data_i : page_table[63:32];

  generate
    if (HAS_DEADLINE != 0) begin : g_deadline
      wire [DEADLINE_WIDTH-1:0] next_deadline;
      assign deadline_o = read_row[ROW_WIDTH-1 -: DEADLINE_WIDTH];
      assign next_deadline[31:0]                = word_i == DEADLINE && !is_upper_i ? data_i : deadline_o[31:0];
      assign next_deadline[DEADLINE_WIDTH-1:32] = word_i == DEADLINE && is_upper_i ? data_i[DEADLINE_WIDTH-33:0]
                                                                                   : deadline_o[DEADLINE_WIDTH-1:32];
      assign next_row = {next_deadline, next_page_table, next_tokens, next_priority};
    end else begin : g_no_deadline
      assign deadline_o = {DEADLINE_WIDTH{1'b0}};
      assign next_row   = {next_page_table, next_tokens, next_priority};
    end
  endgenerate

  always @* begin
    case ({word_i, is_upper_i})
      {PRIORITY,   1'b0}: data_o = {28'd0, priority_o};
      {TOKENS,     1'b0}: data_o = {23'd0, tokens};
      {PAGE_TABLE, 1'b0}: data_o = page_table[31:0];
      {PAGE_TABLE, 1'b1}: data_o = page_table[63:32];
      {DEADLINE,   1'b0}: data_o = deadline_o[31:0];
      {DEADLINE,   1'b1}: data_o = {{(64-DEADLINE_WIDTH){1'b0}}, deadline_o[DEADLINE_WIDTH-1:32]};
      default:            data_o = 32'd0;
    endcase
  end

  // ---- control write ------------------------------------------------------------------------------------------------

  reg  control_valid_q;
  wire tells = write_i && word_i != DEADLINE || write_policy_i || write_sm_partition_i || write_slice_end_i;
  assign control_valid_o = control_valid_q;

  always @(posedge clk_i) begin
    if (!rst_ni) control_valid_q <= 1'b0;
    else         control_valid_q <= tells || (control_valid_q && !control_ready_i);
  end

  always @(posedge clk_i) begin
    if (tells) begin
      control_reg_o     <= write_policy_i ? 3'd0 : write_sm_partition_i ? 3'd4 : write_slice_end_i ? 3'd5
                                                                               : {1'b0, word_i} + 3'd1;
      control_context_o <= context_i;
      if (write_policy_i)          control_data_o <= {48'd0, policy_i};
      else if (write_sm_partition_i) control_data_o <= {48'd0, sm_partition_i};
      else if (write_slice_end_i)  control_data_o <= {62'd0, slice_end_i};
      else if (word_i == PRIORITY) control_data_o <= {60'd0, next_priority};
      else if (word_i == TOKENS)   control_data_o <= {55'd0, next_tokens};
      else                         control_data_o <= next_page_table;
    end
  end

endmodule
