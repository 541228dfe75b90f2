// SPDX-License-Identifier: Apache-2.0
// static_partition: in which partitions something has changed, and which one the search's step is about (timing.md
// 5.8).
//
//   dirty_q -> first behind the last, round -> partition_o, and its bit is cleared
//      ^
//      +-- an activation, a kernel that gains or loses, an SM that leaves; a survey; the step's own again
module tsr_partitions #(
`include "tsr_sizes.vh"
) (
  input                             clk_i,
  input                             rst_ni,
  // The search.
  input                             is_on_i,      // the policy
  input                             chooses_i,    // the cycle before a step's walk
  input                             moves_i,      // its move is over
  input                             walks_i,      // over the active queue
  input                             restarts_i,   // a write:
  input                             write_policy_i,
  input                             write_partition_i,
  output                            has_more_o,   // to look at
  output                            has_partition_o,
  output [PARTITION_WIDTH-1:0]      partition_o,
  // What a survey finds, a lane each.
  input  [SEARCH_WIDTH-1:0]                 surveyed_i,
  input  [SEARCH_WIDTH*PARTITION_WIDTH-1:0] surveyed_partition_i,
  // The job, in a WRITE: what it sets.
  input  [CHANGES_WIDTH-1:0]        changes_i,
  input                             is_queue_empty_i,
  output                            rests_o // but for a job's WRITE
);

`include "tsr_codes.vh"
`include "tsr_buses.vh"

  reg  [NUM_SMS-1:0]         dirty_q, behind_q, step_q; // behind the last one; the step's, if it has one
  reg                        survey_q, surveys_q, has_partition_q, mixed_q;
  reg  [PARTITION_WIDTH-1:0] partition_q;

  wire                       finishes  = changes_i[CHANGES_FINISHES];
  wire [PARTITION_WIDTH-1:0] of_kernel = changes_i[CHANGES_KERNEL_PARTITION +: PARTITION_WIDTH];
  wire [PARTITION_WIDTH-1:0] of_sm     = changes_i[CHANGES_SM_PARTITION +: PARTITION_WIDTH];

  // 1. The next in turn.
  wire                any_dirty;
  wire [NUM_SMS-1:0]  next, behind;
  tsr_round_robin #(.COUNT(NUM_SMS)) u_next (
    .asks_i(dirty_q), .behind_i(behind_q), .any_o(any_dirty), .next_o(next), .behind_o(behind));
  wire [SM_WIDTH-1:0] next_index;
  wire                unused = &{1'b0, next_index}; // but for a number's bits
  tsr_encode #(.COUNT(NUM_SMS)) u_index (.row_i(next), .none_i(1'b0), .index_o(next_index));
  wire chooses = is_on_i && chooses_i;
  wire takes   = chooses && !survey_q && any_dirty;

  // 2. Bits that are set.
  function [NUM_SMS-1:0] bit_of(input valid, input [PARTITION_WIDTH-1:0] partition);
    integer p;
    for (p = 0; p < NUM_SMS; p = p + 1) bit_of[p] = valid && partition == p[PARTITION_WIDTH-1:0];
  endfunction

  reg  [NUM_SMS-1:0] surveyed;
  integer lane;
  always @* begin
    surveyed = {NUM_SMS{1'b0}};
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin
      surveyed = surveyed | bit_of(is_on_i && surveys_q && surveyed_i[lane],
                                   surveyed_partition_i[lane*PARTITION_WIDTH +: PARTITION_WIDTH]);
    end
  end
  wire slips = is_on_i && walks_i && finishes; // the queue closes up: a row may have slipped past the walk
  wire [NUM_SMS-1:0] sets = bit_of(changes_i[CHANGES_KERNEL], of_kernel) | bit_of(changes_i[CHANGES_SM], of_sm) |
                            surveyed | ((is_on_i && moves_i || slips) && has_partition_q ? step_q : {NUM_SMS{1'b0}});

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      dirty_q   <= {NUM_SMS{1'b0}};
      behind_q  <= {NUM_SMS{1'b0}};
      survey_q  <= 1'b0;
      surveys_q <= 1'b0;
      has_partition_q <= 1'b0;
      mixed_q   <= 1'b0;
    end else begin
      dirty_q  <= dirty_q & ~(next & {NUM_SMS{takes}}) & {NUM_SMS{!write_policy_i}} | sets;
      survey_q <= restarts_i || finishes && mixed_q || slips && surveys_q || survey_q && !chooses;
      mixed_q  <= write_policy_i || write_partition_i || mixed_q && !is_queue_empty_i;
      if (chooses)        {surveys_q, has_partition_q} <= {survey_q, takes};
      if (write_policy_i) behind_q <= {NUM_SMS{1'b0}};
      else if (takes)     behind_q <= behind;
    end
    if (takes) {step_q, partition_q} <= {next, next_index[PARTITION_WIDTH-1:0]};
  end

  assign rests_o         = !(mixed_q && is_queue_empty_i);
  assign has_more_o      = is_on_i && (survey_q || any_dirty);
  assign has_partition_o = has_partition_q;
  assign partition_o     = partition_q;

endmodule
