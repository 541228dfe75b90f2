// SPDX-License-Identifier: Apache-2.0
// Runs the example SoC: a long kernel of context 0, and short ones of context 1 with a higher priority, for which SMs
// save thread blocks and restore them later. Every thread block has to run exactly once. Says PASSED or FAILED.
module tsr_example_bench #(
  parameter TAG_WIDTH = 1,
  parameter REFILL    = 0
);

  localparam NUM_SMS = 4, SLOTS = 4, TB_WIDTH = 8, KERNELS = 12;
  localparam [31:0] OUTSTANDING = 32'd8;    // kernels launched and not read as done: NUM_KSRS + NUM_COMMAND_BUFFERS
  localparam PLACES  = KERNELS << TB_WIDTH; // thread blocks that there may be
  localparam [31:0] LIMIT = 32'd8000;       // cycles
  localparam [15:0] ID = 16'h0000, CONTROL = 16'h0010, INTERRUPT_ENABLE = 16'h0028, COUNTERS = 16'h0200;

  reg        clk = 1'b0, rst_n = 1'b0;
  reg [31:0] cycle = 32'd0;
  always #5 clk = !clk;
  always @(posedge clk) cycle <= cycle + 32'd1;

  // ---- the SoC: SM 2 is wired, SM 3 is far away -------------------------------------------------------------------

  wire        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready, irq, idle, error;
  wire [15:0] awaddr, araddr;
  wire [2:0]  awprot, arprot;
  wire [31:0] wdata, rdata;
  wire [3:0]  wstrb;
  wire [1:0]  bresp, rresp;
  wire [NUM_SMS-1:0]          ran, broken;
  wire [NUM_SMS*40-1:0]       ran_descriptor;
  wire [NUM_SMS*TB_WIDTH-1:0] ran_tb;

  tsr_example_soc #(
    .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(SLOTS), .NUM_KSRS(4), .NUM_COMMAND_BUFFERS(4), .NUM_CONTEXTS(2),
    .TB_WIDTH(TB_WIDTH), .TAG_WIDTH(TAG_WIDTH), .REFILL(REFILL), .UP_REGISTERS({8'd60, 8'd0, 8'd3, 8'd24}),
    .DOWN_REGISTERS({8'd40, 8'd0, 8'd2, 8'd12})
  ) u_soc (
    .clk_i(clk), .rst_ni(rst_n), .axi_awvalid_i(awvalid), .axi_awready_o(awready), .axi_awaddr_i(awaddr),
    .axi_awprot_i(awprot), .axi_wvalid_i(wvalid), .axi_wready_o(wready), .axi_wdata_i(wdata), .axi_wstrb_i(wstrb),
    .axi_bvalid_o(bvalid), .axi_bready_i(bready), .axi_bresp_o(bresp), .axi_arvalid_i(arvalid),
    .axi_arready_o(arready), .axi_araddr_i(araddr), .axi_arprot_i(arprot), .axi_rvalid_o(rvalid),
    .axi_rready_i(rready), .axi_rdata_o(rdata), .axi_rresp_o(rresp), .irq_o(irq), .ran_valid_o(ran),
    .ran_descriptor_o(ran_descriptor), .ran_tb_o(ran_tb), .broken_o(broken), .idle_o(idle)
  );

  tsr_example_host u_host (
    .clk_i(clk), .axi_awvalid_o(awvalid), .axi_awready_i(awready), .axi_awaddr_o(awaddr), .axi_awprot_o(awprot),
    .axi_wvalid_o(wvalid), .axi_wready_i(wready), .axi_wdata_o(wdata), .axi_wstrb_o(wstrb), .axi_bvalid_i(bvalid),
    .axi_bready_o(bready), .axi_bresp_i(bresp), .axi_arvalid_o(arvalid), .axi_arready_i(arready),
    .axi_araddr_o(araddr), .axi_arprot_o(arprot), .axi_rvalid_i(rvalid), .axi_rready_o(rready), .axi_rdata_i(rdata),
    .axi_rresp_i(rresp), .error_o(error)
  );

  // ---- what ran ---------------------------------------------------------------------------------------------------

  // A descriptor has the kernel's number in bits 23:16, what its thread blocks run below.
  reg [7:0]  times [0:PLACES-1];
  reg [31:0] num_tbs [0:KERNELS-1];
  reg [31:0] num_launched = 32'd0, num_done = 32'd0, wrong;
  reg [39:0] of_sm;
  integer    sm, place, kernel, tb;
  initial for (place = 0; place < PLACES; place = place + 1) times[place] = 8'd0;
  always @(posedge clk) begin
    for (sm = 0; sm < NUM_SMS; sm = sm + 1) begin
      if (ran[sm]) begin
        of_sm        = ran_descriptor[sm*40 +: 40];
        place        = {of_sm[23:16], ran_tb[sm*TB_WIDTH +: TB_WIDTH]};
        times[place] = times[place] + 8'd1;
      end
    end
  end

  task fail(input [8*40-1:0] why);
    begin
      $display("%6d  FAILED: %0s", cycle, why);
      $finish;
      @(negedge clk); // nothing more is said
    end
  endtask

  always @(posedge clk) begin
    if (rst_n && broken != {NUM_SMS{1'b0}}) begin
      for (sm = 0; sm < NUM_SMS; sm = sm + 1) begin
        if (broken[sm]) $display("%6d  SM %0d got what it must not", cycle, sm);
      end
      fail("a rule of timing.md 3.4 is broken");
    end
    if (error) fail("an access was refused");
    if (cycle > LIMIT) fail("kernels are not done");
  end

  // ---- what the driver does ---------------------------------------------------------------------------------------

  reg        is_done;
  reg [39:0] descriptor;
  task wait_for(input [31:0] kernels);
    while (num_done < kernels) begin
      while (!irq) @(negedge clk);
      u_host.take_done(is_done, descriptor);
      if (is_done) begin
        $display("%6d  kernel %0d is done", cycle, descriptor[23:16]);
        num_done = num_done + 32'd1;
      end
    end
  endtask

  task start(input [15:0] of_context, input [31:0] tbs, input [7:0] tbs_per_sm, input [15:0] cycles);
    begin
      if (num_launched >= OUTSTANDING) wait_for(num_launched - OUTSTANDING + 32'd1);
      num_tbs[num_launched] = tbs;
      u_host.launch(of_context, tbs, tbs_per_sm, {16'd0, num_launched[7:0], cycles});
      $display("%6d  kernel %0d of context %0d is launched: %0d thread blocks of %0d cycles or so", cycle, num_launched,
               of_context, tbs, cycles);
      num_launched = num_launched + 32'd1;
    end
  endtask

  task count(input [15:0] number, input [8*40-1:0] what);
    begin
      u_host.read64(COUNTERS + {number[12:0], 3'd0});
      $display("%6d  %0d %0s", cycle, u_host.read_data, what);
    end
  endtask

  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    u_host.read64(ID);
    if (u_host.read_data != 64'h0002544553534552) fail("the IP does not say what it is");
    u_host.set_priority(8'd0, 4'd1);
    u_host.set_priority(8'd1, 4'd8);
    u_host.write(INTERRUPT_ENABLE, 32'd1);
    u_host.write(CONTROL, 32'd1);

    start(16'd0, 32'd60, 8'd4, 16'd500);
    repeat (1000) @(negedge clk);
    start(16'd1, 32'd10, 8'd2, 16'd200);
    wait_for(32'd1);
    // Short ones: some are done before an SM that is set up for them has answered.
    for (kernel = 2; kernel < KERNELS; kernel = kernel + 1) start(16'd1, 32'd4, 8'd1, 16'd3);
    wait_for(num_launched);

    wrong = 32'd0;
    for (kernel = 0; kernel < KERNELS; kernel = kernel + 1) begin
      for (tb = 0; tb < 1 << TB_WIDTH; tb = tb + 1) begin
        if (times[(kernel << TB_WIDTH) + tb] != (tb < num_tbs[kernel] ? 8'd1 : 8'd0)) wrong = wrong + 32'd1;
      end
    end
    count(16'd9, "SMs were preempted and handed over");
    if (u_host.read_data == 64'd0) fail("nothing was preempted");
    count(16'd12, "thread blocks were sent");
    count(16'd13, "were saved and sent again");
    if (u_host.read_data == 64'd0) fail("nothing was restored");
    if (wrong != 32'd0) fail("a thread block did not run once");
    $display("%6d  PASSED: every thread block ran exactly once", cycle);
    $finish;
  end

endmodule
