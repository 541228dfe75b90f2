// SPDX-License-Identifier: Apache-2.0
// Tokens left, the pool, budgets and deals of tsr_scheduler (timing.md 4.3): a budget less the SMs held, recounted.
// And the SMs that contexts hold, as the pins tell (3.9).
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
// Rows are counted in int, of whose bits an index needs few.
// verilator lint_off UNUSEDSIGNAL
module tsr_token_checker #(
`include "tsr_sizes.vh"
  , parameter bit RECOUNT = 1
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  int num_ksrs = NUM_KSRS, num_contexts = NUM_CONTEXTS, token_rows = TOKEN_ROWS;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire by_process = tsr_scheduler.u_policy_register.by_process_q;
  wire once       = tsr_scheduler.u_policy_register.once_q;
  wire is_written = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire [CONTEXT_ADDRESS-1:0] written_context = tsr_scheduler.control_context_i[CONTEXT_ADDRESS-1:0];

  // ---- what the OS wrote --------------------------------------------------------------------------------------------

  logic [NUM_CONTEXTS-1:0] has_budget;
  int                      budget[NUM_CONTEXTS];
  logic [63:0]             page_table[NUM_CONTEXTS];
  logic [NUM_CONTEXTS-1:0] has_page_table;
  int                      set_up_context;
  logic [63:0]             set_up_table; // of the set-up whose CALC was
  logic                    set_up_known;

  always @(posedge clk_i) begin
    if (rst_ni && tsr_scheduler.sm_control_valid_o && tsr_scheduler.sm_control_kind_o == SET_UP) begin
      set_up_carries_page_table_of_its_calc: assert (int'(tsr_scheduler.sm_control_context_o) == set_up_context &&
        (!set_up_known || tsr_scheduler.sm_control_page_table_o == set_up_table));
    end
    if (tsr_scheduler.phase[CALC]) begin
      set_up_context = int'(tsr_scheduler.context_q);
      set_up_table   = page_table[set_up_context];
      set_up_known   = has_page_table[set_up_context];
    end
    if (!rst_ni) begin
      {has_budget, has_page_table} = '0;
    end else if (is_written && tsr_scheduler.control_reg_i == CONTROL_TOKENS) begin
      has_budget[written_context] = 1'b1;
      budget[written_context]     = int'(tsr_scheduler.control_data_i[8:0]);
    end else if (is_written && tsr_scheduler.control_reg_i == CONTROL_PAGE_TABLE) begin
      has_page_table[written_context] = 1'b1;
      page_table[written_context]     = tsr_scheduler.control_data_i;
    end
  end

  // ---- tokens left --------------------------------------------------------------------------------------------------

  // Settled: three cycles after the last WRITE, or write of the OS, and not in a deal.
  int   quiet;
  logic gives_up;  // the OS wrote a budget since
  int   left_over; // tokens of the pool that there are still, be they taken or not
  int   held[TOKEN_ROWS], budget_of[TOKEN_ROWS], kernels[NUM_CONTEXTS], row, c, taken;
  wire [TOKEN_ROWS-1:0][TOKEN_WIDTH-1:0] left = u_tokens.left_q;

  task automatic check_tokens();
    for (int i = 0; i < token_rows; i++) {held[i], budget_of[i]} = {32'd0, -32'd1};
    for (int i = 0; i < num_contexts; i++) kernels[i] = 0;
    for (int i = 0; i < num_ksrs; i++) begin
      if (u_logical_tables.valid[i]) begin
        c   = int'(u_logical_tables.context_of[i]);
        row = by_process ? c : i;
        kernels[c]     = kernels[c] + 1;
        pool_token_only_without_budget: assert (!(has_budget[c] && u_tokens.has_pool_token_q[row])) else $error("row %0d", row);
        held[row]      = held[row] + int'(u_logical_tables.owned[i]) + int'(u_logical_tables.reserved[i]);
        budget_of[row] = has_budget[c] ? budget[c] : NUM_SMS / NUM_CONTEXTS + int'(u_tokens.has_pool_token_q[row]);
      end
    end
    taken = 0;
    for (int i = 0; i < token_rows; i++) begin
      taken = taken + int'(u_tokens.has_pool_token_q[i]);
      tokens_left_are_budget_less_held: assert (budget_of[i] < 0 || int'($signed(left[i])) == budget_of[i] - held[i])
        else $error("row %0d", i);
      pool_token_only_of_a_kernel: assert (!u_tokens.has_pool_token_q[i] || budget_of[i] >= 0 || once && by_process)
        else $error("row %0d", i);
    end
    // Given out once, one that comes back is gone; a process keeps its own until the OS writes it a budget.
    pool_tokens_are_conserved: assert (int'(u_tokens.pool_q) + taken == left_over ||
                                       once && (!by_process || gives_up) && int'(u_tokens.pool_q) + taken < left_over);
    left_over = int'(u_tokens.pool_q) + taken;
    gives_up  = 1'b0;
    for (int i = 0; i < num_contexts; i++) begin
      context_kernels_are_recounted: assert (int'(u_contexts.kernels_q[i*KSR_WIDTH +: KSR_WIDTH]) == kernels[i])
        else $error("context %0d", i);
    end
  endtask

  // ---- usage --------------------------------------------------------------------------------------------------------

  int shown[NUM_CONTEXTS], held_by[NUM_CONTEXTS];

  always @(posedge clk_i) begin
    for (int i = 0; i < num_contexts; i++) begin
      if (!rst_ni) shown[i] = 0;
      else if (tsr_scheduler.usage_valid_o && int'(tsr_scheduler.usage_context_o) == i)
        shown[i] = shown[i] - int'($signed(tsr_scheduler.usage_freed_o));
    end
  end

  task automatic check_usage();
    for (int i = 0; i < num_contexts; i++) held_by[i] = 0;
    for (int i = 0; i < num_ksrs; i++) begin
      c = int'(u_logical_tables.context_of[i]);
      if (u_logical_tables.valid[i])
        held_by[c] = held_by[c] + int'(u_logical_tables.owned[i]) + int'(u_logical_tables.reserved[i]);
    end
    for (int i = 0; i < num_contexts; i++) begin
      usage_shows_the_sms_held: assert (shown[i] == held_by[i]) else $error("context %0d", i);
    end
  endtask

  task automatic check_slice_timer();
    taken = 0;
    for (int i = 0; i < num_contexts; i++) taken = taken + int'(kernels[i] != 0);
    slice_timer_runs_for_two_contexts: assert (tsr_scheduler.is_kept || tsr_scheduler.slice_timer_enable_o ==
      (|(u_logical_tables.rules & TAKES_TURNS) && taken > 1));
  endtask

  if (RECOUNT) begin : g_recount
    always @(posedge clk_i) begin
      if (!rst_ni || is_written && tsr_scheduler.control_reg_i == CONTROL_POLICY) left_over = NUM_SMS % NUM_CONTEXTS;
      if (is_written && tsr_scheduler.control_reg_i == CONTROL_TOKENS) gives_up = 1'b1;
      if (!rst_ni || tsr_scheduler.phase[WRITE] || is_written || tsr_scheduler.dealing) quiet = 0;
      else begin
        quiet = quiet + 1;
        if (quiet > 3 && tsr_scheduler.phase[PICK]) begin
          check_tokens();
          check_usage();
          check_slice_timer();
        end
      end
    end
  end
endmodule
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on BLKSEQ
// verilator coverage_on
