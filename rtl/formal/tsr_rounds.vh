// SPDX-License-Identifier: Apache-2.0
// How long a round of the search lasts: from begin to a move, an activation, a repetition or the end of the decision.
//
// From the includer: ACTIVATE BEGIN clk_i control_reg_i control_valid_i DISTRIBUTE PIPELINED SETTLE STEPS WALK
// From tsr_pins.vh: rst_ni started_q strap_activation_cycles_i strap_search_step_cycles_i
// From tsr_registers.vh: began enters is_second search_state settle step step_cycle
// From tsr_thread_blocks.vh: is_last
// For others: age is_at_begin walk_cycles

reg [15:0]  age_q;   // cycles since begin, or of a distribution
reg [15:0]  waits_q; // of an activation for kernels that finished
wire        is_at_begin = search_state == BEGIN;
wire [15:0] age         = is_at_begin ? 16'd0 : age_q;
wire [15:0] row_cycles  = STEPS * strap_search_step_cycles_i;
wire [15:0] walk_cycles = row_cycles + (PIPELINED != 0 ? 3 : 0);

// A kernel's end in the last cycle of an activation makes that cycle come again.
// PIPELINED, the second cycle may be the last, and is one of a walk that gives way.
wire is_last_of_activation = search_state == ACTIVATE ? step_cycle == strap_activation_cycles_i - 1'b1 :
                             PIPELINED != 0 && enters && strap_activation_cycles_i == 2;

reg [15:0] distribution_q; // its cycles
always @(posedge clk_i) begin
  age_q   <= !rst_ni ? 16'd0 : age + 1'b1;
  waits_q <= is_at_begin || !rst_ni ? is_at_begin && is_last && strap_activation_cycles_i == 1 :
             waits_q + (is_last_of_activation && is_last);
  distribution_q <= search_state != DISTRIBUTE || control_valid_i && control_reg_i != 2'd3 || !rst_ni ? 16'd0 :
                    distribution_q + 1'b1;
end

round_ends: assert property (!started_q ||
  (search_state != WALK || age == (is_second ? walk_cycles : 0) + step * strap_search_step_cycles_i + step_cycle) &&
  (search_state != SETTLE || age == (is_second ? walk_cycles : 0) + row_cycles + settle) &&
  (PIPELINED == 0 || !began || waits_q == 0) && (search_state != ACTIVATE || age == step_cycle + waits_q) &&
  (search_state != DISTRIBUTE || distribution_q == step));
