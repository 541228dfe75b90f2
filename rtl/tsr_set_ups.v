// SPDX-License-Identifier: Apache-2.0
// Set-ups and their answers (timing.md 3.11). With tags an answer is current if it is the last set-up's; with a refill
// lane, which does not wait for set-ups, only if no other one is to be sent.
module tsr_set_ups #(
`include "tsr_sizes.vh"
) (
  input                 clk_i,
  input                 rst_ni,
  // The job and its SM.
  input  [7:0]          phase_i,
  input  [NUM_SMS-1:0]  row_i,
  input  [NUM_SMS-1:0]  pending_i,    // set-ups that are to be sent
  input  [TAG_BITS-1:0] event_tag_i,  // PICK
  input                 sends_i,      // it sends one
  input                 answers_i,    // its event is an answer
  output [TAG_BITS-1:0] tag_o,        // of the set-up that is sent
  output                is_current_o, // the answer, from ROW on
  output                was_full_o,   // no more set-ups could be sent until it came
  // The refill lane.
  input  [NUM_SMS-1:0]  lane_row_i,
  output [TAG_BITS-1:0] lane_tag_o,
  input                 lane_activates_i,
  output [NUM_SMS-1:0]  full_o        // SMs that no set-up can be sent to
);

`include "tsr_codes.vh"

  wire awaits_set_up; // the job's SM
  generate
    if (REFILL != 0) begin : g_awaits
      reg awaits_q;
      always @(posedge clk_i) if (phase_i[SM]) awaits_q <= |(pending_i & row_i);
      assign awaits_set_up = awaits_q;
    end else begin : g_no_awaits // events wait for set-ups
      wire unused_pending = &{1'b0, pending_i};
      assign awaits_set_up = 1'b0;
    end
  endgenerate

  wire unused = &{1'b0, phase_i}; // but for parts of it
  generate
    if (TAG_WIDTH != 0) begin : g_tags
      wire answers_last;
      tsr_tags #(.NUM_SMS(NUM_SMS), .TAG_WIDTH(TAG_WIDTH)) u_tags (
        .clk_i(clk_i), .rst_ni(rst_ni), .picks_i(phase_i[PICK]), .event_tag_i(event_tag_i), .reads_i(phase_i[SM]),
        .row_i(row_i), .sets_up_i(sends_i), .writes_i(phase_i[WRITE] && (sends_i || answers_i)), .tag_o(tag_o),
        .is_current_o(answers_last), .was_full_o(was_full_o), .lane_row_i(lane_row_i), .lane_tag_o(lane_tag_o),
        .lane_answered_i(lane_row_i & {NUM_SMS{lane_activates_i}}), .full_o(full_o));
      assign is_current_o = answers_last && !awaits_set_up;
    end else begin : g_no_tags
      wire unused_tag = &{1'b0, clk_i, rst_ni, row_i, event_tag_i, sends_i, answers_i, lane_row_i, lane_activates_i,
                          awaits_set_up};
      assign lane_tag_o   = {TAG_BITS{1'b0}};
      assign full_o       = {NUM_SMS{1'b0}};
      assign tag_o        = {TAG_BITS{1'b0}};
      assign is_current_o = 1'b1;
      assign was_full_o   = 1'b0;
    end
  endgenerate

endmodule
