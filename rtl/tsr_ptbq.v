// SPDX-License-Identifier: Apache-2.0
// Preempted thread block queues ([T14] 3.3): one memory of handles {TB, stack pointer}, in it a ring per KSR. How many
// handles may be read is kept in the KSRT; that there is room for those that come is the SM driver's care.
module tsr_ptbq #(
  parameter NUM_KSRS   = 13,
  parameter PTBQ_DEPTH = 208,
  parameter TB_WIDTH   = 32,
  // Not to be set.
  parameter KSR_WIDTH    = $clog2(NUM_KSRS + 1),
  parameter HANDLE_WIDTH = TB_WIDTH + 32
) (
  input                  clk_i,
  input                  rst_ni,
  input                  push_i,
  input  [KSR_WIDTH-1:0] push_ksr_i,
  input  [HANDLE_WIDTH-1:0] push_handle_i,
  input                  pop_i,
  input  [KSR_WIDTH-1:0] pop_ksr_i,
  output [HANDLE_WIDTH-1:0] handle_o // of the last pop
);

  localparam POINTER_WIDTH = PTBQ_DEPTH > 1 ? $clog2(PTBQ_DEPTH) : 1;
  localparam DEPTH         = NUM_KSRS * PTBQ_DEPTH;
  localparam ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1;

  reg  [NUM_KSRS*POINTER_WIDTH-1:0] head_q, tail_q;
  wire [POINTER_WIDTH-1:0] head, tail;

  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(POINTER_WIDTH)) u_head (
    .rows_i(head_q), .index_i(pop_ksr_i), .data_o(head));
  tsr_read_port #(.ROWS(NUM_KSRS), .WIDTH(POINTER_WIDTH)) u_tail (
    .rows_i(tail_q), .index_i(push_ksr_i), .data_o(tail));

  // 1. Where a ring lies in the memory.
  wire [31:0] read_address  = pop_ksr_i * PTBQ_DEPTH + {{(32-POINTER_WIDTH){1'b0}}, head};
  wire [31:0] write_address = push_ksr_i * PTBQ_DEPTH + {{(32-POINTER_WIDTH){1'b0}}, tail};
  wire        unused = &{1'b0, read_address, write_address};

  tsr_sram_1r1w #(.DEPTH(DEPTH), .WIDTH(HANDLE_WIDTH)) u_sram (
    .clk_i           (clk_i),
    .write_i         (push_i),
    .write_address_i (write_address[ADDRESS_WIDTH-1:0]),
    .write_data_i    (push_handle_i),
    .read_i          (pop_i),
    .read_address_i  (read_address[ADDRESS_WIDTH-1:0]),
    .read_data_o     (handle_o)
  );

  // 2. Pointers, which wrap at the ring's depth.
  localparam LAST = PTBQ_DEPTH - 1;
  wire [POINTER_WIDTH-1:0] head_next = head == LAST[POINTER_WIDTH-1:0] ? {POINTER_WIDTH{1'b0}} : head + 1'b1;
  wire [POINTER_WIDTH-1:0] tail_next = tail == LAST[POINTER_WIDTH-1:0] ? {POINTER_WIDTH{1'b0}} : tail + 1'b1;

  wire [NUM_KSRS-1:0] pop_row, push_row;
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_pop  (.valid_i(pop_i), .index_i(pop_ksr_i), .row_o(pop_row));
  tsr_one_hot #(.ROWS(NUM_KSRS)) u_push (.valid_i(push_i), .index_i(push_ksr_i), .row_o(push_row));

  genvar i;
  generate
    for (i = 0; i < NUM_KSRS; i = i + 1) begin : g_ring
      always @(posedge clk_i) begin
        if (!rst_ni) begin
          head_q[i*POINTER_WIDTH +: POINTER_WIDTH] <= {POINTER_WIDTH{1'b0}};
          tail_q[i*POINTER_WIDTH +: POINTER_WIDTH] <= {POINTER_WIDTH{1'b0}};
        end else begin
          if (pop_row[i]) head_q[i*POINTER_WIDTH +: POINTER_WIDTH] <= head_next;
          if (push_row[i]) tail_q[i*POINTER_WIDTH +: POINTER_WIDTH] <= tail_next;
        end
      end
    end
  endgenerate

endmodule
