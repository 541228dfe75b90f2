// SPDX-License-Identifier: Apache-2.0
// All that properties of tsr_scheduler know of its inside. Yosys connects a wire with `hierconn` to the one of that name
// in the flattened design; whoever renames a register renames it here. Row i of a table is at [i*WIDTH +: WIDTH].
//
// From the includer: B BW CA CW D FW K KEPT_TURN KW listed_i LW MW P POLICIES RW S SEARCH_WIDTH STEPS SW T TR TW UA UW
//   WAIT_WIDTH waiting_i
// From tsr_pins.vh: dut
// From tsr_scenario.vh: listed_i waiting_i
// For others: a_context a_ksr a_valid active b_ksr b_valid buffer_age buffer_context buffer_count buffer_is_best
//   buffer_last buffer_launch buffer_valid burst_left by_process comes_back context_dealt context_has_budget
//   context_kernels context_queued contexts_active deal_lane drains entry_2 entry_3 event_kind finishes flushing
//   free_ksr freed full handle_words has_pool_token HAS_ROOM is_a is_few is_found is_kept is_less is_second is_take
//   issuable job job_context job_ksr job_row job_sm_index job_valid kept ksr_context ksr_fresh ksr_handles ksr_holds
//   ksr_uncovered ksr_valid launch leaves lingers low_left many once open_covered open_head open_next_tb open_not_left
//   open_outstanding open_owned open_preempted open_promised open_reserved open_slots pass_1 pass_2 pass_3
//   pass_context_2 pass_context_3 pass_ksr_1 pass_ksr_2 pass_ksr_3 phase pool pool_replaces pool_returns pool_takes
//   promised_words push push_data push_ksr queue_ksr queue_leaves queue_valid read_promised read_row reads reads_last
//   refills rejected releases restoring ring_tail row_active row_count row_drains row_ksr row_next row_reserved
//   row_restoring row_running row_trapped rows scan_best scan_best_context scan_ends scan_found scan_passes
//   scan_passing scan_passing_context scan_step scanning search_state set_up_pending sm_count sm_issuable sm_ksr
//   sm_next sm_reserved sm_running sms_given status_row status_writes status_writes_2 step token_step tokens_left
//   trap_pending trapped turn turn_may turn_state uses_handles v_valid victim_ksr W wait_count waiting was_listed
//   was_waiting written_ksr

localparam W = SEARCH_WIDTH;
localparam KEY = (POLICIES & 8'hE0) != 0 ? 32 : 11; // bits of a key: a due, or tokens
localparam EW = 4 + KW + CA + KEY;

(* hierconn *) wire [8-1:0] \dut.u_engine.phase_q ;
(* hierconn *) wire [8-1:0] \dut.u_engine.job_q ;
(* hierconn *) wire \dut.u_engine.g_evict.evicts_q ;
(* hierconn *) wire \dut.u_engine.is_second_q ;
(* hierconn *) wire \dut.u_engine.issue_first_q ;
(* hierconn *) wire [MW-1:0] \dut.u_engine.sm_q ;
(* hierconn *) wire [2-1:0] \dut.u_engine.event_kind_q ;
(* hierconn *) wire [KW-1:0] \dut.ksr_q ;
(* hierconn *) wire [CA-1:0] \dut.context_q ;
(* hierconn *) wire \dut.invokes_q ;
(* hierconn *) wire \dut.reads_q ;
(* hierconn *) wire \dut.reads_last_q ;
(* hierconn *) wire [3-1:0] \dut.u_policy_register.policy_q ;
(* hierconn *) wire \dut.u_policy_register.by_process_q ;
(* hierconn *) wire \dut.u_policy_register.once_q ;
(* hierconn *) wire \dut.u_policy_register.flush_q ;
(* hierconn *) wire \dut.u_job.rejected_q ;
(* hierconn *) wire \dut.u_job.no_room_q ;
(* hierconn *) wire \dut.u_job.comes_back_q ;
(* hierconn *) wire \dut.u_job.leaves_q ;
(* hierconn *) wire \dut.u_job.releases_q ;
(* hierconn *) wire \dut.u_job.finishes_q ;
(* hierconn *) wire \dut.u_job.refills_q ;
(* hierconn *) wire \dut.u_job.valid_q ;
(* hierconn *) wire \dut.u_job.issuable_q ;
(* hierconn *) wire \dut.u_job.handles_q ;

// Smst.
(* hierconn *) wire [S-1:0] \dut.u_smst.running_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.reserved_q ;
(* hierconn *) wire [S*KW-1:0] \dut.u_smst.ksr_q ;
(* hierconn *) wire [S*KW-1:0] \dut.u_smst.next_q ;
(* hierconn *) wire [S*TW-1:0] \dut.u_smst.count_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.set_up_pending_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.active_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.trap_pending_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.trapped_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.restoring_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.full_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.drains_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.kept_q ;
(* hierconn *) wire \dut.u_linger.lingers_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.served_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.issuable_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.row_q ;

// Its row that is read.
(* hierconn *) wire \dut.u_smst.u_row.running_q ;
(* hierconn *) wire \dut.u_smst.u_row.reserved_q ;
(* hierconn *) wire \dut.u_smst.u_row.active_o ;
(* hierconn *) wire \dut.u_smst.u_row.trapped_q ;
(* hierconn *) wire \dut.u_smst.u_row.restoring_q ;
(* hierconn *) wire \dut.u_smst.u_row.drains_q ;
(* hierconn *) wire [KW-1:0] \dut.u_smst.u_row.ksr_q ;
(* hierconn *) wire [KW-1:0] \dut.u_smst.u_row.next_q ;
(* hierconn *) wire [TW-1:0] \dut.u_smst.u_row.count_q ;

// The open row.
(* hierconn *) wire [BW-1:0] \dut.u_ksr_row.next_tb_q ;
(* hierconn *) wire [BW-1:0] \dut.u_ksr_row.not_left_q ;
(* hierconn *) wire [SW-1:0] \dut.u_ksr_row.outstanding_q ;
(* hierconn *) wire [SW-1:0] \dut.u_ksr_row.preempted_q ;
(* hierconn *) wire [SW-1:0] \dut.u_ksr_row.u_promised.g_small.promised_q ;
(* hierconn *) wire [K*SW-1:0] \dut.u_ksr_row.u_promised.g_small.u_places.words ;
(* hierconn *) wire [SW-1:0] \dut.u_ksr_row.u_promised.g_small.u_places.read_data_o ;
(* hierconn *) wire [SW-1:0] \dut.u_ksr_row.covered_q ;
(* hierconn *) wire [RW-1:0] \dut.u_ksr_row.head_q ;
(* hierconn *) wire [MW-1:0] \dut.u_ksr_row.owned_q ;
(* hierconn *) wire [MW-1:0] \dut.u_ksr_row.reserved_q ;
(* hierconn *) wire [TW-1:0] \dut.u_ksr_row.tbs_per_sm_q ;
(* hierconn *) wire [TW-1:0] \dut.u_ksr_row.slots_q ;
(* hierconn *) wire \dut.u_ksr_row.is_less_q ;
(* hierconn *) wire [SW+1-1:0] \dut.u_ksr_row.u_uncovered.waiting_q ;
(* hierconn *) wire [SW+2-1:0] \dut.u_ksr_row.u_uncovered.low_q ;
(* hierconn *) wire \dut.u_ksr_row.u_uncovered.many_q ;
(* hierconn *) wire \dut.u_ksr_row.u_uncovered.is_few_q ;
(* hierconn *) wire [K*FW-1:0] \dut.u_ksr_row.u_rows.words ;
(* hierconn *) wire [FW-1:0] \dut.u_ksr_row.u_rows.read_data_o ;

// Ksr status.
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.valid_q ;
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.fresh_q ;
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.handles_q ;
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.holds_q ;
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.uncovered_q ;
(* hierconn *) wire [K*CA-1:0] \dut.u_ksr_status.context_q ;
(* hierconn *) wire [K-1:0] \dut.u_ksr_status.row_q ;
(* hierconn *) wire \dut.u_ksr_status.write_q ;
(* hierconn *) wire \dut.u_ksr_status.write_2_q ;
(* hierconn *) wire [KW-1:0] \dut.u_ksr_status.written_ksr_q ;
(* hierconn *) wire [KW-1:0] \dut.u_ksr_status.free_ksr_o ;

// Handles.
(* hierconn *) wire \dut.u_ptbq.push_q ;
(* hierconn *) wire [KW-1:0] \dut.u_ptbq.push_ksr_q ;
(* hierconn *) wire [BW+32-1:0] \dut.u_ptbq.push_data_q ;
(* hierconn *) wire [K*RW-1:0] \dut.u_ptbq.tail_q ;
(* hierconn *) wire [K*D*(BW+32)-1:0] \dut.u_ptbq.u_handles.words ;

// Active queue.
(* hierconn *) wire [K*KW-1:0] \dut.u_active_queue.ksr_q ;
(* hierconn *) wire [K-1:0] \dut.u_active_queue.valid_q ;
(* hierconn *) wire [K-1:0] \dut.u_active_queue.leaves_q ;

// Commands.
(* hierconn *) wire [B-1:0] \dut.u_commands.valid_q ;
(* hierconn *) wire [B*CA-1:0] \dut.u_commands.context_q ;
(* hierconn *) wire [B*UA-1:0] \dut.u_commands.age_q ;
(* hierconn *) wire [UW-1:0] \dut.u_commands.count_q ;
(* hierconn *) wire [UA-1:0] \dut.u_commands.last_q ;
(* hierconn *) wire \dut.u_commands.scanning_q ;
(* hierconn *) wire \dut.u_commands.ending_q ;
(* hierconn *) wire \dut.u_commands.passes_q ;
(* hierconn *) wire \dut.u_commands.found_q ;
(* hierconn *) wire [UW-1:0] \dut.u_commands.step_q ;
(* hierconn *) wire [UA-1:0] \dut.u_commands.at_q ;
(* hierconn *) wire [UA-1:0] \dut.u_commands.passing_q ;
(* hierconn *) wire [UA-1:0] \dut.u_commands.best_q ;
(* hierconn *) wire [CA-1:0] \dut.u_commands.context_passing_q ;
(* hierconn *) wire [CA-1:0] \dut.u_commands.best_context_q ;
(* hierconn *) wire [B-1:0] \dut.u_commands.is_best_q ;
(* hierconn *) wire [B*LW-1:0] \dut.u_commands.u_launches.words ;
(* hierconn *) wire [LW-1:0] \dut.u_commands.u_launches.read_data_o ;

// Contexts.
(* hierconn *) wire [P*KW-1:0] \dut.u_contexts.kernels_q ;
(* hierconn *) wire [P-1:0] \dut.u_contexts.has_budget_q ;
(* hierconn *) wire [P-1:0] \dut.u_contexts.dealt_q ;
(* hierconn *) wire [CW-1:0] \dut.u_contexts.active_q ;

// Tokens.
(* hierconn *) wire [TR*10-1:0] \dut.u_tokens.left_q ;
(* hierconn *) wire [TR-1:0] \dut.u_tokens.has_pool_token_q ;
(* hierconn *) wire [MW-1:0] \dut.u_tokens.pool_q ;
(* hierconn *) wire \dut.u_tokens.returns_q ;
(* hierconn *) wire \dut.u_tokens.replaces_q ;
(* hierconn *) wire \dut.u_tokens.takes_q ;
(* hierconn *) wire \dut.u_tokens.write_q ;
(* hierconn *) wire \dut.u_tokens.write_2_q ;
(* hierconn *) wire [10-1:0] \dut.u_tokens.step_q ;

// Search.
(* hierconn *) wire [12-1:0] \dut.u_search.state_q ;
(* hierconn *) wire \dut.u_search.g_evict.evict_q ;
(* hierconn *) wire \dut.u_search.pending_q ;
(* hierconn *) wire [STEPS-1:0] \dut.u_search.step_q ;
(* hierconn *) wire \dut.u_search.u_walk.pass_1_q ;
(* hierconn *) wire \dut.u_search.u_walk.pass_2_q ;
(* hierconn *) wire \dut.u_search.u_walk.compares_o ;
(* hierconn *) wire [WAIT_WIDTH-1:0] \dut.u_search.wait_q ;
(* hierconn *) wire [W-1:0] \dut.u_search.u_walk.entry_1_q ;
(* hierconn *) wire [W-1:0] \dut.u_search.u_walk.entry_2_q ;
(* hierconn *) wire [W*KW-1:0] \dut.u_search.u_walk.ksr_1_q ;
(* hierconn *) wire [W*KW-1:0] \dut.u_search.u_walk.ksr_2_q ;
(* hierconn *) wire \dut.u_search.u_deal.past_q ;
(* hierconn *) wire \dut.u_search.u_deal.all_q ;
(* hierconn *) wire [W-1:0] \dut.u_search.u_deal.g_lanes.lane_q ;
(* hierconn *) wire \dut.u_search.u_policy.u_trackers.a_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.u_search.u_policy.u_trackers.a_ksr_q ;
(* hierconn *) wire \dut.u_search.u_policy.u_trackers.b_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.u_search.u_policy.u_trackers.b_ksr_q ;
(* hierconn *) wire \dut.u_search.u_policy.u_trackers.v_valid_q ;
(* hierconn *) wire [KW-1:0] \dut.u_search.u_policy.u_trackers.v_ksr_q ;
(* hierconn *) wire [W*EW-1:0] \dut.u_search.u_walk.entries_q ;
(* hierconn *) wire \dut.u_search.u_policy.is_a_q ;
(* hierconn *) wire \dut.u_search.u_policy.is_take_q ;
(* hierconn *) wire \dut.u_smst.u_find.found_q ;
(* hierconn *) wire [S-1:0] \dut.u_smst.given ;
(* hierconn *) wire [MW:0] \dut.u_ksr_row.u_assign.freed_q ;

// A turn that is kept.
(* hierconn *) wire \dut.is_kept ;
(* hierconn *) wire \dut.u_turn_control.turn_may ;
(* hierconn *) wire [CA-1:0] \dut.u_search.u_turn.turn_o ;
(* hierconn *) wire [CA-1:0] \dut.u_search.u_policy.u_trackers.a_context_q ;
(* hierconn *) wire [W*CA-1:0] \dut.u_search.u_walk.context_2_q ;
(* hierconn *) wire [P-1:0] \dut.u_commands.g_queued.queued_q ;
(* hierconn *) wire [2-1:0] \dut.u_turn_control.g_kept_turn.u_kept_turn.state_q ;
(* hierconn *) wire [P-1:0] \dut.u_turn_control.g_kept_turn.u_kept_turn.waiting_q ;
(* hierconn *) wire [P-1:0] \dut.u_turn_control.g_kept_turn.u_kept_turn.listed_q ;

wire [8-1:0] phase = \dut.u_engine.phase_q ;
wire [9-1:0] job = {KEPT_TURN != 0 && \dut.u_engine.g_evict.evicts_q , \dut.u_engine.job_q };
wire is_second = \dut.u_engine.is_second_q ;
wire issue_first = \dut.u_engine.issue_first_q ;
wire [MW-1:0] job_sm_index = \dut.u_engine.sm_q ;
wire [2-1:0] event_kind = \dut.u_engine.event_kind_q ;
wire [KW-1:0] job_ksr = \dut.ksr_q ;
wire [CA-1:0] job_context = \dut.context_q ;
wire invokes = \dut.invokes_q ;
wire reads = \dut.reads_q ;
wire reads_last = \dut.reads_last_q ;
wire [3-1:0] policy = \dut.u_policy_register.policy_q ;
wire by_process = \dut.u_policy_register.by_process_q ;
wire once       = \dut.u_policy_register.once_q ;
wire flushing   = \dut.u_policy_register.flush_q ;
wire rejected = \dut.u_job.rejected_q ;
wire no_room_found = \dut.u_job.no_room_q ;
wire comes_back = \dut.u_job.comes_back_q ;
wire leaves = \dut.u_job.leaves_q ;
wire releases = \dut.u_job.releases_q ;
wire finishes = \dut.u_job.finishes_q ;
wire refills = \dut.u_job.refills_q ;
wire job_valid = \dut.u_job.valid_q ;
wire issuable = \dut.u_job.issuable_q ;
wire uses_handles = \dut.u_job.handles_q ;

// Smst.
wire [S-1:0] sm_running = \dut.u_smst.running_q ;
wire [S-1:0] sm_reserved = \dut.u_smst.reserved_q ;
wire [S*KW-1:0] sm_ksr = \dut.u_smst.ksr_q ;
wire [S*KW-1:0] sm_next = \dut.u_smst.next_q ;
wire [S*TW-1:0] sm_count = \dut.u_smst.count_q ;
wire [S-1:0] set_up_pending = \dut.u_smst.set_up_pending_q ;
wire [S-1:0] active = \dut.u_smst.active_q ;
wire [S-1:0] trap_pending = \dut.u_smst.trap_pending_q ;
wire [S-1:0] trapped = \dut.u_smst.trapped_q ;
wire [S-1:0] restoring = \dut.u_smst.restoring_q ;
wire [S-1:0] full = \dut.u_smst.full_q ;
wire [S-1:0] drains = \dut.u_smst.drains_q ;
wire [S-1:0] kept = \dut.u_smst.kept_q ;
wire lingers = \dut.u_linger.lingers_q ;
wire [S-1:0] served = \dut.u_smst.served_q ;
wire [S-1:0] sm_issuable = \dut.u_smst.issuable_q ;
wire [S-1:0] job_row = \dut.u_smst.row_q ;

// Its row that is read.
wire row_running = \dut.u_smst.u_row.running_q ;
wire row_reserved = \dut.u_smst.u_row.reserved_q ;
wire row_active = \dut.u_smst.u_row.active_o ;
wire row_trapped = \dut.u_smst.u_row.trapped_q ;
wire row_restoring = \dut.u_smst.u_row.restoring_q ;
wire row_drains = \dut.u_smst.u_row.drains_q ;
wire [KW-1:0] row_ksr = \dut.u_smst.u_row.ksr_q ;
wire [KW-1:0] row_next = \dut.u_smst.u_row.next_q ;
wire [TW-1:0] row_count = \dut.u_smst.u_row.count_q ;

// The open row.
wire [BW-1:0] open_next_tb = \dut.u_ksr_row.next_tb_q ;
wire [BW-1:0] open_not_left = \dut.u_ksr_row.not_left_q ;
wire [SW-1:0] open_outstanding = \dut.u_ksr_row.outstanding_q ;
wire [SW-1:0] open_preempted = \dut.u_ksr_row.preempted_q ;
// Rings that take all slots need no room promised.
localparam HAS_ROOM = D >= S*T;
wire [SW-1:0] open_promised = HAS_ROOM ? {SW{1'b0}} : \dut.u_ksr_row.u_promised.g_small.promised_q ;
wire [K*SW-1:0] promised_words = HAS_ROOM ? {K*SW{1'b0}} : \dut.u_ksr_row.u_promised.g_small.u_places.words ;
wire [SW-1:0] read_promised = \dut.u_ksr_row.u_promised.g_small.u_places.read_data_o ;
wire [SW-1:0] open_covered = \dut.u_ksr_row.covered_q ;
wire [RW-1:0] open_head = \dut.u_ksr_row.head_q ;
wire [MW-1:0] open_owned = \dut.u_ksr_row.owned_q ;
wire [MW-1:0] open_reserved = \dut.u_ksr_row.reserved_q ;
wire [TW-1:0] open_slots = \dut.u_ksr_row.tbs_per_sm_q ;
wire [TW-1:0] burst_left = \dut.u_ksr_row.slots_q ;
wire is_less = \dut.u_ksr_row.is_less_q ;
wire [SW+1-1:0] waiting = \dut.u_ksr_row.u_uncovered.waiting_q ;
wire [SW+2-1:0] low_left = \dut.u_ksr_row.u_uncovered.low_q ;
wire many = \dut.u_ksr_row.u_uncovered.many_q ;
wire is_few = \dut.u_ksr_row.u_uncovered.is_few_q ;
wire [K*FW-1:0] rows = \dut.u_ksr_row.u_rows.words ;
wire [FW-1:0] read_row = \dut.u_ksr_row.u_rows.read_data_o ;

// Ksr status.
wire [K-1:0] ksr_valid = \dut.u_ksr_status.valid_q ;
wire [K-1:0] ksr_fresh = \dut.u_ksr_status.fresh_q ;
wire [K-1:0] ksr_handles = \dut.u_ksr_status.handles_q ;
wire [K-1:0] ksr_holds = \dut.u_ksr_status.holds_q ;
wire [K-1:0] ksr_uncovered = \dut.u_ksr_status.uncovered_q ;
wire [K*CA-1:0] ksr_context = \dut.u_ksr_status.context_q ;
wire [K-1:0] status_row = \dut.u_ksr_status.row_q ;
wire status_writes = \dut.u_ksr_status.write_q ;
wire status_writes_2 = \dut.u_ksr_status.write_2_q ;
wire [KW-1:0] written_ksr = \dut.u_ksr_status.written_ksr_q ;
wire [KW-1:0] free_ksr = \dut.u_ksr_status.free_ksr_o ;

// Handles.
wire push = \dut.u_ptbq.push_q ;
wire [KW-1:0] push_ksr = \dut.u_ptbq.push_ksr_q ;
wire [BW+32-1:0] push_data = \dut.u_ptbq.push_data_q ;
wire [K*RW-1:0] ring_tail = \dut.u_ptbq.tail_q ;
wire [K*D*(BW+32)-1:0] handle_words = \dut.u_ptbq.u_handles.words ;

// Active queue.
wire [K*KW-1:0] queue_ksr = \dut.u_active_queue.ksr_q ;
wire [K-1:0] queue_valid = \dut.u_active_queue.valid_q ;
wire [K-1:0] queue_leaves = \dut.u_active_queue.leaves_q ;

// Commands.
wire [B-1:0] buffer_valid = \dut.u_commands.valid_q ;
wire [B*CA-1:0] buffer_context = \dut.u_commands.context_q ;
wire [B*UA-1:0] buffer_age = \dut.u_commands.age_q ;
wire [UW-1:0] buffer_count = \dut.u_commands.count_q ;
wire [UA-1:0] buffer_last = \dut.u_commands.last_q ;
wire scanning = \dut.u_commands.scanning_q ;
wire scan_ends = \dut.u_commands.ending_q ;
wire scan_passes = \dut.u_commands.passes_q ;
wire scan_found = \dut.u_commands.found_q ;
wire [UW-1:0] scan_step = \dut.u_commands.step_q ;
wire [UA-1:0] scan_at = \dut.u_commands.at_q ;
wire [UA-1:0] scan_passing = \dut.u_commands.passing_q ;
wire [UA-1:0] scan_best = \dut.u_commands.best_q ;
wire [CA-1:0] scan_passing_context = \dut.u_commands.context_passing_q ;
wire [CA-1:0] scan_best_context = \dut.u_commands.best_context_q ;
wire [B-1:0] buffer_is_best = \dut.u_commands.is_best_q ;
wire [B*LW-1:0] buffer_launch = \dut.u_commands.u_launches.words ;
wire [LW-1:0] launch = \dut.u_commands.u_launches.read_data_o ;

// Contexts.
wire [P*KW-1:0] context_kernels = \dut.u_contexts.kernels_q ;
wire [P-1:0] context_has_budget = \dut.u_contexts.has_budget_q ;
wire [P-1:0] context_dealt = \dut.u_contexts.dealt_q ;
wire [CW-1:0] contexts_active = \dut.u_contexts.active_q ;

// Tokens.
wire [TR*10-1:0] tokens_left = \dut.u_tokens.left_q ;
wire [TR-1:0] has_pool_token = \dut.u_tokens.has_pool_token_q ;
wire [MW-1:0] pool = \dut.u_tokens.pool_q ;
wire pool_returns = \dut.u_tokens.returns_q ;
wire pool_replaces = \dut.u_tokens.replaces_q ;
wire pool_takes = \dut.u_tokens.takes_q ;
wire tokens_writes = \dut.u_tokens.write_q ;
wire tokens_writes_2 = \dut.u_tokens.write_2_q ;

// Search.
wire [13-1:0] search_state = {KEPT_TURN != 0 && \dut.u_search.g_evict.evict_q , \dut.u_search.state_q };
wire pending = \dut.u_search.pending_q ;
wire [STEPS-1:0] step = \dut.u_search.step_q ;
wire pass_1 = \dut.u_search.u_walk.pass_1_q ;
wire pass_2 = \dut.u_search.u_walk.pass_2_q ;
wire pass_3 = \dut.u_search.u_walk.compares_o ;
wire [WAIT_WIDTH-1:0] wait_count = \dut.u_search.wait_q ;
wire [W-1:0] entry_1 = \dut.u_search.u_walk.entry_1_q ;
wire [W-1:0] entry_2 = \dut.u_search.u_walk.entry_2_q ;
wire [W*KW-1:0] pass_ksr_1 = \dut.u_search.u_walk.ksr_1_q ;
wire [W*KW-1:0] pass_ksr_2 = \dut.u_search.u_walk.ksr_2_q ;
wire deal_past = \dut.u_search.u_deal.past_q ;
wire deal_all = \dut.u_search.u_deal.all_q ;
wire [W-1:0] deal_lane = W > 1 ? \dut.u_search.u_deal.g_lanes.lane_q : 1'b1;
wire a_valid = \dut.u_search.u_policy.u_trackers.a_valid_q ;
wire [KW-1:0] a_ksr = \dut.u_search.u_policy.u_trackers.a_ksr_q ;
wire b_valid = \dut.u_search.u_policy.u_trackers.b_valid_q ;
wire [KW-1:0] b_ksr = \dut.u_search.u_policy.u_trackers.b_ksr_q ;
wire v_valid = \dut.u_search.u_policy.u_trackers.v_valid_q ;
wire [KW-1:0] victim_ksr = \dut.u_search.u_policy.u_trackers.v_ksr_q ;
wire is_a = \dut.u_search.u_policy.is_a_q ;
wire is_take = \dut.u_search.u_policy.is_take_q ;
wire is_found = \dut.u_smst.u_find.found_q ;
wire [S-1:0] sms_given = \dut.u_smst.given ;
wire [MW:0] freed = \dut.u_ksr_row.u_assign.freed_q ;
// An entry that is compared: whether it counts, is uncovered, holds SMs and is due, its KSR, context and key.
reg [W-1:0]    entry_3;
reg [W*KW-1:0] pass_ksr_3;
reg [W*CA-1:0] pass_context_3;
integer        lane_3;
always @* begin
  for (lane_3 = 0; lane_3 < W; lane_3 = lane_3 + 1) begin
    entry_3[lane_3]                 = \dut.u_search.u_walk.entries_q [lane_3*EW + EW - 1];
    pass_ksr_3[lane_3*KW +: KW]     = \dut.u_search.u_walk.entries_q [lane_3*EW + KEY + CA +: KW];
    pass_context_3[lane_3*CA +: CA] = \dut.u_search.u_walk.entries_q [lane_3*EW + KEY +: CA];
  end
end

// A turn that is kept; a core without one has no registers for it.
wire is_kept = \dut.is_kept ;
wire turn_may = KEPT_TURN != 0 && \dut.u_turn_control.turn_may ;
wire [CA-1:0] turn = \dut.u_search.u_turn.turn_o ;
wire [CA-1:0] a_context = \dut.u_search.u_policy.u_trackers.a_context_q ;
wire [W*CA-1:0] pass_context_2 = \dut.u_search.u_walk.context_2_q ;
wire [P-1:0] context_queued = KEPT_TURN != 0 ? \dut.u_commands.g_queued.queued_q : {P{1'b0}};
wire [2-1:0] turn_state = KEPT_TURN != 0 ? \dut.u_turn_control.g_kept_turn.u_kept_turn.state_q : 2'd0;
wire [P-1:0] was_waiting = KEPT_TURN != 0 ? \dut.u_turn_control.g_kept_turn.u_kept_turn.waiting_q : waiting_i;
wire [P-1:0] was_listed = KEPT_TURN != 0 ? \dut.u_turn_control.g_kept_turn.u_kept_turn.listed_q : listed_i;
wire [10-1:0] token_step = \dut.u_tokens.step_q ;
