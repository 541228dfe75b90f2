// SPDX-License-Identifier: Apache-2.0
// The two timers of a turn, in SM cycles (docs/hardware/timing.md 3.6 and 7.6): the end of a slice, and that of a switch.
// Each of them is off until a driver has written its registers; then it is for the SoC to answer the core.
module tsr_turn_timers (
  input        clk_i,
  input        rst_ni,
  input        sm_tick_i,
  // Slices
  input        slice_timer_enable_i,
  input [31:0] slice_i,        // of the turn's context; 0: no timer
  input [31:0] in_slice_i,     // how much of a switch counts for the slice that it begins
  input        switch_over_i,  // from wherever it came
  output       slice_tick_o,
  // Switches
  input        switch_timer_i, // there is one
  input        switch_start_i,
  input        switch_runs_i,  // something was running
  input [31:0] preempted_i,    // what it then takes,
  input [31:0] dry_i,          // or else
  output       switch_over_o
);

  // The first period of a slice is one shorter: in the SM cycle before it nothing of it was to be seen yet.
  reg         enable_q, switched_q;
  reg  [32:0] after_switch_q;
  wire [32:0] shorter = switched_q ? after_switch_q : 33'd1;
  wire [32:0] first   = {1'b0, slice_i} - shorter;
  wire        starts  = slice_timer_enable_i && (!enable_q || slice_tick_o) && slice_i != 32'd0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q   <= 1'b0;
      switched_q <= 1'b0;
    end else begin
      enable_q   <= slice_timer_enable_i;
      switched_q <= switch_over_i;
    end
    after_switch_q <= {1'b0, in_slice_i} + 33'd1;
  end

  tsr_sm_timer u_slice (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_tick_i(sm_tick_i), .start_i(starts),
    .cycles_i(slice_tick_o ? slice_i : first[32] ? 32'd0 : first[31:0]), .stop_i(!slice_timer_enable_i),
    .over_o(slice_tick_o));

  tsr_sm_timer u_switch (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_tick_i(sm_tick_i), .start_i(switch_start_i && switch_timer_i),
    .cycles_i(switch_runs_i ? preempted_i : dry_i), .stop_i(!switch_timer_i), .over_o(switch_over_o));

endmodule
