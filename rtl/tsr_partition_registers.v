// SPDX-License-Identifier: Apache-2.0
// static_partition: the partition of each SM, of which the core is told, and that of each context, which its launches
// take along. A row each in RAMs.
module tsr_partition_registers #(
  parameter NUM_SMS      = 13,
  parameter NUM_CONTEXTS = 16,
  // Not to be set.
  parameter PARTITION_WIDTH = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1,
  parameter SM_ADDRESS      = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1,
  parameter CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1
) (
  input                        clk_i,
  input                        rst_ni,
  output                       ready_o, // after reset rows are cleared, one a cycle
  // Rows that exist, from the cycle after look_i on.
  input                        look_i,
  input  [SM_ADDRESS-1:0]      sm_i,
  input  [CONTEXT_ADDRESS-1:0] context_i,
  output [PARTITION_WIDTH-1:0] sm_partition_o,
  output [PARTITION_WIDTH-1:0] context_partition_o,
  // Writing one of them.
  input                        write_sm_i,
  input                        write_context_i,
  input  [PARTITION_WIDTH-1:0] data_i
);

  localparam ROWS = NUM_SMS > NUM_CONTEXTS ? NUM_SMS : NUM_CONTEXTS;
  localparam LAST = ROWS - 1;
  localparam ROW_WIDTH = ROWS > 1 ? $clog2(ROWS) : 1;

  reg                 clearing_q;
  reg [ROW_WIDTH-1:0] row_q;
  assign ready_o = !clearing_q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      row_q      <= {ROW_WIDTH{1'b0}};
    end else if (clearing_q) begin
      clearing_q <= row_q != LAST[ROW_WIDTH-1:0];
      row_q      <= row_q + 1'b1;
    end
  end

  // An address beyond the table is a row that was cleared already, or none.
  wire [PARTITION_WIDTH-1:0] data = data_i & {PARTITION_WIDTH{!clearing_q}};
  tsr_sram_1r1w #(.DEPTH(NUM_SMS), .WIDTH(PARTITION_WIDTH)) u_sms (
    .clk_i           (clk_i),
    .write_i         (clearing_q || write_sm_i),
    .write_address_i (clearing_q ? row_q[SM_ADDRESS-1:0] : sm_i),
    .write_data_i    (data),
    .read_i          (look_i),
    .read_address_i  (sm_i),
    .read_data_o     (sm_partition_o)
  );
  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(PARTITION_WIDTH)) u_contexts (
    .clk_i           (clk_i),
    .write_i         (clearing_q || write_context_i),
    .write_address_i (clearing_q ? row_q[CONTEXT_ADDRESS-1:0] : context_i),
    .write_data_i    (data),
    .read_i          (look_i),
    .read_address_i  (context_i),
    .read_data_o     (context_partition_o)
  );

endmodule
