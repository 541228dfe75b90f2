// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite as one access at a time. An access is taken, with its address and data, when all of it is there; registers
// are looked at in the next cycle and act in the one after, for as long as they need.
//
//  cycle            0   1   2   3   4
//  awvalid, wvalid  #   #   _   _   _     or arvalid
//  awready, wready  _   #   _   _   _     or arready
//  look_o           _   #   _   _   _
//  act_o            _   _   #   _   _     until done_i
//  bvalid           _   _   _   #   _     or rvalid; until bready, rready
//
// What is misaligned or writes a part of a word is refused here, and a write without strobes does nothing.
module tsr_axi_channels (
  input             clk_i,
  input             rst_ni,
  input             enable_i, // accesses are taken
  // AXI4-Lite
  input             axi_awvalid_i,
  output            axi_awready_o,
  input      [15:0] axi_awaddr_i,
  input             axi_wvalid_i,
  output            axi_wready_o,
  input      [31:0] axi_wdata_i,
  input      [3:0]  axi_wstrb_i,
  output            axi_bvalid_o,
  input             axi_bready_i,
  output     [1:0]  axi_bresp_o,
  input             axi_arvalid_i,
  output            axi_arready_o,
  input      [15:0] axi_araddr_i,
  output            axi_rvalid_o,
  input             axi_rready_i,
  output     [31:0] axi_rdata_o,
  output     [1:0]  axi_rresp_o,
  // The access
  output            look_o,
  output            act_o,
  output            write_o,
  output     [15:2] address_o,
  output     [31:0] data_o,
  input             done_i,
  input             error_i, // with done_i
  input      [31:0] data_i   // with done_i
);

  reg        write_ready_q, read_ready_q, act_q, write_valid_q, read_valid_q;
  reg        read_first_q; // the last one was a write
  reg        write_q, refused_q, empty_q, error_q;
  reg [15:2] address_q;
  reg [31:0] data_q, read_data_q;

  wire is_free     = enable_i && !write_ready_q && !read_ready_q && !act_q && !write_valid_q && !read_valid_q;
  wire has_write   = axi_awvalid_i && axi_wvalid_i;
  wire takes_write = is_free && has_write && !(axi_arvalid_i && read_first_q);
  wire takes_read  = is_free && axi_arvalid_i && !takes_write;
  wire ends        = act_q && (refused_q || empty_q || done_i);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      write_ready_q <= 1'b0;
      read_ready_q  <= 1'b0;
      act_q         <= 1'b0;
      write_valid_q <= 1'b0;
      read_valid_q  <= 1'b0;
      read_first_q  <= 1'b0;
    end else begin
      write_ready_q <= takes_write;
      read_ready_q  <= takes_read;
      act_q         <= look_o || (act_q && !ends);
      write_valid_q <= (ends && write_q) || (write_valid_q && !axi_bready_i);
      read_valid_q  <= (ends && !write_q) || (read_valid_q && !axi_rready_i);
      if (look_o) read_first_q <= write_q;
    end
  end

  always @(posedge clk_i) begin
    if (takes_write) begin
      address_q <= axi_awaddr_i[15:2];
      data_q    <= axi_wdata_i;
      write_q   <= 1'b1;
      empty_q   <= axi_wstrb_i == 4'b0000;
      refused_q <= axi_awaddr_i[1:0] != 2'd0 || axi_wstrb_i != 4'b1111;
    end else if (takes_read) begin
      address_q <= axi_araddr_i[15:2];
      write_q   <= 1'b0;
      empty_q   <= 1'b0;
      refused_q <= axi_araddr_i[1:0] != 2'd0;
    end
    if (ends) begin
      error_q     <= !empty_q && (refused_q || error_i);
      read_data_q <= refused_q ? 32'd0 : data_i;
    end
  end

  assign axi_awready_o = write_ready_q;
  assign axi_wready_o  = write_ready_q;
  assign axi_arready_o = read_ready_q;
  assign axi_bvalid_o  = write_valid_q;
  assign axi_rvalid_o  = read_valid_q;
  assign axi_bresp_o   = {error_q, 1'b0}; // SLVERR or OKAY
  assign axi_rresp_o   = {error_q, 1'b0};
  assign axi_rdata_o   = read_data_q;

  assign look_o    = write_ready_q || read_ready_q;
  assign act_o     = act_q && !refused_q && !empty_q;
  assign write_o   = write_q;
  assign address_o = address_q;
  assign data_o    = data_q;

endmodule
