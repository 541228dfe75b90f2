// SPDX-License-Identifier: Apache-2.0
// Tags of set-ups (timing.md 3.11): of each SM that of its last set-up, and how many set-ups may still be answered. So
// an answer to a set-up that another one has followed is known as such.
module tsr_tags #(
  parameter NUM_SMS   = 13,
  parameter TAG_WIDTH = 1
) (
  input                  clk_i,
  input                  rst_ni,
  // The job, phase by phase.
  input                  picks_i,      // PICK
  input  [TAG_WIDTH-1:0] event_tag_i,
  input                  reads_i,      // SM
  input  [NUM_SMS-1:0]   row_i,        // from SM on
  input                  sets_up_i,    // from SM on: it is a set-up, of an SM that is not full
  input                  writes_i,     // WRITE of a set-up, or of a set-up done
  // From ROW on.
  output [TAG_WIDTH-1:0] tag_o,        // a set-up's
  output                 is_current_o, // a set-up done: it answers the last set-up
  output                 was_full_o,   // and its SM was full before
  // The refill lane: the tag of its SM, whose last set-up was answered.
  input  [NUM_SMS-1:0]   lane_row_i,
  output [TAG_WIDTH-1:0] lane_tag_o,
  input  [NUM_SMS-1:0]   lane_answered_i,
  // SMs that can be sent no set-up.
  output [NUM_SMS-1:0]   full_o
);

  localparam COUNT_WIDTH = TAG_WIDTH + 1;
  localparam [TAG_WIDTH-1:0]   ONE_TAG = 1;
  localparam [COUNT_WIDTH-1:0] ONE     = 1;

  reg [NUM_SMS*TAG_WIDTH-1:0]   tag_q;
  reg [NUM_SMS*COUNT_WIDTH-1:0] unanswered_q;

  // 1. SM: its row, and what that becomes.
  reg  [TAG_WIDTH-1:0]   event_tag_q, new_tag_q;
  reg  [COUNT_WIDTH-1:0] new_count_q; // of a set-up done: with the upper bit that there was
  wire [TAG_WIDTH-1:0]   tag;
  wire [COUNT_WIDTH-1:0] unanswered;
  wire [TAG_WIDTH-1:0]   later = tag - event_tag_q; // set-ups, than the one that is answered
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TAG_WIDTH)) u_tag (.rows_i(tag_q), .row_i(row_i), .data_o(tag));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(COUNT_WIDTH)) u_unanswered (
    .rows_i(unanswered_q), .row_i(row_i), .data_o(unanswered));
  always @(posedge clk_i) begin
    if (picks_i) event_tag_q <= event_tag_i;
    if (reads_i) begin
      new_tag_q   <= tag + ONE_TAG;
      new_count_q <= sets_up_i ? {1'b0, unanswered[TAG_WIDTH-1:0]} + ONE : {unanswered[TAG_WIDTH], later};
    end
  end
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(TAG_WIDTH)) u_lane_tag (
    .rows_i(tag_q), .row_i(lane_row_i), .data_o(lane_tag_o));
  assign tag_o        = new_tag_q;
  assign is_current_o = new_count_q[TAG_WIDTH-1:0] == {TAG_WIDTH{1'b0}};
  assign was_full_o   = new_count_q[TAG_WIDTH];

  // 2. WRITE. In reset all rows are written with zeros.
  wire [NUM_SMS-1:0]     in_reset  = {NUM_SMS{!rst_ni}};
  wire [NUM_SMS-1:0]     written   = row_i & {NUM_SMS{writes_i}} | in_reset;
  wire [NUM_SMS-1:0]     set_up    = row_i & {NUM_SMS{writes_i && sets_up_i}} | in_reset;
  wire [TAG_WIDTH-1:0]   new_tag   = new_tag_q & {TAG_WIDTH{rst_ni}};
  wire [COUNT_WIDTH-1:0] new_count = {new_count_q[TAG_WIDTH] && sets_up_i, new_count_q[TAG_WIDTH-1:0]} &
                                     {COUNT_WIDTH{rst_ni}};
  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
      always @(posedge clk_i) begin
        if (set_up[i])               tag_q[i*TAG_WIDTH +: TAG_WIDTH] <= new_tag;
        if (written[i])              unanswered_q[i*COUNT_WIDTH +: COUNT_WIDTH] <= new_count;
        else if (lane_answered_i[i]) unanswered_q[i*COUNT_WIDTH +: COUNT_WIDTH] <= {COUNT_WIDTH{1'b0}};
      end
      assign full_o[i] = unanswered_q[i*COUNT_WIDTH + TAG_WIDTH];
    end
  endgenerate

endmodule
