// SPDX-License-Identifier: Apache-2.0
// All that properties of tsr_scheduler know of its inside. Yosys connects a wire with `hierconn` to the one of that name
// in the flattened design; whoever renames a register renames it here.
//
// From the includer: B BW CW D HW K KSRS_PER_STEP KW LW MW NW P POLICIES RW S SEARCH_WIDTH SW TW UPPER UW WAIT_WIDTH
// From tsr_pins.vh: dut
// For others: active at_entrance began borrow_count borrow_ksr borrow_valid buffer_age buffer_context buffer_count
//   buffer_last buffer_launch buffer_slots buffer_valid candidate_ksr candidate_priority candidate_takes_idle checking
//   chosen chosen_buffer chosen_handle chosen_ksr chosen_sm context_budget context_has_budget context_has_token
//   context_held context_kernels drains enters fcfs_ksr fcfs_valid first_passes full has_page_table HAS_UPPER
//   idle_found idle_sm in_batch is_second ksr_context ksr_covered ksr_descriptor ksr_has_fresh ksr_has_handles
//   ksr_has_more ksr_has_pool_token ksr_next_tb ksr_outstanding ksr_owned ksr_preempted ksr_priority ksr_promised
//   ksr_remaining ksr_reserved ksr_slots ksr_tokens ksr_upper ksr_valid launch launch_ksr launch_valid looks_on max_ksr
//   max_left max_valid may_activate min_ksr min_left min_valid move_kind move_ksr move_sm moves nearest_context
//   nearest_distance page_tables pending policy policy_invoked pool queue_count queue_ksr read_last read_sm read_valid
//   repeats requester_ksr requester_priority requester_valid restoring ring_head ring_tail ring_words row_context
//   row_holds row_ksr row_left row_priority row_uncovered row_valid row_victim search_state second_passes
//   seen_at_entrance selected_buffer served set_up_pending settle slice_context slice_distance slice_ksr
//   slice_nearest_valid slice_turn slice_valid sm_counts sm_index sm_is_idle sm_is_running sm_issuable smst_ksr
//   smst_next smst_running smst_state starts step step_cycle tick_waits top_ksr top_priority top_valid trap_pending
//   trapped turn turn_count upper_read victim_claimant victim_context victim_found victim_priority victim_running
//   victim_sm

// Tables, row i at [i*WIDTH +: WIDTH].
(* hierconn *) wire [2*S-1:0]    \dut.u_smst.state_q ;
(* hierconn *) wire [S*KW-1:0]   \dut.u_smst.ksr_q ;
(* hierconn *) wire [S*KW-1:0]   \dut.u_smst.next_q ;
(* hierconn *) wire [S*TW-1:0]   \dut.u_smst.running_q ;
(* hierconn *) wire [K-1:0]      \dut.u_ksrt.valid_q ;
(* hierconn *) wire [K-1:0]      \dut.u_ksrt.has_pool_token_q ;
(* hierconn *) wire [K*CW-1:0]   \dut.u_ksrt.context_q ;
(* hierconn *) wire [K*4-1:0]    \dut.u_ksrt.priority_q ;
(* hierconn *) wire [K*9-1:0]    \dut.u_ksrt.tokens_q ;
(* hierconn *) wire [K*TW-1:0]   \dut.u_ksrt.tbs_per_sm_q ;
(* hierconn *) wire [K*LW-1:0]   \dut.u_ksrt.remaining_q ;
(* hierconn *) wire [K-1:0]      \dut.u_ksrt.has_more_q ;
(* hierconn *) wire [K-1:0]      \dut.u_ksrt.has_fresh_q ;
(* hierconn *) wire [K-1:0]      \dut.u_ksrt.has_handles_q ;
(* hierconn *) wire              \dut.u_ksrt.launch_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_ksrt.launch_ksr_q ;
(* hierconn *) wire [K*UPPER-1:0] \dut.u_ksrt.g_more.u_more.words ;
(* hierconn *) wire [UPPER-1:0]  \dut.u_ksrt.g_more.u_more.read_data_o ;
(* hierconn *) wire              \dut.u_ksrt.g_more.borrow_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_ksrt.g_more.borrow_ksr_q ;
(* hierconn *) wire [UPPER-1:0]  \dut.u_ksrt.g_more.borrow_count_q ;
(* hierconn *) wire [K*40-1:0]   \dut.u_ksrt.u_descriptors.words ;
(* hierconn *) wire [K*BW-1:0]   \dut.u_ksrt.next_tb_q ;
(* hierconn *) wire [K*SW-1:0]   \dut.u_ksrt.outstanding_q ;
(* hierconn *) wire [K*SW-1:0]   \dut.u_ksrt.preempted_q ;
(* hierconn *) wire [K*SW-1:0]   \dut.u_ksrt.promised_q ;
(* hierconn *) wire [K*MW-1:0]   \dut.u_ksrt.owned_q ;
(* hierconn *) wire [K*MW-1:0]   \dut.u_ksrt.reserved_q ;
(* hierconn *) wire [K*SW-1:0]   \dut.u_ksrt.covered_q ;
(* hierconn *) wire [K*KW-1:0]   \dut.u_active_queue.ksr_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_active_queue.count_q ;
(* hierconn *) wire [B-1:0]      \dut.u_command_buffers.valid_q ;
(* hierconn *) wire [B*CW-1:0]   \dut.u_command_buffers.context_q ;
(* hierconn *) wire [B*(BW+40)-1:0] \dut.u_command_buffers.u_launches.words ;
(* hierconn *) wire [BW+39:0]    \dut.u_command_buffers.u_launches.read_data_o ;
(* hierconn *) wire [B*TW-1:0]   \dut.u_command_buffers.tbs_per_sm_q ;
(* hierconn *) wire [B*UW-1:0]   \dut.u_command_buffers.age_q ;
(* hierconn *) wire [UW-1:0]     \dut.u_command_buffers.count_q ;
(* hierconn *) wire [UW-1:0]     \dut.u_command_buffers.last_q ;
(* hierconn *) wire [P*KW-1:0]   \dut.u_context_table.kernels_q ;
(* hierconn *) wire [P-1:0]      \dut.u_context_table.has_budget_q ;
(* hierconn *) wire [P*9-1:0]    \dut.u_context_table.budget_q ;
(* hierconn *) wire [P-1:0]      \dut.u_context_table.has_pool_token_q ;
(* hierconn *) wire [P-1:0]      \dut.u_context_table.has_page_table_q ;
(* hierconn *) wire [P*64-1:0]   \dut.u_context_table.u_page_tables.words ;
(* hierconn *) wire [P*MW-1:0]   \dut.u_context_table.held_q ;
(* hierconn *) wire [K*RW-1:0]   \dut.u_ptbq.head_q ;
(* hierconn *) wire [K*RW-1:0]   \dut.u_ptbq.tail_q ;
(* hierconn *) wire [K*D*HW-1:0] \dut.u_ptbq.u_sram.words ;

// The SM driver.
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.set_up_pending_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.active_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.trap_pending_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.trapped_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.restoring_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.full_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.drains_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.served_q ;
(* hierconn *) wire [S-1:0]      \dut.u_sm_driver.issuable_q ;
(* hierconn *) wire [MW-1:0]     \dut.u_sm_driver.turn_q ;
(* hierconn *) wire [TW-1:0]     \dut.u_sm_driver.turn_count_q ;
(* hierconn *) wire              \dut.u_sm_driver.in_batch_q ;
(* hierconn *) wire              \dut.u_sm_driver.read_valid_q ;
(* hierconn *) wire              \dut.u_sm_driver.read_last_q ;
(* hierconn *) wire [MW-1:0]     \dut.u_sm_driver.read_sm_q ;

// The search, and what an engine knows of kernels.
(* hierconn *) wire [2:0]        \dut.u_search.state_q ;
(* hierconn *) wire              \dut.u_search.is_second_q ;
(* hierconn *) wire [NW-1:0]     \dut.u_search.step_q ;
(* hierconn *) wire [WAIT_WIDTH-1:0] \dut.u_search.cycle_q ;
(* hierconn *) wire [1:0]        \dut.u_search.settle_q ;
(* hierconn *) wire              \dut.u_search.began_q ;
(* hierconn *) wire [6:0]        \dut.u_search.policy_q ;
(* hierconn *) wire [MW-1:0]     \dut.u_search.pool_q ;
(* hierconn *) wire              \dut.u_search.idle_found_q ;
(* hierconn *) wire [MW-1:0]     \dut.u_search.idle_sm_q ;
(* hierconn *) wire              \dut.u_search.victim_found_q ;
(* hierconn *) wire [MW-1:0]     \dut.u_search.victim_sm_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.victim_claimant_q ;
(* hierconn *) wire              \dut.u_search.victim_running_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.candidate_ksr_q ;
(* hierconn *) wire              \dut.u_search.g_fcfs.u_fcfs.found_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_fcfs.u_fcfs.ksr_q ;
(* hierconn *) wire              \dut.u_search.g_priority.u_priority.top_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_priority.u_priority.top_ksr_q ;
(* hierconn *) wire              \dut.u_search.g_priority.u_priority.requester_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_priority.u_priority.requester_ksr_q ;
(* hierconn *) wire              \dut.u_search.g_dss.u_dss.max_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_dss.u_dss.max_ksr_q ;
(* hierconn *) wire              \dut.u_search.g_time_slice.u_time_slice.requester_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_time_slice.u_time_slice.requester_ksr_q ;

// Signals: a command may be activated, and which; rows on their way to engines and finders; what comes of a walk.
(* hierconn *) wire              \dut.u_search.may_activate ;
(* hierconn *) wire [UW-1:0]     \dut.u_command_buffers.chosen_o ;
(* hierconn *) wire              \dut.u_search.enters ;
(* hierconn *) wire              \dut.u_search.first_passes ;
(* hierconn *) wire              \dut.u_search.second_passes ;
(* hierconn *) wire              \dut.u_search.starts ;
(* hierconn *) wire [KSRS_PER_STEP-1:0]    \dut.u_search.row_valid ;
(* hierconn *) wire [KSRS_PER_STEP*KW-1:0] \dut.u_search.row_ksr ;
(* hierconn *) wire [SEARCH_WIDTH-1:0]     \dut.u_search.sm_is_idle ;
(* hierconn *) wire [SEARCH_WIDTH-1:0]     \dut.u_search.sm_counts ;
(* hierconn *) wire [SEARCH_WIDTH*MW-1:0]  \dut.u_search.sm_index ;
(* hierconn *) wire [SEARCH_WIDTH*KW-1:0]  \dut.u_search.victim_ksr ;
(* hierconn *) wire [KSRS_PER_STEP-1:0]    \dut.u_search.row_uncovered ;
(* hierconn *) wire [KSRS_PER_STEP-1:0]    \dut.u_search.row_holds ;
(* hierconn *) wire [KSRS_PER_STEP*10-1:0] \dut.u_search.row_tokens_left ;
(* hierconn *) wire [KSRS_PER_STEP*4-1:0]  \dut.u_search.row_priority ;
(* hierconn *) wire [KSRS_PER_STEP*CW-1:0] \dut.u_search.row_context ;
(* hierconn *) wire [SEARCH_WIDTH-1:0]     \dut.u_search.sm_is_running ;
(* hierconn *) wire [SEARCH_WIDTH*4-1:0]   \dut.u_search.victim_priority ;
(* hierconn *) wire [SEARCH_WIDTH*CW-1:0]  \dut.u_search.victim_context ;
(* hierconn *) wire              \dut.u_search.repeats ;
(* hierconn *) wire [2+CW:0]     \dut.u_search.u_entrance.data_i ;
(* hierconn *) wire [2+CW:0]     \dut.u_search.u_entrance.data_o ;
(* hierconn *) wire [UW-1:0]     \dut.u_command_buffers.selected ;
(* hierconn *) wire              \dut.u_search.checking_o ;
(* hierconn *) wire              \dut.u_search.looks_on ;
(* hierconn *) wire              \dut.u_search.move_valid_o ;
(* hierconn *) wire [1:0]        \dut.u_search.move_kind_o ;
(* hierconn *) wire [MW-1:0]     \dut.u_search.move_sm_o ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.move_ksr_o ;

// A TB is chosen, and for it a handle is read or not.
(* hierconn *) wire              \dut.u_sm_driver.issue_o ;
(* hierconn *) wire [MW-1:0]     \dut.u_sm_driver.issue_sm_o ;
(* hierconn *) wire [KW-1:0]     \dut.u_sm_driver.issue_ksr_o ;
(* hierconn *) wire              \dut.u_sm_driver.issue_handle_o ;
(* hierconn *) wire              \dut.u_search.pending_q ;
(* hierconn *) wire              \dut.u_search.tick_waits_q ;
(* hierconn *) wire              \dut.u_search.candidate_takes_idle_q ;
(* hierconn *) wire [3:0]        \dut.u_search.g_priority.u_priority.top_priority_q ;
(* hierconn *) wire [3:0]        \dut.u_search.g_priority.u_priority.requester_priority_q ;
(* hierconn *) wire [3:0]        \dut.u_search.g_priority.u_priority.candidate_priority_q ;
(* hierconn *) wire signed [9:0] \dut.u_search.g_dss.u_dss.max_left_q ;
(* hierconn *) wire signed [9:0] \dut.u_search.g_dss.u_dss.min_left_q ;
(* hierconn *) wire              \dut.u_search.g_dss.u_dss.min_valid_q ;
(* hierconn *) wire [KW-1:0]     \dut.u_search.g_dss.u_dss.min_ksr_q ;
(* hierconn *) wire [CW-1:0]     \dut.u_search.g_time_slice.u_time_slice.turn_q ;
(* hierconn *) wire              \dut.u_search.g_time_slice.u_time_slice.nearest_valid_q ;
(* hierconn *) wire [CW-1:0]     \dut.u_search.g_time_slice.u_time_slice.nearest_context_q ;
(* hierconn *) wire [CW-1:0]     \dut.u_search.g_time_slice.u_time_slice.nearest_distance_q ;
(* hierconn *) wire [CW-1:0]     \dut.u_search.g_time_slice.u_time_slice.requester_context_q ;
(* hierconn *) wire [CW-1:0]     \dut.u_search.g_time_slice.u_time_slice.requester_distance_q ;
(* hierconn *) wire              \dut.u_search.invoke_i ;

wire [2*S-1:0]  smst_state    = \dut.u_smst.state_q ;
wire [S*KW-1:0] smst_ksr      = \dut.u_smst.ksr_q ;
wire [S*KW-1:0] smst_next     = \dut.u_smst.next_q ;
wire [S*TW-1:0] smst_running  = \dut.u_smst.running_q ;
wire [K-1:0]    ksr_valid     = \dut.u_ksrt.valid_q ;
wire [K*CW-1:0] ksr_context   = \dut.u_ksrt.context_q ;
wire [K*4-1:0]  ksr_priority  = \dut.u_ksrt.priority_q ;
wire [K-1:0]    ksr_has_pool_token = \dut.u_ksrt.has_pool_token_q ;
wire [K*9-1:0]  ksr_tokens    = \dut.u_ksrt.tokens_q ;
wire [K*TW-1:0] ksr_slots     = \dut.u_ksrt.tbs_per_sm_q ;
wire [K*LW-1:0] ksr_remaining = \dut.u_ksrt.remaining_q ;
wire [K-1:0]    ksr_has_fresh = \dut.u_ksrt.has_fresh_q ;
wire [K-1:0]    ksr_has_handles = \dut.u_ksrt.has_handles_q ;
wire [K-1:0]    ksr_has_more  = \dut.u_ksrt.has_more_q ;
wire            launch_valid  = \dut.u_ksrt.launch_valid_q ;
wire [KW-1:0]   launch_ksr    = \dut.u_ksrt.launch_ksr_q ;
wire [K*40-1:0] ksr_descriptor = \dut.u_ksrt.u_descriptors.words ;
// Rows that count all of their TBs have none above, and never borrow.
localparam HAS_UPPER = BW > LW;
wire [K*UPPER-1:0] ksr_upper  = HAS_UPPER ? \dut.u_ksrt.g_more.u_more.words : {K*UPPER{1'b0}};
wire [UPPER-1:0] upper_read   = \dut.u_ksrt.g_more.u_more.read_data_o ;
wire            borrow_valid  = HAS_UPPER && \dut.u_ksrt.g_more.borrow_valid_q ;
wire [KW-1:0]   borrow_ksr    = \dut.u_ksrt.g_more.borrow_ksr_q ;
wire [UPPER-1:0] borrow_count = \dut.u_ksrt.g_more.borrow_count_q ;
wire [K*BW-1:0] ksr_next_tb   = \dut.u_ksrt.next_tb_q ;
wire [K*SW-1:0] ksr_outstanding = \dut.u_ksrt.outstanding_q ;
wire [K*SW-1:0] ksr_preempted = \dut.u_ksrt.preempted_q ;
wire [K*SW-1:0] ksr_promised  = \dut.u_ksrt.promised_q ;
wire [K*MW-1:0] ksr_owned     = \dut.u_ksrt.owned_q ;
wire [K*MW-1:0] ksr_reserved  = \dut.u_ksrt.reserved_q ;
wire [K*SW-1:0] ksr_covered   = \dut.u_ksrt.covered_q ;
wire [K*KW-1:0] queue_ksr     = \dut.u_active_queue.ksr_q ;
wire [KW-1:0]   queue_count   = \dut.u_active_queue.count_q ;
wire [B-1:0]    buffer_valid  = \dut.u_command_buffers.valid_q ;
wire [B*CW-1:0] buffer_context = \dut.u_command_buffers.context_q ;
wire [B*(BW+40)-1:0] buffer_launch = \dut.u_command_buffers.u_launches.words ;
wire [BW+39:0]  launch        = \dut.u_command_buffers.u_launches.read_data_o ;
wire [B*TW-1:0] buffer_slots  = \dut.u_command_buffers.tbs_per_sm_q ;
wire [B*UW-1:0] buffer_age    = \dut.u_command_buffers.age_q ;
wire [UW-1:0]   buffer_count  = \dut.u_command_buffers.count_q ;
wire [UW-1:0]   buffer_last   = \dut.u_command_buffers.last_q ;
wire [P*KW-1:0] context_kernels = \dut.u_context_table.kernels_q ;
wire [P*9-1:0]  context_budget = \dut.u_context_table.budget_q ;
wire [P-1:0]    context_has_budget = \dut.u_context_table.has_budget_q ;
wire [P-1:0]    context_has_token  = \dut.u_context_table.has_pool_token_q ;
wire [P-1:0]    has_page_table = \dut.u_context_table.has_page_table_q ;
wire [P*64-1:0] page_tables   = \dut.u_context_table.u_page_tables.words ;
wire [P*MW-1:0] context_held  = \dut.u_context_table.held_q ;
wire [K*RW-1:0] ring_head     = \dut.u_ptbq.head_q ;
wire [K*RW-1:0] ring_tail     = \dut.u_ptbq.tail_q ;
wire [K*D*HW-1:0] ring_words  = \dut.u_ptbq.u_sram.words ;
wire [S-1:0]    set_up_pending = \dut.u_sm_driver.set_up_pending_q ;
wire [S-1:0]    active        = \dut.u_sm_driver.active_q ;
wire [S-1:0]    trap_pending  = \dut.u_sm_driver.trap_pending_q ;
wire [S-1:0]    trapped       = \dut.u_sm_driver.trapped_q ;
wire [S-1:0]    restoring     = \dut.u_sm_driver.restoring_q ;
wire [S-1:0]    full          = \dut.u_sm_driver.full_q ;
wire [S-1:0]    drains        = \dut.u_sm_driver.drains_q ;
wire [S-1:0]    served        = \dut.u_sm_driver.served_q ;
wire [S-1:0]    sm_issuable   = \dut.u_sm_driver.issuable_q ;
wire [MW-1:0]   turn          = \dut.u_sm_driver.turn_q ;
wire [TW-1:0]   turn_count    = \dut.u_sm_driver.turn_count_q ;
wire            in_batch      = \dut.u_sm_driver.in_batch_q ;
wire            read_valid    = \dut.u_sm_driver.read_valid_q ;
wire            read_last     = \dut.u_sm_driver.read_last_q ;
wire [MW-1:0]   read_sm       = \dut.u_sm_driver.read_sm_q ;
wire [2:0]      search_state  = \dut.u_search.state_q ;
wire            is_second     = \dut.u_search.is_second_q ;
wire [NW-1:0]   step          = \dut.u_search.step_q ;
wire [WAIT_WIDTH-1:0] step_cycle = \dut.u_search.cycle_q ;
wire [1:0]      settle        = \dut.u_search.settle_q ;
wire            began         = \dut.u_search.began_q ;
wire [6:0]      policy        = \dut.u_search.policy_q ;
wire [MW-1:0]   pool          = \dut.u_search.pool_q ;
wire            idle_found    = \dut.u_search.idle_found_q ;
wire [MW-1:0]   idle_sm       = \dut.u_search.idle_sm_q ;
wire            victim_found  = \dut.u_search.victim_found_q ;
wire [MW-1:0]   victim_sm     = \dut.u_search.victim_sm_q ;
wire [KW-1:0]   victim_claimant = \dut.u_search.victim_claimant_q ;
wire            victim_running = \dut.u_search.victim_running_q ;
wire [KW-1:0]   candidate_ksr      = \dut.u_search.candidate_ksr_q ;
// An engine that is not there keeps nothing.
wire            fcfs_valid      = (POLICIES[0] || POLICIES[1]) && \dut.u_search.g_fcfs.u_fcfs.found_q ;
wire [KW-1:0]   fcfs_ksr        = \dut.u_search.g_fcfs.u_fcfs.ksr_q ;
wire            top_valid       = POLICIES[2] && \dut.u_search.g_priority.u_priority.top_valid_q ;
wire [KW-1:0]   top_ksr         = \dut.u_search.g_priority.u_priority.top_ksr_q ;
wire            requester_valid = POLICIES[2] && \dut.u_search.g_priority.u_priority.requester_valid_q ;
wire [KW-1:0]   requester_ksr   = \dut.u_search.g_priority.u_priority.requester_ksr_q ;
wire            max_valid       = POLICIES[3] && \dut.u_search.g_dss.u_dss.max_valid_q ;
wire [KW-1:0]   max_ksr         = \dut.u_search.g_dss.u_dss.max_ksr_q ;
wire            slice_valid     = POLICIES[4] && \dut.u_search.g_time_slice.u_time_slice.requester_valid_q ;
wire [KW-1:0]   slice_ksr       = \dut.u_search.g_time_slice.u_time_slice.requester_ksr_q ;
wire            may_activate    = \dut.u_search.may_activate ;
wire [UW-1:0]   chosen_buffer   = \dut.u_command_buffers.chosen_o ;
wire            enters          = \dut.u_search.enters ;
wire            first_passes    = \dut.u_search.first_passes ;
wire            second_passes   = \dut.u_search.second_passes ;
wire            starts          = \dut.u_search.starts ;
wire [KSRS_PER_STEP-1:0]    row_valid = \dut.u_search.row_valid ;
wire [KSRS_PER_STEP*KW-1:0] row_ksr   = \dut.u_search.row_ksr ;
wire [SEARCH_WIDTH-1:0]     sm_is_idle = \dut.u_search.sm_is_idle ;
wire [SEARCH_WIDTH-1:0]     sm_counts  = \dut.u_search.sm_counts ;
wire [SEARCH_WIDTH*MW-1:0]  sm_index   = \dut.u_search.sm_index ;
wire [SEARCH_WIDTH*KW-1:0]  row_victim = \dut.u_search.victim_ksr ;
wire            checking      = \dut.u_search.checking_o ;
wire            looks_on      = \dut.u_search.looks_on ;
wire            moves         = \dut.u_search.move_valid_o ;
wire [1:0]      move_kind     = \dut.u_search.move_kind_o ;
wire [MW-1:0]   move_sm       = \dut.u_search.move_sm_o ;
wire [KW-1:0]   move_ksr      = \dut.u_search.move_ksr_o ;
wire            chosen        = \dut.u_sm_driver.issue_o ;
wire [MW-1:0]   chosen_sm     = \dut.u_sm_driver.issue_sm_o ;
wire [KW-1:0]   chosen_ksr    = \dut.u_sm_driver.issue_ksr_o ;
wire            chosen_handle = \dut.u_sm_driver.issue_handle_o ;
wire            tick_waits    = \dut.u_search.tick_waits_q ;
wire            pending       = \dut.u_search.pending_q ;
wire            candidate_takes_idle = \dut.u_search.candidate_takes_idle_q ;
wire [3:0]      top_priority  = \dut.u_search.g_priority.u_priority.top_priority_q ;
wire [3:0]      requester_priority = \dut.u_search.g_priority.u_priority.requester_priority_q ;
wire [3:0]      candidate_priority = \dut.u_search.g_priority.u_priority.candidate_priority_q ;
wire signed [9:0] max_left         = \dut.u_search.g_dss.u_dss.max_left_q ;
wire signed [9:0] min_left         = \dut.u_search.g_dss.u_dss.min_left_q ;
wire            min_valid          = POLICIES[3] && \dut.u_search.g_dss.u_dss.min_valid_q ;
wire [KW-1:0]   min_ksr            = \dut.u_search.g_dss.u_dss.min_ksr_q ;
wire [CW-1:0]   slice_turn         = \dut.u_search.g_time_slice.u_time_slice.turn_q ;
wire            slice_nearest_valid = POLICIES[4] && \dut.u_search.g_time_slice.u_time_slice.nearest_valid_q ;
wire [CW-1:0]   nearest_context = \dut.u_search.g_time_slice.u_time_slice.nearest_context_q ;
wire [CW-1:0]   nearest_distance = \dut.u_search.g_time_slice.u_time_slice.nearest_distance_q ;
wire [CW-1:0]   slice_context = \dut.u_search.g_time_slice.u_time_slice.requester_context_q ;
wire [CW-1:0]   slice_distance = \dut.u_search.g_time_slice.u_time_slice.requester_distance_q ;
wire            policy_invoked = \dut.u_search.invoke_i ;
wire [KSRS_PER_STEP-1:0]    row_uncovered = \dut.u_search.row_uncovered ;
wire [KSRS_PER_STEP-1:0]    row_holds = \dut.u_search.row_holds ;
wire [KSRS_PER_STEP*10-1:0] row_left  = \dut.u_search.row_tokens_left ;
wire [KSRS_PER_STEP*4-1:0]  row_priority = \dut.u_search.row_priority ;
wire [KSRS_PER_STEP*CW-1:0] row_context = \dut.u_search.row_context ;
wire [SEARCH_WIDTH-1:0]     sm_is_running = \dut.u_search.sm_is_running ;
wire [SEARCH_WIDTH*4-1:0]   victim_priority = \dut.u_search.victim_priority ;
wire [SEARCH_WIDTH*CW-1:0]  victim_context = \dut.u_search.victim_context ;
wire            repeats       = \dut.u_search.repeats ;
wire [2+CW:0]   at_entrance   = \dut.u_search.u_entrance.data_i ;
wire [2+CW:0]   seen_at_entrance = \dut.u_search.u_entrance.data_o ;
wire [UW-1:0]   selected_buffer = \dut.u_command_buffers.selected ;
