// SPDX-License-Identifier: Apache-2.0
// Linger (timing.md 3.8): for whom the SMs that a kernel has left are kept. Which SMs these are is in SMST.
module tsr_linger (
  input        clk_i,
  input        rst_ni,
  input        linger_i,
  input        keeps_i,    // the policy keeps SMs
  input        write_policy_i,
  input        over_i,     // the timer outside
  input        leaves_i,   // WRITE: a kernel leaves SMs
  input  [3:0] priority_i, // that kernel's
  output       lingers_o,
  output [3:0] priority_o, // kernels below it get no SM that is kept
  output       starts_o,   // WRITE
  output       goes_on_o,  // with that: SMs that were kept stay so
  output       start_o     // pin
);

  reg       lingers_q, start_q;
  reg [3:0] priority_q;

  assign starts_o  = linger_i && keeps_i && leaves_i && (!lingers_q || priority_i >= priority_q);
  assign goes_on_o = priority_i == priority_q;

  always @(posedge clk_i) begin
    start_q <= rst_ni && starts_o;
    if (!rst_ni || write_policy_i || !linger_i) lingers_q <= 1'b0;
    else if (starts_o)                                lingers_q <= 1'b1;
    else if (over_i && !start_q)                      lingers_q <= 1'b0;
    if (starts_o) priority_q <= priority_i;
  end

  assign lingers_o  = lingers_q;
  assign priority_o = priority_q;
  assign start_o    = start_q;

endmodule
