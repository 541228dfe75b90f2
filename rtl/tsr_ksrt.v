// SPDX-License-Identifier: Apache-2.0
// The kernel status register table ([T14] 3.3): a row per active kernel. Its counters follow every move, so that a
// search can judge a row in the cycle in which it passes. Of the TBs never sent a row counts as many as any slot could
// wait for, and whether there are more; how many more stands in a RAM, and so do descriptors.
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
  parameter SLOT_COUNT_WIDTH = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1),
  parameter REMAINING_WIDTH  = TB_WIDTH > SLOT_COUNT_WIDTH + 1 ? SLOT_COUNT_WIDTH + 1 : TB_WIDTH
) (
  input                                  clk_i,
  input                                  rst_ni,
  // A TB is sent: a fresh one of this number, or a handle is read. `covers`: it takes a slot that waited for it.
  // `borrows`: the fresh one is the first of the TBs that the row does not count.
  input                                  issue_i,
  input  [KSR_WIDTH-1:0]                 issue_ksr_i,
  input  [TB_WIDTH-1:0]                  issue_tb_i,
  input                                  issue_handle_i,
  input                                  issue_covers_i,
  input                                  issue_borrows_i,
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
  input  [CONTEXT_WIDTH-1:0]             activate_context_i,
  input  [3:0]                           activate_priority_i,
  input  [TB_COUNT_WIDTH-1:0]            activate_tbs_per_sm_i,
  // The rest of its launch, in the cycle after: until then it counts one TB. Nothing can be sent yet.
  input  [39:0]                          launch_descriptor_i,
  input  [TB_WIDTH-1:0]                  launch_num_tbs_i,
  input                                  free_i,
  input  [KSR_WIDTH-1:0]                 free_ksr_i,
  // Budgets: of the kernel that becomes active, or gets its own in a distribution.
  input                                  distribute_i,
  input  [KSR_WIDTH-1:0]                 distribute_ksr_i,
  input  [8:0]                           budget_i,
  input                                  budget_from_pool_i,
  // The OS writes, to all rows of a context.
  input                                  write_priority_i,
  input                                  write_tokens_i,
  input  [CONTEXT_WIDTH-1:0]             write_context_i,
  input  [8:0]                           write_data_i,
  // A descriptor, in the next cycle: of the kernel that is finished, or else of the one that an SM is set up for.
  input                                  setup_i,
  input  [KSR_WIDTH-1:0]                 setup_ksr_i,
  output [39:0]                          descriptor_o,
  output [KSR_WIDTH-1:0]                 lowest_free_o, // all ones: none
  output [NUM_KSRS-1:0]                  valid_o,
  output [NUM_KSRS-1:0]                  has_pool_token_o,
  output [NUM_KSRS-1:0]                  has_handles_o, // in the PTBQ
  output [NUM_KSRS-1:0]                  has_fresh_o,   // TBs never sent
  output [NUM_KSRS-1:0]                  is_issuable_o, // has TBs to be sent
  output [NUM_KSRS*CONTEXT_WIDTH-1:0]    context_o,
  output [NUM_KSRS*4-1:0]                priority_o,
  output [NUM_KSRS*9-1:0]                tokens_o,
  output [NUM_KSRS*TB_COUNT_WIDTH-1:0]   tbs_per_sm_o,
  output [NUM_KSRS*REMAINING_WIDTH-1:0]  remaining_o,
  output [NUM_KSRS-1:0]                  has_more_o,
  output                                 borrowed_o, // in the last cycle: `has_more` may change
  output [NUM_KSRS*TB_WIDTH-1:0]         next_tb_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] outstanding_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] preempted_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] promised_o,
  output [NUM_KSRS*SM_COUNT_WIDTH-1:0]   owned_o,
  output [NUM_KSRS*SM_COUNT_WIDTH-1:0]   reserved_o,
  output [NUM_KSRS*SLOT_COUNT_WIDTH-1:0] covered_o
);

  localparam N  = NUM_KSRS;
  localparam KW = KSR_WIDTH;
  localparam CW = CONTEXT_WIDTH;
  localparam MW = SM_COUNT_WIDTH;
  localparam TW = TB_COUNT_WIDTH;
  localparam SW = SLOT_COUNT_WIDTH;
  localparam BW = TB_WIDTH;
  localparam RW = REMAINING_WIDTH;
  localparam ADDRESS_WIDTH = N > 1 ? $clog2(N) : 1;

  reg [N-1:0]    valid_q;
  reg [N-1:0]    has_pool_token_q; // a token of the pool is in `tokens`
  reg [N*CW-1:0] context_q;
  reg [N*4-1:0]  priority_q;
  reg [N*9-1:0]  tokens_q;      // the budget
  reg [N*TW-1:0] tbs_per_sm_q;
  reg [N*RW-1:0] remaining_q;   // TBs never sent, modulo 2^RW
  reg [N-1:0]    has_more_q;    // 2^RW or more
  reg [N-1:0]    has_fresh_q;   // one or more: `remaining` is not 0, or there are more
  reg [N-1:0]    has_handles_q; // `preempted` is not 0. These two are where a cycle begins, for driver and policy
  reg [N*BW-1:0] next_tb_q;
  reg [N*SW-1:0] outstanding_q; // sent and not finished, those in the PTBQ included
  reg [N*SW-1:0] preempted_q;   // handles that may be read
  reg [N*SW-1:0] promised_q;    // places in the PTBQ for those that are being saved
  reg [N*MW-1:0] owned_q;       // SMs that run it and are not reserved
  reg [N*MW-1:0] reserved_q;    // SMs whose `next` it is
  reg [N*SW-1:0] covered_q;     // slots that wait for its TBs

  assign valid_o          = valid_q;
  assign has_pool_token_o = has_pool_token_q;
  assign context_o        = context_q;
  assign priority_o       = priority_q;
  assign tokens_o         = tokens_q;
  assign tbs_per_sm_o     = tbs_per_sm_q;
  assign remaining_o      = remaining_q;
  assign has_more_o       = has_more_q;
  assign has_fresh_o      = has_fresh_q;
  assign has_handles_o    = has_handles_q;
  assign is_issuable_o    = has_fresh_q | has_handles_q;
  assign next_tb_o        = next_tb_q;
  assign outstanding_o    = outstanding_q;
  assign preempted_o      = preempted_q;
  assign promised_o       = promised_q;
  assign owned_o          = owned_q;
  assign reserved_o       = reserved_q;
  assign covered_o        = covered_q;

  wire [N-1:0] lowest_free_row;
  tsr_lowest #(.COUNT(N)) u_lowest_free (
    .request_i(~valid_q), .row_o(lowest_free_row), .index_o(lowest_free_o));

  // ---- a launch arrives in two parts ------------------------------------------------------------------------------

  reg          launch_valid_q; // a kernel became active in the last cycle
  reg [KW-1:0] launch_ksr_q;

  always @(posedge clk_i) begin
    if (!rst_ni) launch_valid_q <= 1'b0;
    else         launch_valid_q <= activate_i;
    if (activate_i) launch_ksr_q <= lowest_free_o;
  end

  wire [KW-1:0] descriptor_ksr = free_i ? free_ksr_i : setup_ksr_i;
  wire          unused         = &{1'b0, descriptor_ksr};
  tsr_sram_1r1w #(.DEPTH(N), .WIDTH(40)) u_descriptors (
    .clk_i(clk_i), .write_i(launch_valid_q), .write_address_i(launch_ksr_q[ADDRESS_WIDTH-1:0]),
    .write_data_i(launch_descriptor_i), .read_i(free_i || setup_i),
    .read_address_i(descriptor_ksr[ADDRESS_WIDTH-1:0]), .read_data_o(descriptor_o));

  // ---- TBs that a row does not count ------------------------------------------------------------------------------

  // The RAM holds by how many times 2^RW a kernel had more at first. The n-th time that `remaining` borrows, the TB that
  // is sent has n - 1 above its RW low bits.
  wire         launch_has_more, borrowed_last;
  wire [N-1:0] borrow_row;

  generate
    if (BW > RW) begin : g_more
      localparam HW = BW - RW;
      wire [HW-1:0] launch_more = launch_num_tbs_i[BW-1:RW];
      wire [HW-1:0] more;
      reg           borrow_valid_q; // a row borrowed in the last cycle
      reg  [KW-1:0] borrow_ksr_q;
      reg  [HW-1:0] borrow_count_q; // times before

      tsr_sram_1r1w #(.DEPTH(N), .WIDTH(HW)) u_more (
        .clk_i(clk_i), .write_i(launch_valid_q), .write_address_i(launch_ksr_q[ADDRESS_WIDTH-1:0]),
        .write_data_i(launch_more), .read_i(issue_borrows_i), .read_address_i(issue_ksr_i[ADDRESS_WIDTH-1:0]),
        .read_data_o(more));

      always @(posedge clk_i) begin
        if (!rst_ni) borrow_valid_q <= 1'b0;
        else         borrow_valid_q <= issue_borrows_i;
        if (issue_borrows_i) begin
          borrow_ksr_q   <= issue_ksr_i;
          borrow_count_q <= issue_tb_i[BW-1:RW];
        end
      end

      assign borrowed_o      = borrow_valid_q;
      assign launch_has_more = launch_more != {HW{1'b0}};
      assign borrowed_last   = borrow_count_q + 1'b1 == more;
      tsr_one_hot #(.ROWS(N)) u_borrow (.valid_i(borrow_valid_q), .index_i(borrow_ksr_q), .row_o(borrow_row));
    end else begin : g_no_more
      assign borrowed_o      = 1'b0;
      assign launch_has_more = 1'b0;
      assign borrowed_last   = 1'b0;
      assign borrow_row      = {N{1'b0}};
      wire unused_borrow = &{1'b0, issue_borrows_i};
    end
  endgenerate

  // ---- which rows something concerns ------------------------------------------------------------------------------

  wire [N-1:0] issue_row, fresh_row, read_row, trap_row, event_row, done_row, saved_row, lose_row, gain_row;
  wire [N-1:0] activate_row, launch_row, free_row, distribute_row;

  tsr_one_hot #(.ROWS(N)) u_issue (.valid_i(issue_i), .index_i(issue_ksr_i), .row_o(issue_row));
  tsr_one_hot #(.ROWS(N)) u_trap  (.valid_i(trap_i), .index_i(trap_ksr_i), .row_o(trap_row));
  tsr_one_hot #(.ROWS(N)) u_event (.valid_i(done_i || saved_i), .index_i(event_ksr_i), .row_o(event_row));
  tsr_one_hot #(.ROWS(N)) u_lose  (.valid_i(lose_i), .index_i(lose_ksr_i), .row_o(lose_row));
  tsr_one_hot #(.ROWS(N)) u_gain  (.valid_i(gain_i), .index_i(gain_ksr_i), .row_o(gain_row));
  tsr_one_hot #(.ROWS(N)) u_launch (.valid_i(launch_valid_q), .index_i(launch_ksr_q), .row_o(launch_row));
  tsr_one_hot #(.ROWS(N)) u_free        (.valid_i(free_i), .index_i(free_ksr_i), .row_o(free_row));
  tsr_one_hot #(.ROWS(N)) u_distribute  (.valid_i(distribute_i), .index_i(distribute_ksr_i), .row_o(distribute_row));

  assign activate_row = lowest_free_row & {N{activate_i}};
  assign fresh_row = issue_row & {N{!issue_handle_i}};
  assign read_row  = issue_row & {N{issue_handle_i}};
  assign done_row  = event_row & {N{done_i}};
  assign saved_row = event_row & {N{saved_i}};

  wire [N-1:0] is_touched = issue_row | trap_row | event_row | lose_row | gain_row | activate_row | launch_row |
                            borrow_row | distribute_row | {N{write_priority_i || write_tokens_i}};

  wire [BW-1:0] tb_after = issue_tb_i + 1'b1;

  // ---- registers: counters, then a budget, then rows that come and go, then what the OS writes --------------------

  always @(posedge clk_i) begin
    if (!rst_ni) valid_q <= {N{1'b0}};
    else         valid_q <= valid_q & ~free_row | activate_row;
  end

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      wire keeps_fresh   = has_more_q[i] || remaining_q[i*RW +: RW] != {{(RW-1){1'b0}}, 1'b1}; // when one is sent
      wire keeps_handles = preempted_q[i*SW +: SW] != {{(SW-1){1'b0}}, 1'b1};                   // when one is read
      wire gets_handles  = saved_row[i] && saved_count_i != {TW{1'b0}};

      always @(posedge clk_i) begin
        if (is_touched[i]) begin
          // 1. A kernel comes, or counters take steps.
          if (activate_row[i]) begin
            context_q[i*CW +: CW]     <= activate_context_i;
            priority_q[i*4 +: 4]      <= activate_priority_i;
            tbs_per_sm_q[i*TW +: TW]  <= activate_tbs_per_sm_i;
            remaining_q[i*RW +: RW]   <= {{(RW-1){1'b0}}, 1'b1};
            has_more_q[i]             <= 1'b0;
            has_fresh_q[i]            <= 1'b1;
            has_handles_q[i]          <= 1'b0;
            next_tb_q[i*BW +: BW]     <= {BW{1'b0}};
            outstanding_q[i*SW +: SW] <= {SW{1'b0}};
            preempted_q[i*SW +: SW]   <= {SW{1'b0}};
            promised_q[i*SW +: SW]    <= {SW{1'b0}};
            owned_q[i*MW +: MW]       <= {MW{1'b0}};
            reserved_q[i*MW +: MW]    <= {MW{1'b0}};
            covered_q[i*SW +: SW]     <= {SW{1'b0}};
          end else begin
            remaining_q[i*RW +: RW]   <= launch_row[i] ? launch_num_tbs_i[RW-1:0]
                                                       : remaining_q[i*RW +: RW] - {{(RW-1){1'b0}}, fresh_row[i]};
            has_more_q[i]             <= launch_row[i] ? launch_has_more
                                                       : has_more_q[i] && !(borrow_row[i] && borrowed_last);
            has_fresh_q[i]            <= fresh_row[i] ? keeps_fresh : has_fresh_q[i];
            has_handles_q[i]          <= gets_handles || (read_row[i] ? keeps_handles : has_handles_q[i]);
            if (fresh_row[i]) next_tb_q[i*BW +: BW] <= tb_after;
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
          if (activate_row[i] || distribute_row[i]) begin
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
