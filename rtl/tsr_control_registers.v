// SPDX-License-Identifier: Apache-2.0
// The first registers of the map: what the IP is, control, status, interrupts, the first error, the policy.
module tsr_control_registers #(
  parameter NUM_SMS             = 13,
  parameter MAX_TBS_PER_SM      = 16,
  parameter NUM_KSRS            = 13,
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter TB_WIDTH            = 32,
  parameter POLICIES            = 31,
  parameter KEPT_TURN           = 0
) (
  input             clk_i,
  input             rst_ni,
  input      [15:0] strap_policy_i,
  // Reading and writing half a register
  input             select_i, // else the registers that say how large the core is, and what it has
  input      [4:0]  word_i,
  input             is_upper_i,
  input             write_i,
  input      [24:0] data_i, // no register has more
  output reg [31:0] data_o,
  // The policy register, as the core has it
  output            is_policy_o,
  output            names_policy_o, // what is written would be a policy
  output     [15:0] next_policy_o,
  output            keeps_turn_o, // under time_slice
  // What is going on
  input             error_i,
  input      [3:0]  error_code_i,
  input             fault_i,   // the core has stopped
  input             is_busy_i,
  input             is_any_done_i,
  output            enable_o,
  output            irq_o
);

  localparam [4:0] ID = 5'd0, CAPABILITIES = 5'd1, CONTROL = 5'd2, STATUS = 5'd3, INTERRUPT_STATUS = 5'd4,
                   INTERRUPT_ENABLE = 5'd5, ERROR = 5'd6, POLICY = 5'd7;
  localparam [3:0] NONE = 4'd0, FAULT = 4'd9;

`include "tsr_policy_table.vh"

  localparam HAS_ORDER = (POLICIES & policies_with(ANY_ORDER)) != 0;

  localparam [31:0] SMS = NUM_SMS, CONTEXTS = NUM_CONTEXTS, BUFFERS = NUM_COMMAND_BUFFERS, KSRS = NUM_KSRS,
                    SLOTS = MAX_TBS_PER_SM, TB_BITS = TB_WIDTH;

  reg       enable_q, irq_q;
  reg [1:0] interrupt_enable_q;
  reg [3:0] error_q;
  reg [15:0] policy_q;

  wire [15:0] is_present; // by code
  genvar p;
  generate
    for (p = 0; p < 16; p = p + 1) begin : g_policy
      assign is_present[p] = |((POLICIES >> p) & 1);
    end
  endgenerate

  wire [1:0] interrupts = {error_q != NONE, is_any_done_i};
  wire       writes     = write_i && select_i;

  assign is_policy_o    = select_i && word_i == POLICY;
  assign names_policy_o = is_upper_i || (data_i[15:11] == 5'd0 && data_i[10:8] < TECHNIQUES && data_i[7:4] == 4'd0 &&
                                         is_present[data_i[3:0]]);
  wire [1:0] turn       = policy_q[15:14] & {2{KEPT_TURN != 0}}; // a strap may say more
  assign next_policy_o  = is_upper_i ? {turn, policy_q[13:0]}
                                     : {data_i[24:23] & {2{KEPT_TURN != 0}}, data_i[22] && HAS_ORDER, data_i[21:16],
                                        data_i[10:8], data_i[3:0]};
  assign keeps_turn_o   = turn[0];

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q           <= 1'b0;
      interrupt_enable_q <= 2'b00;
      error_q            <= NONE;
      policy_q           <= strap_policy_i;
      irq_q              <= 1'b0;
    end else begin
      if (writes && word_i == CONTROL && !is_upper_i)          enable_q           <= data_i[0];
      if (writes && word_i == INTERRUPT_ENABLE && !is_upper_i) interrupt_enable_q <= data_i[1:0];
      if (writes && word_i == ERROR)                           error_q            <= NONE;
      else if (fault_i && error_q == NONE)                     error_q            <= FAULT;
      else if (error_i && error_q == NONE)                     error_q            <= error_code_i;
      if (writes && is_policy_o && names_policy_o)             policy_q           <= next_policy_o;
      irq_q <= |(interrupts & interrupt_enable_q);
    end
  end

  assign enable_o = enable_q;
  assign irq_o    = irq_q;

  wire [63:0] size     = {8'd0, TB_BITS[7:0], SLOTS[15:0], KSRS[15:0], BUFFERS[15:0]};
  wire [63:0] features = {39'd0, KEPT_TURN != 0, 5'd0, {TECHNIQUES{1'b1}}, is_present};
  reg  [63:0] register;
  always @* begin
    case (word_i)
      ID:               register = 64'h0002_5445_5353_4552;
      CAPABILITIES:     register = {8'd0, CONTEXTS[15:0], 8'd0, 16'd0, SMS[15:0]}; // neither queues nor DMA engines
      CONTROL:          register = {63'd0, enable_q};
      STATUS:           register = {61'd0, fault_i, error_q != NONE, is_busy_i};
      INTERRUPT_STATUS: register = {62'd0, interrupts};
      INTERRUPT_ENABLE: register = {62'd0, interrupt_enable_q};
      ERROR:            register = {60'd0, error_q};
      POLICY:           register = {39'd0, turn, policy_q[13:7], 5'd0, policy_q[6:4], 4'd0, policy_q[3:0]};
      default:          register = 64'd0;
    endcase
    if (!select_i) register = word_i[0] ? size : features;
    data_o = is_upper_i ? register[63:32] : register[31:0];
  end

endmodule
