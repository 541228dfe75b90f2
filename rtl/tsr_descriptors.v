// SPDX-License-Identifier: Apache-2.0
// What SMs and hosts are told of a kernel: its descriptor, a word in RAM for each KSR. Where there are partitions, the
// kernel's is in the same word, and in its launch.
module tsr_descriptors #(
`include "tsr_sizes.vh"
  , parameter KERNEL_WIDTH = DESCRIPTOR_WIDTH // and PARTITION_WIDTH, if there are partitions
) (
  input                         clk_i,
  input                         rst_ni,
  // A command, and the launch that is activated.
  input  [DESCRIPTOR_WIDTH-1:0] command_descriptor_i,
  input  [PARTITION_WIDTH-1:0]  command_partition_i,
  output [KERNEL_WIDTH-1:0]     command_kernel_o,
  input  [KERNEL_WIDTH-1:0]     launch_kernel_i,
  output [PARTITION_WIDTH-1:0]  launch_partition_o,
  // The KSR that is visited: an activation writes its word, ROW reads it.
  input                         write_i,
  input                         read_i,
  input                         valid_i,      // LOAD: the word is a kernel's
  input  [KSR_WIDTH-1:0]        ksr_i,
  output [DESCRIPTOR_WIDTH-1:0] descriptor_o,
  output [PARTITION_WIDTH-1:0]  partition_o,
  output                        fault_o
);

  wire unused = &{1'b0, ksr_i}; // but for an address's bits

  wire [KERNEL_WIDTH-1+PARITY:0] written_word, read_word;
  wire [KERNEL_WIDTH-1:0]        row_kernel;
  tsr_parity #(.PARITY(PARITY), .WIDTH(KERNEL_WIDTH)) u_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(launch_kernel_i), .write_word_o(written_word), .read_i(read_i),
    .used_i(valid_i), .read_word_i(read_word), .read_data_o(row_kernel), .fault_o(fault_o));
  tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(KERNEL_WIDTH + PARITY)) u_words (
    .clk_i(clk_i), .write_i(write_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]), .write_data_i(written_word),
    .read_i(read_i), .read_address_i(ksr_i[KSR_ADDRESS-1:0]), .read_data_o(read_word));

  assign descriptor_o = row_kernel[DESCRIPTOR_WIDTH-1:0];
  generate
    if (KERNEL_WIDTH > DESCRIPTOR_WIDTH) begin : g_partition
      assign command_kernel_o   = {command_partition_i, command_descriptor_i};
      assign launch_partition_o = launch_kernel_i[DESCRIPTOR_WIDTH +: PARTITION_WIDTH];
      assign partition_o        = row_kernel[DESCRIPTOR_WIDTH +: PARTITION_WIDTH];
    end else begin : g_no_partition
      wire unused_partition = &{1'b0, command_partition_i};
      assign command_kernel_o   = command_descriptor_i;
      assign launch_partition_o = {PARTITION_WIDTH{1'b0}};
      assign partition_o        = {PARTITION_WIDTH{1'b0}};
    end
  endgenerate

endmodule
