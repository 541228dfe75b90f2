// SPDX-License-Identifier: Apache-2.0
// A timer that counts SM cycles: over_o is 1 for a core cycle, the first of the SM cycle that is cycles_i after that of
// start_i. It comes no earlier than the next core cycle, which is when it comes where cycles_i is 0.
//
//  sm_tick_i   _ _ # _ _ # _ _ # _ _ #
//  start_i     _ # _ _ _ _ _ _ _ _ _ _    cycles_i 2
//  over_o      _ _ _ _ _ _ # _ _ _ _ _
module tsr_sm_timer #(
  parameter WIDTH = 32
) (
  input             clk_i,
  input             rst_ni,
  input             sm_tick_i, // 1 in the last core cycle of an SM cycle
  input             start_i,   // also while it runs
  input [WIDTH-1:0] cycles_i,
  input             stop_i,    // unless it starts
  output            over_o
);

  localparam [WIDTH-1:0] ONE = 1;

  reg             runs_q, over_q;
  reg [WIDTH-1:0] left_q; // SM cycles that are still to end

  wire [WIDTH-1:0] left = start_i ? cycles_i : left_q;
  wire             runs = start_i || (runs_q && !stop_i);
  wire             ends = left[WIDTH-1:1] == {(WIDTH-1){1'b0}} && (!left[0] || sm_tick_i);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      runs_q <= 1'b0;
      over_q <= 1'b0;
    end else begin
      runs_q <= runs && !ends;
      over_q <= runs && ends;
    end
    if (start_i || (runs_q && sm_tick_i)) left_q <= sm_tick_i ? left - ONE : left;
  end

  assign over_o = over_q;

endmodule
