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
  output                     any_in_use_o,     // one is not idle
  output                     served_any_o,
  // The job: PICK asks, FIND finds, SM reads.
  input  [8:0]               picks_i,
  input  [8:0]               job_i,
  input  [7:0]               phase_i,
  input  [SM_WIDTH-1:0]      sm_i,       // of an event
  output [SM_WIDTH-1:0]      found_sm_o,
  input  [TAG_BITS-1:0]      event_tag_i, // PICK
  output [KSR_WIDTH-1:0]     read_ksr_o, // in SM, before it is in a register: of a take, that its SM counts against
  // Its row, from ROW on, with its TBs as the job steps them.
  output [SM_ROW_WIDTH-1:0]  sm_row_o,
  output                     is_current_o, // a set-up done answers the last set-up
  output [TAG_BITS-1:0]      tag_o,      // a set-up's
  output [PARTITION_WIDTH-1:0] partition_o, // WRITE
  // The OS: whose an SM is.
  input  [OS_WRITE_WIDTH-1:0] os_write_i,
  // The search: what it looks at, and what it sees a cycle later; whom its move concerns.
  input  [STEP_PARTITION_WIDTH-1:0] step_partition_i,
  output                     any_idle_o,
  output                     any_free_o,    // not kept
  output                     any_foreign_o, // counts against a kernel of another partition
  input  [MOVE_WIDTH-1:0]    move_i,
  input                      needs_more_i,  // BURST of an assign
  output                     gives_o,       // then: an SM
  // What the job does (tsr_effects.vh).
  input  [16:0]              effects_i,
  input                      drain_i,        // the policy's technique
  input                      no_room_i,      // end of CALC
  input                      evicts_i,       // every SM is taken away, in the last WRITE
  input                      evict_drains_i,
  input                      is_second_i,
  input                      has_second_i,
  input                      chooses_i,  // BURST: a TB
  input                      is_full_i,  // WRITE: `running` is the kernel's tbs_per_sm
  input  [KSR_WIDTH-1:0]     ksr_i,      // the KSR that is visited
  input                      issuable_next_i, // WRITE: what its row becomes
  input                      row_write_i,
  // An event: what became of the SM in the last WRITE.
  output                     goes_idle_o,
  output                     opens_o,    // it is idle, and can be set up again
  // The refill lane: SMs that want a TB, and those that had a turn; what S and R read; what becomes of R's SM.
  output [NUM_SMS-1:0]       wants_o,
  input  [NUM_SMS-1:0]       lane_serves_i,
  input  [NUM_SMS-1:0]       lane_s_row_i,
  output [KSR_WIDTH-1:0]     lane_s_ksr_o,
  input  [NUM_SMS-1:0]       lane_row_i,
  input  [TAG_BITS-1:0]      lane_tag_i,
  input  [TB_COUNT_WIDTH-1:0] lane_tbs_per_sm_i,
  output [6:0]               lane_sm_o,
  input  [2:0]               lane_step_i,
  // Whose is an SM that sends a handle.
  input  [SM_WIDTH-1:0]      handle_sm_i,
  output [KSR_WIDTH-1:0]     handle_ksr_o
);

  wire [16:0] effects = effects_i;
`include "tsr_codes.vh"
`include "tsr_effects.vh"
`include "tsr_policy_table.vh"
`include "tsr_buses.vh"

  wire unused = &{1'b0, os_write_i, move_i}; // but for parts of them

  reg [NUM_SMS-1:0]                running_q, reserved_q;
  reg [NUM_SMS*KSR_WIDTH-1:0]      ksr_q, next_q;
  reg [NUM_SMS*TB_COUNT_WIDTH-1:0] count_q;
  reg [NUM_SMS-1:0] set_up_pending_q, active_q, trap_pending_q, trapped_q, restoring_q, full_q, drains_q, served_q,
                    issuable_q, kept_q;
  wire [NUM_SMS-1:0] no_room;

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
  assign any_in_use_o     = |(running_q | reserved_q);
  assign served_any_o     = |served_q;

  // 2. The job's SM: in FIND, or one after the other. Of victims, those that are reserved come first.
  wire [NUM_SMS-1:0] asks = could_take & ~(served_q & {NUM_SMS{!sm_tick_i}});
  wire [NUM_SMS-1:0] row_q, found, next_idle, victims, may_have;
  wire               any_idle, is_found;
  tsr_sm_find #(
`include "tsr_pass_sizes.vh"
  ) u_find (
    .clk_i(clk_i), .rst_ni(rst_ni), .picks_i(picks_i), .job_i(job_i), .phase_i(phase_i), .event_sm_i(sm_i),
    .leaves_i(leaves), .traps_i(traps), .set_ups_i(set_up_pending_q), .wants_i(asks), .lane_row_i(lane_row_i),
    .victims_i(|(victims & reserved_q) ? victims & reserved_q : victims), .idle_i(may_have), .first_o(found),
    .next_o(next_idle), .any_idle_o(any_idle), .row_o(row_q), .found_o(is_found), .sm_o(found_sm_o));
  wire gives     = phase_i[BURST] && assigns && needs_more_i;
  assign gives_o = gives && any_idle;

  // 3. SM: its row.
  wire                 is_active;
  wire [KSR_WIDTH-1:0] read_ksr, read_next;
  assign read_ksr_o = (job_i[JOB_MOVE] && |(reserved_q & row_q) ? read_next : read_ksr) | {KSR_WIDTH{!is_found}};
  tsr_sm_row #(
`include "tsr_pass_sizes.vh"
  ) u_row (
    .clk_i(clk_i), .reads_i(phase_i[SM]), .row_i(row_q), .running_i(running_q), .reserved_i(reserved_q),
    .active_i(active_q), .trapped_i(trapped_q), .restoring_i(restoring_q), .drains_i(drains_q), .ksr_i(ksr_q),
    .next_i(next_q), .count_i(count_q), .tb_done_i(phase_i[CALC] && tb_done && !is_second_i),
    .chooses_i(chooses_i), .saved_i(phase_i[WRITE] && saved), .read_ksr_o(read_ksr), .read_next_o(read_next),
    .active_o(is_active), .sm_row_o(sm_row_o));
  wire                      is_running   = sm_row_o[SM_RUNNING];
  wire                      is_reserved  = sm_row_o[SM_RESERVED];
  wire                      is_restoring = sm_row_o[SM_RESTORING];
  wire [TB_COUNT_WIDTH-1:0] count        = sm_row_o[SM_COUNT +: TB_COUNT_WIDTH];

  // 4. The refill lane, which is never at the SM of a job.
  wire [NUM_SMS-1:0]        lane_counted, lane_filled, lane_emptied, lane_active;
  wire [TB_COUNT_WIDTH-1:0] lane_count;
  wire [TAG_BITS-1:0]       lane_tag;
  wire [NUM_SMS-1:0]        full_now = (full_q | lane_filled) & ~lane_emptied;
  assign wants_o = wants;
  tsr_smst_refill #(
`include "tsr_pass_sizes.vh"
  ) u_refill (
    .running_i(running_q), .reserved_i(reserved_q), .active_i(active_q), .restoring_i(restoring_q),
    .issuable_i(issuable_q), .set_up_pending_i(set_up_pending_q), .could_take_i(could_take), .ksr_i(ksr_q),
    .count_i(count_q), .s_row_i(lane_s_row_i), .s_ksr_o(lane_s_ksr_o), .row_i(lane_row_i),
    .is_current_i(lane_tag == lane_tag_i), .tbs_per_sm_i(lane_tbs_per_sm_i),
    .is_job_i(|(lane_row_i & row_q) && !assigns), .lane_sm_o(lane_sm_o), .lane_step_i(lane_step_i & {3{rst_ni}}),
    .counted_o(lane_counted), .new_count_o(lane_count), .filled_o(lane_filled), .emptied_o(lane_emptied),
    .activated_o(lane_active));

  // 5. WRITE, and BURST of an assign: what becomes of it. In reset no SM is given anything: what is cleared there is a
  // term of what clears it elsewhere, which costs an SM less than a reset of each bit.
  localparam [NUM_SMS-1:0] NONE = {NUM_SMS{1'b0}};
  wire [NUM_SMS-1:0] in_reset = {NUM_SMS{!rst_ni}};
  wire writes       = phase_i[WRITE] && rst_ni;
  wire last_write   = writes && (is_second_i || !has_second_i);
  wire finishes_now = writes && finishes && !is_second_i;
  wire evicts       = evicts_i && rst_ni;
  wire starts_next  = hands_over && is_second_i && issuable;
  wire clears_owner = hands_over || releases;
  wire fills        = job_i[JOB_ISSUE] || refills;
  wire empties      = saved && !is_second_i; // the SM's TBs are in the PTBQ
  assign goes_idle_o = clears_owner && !starts_next;

  wire sets_trap   = reserves && !drain_i && is_active && !is_restoring ||
                     restored && is_reserved && is_active && !sm_row_o[SM_DRAINS];
  wire sets_active = set_up && is_running && !releases;
  wire serves      = REFILL == 0 && phase_i[FIND] && rounds_i && (job_i[JOB_EVENT] || job_i[JOB_ISSUE]);

  wire [NUM_SMS-1:0] row_onehot    = last_write ? row_q : NONE;
  wire [NUM_SMS-1:0] given         = gives && rst_ni ? next_idle : NONE; // where one is idle
  wire [NUM_SMS-1:0] next_started  = starts_next ? row_onehot : NONE; // the kernel that it was reserved for
  wire [NUM_SMS-1:0] changed       = clears_owner || takes || cancels ? row_onehot : NONE;
  wire [NUM_SMS-1:0] owner_changed = clears_owner ? row_onehot : given;
  wire [NUM_SMS-1:0] flags_cleared = owner_changed | in_reset;
  wire [NUM_SMS-1:0] trap_sent     = job_i[JOB_TRAP] ? row_onehot : NONE;
  wire [NUM_SMS-1:0] set_up_sent   = job_i[JOB_SETUP] ? row_onehot : NONE;
  wire [NUM_SMS-1:0] counted       = (tb_done || saved || job_i[JOB_ISSUE] ? row_onehot : NONE) | in_reset;
  wire [NUM_SMS-1:0] owned, next;  // by the KSR that is visited
  wire [NUM_SMS-1:0] owner_finished = finishes_now ? owned : NONE;
  wire [NUM_SMS-1:0] next_cleared  = (finishes_now ? next : NONE) | {NUM_SMS{evicts}} | in_reset;
  wire [NUM_SMS-1:0] evicted       = evicts ? running_q : NONE;
  wire [NUM_SMS-1:0] stopped       = owner_finished & running_q | in_reset;
  // With a lane events do not wait for set-ups. Such an SM is handed over without one.
  wire [NUM_SMS-1:0] set_up_dropped = REFILL != 0 ? owner_finished & reserved_q & set_up_pending_q : NONE;

  wire [KSR_WIDTH-1:0]      new_ksr   = gives || starts_next ? ksr_i : NO_KSR;
  wire [KSR_WIDTH-1:0]      new_next  = takes ? ksr_i : NO_KSR;
  wire [TB_COUNT_WIDTH-1:0] new_count = empties || !rst_ni ? {TB_COUNT_WIDTH{1'b0}} : count;
  wire [NUM_SMS-1:0]        owner_cleared = owner_finished | in_reset;
  genvar i;
  generate
    for (i = 0; i < NUM_SMS; i = i + 1) begin : g_sm
      assign owned[i]    = ksr_q[i*KSR_WIDTH +: KSR_WIDTH] == ksr_i;
      assign next[i]     = next_q[i*KSR_WIDTH +: KSR_WIDTH] == ksr_i;
      assign is_empty[i] = count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] == {TB_COUNT_WIDTH{1'b0}};
      always @(posedge clk_i) begin
        if (owner_changed[i])      ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= new_ksr;
        else if (owner_cleared[i]) ksr_q[i*KSR_WIDTH +: KSR_WIDTH] <= NO_KSR;
        if (changed[i])            next_q[i*KSR_WIDTH +: KSR_WIDTH] <= new_next;
        else if (next_cleared[i])  next_q[i*KSR_WIDTH +: KSR_WIDTH] <= NO_KSR;
        if (counted[i])            count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= new_count;
        else if (lane_counted[i])  count_q[i*TB_COUNT_WIDTH +: TB_COUNT_WIDTH] <= lane_count;
      end
    end
  endgenerate

  wire [NUM_SMS-1:0] issuable_mask  = owned | (starts_next ? row_q : NONE); // whether their kernel has TBs to issue
  wire [NUM_SMS-1:0] left      = !starts_linger_i ? kept_q :
                                 (releases ? row_onehot : NONE) | stopped | (linger_goes_on_i ? kept_q : NONE);
  wire [NUM_SMS-1:0] kept_unclaimed = hands_over && !starts_next && (lingers_i || starts_linger_i) ? row_onehot : NONE;

  always @(posedge clk_i) begin
    running_q        <= (starts_next || cancels ? changed : given) | running_q & ~(changed | stopped | evicted);
    reserved_q       <= (takes ? changed : NONE) | evicted | reserved_q & ~(changed | in_reset);
    set_up_pending_q <= given | next_started | set_up_pending_q &
                        ~(flags_cleared | set_up_sent | stopped | set_up_dropped);
    active_q         <= (sets_active ? row_onehot : NONE) | lane_active | set_up_dropped |
                        active_q & ~(flags_cleared | trap_sent | stopped);
    trap_pending_q   <= (sets_trap ? row_onehot : NONE) | trap_pending_q & ~(flags_cleared | trap_sent) |
                        (evict_drains_i ? NONE : evicted & active_q & ~restoring_q);
    trapped_q        <= (trapped_q | trap_sent) & ~flags_cleared;
    restoring_q      <= (job_i[JOB_ISSUE] && uses_handles ? row_onehot : NONE) |
                        restoring_q & ~((restored ? row_onehot : NONE) | in_reset);
    full_q           <= fills ? (is_full_i ? row_onehot : NONE) | full_now & ~(row_onehot | stopped)
                              : full_now & ~(flags_cleared | (tb_done ? row_onehot : NONE) | stopped);
    drains_q         <= (reserves && drain_i ? row_onehot : NONE) |
                        drains_q & ~(flags_cleared | (cancels ? row_onehot : NONE)) |
                        (evict_drains_i ? evicted : NONE) | set_up_dropped;
    served_q         <= sm_tick_i || !rst_ni ? NONE : (serves ? found : NONE) | lane_serves_i | served_q;
    if (!rst_ni || !linger_i) kept_q <= NONE;
    else                      kept_q <= kept_unclaimed | left & ~(given | (hands_over ? row_onehot : NONE));
    if (row_write_i) issuable_q <= issuable_next_i ? issuable_q | issuable_mask : issuable_q & ~issuable_mask;
  end

  // 6. Traps that a ring has no room for.
  tsr_trap_room #(
`include "tsr_pass_sizes.vh"
  ) u_trap_room (
    .clk_i(clk_i), .rst_ni(rst_ni), .row_i(row_q), .no_room_i(no_room_i),
    .may_have_room_i(last_write && (job_i[JOB_EVENT] || job_i[JOB_ISSUE])),
    .leaves_i(last_write && clears_owner), .no_room_o(no_room));

  // 7. Partitions.
  wire [NUM_SMS-1:0] in_step, foreign;
  wire [NUM_SMS-1:0] moved = phase_i[CALC] && is_own ? row_q : takes || cancels ? row_onehot : given;
  tsr_sm_partitions #(
`include "tsr_pass_sizes.vh"
  ) u_partitions (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_policy_i(os_write_i[OS_POLICY]),
    .write_partition_i(os_write_i[OS_PARTITION]), .write_sm_i(os_write_i[OS_DATA+8 +: 8]),
    .write_data_i(os_write_i[OS_DATA +: PARTITION_WIDTH]), .in_partitions_i(step_partition_i[PARTITION_IS_ON]),
    .has_partition_i(step_partition_i[PARTITION_IS_CHOSEN]),
    .partition_i(step_partition_i[PARTITION_NUMBER +: PARTITION_WIDTH]), .in_step_o(in_step), .row_i(row_q),
    .partition_o(partition_o), .moved_i(moved), .foreign_o(foreign));

  // 8. Set-ups and their answers.
  wire [NUM_SMS-1:0] cannot_set_up;
  wire               was_full;
  tsr_set_ups #(
`include "tsr_pass_sizes.vh"
  ) u_set_ups (
    .clk_i(clk_i), .rst_ni(rst_ni), .phase_i(phase_i), .row_i(row_q), .pending_i(set_up_pending_q),
    .event_tag_i(event_tag_i), .sends_i(job_i[JOB_SETUP]), .answers_i(answers), .tag_o(tag_o),
    .is_current_o(is_current_o), .was_full_o(was_full), .lane_row_i(lane_row_i), .lane_tag_o(lane_tag),
    .lane_activates_i(lane_step_i[LANE_ACTIVATES]), .full_o(cannot_set_up));
  assign opens_o = answers && was_full && !is_running && !is_reserved;

  // 9. What others read of it: a handle's owner, and the search.
  tsr_smst_look #(
`include "tsr_pass_sizes.vh"
  ) u_look (
    .clk_i(clk_i), .running_i(running_q), .reserved_i(reserved_q), .full_i(cannot_set_up),
    .kept_i(kept_q & {NUM_SMS{lingers_i}}), .in_step_i(in_step), .foreign_i(foreign), .ksr_i(ksr_q), .next_i(next_q),
    .handle_sm_i(handle_sm_i), .handle_ksr_o(handle_ksr_o), .any_idle_o(any_idle_o), .any_free_o(any_free_o),
    .any_foreign_o(any_foreign_o), .of_foreign_i(move_i[MOVE_OF_FOREIGN]), .owned_i(owned), .next_of_i(next),
    .victims_o(victims), .gets_kept_i(move_i[MOVE_GETS_KEPT]), .may_have_o(may_have));

endmodule
