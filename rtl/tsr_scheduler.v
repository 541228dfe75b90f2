// SPDX-License-Identifier: Apache-2.0
// The scheduling framework ([T14] 3.3, Figure 4) as a core that does one job at a time. timing.md is the contract
// of its pins, cycle by cycle. All pins are synchronous to clk_i, reset too.
module tsr_scheduler #(
`include "tsr_sizes.vh"
) (
  input                            clk_i,
`ifdef TSR_BLOCK_CLOCKS // clocks of blocks: as clk_i, while the block acts, or an input that it hears is valid
  input                            clk_search_i,
  input                            clk_tables_i,
  input                            clk_rings_i,
  input                            clk_row_i,
  output                           search_acts_o, // it hears commands, control, ticks, linger_over and switch_over
  output                           tables_act_o,  // control
  output                           rings_act_o,   // handles
  output                           row_acts_o,
`endif
  input                            rst_ni,
  // Straps: constant while out of reset.
  input  [15:0]                    strap_policy_i, // as written to the policy register
  input  [WAIT_WIDTH-1:0]          strap_activation_cycles_i,
  input  [WAIT_WIDTH-1:0]          strap_search_step_cycles_i,
  input                            strap_breadth_first_i,
  input                            strap_rounds_i,
  input                            strap_linger_i,
  // Command in
  input                            command_valid_i,
  input  [BUFFER_WIDTH-1:0]        command_buffer_i,
  input  [CONTEXT_WIDTH-1:0]       command_context_i,
  input  [3:0]                     command_priority_i,
  input                            command_has_due_i,
  input  [DUE_WIDTH-1:0]           command_due_i,
  input  [PARTITION_WIDTH-1:0]     command_partition_i,
  input  [TB_WIDTH-1:0]            command_num_tbs_i,
  input  [TB_COUNT_WIDTH-1:0]      command_tbs_per_sm_i,
  input  [DESCRIPTOR_WIDTH-1:0]    command_descriptor_i,
  output [NUM_COMMAND_BUFFERS-1:0] buffer_free_o,
  // Control registers
  input                            control_valid_i,
  input  [2:0]                     control_reg_i,
  input  [CONTEXT_WIDTH-1:0]       control_context_i,
  input  [63:0]                    control_data_i,
  output                           control_ready_o,
  // Slice timer, SM cycles
  output                           slice_timer_enable_o,
  input                            slice_tick_i,
  input                            sm_tick_i,
  // Linger timer
  output                           linger_start_o,
  input                            linger_over_i,
  // A turn that is kept: what is on its way, who may use the GPU, and the switch between two contexts
  input  [NUM_CONTEXTS-1:0]        waiting_i,
  input  [NUM_CONTEXTS-1:0]        listed_i,
  input                            switch_over_i,
  output [CONTEXT_WIDTH-1:0]       turn_o,
  output                           switch_start_o,
  output                           switch_runs_o,
  // SM event in
  input                            sm_event_valid_i,
  input  [SM_WIDTH-1:0]            sm_event_sm_i,
  input  [2:0]                     sm_event_kind_i,
  input  [TAG_BITS-1:0]            sm_event_tag_i,
  output                           sm_event_ready_o,
  // Handle in
  input                            handle_valid_i,
  input  [SM_WIDTH-1:0]            handle_sm_i,
  input  [TB_WIDTH-1:0]            handle_tb_i,
  input  [31:0]                    handle_stack_pointer_i,
  // SM control out
  output reg                       sm_control_valid_o,
  output [SM_WIDTH-1:0]            sm_control_sm_o,
  output [2:0]                     sm_control_kind_o,
  output [TAG_BITS-1:0]            sm_control_tag_o,
  output [CONTEXT_WIDTH-1:0]       sm_control_context_o,
  output [63:0]                    sm_control_page_table_o,
  output [DESCRIPTOR_WIDTH-1:0]    sm_control_descriptor_o,
  // Dispatch out
  output                           dispatch_valid_o,
  output [SM_WIDTH-1:0]            dispatch_sm_o,
  output                           dispatch_is_restore_o,
  output                           dispatch_last_o,
  output [TB_WIDTH-1:0]            dispatch_tb_o,
  output [31:0]                    dispatch_stack_pointer_o,
  // Kernel done
  output reg                       kernel_done_valid_o,
  output [DESCRIPTOR_WIDTH-1:0]    kernel_done_descriptor_o,
  // SMs that a context holds: fewer (freed), or with -1 one more
  output reg                       usage_valid_o,
  output [CONTEXT_WIDTH-1:0]       usage_context_o,
  output [SM_WIDTH:0]              usage_freed_o, // signed
  // Events
  output reg                       events_policy_invoked_o,
  output reg                       events_policy_decided_o,
  output reg                       events_withheld_o,
  output reg                       events_activated_o,
  output                           events_evicted_o,
  output                           events_turn_passed_o,
  output                           events_turn_began_o,
  output reg                       events_moved_o,
  output reg                       events_cancelled_o,
  output reg                       events_preempted_o,
  output reg                       events_released_o,
  output [1:0]                     events_turn_cause_o,
  output [BUFFER_WIDTH-1:0]        events_buffer_o,
  output [1:0]                     events_move_o,
  output [SM_WIDTH-1:0]            events_sm_o,
  output [KSR_WIDTH-1:0]           events_ksr_o,
  output                           idle_o,
  output                           fault_o
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"
`include "tsr_buses.vh"
`include "tsr_size_checks.vh"

  wire search_rests, commands_rest, row_rests;
`ifndef TSR_BLOCK_CLOCKS
  wire clk_search_i = clk_i, clk_tables_i = clk_i, clk_rings_i = clk_i, clk_row_i = clk_i;
  wire search_acts_o, tables_act_o, rings_act_o, row_acts_o;
  wire unused_acts = &{1'b0, search_acts_o, tables_act_o, rings_act_o, row_acts_o};
`endif

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  // What SMs and hosts are told of a kernel: the descriptor, and its partition. Of a launch, what lies in RAM.
  localparam KERNEL_WIDTH = HAS_PARTITIONS ? DESCRIPTOR_WIDTH + PARTITION_WIDTH : DESCRIPTOR_WIDTH;
  localparam LAUNCH_WIDTH = TB_WIDTH + TB_COUNT_WIDTH + KERNEL_WIDTH;

  // But for parts of them:
  wire unused = &{1'b0, command_buffer_i, command_context_i, control_context_i, token_step, policy};

  // 0. Whether it works: until it reads a word of a RAM that is wrong (timing.md 3.10).
  wire command_fault, context_fault, row_fault, status_fault, handle_fault, descriptor_fault, lane_fault;
  wire fault   = command_fault || context_fault || row_fault || status_fault || handle_fault || descriptor_fault ||
                 lane_fault;
  wire runs    = rst_ni && !fault_o; // else its parts are in reset
  wire goes_on = runs && !fault;     // what a job does is on the pins in the next cycle
  generate
    if (PARITY != 0) begin : g_fault
      reg fault_q;
      always @(posedge clk_i) fault_q <= rst_ni && (fault_q || fault);
      assign fault_o = fault_q;
    end else begin : g_no_fault
      assign fault_o = 1'b0;
    end
  endgenerate

  // 1. The OS: what it writes, and the policy register.
  wire                       writes           = control_valid_i && control_ready_o;
  wire                       write_policy     = writes && control_reg_i == CONTROL_POLICY;
  wire [CONTEXT_ADDRESS-1:0] write_context    = control_context_i[CONTEXT_ADDRESS-1:0];
  wire [OS_WRITE_WIDTH-1:0]  os_write;
  assign os_write[OS_POLICY]                      = write_policy;
  assign os_write[OS_PRIORITY]                    = writes && control_reg_i == CONTROL_PRIORITY;
  assign os_write[OS_TOKENS]                      = writes && control_reg_i == CONTROL_TOKENS;
  assign os_write[OS_PAGE_TABLE]                  = writes && control_reg_i == CONTROL_PAGE_TABLE;
  assign os_write[OS_SLICE_END]                   = writes && control_reg_i == CONTROL_SLICE_END;
  assign os_write[OS_PARTITION]                   = HAS_PARTITIONS && writes && control_reg_i == CONTROL_PARTITION;
  assign os_write[OS_DATA +: 16]                  = control_data_i[15:0];
  assign os_write[OS_CONTEXT +: CONTEXT_ADDRESS]  = write_context;

  wire [POLICY_WIDTH-1:0]    policy;
  wire [RULES-1:0]           rules   = policy[POLICY_RULES +: RULES];
  wire                       is_kept = policy[POLICY_KEPT];   // the turn
  wire                       by_process = policy[POLICY_BY_PROCESS];
  wire                       drain, flush, once; // techniques; tokens are not replaced
  tsr_policy_register #(
`include "tsr_pass_sizes.vh"
  ) u_policy_register (
    .clk_i(clk_i), .rst_ni(rst_ni), .strap_policy_i(strap_policy_i), .os_write_i(os_write), .policy_o(policy),
    .drain_o(drain), .flush_o(flush), .once_o(once));

  wire [CONTEXT_ADDRESS-1:0] turn;
  wire [KEPT_TURN_WIDTH-1:0] kept_turn;
  wire                       kept_timer_enable, turn_invokes, evicts_nobody, turn_settled;

  // 2. Commands, contexts, the active queue.
  wire [LAUNCH_WIDTH-1:0]    launch;
  wire [CONTEXT_ADDRESS-1:0] launch_context, budget_context;
  wire [3:0]                 launch_priority;
  wire                       launch_has_due, waits, scan, scanned, found, queue_full,
                             queue_empty;
  wire [DUE_WIDTH-1:0]       launch_due;
  wire [BUFFER_ADDRESS-1:0]  launch_buffer;
  wire [NUM_CONTEXTS-1:0]    contexts_active, contexts_queued;
  wire                       budget_read, has_budget, is_first, is_last, two_contexts, control_ready;
  wire [NUM_COMMAND_BUFFERS-1:0] buffer_free;
  wire [8:0]                 budget;

  // 3. The job: its phase, its SM, the KSR that it visits.
  wire [8:0]             picks, job;
  wire [7:0]             phase;
  wire                   is_second, engine_idle, rejected, no_room, bursts, has_second, is_valid, will_release,
                         will_issue, engine_ready;
  wire [16:0]            effects;
`include "tsr_effects.vh"
  wire                   burst_ends;
  wire [SM_WIDTH-1:0]    sm, found_sm;
  wire [2:0]             event_kind;
  reg  [KSR_WIDTH-1:0]       ksr_q;
  reg  [CONTEXT_ADDRESS-1:0] context_q; // from CALC on
  reg                        invokes_q;
  wire activates  = job[JOB_ACTIVATE];
  wire deals      = job[JOB_DEAL];
  wire row_steps  = is_valid && !(REFILL != 0 && (job[JOB_TRAP] || job[JOB_SETUP])); // else counters are the lane's
  wire last_write = phase[WRITE] && (is_second || !has_second);
  wire finish     = finishes && !is_second;
  wire evicted    = phase[WRITE] && job[JOB_EVICT] && !others_hold; // the last one of its visits
  wire done       = last_write && (activates || deals || job[JOB_MOVE]) || evicted ||
                    phase[CALC] && rejected && job[JOB_MOVE];

  // Whose partition it is that something changes in.
  wire [PARTITION_WIDTH-1:0] launch_partition, row_partition, sm_partition;
  wire [KERNEL_WIDTH-1:0]    command_kernel; // the descriptor, and the partition

  // 4. What there is to do, and what the search wants.
  wire                  leave_any, trap_any, set_up_any, wants_any, changing_hands, served_any;
  wire                  any_in_use, any_holds, others_hold;
  wire                  offers_activate, offers_deal, offers_move, offers_evict, dealing;
  wire                  search_idle, invoked, decided, withheld;
  wire                  finds_none, needs_more, gives;
  wire [MOVE_WIDTH-1:0] move;
  wire                  is_take    = move[MOVE_IS_TAKE];
  wire                  of_foreign = move[MOVE_OF_FOREIGN];
  wire                  takes_idle = move[MOVE_TAKES_IDLE];
  wire [KSR_WIDTH-1:0]  move_ksr   = move[MOVE_KSR +: KSR_WIDTH];
  wire [KSR_WIDTH-1:0]  victim     = move[MOVE_VICTIM +: KSR_WIDTH];
  wire [KSR_WIDTH-1:0]  deal_ksr, free_ksr, holder;
  wire [SM_WIDTH:0]     assign_freed;
  wire                  any_idle, any_free, any_foreign;
  wire [STEP_PARTITION_WIDTH-1:0] step_partition;
  wire [CHANGES_WIDTH-1:0] changes;

  // What the engine finds of events and of SMs that want a TB; the refill lane.
  wire                      offers_event, offers_issue, event_ready, lane_dispatches, lane_few, lane_writes,
                            lane_uncovered, lane_ksr_refills, lane_idle, ksr_valid, row_waits, in_row;
  wire [SM_WIDTH-1:0]       offered_sm, lane_dispatch_sm;
  wire [2:0]                offered_kind, lane_step;
  wire [TAG_BITS-1:0]       offered_tag, lane_tag;
  wire [NUM_SMS-1:0]        wants, lane_serves, lane_s_row, lane_row;
  wire [6:0]                lane_sm;
  wire [KSR_WIDTH-1:0]      lane_s_ksr, lane_ksr, lane_few_ksr, lane_written_ksr;
  wire [TB_WIDTH-1:0]       lane_tb;
  wire [TB_COUNT_WIDTH-1:0] lane_tbs_per_sm;
  wire [STEP_WIDTH-1:0]     read_step, written_step;
  wire [BASE_WIDTH-1:0]     read_base, written_base;
  tsr_events #(
`include "tsr_pass_sizes.vh"
  ) u_events (
    .clk_i(clk_i), .rst_ni(runs), .breadth_first_i(strap_breadth_first_i), .rounds_i(strap_rounds_i),
    .event_valid_i(sm_event_valid_i), .event_sm_i(sm_event_sm_i), .event_kind_i(sm_event_kind_i),
    .event_tag_i(sm_event_tag_i), .event_ready_o(event_ready), .dispatch_o(lane_dispatches),
    .dispatch_sm_o(lane_dispatch_sm), .dispatch_tb_o(lane_tb), .dealing_i(dealing), .engine_ready_i(engine_ready),
    .offers_event_o(offers_event), .offers_issue_o(offers_issue), .sm_o(offered_sm), .kind_o(offered_kind),
    .tag_o(offered_tag), .picked_i(picks[JOB_EVENT] || picks[JOB_ISSUE]), .job_i(job), .phase_i(phase),
    .in_row_i(in_row), .tb_done_i(tb_done), .assigns_i(assigns), .job_ksr_i(ksr_q), .row_waits_o(row_waits),
    .wants_any_i(wants_any), .wants_i(wants), .serves_o(lane_serves), .s_row_o(lane_s_row), .s_ksr_i(lane_s_ksr),
    .row_o(lane_row), .lane_tag_o(lane_tag), .lane_sm_i(lane_sm), .lane_step_o(lane_step), .ksr_o(lane_ksr),
    .ksr_refills_i(lane_ksr_refills), .few_o(lane_few), .few_ksr_o(lane_few_ksr), .writes_o(lane_writes),
    .written_ksr_o(lane_written_ksr), .uncovered_o(lane_uncovered), .ksr_valid_i(ksr_valid),
    .row_write_i(phase[WRITE] && row_steps), .step_i(written_step), .base_i(written_base), .step_o(read_step),
    .base_o(read_base), .fault_o(lane_fault), .is_idle_o(lane_idle));

  tsr_engine #(
`include "tsr_pass_sizes.vh"
  ) u_engine (
    .clk_i(clk_i), .rst_ni(runs), .rounds_i(strap_rounds_i), .offers_activate_i(offers_activate),
    .offers_deal_i(offers_deal), .offers_move_i(offers_move), .offers_evict_i(offers_evict), .is_take_i(is_take),
    .dealing_i(dealing), .leave_any_i(leave_any), .trap_any_i(trap_any), .set_up_any_i(set_up_any),
    .wants_any_i(offers_issue), .sm_event_valid_i(offers_event), .sm_event_sm_i(offered_sm),
    .sm_event_kind_i(offered_kind), .sm_event_ready_o(engine_ready), .sm_control_valid_i(sm_control_valid_o),
    .row_waits_i(row_waits), .rejected_i(rejected), .bursts_i(bursts), .burst_ends_i(burst_ends),
    .has_second_i(has_second), .evicts_more_i(others_hold), .picks_o(picks), .job_o(job), .phase_o(phase),
    .in_row_o(in_row), .is_second_o(is_second), .sm_o(sm), .found_sm_i(found_sm), .event_kind_o(event_kind),
    .is_idle_o(engine_idle));

  // 5. The SM's row, and what the job does.
  wire                      is_current, goes_idle, opens;
  wire [SM_ROW_WIDTH-1:0]   sm_row;
  wire [KSR_WIDTH-1:0]      sm_next  = sm_row[SM_NEXT +: KSR_WIDTH];
  wire [TB_COUNT_WIDTH-1:0] sm_count = sm_row[SM_COUNT +: TB_COUNT_WIDTH];
  wire [KSR_WIDTH-1:0]      read_ksr, handle_ksr;
  wire                      can_linger = strap_linger_i && LINGER != 0;
  wire                      lingers, starts_linger, linger_goes_on;
  wire                      evict_drains;
  wire [3:0]                ksr_priority, linger_priority;
  wire                      last_out, has_room, chooses, is_last_tb, is_full;
  wire [STATUS_WIDTH-1:0]   row_status;
  wire                      uncovered;
  wire                      ksr_fresh, ksr_handles, target_valid, target_uncovered;
  wire [SM_WIDTH-1:0]       row_owned, row_reserved;
  wire [TB_WIDTH-1:0]       next_tb;
  wire [RING_ADDRESS-1:0]   head;
  wire [STEPS-1:0]                  step;

  tsr_job #(
`include "tsr_pass_sizes.vh"
  ) u_job (
    .clk_i(clk_i), .job_i(job), .loads_i(phase[LOAD]), .is_second_i(is_second), .event_kind_i(event_kind),
    .is_current_i(is_current), .rounds_i(strap_rounds_i), .move_i(move),
    .target_good_i(target_valid && (target_uncovered || !takes_idle)),
    .is_own_i(of_foreign && row_partition == step_partition[PARTITION_NUMBER +: PARTITION_WIDTH]),
    .sm_row_i(sm_row), .valid_i(ksr_valid || activates), .fresh_i(ksr_fresh), .handles_i(ksr_handles),
    .last_out_i(last_out), .has_room_i(has_room), .effects_o(effects), .finds_none_o(finds_none),
    .will_release_o(will_release), .will_issue_o(will_issue), .rejected_o(rejected), .no_room_o(no_room),
    .bursts_o(bursts), .has_second_o(has_second), .valid_o(is_valid));

  tsr_smst #(
`include "tsr_pass_sizes.vh"
  ) u_smst (
    .clk_i(clk_i), .rst_ni(runs), .rounds_i(strap_rounds_i), .sm_tick_i(sm_tick_i), .linger_i(can_linger),
    .lingers_i(lingers), .starts_linger_i(starts_linger), .linger_goes_on_i(linger_goes_on), .leave_any_o(leave_any),
    .trap_any_o(trap_any), .set_up_any_o(set_up_any), .wants_any_o(wants_any), .changing_hands_o(changing_hands),
    .any_in_use_o(any_in_use), .served_any_o(served_any), .picks_i(picks), .job_i(job), .phase_i(phase), .sm_i(sm),
    .found_sm_o(found_sm), .event_tag_i(offered_tag), .read_ksr_o(read_ksr), .sm_row_o(sm_row),
    .is_current_o(is_current), .tag_o(sm_control_tag_o), .partition_o(sm_partition), .os_write_i(os_write),
    .step_partition_i(step_partition), .any_idle_o(any_idle), .any_free_o(any_free), .any_foreign_o(any_foreign),
    .move_i(move), .needs_more_i(needs_more), .gives_o(gives), .effects_i(effects), .drain_i(drain),
    .no_room_i(phase[CALC] && no_room), .evicts_i(evicted), .evict_drains_i(evict_drains), .is_second_i(is_second),
    .has_second_i(has_second), .chooses_i(chooses), .is_full_i(is_full),
    .ksr_i(phase[PICK] ? move[MOVE_VICTIM +: KSR_WIDTH] : ksr_q),
    .issuable_next_i(row_status[STATUS_FRESH] || row_status[STATUS_HANDLES]),
    .row_write_i(phase[WRITE] && row_steps), .goes_idle_o(goes_idle), .opens_o(opens), .wants_o(wants),
    .lane_serves_i(lane_serves), .lane_s_row_i(lane_s_row), .lane_s_ksr_o(lane_s_ksr), .lane_row_i(lane_row),
    .lane_tag_i(lane_tag), .lane_tbs_per_sm_i(lane_tbs_per_sm), .lane_sm_o(lane_sm), .lane_step_i(lane_step),
    .handle_sm_i(handle_sm_i), .handle_ksr_o(handle_ksr));

  tsr_linger u_linger (
    .clk_i(clk_i), .rst_ni(goes_on), .linger_i(can_linger), .keeps_i(|(rules & KEEPS_SMS)),
    .write_policy_i(write_policy), .over_i(linger_over_i), .leaves_i(last_write && releases || phase[WRITE] && finish),
    .priority_i(ksr_priority), .lingers_o(lingers), .priority_o(linger_priority), .starts_o(starts_linger),
    .goes_on_o(linger_goes_on), .start_o(linger_start_o));

  // 6. The KSR's row.
  tsr_ksr_row #(
`include "tsr_pass_sizes.vh"
  ) u_ksr_row (
    .clk_i(clk_row_i), .rst_ni(runs), .breadth_first_i(strap_breadth_first_i), .keeps_turn_i(is_kept),
    .phase_i(phase), .ksr_i(ksr_q), .valid_i(ksr_valid), .fault_o(row_fault), .activates_i(activates),
    .launch_i(launch[LAUNCH_WIDTH-1:KERNEL_WIDTH]), .last_out_o(last_out), .has_room_o(has_room),
    .step_i(read_step), .base_i(read_base), .step_o(written_step), .base_o(written_base), .is_second_i(is_second),
    .job_i(job), .effects_i(effects), .sm_row_i(sm_row), .will_release_i(will_release), .will_issue_i(will_issue),
    .has_limit_i(|(rules & HAS_BUDGETS)), .limit_i(move[MOVE_LIMIT +: TOKEN_WIDTH-1]), .needs_more_o(needs_more),
    .gives_i(gives), .freed_o(assign_freed), .chooses_o(chooses), .last_o(is_last_tb), .burst_ends_o(burst_ends),
    .next_tb_o(next_tb), .head_o(head), .writes_i(is_valid), .steps_i(row_steps), .is_full_o(is_full),
    .status_o(row_status), .owned_o(row_owned), .reserved_o(row_reserved), .uncovered_o(uncovered),
    .rests_o(row_rests));

  wire [CONTEXT_ADDRESS-1:0]                ksr_context;
  wire [SEARCH_WIDTH*KSR_WIDTH-1:0]         look_ksr;
  wire [LOOK_STATUS_WIDTH-1:0]              look_status;
  wire [LOOK_LAUNCH_WIDTH-1:0]              look_launch;
  wire                                      look;
  wire                                      status_settled, tokens_settled, ptbq_settled;
  tsr_ksr_status #(
`include "tsr_pass_sizes.vh"
  ) u_ksr_status (
    .clk_i(clk_i), .rst_ni(runs), .phase_i(phase), .ksr_i(ksr_q), .valid_o(ksr_valid), .fresh_o(ksr_fresh),
    .handles_o(ksr_handles), .context_o(ksr_context), .priority_o(ksr_priority),
    .activates_i(activates), .finishes_i(finish), .steps_i(row_steps), .status_i(row_status),
    .uncovered_i(uncovered), .free_ksr_o(free_ksr), .lane_ksr_i(lane_ksr), .lane_refills_o(lane_ksr_refills),
    .lane_tbs_per_sm_o(lane_tbs_per_sm), .lane_few_i(lane_few), .lane_few_ksr_i(lane_few_ksr),
    .lane_writes_i(lane_writes), .lane_written_ksr_i(lane_written_ksr), .lane_uncovered_i(lane_uncovered),
    .holder_o(holder), .any_holds_o(any_holds), .others_hold_o(others_hold), .launch_context_i(launch_context),
    .launch_priority_i(launch_priority), .launch_has_due_i(launch_has_due), .launch_due_i(launch_due),
    .launch_partition_i(launch_partition), .os_write_i(os_write), .target_ksr_i(move_ksr),
    .target_valid_o(target_valid), .target_uncovered_o(target_uncovered), .look_ksr_i(look_ksr),
    .look_status_o(look_status), .look_i(look), .look_launch_o(look_launch), .fault_o(status_fault),
    .is_settled_o(status_settled));

  wire [SEARCH_WIDTH*TOKEN_ADDRESS-1:0] look_tokens;
  wire [SEARCH_WIDTH*TOKEN_WIDTH-1:0]   look_left;
  wire                                  gains = is_second && (takes || cancels);
  wire                                  loses = is_valid && (is_second ? hands_over && !issuable
                                                                       : reserves || retargets || releases);
  wire                                  frees = job[JOB_EVICT] && is_valid; // all that the KSR holds
  wire [TOKEN_WIDTH-1:0]                token_step;
  tsr_tokens #(
`include "tsr_pass_sizes.vh"
  ) u_tokens (
    .clk_i(clk_tables_i), .rst_ni(runs), .by_process_i(by_process), .once_i(once), .phase_i(phase), .ksr_i(ksr_q),
    .context_i(context_q), .assigns_i(assigns), .freed_i(assign_freed), .gains_i(gains), .loses_i(loses),
    .activates_i(activates), .deals_i(deals), .finishes_i(finish), .evicts_i(frees), .is_first_i(is_first),
    .is_last_i(is_last), .owned_i(row_owned), .reserved_i(row_reserved), .step_o(token_step),
    .has_budget_i(has_budget), .budget_i(budget), .write_policy_i(write_policy), .write_tokens_i(os_write[OS_TOKENS]),
    .write_context_i(write_context), .look_row_i(look_tokens), .look_left_o(look_left),
    .is_settled_o(tokens_settled));

  tsr_contexts #(
`include "tsr_pass_sizes.vh"
  ) u_contexts (
    .clk_i(clk_tables_i), .rst_ni(runs), .write_policy_i(write_policy), .write_tokens_i(os_write[OS_TOKENS]),
    .write_page_table_i(os_write[OS_PAGE_TABLE]), .write_context_i(write_context), .write_data_i(control_data_i),
    .by_process_i(by_process), .budget_read_i(budget_read), .budget_context_i(budget_context),
    .has_budget_o(has_budget), .budget_o(budget), .is_first_o(is_first), .is_last_o(is_last), .phase_i(phase),
    .context_i(context_q), .activates_i(activates), .deals_i(deals), .finishes_i(finish),
    .sets_up_i(job[JOB_SETUP]), .page_table_o(sm_control_page_table_o), .fault_o(context_fault),
    .active_o(contexts_active), .two_contexts_o(two_contexts));
  assign slice_timer_enable_o = (is_kept ? kept_timer_enable : two_contexts && |(rules & TAKES_TURNS)) && !fault_o;

  tsr_commands #(
`include "tsr_pass_sizes.vh"
    , .LAUNCH_WIDTH(LAUNCH_WIDTH)
  ) u_commands (
    .clk_i(clk_search_i), .rst_ni(runs), .command_valid_i(command_valid_i),
    .command_buffer_i(command_buffer_i[BUFFER_ADDRESS-1:0]), .command_context_i(command_context_i[CONTEXT_ADDRESS-1:0]),
    .command_priority_i(command_priority_i), .command_has_due_i(command_has_due_i), .command_due_i(command_due_i),
    .command_launch_i({command_num_tbs_i, command_tbs_per_sm_i, command_kernel}), .buffer_free_o(buffer_free),
    .waits_o(waits), .write_priority_i(os_write[OS_PRIORITY]), .write_context_i(write_context),
    .write_data_i(control_data_i[3:0]), .scan_i(scan), .rules_i(rules),
    .by_nearness_i(is_kept), .turn_i(turn), .queued_o(contexts_queued),
    .scanned_o(scanned), .found_o(found), .context_o(launch_context), .priority_o(launch_priority),
    .has_due_o(launch_has_due), .due_o(launch_due), .launch_o(launch), .buffer_o(launch_buffer),
    .fault_o(command_fault), .retire_i(activates && phase[WRITE]), .rests_o(commands_rest));

  wire [SEARCH_WIDTH-1:0]           entry_valid;
  wire                              has_more_entries;
  wire [SEARCH_WIDTH*KSR_WIDTH-1:0] entry_ksr;
  tsr_active_queue #(
`include "tsr_pass_sizes.vh"
  ) u_active_queue (
    .clk_i(clk_i), .rst_ni(runs), .push_i(activates && phase[WRITE]), .remove_i(finish && phase[WRITE]),
    .ksr_i(ksr_q), .full_o(queue_full), .empty_o(queue_empty), .step_i(step), .look_valid_o(entry_valid),
    .look_ksr_o(entry_ksr), .has_more_o(has_more_entries));

  tsr_search #(
`include "tsr_pass_sizes.vh"
  ) u_search (
    .clk_i(clk_search_i), .rst_ni(runs), .activation_cycles_i(strap_activation_cycles_i),
    .step_cycles_i(strap_search_step_cycles_i), .policy_i(policy), .kept_turn_i(kept_turn), .turn_o(turn),
    .any_holds_i(any_holds), .evicts_nobody_o(evicts_nobody), .command_i(command_valid_i), .tick_i(slice_tick_i),
    .invokes_i(invokes_q || linger_over_i || turn_invokes), .os_write_i(os_write), .control_ready_o(control_ready),
    .changing_hands_i(changing_hands), .linger_priority_i(linger_priority), .waits_i(waits),
    .queue_full_i(queue_full), .queue_empty_i(queue_empty), .scan_o(scan), .scanned_i(scanned),
    .command_found_i(found), .command_context_i(launch_context), .budget_read_o(budget_read),
    .budget_context_o(budget_context), .step_o(step), .entry_valid_i(entry_valid), .entry_ksr_i(entry_ksr),
    .has_more_i(has_more_entries), .look_ksr_o(look_ksr), .look_status_i(look_status), .look_o(look),
    .look_launch_i(look_launch), .look_tokens_o(look_tokens), .look_left_i(look_left), .any_idle_i(any_idle),
    .any_free_i(any_free), .any_foreign_i(any_foreign), .step_partition_o(step_partition), .picking_i(phase[PICK]),
    .offers_activate_o(offers_activate), .offers_deal_o(offers_deal), .offers_move_o(offers_move),
    .offers_evict_o(offers_evict), .move_o(move), .deal_ksr_o(deal_ksr), .done_i(done),
    .finds_none_i(finds_none && !of_foreign), .changes_i(changes), .dealing_o(dealing), .invoked_o(invoked),
    .decided_o(decided), .withheld_o(withheld), .is_idle_o(search_idle), .rests_o(search_rests));

  // 7. A turn that is kept.
  tsr_turn_control #(
`include "tsr_pass_sizes.vh"
  ) u_turn_control (
    .clk_i(clk_i), .rst_ni(goes_on), .policy_i(policy), .os_write_i(os_write), .waiting_i(waiting_i),
    .listed_i(listed_i), .tick_i(slice_tick_i), .switch_over_i(switch_over_i), .timer_enable_o(kept_timer_enable),
    .switch_start_o(switch_start_o), .switch_runs_o(switch_runs_o), .turn_o(turn_o), .passed_o(events_turn_passed_o),
    .cause_o(events_turn_cause_o), .began_o(events_turn_began_o), .evicted_o(events_evicted_o),
    .queued_i(contexts_queued), .active_i(contexts_active), .changing_hands_i(changing_hands),
    .any_in_use_i(any_in_use), .turn_i(turn), .kept_turn_o(kept_turn), .invokes_o(turn_invokes),
    .evicts_nobody_i(evicts_nobody), .evicted_i(evicted), .drain_i(drain), .drains_o(evict_drains),
    .is_settled_o(turn_settled));

  // 8. The KSR that is visited, and its context.
  wire second = phase[WRITE] && !is_second && has_second;
  always @(posedge clk_i) begin
    if (phase[PICK])     ksr_q <= offers_deal ? deal_ksr : !offers_move ? free_ksr : is_take ? victim : move_ksr;
    else if (phase[FIND] && job[JOB_EVICT]) ksr_q <= holder;
    else if (phase[SM])  ksr_q <= read_ksr;
    else if (second)     ksr_q <= job[JOB_MOVE] ? move_ksr : sm_next;
    if (phase[LOAD])     context_q <= activates ? launch_context : ksr_context;
  end

  // 9. Handles.
  wire [TB_WIDTH+31:0] handle;
  tsr_ptbq #(
`include "tsr_pass_sizes.vh"
  ) u_ptbq (
    .clk_i(clk_rings_i), .rst_ni(runs), .push_i(handle_valid_i), .push_ksr_i(handle_ksr),
    .push_data_i({handle_tb_i, handle_stack_pointer_i}), .clear_i(activates && phase[WRITE]),
    .read_i(chooses && uses_handles), .ksr_i(ksr_q), .head_i(head), .read_data_o(handle), .fault_o(handle_fault),
    .is_settled_o(ptbq_settled));

  wire holds_none = sm_count == {TB_COUNT_WIDTH{1'b0}};

  // 10. Pins: what the job did, a cycle later, but for a fresh TB. Who it was stands in its registers until the next is
  // picked.
  reg reads_q, reads_last_q; // a handle comes out of memory
  always @(posedge clk_i) begin
    sm_control_valid_o    <= goes_on && phase[WRITE] && (job[JOB_TRAP] || job[JOB_SETUP]);
    reads_q               <= goes_on && chooses && uses_handles;
    reads_last_q          <= uses_handles && is_last_tb;
    kernel_done_valid_o     <= goes_on && phase[WRITE] && finish;
    usage_valid_o           <= goes_on && phase[WRITE] && (assigns && |assign_freed || gains || loses || finish ||
                                                           frees);
    events_policy_invoked_o <= goes_on && invoked;
    events_policy_decided_o <= goes_on && decided;
    events_withheld_o       <= goes_on && decided && withheld;
    events_activated_o      <= goes_on && phase[WRITE] && activates;
    events_moved_o          <= goes_on && (gives || last_write && (reserves || retargets));
    events_cancelled_o      <= goes_on && last_write && cancels;
    events_preempted_o      <= goes_on && last_write && hands_over;
    events_released_o       <= goes_on && last_write && goes_idle;
    invokes_q <= goes_on && (last_write && goes_idle ||
                            phase[WRITE] && (finish || opens || saved && !is_second && !holds_none));
  end
  assign sm_control_sm_o          = sm;
  assign sm_control_kind_o        = !job[JOB_TRAP] ? SET_UP : flush ? FLUSH : TRAP;
  assign sm_control_context_o     = {{(CONTEXT_WIDTH-CONTEXT_ADDRESS){1'b0}}, context_q};
  assign dispatch_sm_o            = lane_dispatches ? lane_dispatch_sm : sm;
  assign dispatch_valid_o         = reads_q && !handle_fault ||
                                    (chooses && !uses_handles || lane_dispatches) && !fault_o;
  assign dispatch_is_restore_o    = reads_q;
  assign dispatch_last_o          = reads_q && reads_last_q;
  assign dispatch_tb_o            = reads_q ? handle[TB_WIDTH+31:32] : lane_dispatches ? lane_tb : next_tb;
  assign dispatch_stack_pointer_o = handle[31:0];
  assign kernel_done_descriptor_o = sm_control_descriptor_o;
  assign usage_context_o          = sm_control_context_o;
  assign usage_freed_o            = token_step[SM_WIDTH:0];
  assign events_buffer_o          = {{(BUFFER_WIDTH-BUFFER_ADDRESS){1'b0}}, launch_buffer};
  assign events_move_o            = assigns ? ASSIGN : reserves ? RESERVE : RETARGET;
  assign events_sm_o              = assigns ? found_sm : sm;
  assign events_ksr_o             = ksr_q;

  // 11. Clocks of the blocks.
  tsr_block_clocks #(
`include "tsr_pass_sizes.vh"
  ) u_block_clocks (
    .runs_i(runs), .phase_i(phase), .activates_i(activates), .reads_handle_i(chooses && uses_handles),
    .search_rests_i(search_rests), .commands_rest_i(commands_rest),
    .invokes_i(invokes_q || turn_invokes || kept_turn[KEPT_SETS_TURN]),
    .budget_read_i(budget_read), .tokens_settled_i(tokens_settled), .ptbq_settled_i(ptbq_settled),
    .row_rests_i(row_rests), .search_acts_o(search_acts_o), .tables_act_o(tables_act_o), .rings_act_o(rings_act_o),
    .row_acts_o(row_acts_o));

  // 12. Descriptors, and with them the partitions of kernels; in which of them a WRITE changes something.
  tsr_descriptors #(
`include "tsr_pass_sizes.vh"
    , .KERNEL_WIDTH(KERNEL_WIDTH)
  ) u_descriptors (
    .clk_i(clk_i), .rst_ni(runs), .command_descriptor_i(command_descriptor_i),
    .command_partition_i(command_partition_i), .command_kernel_o(command_kernel),
    .launch_kernel_i(launch[KERNEL_WIDTH-1:0]), .launch_partition_o(launch_partition),
    .write_i(phase[WRITE] && activates), .read_i(phase[ROW]), .valid_i(ksr_valid), .ksr_i(ksr_q),
    .descriptor_o(sm_control_descriptor_o), .partition_o(row_partition), .fault_o(descriptor_fault));
  assign changes[CHANGES_KERNEL]   = phase[WRITE] && (activates || !is_second && is_valid &&
                                                      (reserves || retargets || finishes || saved && !holds_none));
  assign changes[CHANGES_SM]       = last_write && (hands_over || releases || opens);
  assign changes[CHANGES_FINISHES] = phase[WRITE] && finish;
  assign changes[CHANGES_KERNEL_PARTITION +: PARTITION_WIDTH] = activates ? launch_partition : row_partition;
  assign changes[CHANGES_SM_PARTITION +: PARTITION_WIDTH]     = sm_partition;

  // Once it has stopped it takes nothing and waits for reset alone: its clock may stop.
  assign control_ready_o  = control_ready && !fault_o;
  assign sm_event_ready_o = event_ready && !fault_o;
  assign buffer_free_o    = buffer_free & {NUM_COMMAND_BUFFERS{!fault_o}};
  assign idle_o = fault_o || search_idle && engine_idle && lane_idle && status_settled && tokens_settled &&
                  ptbq_settled && !served_any && !invokes_q && !sm_control_valid_o && !reads_q &&
                  !kernel_done_valid_o && !events_policy_invoked_o && !events_policy_decided_o && !events_activated_o &&
                  !events_moved_o && !events_preempted_o && !events_released_o && !events_evicted_o && turn_settled;

endmodule
