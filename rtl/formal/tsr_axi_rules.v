// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4-Lite between a master and a subordinate, on their pins alone: nothing here knows who answers. Each
// output says that a rule is kept in this cycle. Who uses this assumes master_keeps_o and asserts the other ones.
// Requests outstanding are counted on each channel: those taken (valid and ready) less those answered.
module tsr_axi_rules #(
  parameter ADDRESS_WIDTH   = 16,
  parameter DATA_WIDTH      = 32,
  parameter MAX_OUTSTANDING = 1, // on a channel
  parameter MAX_WAIT        = 63 // cycles without an answer
) (
  input                      clk_i,
  input                      rst_ni, // synchronous
  input                      awvalid_i,
  input                      awready_i,
  input  [ADDRESS_WIDTH-1:0] awaddr_i,
  input  [2:0]               awprot_i,
  input                      wvalid_i,
  input                      wready_i,
  input  [DATA_WIDTH-1:0]    wdata_i,
  input  [DATA_WIDTH/8-1:0]  wstrb_i,
  input                      bvalid_i,
  input                      bready_i,
  input  [1:0]               bresp_i,
  input                      arvalid_i,
  input                      arready_i,
  input  [ADDRESS_WIDTH-1:0] araddr_i,
  input  [2:0]               arprot_i,
  input                      rvalid_i,
  input                      rready_i,
  input  [DATA_WIDTH-1:0]    rdata_i,
  input  [1:0]               rresp_i,
  // Waiting: cycles that are not counted, and events from which they are counted anew.
  input                      wait_pauses_i,
  input                      wait_restarts_i,
  // What a master has to do.
  output                     master_keeps_o,      // a request stays, with its payload, until it is taken
  // What a subordinate has to do.
  output                     write_is_asked_o,    // a response is to an address and to data that were taken before
  output                     read_is_asked_o,
  output                     outstanding_o,       // no more requests are taken than MAX_OUTSTANDING
  output                     answer_stays_o,      // with its payload, until it is taken
  output                     reset_is_silent_o,   // no response in the cycle after one of reset
  output                     answer_is_legal_o,   // not EXOKAY
  output                     overtaken_once_o,    // while a read waits at most one write is taken, and vice versa
  output                     answered_in_time_o   // one of the requests that wait, within MAX_WAIT
);

  reg is_known_q = 1'b0; // there was a reset
  reg was_reset_q;
  always @(posedge clk_i) begin
    was_reset_q <= !rst_ni;
    if (!rst_ni) is_known_q <= 1'b1;
  end
  wire is_live = is_known_q && rst_ni;
  wire goes_on = is_live && !was_reset_q; // from the cycle before

  // ---- the cycle before ---------------------------------------------------------------------------------------------

  localparam A = ADDRESS_WIDTH + 3, W = DATA_WIDTH + DATA_WIDTH / 8, R = DATA_WIDTH + 2;
  reg         aw_waits_q, w_waits_q, ar_waits_q, b_waits_q, r_waits_q;
  reg [A-1:0] aw_q, ar_q;
  reg [W-1:0] w_q;
  reg [1:0]   b_q;
  reg [R-1:0] r_q;
  wire [A-1:0] aw = {awaddr_i, awprot_i}, ar = {araddr_i, arprot_i};
  wire [W-1:0] w  = {wdata_i, wstrb_i};
  wire [R-1:0] r  = {rdata_i, rresp_i};
  always @(posedge clk_i) begin
    aw_waits_q <= awvalid_i && !awready_i;
    w_waits_q  <= wvalid_i && !wready_i;
    ar_waits_q <= arvalid_i && !arready_i;
    b_waits_q  <= bvalid_i && !bready_i;
    r_waits_q  <= rvalid_i && !rready_i;
    aw_q <= aw;
    w_q  <= w;
    ar_q <= ar;
    b_q  <= bresp_i;
    r_q  <= r;
  end

  assign master_keeps_o    = !goes_on || (!aw_waits_q || awvalid_i && aw == aw_q) &&
                             (!w_waits_q || wvalid_i && w == w_q) && (!ar_waits_q || arvalid_i && ar == ar_q);
  assign answer_stays_o    = !goes_on || (!b_waits_q || bvalid_i && bresp_i == b_q) &&
                             (!r_waits_q || rvalid_i && r == r_q);
  assign reset_is_silent_o = !(is_known_q && was_reset_q) || !bvalid_i && !rvalid_i;
  assign answer_is_legal_o = !is_live || !(bvalid_i && bresp_i == 2'b01) && !(rvalid_i && rresp_i == 2'b01);

  // ---- outstanding --------------------------------------------------------------------------------------------------

  reg [7:0] addresses_q, data_q, reads_q;
  wire takes_aw = awvalid_i && awready_i, takes_w = wvalid_i && wready_i, takes_ar = arvalid_i && arready_i;
  wire ends_write = bvalid_i && bready_i, ends_read = rvalid_i && rready_i;
  always @(posedge clk_i) begin
    addresses_q <= rst_ni ? addresses_q + takes_aw - ends_write : 8'd0;
    data_q      <= rst_ni ? data_q + takes_w - ends_write : 8'd0;
    reads_q     <= rst_ni ? reads_q + takes_ar - ends_read : 8'd0;
  end

  assign write_is_asked_o = !is_live || !bvalid_i || addresses_q != 0 && data_q != 0;
  assign read_is_asked_o  = !is_live || !rvalid_i || reads_q != 0;
  assign outstanding_o    = !is_live || addresses_q <= MAX_OUTSTANDING && data_q <= MAX_OUTSTANDING &&
                            reads_q <= MAX_OUTSTANDING;

  // ---- waiting ------------------------------------------------------------------------------------------------------

  // A write waits to be taken while all of it is there.
  wire write_waits = awvalid_i && wvalid_i;
  reg        write_waited_q, read_waited_q;
  reg  [1:0] write_overtaken_q, read_overtaken_q;
  always @(posedge clk_i) begin
    write_waited_q <= rst_ni && write_waits && !takes_aw;
    read_waited_q  <= rst_ni && arvalid_i && !takes_ar;
    if (!rst_ni || takes_aw || !write_waits) write_overtaken_q <= 2'd0;
    else if (write_waited_q && takes_ar && !write_overtaken_q[1]) write_overtaken_q <= write_overtaken_q + 2'd1;
    if (!rst_ni || takes_ar || !arvalid_i) read_overtaken_q <= 2'd0;
    else if (read_waited_q && takes_aw && !read_overtaken_q[1]) read_overtaken_q <= read_overtaken_q + 2'd1;
  end
  assign overtaken_once_o  = !is_live || !write_overtaken_q[1] && !read_overtaken_q[1];

  reg [7:0] wait_q;
  wire waits = (awvalid_i || addresses_q != 0) && (wvalid_i || data_q != 0) || arvalid_i || reads_q != 0;
  always @(posedge clk_i) begin
    if (!rst_ni || wait_restarts_i || bvalid_i || rvalid_i || !waits) wait_q <= 8'd0;
    else if (!wait_pauses_i && wait_q <= MAX_WAIT) wait_q <= wait_q + 8'd1;
  end
  assign answered_in_time_o = !is_live || wait_q <= MAX_WAIT;

endmodule
