// SPDX-License-Identifier: Apache-2.0
// The tables of tsr_scheduler as docs/timing.md section 4 has them, for the checkers beside it: rtl/ keeps part of them
// in RAMs, and part of a launch is on its way from one to the other in the cycle after an activation. And what holds
// between the parts.
// verilator coverage_off
// A check works its expectation out step by step: blocking assignments to variables that nobody else reads.
// verilator lint_off BLKSEQ
module tsr_logical_tables #(
  parameter int NUM_KSRS            = 13,
  parameter int NUM_COMMAND_BUFFERS = 16,
  parameter int NUM_CONTEXTS        = 16,
  parameter int TB_WIDTH            = 32,
  parameter int SLOT_COUNT_WIDTH    = 8
) ();

  localparam int RW = TB_WIDTH > SLOT_COUNT_WIDTH + 1 ? SLOT_COUNT_WIDTH + 1 : TB_WIDTH; // of what a row counts

  // Bounds of loops: variables, so that Verilator does not unroll them (a third of the compile time).
  int num_ksrs = NUM_KSRS;

  wire clk_i  = tsr_scheduler.clk_i;
  wire rst_ni = tsr_scheduler.rst_ni;

  // ---- the tables ---------------------------------------------------------------------------------------------------

  // Of rows that are not valid: whatever there is.
  wire [NUM_COMMAND_BUFFERS-1:0][TB_WIDTH-1:0] buffer_num_tbs;
  wire [NUM_COMMAND_BUFFERS-1:0][39:0]         buffer_descriptor;
  wire [NUM_KSRS-1:0][39:0]                    ksr_descriptor;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0]            ksr_remaining;
  wire [NUM_CONTEXTS-1:0][63:0]                page_table;

  for (genvar b = 0; b < NUM_COMMAND_BUFFERS; b++) begin : g_buffer
    assign {buffer_num_tbs[b], buffer_descriptor[b]} = u_command_buffers.u_launches.mem_q[b];
  end
  for (genvar c = 0; c < NUM_CONTEXTS; c++) begin : g_context
    assign page_table[c] = u_context_table.has_page_table_q[c] ? u_context_table.u_page_tables.mem_q[c] : '0;
  end

  // A KSR borrowed in the last cycle: it sent a TB while what it counts was 0.
  wire borrowed_last = TB_WIDTH > RW && u_last_cycle.past_ok && u_last_cycle.fresh &&
                       RW'(u_last_cycle.ksr_remaining_p[u_last_cycle.smst_ksr_p[u_last_cycle.fresh_sm]]) == '0;

  wire [NUM_KSRS-1:0]               ksr_valid   = u_ksrt.valid_q;
  wire [NUM_KSRS-1:0][RW-1:0]       counted     = u_ksrt.remaining_q;
  wire [NUM_KSRS-1:0]               has_more    = u_ksrt.has_more_q;
  wire [NUM_KSRS-1:0][TB_WIDTH-1:0] ksr_next_tb = u_ksrt.next_tb_q;
  wire [NUM_KSRS-1:0]               is_arriving; // its launch, in this cycle
  wire [NUM_KSRS-1:0]               has_fresh   = u_ksrt.has_fresh_q;
  wire [NUM_KSRS-1:0]               has_handles = u_ksrt.has_handles_q;
  wire [NUM_KSRS-1:0][SLOT_COUNT_WIDTH-1:0] ksr_preempted = u_ksrt.preempted_q;

  for (genvar k = 0; k < NUM_KSRS; k++) begin : g_ksr
    wire [TB_WIDTH-1:0] remaining;
    assign is_arriving[k]    = u_ksrt.launch_valid_q && int'(u_ksrt.launch_ksr_q) == k;
    assign ksr_descriptor[k] = is_arriving[k] ? u_command_buffers.retired_descriptor_o
                                              : u_ksrt.u_descriptors.mem_q[k];
    assign ksr_remaining[k]  = is_arriving[k] ? u_command_buffers.retired_num_tbs_o : remaining;
    // The whole of what the row counts the low bits of: the RAM has the upper bits of the first number.
    if (TB_WIDTH > RW) begin : g_more
      wire [TB_WIDTH-1:0]    at_first = ksr_next_tb[k] + TB_WIDTH'(counted[k]); // but for what was borrowed
      wire [TB_WIDTH-RW-1:0] left     = u_ksrt.g_more.u_more.mem_q[k] - at_first[TB_WIDTH-1:RW];
      assign remaining = {left, counted[k]};
      wire unused = &{1'b0, at_first};
    end else begin : g_no_more
      assign remaining = counted[k];
    end
  end

  // ---- what holds between their parts -------------------------------------------------------------------------------

  // The launches of kernels, as they came: of a command buffer, of a KSR.
  logic [TB_WIDTH-1:0] buffer_launched[NUM_COMMAND_BUFFERS], ksr_launched[NUM_KSRS];
  logic                borrowed; // a fresh TB was sent where the low bits were 0

  task automatic check_row(int k);
    // Sent and not sent: together what the command said (4.3).
    sent_and_remaining_are_the_launch: assert (ksr_next_tb[k] + ksr_remaining[k] == ksr_launched[k])
      else $error("KSR %0d", k);
    // Until its launch is there a kernel counts one TB, and nothing can have been sent.
    arriving_kernel_counts_one_tb: assert (!is_arriving[k] ||
      int'(counted[k]) == 1 && !has_more[k] && ksr_next_tb[k] == '0) else $error("KSR %0d", k);
    // Whether there are more than the row counts is known, but for the cycle after the count went round: then it says
    // what was true before.
    borrowed = u_last_cycle.fresh && int'(u_last_cycle.smst_ksr_p[u_last_cycle.fresh_sm]) == k &&
               RW'(u_last_cycle.ksr_remaining_p[k]) == '0;
    more_than_it_counts: assert (is_arriving[k] || has_more[k] == (borrowed || (ksr_remaining[k] >> RW) != '0))
      else $error("KSR %0d", k);
    // What may be issued is known at the beginning of a cycle.
    has_fresh_if_any_remain: assert (has_fresh[k] == (ksr_remaining[k] != '0)) else $error("KSR %0d", k);
    has_handles_if_any_is_preempted: assert (has_handles[k] == (ksr_preempted[k] != '0)) else $error("KSR %0d", k);
  endtask

  always @(posedge clk_i) begin
    if (rst_ni && u_last_cycle.past_ok) begin
      if (tsr_scheduler.events_activated_o) begin
        ksr_launched[int'(tsr_scheduler.events_activated_ksr_o)] =
          buffer_launched[int'(tsr_scheduler.events_activated_buffer_o)];
      end
      launch_arrives_after_activation: assert (is_arriving == (!tsr_scheduler.events_activated_o ? '0 :
        NUM_KSRS'(1) << tsr_scheduler.events_activated_ksr_o));
      for (int k = 0; k < num_ksrs; k++) if (ksr_valid[k]) check_row(k);
    end
    if (tsr_scheduler.command_valid_i) begin
      buffer_launched[int'(tsr_scheduler.command_buffer_i)] = tsr_scheduler.command_num_tbs_i;
    end
  end
endmodule
// verilator lint_on BLKSEQ
// verilator coverage_on
