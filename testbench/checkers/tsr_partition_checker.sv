// SPDX-License-Identifier: Apache-2.0
// Partitions of tsr_scheduler (timing.md 5.8): in which something has changed, worked out again from what jobs and
// the OS do; which one a step is about; and what partitions are for: no move crosses their bounds, and at rest nobody
// waits beside an idle SM of its own. Nothing, without static_partition in POLICIES.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_partition_checker #(
`include "tsr_sizes.vh"
) ();

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam int IDLE = 0, BEGIN = 1, SCAN = 2, WALK = 4, MOVE = 7; // the core's states, a bit each
  localparam bit HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;
  int num_sms = NUM_SMS, num_ksrs = NUM_KSRS; // variables, so that Verilator does not unroll loops

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;
  wire is_on  = |(u_logical_tables.rules & IN_PARTITIONS);
  wire [7:0] phase = tsr_scheduler.phase;
  wire [8:0] job   = tsr_scheduler.job;

  wire is_written      = tsr_scheduler.control_valid_i && tsr_scheduler.control_ready_o;
  wire restarts        = is_written && u_logical_tables.restarts(tsr_scheduler.control_reg_i);
  wire policy_write    = is_written && tsr_scheduler.control_reg_i == CONTROL_POLICY;
  wire partition_write = is_written && tsr_scheduler.control_reg_i == CONTROL_PARTITION;

  function automatic logic is_valid(int ksr);
    return ksr < NUM_KSRS && u_logical_tables.valid[ksr];
  endfunction

  function automatic logic is_idle(int sm);
    return !u_smst.running_q[sm] && !u_smst.reserved_q[sm];
  endfunction

  function automatic logic can_be_assigned(int sm);
    return is_idle(sm) && !u_logical_tables.sm_full[sm];
  endfunction

  // A kernel's number, or NUM_KSRS or more.
  function automatic int counts_against(int sm);
    if (u_smst.running_q[sm]) return int'(u_smst.ksr_q[sm*KSR_WIDTH +: KSR_WIDTH]);
    return u_smst.reserved_q[sm] ? int'(u_smst.next_q[sm*KSR_WIDTH +: KSR_WIDTH]) : NUM_KSRS;
  endfunction

  if (HAS_PARTITIONS) begin : g_partitions

    // ---- bits, and the step (1 to 8) --------------------------------------------------------------------------------

    logic [NUM_SMS-1:0] dirty, sets;
    logic survey, surveys, has_partition, mixed, asks;
    int   last, current, at, visited, whose, next_partition;
    wire [7:0] written_sm = tsr_scheduler.control_data_i[15:8];

    function automatic logic [NUM_SMS-1:0] bit_of(int partition);
      return partition < NUM_SMS ? NUM_SMS'(1) << partition : '0;
    endfunction

    wire is_in_walk = is_on && u_search.state_q[WALK];

    // What the job of this cycle sets.
    task automatic step_job();
      if (!phase[WRITE]) return;
      visited = int'(tsr_scheduler.ksr_q);
      at      = int'(tsr_scheduler.sm);
      if (job[JOB_ACTIVATE]) sets |= bit_of(int'(tsr_scheduler.launch_partition));
      if (!tsr_scheduler.is_second && is_valid(visited) &&
          (job[JOB_MOVE] && tsr_scheduler.is_take || tsr_scheduler.finishes ||
           tsr_scheduler.saved && tsr_scheduler.sm_count != '0)) begin
        sets |= bit_of(int'(u_logical_tables.partition_of[visited]));
      end
      if (tsr_scheduler.finishes && !tsr_scheduler.is_second) begin
        if (mixed || is_in_walk && surveys) asks = 1'b1;
        if (is_in_walk && has_partition) sets |= bit_of(current); // the queue closes up under it
      end
      // Of the SM whether its kernel was to keep it, or to give it on.
      if (tsr_scheduler.last_write && (tsr_scheduler.hands_over || tsr_scheduler.releases)) begin
        sets |= bit_of(int'(u_logical_tables.sm_partition[at]));
      end
      // An idle one can be set up again (3.11).
      if (tsr_scheduler.answers && is_idle(at) && u_logical_tables.sm_full[at]) begin
        sets |= bit_of(int'(u_logical_tables.sm_partition[at]));
      end
    endtask

    // 5: the last cycle of a move; and whether it was a take that found no SM of the victim's. Which SM a take is about.
    wire move_ends  = job[JOB_MOVE] && (phase[CALC] ? tsr_scheduler.rejected :
                                        phase[WRITE] && (tsr_scheduler.is_second || !tsr_scheduler.is_take));
    wire finds_none = tsr_scheduler.is_take && !tsr_scheduler.of_foreign && taken == NUM_SMS;
    int   taken; // NUM_SMS: none
    task automatic find();
      taken = NUM_SMS;
      for (int sm = num_sms - 1; sm >= 0; sm--) if (may_be_taken(sm)) taken = sm;
      for (int sm = num_sms - 1; sm >= 0; sm--) if (may_be_taken(sm) && u_smst.reserved_q[sm]) taken = sm;
    endtask
    function automatic logic may_be_taken(int sm);
      return is_valid(counts_against(sm)) && u_logical_tables.sm_partition[sm] == u_logical_tables.partition &&
             (tsr_scheduler.of_foreign ? u_logical_tables.sm_foreign[sm] : counts_against(sm) == int'(tsr_scheduler.victim));
    endfunction

    // Which SMs may be foreign (4). What a move writes is on the pins in the next cycle.
    logic [NUM_SMS-1:0] foreign;
    task automatic check_foreign();
      if (tsr_scheduler.events_moved_o) foreign[int'(tsr_scheduler.events_sm_o)] = 1'b0;
      foreign_bits_as_writes_and_moves_say: assert (u_logical_tables.sm_foreign == foreign)
        else $error("%b, not %b", u_logical_tables.sm_foreign, foreign);
      for (int sm = 0; sm < num_sms; sm++) begin
        whose = counts_against(sm);
        foreign_sms_are_known: assert (!is_on || !is_valid(whose) || foreign[sm] ||
          u_logical_tables.partition_of[whose] == u_logical_tables.sm_partition[sm]) else $error("SM %0d", sm);
      end
    endtask
    task automatic step_foreign();
      if (phase[CALC] && job[JOB_MOVE] && tsr_scheduler.is_take && tsr_scheduler.of_foreign && taken < NUM_SMS) begin
        whose = counts_against(taken);
        if (u_logical_tables.partition_of[whose] == u_logical_tables.partition) foreign[taken] = 1'b0; // it is not
      end
      if (policy_write) foreign = '1;
      if (partition_write && int'(written_sm) < NUM_SMS) foreign[int'(written_sm)] = 1'b1;
    endtask

    // Entries that a survey has found two cycles ago are known by now.
    task automatic step_survey();
      if (!is_on || !surveys || !u_search.u_walk.pass_2_q) return;
      for (int lane = 0; lane < SEARCH_WIDTH; lane++) begin
        visited = int'(u_search.u_walk.ksr_2_q[lane*KSR_WIDTH +: KSR_WIDTH]);
        if (u_search.u_walk.entry_2_q[lane]) sets |= bit_of(int'(u_logical_tables.partition_of[visited]));
      end
    endtask

    task automatic choose();
      surveys       = survey;
      has_partition = !survey && dirty != '0;
      survey        = 1'b0;
      if (!has_partition) return;
      next_partition = (last + 1) % NUM_SMS;
      while (!dirty[next_partition]) next_partition = (next_partition + 1) % NUM_SMS;
      {last, current} = {next_partition, next_partition};
      dirty[last]     = 1'b0;
    endtask

    // Nothing comes to a partition that its bit was not set for: TBs without a slot two cycles after it, SMs at once. But
    // by an eviction (3.12) TBs do: its policy has no partitions, and the write of another one asks for a survey.
    logic [NUM_SMS-1:0]  told, told_1, told_2, told_of_sms, was_idle;
    wire                 evicts = phase[WRITE] && job[JOB_EVICT] && is_valid(int'(tsr_scheduler.ksr_q));
    logic [NUM_KSRS-1:0] was_uncovered;

    task automatic check_told();
      for (int k = 0; k < num_ksrs; k++) begin
        whose = int'(u_logical_tables.partition_of[k]);
        if (is_valid(k) && u_ksr_status.uncovered_q[k] && !was_uncovered[k] && whose < NUM_SMS) begin
          uncovered_where_a_bit_was_set: assert (told_2[whose]) else $error("KSR %0d", k);
        end
      end
      for (int sm = 0; sm < num_sms; sm++) begin
        whose = int'(u_logical_tables.sm_partition[sm]);
        if (is_on && can_be_assigned(sm) && !was_idle[sm] && whose < NUM_SMS) begin
          idle_where_a_bit_was_set: assert (told_of_sms[whose]) else $error("SM %0d", sm);
        end
      end
      was_uncovered = u_ksr_status.uncovered_q;
      was_idle      = ~(u_smst.running_q | u_smst.reserved_q | u_logical_tables.sm_full);
    endtask

    wire begins_walk = !restarts && (u_search.state_q[BEGIN] && !u_search.scan_o ||
                                           u_search.state_q[SCAN] && u_search.scanned_i && !u_search.may);

    always @(posedge clk_i) begin
      if (!rst_ni) begin
        {dirty, survey, surveys, has_partition, mixed} = '0;
        last    = NUM_SMS - 1;
        current = 0;
        {told, told_1, told_2, told_of_sms, was_uncovered, foreign} = '0;
        taken    = NUM_SMS;
        was_idle = '1;
      end else begin
        dirty_is_what_has_changed: assert (u_search.g_partitions.u_partitions.dirty_q == dirty);
        survey_is_as_asked: assert (u_search.g_partitions.u_partitions.survey_q == survey &&
                                    u_search.g_partitions.u_partitions.mixed_q == mixed);
        step_is_about_the_next: assert (u_logical_tables.has_partition == has_partition &&
                                        (!has_partition || int'(u_logical_tables.partition) == current));
        check_told();
        check_foreign();
        step_foreign();
        {sets, asks} = '0;
        if (phase[FIND] && job[JOB_MOVE]) find();
        step_job();
        {told_2, told_1, told} = {told_1, told, sets};
        if (evicts) told |= bit_of(int'(u_logical_tables.partition_of[int'(tsr_scheduler.ksr_q)]));
        told_of_sms = sets | {NUM_SMS{asks || restarts}}; // a survey looks at all
        step_survey();
        if (is_on && u_search.state_q[MOVE] && has_partition && move_ends && !finds_none) sets |= bit_of(current);
        // Bits stay set as long as the policy has no partitions: what sets one shows in its cycle alone.
        sets_as_something_changes: assert (u_search.g_partitions.u_partitions.sets == sets)
          else $error("%b, not %b", u_search.g_partitions.u_partitions.sets, sets);
        if (is_on && begins_walk) choose();
        if (policy_write) begin
          dirty = '0;
          last  = NUM_SMS - 1;
        end
        dirty |= sets;
        survey = survey || asks || restarts;
        mixed  = policy_write || partition_write || mixed && u_active_queue.valid_q[0];
      end
    end

    // ---- whose partition it is ------------------------------------------------------------------------------------

    logic [NUM_SMS-1:0][PARTITION_WIDTH-1:0]             written;
    logic [NUM_COMMAND_BUFFERS-1:0][PARTITION_WIDTH-1:0] commanded;

    always @(posedge clk_i) begin
      if (!rst_ni) begin
        written = '0;
      end else begin
        sm_partition_is_as_written: assert (u_logical_tables.sm_partition == written);
        kernel_has_its_commands_partition: assert (!tsr_scheduler.events_activated_o ||
          u_logical_tables.partition_of[int'(tsr_scheduler.events_ksr_o)] ==
          commanded[int'(tsr_scheduler.events_buffer_o)]);
        if (partition_write && int'(written_sm) < NUM_SMS) begin
          written[int'(written_sm)] = tsr_scheduler.control_data_i[PARTITION_WIDTH-1:0];
        end
        if (tsr_scheduler.command_valid_i) begin
          commanded[int'(tsr_scheduler.command_buffer_i)] = tsr_scheduler.command_partition_i;
        end
      end
    end

    // ---- what it is for ---------------------------------------------------------------------------------------------

    wire at_rest = u_search.state_q[IDLE] && phase[PICK] && !tsr_scheduler.invokes_q && !u_ksr_status.write_q &&
                   !u_ksr_status.write_2_q;

    function automatic logic is_above(int one, int other);
      if (tsr_scheduler.u_policy_register.is_by_priority)
        return u_logical_tables.priority_of[one] > u_logical_tables.priority_of[other];
      return u_logical_tables.has_due[one] && (!u_logical_tables.has_due[other] ||
                                               $signed(u_logical_tables.due[one] - u_logical_tables.due[other]) < 0);
    endfunction

    function automatic logic may_have_an_sm(int ksr);
      for (int other = 0; other < num_ksrs; other++) begin
        if (is_valid(other) && u_logical_tables.partition_of[other] == u_logical_tables.partition_of[ksr] &&
            !tsr_scheduler.u_policy_register.shared_q && is_above(other, ksr)) return 1'b0;
      end
      return 1'b1;
    endfunction

    function automatic logic has_idle_sm(int partition);
      for (int sm = 0; sm < num_sms; sm++) begin
        if (can_be_assigned(sm) && int'(u_logical_tables.sm_partition[sm]) == partition && partition < NUM_SMS) return 1'b1;
      end
      return 1'b0;
    endfunction

    logic was_at_rest;
    always @(posedge clk_i) begin
      if (rst_ni && is_on) begin
        move_stays_in_its_partition: assert (!tsr_scheduler.events_moved_o ||
          u_logical_tables.sm_partition[int'(tsr_scheduler.events_sm_o)] ==
          u_logical_tables.partition_of[int'(tsr_scheduler.events_ksr_o)]);
        for (int k = 0; k < num_ksrs; k++) begin
          if (at_rest && !was_at_rest && is_valid(k) && u_ksr_status.uncovered_q[k]) begin
            nobody_waits_beside_an_idle_sm: assert (!may_have_an_sm(k) ||
              !has_idle_sm(int'(u_logical_tables.partition_of[k]))) else $error("KSR %0d", k);
          end
        end
      end
      was_at_rest = rst_ni && is_on && at_rest;
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
