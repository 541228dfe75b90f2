// SPDX-License-Identifier: Apache-2.0
// Policy engine of time_slice: contexts in turn. The turn is with the context nearest behind it, and passes on with a
// tick of the slice timer.
module tsr_time_slice #(
  parameter ROWS          = 1, // kernels that pass in a cycle
  parameter VICTIMS       = 1, // SMs that pass in a cycle
  parameter KSR_WIDTH     = 4,
  parameter NUM_CONTEXTS  = 16,
  parameter PIPELINED     = 0, // the candidate is wanted when the last rows have passed
  parameter CONTEXT_WIDTH = $clog2(NUM_CONTEXTS + 1) // not to be set
) (
  input                              clk_i,
  input                              rst_ni,
  input                              shared_i, // access
  input                              select_i, // the policy is chosen: the turn is context 0's
  input                              tick_i,   // the turn passes
  // First walk: rows pass, in the order of the active queue; with the first of them it starts anew; it ends.
  input                              pass_i,
  input                              start_i,
  input                              end_i,
  input  [ROWS-1:0]                  row_valid_i,
  input  [ROWS*KSR_WIDTH-1:0]        row_ksr_i,
  input  [ROWS*CONTEXT_WIDTH-1:0]    row_context_i,
  input  [ROWS-1:0]                  row_uncovered_i,
  // The candidate, this cycle's rows included, or pipelined, those before it.
  output                             candidate_valid_o,
  output [KSR_WIDTH-1:0]             candidate_ksr_o,
  output                             candidate_takes_away_o,
  // Second walk: the kernels that the passing SMs count against.
  input  [VICTIMS*CONTEXT_WIDTH-1:0] victim_context_i,
  output [VICTIMS-1:0]               is_victim_o
);

  localparam CW = CONTEXT_WIDTH;

  localparam LAST = NUM_CONTEXTS - 1;

  reg [CW-1:0] turn_q;
  // `nearest` of all kernels, `requester` of those with uncovered TBs.
  reg                 nearest_valid_q, nearest_valid_d, requester_valid_q, requester_valid_d;
  reg [KSR_WIDTH-1:0] requester_ksr_q, requester_ksr_d;
  reg [CW-1:0]        nearest_context_q, nearest_context_d, requester_context_q, requester_context_d;
  reg [CW-1:0]        nearest_distance_q, nearest_distance_d, requester_distance_q, requester_distance_d;
  reg [CW-1:0]        its_context, distance;

  integer j;
  always @* begin
    nearest_valid_d      = nearest_valid_q && !start_i;
    nearest_context_d    = nearest_context_q;
    nearest_distance_d   = nearest_distance_q;
    requester_valid_d    = requester_valid_q && !start_i;
    requester_ksr_d      = requester_ksr_q;
    requester_context_d  = requester_context_q;
    requester_distance_d = requester_distance_q;
    its_context          = {CW{1'b0}};
    distance             = {CW{1'b0}};
    for (j = 0; j < ROWS; j = j + 1) begin
      its_context = row_context_i[j*CW +: CW];
      distance    = its_context - turn_q + (its_context < turn_q ? NUM_CONTEXTS[CW-1:0] : {CW{1'b0}});
      if (row_valid_i[j] && (!nearest_valid_d || distance < nearest_distance_d)) begin
        nearest_valid_d    = 1'b1;
        nearest_context_d  = its_context;
        nearest_distance_d = distance;
      end
      if (row_valid_i[j] && row_uncovered_i[j] && (!requester_valid_d || distance < requester_distance_d)) begin
        requester_valid_d    = 1'b1;
        requester_ksr_d      = row_ksr_i[j*KSR_WIDTH +: KSR_WIDTH];
        requester_context_d  = its_context;
        requester_distance_d = distance;
      end
    end
  end

  wire          nearest_valid     = PIPELINED != 0 ? nearest_valid_q : nearest_valid_d;
  wire          requester_valid   = PIPELINED != 0 ? requester_valid_q : requester_valid_d;
  wire [CW-1:0] nearest_context   = PIPELINED != 0 ? nearest_context_q : nearest_context_d;
  wire [CW-1:0] requester_context = PIPELINED != 0 ? requester_context_q : requester_context_d;

  wire is_in_turn = requester_context == nearest_context;

  assign candidate_valid_o      = requester_valid && (shared_i || is_in_turn);
  assign candidate_ksr_o        = PIPELINED != 0 ? requester_ksr_q : requester_ksr_d;
  assign candidate_takes_away_o = is_in_turn;

  // The turn: a walk that ends gives it to the nearest, a tick passes it on from there.
  wire [CW-1:0] turn_found  = end_i && nearest_valid ? nearest_context : turn_q;
  wire [CW-1:0] turn_passed = turn_found == LAST[CW-1:0] ? {CW{1'b0}} : turn_found + 1'b1;

  always @(posedge clk_i) begin
    if (!rst_ni || select_i) turn_q <= {CW{1'b0}};
    else turn_q <= tick_i ? turn_passed : turn_found;
  end

  always @(posedge clk_i) begin
    if (pass_i) begin
      nearest_valid_q      <= nearest_valid_d;
      nearest_context_q    <= nearest_context_d;
      nearest_distance_q   <= nearest_distance_d;
      requester_valid_q    <= requester_valid_d;
      requester_ksr_q      <= requester_ksr_d;
      requester_context_q  <= requester_context_d;
      requester_distance_q <= requester_distance_d;
    end
  end

  genvar i;
  generate
    for (i = 0; i < VICTIMS; i = i + 1) begin : g_victim
      assign is_victim_o[i] = victim_context_i[i*CW +: CW] != nearest_context_q;
    end
  endgenerate

endmodule
