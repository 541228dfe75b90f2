// SPDX-License-Identifier: Apache-2.0
// Quiescent: nothing has invoked the policy. SMs may report what does not invoke it, TBs be sent, reservations end.
//
// From the includer: ACTIVATE BEGIN clk_i DISTRIBUTE K S SEARCH_IDLE
// From tsr_pins.vh: rst_ni
// From tsr_registers.vh: enters move_sm moves policy_invoked search_state
// From tsr_needs.vh: are_reserved needs
// For others: is_quiescent moved_now moved_q needed needed_q quiescent_q rounds_q were_reserved were_reserved_q

wire disturbed = !rst_ni || policy_invoked || search_state == ACTIVATE || search_state == DISTRIBUTE || enters;
reg  quiescent_q; // not disturbed since this round began
wire is_quiescent = search_state == BEGIN || quiescent_q;

// Since the round began: SMs that moved, and rounds that began.
reg [S-1:0]  moved_q;
reg [7:0]    rounds_q;
wire [S-1:0] moved_now = moves && is_quiescent ? {{(S-1){1'b0}}, 1'b1} << move_sm : {S{1'b0}};
wire         restarts  = disturbed || search_state == SEARCH_IDLE;

// What there was to do when the round began.
reg [K-1:0]  needed_q;
reg [S-1:0]  were_reserved_q;
wire [K-1:0] needed        = search_state == BEGIN ? needs : needed_q;
wire [S-1:0] were_reserved = search_state == BEGIN ? are_reserved : were_reserved_q;

always @(posedge clk_i) begin
  quiescent_q     <= is_quiescent && !restarts;
  moved_q         <= restarts ? {S{1'b0}} : moved_q | moved_now;
  rounds_q        <= restarts ? 8'd0 : rounds_q + (search_state == BEGIN);
  needed_q        <= needed;
  were_reserved_q <= were_reserved;
end
