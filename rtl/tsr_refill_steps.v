// SPDX-License-Identifier: Apache-2.0
// The counters that the refill lane steps (timing.md 6.7), an entry a cycle: X has them from RAM, Y steps them, W
// writes them. Where entries before it in X, Y or W are of the same KSR, an entry goes on from what they leave. The part
// of a KSR's row that the lane steps, and the part that it only reads, are here in RAMs; the engine has the same ports.
module tsr_refill_steps #(
`include "tsr_sizes.vh"
) (
  input                  clk_i,
  input                  rst_ni,
  input                  breadth_first_i,
  // R
  input                  reads_i,       // an entry is there,
  input                  goes_i,        // and goes on to X
  input  [SM_WIDTH-1:0]  sm_i,
  input  [KSR_WIDTH-1:0] ksr_i,
  input                  is_fresh_i,    // with a fresh TB; else one is done
  input                  is_issue_i,    // one that refills nothing
  input                  frees_slot_i,  // a slot waits for its kernel's TBs
  input                  judges_i,      // `uncovered` may change
  // W
  output                 dispatch_o,
  output [SM_WIDTH-1:0]  dispatch_sm_o,
  output [TB_WIDTH-1:0]  dispatch_tb_o,
  output                 few_o,         // the low bits of its counters come near a carry
  output [KSR_WIDTH-1:0] few_ksr_o,
  // Two cycles after W
  output                 writes_o,
  output [KSR_WIDTH-1:0] written_ksr_o,
  output                 uncovered_o,
  // The engine
  input                  row_read_i,    // ROW, of jobs that step counters
  input  [KSR_WIDTH-1:0] job_ksr_i,
  output                 holds_row_o,   // its KSR's counters are on their way to RAM
  input                  ksr_valid_i,   // LOAD
  input                  row_write_i,   // WRITE
  input  [STEP_WIDTH-1:0] step_i,
  input  [BASE_WIDTH-1:0] base_i,
  output [STEP_WIDTH-1:0] step_o,       // LOAD
  output [BASE_WIDTH-1:0] base_o,
  output                 fault_o,
  output                 is_idle_o
);

  localparam L = LOW_TB_WIDTH;

  // 1. X. Three entries may be before it: in R it is compared with X, Y and W.
  reg                   x_valid_q, x_fresh_q, x_issue_q, x_frees_slot_q, x_judges_q, same_1_q, same_2_q, same_3_q;
  reg                   y_valid_q, y_fresh_q, y_issue_q, y_frees_slot_q, y_judges_q, y_same_q;
  reg                   w_valid_q, w_fresh_q, w_judges_q, w_few_q, v_valid_q, v_judges_q, u_valid_q, u_judges_q;
  reg  [KSR_WIDTH-1:0]  x_ksr_q, y_ksr_q, w_ksr_q, v_ksr_q, u_ksr_q;
  reg  [SM_WIDTH-1:0]   x_sm_q, y_sm_q, w_sm_q;
  reg  [STEP_WIDTH-1:0] y_step_q, w_step_q, v_step_q;
  reg  [BASE_WIDTH-1:0] y_base_q, w_base_q;
  reg  [2*SM_WIDTH:0]   v_base_q; // for `uncovered`
  reg  [L-1:0]          w_tb_q;
  reg                   row_read_q;
  wire [STEP_WIDTH-1:0] read_step;
  wire [BASE_WIDTH-1:0] read_base;
  wire [STEP_WIDTH-1:0] x_step = same_2_q ? w_step_q : same_3_q ? v_step_q : read_step;

  // 2. Y: of the entry just before it the result is in W now. The low bits of its TBs alone: the engine carries.
  wire [STEP_WIDTH-1:0] y_step = y_same_q ? w_step_q : y_step_q;
  wire [L-1:0]          next_tb, not_left;
  wire [SLOT_WIDTH-1:0] covered, outstanding;
  assign {next_tb, not_left, covered, outstanding} = y_step;
  wire                  is_done         = !y_fresh_q;
  wire [L-1:0]          one             = {{(L-1){1'b0}}, y_fresh_q};
  wire [L-1:0]          new_next_tb     = next_tb + one;
  wire [L-1:0]          new_not_left    = not_left + one;
  wire [SLOT_WIDTH-1:0] new_covered     = covered + {{(SLOT_WIDTH-1){y_issue_q}}, y_issue_q || y_frees_slot_q};
  wire [SLOT_WIDTH-1:0] new_outstanding = outstanding + {{(SLOT_WIDTH-1){is_done}}, is_done || y_issue_q};
  // 2^L - 6 or more, and then one more.
  wire few = &not_left[L-1:3] && (not_left[2] || not_left[1]) || &next_tb[L-1:3] && (next_tb[2] || next_tb[1]);

  // 3. W, and behind it V and U for `uncovered`.
  always @(posedge clk_i) begin
    row_read_q <= row_read_i;
    x_valid_q <= rst_ni && goes_i;
    y_valid_q <= rst_ni && x_valid_q;
    w_valid_q <= rst_ni && y_valid_q;
    v_valid_q <= rst_ni && w_valid_q;
    u_valid_q <= rst_ni && v_valid_q;
    x_sm_q         <= sm_i;
    x_ksr_q        <= ksr_i;
    x_fresh_q      <= is_fresh_i;
    x_issue_q      <= is_issue_i;
    x_frees_slot_q <= frees_slot_i;
    x_judges_q     <= judges_i;
    same_1_q       <= x_valid_q && x_ksr_q == ksr_i;
    same_2_q       <= y_valid_q && y_ksr_q == ksr_i;
    same_3_q       <= w_valid_q && w_ksr_q == ksr_i;
    y_sm_q         <= x_sm_q;
    y_ksr_q        <= x_ksr_q;
    y_fresh_q      <= x_fresh_q;
    y_issue_q      <= x_issue_q;
    y_frees_slot_q <= x_frees_slot_q;
    y_judges_q     <= x_judges_q;
    y_same_q       <= same_1_q;
    y_step_q       <= x_step;
    y_base_q       <= read_base;
    w_sm_q         <= y_sm_q;
    w_ksr_q        <= y_ksr_q;
    w_fresh_q      <= y_fresh_q;
    w_judges_q     <= y_judges_q;
    w_step_q       <= {new_next_tb, new_not_left, new_covered, new_outstanding};
    w_base_q       <= y_base_q;
    w_tb_q         <= next_tb;
    w_few_q        <= few;
    v_ksr_q        <= w_ksr_q;
    v_judges_q     <= w_judges_q;
    v_step_q       <= w_step_q;
    v_base_q       <= w_base_q[2*SM_WIDTH:0];
    u_ksr_q        <= v_ksr_q;
    u_judges_q     <= v_judges_q;
  end
  assign few_o         = w_valid_q && w_fresh_q && w_few_q;
  assign few_ksr_o     = w_ksr_q;
  assign dispatch_o    = w_valid_q && w_fresh_q;
  assign dispatch_sm_o = w_sm_q;
  assign dispatch_tb_o[L-1:0] = w_tb_q;
  wire [TB_WIDTH-1:0]   v_not_left;
  assign v_not_left[L-1:0] = v_step_q[2*SLOT_WIDTH +: L];
  generate
    if (TB_WIDTH > L) begin : g_high
      assign dispatch_tb_o[TB_WIDTH-1:L] = w_base_q[BASE_WIDTH-1:2*SM_WIDTH+1];
      assign v_not_left[TB_WIDTH-1:L]    = {(TB_WIDTH-L){v_base_q[2*SM_WIDTH]}};
    end else begin : g_low
      wire unused_base = v_base_q[2*SM_WIDTH];
    end
  endgenerate
  wire                  uncovered_rests, many; // nobody asks here
  wire [SLOT_WIDTH+1:0] left;
  wire unused_rests = &{1'b0, uncovered_rests, many, left};
  tsr_uncovered #(
`include "tsr_pass_sizes.vh"
  ) u_uncovered (
    .clk_i(clk_i), .breadth_first_i(breadth_first_i), .early_covered_i(w_step_q[SLOT_WIDTH +: SLOT_WIDTH]),
    .early_owned_i(w_base_q[SM_WIDTH +: SM_WIDTH]), .not_left_i(v_not_left), .preempted_i({SLOT_WIDTH{1'b0}}),
    .covered_i(v_step_q[SLOT_WIDTH +: SLOT_WIDTH]), .owned_i(v_base_q[SM_WIDTH +: SM_WIDTH]),
    .reserved_i(v_base_q[SM_WIDTH-1:0]), .uncovered_o(uncovered_o), .many_o(many),
    .left_o(left), .rests_o(uncovered_rests));
  assign writes_o      = u_valid_q && u_judges_q;
  assign written_ksr_o = u_ksr_q;
  assign is_idle_o     = !x_valid_q && !y_valid_q && !w_valid_q && !v_valid_q && !u_valid_q;

  // 4. The rows. The engine's ROW and WRITE find the ports free.
  assign holds_row_o = x_valid_q && x_ksr_q == job_ksr_i || y_valid_q && y_ksr_q == job_ksr_i ||
                       w_valid_q && w_ksr_q == job_ksr_i;
  wire                   reads         = row_read_i || reads_i;
  wire [KSR_ADDRESS-1:0] read_address  = row_read_i ? job_ksr_i[KSR_ADDRESS-1:0] : ksr_i[KSR_ADDRESS-1:0];
  wire [KSR_ADDRESS-1:0] write_address = row_write_i ? job_ksr_i[KSR_ADDRESS-1:0] : w_ksr_q[KSR_ADDRESS-1:0];
  wire                   row_is_used   = row_read_q && ksr_valid_i;
  wire                   step_fault, base_fault;
  wire [STEP_WIDTH-1+PARITY:0] written_step, step_word;
  wire [BASE_WIDTH-1+PARITY:0] written_base, base_word;
  tsr_parity #(.PARITY(PARITY), .WIDTH(STEP_WIDTH)) u_step_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(row_write_i ? step_i : w_step_q), .write_word_o(written_step),
    .read_i(reads), .used_i(x_valid_q ? !(same_1_q || same_2_q || same_3_q) : row_is_used), .read_word_i(step_word),
    .read_data_o(read_step), .fault_o(step_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(STEP_WIDTH + PARITY)) u_steps (
    .clk_i(clk_i), .write_i(row_write_i || w_valid_q), .write_address_i(write_address), .write_data_i(written_step),
    .read_i(reads), .read_address_i(read_address), .read_data_o(step_word));
  tsr_parity #(.PARITY(PARITY), .WIDTH(BASE_WIDTH)) u_base_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(base_i), .write_word_o(written_base), .read_i(reads),
    .used_i(x_valid_q || row_is_used), .read_word_i(base_word), .read_data_o(read_base), .fault_o(base_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(BASE_WIDTH + PARITY)) u_bases (
    .clk_i(clk_i), .write_i(row_write_i), .write_address_i(job_ksr_i[KSR_ADDRESS-1:0]), .write_data_i(written_base),
    .read_i(reads), .read_address_i(read_address), .read_data_o(base_word));
  assign step_o  = read_step;
  assign base_o  = read_base;
  assign fault_o = step_fault || base_fault;

endmodule
