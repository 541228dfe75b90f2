// SPDX-License-Identifier: Apache-2.0
// What is read of SMST without a job: whose an SM is that sends a handle, and what the search sees of the SMs
// (timing.md 5.4).
module tsr_smst_look #(
`include "tsr_sizes.vh"
) (
  input                          clk_i,
  // SMST
  input  [NUM_SMS-1:0]           running_i,
  input  [NUM_SMS-1:0]           reserved_i,
  input  [NUM_SMS-1:0]           full_i,    // cannot be set up: idle for nobody
  input  [NUM_SMS-1:0]           kept_i,    // not for everybody
  input  [NUM_SMS-1:0]           in_step_i, // of the step's partition: others are not seen
  input  [NUM_SMS-1:0]           foreign_i,
  input  [NUM_SMS*KSR_WIDTH-1:0] ksr_i,
  input  [NUM_SMS*KSR_WIDTH-1:0] next_i,
  // A handle
  input  [SM_WIDTH-1:0]          handle_sm_i,
  output [KSR_WIDTH-1:0]         handle_ksr_o,
  // The search, a cycle later.
  output                         any_idle_o,
  output                         any_free_o, // not kept
  output                         any_foreign_o,
  // FIND of a take: foreign ones, or those that count against the KSR that has these or is to get them.
  input                          of_foreign_i,
  input  [NUM_SMS-1:0]           owned_i,
  input  [NUM_SMS-1:0]           next_of_i,
  output [NUM_SMS-1:0]           victims_o,
  // BURST of an assign
  input                          gets_kept_i,
  output [NUM_SMS-1:0]           may_have_o
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  wire [NUM_SMS-1:0] handle_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_handle (.valid_i(1'b1), .index_i(handle_sm_i), .row_o(handle_row));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_handle_ksr (
    .rows_i(ksr_i), .row_i(handle_row), .data_o(handle_ksr_o));

  // 1. SMs that a kernel may have.
  wire [NUM_SMS-1:0] idle = in_step_i & ~(running_i | reserved_i | full_i);
  wire [NUM_SMS-1:0] free = idle & ~kept_i;
  reg                any_idle_q, any_free_q;
  always @(posedge clk_i) {any_idle_q, any_free_q} <= {|idle, |free};
  assign any_idle_o = any_idle_q;
  assign any_free_o = any_free_q;
  assign may_have_o = gets_kept_i ? idle : free;

  // 2. SMs that are taken away.
  wire [NUM_SMS-1:0] against = in_step_i & (running_i & owned_i | reserved_i & next_of_i);
  genvar i;
  generate
    if ((POLICIES & policies_with(IN_PARTITIONS)) != 0) begin : g_foreign
      wire [NUM_SMS-1:0] is_for_one; // has a `next`
      for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
        assign is_for_one[i] = next_i[i*KSR_WIDTH +: KSR_WIDTH] != NO_KSR;
      end
      wire [NUM_SMS-1:0] foreign = in_step_i & foreign_i & (running_i | reserved_i & is_for_one);
      reg                any_foreign_q;
      always @(posedge clk_i) any_foreign_q <= |foreign;
      assign any_foreign_o = any_foreign_q;
      assign victims_o     = of_foreign_i ? foreign : against;
    end else begin : g_no_foreign
      wire unused_foreign = &{1'b0, foreign_i, next_i, of_foreign_i};
      assign any_foreign_o = 1'b0;
      assign victims_o     = against;
    end
  endgenerate

endmodule
