// SPDX-License-Identifier: Apache-2.0
// Registers of the pins kernel_done and events: what happened at the last edge, for performance counters and traces.
// Fields are 0 (next_ksr: all ones) in cycles without their pulse.
module tsr_event_outputs #(
  parameter BUFFER_WIDTH = 5,
  parameter KSR_WIDTH    = 4,
  parameter SM_WIDTH     = 4
) (
  input                         clk_i,
  input                         rst_ni,
  input                         kernel_done_i,
  input      [39:0]             descriptor_i, // of the kernel done that is shown
  input                         policy_invoked_i,
  input                         policy_decided_i,
  input                         activated_i,
  input      [BUFFER_WIDTH-1:0] activated_buffer_i,
  input      [KSR_WIDTH-1:0]    activated_ksr_i,
  input                         moved_i,
  input      [1:0]              move_i,
  input      [SM_WIDTH-1:0]     moved_sm_i,
  input      [KSR_WIDTH-1:0]    moved_ksr_i,
  input                         cancelled_i,
  input                         preempted_i,
  input      [KSR_WIDTH-1:0]    next_ksr_i,
  input                         released_i,
  input      [SM_WIDTH-1:0]     changed_sm_i, // of preempted and released
  output reg                    kernel_done_valid_o,
  output     [39:0]             kernel_done_descriptor_o,
  output reg                    policy_invoked_o,
  output reg                    policy_decided_o,
  output reg                    activated_o,
  output reg [BUFFER_WIDTH-1:0] activated_buffer_o,
  output reg [KSR_WIDTH-1:0]    activated_ksr_o,
  output reg                    moved_o,
  output reg [1:0]              move_o,
  output reg [SM_WIDTH-1:0]     moved_sm_o,
  output reg [KSR_WIDTH-1:0]    moved_ksr_o,
  output reg                    cancelled_o,
  output reg                    preempted_o,
  output reg [SM_WIDTH-1:0]     preempted_sm_o,
  output reg [KSR_WIDTH-1:0]    next_ksr_o,
  output reg                    released_o,
  output reg [SM_WIDTH-1:0]     released_sm_o,
  output                        quiet_o
);

  assign quiet_o = !(kernel_done_valid_o || policy_invoked_o || policy_decided_o || activated_o || moved_o ||
                     preempted_o || released_o);

  assign kernel_done_descriptor_o = kernel_done_valid_o ? descriptor_i : 40'd0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      kernel_done_valid_o <= 1'b0;
      policy_invoked_o    <= 1'b0;
      policy_decided_o    <= 1'b0;
      activated_o         <= 1'b0;
      activated_buffer_o  <= {BUFFER_WIDTH{1'b0}};
      activated_ksr_o     <= {KSR_WIDTH{1'b0}};
      moved_o             <= 1'b0;
      move_o              <= 2'd0;
      moved_sm_o          <= {SM_WIDTH{1'b0}};
      moved_ksr_o         <= {KSR_WIDTH{1'b0}};
      cancelled_o         <= 1'b0;
      preempted_o         <= 1'b0;
      preempted_sm_o      <= {SM_WIDTH{1'b0}};
      next_ksr_o          <= {KSR_WIDTH{1'b1}};
      released_o          <= 1'b0;
      released_sm_o       <= {SM_WIDTH{1'b0}};
    end else begin
      kernel_done_valid_o <= kernel_done_i;
      policy_invoked_o    <= policy_invoked_i;
      policy_decided_o    <= policy_decided_i;
      activated_o         <= activated_i;
      activated_buffer_o  <= activated_i ? activated_buffer_i : {BUFFER_WIDTH{1'b0}};
      activated_ksr_o     <= activated_i ? activated_ksr_i : {KSR_WIDTH{1'b0}};
      moved_o             <= moved_i;
      move_o              <= moved_i ? move_i : 2'd0;
      moved_sm_o          <= moved_i ? moved_sm_i : {SM_WIDTH{1'b0}};
      moved_ksr_o         <= moved_i ? moved_ksr_i : {KSR_WIDTH{1'b0}};
      cancelled_o         <= cancelled_i;
      preempted_o         <= preempted_i;
      preempted_sm_o      <= preempted_i ? changed_sm_i : {SM_WIDTH{1'b0}};
      next_ksr_o          <= preempted_i ? next_ksr_i : {KSR_WIDTH{1'b1}};
      released_o          <= released_i;
      released_sm_o       <= released_i ? changed_sm_i : {SM_WIDTH{1'b0}};
    end
  end

endmodule
