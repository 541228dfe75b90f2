// SPDX-License-Identifier: Apache-2.0
// Whose an SM is under static_partition (timing.md 5.8): its partition, as the OS wrote it, and whether it may count
// against a kernel of another one. Without static_partition there is neither.
module tsr_sm_partitions #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  // The OS.
  input                        write_policy_i,
  input                        write_partition_i,
  input  [7:0]                 write_sm_i,
  input  [PARTITION_WIDTH-1:0] write_data_i,
  // The search: the SMs of the step's partition. It stands long before they are looked for, so they are in a register.
  input                        in_partitions_i,
  input                        has_partition_i,
  input  [PARTITION_WIDTH-1:0] partition_i,
  output [NUM_SMS-1:0]         in_step_o,
  // The job.
  input  [NUM_SMS-1:0]         row_i,
  output [PARTITION_WIDTH-1:0] partition_o, // WRITE
  input  [NUM_SMS-1:0]         moved_i,     // for a kernel of their partition
  output [NUM_SMS-1:0]         foreign_o
);

`include "tsr_policy_table.vh"

  genvar i;
  generate
    if ((POLICIES & policies_with(IN_PARTITIONS)) != 0) begin : g_partition
      reg [NUM_SMS*PARTITION_WIDTH-1:0] partition_q;
      reg [NUM_SMS-1:0]                 foreign_q, in_step_q;
      tsr_select #(.ROWS(NUM_SMS), .WIDTH(PARTITION_WIDTH)) u_read (
        .rows_i(partition_q), .row_i(row_i), .data_o(partition_o)); // as it is in WRITE: the OS may write meanwhile
      for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
        localparam [7:0] THIS = i;
        wire writes = write_partition_i && write_sm_i == THIS;
        always @(posedge clk_i) begin
          if (!rst_ni)     partition_q[i*PARTITION_WIDTH +: PARTITION_WIDTH] <= {PARTITION_WIDTH{1'b0}};
          else if (writes) partition_q[i*PARTITION_WIDTH +: PARTITION_WIDTH] <= write_data_i;
          in_step_q[i] <= !in_partitions_i ||
                          has_partition_i && partition_q[i*PARTITION_WIDTH +: PARTITION_WIDTH] == partition_i;
          foreign_q[i] <= rst_ni && (write_policy_i || writes || foreign_q[i] && !moved_i[i]);
        end
      end
      assign in_step_o = in_step_q;
      assign foreign_o = foreign_q;
    end else begin : g_no_partition
      wire unused = &{1'b0, clk_i, rst_ni, write_policy_i, write_partition_i, write_sm_i, write_data_i, in_partitions_i,
                      has_partition_i, partition_i, row_i, moved_i};
      assign in_step_o   = {NUM_SMS{1'b1}};
      assign partition_o = {PARTITION_WIDTH{1'b0}};
      assign foreign_o   = {NUM_SMS{1'b0}};
    end
  endgenerate

endmodule
