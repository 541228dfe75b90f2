// SPDX-License-Identifier: Apache-2.0
// The open row of the kernel status register table ([T14] 3.3), the RAM that it comes from, and all the arithmetic on
// it (timing.md 4.2). `remaining` stands in it negated, so that it counts up as `next_tb` does; both count their low
// bits at once, and a carry into the upper ones in a cycle of its own.
module tsr_ksr_row #(
`include "tsr_sizes.vh"
) (
  input                       clk_i,
  input                       rst_ni,
  input                       breadth_first_i,
  input                       keeps_turn_i,
  input  [7:0]                phase_i,
  input  [KSR_WIDTH-1:0]      ksr_i,          // that is visited
  // LOAD
  input                       valid_i,        // the row is a kernel's
  output                      fault_o,        // and wrong
  input                       activates_i,    // with a row of its own:
  input  [TB_WIDTH+TB_COUNT_WIDTH-1:0] launch_i, // its TBs, and how many of them an SM takes
  output                      last_out_o,     // `outstanding` is 1
  output                      has_room_o,     // in the ring, for the SM's TBs
  // The parts of the row that the refill lane reads: LOAD; WRITE
  input  [STEP_WIDTH-1:0]     step_i,
  input  [BASE_WIDTH-1:0]     base_i,
  output [STEP_WIDTH-1:0]     step_o,
  output [BASE_WIDTH-1:0]     base_o,
  // The job.
  input                       is_second_i,
  input  [8:0]                job_i,
  input  [16:0]               effects_i,      // tsr_effects.vh
  input  [SM_ROW_WIDTH-1:0]   sm_row_i,
  input                       will_release_i, // LOAD
  input                       will_issue_i,   // LOAD: the KSR has TBs to issue
  // CALC, and BURST of an assign
  input                       has_limit_i,
  input  [TOKEN_WIDTH-2:0]    limit_i,
  output                      needs_more_o,   // SMs
  input                       gives_i,        // one
  // BURST
  output                      chooses_o,
  output                      last_o,         // the last one of the burst
  output                      burst_ends_o,   // in this cycle
  output [TB_WIDTH-1:0]       next_tb_o,
  output [RING_ADDRESS-1:0]   head_o,
  // WRITE
  input                       writes_i,       // the row is a kernel's
  input                       steps_i,        // and its counters are the job's
  output                      is_full_o,      // the SM
  output [STATUS_WIDTH-1:0]   status_o,
  output [SM_WIDTH-1:0]       owned_o,
  output [SM_WIDTH-1:0]       reserved_o,
  output [SM_WIDTH:0]         freed_o,        // by an assign, signed
  // The two cycles after it.
  output                      uncovered_o,
  output                      rests_o         // between jobs nothing changes
);

  wire [16:0] effects = effects_i;
`include "tsr_codes.vh"
`include "tsr_effects.vh"
`include "tsr_buses.vh"

  localparam LOW      = TB_WIDTH > 8 ? 8 : TB_WIDTH; // bits that count at once
  localparam ROW_WIDTH = 2*TB_WIDTH + 3*SLOT_WIDTH + RING_ADDRESS + 2*SM_WIDTH + TB_COUNT_WIDTH;
  // Bits that the refill lane counts; what is not with them in its RAMs.
  localparam L         = LOW_TB_WIDTH;
  localparam OWN_WIDTH = REFILL != 0 ? TB_WIDTH - L + SLOT_WIDTH + RING_ADDRESS + TB_COUNT_WIDTH : ROW_WIDTH;
  localparam LAST_WORD = PTBQ_DEPTH - 1;
  localparam [RING_ADDRESS-1:0] LAST_HANDLE = LAST_WORD[RING_ADDRESS-1:0]; // of a ring
  localparam [SLOT_WIDTH-1:0] ONE = 1;

  reg [TB_WIDTH-1:0]       next_tb_q, not_left_q; // the second: ~remaining
  reg [SLOT_WIDTH-1:0]     outstanding_q, preempted_q, covered_q;
  reg [RING_ADDRESS-1:0]   head_q;
  reg [SM_WIDTH-1:0]       owned_q, reserved_q;
  reg [TB_COUNT_WIDTH-1:0] tbs_per_sm_q;

  wire loads  = phase_i[LOAD];
  wire calcs  = phase_i[CALC];
  wire unused = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM], ksr_i, job_i, sm_row_i}; // but for parts of them
  wire issue_job = job_i[JOB_ISSUE];
  wire [TB_COUNT_WIDTH-1:0] sm_count = sm_row_i[SM_COUNT +: TB_COUNT_WIDTH];

  // 1. The row comes from RAM, or from the command.
  wire [ROW_WIDTH-1:0]      read_row;
  wire [TB_WIDTH-1:0]       next_tb, not_left;
  wire [SLOT_WIDTH-1:0]     outstanding, preempted, covered;
  wire [RING_ADDRESS-1:0]   head;
  wire [SM_WIDTH-1:0]       owned, reserved;
  wire [TB_COUNT_WIDTH-1:0] tbs_per_sm;
  wire [OWN_WIDTH-1:0]        written_own, read_own;
  wire [OWN_WIDTH-1+PARITY:0] written_word, read_word;
  wire                        spread_ends; // the batch
  wire                        row_fault, promised_fault, spread_fault;
  tsr_parity #(.PARITY(PARITY), .WIDTH(OWN_WIDTH)) u_parity (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_data_i(written_own), .write_word_o(written_word), .read_i(phase_i[ROW]),
    .used_i(valid_i), .read_word_i(read_word), .read_data_o(read_own), .fault_o(row_fault));
  tsr_sram_1r1w #(.DEPTH(NUM_KSRS), .WIDTH(OWN_WIDTH + PARITY)) u_rows (
    .clk_i(clk_i), .write_i(phase_i[WRITE] && steps_i), .write_address_i(ksr_i[KSR_ADDRESS-1:0]),
    .write_data_i(written_word), .read_i(phase_i[ROW]), .read_address_i(ksr_i[KSR_ADDRESS-1:0]),
    .read_data_o(read_word));
  generate
    if (REFILL != 0) begin : g_shared
      wire [SLOT_WIDTH-1:0]     own_preempted;
      wire [RING_ADDRESS-1:0]   own_head;
      wire [TB_COUNT_WIDTH-1:0] own_tbs_per_sm;
      wire [L-1:0]              low_next, low_not_left;
      wire [TB_WIDTH-1:0]       base_next, own_not_left;
      wire [SLOT_WIDTH-1:0]     step_covered, step_outstanding;
      wire [2*SM_WIDTH-1:0]     base_sms;
      wire                      base_is_low;
      wire                      unused_is_low = base_is_low;
      assign {low_next, low_not_left, step_covered, step_outstanding} = step_i;
      if (TB_WIDTH > L) begin : g_high
        assign {base_next[TB_WIDTH-1:L], base_is_low, base_sms} = base_i;
        assign {own_not_left[TB_WIDTH-1:L], own_preempted, own_head, own_tbs_per_sm} = read_own;
        assign written_own = {not_left_q[TB_WIDTH-1:L], preempted_q, head_q, tbs_per_sm_q};
        assign base_o      = {next_tb_q[TB_WIDTH-1:L], &not_left_q[TB_WIDTH-1:L], owned_q, reserved_q};
      end else begin : g_low
        assign {base_is_low, base_sms} = base_i;
        assign {own_preempted, own_head, own_tbs_per_sm} = read_own;
        assign written_own = {preempted_q, head_q, tbs_per_sm_q};
        assign base_o      = {1'b1, owned_q, reserved_q};
      end
      assign base_next[L-1:0]    = low_next;
      assign own_not_left[L-1:0] = low_not_left;
      assign read_row = {base_next, own_not_left, step_outstanding, own_preempted, step_covered, own_head, base_sms,
                         own_tbs_per_sm};
      assign step_o   = {next_tb_q[L-1:0], not_left_q[L-1:0], covered_q, outstanding_q};
      assign status_o[STATUS_FEW] = &not_left_q[L-1:3] && (not_left_q[2] || &not_left_q[1:0]) ||
                        &next_tb_q[L-1:3] && (next_tb_q[2] || &next_tb_q[1:0]); // 2^L - 5 or more
    end else begin : g_whole
      wire unused_shared = &{1'b0, step_i, base_i};
      assign written_own = {next_tb_q, not_left_q, outstanding_q, preempted_q, covered_q, head_q, owned_q, reserved_q,
                            tbs_per_sm_q};
      assign read_row = read_own;
      assign step_o   = {STEP_WIDTH{1'b0}};
      assign base_o   = {BASE_WIDTH{1'b0}};
      assign status_o[STATUS_FEW] = 1'b0;
    end
  endgenerate
  assign fault_o = row_fault || promised_fault || spread_fault;
  tsr_promised #(
`include "tsr_pass_sizes.vh"
  ) u_promised (
    .clk_i(clk_i), .rst_ni(rst_ni), .phase_i(phase_i), .ksr_i(ksr_i), .valid_i(valid_i), .fault_o(promised_fault),
    .activates_i(activates_i), .preempted_i(preempted), .has_room_o(has_room_o), .is_second_i(is_second_i),
    .traps_i(job_i[JOB_TRAP]), .saved_i(saved), .tb_done_i(tb_done), .trapped_i(sm_row_i[SM_TRAPPED]),
    .count_i(sm_count), .writes_i(writes_i));
  tsr_spread #(
`include "tsr_pass_sizes.vh"
  ) u_spread (
    .clk_i(clk_i), .rst_ni(rst_ni), .phase_i(phase_i), .ksr_i(ksr_i), .valid_i(valid_i), .fault_o(spread_fault),
    .activates_i(activates_i), .spreads_i(breadth_first_i && keeps_turn_i), .is_second_i(is_second_i),
    .saved_i(saved), .has_handles_i(|preempted_q), .count_i(sm_count), .chooses_i(chooses_o), .ends_o(spread_ends),
    .writes_i(writes_i));
  assign {next_tb, not_left, outstanding, preempted, covered, head, owned, reserved, tbs_per_sm} =
    activates_i ? {{TB_WIDTH{1'b0}}, ~launch_i[TB_COUNT_WIDTH +: TB_WIDTH],
                   {(ROW_WIDTH - 2*TB_WIDTH - TB_COUNT_WIDTH){1'b0}}, launch_i[TB_COUNT_WIDTH-1:0]}
                : read_row;
  assign last_out_o = outstanding == ONE;

  // 2. LOAD: the slots that the SM counts for, to be added to `covered` or taken from it; of an issue, the free ones.
  wire [SLOT_WIDTH-1:0] count = {{(SLOT_WIDTH-TB_COUNT_WIDTH){1'b0}}, sm_count};
  wire hands_second = hands_over && is_second_i;
  wire counts_free  = issue_job || reserves && !is_second_i || cancels && is_second_i; // but for its TBs
  wire [TB_COUNT_WIDTH-1:0] slots = tbs_per_sm - (counts_free ? sm_count : {TB_COUNT_WIDTH{1'b0}});
  wire covers = issue_job ||
                (is_second_i ? cancels || takes && !breadth_first_i ||
                               hands_second && will_issue_i == breadth_first_i
                             : assigns || reserves || retargets && !breadth_first_i || will_release_i);
  reg  [TB_COUNT_WIDTH-1:0] slots_q; // BURST counts them down
  reg                       is_less_q;

  // 3. CALC: each counter has one step; of an assign, in each cycle of BURST that gives an SM.
  wire frees_one     = tb_done && sm_row_i[SM_RUNNING] && !is_second_i; // a release takes that slot, too
  wire [SLOT_WIDTH-1:0] slots_step  = {{(SLOT_WIDTH-TB_COUNT_WIDTH){1'b0}}, slots_q} ^ {SLOT_WIDTH{is_less_q}};
  wire [SLOT_WIDTH-1:0] covered_sum = covered_q + (chooses_o ? {SLOT_WIDTH{1'b1}} : slots_step) +
                                      {{(SLOT_WIDTH-1){1'b0}}, calcs && is_less_q};
  wire owned_up      = is_second_i && (cancels || hands_over && issuable);
  wire owned_down    = !is_second_i && (reserves || releases);
  wire reserved_up   = is_second_i && takes;
  wire reserved_down = !is_second_i && retargets || hands_second;

  // 4. BURST: a TB a cycle.
  reg  carry_next_q, carry_left_q, is_last_q;
  wire carries;
  wire carrying  = carry_next_q || carry_left_q;
  wire last_left = uses_handles ? preempted_q == ONE : &not_left_q[TB_WIDTH-1:1] && !not_left_q[0];
  assign chooses_o    = phase_i[BURST] && !assigns && !carrying;
  assign last_o       = slots_q == {{(TB_COUNT_WIDTH-1){1'b0}}, 1'b1} || last_left ||
                        (uses_handles ? spread_ends : breadth_first_i) || refills;
  assign burst_ends_o = assigns ? !gives_i : carrying ? is_last_q : last_o && !carries;
  assign next_tb_o    = next_tb_q;
  assign head_o       = head_q;
  wire issues_fresh  = chooses_o && !uses_handles;
  wire issues_handle = chooses_o && uses_handles;

  generate
    if (TB_WIDTH > LOW) begin : g_carry
      wire [LOW:0] next_sum = {1'b0, next_tb_q[LOW-1:0]} + {{LOW{1'b0}}, 1'b1};
      wire [LOW:0] left_sum = {1'b0, not_left_q[LOW-1:0]} + {{LOW{1'b0}}, 1'b1};
      wire [TB_WIDTH-1:LOW] next_high, left_high;
      tsr_increment #(.WIDTH(TB_WIDTH - LOW)) u_next (.data_i(next_tb_q[TB_WIDTH-1:LOW]), .data_o(next_high));
      tsr_increment #(.WIDTH(TB_WIDTH - LOW)) u_left (.data_i(not_left_q[TB_WIDTH-1:LOW]), .data_o(left_high));
      assign carries = issues_fresh && (next_sum[LOW] || left_sum[LOW]);
      always @(posedge clk_i) begin
        carry_next_q <= issues_fresh && next_sum[LOW];
        carry_left_q <= issues_fresh && left_sum[LOW];
        is_last_q    <= last_o;
        if (loads) begin
          next_tb_q  <= next_tb;
          not_left_q <= not_left;
        end else begin
          if (issues_fresh) begin
            next_tb_q[LOW-1:0]  <= next_sum[LOW-1:0];
            not_left_q[LOW-1:0] <= left_sum[LOW-1:0];
          end
          if (carry_next_q) next_tb_q[TB_WIDTH-1:LOW]  <= next_high;
          if (carry_left_q) not_left_q[TB_WIDTH-1:LOW] <= left_high;
        end
      end
    end else begin : g_narrow
      assign carries = 1'b0;
      always @(posedge clk_i) begin
        {carry_next_q, carry_left_q, is_last_q} <= 3'd0;
        if (loads) begin
          next_tb_q  <= next_tb;
          not_left_q <= not_left;
        end else if (issues_fresh) begin
          next_tb_q  <= next_tb_q + {{(TB_WIDTH-1){1'b0}}, 1'b1};
          not_left_q <= not_left_q + {{(TB_WIDTH-1){1'b0}}, 1'b1};
        end
      end
    end
  endgenerate

  // 5. Every counter but those of BURST.
  always @(posedge clk_i) begin
    if (loads) begin
      outstanding_q <= outstanding;
      preempted_q   <= preempted;
      covered_q     <= covered;
      head_q        <= head;
      owned_q       <= owned;
      reserved_q    <= reserved;
      tbs_per_sm_q  <= tbs_per_sm;
      slots_q       <= slots & {TB_COUNT_WIDTH{covers}};
      is_less_q     <= !is_second_i && (reserves || retargets || will_release_i) || hands_second && !will_issue_i;
    end else begin
      if (calcs && tb_done && !is_second_i || issues_fresh) begin
        outstanding_q <= outstanding_q + (calcs ? {SLOT_WIDTH{1'b1}} : ONE);
      end
      if (calcs && saved && !is_second_i || issues_handle) begin
        preempted_q <= preempted_q + (calcs ? count : {SLOT_WIDTH{1'b1}});
      end
      if (calcs && !issue_job && !assigns || chooses_o || gives_i) begin
        covered_q <= covered_sum + {{(SLOT_WIDTH-1){1'b0}}, calcs && frees_one};
      end
      if (calcs) begin
        owned_q    <= owned_q + {{(SM_WIDTH-1){owned_down}}, owned_down || owned_up};
        reserved_q <= reserved_q + {{(SM_WIDTH-1){reserved_down}}, reserved_down || reserved_up};
      end else if (gives_i) begin
        owned_q    <= owned_q + {{(SM_WIDTH-1){1'b0}}, 1'b1};
      end
      if (calcs && job_i[JOB_EVICT]) {covered_q, owned_q, reserved_q} <= {(SLOT_WIDTH + 2*SM_WIDTH){1'b0}};
      if (issues_handle) head_q <= head_q == LAST_HANDLE ? {RING_ADDRESS{1'b0}}
                                                         : head_q + {{(RING_ADDRESS-1){1'b0}}, 1'b1};
      if (chooses_o) slots_q <= slots_q - {{(TB_COUNT_WIDTH-1){1'b0}}, 1'b1};
    end
  end

  // 6. WRITE: what the row says of its kernel.
  assign is_full_o  = sm_count == tbs_per_sm_q;
  assign status_o[STATUS_FRESH]   = !(&not_left_q);
  assign status_o[STATUS_HANDLES] = |preempted_q;
  assign status_o[STATUS_HOLDS]   = |owned_q || |reserved_q;
  assign status_o[STATUS_TBS_PER_SM +: TB_COUNT_WIDTH] = tbs_per_sm_q;
  assign owned_o    = owned_q;
  assign reserved_o = reserved_q;

  wire                  uncovered_rests, many;
  wire [SLOT_WIDTH+1:0] left;
  tsr_uncovered #(
`include "tsr_pass_sizes.vh"
  ) u_uncovered (
    .clk_i(clk_i), .breadth_first_i(breadth_first_i), .early_covered_i(covered_q), .early_owned_i(owned_q),
    .not_left_i(not_left_q), .preempted_i(preempted_q), .covered_i(covered_q), .owned_i(owned_q),
    .reserved_i(reserved_q), .uncovered_o(uncovered_o), .many_o(many), .left_o(left), .rests_o(uncovered_rests));
  tsr_assign #(
`include "tsr_pass_sizes.vh"
  ) u_assign (
    .clk_i(clk_i), .breadth_first_i(breadth_first_i), .calcs_i(calcs && assigns), .bursts_i(phase_i[BURST]),
    .many_i(many), .waiting_i(left), .covered_i(covered_q), .owned_i(owned_q), .reserved_i(reserved_q),
    .tbs_per_sm_i(tbs_per_sm_q), .has_limit_i(has_limit_i), .limit_i(limit_i), .needs_more_o(needs_more_o),
    .gives_i(gives_i), .freed_o(freed_o));
  assign rests_o = !carrying && is_last_q == (TB_WIDTH > LOW && last_o) && uncovered_rests;

endmodule
