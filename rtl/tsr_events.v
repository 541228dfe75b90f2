// SPDX-License-Identifier: Apache-2.0
// SM events, and SMs that want a TB, as the engine finds them: without a refill lane as they come, with one what the
// lane leaves to it, one at a time (timing.md 6.7).
module tsr_events #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  input                       breadth_first_i,
  input                       rounds_i,
  // Pins
  input                       event_valid_i,
  input  [SM_WIDTH-1:0]       event_sm_i,
  input  [2:0]                event_kind_i,
  input  [TAG_BITS-1:0]       event_tag_i,
  output                      event_ready_o,
  output                      dispatch_o,     // by the lane
  output [SM_WIDTH-1:0]       dispatch_sm_o,
  output [TB_WIDTH-1:0]       dispatch_tb_o,
  // The engine: what it finds,
  input                       dealing_i,      // it issues nothing
  input                       engine_ready_i, // for an event
  output                      offers_event_o,
  output                      offers_issue_o,
  output [SM_WIDTH-1:0]       sm_o,
  output [2:0]                kind_o,
  output [TAG_BITS-1:0]       tag_o,
  input                       picked_i,
  // and its job (tsr_refill_lane.v).
  input  [8:0]                job_i,
  input  [7:0]                phase_i,
  input                       in_row_i,
  input                       tb_done_i,
  input                       assigns_i,
  input  [KSR_WIDTH-1:0]      job_ksr_i,
  output                      row_waits_o,
  // SMST
  input                       wants_any_i,
  input  [NUM_SMS-1:0]        wants_i,
  output [NUM_SMS-1:0]        serves_o,
  output [NUM_SMS-1:0]        s_row_o,
  input  [KSR_WIDTH-1:0]      s_ksr_i,
  output [NUM_SMS-1:0]        row_o,
  output [TAG_BITS-1:0]       lane_tag_o,
  input  [6:0]                lane_sm_i,
  output [2:0]                lane_step_o,
  // The KSR
  output [KSR_WIDTH-1:0]      ksr_o,
  input                       ksr_refills_i,
  output                      few_o,
  output [KSR_WIDTH-1:0]      few_ksr_o,
  output                      writes_o,
  output [KSR_WIDTH-1:0]      written_ksr_o,
  output                      uncovered_o,
  input                       ksr_valid_i,
  input                       row_write_i,
  input  [STEP_WIDTH-1:0]     step_i,
  input  [BASE_WIDTH-1:0]     base_i,
  output [STEP_WIDTH-1:0]     step_o,
  output [BASE_WIDTH-1:0]     base_o,
  output                      fault_o,
  output                      is_idle_o
);

  generate
    if (REFILL != 0) begin : g_refill
      wire       offers, is_issue;
      wire [1:0] kind;
      wire       unused = &{1'b0, event_kind_i[2], engine_ready_i, wants_any_i};
      tsr_refill_lane #(
`include "tsr_pass_sizes.vh"
      ) u_lane (
        .clk_i(clk_i), .rst_ni(rst_ni), .breadth_first_i(breadth_first_i), .rounds_i(rounds_i),
        .event_valid_i(event_valid_i), .event_sm_i(event_sm_i), .event_kind_i(event_kind_i[1:0]),
        .event_tag_i(event_tag_i), .event_ready_o(event_ready_o), .dispatch_o(dispatch_o),
        .dispatch_sm_o(dispatch_sm_o), .dispatch_tb_o(dispatch_tb_o), .wants_i(wants_i), .serves_o(serves_o),
        .s_row_o(s_row_o), .s_ksr_i(s_ksr_i), .row_o(row_o), .lane_sm_i(lane_sm_i), .lane_step_o(lane_step_o),
        .ksr_refills_i(ksr_refills_i), .few_o(few_o), .few_ksr_o(few_ksr_o), .writes_o(writes_o),
        .written_ksr_o(written_ksr_o), .uncovered_o(uncovered_o), .offers_o(offers), .sm_o(sm_o), .ksr_o(ksr_o),
        .is_issue_o(is_issue), .kind_o(kind), .tag_o(lane_tag_o), .picked_i(picked_i), .job_i(job_i),
        .phase_i(phase_i), .in_row_i(in_row_i), .tb_done_i(tb_done_i), .assigns_i(assigns_i), .job_ksr_i(job_ksr_i),
        .row_waits_o(row_waits_o), .ksr_valid_i(ksr_valid_i), .row_write_i(row_write_i), .step_i(step_i),
        .base_i(base_i), .step_o(step_o), .base_o(base_o), .fault_o(fault_o), .is_idle_o(is_idle_o));
      assign offers_event_o = offers && !is_issue;
      assign offers_issue_o = offers && is_issue && !dealing_i;
      assign kind_o         = {1'b0, kind};
      assign tag_o          = lane_tag_o;
    end else begin : g_no_refill
      wire unused = &{1'b0, clk_i, rst_ni, breadth_first_i, rounds_i, dealing_i, picked_i, job_i, phase_i, in_row_i,
                      tb_done_i, assigns_i, job_ksr_i, wants_i, s_ksr_i, lane_sm_i, ksr_refills_i, ksr_valid_i,
                      row_write_i, step_i, base_i};
      assign offers_event_o = event_valid_i;
      assign offers_issue_o = wants_any_i;
      assign event_ready_o  = engine_ready_i;
      assign sm_o           = event_sm_i;
      assign kind_o         = event_kind_i;
      assign tag_o          = event_tag_i;
      assign {dispatch_o, row_waits_o, few_o, writes_o, uncovered_o, fault_o} = 6'd0;
      assign {serves_o, s_row_o, row_o}        = {3*NUM_SMS{1'b0}};
      assign {ksr_o, few_ksr_o, written_ksr_o} = {3*KSR_WIDTH{1'b0}};
      assign dispatch_sm_o = {SM_WIDTH{1'b0}};
      assign dispatch_tb_o = {TB_WIDTH{1'b0}};
      assign lane_tag_o    = {TAG_BITS{1'b0}};
      assign lane_step_o   = 3'd0;
      assign step_o        = {STEP_WIDTH{1'b0}};
      assign base_o        = {BASE_WIDTH{1'b0}};
      assign is_idle_o     = 1'b1;
    end
  endgenerate

endmodule
