// SPDX-License-Identifier: Apache-2.0
// The tables of tsr_scheduler (timing.md 4): counters against a recount of all SMs, TBs and handles against what
// went over the pins, bits that others look at against the rows that they stand for. Looked at while the engine picks:
// within a job, rows and SMs are on their way.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_table_checker #(
`include "tsr_sizes.vh"
  , parameter bit RECOUNT = 1 // sums over all SMs
) ();

`include "tsr_codes.vh"

  // Bounds of loops: variables, so that Verilator does not unroll them (a third of the compile time).
  int num_sms = NUM_SMS, num_ksrs = NUM_KSRS;

  wire clk_i   = tsr_scheduler.clk_i;
  wire rst_ni  = tsr_scheduler.rst_ni;
  wire picking = tsr_scheduler.phase[PICK];
  logic past_ok, was_write, was_write_2; // of the last cycle, and the one before
  always_ff @(posedge clk_i) begin
    past_ok     <= rst_ni;
    was_write   <= tsr_scheduler.phase[WRITE];
    was_write_2 <= was_write;
  end

  wire [NUM_SMS-1:0]                     sm_running = u_smst.running_q, sm_reserved = u_smst.reserved_q;
  wire [NUM_SMS-1:0][KSR_WIDTH-1:0]      sm_ksr = u_smst.ksr_q, sm_next = u_smst.next_q;
  wire [NUM_SMS-1:0][TB_COUNT_WIDTH-1:0] sm_count = u_smst.count_q;
  wire [NUM_SMS-1:0]                     sm_trapped = u_smst.trapped_q;

  function automatic logic is_valid(int k);
    return k < NUM_KSRS && u_logical_tables.valid[k];
  endfunction

  // ---- what went over the pins: launches, TBs, handles --------------------------------------------------------------

  logic [TB_WIDTH-1:0]         buffer_tbs[NUM_COMMAND_BUFFERS], launched[NUM_KSRS], sent[NUM_KSRS];
  logic                        has_sent[NUM_KSRS];       // one of its TBs, at least
  logic [TB_COUNT_WIDTH-1:0]   buffer_per_sm[NUM_COMMAND_BUFFERS], per_sm[NUM_KSRS];
  logic [DESCRIPTOR_WIDTH-1:0] buffer_descriptor[NUM_COMMAND_BUFFERS], launch_descriptor[NUM_KSRS];
  int                          handles[NUM_KSRS];        // in the ring, and counted by a `preempted`
  logic [TB_WIDTH+31:0]        ring[NUM_KSRS*PTBQ_DEPTH]; // as they came
  int                          first[NUM_KSRS], last[NUM_KSRS];
  int                          handles_of_sm[NUM_SMS];   // of the save under way
  int                          k, s, slot;

  wire                 fresh = tsr_scheduler.dispatch_valid_o && !tsr_scheduler.dispatch_is_restore_o;
  wire                 restore = tsr_scheduler.dispatch_valid_o && tsr_scheduler.dispatch_is_restore_o;

  task automatic launch();
    k = int'(tsr_scheduler.events_ksr_o);
    s = int'(tsr_scheduler.events_buffer_o);
    activation_takes_the_command: assert (k < NUM_KSRS && u_logical_tables.next_tb[k] == '0 &&
      u_logical_tables.remaining[k] == buffer_tbs[s] && u_logical_tables.tbs_per_sm[k] == buffer_per_sm[s] &&
      u_logical_tables.descriptor[k] == buffer_descriptor[s]) else $error("KSR %0d", k);
    activation_clears_counters: assert ({u_logical_tables.outstanding[k], u_logical_tables.preempted[k],
      u_logical_tables.covered[k], u_logical_tables.promised[k], u_logical_tables.head[k], u_logical_tables.owned[k],
      u_logical_tables.reserved[k]} == '0) else $error("KSR %0d", k);
    launched[k] = buffer_tbs[s];
    per_sm[k]   = buffer_per_sm[s];
    launch_descriptor[k] = buffer_descriptor[s];
    sent[k]     = '0;
    has_sent[k] = 1'b0;
    handles[k]  = 0;
    {first[k], last[k]} = '0;
  endtask

  task automatic send_fresh();
    k = int'(sm_ksr[int'(tsr_scheduler.dispatch_sm_o)]);
    fresh_tb_is_the_next: assert (k < NUM_KSRS && tsr_scheduler.dispatch_tb_o == sent[k] && sent[k] < launched[k])
      else $error("KSR %0d", k);
    if (k < NUM_KSRS) begin
      sent[k]     = sent[k] + 1'b1;
      has_sent[k] = 1'b1;
    end
  endtask

  function automatic int after(int place);
    return place == PTBQ_DEPTH - 1 ? 0 : place + 1;
  endfunction

  task automatic send_handle();
    k = int'(sm_ksr[int'(tsr_scheduler.dispatch_sm_o)]);
    handle_sent_is_the_oldest: assert (k < NUM_KSRS && handles[k] > 0 && ring[k*PTBQ_DEPTH + first[k]] ==
      {tsr_scheduler.dispatch_tb_o, tsr_scheduler.dispatch_stack_pointer_o}) else $error("KSR %0d", k);
    if (k < NUM_KSRS) begin
      first[k]   = after(first[k]);
      handles[k] = handles[k] - 1;
    end
  endtask

  task automatic take_handle();
    s = int'(tsr_scheduler.handle_sm_i);
    k = int'(sm_ksr[s]);
    if (k < NUM_KSRS) begin
      ring[k*PTBQ_DEPTH + last[k]] = {tsr_scheduler.handle_tb_i, tsr_scheduler.handle_stack_pointer_i};
      last[k] = after(last[k]);
    end
    handles_of_sm[s] = handles_of_sm[s] + 1;
  endtask

  // The handles of a save count when the job of its end begins.
  task automatic take_saved();
    s = int'(tsr_scheduler.sm);
    k = int'(sm_ksr[s]);
    if (sm_trapped[s] && k < NUM_KSRS) begin
      assume_all_handles_before_preempted: assert (handles_of_sm[s] == int'(sm_count[s])) else $error("SM %0d", s);
      handles[k] = handles[k] + handles_of_sm[s];
    end
    handles_of_sm[s] = 0;
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int i = 0; i < num_sms; i++) handles_of_sm[i] = 0;
    end else if (past_ok) begin
      if (tsr_scheduler.events_activated_o) launch();
      if (picking && !restore) check_sent(); // what the lane sends in this cycle is not counted yet
      if (fresh) send_fresh();
      if (restore) send_handle();
      if (tsr_scheduler.handle_valid_i) take_handle();
      if (tsr_scheduler.phase[SM] && tsr_scheduler.job[JOB_EVENT] && tsr_scheduler.event_kind == PREEMPTED) take_saved();
    end
    if (tsr_scheduler.command_valid_i) begin
      s = int'(tsr_scheduler.command_buffer_i);
      buffer_tbs[s]        = tsr_scheduler.command_num_tbs_i;
      buffer_per_sm[s]     = tsr_scheduler.command_tbs_per_sm_i;
      buffer_descriptor[s] = tsr_scheduler.command_descriptor_i;
    end
  end

  // No TB is lost: those sent, those not sent, and those that wait in the ring are what the rows say.
  task automatic check_sent();
    for (int i = 0; i < num_ksrs; i++) begin
      if (u_logical_tables.valid[i]) begin
        if (!has_sent[i]) sent[i] = u_logical_tables.next_tb[i]; // a bench may have let it start late
        ksrt_counts_fresh_tbs: assert (u_logical_tables.next_tb[i] == sent[i] &&
          u_logical_tables.remaining[i] == launched[i] - sent[i]) else $error("KSR %0d", i);
        ksrt_preempted_counts_handles: assert (int'(u_logical_tables.preempted[i]) == handles[i]) else $error("KSR %0d", i);
        ksrt_fields_of_the_command_stay: assert (u_logical_tables.tbs_per_sm[i] == per_sm[i] &&
          u_logical_tables.descriptor[i] == launch_descriptor[i]) else $error("KSR %0d", i);
      end
    end
  endtask

  // ---- recounts (4.2) -----------------------------------------------------------------------------------------------

  int owned[NUM_KSRS], reserved[NUM_KSRS], resident[NUM_KSRS], saving[NUM_KSRS], free_slots[NUM_KSRS];

  task automatic count_sm(int i);
    k = int'(sm_ksr[i]);
    // One owner per SM, a next one only if it is reserved, and TBs only of an owner.
    smst_one_owner: assert (sm_running[i] ? !sm_reserved[i] && is_valid(k) && sm_next[i] == NO_KSR :
      sm_reserved[i] ? (sm_ksr[i] == NO_KSR || is_valid(k)) && (sm_next[i] == NO_KSR || is_valid(int'(sm_next[i]))) :
      sm_ksr[i] == NO_KSR && sm_next[i] == NO_KSR) else $error("SM %0d", i);
    smst_running_within_tbs_per_sm: assert (sm_count[i] == '0 || is_valid(k) &&
      sm_count[i] <= u_logical_tables.tbs_per_sm[k]) else $error("SM %0d", i);
    if (is_valid(k)) begin
      resident[k] = resident[k] + int'(sm_count[i]);
      if (sm_trapped[i]) saving[k] = saving[k] + int'(sm_count[i]);
      if (sm_running[i]) begin
        owned[k]      = owned[k] + 1;
        free_slots[k] = free_slots[k] + int'(u_logical_tables.tbs_per_sm[k]) - int'(sm_count[i]);
      end
    end
    if (is_valid(int'(sm_next[i]))) reserved[int'(sm_next[i])] = reserved[int'(sm_next[i])] + 1;
  endtask

  task automatic check_counts(int i);
    slot = int'(u_logical_tables.tbs_per_sm[i]);
    ksrt_owned_is_recounted: assert (int'(u_logical_tables.owned[i]) == owned[i]) else $error("KSR %0d", i);
    ksrt_reserved_is_recounted: assert (int'(u_logical_tables.reserved[i]) == reserved[i]) else $error("KSR %0d", i);
    // A TB that is out is on an SM or in the PTBQ. What the lane holds SMs have counted, and the row has not.
    ksrt_outstanding_is_recounted: assert (int'(u_logical_tables.outstanding[i]) + int'(u_expected_lane.issues_in_flight[i]) -
      int'(u_expected_lane.counts_in_flight[i]) == resident[i] + int'(u_logical_tables.preempted[i]))
      else $error("KSR %0d", i);
    // Free slots of its SMs, and depth first all slots of those reserved for it.
    ksrt_covered_is_recounted: assert (int'(u_logical_tables.covered[i]) - int'(u_expected_lane.issues_in_flight[i]) +
      int'(u_expected_lane.frees_in_flight[i]) == free_slots[i] + (tsr_scheduler.strap_breadth_first_i ? 0 : reserved[i] * slot)) else $error("KSR %0d", i);
    // Places in a ring are promised to the TBs of trapped SMs.
    ksrt_promised_is_recounted: assert (PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM ||
      int'(u_logical_tables.promised[i]) == saving[i]) else $error("KSR %0d", i);
    ksrt_ring_has_room: assert (int'(u_logical_tables.preempted[i]) + saving[i] <= PTBQ_DEPTH) else $error("KSR %0d", i);
  endtask

  // ---- bits that stand for rows (4.2, 4.4) --------------------------------------------------------------------------

  longint              waiting, slots;
  logic [NUM_KSRS-1:0] uncovered, uncovered_1, uncovered_2; // by the rows of this cycle, and of those before

  function automatic longint lesser(longint a, longint b);
    return a < b ? a : b;
  endfunction
  task automatic look_at_rows();
    {uncovered_2, uncovered_1} = {uncovered_1, uncovered};
    for (int i = 0; i < num_ksrs; i++) begin
      waiting = longint'(u_logical_tables.remaining[i]) + longint'(u_logical_tables.preempted[i]);
      slots   = longint'(u_logical_tables.covered[i]);
      if (tsr_scheduler.strap_breadth_first_i) begin
        slots = lesser(slots, longint'(u_logical_tables.owned[i])) + longint'(u_logical_tables.reserved[i]);
      end
      uncovered[i] = waiting > slots;
    end
  endtask

  task automatic check_status(int i);
    fresh_says_remaining: assert (u_ksr_status.fresh_q[i] == (u_logical_tables.remaining[i] != '0)) else $error("KSR %0d", i);
    handles_says_preempted: assert (u_ksr_status.handles_q[i] == (u_logical_tables.preempted[i] != '0))
      else $error("KSR %0d", i);
    holds_says_sms: assert (u_ksr_status.holds_q[i] == (owned[i] + reserved[i] != 0)) else $error("KSR %0d", i);
    // Two cycles later than the row (4.4), which may be another kernel's before its activation.
    uncovered_says_tbs_without_slot: assert (was_write || was_write_2 || u_ksr_status.uncovered_q[i] == uncovered_2[i])
      else $error("KSR %0d", i);
  endtask

  if (RECOUNT) begin : g_recount
    always @(posedge clk_i) begin
      look_at_rows();
      if (rst_ni && picking) begin
        for (int i = 0; i < num_ksrs; i++) {owned[i], reserved[i], resident[i], saving[i], free_slots[i]} = '0;
        for (int i = 0; i < num_sms; i++) count_sm(i);
        for (int i = 0; i < num_ksrs; i++) begin
          if (u_logical_tables.valid[i]) begin
            check_counts(i);
            check_status(i);
          end
        end
      end
    end
  end

  // ---- priorities (3.2) and dues (3.1) ------------------------------------------------------------------------------

  logic                       was_priority_write;
  logic [3:0]                 written_priority;
  logic [CONTEXT_ADDRESS-1:0] written_context;
  logic [NUM_KSRS-1:0]        valid_p;
  logic [NUM_KSRS-1:0][3:0]   priority_p;
  always @(posedge clk_i) begin
    if (rst_ni && past_ok) begin
      for (int i = 0; i < num_ksrs; i++) begin
        ksr_priority_is_as_written: assert (!(valid_p[i] && u_logical_tables.valid[i]) || u_logical_tables.priority_of[i] ==
          (was_priority_write && written_context == u_logical_tables.context_of[i] ? written_priority : priority_p[i]))
          else $error("KSR %0d", i);
      end
    end
    was_priority_write = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o &&
                         tsr_scheduler.control_reg_i == CONTROL_PRIORITY;
    written_priority   = tsr_scheduler.control_data_i[3:0];
    written_context    = tsr_scheduler.control_context_i[CONTEXT_ADDRESS-1:0];
    valid_p            = u_logical_tables.valid;
    priority_p         = u_logical_tables.priority_of;
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
