// SPDX-License-Identifier: Apache-2.0
// SMST, KSRT and PTBQ of tsr_scheduler: rows change as docs/timing.md section 4 says and in no other way, nothing that
// was reported or sent is lost, and every counter is what a recount of the other tables gives.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_table_checker #(
  parameter int NUM_SMS          = 13,
  parameter int NUM_KSRS         = 13,
  parameter int PTBQ_DEPTH       = 208,
  parameter int SM_WIDTH         = 4,
  parameter int TB_WIDTH         = 32,
  parameter int KSR_WIDTH        = 4,
  parameter int CONTEXT_WIDTH    = 5,
  parameter int TB_COUNT_WIDTH   = 5,
  parameter int SM_COUNT_WIDTH   = 4,
  parameter int SLOT_COUNT_WIDTH = 8,
  parameter bit RECOUNT          = 1 // sums over all rows, in every cycle
) ();

  localparam logic [1:0] IDLE = 2'd0, RUNNING = 2'd1, RESERVED = 2'd2;
  localparam logic [1:0] ASSIGN = 2'd0, RESERVE = 2'd1;
  localparam logic [KSR_WIDTH-1:0] NONE = '1;
  localparam int POINTER_WIDTH = PTBQ_DEPTH > 1 ? $clog2(PTBQ_DEPTH) : 1;

  // Bounds of loops: variables, so that Verilator does not unroll them (a third of the compile time).
  int num_sms = NUM_SMS, num_ksrs = NUM_KSRS;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;

  wire [NUM_SMS-1:0][1:0]                   smst_state      = u_smst.state_q;
  wire [NUM_SMS-1:0][KSR_WIDTH-1:0]         smst_ksr        = u_smst.ksr_q;
  wire [NUM_SMS-1:0][KSR_WIDTH-1:0]         smst_next       = u_smst.next_q;
  wire [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0]    smst_running    = u_smst.running_q;
  wire [NUM_KSRS-1:0]                       ksr_valid       = u_ksrt.valid_q;
  wire [NUM_KSRS-1:0][39:0]                 ksr_descriptor  = u_logical_tables.ksr_descriptor;
  wire [NUM_KSRS-1:0][CONTEXT_WIDTH-1:0]    ksr_context     = u_ksrt.context_q;
  wire [NUM_KSRS-1:0][3:0]                  ksr_priority    = u_ksrt.priority_q;
  wire [NUM_KSRS-1:0][TB_COUNT_WIDTH-1:0]   ksr_tbs_per_sm  = u_ksrt.tbs_per_sm_q;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]         ksr_remaining   = u_logical_tables.ksr_remaining;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]         ksr_next_tb     = u_ksrt.next_tb_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_outstanding = u_ksrt.outstanding_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_preempted   = u_ksrt.preempted_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_promised    = u_ksrt.promised_q;
  wire [NUM_KSRS-1:0][SM_COUNT_WIDTH-1:0]   ksr_owned       = u_ksrt.owned_q;
  wire [NUM_KSRS-1:0][SM_COUNT_WIDTH-1:0]   ksr_reserved    = u_ksrt.reserved_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_covered     = u_ksrt.covered_q;
  wire [NUM_KSRS-1:0][POINTER_WIDTH-1:0]    head            = u_ptbq.head_q;
  wire [NUM_KSRS-1:0][POINTER_WIDTH-1:0]    tail            = u_ptbq.tail_q;
  wire [NUM_SMS-1:0]                        trapped         = u_sm_driver.trapped_q;

  wire                 moved     = tsr_scheduler.events_moved_o;
  wire [1:0]           move      = tsr_scheduler.events_move_o;
  wire [KSR_WIDTH-1:0] moved_ksr = tsr_scheduler.events_moved_ksr_o;
  wire                 activated = tsr_scheduler.events_activated_o;

  // ---- SMST (4.4): every row, from the events of its cycle ----------------------------------------------------------

  logic [1:0]           state;
  logic [KSR_WIDTH-1:0] ksr, next;
  int                   running;

  // 1. A row changes hands.
  task automatic change_row(int i);
    state = u_last_cycle.smst_state_p[i];
    ksr   = u_last_cycle.smst_ksr_p[i];
    next  = u_last_cycle.smst_next_p[i];
    if (moved && int'(tsr_scheduler.events_moved_sm_o) == i) begin
      if (move == ASSIGN || tsr_scheduler.events_cancelled_o) begin
        {state, ksr, next} = {RUNNING, moved_ksr, NONE};
      end else begin
        {state, next} = {RESERVED, moved_ksr};
      end
    end else if (tsr_scheduler.events_preempted_o && int'(tsr_scheduler.events_preempted_sm_o) == i) begin
      ksr   = tsr_scheduler.events_next_ksr_o;
      state = ksr == NONE ? IDLE : RUNNING;
      next  = NONE;
    end else if (tsr_scheduler.events_released_o && int'(tsr_scheduler.events_released_sm_o) == i) begin
      {state, ksr, next} = {IDLE, NONE, NONE};
    end
  endtask

  // 2. A finished kernel is forgotten, in the row that changed hands too.
  task automatic forget_kernel();
    if (u_last_cycle.finish && ksr == u_last_cycle.event_ksr) begin
      ksr = NONE;
      if (state == RUNNING) state = IDLE;
    end
    if (u_last_cycle.finish && next == u_last_cycle.event_ksr) next = NONE;
  endtask

  always @(posedge clk_i) begin
    if (rst_ni && u_last_cycle.past_ok) begin
      for (int i = 0; i < num_sms; i++) begin
        change_row(i);
        forget_kernel();
        // An SM changes hands by a move, a hand-over, a release or the end of its kernel, and in no other way.
        smst_changes_hands_by_events_only: assert (smst_state[i] == state && smst_ksr[i] == ksr && smst_next[i] == next)
          else $error("SM %0d", i);
        running = int'(u_last_cycle.smst_running_p[i]) +
                  int'(u_last_cycle.choice && int'(u_last_cycle.choice_sm) == i) -
                  int'(u_last_cycle.tb_done && int'(u_last_cycle.event_sm) == i);
        if (u_last_cycle.saved && int'(u_last_cycle.event_sm) == i) running = 0;
        // No TB that was sent, and no completion that was taken, is lost.
        smst_running_counts_tbs: assert (int'(smst_running[i]) == running) else $error("SM %0d", i);
      end
    end
  end

  // A move finds the SM in the state it needs.
  always @(posedge clk_i) begin
    if (rst_ni && u_last_cycle.past_ok && moved) begin
      move_finds_sm_in_its_state: assert (
        u_last_cycle.smst_state_p[tsr_scheduler.events_moved_sm_o] ==
        (move == ASSIGN ? IDLE : move == RESERVE ? RUNNING : RESERVED));
      move_is_to_an_active_kernel: assert (u_last_cycle.ksr_valid_p[moved_ksr]);
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < num_sms; i++) begin
        // One owner per SM: none when idle, an active one when running, one or none when reserved; and a next owner
        // only when reserved.
        smst_one_owner: assert (
          smst_state[i] == IDLE && smst_ksr[i] == NONE && smst_next[i] == NONE ||
          smst_state[i] == RUNNING && is_valid(smst_ksr[i]) && smst_next[i] == NONE ||
          smst_state[i] == RESERVED && (smst_ksr[i] == NONE || is_valid(smst_ksr[i])) &&
                                       (smst_next[i] == NONE || is_valid(smst_next[i]))) else $error("SM %0d", i);
        // An SM never holds more TBs than its kernel's TBs/SM, and none without an owner.
        smst_running_within_tbs_per_sm: assert (
          smst_running[i] == '0 || is_valid(smst_ksr[i]) && smst_running[i] <= ksr_tbs_per_sm[smst_ksr[i]])
          else $error("SM %0d", i);
      end
    end
  end

  function automatic logic is_valid(logic [KSR_WIDTH-1:0] k);
    return int'(k) < NUM_KSRS && ksr_valid[k];
  endfunction

  // ---- KSRT (4.3): every row, from what happened ------------------------------------------------------------------

  int n; // of the row's SM, or KSR

  // How often in the last cycle: `valid`, and it was for an SM of kernel k.
  function automatic int of_kernel(logic valid, logic [SM_WIDTH-1:0] sm, int k);
    return int'(valid && int'(u_last_cycle.smst_ksr_p[sm]) == k);
  endfunction

  task automatic check_activation(int k);
    n = int'(tsr_scheduler.events_activated_buffer_o);
    // A kernel enters a free row, the lowest one, with the fields of its command and no TB issued.
    activation_takes_lowest_free_row: assert (
      !u_last_cycle.ksr_valid_p[k] && (u_last_cycle.ksr_valid_p | ({NUM_KSRS{1'b1}} << k)) == '1)
      else $error("KSR %0d", k);
    activation_takes_command: assert (
      ksr_descriptor[k] == u_last_cycle.buffer_descriptor_p[n] && ksr_context[k] == u_last_cycle.buffer_context_p[n] &&
      ksr_priority[k] == u_last_cycle.buffer_priority_p[n] &&
      ksr_tbs_per_sm[k] == u_last_cycle.buffer_tbs_per_sm_p[n] && ksr_remaining[k] == u_last_cycle.buffer_num_tbs_p[n])
      else $error("KSR %0d", k);
    activation_clears_counters: assert (
      {ksr_next_tb[k], ksr_outstanding[k], ksr_preempted[k], ksr_promised[k], ksr_owned[k], ksr_reserved[k],
       ksr_covered[k]} == '0) else $error("KSR %0d", k);
  endtask

  task automatic check_row(int k);
    n = of_kernel(u_last_cycle.fresh, u_last_cycle.fresh_sm, k);
    // Fresh TBs are counted one by one, and never more than there are.
    ksrt_remaining_counts_fresh_tbs: assert (
      ksr_remaining[k] == u_last_cycle.ksr_remaining_p[k] - TB_WIDTH'(n) &&
      ksr_next_tb[k] == u_last_cycle.ksr_next_tb_p[k] + TB_WIDTH'(n) &&
      (n == 0 || u_last_cycle.ksr_remaining_p[k] != '0)) else $error("KSR %0d", k);
    ksrt_outstanding_counts_tbs: assert (
      int'(ksr_outstanding[k]) == int'(u_last_cycle.ksr_outstanding_p[k]) + n -
      of_kernel(u_last_cycle.tb_done, u_last_cycle.event_sm, k)) else $error("KSR %0d", k);
    ksrt_preempted_counts_handles: assert (
      int'(ksr_preempted[k]) == int'(u_last_cycle.ksr_preempted_p[k]) -
      of_kernel(u_last_cycle.read, u_last_cycle.read_sm, k) +
      of_kernel(u_last_cycle.saved, u_last_cycle.event_sm, k) * int'(u_last_cycle.saved_count))
      else $error("KSR %0d", k);
    ksrt_fields_of_the_command_stay: assert (
      ksr_descriptor[k] == u_last_cycle.ksr_descriptor_p[k] && ksr_context[k] == u_last_cycle.ksr_context_p[k] &&
      ksr_tbs_per_sm[k] == u_last_cycle.ksr_tbs_per_sm_p[k]) else $error("KSR %0d", k);
    ksrt_priority_is_as_written: assert (
      ksr_priority[k] == (u_last_cycle.priority_write && u_last_cycle.control_context == ksr_context[k] ?
                          u_last_cycle.control_data[3:0] : u_last_cycle.ksr_priority_p[k])) else $error("KSR %0d", k);
  endtask

  always @(posedge clk_i) begin
    if (rst_ni && u_last_cycle.past_ok) begin
      for (int k = 0; k < num_ksrs; k++) begin
        // Rows come with an activation and go with the kernel's last TB.
        ksrt_valid_from_activation_to_finish: assert (ksr_valid[k] == (
          activated && int'(tsr_scheduler.events_activated_ksr_o) == k ||
          u_last_cycle.ksr_valid_p[k] && !(u_last_cycle.finish && int'(u_last_cycle.event_ksr) == k)))
          else $error("KSR %0d", k);
        if (activated && int'(tsr_scheduler.events_activated_ksr_o) == k) check_activation(k);
        else if (ksr_valid[k]) check_row(k);
        // What is in the ring, and what may still come to it, has room there.
        ksrt_ptbq_room: assert (!ksr_valid[k] ||
                                int'(ksr_preempted[k]) + int'(ksr_promised[k]) <= PTBQ_DEPTH) else $error("KSR %0d", k);
      end
      // A kernel is done in the cycle after its last TB done was taken, and at no other time (3.7 rule 1).
      kernel_done_after_last_tb: assert (tsr_scheduler.kernel_done_valid_o == u_last_cycle.finish);
      kernel_done_is_of_that_kernel: assert (!u_last_cycle.finish || tsr_scheduler.kernel_done_descriptor_o ==
                                             u_last_cycle.ksr_descriptor_p[u_last_cycle.event_ksr]);
      // A finished kernel has no TB anywhere: none in the PTBQ, none being saved.
      finished_kernel_has_no_tb: assert (!u_last_cycle.finish ||
        u_last_cycle.ksr_preempted_p[u_last_cycle.event_ksr] == '0 &&
        int'(u_last_cycle.ksr_promised_p[u_last_cycle.event_ksr]) <= 1);
    end
  end

  // ---- recounts -----------------------------------------------------------------------------------------------------

  int owned[NUM_KSRS], reserved[NUM_KSRS], resident[NUM_KSRS], saving[NUM_KSRS], free_slots[NUM_KSRS];

  task automatic count_sm(int i);
    if (is_valid(smst_ksr[i])) begin
      resident[smst_ksr[i]] += int'(smst_running[i]);
      if (trapped[i]) saving[smst_ksr[i]] += int'(smst_running[i]);
      if (smst_state[i] == RUNNING) begin
        owned[smst_ksr[i]] += 1;
        free_slots[smst_ksr[i]] += int'(ksr_tbs_per_sm[smst_ksr[i]]) - int'(smst_running[i]);
      end
    end
    if (is_valid(smst_next[i])) reserved[smst_next[i]] += 1;
  endtask

  task automatic check_counts(int k);
    ksrt_owned_is_recounted: assert (int'(ksr_owned[k]) == owned[k]) else $error("KSR %0d", k);
    ksrt_reserved_is_recounted: assert (int'(ksr_reserved[k]) == reserved[k]) else $error("KSR %0d", k);
    // A TB that is out is on an SM or in the PTBQ.
    ksrt_outstanding_is_recounted: assert (int'(ksr_outstanding[k]) == resident[k] + int'(ksr_preempted[k]))
      else $error("KSR %0d", k);
    // Places are promised to the TBs of the kernel's trapped SMs.
    ksrt_promised_is_recounted: assert (int'(ksr_promised[k]) == saving[k]) else $error("KSR %0d", k);
    // Free slots of its SMs, and depth first all slots of those reserved for it.
    ksrt_covered_is_recounted: assert (int'(ksr_covered[k]) == free_slots[k] +
      (tsr_scheduler.strap_breadth_first_i ? 0 : reserved[k] * int'(ksr_tbs_per_sm[k]))) else $error("KSR %0d", k);
  endtask

  if (RECOUNT) begin : g_recount
    always @(posedge clk_i) begin
      if (rst_ni) begin
        for (int k = 0; k < num_ksrs; k++) {owned[k], reserved[k], resident[k], saving[k], free_slots[k]} = '0;
        for (int i = 0; i < num_sms; i++) count_sm(i);
        for (int k = 0; k < num_ksrs; k++) if (ksr_valid[k]) check_counts(k);
      end
    end
  end

  // ---- PTBQ (4.5) ---------------------------------------------------------------------------------------------------

  logic [TB_WIDTH+31:0] ring[NUM_KSRS*PTBQ_DEPTH];
  logic [NUM_KSRS-1:0][POINTER_WIDTH-1:0] head_p, tail_p;
  int handles_of_sm[NUM_SMS]; // of the save under way

  function automatic logic [POINTER_WIDTH-1:0] after(logic [POINTER_WIDTH-1:0] pointer, logic steps);
    return !steps ? pointer : int'(pointer) == PTBQ_DEPTH - 1 ? '0 : pointer + 1'b1;
  endfunction

  task automatic check_handle_in();
    n = int'(u_last_cycle.smst_ksr_p[u_last_cycle.handle_sm]);
    assume_handle_of_a_trapped_sm: assert (n < NUM_KSRS && u_last_cycle.trapped_p[u_last_cycle.handle_sm])
      else $error("SM %0d", u_last_cycle.handle_sm);
    if (n < NUM_KSRS) ring[n * PTBQ_DEPTH + int'(tail_p[n])] = u_last_cycle.handle;
    handles_of_sm[u_last_cycle.handle_sm] += 1;
  endtask

  task automatic check_handle_out();
    n = int'(u_last_cycle.smst_ksr_p[u_last_cycle.read_sm]);
    // What goes out is the oldest handle of the SM's kernel, as it came in (3.4 rule 2, 3.6).
    restored_handle_is_the_oldest: assert (n < NUM_KSRS && ring[n * PTBQ_DEPTH + int'(head_p[n])] ==
      {tsr_scheduler.dispatch_tb_o, tsr_scheduler.dispatch_stack_pointer_o}) else $error("KSR %0d", n);
    restored_handle_counted: assert (n < NUM_KSRS && u_last_cycle.ksr_preempted_p[n] != '0) else $error("KSR %0d", n);
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int i = 0; i < num_sms; i++) handles_of_sm[i] = 0;
    end else if (u_last_cycle.past_ok) begin
      for (int k = 0; k < num_ksrs; k++) begin
        ptbq_pointers_step: assert (
          head[k] == after(head_p[k], of_kernel(u_last_cycle.read, u_last_cycle.read_sm, k) == 1) &&
          tail[k] == after(tail_p[k], of_kernel(u_last_cycle.handle_valid, u_last_cycle.handle_sm, k) == 1))
          else $error("KSR %0d", k);
        // A finished kernel leaves its ring empty (4.5).
        ptbq_empty_without_kernel: assert (ksr_valid[k] || head[k] == tail[k]) else $error("KSR %0d", k);
      end
      if (u_last_cycle.read) check_handle_out();
      if (u_last_cycle.handle_valid) check_handle_in();
      if (u_last_cycle.saved) begin
        // All handles of a save come before its end (3.4 rule 4).
        assume_all_handles_before_preempted: assert (
          handles_of_sm[u_last_cycle.event_sm] == int'(u_last_cycle.saved_count))
          else $error("SM %0d", u_last_cycle.event_sm);
        handles_of_sm[u_last_cycle.event_sm] = 0;
      end
    end
    head_p = head;
    tail_p = tail;
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
