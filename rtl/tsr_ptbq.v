// SPDX-License-Identifier: Apache-2.0
// Preempted thread block queues ([T14] 3.3): a ring of handles for each KSR, all in one memory. The heads are in the
// kernels' rows, the tails are here.
module tsr_ptbq #(
`include "tsr_sizes.vh"
) (
  input                     clk_i,
  input                     rst_ni,
  // A handle in, for the KSR that owns its SM; in memory two cycles later.
  input                     push_i,
  input  [KSR_WIDTH-1:0]    push_ksr_i,
  input  [TB_WIDTH+31:0]    push_data_i,
  // Activation: head and tail are 0.
  input                     clear_i,
  // A handle is read.
  input                     read_i,
  input  [KSR_WIDTH-1:0]    ksr_i,      // that is visited
  input  [RING_ADDRESS-1:0] head_i,
  output [TB_WIDTH+31:0]    read_data_o, // a cycle later
  output                    fault_o,     // then
  output                    is_settled_o
);

`include "tsr_codes.vh"

  localparam WORDS   = NUM_KSRS * PTBQ_DEPTH;
  localparam LAST_WORD = PTBQ_DEPTH - 1;
  localparam [RING_ADDRESS-1:0] LAST = LAST_WORD[RING_ADDRESS-1:0]; // of a ring
  localparam ADDRESS = WORDS > 1 ? $clog2(WORDS) : 1;

  // 1. The handle waits a cycle for its ring's tail.
  reg                    push_q;
  reg [KSR_WIDTH-1:0]    push_ksr_q;
  reg [TB_WIDTH+31:0]    push_data_q;
  always @(posedge clk_i) begin
    push_q <= rst_ni && push_i;
    if (push_i) begin
      push_ksr_q  <= push_ksr_i;
      push_data_q <= push_data_i;
    end
  end
  assign is_settled_o = !push_q;

  // 2. Tails.
  reg  [NUM_KSRS*RING_ADDRESS-1:0] tail_q;
  wire [NUM_KSRS-1:0]              push_row, clear_row;
  wire [RING_ADDRESS-1:0]          tail;
  wire [RING_ADDRESS-1:0]          tail_next = tail == LAST ? {RING_ADDRESS{1'b0}}
                                                            : tail + {{(RING_ADDRESS-1){1'b0}}, 1'b1};
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_push (.valid_i(push_q), .index_i(push_ksr_q), .row_o(push_row));
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_clear (.valid_i(clear_i), .index_i(ksr_i), .row_o(clear_row));
  tsr_select #(.ROWS(NUM_KSRS), .WIDTH(RING_ADDRESS)) u_tail (.rows_i(tail_q), .row_i(push_row), .data_o(tail));

  // 3. Where each ring begins: a table of constants.
  wire [NUM_KSRS*ADDRESS-1:0] bases;
  wire [ADDRESS-1:0]          push_base, read_base;
  wire [NUM_KSRS-1:0]         read_row;
  genvar k;
  generate
    for (k = 0; k < NUM_KSRS; k = k + 1) begin : g_ring
      localparam BASE = k * PTBQ_DEPTH;
      assign bases[k*ADDRESS +: ADDRESS] = BASE[ADDRESS-1:0];
      always @(posedge clk_i) begin
        if (clear_row[k])     tail_q[k*RING_ADDRESS +: RING_ADDRESS] <= {RING_ADDRESS{1'b0}};
        else if (push_row[k]) tail_q[k*RING_ADDRESS +: RING_ADDRESS] <= tail_next;
      end
    end
  endgenerate
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_read (.valid_i(1'b1), .index_i(ksr_i), .row_o(read_row));
  tsr_select #(.ROWS(NUM_KSRS), .WIDTH(ADDRESS)) u_push_base (.rows_i(bases), .row_i(push_row), .data_o(push_base));
  tsr_select #(.ROWS(NUM_KSRS), .WIDTH(ADDRESS)) u_read_base (.rows_i(bases), .row_i(read_row), .data_o(read_base));

  // 4. The memory.
  wire [ADDRESS-1:0] push_offset, read_offset;
  generate
    if (ADDRESS > RING_ADDRESS) begin : g_offset
      assign push_offset = {{(ADDRESS-RING_ADDRESS){1'b0}}, tail};
      assign read_offset = {{(ADDRESS-RING_ADDRESS){1'b0}}, head_i};
    end else begin : g_one_ring
      assign push_offset = tail[ADDRESS-1:0];
      assign read_offset = head_i[ADDRESS-1:0];
    end
  endgenerate
  wire [TB_WIDTH+31+PARITY:0] push_word, read_word;
  tsr_parity #(.PARITY(PARITY), .WIDTH(TB_WIDTH + 32)) u_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(push_data_q), .write_word_o(push_word), .read_i(read_i),
    .used_i(1'b1), .read_word_i(read_word), .read_data_o(read_data_o), .fault_o(fault_o));
  tsr_sram_1r1w #(.DEPTH(WORDS), .WIDTH(TB_WIDTH + 32 + PARITY)) u_handles (
    .clk_i(clk_i), .write_i(push_q), .write_address_i(push_base + push_offset), .write_data_i(push_word),
    .read_i(read_i), .read_address_i(read_base + read_offset), .read_data_o(read_word));

endmodule
