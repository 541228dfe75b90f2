// SPDX-License-Identifier: Apache-2.0
// The entries of a walk on their way through four cycles (timing.md 5.3): which KSRs, what their status is, their tokens
// left and so their key under the policy; then they are compared (tsr_trackers.v).
module tsr_walk #(
`include "tsr_sizes.vh"
  , parameter KEY_WIDTH = TOKEN_WIDTH + 1,
  // Not to be set: an entry (tsr_trackers.v).
  parameter ENTRY_WIDTH = 4 + KSR_WIDTH + CONTEXT_ADDRESS + KEY_WIDTH
) (
  input                        clk_i,
  input                        rst_ni,
  input  [POLICY_WIDTH-1:0]    policy_i,
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  // Partitions: the step's partition, and what a survey finds.
  input                        has_partition_i,
  input  [PARTITION_WIDTH-1:0] partition_i,
  output [SEARCH_WIDTH-1:0]    surveyed_o,       // an entry that counts, of:
  output [SEARCH_WIDTH*PARTITION_WIDTH-1:0] surveyed_partition_o,
  // The search.
  input                        restarts_i,
  input                        passes_i,         // entries pass
  input                        looks_i,          // entries are of use: they pass, or a scan or a deal looks at the queue
  input                        of_deal_i,        // one KSR: that of a deal
  input  [KSR_WIDTH-1:0]       deal_ksr_i,
  output                       drained_o,        // the last entries are being compared
  // The entries of a step, a lane each: of the active queue; of KSR status a cycle later; of tokens two later.
  input  [SEARCH_WIDTH-1:0]                 entry_valid_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       entry_ksr_i,
  output [SEARCH_WIDTH*KSR_WIDTH-1:0]       look_ksr_o,
  input  [LOOK_STATUS_WIDTH-1:0]            look_status_i,
  output                                    look_o,
  input  [LOOK_LAUNCH_WIDTH-1:0]            look_launch_i, // a cycle later
  output [SEARCH_WIDTH*TOKEN_ADDRESS-1:0]   look_tokens_o,
  input  [SEARCH_WIDTH*TOKEN_WIDTH-1:0]     look_left_i,
  output                                    front_valid_o,  // the first lane has an entry of the queue
  // Entries that are compared.
  output reg                                compares_o,
  output [SEARCH_WIDTH*ENTRY_WIDTH-1:0]     entries_o,
  output                                    rests_o // none is on its way
);

`include "tsr_policy_table.vh"
`include "tsr_buses.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  localparam HAS_DUES       = (POLICIES & policies_with(ANY_DUE)) != 0;

  wire [RULES-1:0] rules   = policy_i[POLICY_RULES +: RULES];
  wire unused_policy       = &{1'b0, policy_i}; // but for parts of it

  // 1. Which KSRs.
  reg                              pass_1_q, pass_2_q;
  reg [SEARCH_WIDTH-1:0]           entry_1_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0] ksr_1_q;
  always @(posedge clk_i) begin
    pass_1_q   <= rst_ni && passes_i && !restarts_i;
    pass_2_q   <= rst_ni && pass_1_q && !restarts_i;
    compares_o <= rst_ni && pass_2_q && !restarts_i;
    if (looks_i) begin
      entry_1_q <= entry_valid_i;
      ksr_1_q   <= entry_ksr_i;
      if (of_deal_i) ksr_1_q[KSR_WIDTH-1:0] <= deal_ksr_i;
    end
  end
  assign look_ksr_o    = ksr_1_q;
  assign look_o        = pass_1_q;
  assign front_valid_o = entry_1_q[0];
  assign drained_o     = compares_o && !pass_2_q && !pass_1_q;
  assign rests_o       = !(compares_o || pass_2_q || pass_1_q);

  // 2. Their status and context.
  reg [SEARCH_WIDTH-1:0] entry_2_q, uncovered_2_q, holds_2_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0]       ksr_2_q;
  reg [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] context_2_q;
  reg [SEARCH_WIDTH*4-1:0]               priority_2_q;
  always @(posedge clk_i) begin
    if (pass_1_q) begin
      ksr_2_q       <= ksr_1_q;
      entry_2_q     <= entry_1_q & look_status_i[LOOK_VALID +: SEARCH_WIDTH];
      uncovered_2_q <= look_status_i[LOOK_UNCOVERED +: SEARCH_WIDTH];
      holds_2_q     <= look_status_i[LOOK_HOLDS +: SEARCH_WIDTH];
      priority_2_q  <= look_status_i[LOOK_PRIORITY +: SEARCH_WIDTH*4];
      context_2_q   <= look_status_i[LOOK_CONTEXT +: SEARCH_WIDTH*CONTEXT_ADDRESS];
    end
  end

  // 3. Their key. Those of the step's partition count.
  wire                                in_partitions = HAS_PARTITIONS && |(rules & IN_PARTITIONS);
  wire                                by_due        = |(rules & KEY_DUE);
  wire [SEARCH_WIDTH*ENTRY_WIDTH-1:0] entries;
  reg  [SEARCH_WIDTH*ENTRY_WIDTH-1:0] entries_q;
  always @(posedge clk_i) if (pass_2_q) entries_q <= entries;
  assign entries_o = entries_q;

  localparam [CONTEXT_ADDRESS:0] CONTEXTS = NUM_CONTEXTS[CONTEXT_ADDRESS:0];
  genvar lane;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [CONTEXT_ADDRESS-1:0] owner  = context_2_q[lane*CONTEXT_ADDRESS +: CONTEXT_ADDRESS];
      wire [CONTEXT_ADDRESS:0]   ahead  = {1'b0, owner} - {1'b0, turn_i};
      wire [CONTEXT_ADDRESS:0]   behind = ahead + (ahead[CONTEXT_ADDRESS] ? CONTEXTS : {(CONTEXT_ADDRESS+1){1'b0}});
      wire [KSR_WIDTH-1:0]       ksr    = ksr_2_q[lane*KSR_WIDTH +: KSR_WIDTH];
      wire [TOKEN_ADDRESS-1:0]   ksr_row, context_row;
      wire [TOKEN_WIDTH-1:0]     left   = look_left_i[lane*TOKEN_WIDTH +: TOKEN_WIDTH];
      wire                       unused = &{1'b0, ksr, behind[CONTEXT_ADDRESS]};
      if (TOKEN_ADDRESS > KSR_ADDRESS) begin : g_ksr_row
        assign ksr_row = {{(TOKEN_ADDRESS-KSR_ADDRESS){1'b0}}, ksr[KSR_ADDRESS-1:0]};
      end else begin : g_ksr_row
        assign ksr_row = ksr[TOKEN_ADDRESS-1:0];
      end
      if (TOKEN_ADDRESS > CONTEXT_ADDRESS) begin : g_context_row
        assign context_row = {{(TOKEN_ADDRESS-CONTEXT_ADDRESS){1'b0}}, owner};
      end else begin : g_context_row
        assign context_row = owner[TOKEN_ADDRESS-1:0];
      end
      assign look_tokens_o[lane*TOKEN_ADDRESS +: TOKEN_ADDRESS] = policy_i[POLICY_BY_PROCESS] ? context_row : ksr_row;
      wire [PARTITION_WIDTH-1:0] partition = surveyed_partition_o[lane*PARTITION_WIDTH +: PARTITION_WIDTH];
      wire                       counts = entry_2_q[lane] &&
                                          (!in_partitions || has_partition_i && partition == partition_i);
      wire [KEY_WIDTH-1:0] due_key;
      if (HAS_DUES) begin : g_due
        assign due_key = ~look_launch_i[LOOK_DUE + lane*DUE_WIDTH +: DUE_WIDTH] &
                         {DUE_WIDTH{look_launch_i[LOOK_HAS_DUE + lane]}};
      end else begin : g_no_due
        wire unused_due = &{1'b0, look_launch_i[LOOK_DUE + lane*DUE_WIDTH +: DUE_WIDTH]};
        assign due_key = {KEY_WIDTH{1'b0}};
      end
      wire [KEY_WIDTH-1:0] key =
        |(rules & KEY_PRIORITY) ? {{(KEY_WIDTH-4){1'b0}}, priority_2_q[lane*4 +: 4]} :
        |(rules & KEY_TOKENS)   ? {{(KEY_WIDTH-TOKEN_WIDTH){left[TOKEN_WIDTH-1]}}, left} :
        |(rules & KEY_NEARNESS) ? {{(KEY_WIDTH-CONTEXT_ADDRESS){1'b1}}, ~behind[CONTEXT_ADDRESS-1:0]} :
        by_due                    ? due_key : {KEY_WIDTH{1'b0}};
      assign entries[lane*ENTRY_WIDTH +: ENTRY_WIDTH] =
        {counts, uncovered_2_q[lane], holds_2_q[lane], by_due && look_launch_i[LOOK_HAS_DUE + lane], ksr, owner, key};
    end
  endgenerate

  assign surveyed_o           = entry_2_q & {SEARCH_WIDTH{pass_2_q}};
  assign surveyed_partition_o = look_launch_i[LOOK_PARTITION +: SEARCH_WIDTH*PARTITION_WIDTH];

endmodule
