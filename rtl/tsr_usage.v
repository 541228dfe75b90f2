// SPDX-License-Identifier: Apache-2.0
// SM cycles that each context has used (timing.md 3.9): how many SMs it holds, summed up over SM cycles. Nobody
// sums: an SM that is freed in SM cycle t is t SM cycles more, and one that is taken t fewer. What is read adds now for
// each SM that is held.
//
//   usage -> step_q ->+- take ---- load ------------ add, add .. ------------- last
//            read  ->-+  its row   factor and sum,   time x two bits of        row written, or answer
//                        is read   first term        factor, the upper half
//                                                    a cycle later
//
// A step takes 4 cycles for an SM, 8 at most. Steps of one job are 4 cycles apart and those of another 7 or more, so
// one place to wait is enough. A read gives way to a step, and begins again.
module tsr_usage #(
  parameter NUM_SMS      = 13,
  parameter NUM_CONTEXTS = 16,
  // Not to be set.
  parameter SM_WIDTH        = $clog2(NUM_SMS + 1),
  parameter CONTEXT_WIDTH   = $clog2(NUM_CONTEXTS + 1),
  parameter CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1
) (
  input                       clk_i,
  input                       rst_ni,
  input                       sm_tick_i,
  // After reset rows are cleared, one a cycle; no step comes so soon.
  input                       clear_i,
  input [CONTEXT_ADDRESS-1:0] clear_row_i,
  // Pins of the core
  input                       usage_valid_i,
  input [CONTEXT_WIDTH-1:0]   usage_context_i,
  input [SM_WIDTH:0]          usage_freed_i, // signed
  // Reading one
  input                       read_i, // until ready_o
  input [CONTEXT_ADDRESS-1:0] context_i,
  output                      ready_o,
  output [31:0]               lower_o, // while ready_o
  output [31:0]               upper_o  // from the next cycle on
);

  localparam TIME   = 48;
  localparam SUM    = TIME + SM_WIDTH; // of all SMs, all the time
  localparam UPPER  = SUM - 32;
  localparam FACTOR = SM_WIDTH + 2;    // signed; and the bit below its lowest, a 0

  wire unused = &{1'b0, usage_context_i}; // but for the code of none

  // ---- time, and the step that waits --------------------------------------------------------------------------------

  localparam HALF = TIME / 2;
  reg  [TIME-1:0]            now_q, step_time_q;
  reg                        carries_q; // the lower half is all ones
  wire [HALF-1:0]            next_lower, next_upper;
  reg                        step_q;
  reg  [CONTEXT_ADDRESS-1:0] step_context_q;
  reg  [SM_WIDTH:0]          step_freed_q;
  wire                       takes_step, takes_read;

  tsr_increment #(.WIDTH(HALF)) u_lower_half (.data_i(now_q[HALF-1:0]), .data_o(next_lower));
  tsr_increment #(.WIDTH(HALF)) u_upper_half (.data_i(now_q[TIME-1:HALF]), .data_o(next_upper));

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q     <= {TIME{1'b0}};
      carries_q <= 1'b0;
    end else if (sm_tick_i) begin
      now_q[HALF-1:0] <= next_lower;
      carries_q       <= &now_q[HALF-1:1] && !now_q[0];
      if (carries_q) now_q[TIME-1:HALF] <= next_upper;
    end
    step_q <= rst_ni && (usage_valid_i || (step_q && !takes_step));
    if (usage_valid_i) begin
      step_context_q <= usage_context_i[CONTEXT_ADDRESS-1:0];
      step_freed_q   <= usage_freed_i;
      step_time_q    <= now_q;
    end
  end

  // ---- one at a time ------------------------------------------------------------------------------------------------

  reg                        load_q, add_q, last_q, reads_q;
  reg  [CONTEXT_ADDRESS-1:0] row_q;
  reg  [FACTOR-1:0]          factor_q;
  wire                       is_rest = &factor_q || !(|factor_q); // nothing more to add
  wire                       is_free = !(load_q || add_q || last_q);

  assign takes_step = step_q && (is_free || reads_q);
  assign takes_read = read_i && is_free && !step_q;
  wire   takes      = takes_step || takes_read;

  always @(posedge clk_i) begin
    load_q <= rst_ni && takes;
    add_q  <= rst_ni && !takes && (load_q || (add_q && !is_rest));
    last_q <= rst_ni && !takes && add_q && is_rest;
    if (takes) begin
      reads_q <= takes_read;
      row_q   <= step_context_q;
    end
  end

  // ---- rows: SMs held, and the sum but for those --------------------------------------------------------------------

  reg  [SM_WIDTH-1:0] held_q;
  reg  [SUM-1:0]      sum_q;
  wire [SM_WIDTH-1:0] held;
  wire [SUM-1:0]      sum;
  wire [UPPER-1:0]    upper;
  wire                writes = last_q && !reads_q;

  tsr_sram_1r1w #(.DEPTH(NUM_CONTEXTS), .WIDTH(SM_WIDTH + SUM)) u_rows (
    .clk_i           (clk_i),
    .write_i         (clear_i || writes),
    .write_address_i (clear_i ? clear_row_i : row_q),
    .write_data_i    (clear_i ? {(SM_WIDTH+SUM){1'b0}} : {held_q, upper, sum_q[31:0]}),
    .read_i          (takes),
    .read_address_i  (takes_step ? step_context_q : context_i),
    .read_data_o     ({held, sum})
  );

  // ---- sum + factor x time: -2, -1, 0, 1 or 2 times per two bits of the factor --------------------------------------

  // What is added in a cycle is in registers: of the cycle before for the lower half, and of the one before that.
  reg  [SUM+1:0]    time_q; // four times as much in each cycle
  reg  [31:0]       lower_term_q;
  reg  [UPPER-1:0]  upper_term_q;
  reg               one_q, two_q, minus_q, carry_q;
  wire [FACTOR-1:0] factor     = load_q && reads_q ? {1'b0, held, 1'b0} : factor_q;
  wire              is_one     = factor[1] ^ factor[0];
  wire              is_two     = factor[2:0] == 3'b011 || factor[2:0] == 3'b100;
  wire              is_minus   = factor[2] && factor[1:0] != 2'b11;
  wire [31:0]       lower_term = {32{is_one}} & time_q[31:0] | {32{is_two}} & {time_q[30:0], 1'b0};
  wire [UPPER-1:0]  upper_term = {UPPER{one_q}} & time_q[SUM+1:34] | {UPPER{two_q}} & time_q[SUM:33];
  wire [31:0]       lower;
  wire              carry, beyond;
  wire              unused_carry = &{1'b0, beyond};

  tsr_add #(.WIDTH(32)) u_lower (
    .a_i(sum_q[31:0]), .b_i(lower_term_q), .carry_i(minus_q), .sum_o(lower), .carry_o(carry));
  tsr_add #(.WIDTH(UPPER)) u_upper (
    .a_i(sum_q[SUM-1:32]), .b_i(upper_term_q), .carry_i(carry_q), .sum_o(upper), .carry_o(beyond));

  always @(posedge clk_i) begin
    if (takes) begin
      factor_q <= {step_freed_q, 1'b0};
      time_q   <= {{(SM_WIDTH+2){1'b0}}, takes_step ? step_time_q : now_q};
    end else if (load_q || add_q) begin
      factor_q <= {{2{factor[FACTOR-1]}}, factor[FACTOR-1:2]};
      time_q   <= {time_q[SUM-1:0], 2'b00};
    end
    if (load_q || add_q) begin
      lower_term_q            <= lower_term ^ {32{is_minus}};
      {one_q, two_q, minus_q} <= {is_one, is_two, is_minus};
    end
    upper_term_q <= (upper_term ^ {UPPER{minus_q}}) & {UPPER{add_q}};
    carry_q      <= carry && add_q;
    if (load_q)      held_q <= held - factor_q[SM_WIDTH:1];
    if (load_q)      sum_q  <= sum;
    else if (add_q)  sum_q  <= {upper, lower};
  end

  // ---- reading ------------------------------------------------------------------------------------------------------

  reg [UPPER-1:0] upper_q;

  assign ready_o = last_q && reads_q;
  assign lower_o = sum_q[31:0];
  assign upper_o = {{(32-UPPER){1'b0}}, upper_q};

  always @(posedge clk_i) begin
    if (!rst_ni)      upper_q <= {UPPER{1'b0}};
    else if (ready_o) upper_q <= upper;
  end

endmodule
