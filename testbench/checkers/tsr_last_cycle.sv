// SPDX-License-Identifier: Apache-2.0
// What happened in the cycle before this one, for the checkers beside it: tables (`_p`) and inputs as they were, and
// what docs/timing.md makes of them. Checkers look back because every event, and a handle that is chosen, is on the
// pins in the next cycle, and so is a trap or a set-up that is sent. Names of registers resolve upwards, into
// tsr_scheduler.
// verilator coverage_off
module tsr_last_cycle #(
  parameter int NUM_SMS             = 13,
  parameter int NUM_KSRS            = 13,
  parameter int NUM_COMMAND_BUFFERS = 16,
  parameter int SM_WIDTH            = 4,
  parameter int TB_WIDTH            = 32,
  parameter int KSR_WIDTH           = 4,
  parameter int CONTEXT_WIDTH       = 5,
  parameter int BUFFER_WIDTH        = 5,
  parameter int TB_COUNT_WIDTH      = 5,
  parameter int SM_COUNT_WIDTH      = 4,
  parameter int SLOT_COUNT_WIDTH    = 8
) ();

  localparam logic [1:0] POLICY = 2'd0, PRIORITY = 2'd1, TOKENS = 2'd2, PAGE_TABLE = 2'd3;
  localparam logic [2:0] SETTLE = 3'd5;
  localparam logic [1:0] TB_DONE = 2'd0, SET_UP_DONE = 2'd1, RESTORE_DONE = 2'd2, SAVED = 2'd3;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;

  logic past_ok; // the last edge was one of work
  always_ff @(posedge clk_i) past_ok <= rst_ni;

  // Inputs.
  logic                      command_valid, control_valid, slice_tick, sm_tick, event_taken, event_ready;
  logic                      handle_valid;
  logic [1:0]                control_reg;
  logic [CONTEXT_WIDTH-1:0]  control_context, command_context;
  logic [63:0]               control_data;
  logic [SM_WIDTH-1:0]       event_sm, handle_sm;
  logic [1:0]                event_kind;
  logic [TB_WIDTH+31:0]      handle;
  logic [BUFFER_WIDTH-1:0]   command_buffer;
  logic [3:0]                command_priority;
  logic [TB_WIDTH-1:0]       command_num_tbs;
  logic [TB_COUNT_WIDTH-1:0] command_tbs_per_sm;
  logic [39:0]               command_descriptor;
  // Outputs.
  logic                      set_up_shown, fresh; // a set-up was on the pins
  logic [SM_WIDTH-1:0]       set_up_shown_sm, fresh_sm;
  always_ff @(posedge clk_i) begin
    command_valid      <= tsr_scheduler.command_valid_i;
    command_buffer     <= tsr_scheduler.command_buffer_i;
    command_context    <= tsr_scheduler.command_context_i;
    command_priority   <= tsr_scheduler.command_priority_i;
    command_num_tbs    <= tsr_scheduler.command_num_tbs_i;
    command_tbs_per_sm <= tsr_scheduler.command_tbs_per_sm_i;
    command_descriptor <= tsr_scheduler.command_descriptor_i;
    control_valid      <= tsr_scheduler.control_valid_i;
    control_reg        <= tsr_scheduler.control_reg_i;
    control_context    <= tsr_scheduler.control_context_i;
    control_data       <= tsr_scheduler.control_data_i;
    slice_tick         <= tsr_scheduler.slice_tick_i;
    sm_tick            <= tsr_scheduler.sm_tick_i;
    event_taken        <= tsr_scheduler.sm_event_valid_i && tsr_scheduler.sm_event_ready_o;
    event_ready        <= tsr_scheduler.sm_event_ready_o;
    event_sm           <= tsr_scheduler.sm_event_sm_i;
    event_kind         <= tsr_scheduler.sm_event_kind_i;
    handle_valid       <= tsr_scheduler.handle_valid_i;
    handle_sm          <= tsr_scheduler.handle_sm_i;
    handle             <= {tsr_scheduler.handle_tb_i, tsr_scheduler.handle_stack_pointer_i};
    set_up_shown       <= tsr_scheduler.sm_control_valid_o && !tsr_scheduler.sm_control_kind_o;
    set_up_shown_sm    <= tsr_scheduler.sm_control_sm_o;
    fresh              <= tsr_scheduler.dispatch_valid_o && !tsr_scheduler.dispatch_is_restore_o;
    fresh_sm           <= tsr_scheduler.dispatch_sm_o;
  end

  // Tables.
  logic [NUM_SMS-1:0][1:0]                             smst_state_p;
  logic [NUM_SMS-1:0][KSR_WIDTH-1:0]                   smst_ksr_p, smst_next_p;
  logic [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0]              smst_running_p;
  logic [NUM_KSRS-1:0]                                 ksr_valid_p;
  logic [NUM_KSRS-1:0][39:0]                           ksr_descriptor_p;
  logic [NUM_KSRS-1:0][CONTEXT_WIDTH-1:0]              ksr_context_p;
  logic [NUM_KSRS-1:0][3:0]                            ksr_priority_p;
  logic [NUM_KSRS-1:0][TB_COUNT_WIDTH-1:0]             ksr_tbs_per_sm_p;
  logic [NUM_KSRS-1:0][TB_WIDTH-1:0]                   ksr_remaining_p, ksr_next_tb_p;
  logic [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0]           ksr_outstanding_p, ksr_preempted_p, ksr_covered_p;
  logic [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0]           ksr_promised_p;
  logic [NUM_KSRS-1:0][SM_COUNT_WIDTH-1:0]             ksr_owned_p, ksr_reserved_p;
  logic [NUM_KSRS-1:0][KSR_WIDTH-1:0]                  queue_ksr_p;
  logic [KSR_WIDTH-1:0]                                queue_count_p;
  logic [NUM_COMMAND_BUFFERS-1:0]                      buffer_valid_p;
  logic [NUM_COMMAND_BUFFERS-1:0][CONTEXT_WIDTH-1:0]   buffer_context_p;
  logic [NUM_COMMAND_BUFFERS-1:0][3:0]                 buffer_priority_p;
  logic [NUM_COMMAND_BUFFERS-1:0][TB_WIDTH-1:0]        buffer_num_tbs_p;
  logic [NUM_COMMAND_BUFFERS-1:0][TB_COUNT_WIDTH-1:0]  buffer_tbs_per_sm_p;
  logic [NUM_COMMAND_BUFFERS-1:0][39:0]                buffer_descriptor_p;
  logic [2:0]                                          search_state_p;
  logic [6:0]                                          policy_p;
  logic [NUM_SMS-1:0]                                  active_p, restoring_p, trapped_p;
  logic                                                in_batch_p;
  logic [SM_WIDTH-1:0]                                 turn_p;
  always_ff @(posedge clk_i) begin
    smst_state_p        <= u_smst.state_q;
    smst_ksr_p          <= u_smst.ksr_q;
    smst_next_p         <= u_smst.next_q;
    smst_running_p      <= u_smst.running_q;
    ksr_valid_p         <= u_ksrt.valid_q;
    ksr_descriptor_p    <= u_logical_tables.ksr_descriptor;
    ksr_context_p       <= u_ksrt.context_q;
    ksr_priority_p      <= u_ksrt.priority_q;
    ksr_tbs_per_sm_p    <= u_ksrt.tbs_per_sm_q;
    ksr_remaining_p     <= u_logical_tables.ksr_remaining;
    ksr_next_tb_p       <= u_ksrt.next_tb_q;
    ksr_outstanding_p   <= u_ksrt.outstanding_q;
    ksr_preempted_p     <= u_ksrt.preempted_q;
    ksr_promised_p      <= u_ksrt.promised_q;
    ksr_owned_p         <= u_ksrt.owned_q;
    ksr_reserved_p      <= u_ksrt.reserved_q;
    ksr_covered_p       <= u_ksrt.covered_q;
    queue_ksr_p         <= u_active_queue.ksr_q;
    queue_count_p       <= u_active_queue.count_q;
    buffer_valid_p      <= u_command_buffers.valid_q;
    buffer_context_p    <= u_command_buffers.context_q;
    buffer_priority_p   <= u_command_buffers.priority_q;
    buffer_num_tbs_p    <= u_logical_tables.buffer_num_tbs;
    buffer_tbs_per_sm_p <= u_command_buffers.tbs_per_sm_q;
    buffer_descriptor_p <= u_logical_tables.buffer_descriptor;
    search_state_p      <= u_search.state_q;
    policy_p            <= u_search.policy_q;
    active_p            <= u_sm_driver.active_q;
    restoring_p         <= u_sm_driver.restoring_q;
    trapped_p           <= u_sm_driver.trapped_q;
    in_batch_p          <= u_sm_driver.in_batch_q;
    turn_p              <= u_sm_driver.turn_q;
  end

  // What was done with them. A TB chosen: a fresh one, or a handle, which is on the pins by now, as is the trap or the
  // set-up that was sent.
  wire                read         = tsr_scheduler.dispatch_valid_o && tsr_scheduler.dispatch_is_restore_o;
  wire [SM_WIDTH-1:0] read_sm      = tsr_scheduler.dispatch_sm_o;
  wire                choice       = fresh || read;
  wire [SM_WIDTH-1:0] choice_sm    = fresh ? fresh_sm : read_sm;
  wire                trap_sent    = tsr_scheduler.sm_control_valid_o && tsr_scheduler.sm_control_kind_o;
  wire                set_up_sent  = tsr_scheduler.sm_control_valid_o && !tsr_scheduler.sm_control_kind_o;
  wire [SM_WIDTH-1:0] sent_sm      = tsr_scheduler.sm_control_sm_o; // of both
  wire                control_write = control_valid && control_reg != PAGE_TABLE;
  wire                policy_write = control_valid && control_reg == POLICY;
  wire                tokens_write = control_valid && control_reg == TOKENS;
  wire                priority_write = control_valid && control_reg == PRIORITY;

  wire                 tb_done      = event_taken && event_kind == TB_DONE;
  wire                 set_up_done  = event_taken && event_kind == SET_UP_DONE;
  wire                 restore_done = event_taken && event_kind == RESTORE_DONE;
  wire                 saved        = event_taken && event_kind == SAVED && trapped_p[event_sm]; // else stale (6.8)
  wire [KSR_WIDTH-1:0] event_ksr    = smst_ksr_p[event_sm];
  wire [TB_COUNT_WIDTH-1:0] saved_count = saved ? smst_running_p[event_sm] : '0;
  // The kernel's last TB (6.9).
  wire finish = tb_done && int'(event_ksr) < NUM_KSRS && int'(ksr_outstanding_p[event_ksr]) == 1 &&
                ksr_remaining_p[event_ksr] == '0;
  // The cycle's set-up done is of an earlier set-up, or of a kernel that has finished (6.5).
  logic [NUM_SMS-1:0] set_up_pending_p;
  always_ff @(posedge clk_i) set_up_pending_p <= u_sm_driver.set_up_pending_q;
  wire set_up = set_up_done && smst_state_p[event_sm] != 2'd0 && !set_up_pending_p[event_sm] &&
                !(set_up_shown && set_up_shown_sm == event_sm);

  // A pipelined search checks in the second of the three cycles in which it settles (5.8).
  int   settled; // cycles, before this one
  logic checked; // in the last cycle
  wire  checks = u_search.state_q == SETTLE && settled == 1;
  always_ff @(posedge clk_i) begin
    settled <= u_search.state_q == SETTLE ? settled + 1 : 0;
    checked <= checks;
  end

  function automatic logic is_issuable(logic [KSR_WIDTH-1:0] k);
    return int'(k) < NUM_KSRS && (ksr_remaining_p[k] != '0 || ksr_preempted_p[k] != '0);
  endfunction
endmodule
// verilator coverage_on
