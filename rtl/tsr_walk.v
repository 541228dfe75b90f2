// SPDX-License-Identifier: Apache-2.0
// The rows of a walk on their way through four cycles (timing.md 5.3): which KSRs, what their status is, their tokens
// left and so their key under the policy; then they are compared (tsr_policy.v).
module tsr_walk #(
`include "tsr_sizes.vh"
  , parameter KEY_WIDTH = TOKEN_WIDTH + 1
) (
  input                        clk_i,
  input                        rst_ni,
  input  [23:0]                rules_i,          // the policy's
  input                        by_process_i,
  input  [CONTEXT_ADDRESS-1:0] turn_i,
  // Partitions: the step's partition, and what a survey finds.
  input                        has_partition_i,
  input  [PARTITION_WIDTH-1:0] partition_i,
  output [SEARCH_WIDTH-1:0]    surveyed_o,       // an entry that counts, of:
  output [SEARCH_WIDTH*PARTITION_WIDTH-1:0] surveyed_partition_o,
  // The search.
  input                        restarts_i,
  input                        passes_i,         // rows pass
  input                        looks_i,          // rows are of use: they pass, or a scan or a deal looks at the queue
  input                        is_second_i,
  input                        of_sms_i,         // the KSRs that SMs count against
  input                        of_deal_i,        // one KSR: that of a deal
  input  [KSR_WIDTH-1:0]       deal_ksr_i,
  input                        begins_i,         // rows are counted from 0
  output                       drained_o,        // the last rows are being compared
  // The rows of a step, a lane each: of the active queue and SMST; of KSR status a cycle later; of tokens two later.
  input  [SEARCH_WIDTH-1:0]                 entry_valid_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       entry_ksr_i,
  input  [SEARCH_WIDTH-1:0]                 sm_idle_i,
  input  [SEARCH_WIDTH-1:0]                 sm_free_i,
  input  [SEARCH_WIDTH-1:0]                 sm_reserved_i,
  input  [SEARCH_WIDTH-1:0]                 sm_counts_i,
  input  [SEARCH_WIDTH*KSR_WIDTH-1:0]       sm_ksr_i,
  input  [SEARCH_WIDTH*PARTITION_WIDTH-1:0] sm_partition_i,
  output [SEARCH_WIDTH*KSR_WIDTH-1:0]       look_ksr_o,
  input  [SEARCH_WIDTH-1:0]                 look_valid_i,
  input  [SEARCH_WIDTH-1:0]                 look_uncovered_i,
  input  [SEARCH_WIDTH-1:0]                 look_holds_i,
  input  [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] look_context_i,
  input  [SEARCH_WIDTH*4-1:0]               look_priority_i,
  output                                    look_o,
  input  [SEARCH_WIDTH-1:0]                 look_has_due_i, // these three a cycle later
  input  [SEARCH_WIDTH*DUE_WIDTH-1:0]       look_due_i,
  input  [SEARCH_WIDTH*PARTITION_WIDTH-1:0] look_partition_i,
  output [SEARCH_WIDTH*TOKEN_ADDRESS-1:0]   look_tokens_o,
  input  [SEARCH_WIDTH*TOKEN_WIDTH-1:0]     look_left_i,
  output                                    front_valid_o,  // the first lane has an entry of the queue
  // Rows that are compared.
  output reg                                    compares_o,
  output reg [SM_WIDTH-1:0]                     row_o,
  output reg [SEARCH_WIDTH-1:0]                 in_queue_o,
  output reg [SEARCH_WIDTH-1:0]                 uncovered_o,
  output reg [SEARCH_WIDTH-1:0]                 holds_o,
  output reg [SEARCH_WIDTH-1:0]                 has_due_o,
  output reg [SEARCH_WIDTH-1:0]                 is_idle_o,
  output reg [SEARCH_WIDTH-1:0]                 is_free_o,
  output reg [SEARCH_WIDTH-1:0]                 is_reserved_o,
  output reg [SEARCH_WIDTH-1:0]                 counts_o,
  output [SEARCH_WIDTH-1:0]                     is_foreign_o,
  output reg [SEARCH_WIDTH*KSR_WIDTH-1:0]       ksr_o,
  output reg [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] context_o,
  output reg [SEARCH_WIDTH*KEY_WIDTH-1:0]       key_o,
  output                                        rests_o // none is on its way
);

`include "tsr_policy_table.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  localparam HAS_DUES       = (POLICIES & policies_with(ANY_DUE)) != 0;

  // 0. Partitions: SMs of the step's are seen, in the first cycle; its kernels count, in the third.
  wire                    in_partitions = HAS_PARTITIONS && |(rules_i & IN_PARTITIONS);
  wire [SEARCH_WIDTH-1:0] sees, own;

  // 1. Which KSRs.
  reg                              pass_1_q, pass_2_q;
  reg [SEARCH_WIDTH-1:0]           entry_1_q, idle_1_q, free_1_q, reserved_1_q, counts_1_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0] ksr_1_q;
  always @(posedge clk_i) begin
    pass_1_q   <= rst_ni && passes_i && !restarts_i;
    pass_2_q   <= rst_ni && pass_1_q && !restarts_i;
    compares_o <= rst_ni && pass_2_q && !restarts_i;
    if (looks_i) begin
      entry_1_q    <= entry_valid_i & {SEARCH_WIDTH{!is_second_i}};
      ksr_1_q      <= of_sms_i ? sm_ksr_i : entry_ksr_i;
      if (of_deal_i) ksr_1_q[KSR_WIDTH-1:0] <= deal_ksr_i;
      idle_1_q     <= sm_idle_i & sees;
      free_1_q     <= sm_free_i & sees;
      reserved_1_q <= sm_reserved_i;
      counts_1_q   <= sm_counts_i & sees;
    end
  end
  assign look_ksr_o    = ksr_1_q;
  assign look_o        = pass_1_q;
  assign front_valid_o = entry_1_q[0];
  assign drained_o     = compares_o && !pass_2_q && !pass_1_q;
  assign rests_o       = !(compares_o || pass_2_q || pass_1_q);

  // 2. Their status and context.
  reg [SEARCH_WIDTH-1:0] entry_2_q, uncovered_2_q, holds_2_q, idle_2_q, free_2_q, reserved_2_q, counts_2_q;
  reg [SEARCH_WIDTH*KSR_WIDTH-1:0]       ksr_2_q;
  reg [SEARCH_WIDTH*CONTEXT_ADDRESS-1:0] context_2_q;
  reg [SEARCH_WIDTH*4-1:0]               priority_2_q;
  always @(posedge clk_i) begin
    if (pass_1_q) begin
      {entry_2_q, uncovered_2_q, holds_2_q} <= {entry_1_q & look_valid_i, look_uncovered_i, look_holds_i};
      {idle_2_q, free_2_q, reserved_2_q, counts_2_q} <= {idle_1_q, free_1_q, reserved_1_q, counts_1_q};
      {ksr_2_q, context_2_q, priority_2_q}  <= {ksr_1_q, look_context_i, look_priority_i};
    end
  end

  // 3. Their key.
  wire [SEARCH_WIDTH*KEY_WIDTH-1:0] key;
  always @(posedge clk_i) begin
    if (pass_2_q) begin
      {in_queue_o, uncovered_o, holds_o, has_due_o} <= {entry_2_q & own, uncovered_2_q, holds_2_q, look_has_due_i};
      {is_idle_o, is_free_o, is_reserved_o, counts_o} <= {idle_2_q, free_2_q, reserved_2_q, counts_2_q};
      {ksr_o, context_o, key_o} <= {ksr_2_q, context_2_q, key};
    end
    if (begins_i)        row_o <= {SM_WIDTH{1'b0}};
    else if (compares_o) row_o <= row_o + {{(SM_WIDTH-1){1'b0}}, 1'b1};
  end

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
      assign look_tokens_o[lane*TOKEN_ADDRESS +: TOKEN_ADDRESS] = by_process_i ? context_row : ksr_row;
      wire [PARTITION_WIDTH-1:0] sm_partition = sm_partition_i[lane*PARTITION_WIDTH +: PARTITION_WIDTH];
      wire [PARTITION_WIDTH-1:0] partition    = look_partition_i[lane*PARTITION_WIDTH +: PARTITION_WIDTH];
      assign sees[lane] = !in_partitions || has_partition_i && sm_partition == partition_i;
      assign own[lane]  = !in_partitions || has_partition_i && partition == partition_i;
      wire [KEY_WIDTH-1:0] due_key;
      if (HAS_DUES) begin : g_due
        assign due_key = ~look_due_i[lane*DUE_WIDTH +: DUE_WIDTH] & {DUE_WIDTH{look_has_due_i[lane]}};
      end else begin : g_no_due
        wire unused_due = &{1'b0, look_due_i[lane*DUE_WIDTH +: DUE_WIDTH]};
        assign due_key = {KEY_WIDTH{1'b0}};
      end
      assign key[lane*KEY_WIDTH +: KEY_WIDTH] =
        |(rules_i & KEY_PRIORITY) ? {{(KEY_WIDTH-4){1'b0}}, priority_2_q[lane*4 +: 4]} :
        |(rules_i & KEY_TOKENS)   ? {{(KEY_WIDTH-TOKEN_WIDTH){left[TOKEN_WIDTH-1]}}, left} :
        |(rules_i & KEY_NEARNESS) ? {{(KEY_WIDTH-CONTEXT_ADDRESS){1'b1}}, ~behind[CONTEXT_ADDRESS-1:0]} :
        |(rules_i & KEY_DUE)      ? due_key : {KEY_WIDTH{1'b0}};
    end
  endgenerate

  generate
    if (HAS_PARTITIONS) begin : g_foreign
      reg [SEARCH_WIDTH-1:0] is_foreign_q;
      always @(posedge clk_i) if (pass_2_q) is_foreign_q <= ~own;
      assign is_foreign_o = is_foreign_q;
    end else begin : g_no_foreign
      assign is_foreign_o = {SEARCH_WIDTH{1'b0}};
    end
  endgenerate

  assign surveyed_o           = entry_2_q & {SEARCH_WIDTH{pass_2_q}};
  assign surveyed_partition_o = look_partition_i;

endmodule
