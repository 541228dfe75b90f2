// SPDX-License-Identifier: Apache-2.0
// The context table ([T14] 3.1): base page-table register of each GPU context, sent to an SM at set-up, in a RAM; and
// what dss keeps by context: the budget the OS wrote, and the SMs that its kernels hold.
module tsr_context_table #(
  parameter NUM_CONTEXTS = 16,
  parameter NUM_KSRS     = 13,
  parameter NUM_SMS      = 13,
  // Not to be set.
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1),
  parameter KSR_WIDTH      = $clog2(NUM_KSRS + 1),
  parameter SM_COUNT_WIDTH = $clog2(NUM_SMS + 1)
) (
  input                                    clk_i,
  input                                    rst_ni,
  input  [NUM_CONTEXTS-1:0]                strap_has_budget_i,
  input  [9*NUM_CONTEXTS-1:0]              strap_budget_i,
  // The OS writes.
  input                                    write_page_table_i,
  input                                    write_budget_i,
  input  [CONTEXT_WIDTH-1:0]               write_context_i,
  input  [63:0]                            write_data_i,
  // A kernel enters, or leaves and with it what it held.
  input                                    enter_i,
  input  [CONTEXT_WIDTH-1:0]               enter_context_i,
  input                                    leave_i,
  input  [CONTEXT_WIDTH-1:0]               leave_context_i,
  input  [SM_COUNT_WIDTH-1:0]              leave_held_i,
  // An SM is lost, an SM is gained.
  input                                    lose_i,
  input  [CONTEXT_WIDTH-1:0]               lose_context_i,
  input                                    gain_i,
  input  [CONTEXT_WIDTH-1:0]               gain_context_i,
  // The pool's tokens.
  input                                    clear_pool_tokens_i,
  input                                    take_pool_token_i,
  input  [CONTEXT_WIDTH-1:0]               take_context_i,
  input                                    return_pool_token_i, // of the context of the kernel that leaves
  // The page table of a context, in the next cycle; 0 if the OS never wrote it.
  input                                    read_page_table_i,
  input  [CONTEXT_WIDTH-1:0]               read_context_i,
  output [63:0]                            page_table_o,
  output [NUM_CONTEXTS-1:0]                has_budget_o,
  output [9*NUM_CONTEXTS-1:0]              budget_o,
  output [NUM_CONTEXTS*KSR_WIDTH-1:0]      kernels_o,
  output [NUM_CONTEXTS*SM_COUNT_WIDTH-1:0] held_o,
  output [NUM_CONTEXTS-1:0]                has_pool_token_o
);

  localparam N  = NUM_CONTEXTS;
  localparam KW = KSR_WIDTH;
  localparam SW = SM_COUNT_WIDTH;
  localparam ADDRESS_WIDTH = N > 1 ? $clog2(N) : 1;

  reg [N-1:0]    has_page_table_q; // written since reset
  reg            read_is_written_q;
  reg [N-1:0]    has_budget_q;
  reg [9*N-1:0]  budget_q;
  reg [N*KW-1:0] kernels_q; // active ones
  reg [N*SW-1:0] held_q;    // SMs its kernels own, or that are reserved for them
  reg [N-1:0]    has_pool_token_q;

  assign has_budget_o     = has_budget_q;
  assign budget_o         = budget_q;
  assign kernels_o        = kernels_q;
  assign held_o           = held_q;
  assign has_pool_token_o = has_pool_token_q;

  wire [N-1:0] written_row, enter_row, leave_row, lose_row, gain_row, take_row;
  tsr_one_hot #(.ROWS(N)) u_written (
    .valid_i(write_page_table_i || write_budget_i), .index_i(write_context_i), .row_o(written_row));
  tsr_one_hot #(.ROWS(N)) u_enter (.valid_i(enter_i), .index_i(enter_context_i), .row_o(enter_row));
  tsr_one_hot #(.ROWS(N)) u_leave (.valid_i(leave_i), .index_i(leave_context_i), .row_o(leave_row));
  tsr_one_hot #(.ROWS(N)) u_lose  (.valid_i(lose_i), .index_i(lose_context_i), .row_o(lose_row));
  tsr_one_hot #(.ROWS(N)) u_gain  (.valid_i(gain_i), .index_i(gain_context_i), .row_o(gain_row));
  tsr_one_hot #(.ROWS(N)) u_take  (.valid_i(take_pool_token_i), .index_i(take_context_i), .row_o(take_row));

  wire [N-1:0] counts_row = enter_row | leave_row | lose_row | gain_row;

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      always @(posedge clk_i) begin
        if (!rst_ni) budget_q[9*i +: 9] <= strap_budget_i[9*i +: 9];
        else if (written_row[i] && write_budget_i) budget_q[9*i +: 9] <= write_data_i[8:0];
      end

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          kernels_q[i*KW +: KW] <= {KW{1'b0}};
          held_q[i*SW +: SW]    <= {SW{1'b0}};
        end else if (counts_row[i]) begin
          kernels_q[i*KW +: KW] <= kernels_q[i*KW +: KW] + {{(KW-1){1'b0}}, enter_row[i]} -
                                   {{(KW-1){1'b0}}, leave_row[i]};
          held_q[i*SW +: SW]    <= held_q[i*SW +: SW] + {{(SW-1){1'b0}}, gain_row[i]} -
                                   {{(SW-1){1'b0}}, lose_row[i]} - (leave_row[i] ? leave_held_i : {SW{1'b0}});
        end
      end
    end
  endgenerate

  // Page tables.
  wire        read_is_written;
  wire [63:0] page_table;
  tsr_read_port #(.ROWS(N), .WIDTH(1)) u_read_is_written (
    .rows_i(has_page_table_q), .index_i(read_context_i), .data_o(read_is_written));
  tsr_sram_1r1w #(.DEPTH(N), .WIDTH(64)) u_page_tables (
    .clk_i           (clk_i),
    .write_i         (write_page_table_i),
    .write_address_i (write_context_i[ADDRESS_WIDTH-1:0]),
    .write_data_i    (write_data_i),
    .read_i          (read_page_table_i),
    .read_address_i  (read_context_i[ADDRESS_WIDTH-1:0]),
    .read_data_o     (page_table)
  );
  assign page_table_o = read_is_written_q ? page_table : 64'd0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      has_page_table_q  <= {N{1'b0}};
      read_is_written_q <= 1'b0;
    end else begin
      if (write_page_table_i) has_page_table_q <= has_page_table_q | written_row;
      if (read_page_table_i) read_is_written_q <= read_is_written;
    end
  end

  // Of tokens of the pool the later ones win: a distribution begins, one goes, a budget takes the place of all.
  wire [N-1:0] budget_row = written_row & {N{write_budget_i}};
  wire [N-1:0] return_row = leave_row & {N{return_pool_token_i}};

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      has_budget_q     <= strap_has_budget_i;
      has_pool_token_q <= {N{1'b0}};
    end else begin
      has_budget_q     <= has_budget_q | budget_row;
      has_pool_token_q <= (has_pool_token_q & ~return_row & {N{!clear_pool_tokens_i}} | take_row) & ~budget_row;
    end
  end

endmodule
