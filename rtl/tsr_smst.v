// SPDX-License-Identifier: Apache-2.0
// SM status table ([T14] 3.3) and what the driver knows of an SM (timing.md 6.2). Finds the SM of a job, gives its
// row, and takes back what the job made of it.
module tsr_smst #(
`include "tsr_sizes.vh"
) (
  input                      clk_i,
  input                      rst_ni,
  input                      rounds_i,
  input                      sm_tick_i,
  // Linger: SMs that were left are kept
  input                      linger_i,         // strap
  input                      lingers_i,
  input                      starts_linger_i,  // WRITE
  input                      linger_goes_on_i,
  // What there is to do.
  output                     leave_any_o,
  output                     trap_any_o,
  output                     set_up_any_o,
  output                     wants_any_o,
  output                     changing_hands_o,
  output                     served_any_o,
  // The job: PICK asks, FIND finds, SM reads.
  input  [7:0]               picks_i,
  input  [7:0]               job_i,
  input  [7:0]               phase_i,
  input  [SM_WIDTH-1:0]      sm_i,       // of a move or an event
  output [SM_WIDTH-1:0]      found_sm_o,
  output [KSR_WIDTH-1:0]     read_ksr_o, // in SM, before it is in a register
  output [KSR_WIDTH-1:0]     read_next_o,
  // Its row, from ROW on.
  output reg                 running_o,
  output reg                 reserved_o,
  output reg                 trapped_o,
  output reg                 restoring_o,
  output reg                 drains_o,
  output reg [KSR_WIDTH-1:0] ksr_o,
  output reg [KSR_WIDTH-1:0] next_o,
  output [TB_COUNT_WIDTH-1:0] count_o,   // SMST `running`, as the job steps it
  // What the job does.
  input                      drain_i,    // the policy's technique
  input                      assigns_i,
  input                      reserves_i,
  input                      takes_i,
  input                      cancels_i,
  input                      tb_done_i,
  input                      saved_i,
  input                      restored_i,
  input                      set_up_i,
  input                      no_room_i,  // end of CALC
  input                      hands_over_i,
  input                      releases_i,
  input                      finishes_i,
  input                      refills_i,
  input                      handles_i,
  input                      issuable_i, // the KSR's, in LOAD
  input                      is_second_i,
  input                      has_second_i,
  input                      calc_i,     // CALC of a job that is not rejected
  input                      chooses_i,  // BURST: a TB
  input                      is_full_i,  // WRITE: `running` is the kernel's tbs_per_sm
  input  [KSR_WIDTH-1:0]     ksr_i,      // the KSR that is visited
  input                      issuable_next_i, // WRITE: what its row becomes
  input                      row_write_i,
  // An event: what became of the SM in the last WRITE.
  output                     goes_idle_o,
  // Whose is an SM that sends a handle.
  input  [SM_WIDTH-1:0]      handle_sm_i,
  output [KSR_WIDTH-1:0]     handle_ksr_o,
  // The search: the rows of a step, a lane each.
  input  [STEPS-1:0]                  step_i,
  output [SEARCH_WIDTH-1:0]           look_idle_o,
  output [SEARCH_WIDTH-1:0]           look_free_o,   // idle, and not kept
  output [SEARCH_WIDTH-1:0]           look_reserved_o,
  output [SEARCH_WIDTH-1:0]           look_counts_o, // against a kernel:
  output [SEARCH_WIDTH*KSR_WIDTH-1:0] look_ksr_o
);

`include "tsr_codes.vh"

  reg [NUM_SMS-1:0]                running_q, reserved_q;
  reg [NUM_SMS*KSR_WIDTH-1:0]      ksr_q, next_q;
  reg [NUM_SMS*TB_COUNT_WIDTH-1:0] count_q;
  reg [NUM_SMS-1:0] set_up_pending_q, active_q, trap_pending_q, trapped_q, restoring_q, full_q, drains_q, served_q,
                    issuable_q, kept_q;
  wire [NUM_SMS-1:0] no_room;

  wire unused = &{1'b0, picks_i[JOB_ACTIVATE], picks_i[JOB_DEAL], picks_i[JOB_MOVE], picks_i[JOB_EVENT],
                  job_i[JOB_ACTIVATE], job_i[JOB_DEAL], job_i[JOB_LEAVE], phase_i[PICK], phase_i[ROW], phase_i[LOAD],
                  phase_i[BURST]};

  // 1. What there is to do, an SM each.
  wire [NUM_SMS-1:0] is_empty;
  wire [NUM_SMS-1:0] leaves = active_q & ~restoring_q & is_empty & (reserved_q & drains_q | running_q & ~issuable_q);
  wire [NUM_SMS-1:0] traps  = trap_pending_q & ~no_room;
  wire [NUM_SMS-1:0] could_take = active_q & running_q & issuable_q & ~full_q & ~restoring_q;
  wire [NUM_SMS-1:0] wants  = could_take & ~served_q;
  assign leave_any_o      = |leaves;
  assign trap_any_o       = |traps;
  assign set_up_any_o     = |set_up_pending_q;
  assign wants_any_o      = |wants;
  assign changing_hands_o = |(reserved_q | running_q & ~active_q | restoring_q);
  assign served_any_o     = |served_q;

  // 2. PICK keeps who asks, by the flags of FIND: a tick may come between. FIND puts in their place the first of them,
  // or the SM that is given.
  reg  [NUM_SMS-1:0] row_q, behind_q; // behind the SM of the last issue job
  wire [NUM_SMS-1:0] asks = could_take & ~(served_q & {NUM_SMS{!sm_tick_i}});
  wire [NUM_SMS-1:0] turn = |(asks & behind_q) ? asks & behind_q : asks;
  wire [NUM_SMS-1:0] given, at_or_below;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_given (.valid_i(1'b1), .index_i(sm_i), .row_o(given));
  tsr_prefix_or #(.COUNT(NUM_SMS)) u_first (.bits_i(row_q), .any_o(at_or_below));
  wire [NUM_SMS-1:0] above = at_or_below << 1;
  wire [NUM_SMS-1:0] found = job_i[JOB_MOVE] || job_i[JOB_EVENT] ? given : row_q & ~above;
  tsr_encode #(.COUNT(NUM_SMS)) u_found (.row_i(row_q), .none_i(1'b0), .index_o(found_sm_o));

  always @(posedge clk_i) begin
    if (phase_i[PICK]) begin
      row_q <= leaves & {NUM_SMS{picks_i[JOB_LEAVE]}} | traps & {NUM_SMS{picks_i[JOB_TRAP]}} |
               set_up_pending_q & {NUM_SMS{picks_i[JOB_SETUP]}} | turn & {NUM_SMS{picks_i[JOB_ISSUE]}};
    end else if (phase_i[FIND]) begin
      row_q <= found;
    end
    if (!rst_ni)                                behind_q <= {NUM_SMS{1'b0}};
    else if (phase_i[FIND] && job_i[JOB_ISSUE]) behind_q <= above;
  end

  // 3. SM: its row.
  localparam ROW_WIDTH = 2 * KSR_WIDTH + TB_COUNT_WIDTH + 6;
  wire [NUM_SMS*ROW_WIDTH-1:0] rows;
  wire [ROW_WIDTH-1:0]         row;
  reg                          is_active_q;
  reg [TB_COUNT_WIDTH-1:0]     row_count_q;
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(ROW_WIDTH)) u_row (.rows_i(rows), .row_i(row_q), .data_o(row));
  assign {read_ksr_o, read_next_o} = row[ROW_WIDTH-1 -: 2*KSR_WIDTH];
  assign count_o = row_count_q;

  always @(posedge clk_i) begin
    if (phase_i[SM]) begin
      {ksr_o, next_o, row_count_q, running_o, reserved_o, is_active_q, trapped_o, restoring_o, drains_o} <= row;
    end else if (calc_i && tb_done_i && !is_second_i) begin
      row_count_q <= row_count_q - {{(TB_COUNT_WIDTH-1){1'b0}}, 1'b1};
    end else if (chooses_i) begin
      row_count_q <= row_count_q + {{(TB_COUNT_WIDTH-1){1'b0}}, 1'b1};
    end else if (phase_i[WRITE] && saved_i) begin
      row_count_q <= {TB_COUNT_WIDTH{1'b0}};
    end
  end

  // 4. WRITE: what becomes of it.
  wire last_write = phase_i[WRITE] && (is_second_i || !has_second_i);
  wire kills      = phase_i[WRITE] && finishes_i && !is_second_i;
  wire goes_on    = hands_over_i && is_second_i && issuable_i;
  wire takes_over = assigns_i || goes_on;
  wire forgets    = takes_over || hands_over_i || releases_i;
  wire changes    = forgets || takes_i || cancels_i;
  wire fills      = job_i[JOB_ISSUE] || refills_i;
  wire empties    = saved_i && !is_second_i; // the SM's TBs are in the PTBQ
  assign goes_idle_o = forgets && !takes_over;

  wire sets_trap   = reserves_i && !drain_i && is_active_q && !restoring_o ||
                     restored_i && reserved_o && is_active_q && !drains_o;
  wire sets_active = set_up_i && running_o && !releases_i;
  wire serves      = phase_i[FIND] && rounds_i && (job_i[JOB_EVENT] || job_i[JOB_ISSUE]);

  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
      wire me      = row_q[i] && last_write;
      wire forgot  = me && forgets;
      wire owned   = ksr_q[i*KSR_WIDTH +: KSR_WIDTH] == ksr_i;
      wire next    = next_q[i*KSR_WIDTH +: KSR_WIDTH] == ksr_i;
      wire dies    = kills && owned; // its owner finishes; none awaits its set-up then, since events wait for these
      assign is_empty[i] = count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] == {TB_COUNT_WIDTH{1'b0}};
      assign rows[i*ROW_WIDTH +: ROW_WIDTH] = {ksr_q[i*KSR_WIDTH +: KSR_WIDTH], next_q[i*KSR_WIDTH +: KSR_WIDTH],
        count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH], running_q[i], reserved_q[i], active_q[i],
        trapped_q[i], restoring_q[i], drains_q[i]};

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          running_q[i]                              <= 1'b0;
          reserved_q[i]                             <= 1'b0;
          ksr_q[i*KSR_WIDTH +: KSR_WIDTH]           <= NO_KSR;
          next_q[i*KSR_WIDTH +: KSR_WIDTH]          <= NO_KSR;
          count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= {TB_COUNT_WIDTH{1'b0}};
        end else begin
          if (me && (tb_done_i || saved_i || job_i[JOB_ISSUE])) begin
            count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= empties ? {TB_COUNT_WIDTH{1'b0}} : row_count_q;
          end
          if (me && changes) begin
            running_q[i]                     <= takes_over || cancels_i;
            reserved_q[i]                    <= takes_i;
            ksr_q[i*KSR_WIDTH +: KSR_WIDTH]  <= takes_over ? ksr_i : forgets ? NO_KSR : ksr_o;
            next_q[i*KSR_WIDTH +: KSR_WIDTH] <= takes_i ? ksr_i : NO_KSR;
          end else if (kills) begin
            if (owned) begin
              running_q[i]                    <= 1'b0;
              ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= NO_KSR;
            end
            if (next) next_q[i*KSR_WIDTH +: KSR_WIDTH] <= NO_KSR;
          end
        end
      end

      always @(posedge clk_i) begin
        if (!rst_ni) begin
          set_up_pending_q[i] <= 1'b0;
          active_q[i]         <= 1'b0;
          trap_pending_q[i]   <= 1'b0;
          trapped_q[i]        <= 1'b0;
          restoring_q[i]      <= 1'b0;
          full_q[i]           <= 1'b0;
          drains_q[i]         <= 1'b0;
          served_q[i]         <= 1'b0;
        end else begin
          set_up_pending_q[i] <= me && takes_over || set_up_pending_q[i] && !(forgot || me && job_i[JOB_SETUP]);
          active_q[i]         <= me && sets_active ||
                                 active_q[i] && !(forgot || me && job_i[JOB_TRAP] || dies && running_q[i]);
          trap_pending_q[i]   <= me && sets_trap || trap_pending_q[i] && !(forgot || me && job_i[JOB_TRAP]);
          trapped_q[i]        <= (trapped_q[i] || me && job_i[JOB_TRAP]) && !forgot;
          restoring_q[i]      <= me && job_i[JOB_ISSUE] && handles_i || restoring_q[i] && !(me && restored_i);
          full_q[i]           <= me && fills ? is_full_i :
                                 full_q[i] && !(forgot || me && tb_done_i || dies && running_q[i]);
          drains_q[i]         <= me && reserves_i && drain_i || drains_q[i] && !(forgot || me && cancels_i);
          served_q[i]         <= !sm_tick_i && (serves && found[i] || served_q[i]);
        end
        if (!rst_ni || !linger_i)             kept_q[i] <= 1'b0;
        else if (me && takes_over)            kept_q[i] <= 1'b0;
        else if (me && hands_over_i)          kept_q[i] <= lingers_i || starts_linger_i; // to nobody
        else if (starts_linger_i)             kept_q[i] <= me && releases_i || dies && running_q[i] ||
                                                           kept_q[i] && linger_goes_on_i;
        if (row_write_i && (owned || row_q[i] && takes_over)) issuable_q[i] <= issuable_next_i;
      end
    end
  endgenerate

  // 5. Traps that the ring has no room for are tried again when it may have some; where it always has, there are none.
  generate
    if (PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM) begin : g_room
      wire unused_room = no_room_i;
      assign no_room = {NUM_SMS{1'b0}};
    end else begin : g_small
      reg [NUM_SMS-1:0] no_room_q;
      assign no_room = no_room_q;
      always @(posedge clk_i) begin
        if (!rst_ni || last_write && (job_i[JOB_EVENT] || job_i[JOB_ISSUE])) no_room_q <= {NUM_SMS{1'b0}};
        else if (no_room_i)                                                  no_room_q <= no_room_q | row_q;
        else if (last_write && forgets)                                      no_room_q <= no_room_q & ~row_q;
      end
    end
  endgenerate

  // 6. A handle's owner.
  wire [NUM_SMS-1:0] handle_row;
  tsr_one_hot #(.ROWS(NUM_SMS)) u_handle (.valid_i(1'b1), .index_i(handle_sm_i), .row_o(handle_row));
  tsr_select #(.ROWS(NUM_SMS), .WIDTH(KSR_WIDTH)) u_handle_ksr (
    .rows_i(ksr_q), .row_i(handle_row), .data_o(handle_ksr_o));

  // 7. The search: row i is of step i / SEARCH_WIDTH, lane i % SEARCH_WIDTH.
  genvar lane, step;
  generate
    for (lane = 0; lane < SEARCH_WIDTH; lane = lane + 1) begin : g_lane
      wire [STEPS*(KSR_WIDTH+4)-1:0] words;
      for (step = 0; step < STEPS; step = step + 1) begin : g_step
        if (step * SEARCH_WIDTH + lane < NUM_SMS) begin : g_row
          localparam R = step * SEARCH_WIDTH + lane;
          wire [KSR_WIDTH-1:0] ksr = reserved_q[R] ? next_q[R*KSR_WIDTH +: KSR_WIDTH] : ksr_q[R*KSR_WIDTH +: KSR_WIDTH];
          wire is_idle = !running_q[R] && !reserved_q[R];
          assign words[step*(KSR_WIDTH+4) +: KSR_WIDTH+4] = {is_idle, is_idle && !(lingers_i && kept_q[R]),
                                                             reserved_q[R], running_q[R] || reserved_q[R] && ksr != NO_KSR, ksr};
        end else begin : g_none
          assign words[step*(KSR_WIDTH+4) +: KSR_WIDTH+4] = {(KSR_WIDTH+4){1'b0}};
        end
      end
      tsr_select #(.ROWS(STEPS), .WIDTH(KSR_WIDTH + 4)) u_look (
        .rows_i(words), .row_i(step_i),
        .data_o({look_idle_o[lane], look_free_o[lane], look_reserved_o[lane], look_counts_o[lane],
                 look_ksr_o[lane*KSR_WIDTH +: KSR_WIDTH]}));
    end
  endgenerate

endmodule
