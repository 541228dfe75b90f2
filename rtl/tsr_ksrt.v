// SPDX-License-Identifier: Apache-2.0
// The kernel status register table ([T14] 3.3): a row per active kernel. Its counters follow every move, so that a
// search can judge a row in the cycle in which it passes.
module tsr_ksrt #(
  parameter NUM_KSRS       = 13,
  parameter NUM_CONTEXTS   = 16,
  parameter NUM_SMS        = 13,
  parameter MAX_TBS_PER_SM = 16,
  parameter TB_WIDTH       = 32,
  // Not to be set.
  parameter KSR_WIDTH        = $clog2(NUM_KSRS + 1),
  parameter CONTEXT_WIDTH    = $clog2(NUM_CONTEXTS + 1),
  parameter SM_COUNT_WIDTH   = $clog2(NUM_SMS + 1),
  parameter TB_COUNT_WIDTH   = $clog2(MAX_TBS_PER_SM + 1),
  parameter SLOT_COUNT_WIDTH = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1)
) (
  input                                  clk_i,
  input                                  rst_ni,
  // A TB is sent: a fresh one, or a handle is read. `covers`: it takes a slot that waited for it.
  input                                  issue_i,
  input  [KSR_WIDTH-1:0]                 issue_ksr_i,
  input                                  issue_handle_i,
  input                                  issue_covers_i,
  // A trap is sent to an SM with so many TBs.
  input                                  trap_i,
  input  [KSR_WIDTH-1:0]                 trap_ksr_i,
  input  [TB_COUNT_WIDTH-1:0]            trap_count_i,
  // A TB is done, on an SM that was trapped or not, that counts for the kernel or not.
  input                                  done_i,
  input                                  done_trapped_i,
  input                                  done_covered_i,
  // So many TBs are saved.
  input                                  saved_i,
  input  [TB_COUNT_WIDTH-1:0]            saved_count_i,
  input  [KSR_WIDTH-1:0]                 event_ksr_i, // of done and saved
  // An SM counts for a kernel no more: one it owned, or one reserved for it.
  input                                  lose_i,
  input  [KSR_WIDTH-1:0]                 lose_ksr_i,
  input                                  lose_reserved_i,
  input  [TB_COUNT_WIDTH-1:0]            lose_slots_i,
  // An SM counts for a kernel from now on: reserved, or its own, which may have been reserved before.
  input                                  gain_i,
  input  [KSR_WIDTH-1:0]                 gain_ksr_i,
  input                                  gain_reserved_i,
  input                                  gain_hand_over_i,
  input  [TB_COUNT_WIDTH-1:0]            gain_slots_i,
  // A kernel becomes active in the lowest free row; a kernel is finished.
  input                                  activate_i,
  input  [39:0]                          activate_descriptor_i,
  input  [CONTEXT_WIDTH-1:0]             activate_context_i,
  input  [3:0]                           activate_priority_i,
  input  [TB_WIDTH-1:0]                  activate_num_tbs_i,
  input  [TB_COUNT_WIDTH-1:0]            activate_tbs_per_sm_i,
  input                                  free_i,
  input  [KSR_WIDTH-1:0]                 free_ksr_i,
  // Budgets: of the kernel that becomes active, or is dealt to.
  input                                  deal_i,
  input  [KSR_WIDTH-1:0]                 deal_ksr_i,
  input  [8:0]                           budget_i,
  input                                  budget_from_pool_i,
  // The OS writes, to all rows of a context.
  input                                  write_priority_i,
  input                                  write_tokens_i,
  input  [CONTEXT_WIDTH-1:0]             write_context_i,
  input  [8:0]                           write_data_i,
  output [KSR_WIDTH-1:0]                 lowest_free_o, // all ones: none
  output [NUM_KSRS-1:0]                  valid_o,
  output [NUM_KSRS-1:0]                  has_pool_token_o,
  output [NUM_KSRS-1:0]                  has_handles_o, // in the PTBQ
  output [NUM_KSRS-1:0]                  is_issuable_o, // has TBs to be sent
  output [NUM_KSRS*40-1:0]               descriptor_o,
  output [NUM_KSRS*CONTEXT_WIDTH-1:0]    context_o,
  output [NUM_KSRS*4-1:0]                priority_o,
  output [NUM_KSRS*9-1:0]                tokens_o,
  output [NUM_KSRS*TB_COUNT_WIDTH-1:0]   tbs_per_sm_o,
  output [NUM_KSRS*TB_WIDTH-1:0]         remaining_o,
  output [NUM_KSRS*TB_WIDTH-1:0]         next_tb_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] outstanding_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] preempted_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] promised_o,
  output [NUM_KSRS*SM_COUNT_WIDTH-1:0]   owned_o,
  output [NUM_KSRS*SM_COUNT_WIDTH-1:0]   reserved_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] covered_o
);

  localparam N  = NUM_KSRS;
  localparam CW = CONTEXT_WIDTH;
  localparam MW = SM_COUNT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;
  localparam SW = SLOT_COUNT_WIDTH;
  localparam BW = TB_WIDTH;

  reg [N-1:0]    valid_q;
  reg [N-1:0]    has_pool_token_q; // a token of the pool is in `tokens`
  reg [N*40-1:0] descriptor_q;
  reg [N*CW-1:0] context_q;
  reg [N*4-1:0]  priority_q;
  reg [N*9-1:0]  tokens_q;      // the budget
  reg [N*TW-1:0] tbs_per_sm_q;
  reg [N*BW-1:0] remaining_q;   // TBs never sent
  reg [N*BW-1:0] next_tb_q;
  reg [N*SW-1:0] outstanding_q; // sent and not finished, those in the PTBQ included
  reg [N*SW-1:0] preempted_q;   // handles that may be read
  reg [N*SW-1:0] promised_q;    // places in the PTBQ for those that are being saved
  reg [N*MW-1:0] owned_q;       // SMs that run it and are not reserved
  reg [N*MW-1:0] reserved_q;    // SMs whose `next` it is
  reg [N*SW-1:0] covered_q;     // slots that wait for its TBs

  assign valid_o          = valid_q;
  assign has_pool_token_o = has_pool_token_q;
  assign descriptor_o     = descriptor_q;
  assign context_o        = context_q;
  assign priority_o       = priority_q;
  assign tokens_o         = tokens_q;
  assign tbs_per_sm_o     = tbs_per_sm_q;
  assign remaining_o      = remaining_q;
  assign next_tb_o        = next_tb_q;
  assign outstanding_o    = outstanding_q;
  assign preempted_o      = preempted_q;
  assign promised_o       = promised_q;
  assign owned_o          = owned_q;
  assign reserved_o       = reserved_q;
  assign covered_o        = covered_q;

  tsr_lowest #(.COUNT(N)) u_lowest_free (.request_i(~valid_q), .index_o(lowest_free_o));

  // ---- which rows something concerns ------------------------------------------------------------------------------

  wire [N-1:0] issue_row, fresh_row, read_row, trap_row, event_row, done_row, saved_row, lose_row, gain_row;
  wire [N-1:0] activate_row, free_row, deal_row;

  tsr_one_hot #(.ROWS(N)) u_issue (.valid_i(issue_i), .index_i(issue_ksr_i), .row_o(issue_row));
  tsr_one_hot #(.ROWS(N)) u_trap  (.valid_i(trap_i), .index_i(trap_ksr_i), .row_o(trap_row));
  tsr_one_hot #(.ROWS(N)) u_event (.valid_i(done_i || saved_i), .index_i(event_ksr_i), .row_o(event_row));
  tsr_one_hot #(.ROWS(N)) u_lose  (.valid_i(lose_i), .index_i(lose_ksr_i), .row_o(lose_row));
  tsr_one_hot #(.ROWS(N)) u_gain  (.valid_i(gain_i), .index_i(gain_ksr_i), .row_o(gain_row));
  tsr_one_hot #(.ROWS(N)) u_activate (.valid_i(activate_i), .index_i(lowest_free_o), .row_o(activate_row));
  tsr_one_hot #(.ROWS(N)) u_free  (.valid_i(free_i), .index_i(free_ksr_i), .row_o(free_row));
  tsr_one_hot #(.ROWS(N)) u_deal  (.valid_i(deal_i), .index_i(deal_ksr_i), .row_o(deal_row));

  assign fresh_row = issue_row & {N{!issue_handle_i}};
  assign read_row  = issue_row & {N{issue_handle_i}};
  assign done_row  = event_row & {N{done_i}};
  assign saved_row = event_row & {N{saved_i}};

  wire [N-1:0] is_touched = issue_row | trap_row | event_row | lose_row | gain_row | activate_row | deal_row |
                            {N{write_priority_i || write_tokens_i}};

  // ---- registers: counters, then a budget, then rows that come and go, then what the OS writes --------------------

  always @(posedge clk_i) begin
    if (!rst_ni) valid_q <= {N{1'b0}};
    else         valid_q <= valid_q & ~free_row | activate_row;
  end

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      assign has_handles_o[i] = preempted_q[i*SW +: SW] != {SW{1'b0}};
      assign is_issuable_o[i] = has_handles_o[i] || remaining_q[i*BW +: BW] != {BW{1'b0}};

      always @(posedge clk_i) begin
        if (is_touched[i]) begin
          // 1. A kernel comes, or counters take steps.
          if (activate_row[i]) begin
            descriptor_q[i*40 +: 40]  <= activate_descriptor_i;
            context_q[i*CW +: CW]     <= activate_context_i;
            priority_q[i*4 +: 4]      <= activate_priority_i;
            tbs_per_sm_q[i*TW +: TW]  <= activate_tbs_per_sm_i;
            remaining_q[i*BW +: BW]   <= activate_num_tbs_i;
            next_tb_q[i*BW +: BW]     <= {BW{1'b0}};
            outstanding_q[i*SW +: SW] <= {SW{1'b0}};
            preempted_q[i*SW +: SW]   <= {SW{1'b0}};
            promised_q[i*SW +: SW]    <= {SW{1'b0}};
            owned_q[i*MW +: MW]       <= {MW{1'b0}};
            reserved_q[i*MW +: MW]    <= {MW{1'b0}};
            covered_q[i*SW +: SW]     <= {SW{1'b0}};
          end else begin
            remaining_q[i*BW +: BW]   <= remaining_q[i*BW +: BW] - {{(BW-1){1'b0}}, fresh_row[i]};
            next_tb_q[i*BW +: BW]     <= next_tb_q[i*BW +: BW] + {{(BW-1){1'b0}}, fresh_row[i]};
            outstanding_q[i*SW +: SW] <= outstanding_q[i*SW +: SW] + {{(SW-1){1'b0}}, fresh_row[i]} -
                                         {{(SW-1){1'b0}}, done_row[i]};
            preempted_q[i*SW +: SW]   <= preempted_q[i*SW +: SW] - {{(SW-1){1'b0}}, read_row[i]} +
                                         (saved_row[i] ? {{(SW-TW){1'b0}}, saved_count_i} : {SW{1'b0}});
            promised_q[i*SW +: SW]    <= promised_q[i*SW +: SW] - {{(SW-1){1'b0}}, done_row[i] && done_trapped_i} +
                                         (trap_row[i] ? {{(SW-TW){1'b0}}, trap_count_i} : {SW{1'b0}}) -
                                         (saved_row[i] ? {{(SW-TW){1'b0}}, saved_count_i} : {SW{1'b0}});
            owned_q[i*MW +: MW]       <= owned_q[i*MW +: MW] + {{(MW-1){1'b0}}, gain_row[i] && !gain_reserved_i} -
                                         {{(MW-1){1'b0}}, lose_row[i] && !lose_reserved_i};
            reserved_q[i*MW +: MW]    <= reserved_q[i*MW +: MW] + {{(MW-1){1'b0}}, gain_row[i] && gain_reserved_i} -
                                         {{(MW-1){1'b0}}, gain_row[i] && gain_hand_over_i ||
                                                          lose_row[i] && lose_reserved_i};
            covered_q[i*SW +: SW]     <= covered_q[i*SW +: SW] + {{(SW-1){1'b0}}, done_row[i] && done_covered_i} -
                                         {{(SW-1){1'b0}}, issue_row[i] && issue_covers_i} +
                                         (gain_row[i] ? {{(SW-TW){1'b0}}, gain_slots_i} : {SW{1'b0}}) -
                                         (lose_row[i] ? {{(SW-TW){1'b0}}, lose_slots_i} : {SW{1'b0}});
          end
          // 2. A budget.
          if (activate_row[i] || deal_row[i]) begin
            tokens_q[i*9 +: 9]  <= budget_i;
            has_pool_token_q[i] <= budget_from_pool_i;
          end
          // 3. What the OS writes; it never meets an activation.
          if (context_q[i*CW +: CW] == write_context_i) begin
            if (write_priority_i) priority_q[i*4 +: 4] <= write_data_i[3:0];
            if (write_tokens_i) begin
              tokens_q[i*9 +: 9]  <= write_data_i;
              has_pool_token_q[i] <= 1'b0;
            end
          end
        end
      end
    end
  endgenerate

endmodule
