// SPDX-License-Identifier: Apache-2.0
// An SM event waits for moves and for SMs that leave without an event of their own. Each of these leaves an SM less that
// is active; a move takes a cycle (PIPELINED, with its check, two), and there are as many others before the next.
//
// From the includer: clk_i control_reg_i control_valid_i DISTRIBUTE PIPELINED S SETTLE sm_event_valid_i STEPS
// From tsr_pins.vh: rst_ni sm_event_ready_o started_q strap_rounds_i
// From tsr_registers.vh: active is_second search_state settle
// From tsr_ownership.vh: i
// From tsr_walk.vh: is_walking
// From tsr_rounds.vh: age is_at_begin walk_cycles
// For others: wait_q

reg [7:0] wait_q; // cycles for which an event was offered in vain, a distribution's apart
reg [7:0] n_active;
wire is_kept_waiting = rst_ni && sm_event_valid_i && !sm_event_ready_o && !(control_valid_i && control_reg_i != 2'd3);
always @(posedge clk_i) wait_q <= is_kept_waiting ? wait_q + (search_state != DISTRIBUTE) : 8'd0;

always @* begin
  n_active = 0;
  for (i = 0; i < S; i = i + 1) n_active = n_active + active[i];
end

// Cycles of the check and the move behind which this one comes.
wire [15:0] walk_age = is_second ? age - walk_cycles : age;
wire [1:0]  n_behind = !(is_at_begin || is_walking) ? 2'd0 : PIPELINED == 0 ? walk_age == 0 :
                       search_state == SETTLE && settle == 2 ? 2'd1 : walk_age == 0 ? 2'd2 : walk_age == 1;

// Where rows of all SMs pass in one cycle, every cycle may move.
event_is_taken: assert property (!started_q || strap_rounds_i || PIPELINED == 0 && STEPS == 1 ||
                                 wait_q + 2 * n_active <= 2 * S + n_behind);
