// SPDX-License-Identifier: Apache-2.0
// Performance counters of 64 bits, far from what they count: events collect in a few bits each, and an adder goes round
// over the halves of the counters in a RAM, one half a cycle. A read waits for its counter's turn, which makes it a
// snapshot: the upper half is kept for the read that follows.
//
//  step       0 lower   0 upper   1 lower   ...
//             word + collected, carry -> word + carry
module tsr_event_counters #(
  parameter COUNT = 14 // 16 with those of a kept turn
) (
  input         clk_i,
  input         rst_ni,
  // What happens: pins of the core
  input         policy_invoked_i,
  input         policy_decided_i,
  input         activated_i,
  input         moved_i,
  input  [1:0]  move_i,
  input         cancelled_i,
  input         preempted_i,
  input         released_i,
  input         kernel_done_i,
  input         dispatch_i,
  input         is_restore_i,
  input         turn_passed_i,
  input         turn_began_i,
  // Reading one
  input         read_i,  // until ready_o
  input  [3:0]  index_i, // less than COUNT
  output        ready_o,
  output [31:0] lower_o, // while ready_o
  output [31:0] upper_o  // from the second cycle after ready_o on
);

  localparam WORDS      = 2 * COUNT;
  localparam LAST       = WORDS - 1;
  localparam STEP_WIDTH = 5;
  localparam SUM_WIDTH  = $clog2(WORDS + 1); // events of a round

  // ---- events, in the order of the register map ---------------------------------------------------------------------

  reg  decides_q; // from invoked to decided
  wire decides = policy_invoked_i || (decides_q && !policy_decided_i);
  always @(posedge clk_i) begin
    if (!rst_ni) decides_q <= 1'b0;
    else         decides_q <= decides;
  end

  wire [15:0]      events  = {turn_began_i, turn_passed_i, dispatch_i && is_restore_i, dispatch_i && !is_restore_i,
                              kernel_done_i, released_i, preempted_i, cancelled_i, moved_i && move_i == 2'd2,
                              moved_i && move_i == 2'd1, moved_i && move_i == 2'd0, activated_i, decides,
                              policy_decided_i, policy_invoked_i, 1'b1}; // a cycle
  wire [COUNT-1:0] happens = events[COUNT-1:0];
  wire             unused  = &{1'b0, events};

  // ---- rounds: address, word from the RAM, sum ----------------------------------------------------------------------

  reg  [STEP_WIDTH-1:0] address_q, read_step_q, step_q;
  reg                   read_valid_q, valid_q;
  reg                   first_q, read_first_q; // round since reset: the RAM holds nothing yet
  reg  [31:0]           word_q;
  reg  [SUM_WIDTH-1:0]  more_q;
  reg                   carry_q;
  wire [31:0]           read_data;
  wire [SUM_WIDTH-1:0]  collected;
  wire [31:0]           sum;
  wire                  carry;
  wire                  is_lower = !step_q[0];

  tsr_sram_1r1w #(.DEPTH(WORDS), .WIDTH(32)) u_words (
    .clk_i           (clk_i),
    .write_i         (valid_q),
    .write_address_i (step_q),
    .write_data_i    (sum),
    .read_i          (1'b1),
    .read_address_i  (address_q),
    .read_data_o     (read_data)
  );

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      address_q    <= {STEP_WIDTH{1'b0}};
      read_valid_q <= 1'b0;
      valid_q      <= 1'b0;
      first_q      <= 1'b1;
    end else begin
      address_q    <= address_q == LAST[STEP_WIDTH-1:0] ? {STEP_WIDTH{1'b0}} : address_q + 1'b1;
      read_valid_q <= 1'b1;
      valid_q      <= read_valid_q;
      if (address_q == LAST[STEP_WIDTH-1:0]) first_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    read_step_q  <= address_q;
    read_first_q <= first_q;
    step_q       <= read_step_q;
    more_q       <= collected;
    word_q       <= read_first_q ? 32'd0 : read_data;
    carry_q      <= valid_q && is_lower && carry;
  end

  // ---- what was collected -------------------------------------------------------------------------------------------

  reg  [COUNT-1:0]           event_q;
  reg  [COUNT*SUM_WIDTH-1:0] collected_q;
  wire [COUNT-1:0]           takes;

  always @(posedge clk_i) begin
    if (!rst_ni) event_q <= {COUNT{1'b0}};
    else         event_q <= happens;
  end

  genvar i;
  generate
    for (i = 0; i < COUNT; i = i + 1) begin : g_counter
      assign takes[i] = read_valid_q && read_step_q == 2 * i;
      always @(posedge clk_i) begin
        if (!rst_ni) collected_q[i*SUM_WIDTH +: SUM_WIDTH] <= {SUM_WIDTH{1'b0}};
        else collected_q[i*SUM_WIDTH +: SUM_WIDTH] <=
          (takes[i] ? {SUM_WIDTH{1'b0}} : collected_q[i*SUM_WIDTH +: SUM_WIDTH]) + {{(SUM_WIDTH-1){1'b0}}, event_q[i]};
      end
    end
  endgenerate

  tsr_select #(.ROWS(COUNT), .WIDTH(SUM_WIDTH)) u_collected (
    .rows_i(collected_q), .row_i(takes), .data_o(collected));

  // A lower half gets what was collected, an upper one the carry: few bits are added. Those above step by one where all
  // below them, down to these few, are ones.
  wire [SUM_WIDTH:0]    few = {1'b0, word_q[SUM_WIDTH-1:0]} + {1'b0, more_q} + {{SUM_WIDTH{1'b0}}, carry_q};
  wire [31-SUM_WIDTH:0] has_zero; // at or below
  tsr_prefix_or #(.COUNT(32 - SUM_WIDTH)) u_zeros (.bits_i(~word_q[31:SUM_WIDTH]), .any_o(has_zero));
  assign sum   = {word_q[31:SUM_WIDTH] ^ {(32-SUM_WIDTH){few[SUM_WIDTH]}} & ~(has_zero << 1), few[SUM_WIDTH-1:0]};
  assign carry = few[SUM_WIDTH] && !has_zero[31-SUM_WIDTH];

  // ---- reading ------------------------------------------------------------------------------------------------------

  reg        takes_upper_q;
  reg [31:0] upper_q;

  assign ready_o = read_i && valid_q && is_lower && step_q[STEP_WIDTH-1:1] == index_i;
  assign lower_o = sum;
  assign upper_o = upper_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      takes_upper_q <= 1'b0;
      upper_q       <= 32'd0;
    end else begin
      takes_upper_q <= ready_o;
      if (takes_upper_q) upper_q <= sum;
    end
  end

endmodule
