// SPDX-License-Identifier: Apache-2.0
// Context table: what the OS wrote of a context (budget, page table), and how many of its kernels are active
// (timing.md 4.1).
module tsr_contexts #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  // The OS.
  input                        write_policy_i,
  input                        write_tokens_i,
  input                        write_page_table_i,
  input  [CONTEXT_ADDRESS-1:0] write_context_i,
  input  [63:0]                write_data_i,
  // The context of a launch, or of a deal: its budget a cycle after it is read.
  input                        by_process_i,
  input                        budget_read_i,
  input  [CONTEXT_ADDRESS-1:0] budget_context_i, // holds still until its job is done
  output                       has_budget_o,
  output [8:0]                 budget_o,
  output                       is_first_o,       // WRITE: of its row of tokens
  output                       is_last_o,        // WRITE: the context's only kernel
  // The job, from CALC on.
  input  [7:0]                 phase_i,
  input  [CONTEXT_ADDRESS-1:0] context_i,
  input                        activates_i,
  input                        deals_i,
  input                        finishes_i,
  // WRITE: read in CALC.
  input                        sets_up_i,        // the job shows it
  output [63:0]                page_table_o,
  output                       fault_o,          // of what was read in the cycle before
  output [NUM_CONTEXTS-1:0]    active_o,         // have active kernels
  output                       two_contexts_o    // or more do
);

`include "tsr_codes.vh"

  reg [NUM_CONTEXTS*KSR_WIDTH-1:0] kernels_q;
  reg [NUM_CONTEXTS-1:0]           has_budget_q, dealt_q;
  reg [CONTEXT_WIDTH-1:0]          active_q; // contexts with kernels

  wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], phase_i[ROW], phase_i[LOAD], phase_i[BURST]};

  wire [NUM_CONTEXTS-1:0] write_row, budget_row, job_row;
  genvar c;
  generate
    for (c = 0; c < NUM_CONTEXTS; c = c + 1) begin : g_row
      assign write_row[c]  = write_context_i == c;
      assign budget_row[c] = budget_context_i == c;
      assign job_row[c]    = context_i == c;
    end
  endgenerate

  // 1. Active kernels.
  wire                 writes  = phase_i[WRITE];
  wire                 enters  = writes && activates_i;
  wire                 leaves  = writes && finishes_i;
  wire [KSR_WIDTH-1:0] kernels;
  tsr_select #(.ROWS(NUM_CONTEXTS), .WIDTH(KSR_WIDTH)) u_kernels (
    .rows_i(kernels_q), .row_i(job_row), .data_o(kernels));
  wire [KSR_WIDTH-1:0] kernels_next = kernels + {{(KSR_WIDTH-1){!activates_i}}, 1'b1};
  wire                 is_alone     = kernels == {KSR_WIDTH{1'b0}};
  wire                 was_dealt    = |(dealt_q & budget_row);
  assign is_last_o      = kernels == {{(KSR_WIDTH-1){1'b0}}, 1'b1};
  assign is_first_o     = !by_process_i || (deals_i ? !was_dealt : is_alone);
  assign two_contexts_o = |(active_q >> 1);

  generate
    for (c = 0; c < NUM_CONTEXTS; c = c + 1) begin : g_context
      assign active_o[c] = |kernels_q[c*KSR_WIDTH +: KSR_WIDTH];
      always @(posedge clk_i) begin
        if (!rst_ni) begin
          kernels_q[c*KSR_WIDTH +: KSR_WIDTH] <= {KSR_WIDTH{1'b0}};
          {has_budget_q[c], dealt_q[c]} <= 2'd0;
        end else begin
          if ((enters || leaves) && job_row[c]) kernels_q[c*KSR_WIDTH +: KSR_WIDTH] <= kernels_next;
          if (write_tokens_i && write_row[c]) has_budget_q[c] <= 1'b1;
          dealt_q[c] <= !write_policy_i && !(write_tokens_i && write_row[c]) &&
                        (dealt_q[c] || writes && deals_i && budget_row[c]);
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!rst_ni)                     active_q <= {CONTEXT_WIDTH{1'b0}};
    else if (enters && is_alone)     active_q <= active_q + {{(CONTEXT_WIDTH-1){1'b0}}, 1'b1};
    else if (leaves && is_last_o)    active_q <= active_q - {{(CONTEXT_WIDTH-1){1'b0}}, 1'b1};
  end

  // 2. Budgets.
  reg has_budget_now_q;
  always @(posedge clk_i) if (budget_read_i) has_budget_now_q <= |(has_budget_q & budget_row);
  assign has_budget_o = has_budget_now_q;
  wire [8+PARITY:0] budget_written, budget_read;
  wire              budget_fault;
  tsr_parity #(.PARITY(PARITY), .WIDTH(9)) u_budget_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(write_data_i[8:0]), .write_word_o(budget_written),
    .read_i(budget_read_i), .used_i(has_budget_now_q), .read_word_i(budget_read), .read_data_o(budget_o),
    .fault_o(budget_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(9 + PARITY)) u_budgets (
    .clk_i(clk_i), .write_i(write_tokens_i), .write_address_i(write_context_i), .write_data_i(budget_written),
    .read_i(budget_read_i), .read_address_i(budget_context_i), .read_data_o(budget_read));

  // 3. Page tables: anything until they are written.
  wire               page_table_is_written; // the one that was read
  wire [63+PARITY:0] page_table_written, page_table_read;
  wire               page_table_fault;
  generate
    if (PARITY != 0) begin : g_is_written
      reg [NUM_CONTEXTS-1:0] has_page_table_q;
      reg                    is_written_q;
      always @(posedge clk_i) begin
        if (!rst_ni)                 has_page_table_q <= {NUM_CONTEXTS{1'b0}};
        else if (write_page_table_i) has_page_table_q <= has_page_table_q | write_row;
        if (phase_i[CALC]) is_written_q <= |(has_page_table_q & job_row);
      end
      assign page_table_is_written = is_written_q;
    end else begin : g_no_parity
      assign page_table_is_written = 1'b0;
    end
  endgenerate
  tsr_parity #(.PARITY(PARITY), .WIDTH(64)) u_page_table_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(write_data_i), .write_word_o(page_table_written),
    .read_i(phase_i[CALC]), .used_i(sets_up_i && page_table_is_written), .read_word_i(page_table_read),
    .read_data_o(page_table_o), .fault_o(page_table_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(64 + PARITY)) u_page_tables (
    .clk_i(clk_i), .write_i(write_page_table_i), .write_address_i(write_context_i), .write_data_i(page_table_written),
    .read_i(phase_i[CALC]), .read_address_i(context_i), .read_data_o(page_table_read));
  assign fault_o = budget_fault || page_table_fault;

endmodule
