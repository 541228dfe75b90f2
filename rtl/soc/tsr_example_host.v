// SPDX-License-Identifier: Apache-2.0
// A tiny host for simulation: reads and writes of AXI4-Lite as tasks, and what a driver needs of the registers
// (register_map.md, "Command port"). Whoever uses it calls its tasks, one at a time.
module tsr_example_host (
  input             clk_i,
  output reg        axi_awvalid_o,
  input             axi_awready_i,
  output reg [15:0] axi_awaddr_o,
  output     [2:0]  axi_awprot_o,
  output reg        axi_wvalid_o,
  input             axi_wready_i,
  output reg [31:0] axi_wdata_o,
  output     [3:0]  axi_wstrb_o,
  input             axi_bvalid_i,
  output reg        axi_bready_o,
  input      [1:0]  axi_bresp_i,
  output reg        axi_arvalid_o,
  input             axi_arready_i,
  output reg [15:0] axi_araddr_o,
  output     [2:0]  axi_arprot_o,
  input             axi_rvalid_i,
  output reg        axi_rready_o,
  input      [31:0] axi_rdata_i,
  input      [1:0]  axi_rresp_i,
  output reg        error_o // an access was refused
);

  localparam [15:0] LAUNCH_GRID = 16'h0100, LAUNCH_DESCRIPTOR = 16'h0108, LAUNCH_DOORBELL = 16'h0110,
                    LAUNCH_STATUS = 16'h0118, KERNEL_DONE = 16'h0120, PRIORITY = 16'h1000;

  assign axi_awprot_o = 3'b000;
  assign axi_arprot_o = 3'b000;
  assign axi_wstrb_o  = 4'b1111;

  reg [63:0] read_data;  // of the last read
  reg [31:0] lower_half;

  initial begin
    {axi_awvalid_o, axi_wvalid_o, axi_bready_o, axi_arvalid_o, axi_rready_o, error_o} = 6'd0;
    {axi_awaddr_o, axi_araddr_o} = 32'd0;
    axi_wdata_o = 32'd0;
  end

  // ---- the bus: pins change in the middle of a cycle. tsr_ip's are registers, so they can be seen there -

  task write(input [15:0] address, input [31:0] data);
    begin
      {axi_awaddr_o, axi_wdata_o} = {address, data};
      {axi_awvalid_o, axi_wvalid_o, axi_bready_o} = 3'b111;
      while (!(axi_awready_i && axi_wready_i)) @(negedge clk_i); // it takes both together
      @(negedge clk_i) {axi_awvalid_o, axi_wvalid_o} = 2'b00;
      while (!axi_bvalid_i) @(negedge clk_i);
      if (axi_bresp_i != 2'b00) error_o = 1'b1;
      @(negedge clk_i) axi_bready_o = 1'b0;
    end
  endtask

  task read(input [15:0] address, output [31:0] data);
    begin
      axi_araddr_o = address;
      {axi_arvalid_o, axi_rready_o} = 2'b11;
      while (!axi_arready_i) @(negedge clk_i);
      @(negedge clk_i) axi_arvalid_o = 1'b0;
      while (!axi_rvalid_i) @(negedge clk_i);
      data = axi_rdata_i;
      if (axi_rresp_i != 2'b00) error_o = 1'b1;
      @(negedge clk_i) axi_rready_o = 1'b0;
    end
  endtask

  // ---- registers, which are 64 bits wide --------------------------------------------------------------------------

  task write64(input [15:0] address, input [63:0] data);
    begin
      write(address + 16'd4, data[63:32]);
      write(address, data[31:0]);
    end
  endtask

  task read64(input [15:0] address); // into read_data
    begin
      read(address, lower_half);
      read(address + 16'd4, read_data[63:32]);
      read_data[31:0] = lower_half;
    end
  endtask

  task set_priority(input [7:0] of_context, input [3:0] value);
    write(PRIORITY + {3'd0, of_context, 5'd0}, {28'd0, value});
  endtask

  task launch(input [15:0] of_context, input [31:0] num_tbs, input [7:0] tbs_per_sm, input [39:0] descriptor);
    begin
      read(LAUNCH_STATUS, lower_half);
      while (lower_half[0]) read(LAUNCH_STATUS, lower_half); // one waits in the port
      write64(LAUNCH_GRID, {24'd0, tbs_per_sm, num_tbs});
      write64(LAUNCH_DESCRIPTOR, {24'd0, descriptor});
      write(LAUNCH_DOORBELL, {16'd0, of_context});
    end
  endtask

  // The oldest kernel that is done, if there is one, and removes it.
  task take_done(output valid, output [39:0] descriptor);
    begin
      read(KERNEL_DONE + 16'd4, lower_half);
      valid = lower_half[31];
      descriptor[39:32] = lower_half[7:0];
      read(KERNEL_DONE, lower_half);
      descriptor[31:0] = lower_half;
      if (valid) write(KERNEL_DONE, 32'd0);
    end
  endtask

endmodule
