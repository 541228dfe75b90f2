// SPDX-License-Identifier: Apache-2.0
// Tokens left ([T14] 3.4), of a KSR or, with token scope process, of a context; and the pool of those that equal
// sharing leaves over (timing.md 4.3).
module tsr_tokens #(
`include "tsr_sizes.vh"
) (
  input                        clk_i,
  input                        rst_ni,
  input                        by_process_i,
  input                        once_i,       // remainder
  // The visit.
  input  [7:0]                 phase_i,
  input  [KSR_WIDTH-1:0]       ksr_i,
  input  [CONTEXT_ADDRESS-1:0] context_i,    // from CALC on
  // WRITE: the SMs that a KSR holds change, by one but for an assign; or a kernel comes, goes, or is dealt its tokens.
  input                        assigns_i,
  input  [SM_WIDTH:0]          freed_i,      // by that, signed
  input                        gains_i,
  input                        loses_i,
  input                        activates_i,
  input                        deals_i,
  input                        finishes_i,
  input                        evicts_i,     // all SMs that a KSR holds
  input                        is_first_i,   // of its row: an activation, a deal
  input                        is_last_i,    // of its context: a finish
  input  [SM_WIDTH-1:0]        owned_i,
  input  [SM_WIDTH-1:0]        reserved_i,
  output [TOKEN_WIDTH-1:0]     step_o,       // of the last WRITE, but of a deal
  // The context's budget, if the OS wrote one.
  input                        has_budget_i,
  input  [8:0]                 budget_i,
  // The OS.
  input                        write_policy_i,
  input                        write_tokens_i,
  input  [CONTEXT_ADDRESS-1:0] write_context_i,
  // The search: a lane each.
  input  [SEARCH_WIDTH*TOKEN_ADDRESS-1:0] look_row_i,
  output [SEARCH_WIDTH*TOKEN_WIDTH-1:0]   look_left_o,
  output                                  is_settled_o
);

`include "tsr_codes.vh"

  localparam EACH = NUM_SMS / NUM_CONTEXTS, LEFT_OVER = NUM_SMS % NUM_CONTEXTS;
  localparam [TOKEN_WIDTH-1:0] EQUAL_SHARE = EACH[TOKEN_WIDTH-1:0];
  localparam [SM_WIDTH-1:0]    POOL        = LEFT_OVER[SM_WIDTH-1:0];

  reg [TOKEN_ROWS*TOKEN_WIDTH-1:0] left_q;
  reg [TOKEN_ROWS-1:0]             has_pool_token_q;
  reg [SM_WIDTH-1:0]               pool_q;

  wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], phase_i[ROW], phase_i[LOAD], phase_i[BURST], ksr_i,
                  context_i};

  // 1. CALC: the row.
  wire [TOKEN_ADDRESS-1:0] ksr_row, context_row, write_row;
  generate
    if (TOKEN_ADDRESS > KSR_ADDRESS) begin : g_ksr_row
      assign ksr_row = {{(TOKEN_ADDRESS-KSR_ADDRESS){1'b0}}, ksr_i[KSR_ADDRESS-1:0]};
    end else begin : g_ksr_row
      assign ksr_row = ksr_i[TOKEN_ADDRESS-1:0];
    end
    if (TOKEN_ADDRESS > CONTEXT_ADDRESS) begin : g_context_row
      assign context_row = {{(TOKEN_ADDRESS-CONTEXT_ADDRESS){1'b0}}, context_i};
      assign write_row   = {{(TOKEN_ADDRESS-CONTEXT_ADDRESS){1'b0}}, write_context_i};
    end else begin : g_context_row
      assign context_row = context_i[TOKEN_ADDRESS-1:0];
      assign write_row   = write_context_i[TOKEN_ADDRESS-1:0];
    end
  endgenerate
  wire [TOKEN_ADDRESS-1:0] row = by_process_i ? context_row : ksr_row;
  wire [TOKEN_ROWS-1:0]    row_bits;
  wire [TOKEN_WIDTH-1:0]   left;
  reg  [TOKEN_WIDTH-1:0]   left_now_q; // WRITE: what it steps from
  wire                     had_token = |(has_pool_token_q & row_bits);
  tsr_one_hot #(.ROWS(TOKEN_ROWS), .INDEX_WIDTH(TOKEN_ADDRESS)) u_row (
    .valid_i(1'b1), .index_i(row), .row_o(row_bits));
  tsr_select #(.ROWS(TOKEN_ROWS), .WIDTH(TOKEN_WIDTH)) u_left (.rows_i(left_q), .row_i(row_bits), .data_o(left));

  // 2. WRITE: what becomes of it; seen three cycles later.
  wire                   writes = phase_i[WRITE];
  wire                   enters = activates_i || deals_i;
  wire                   keeps  = by_process_i && had_token; // given out once
  wire                   takes  = writes && enters && is_first_i && !has_budget_i && !keeps &&
                                  pool_q != {SM_WIDTH{1'b0}};
  wire                   has_token = takes || keeps;
  wire [TOKEN_WIDTH-1:0] budget = has_budget_i ? {1'b0, budget_i} : EQUAL_SHARE + {{(TOKEN_WIDTH-1){1'b0}}, has_token};
  wire [TOKEN_WIDTH-1:0] held   = {{(TOKEN_WIDTH-SM_WIDTH){1'b0}}, owned_i} +
                                  {{(TOKEN_WIDTH-SM_WIDTH){1'b0}}, reserved_i};
  wire [TOKEN_WIDTH-1:0] base   = enters && is_first_i ? budget : left_now_q;
  wire [TOKEN_WIDTH-1:0] step   = finishes_i || evicts_i ? held :
                                  deals_i ? ~held : assigns_i ? {{(TOKEN_WIDTH-1-SM_WIDTH){freed_i[SM_WIDTH]}}, freed_i} :
                                  {{(TOKEN_WIDTH-1){gains_i}}, gains_i || loses_i};
  reg  [TOKEN_WIDTH-1:0] step_q;
  wire                   changes = assigns_i || gains_i || loses_i || deals_i || activates_i && is_first_i ||
                                   finishes_i && by_process_i || evicts_i;
  reg                     write_q, write_2_q;
  reg [TOKEN_ADDRESS-1:0] written_row_q;
  reg                     is_deal_q;
  always @(posedge clk_i) begin
    write_q   <= rst_ni && writes && changes;
    write_2_q <= rst_ni && write_q;
    if (phase_i[CALC]) left_now_q <= left;
    else if (writes)   left_now_q <= base;
    if (writes) begin
      written_row_q <= row;
      is_deal_q     <= deals_i;
    end
    if (evicts_i ? phase_i[CALC] : writes) step_q <= step; // in WRITE an evicted row says that it holds none
  end
  assign step_o = step_q;
  wire [TOKEN_WIDTH-1:0] written = left_now_q + step_q + {{(TOKEN_WIDTH-1){1'b0}}, is_deal_q}; // -held is ~held + 1
  wire [TOKEN_ROWS-1:0] written_bits;
  tsr_one_hot #(.ROWS(TOKEN_ROWS), .INDEX_WIDTH(TOKEN_ADDRESS)) u_written (
    .valid_i(write_2_q), .index_i(written_row_q), .row_o(written_bits));
  genvar r;
  generate
    for (r = 0; r < TOKEN_ROWS; r = r + 1) begin : g_left
      always @(posedge clk_i) if (written_bits[r]) left_q[r*TOKEN_WIDTH +: TOKEN_WIDTH] <= written;
    end
  endgenerate
  assign is_settled_o = !(write_q || write_2_q || returns_q || replaces_q || takes_q);

  // 3. The pool: each token is taken once and comes back once, or not at all.
  wire replaced = write_tokens_i && by_process_i;
  wire [TOKEN_ROWS-1:0] replaced_bits;
  tsr_one_hot #(.ROWS(TOKEN_ROWS), .INDEX_WIDTH(TOKEN_ADDRESS)) u_replaced (
    .valid_i(replaced), .index_i(write_row), .row_o(replaced_bits));
  wire ends     = finishes_i && (!by_process_i || is_last_i && !once_i);
  wire returns  = writes && had_token && (ends || deals_i && !by_process_i);
  wire replaces = |(replaced_bits & has_pool_token_q & ~(row_bits & {TOKEN_ROWS{returns}})); // a finish goes first
  reg  returns_q, replaces_q, takes_q; // the number follows a cycle later
  always @(posedge clk_i) begin
    {returns_q, replaces_q, takes_q} <= {returns && !once_i, replaces && !once_i, takes} &
                                        {3{rst_ni && !write_policy_i}};
    if (!rst_ni || write_policy_i) begin
      has_pool_token_q <= {TOKEN_ROWS{1'b0}};
      pool_q           <= POOL;
    end else begin
      has_pool_token_q <= (has_pool_token_q & ~({TOKEN_ROWS{returns}} & row_bits) & ~replaced_bits) |
                          {TOKEN_ROWS{takes}} & row_bits;
      pool_q <= pool_q + {{(SM_WIDTH-1){1'b0}}, returns_q} + {{(SM_WIDTH-1){1'b0}}, replaces_q} -
                {{(SM_WIDTH-1){1'b0}}, takes_q};
    end
  end

  // 4. The search's rows.
  genvar lane;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [TOKEN_ROWS-1:0] look_bits;
      tsr_one_hot #(.ROWS(TOKEN_ROWS), .INDEX_WIDTH(TOKEN_ADDRESS)) u_row (
        .valid_i(1'b1), .index_i(look_row_i[lane*TOKEN_ADDRESS +: TOKEN_ADDRESS]), .row_o(look_bits));
      tsr_select #(.ROWS(TOKEN_ROWS), .WIDTH(TOKEN_WIDTH)) u_look (
        .rows_i(left_q), .row_i(look_bits), .data_o(look_left_o[lane*TOKEN_WIDTH +: TOKEN_WIDTH]));
    end
  endgenerate

endmodule
