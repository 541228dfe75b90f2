// SPDX-License-Identifier: Apache-2.0
// Binds the checkers to tsr_scheduler from outside: rtl/ knows nothing of them. TSR_CHECKERS_NO_RECOUNT leaves out what
// sums over all rows of all tables in every cycle.
`ifdef TSR_CHECKERS_NO_RECOUNT
  `define TSR_RECOUNT 1'b0
`else
  `define TSR_RECOUNT 1'b1
`endif

bind tsr_scheduler tsr_pin_checker #(
  .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS), .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS),
  .NUM_CONTEXTS(NUM_CONTEXTS), .SM_WIDTH($clog2(NUM_SMS + 1)), .KSR_WIDTH($clog2(NUM_KSRS + 1)),
  .CONTEXT_WIDTH($clog2(NUM_CONTEXTS + 1)), .BUFFER_WIDTH($clog2(NUM_COMMAND_BUFFERS + 1)),
  .TB_COUNT_WIDTH($clog2(MAX_TBS_PER_SM + 1))) u_pin_checker (.*);

bind tsr_scheduler tsr_logical_tables #(
  .NUM_KSRS(NUM_KSRS), .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS), .TB_WIDTH(TB_WIDTH),
  .SLOT_COUNT_WIDTH($clog2(NUM_SMS * MAX_TBS_PER_SM + 1))) u_logical_tables ();

bind tsr_scheduler tsr_last_cycle #(
  .TB_WIDTH(TB_WIDTH),
  .NUM_SMS(NUM_SMS), .NUM_KSRS(NUM_KSRS), .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS),
  .SM_WIDTH($clog2(NUM_SMS + 1)), .KSR_WIDTH($clog2(NUM_KSRS + 1)), .CONTEXT_WIDTH($clog2(NUM_CONTEXTS + 1)),
  .BUFFER_WIDTH($clog2(NUM_COMMAND_BUFFERS + 1)), .TB_COUNT_WIDTH($clog2(MAX_TBS_PER_SM + 1)),
  .SM_COUNT_WIDTH($clog2(NUM_SMS + 1)), .SLOT_COUNT_WIDTH($clog2(NUM_SMS * MAX_TBS_PER_SM + 1))) u_last_cycle ();

bind tsr_scheduler tsr_table_checker #(
  .TB_WIDTH(TB_WIDTH),
  .NUM_SMS(NUM_SMS), .NUM_KSRS(NUM_KSRS), .PTBQ_DEPTH(PTBQ_DEPTH),
  .SM_WIDTH($clog2(NUM_SMS + 1)), .KSR_WIDTH($clog2(NUM_KSRS + 1)), .CONTEXT_WIDTH($clog2(NUM_CONTEXTS + 1)),
  .TB_COUNT_WIDTH($clog2(MAX_TBS_PER_SM + 1)), .SM_COUNT_WIDTH($clog2(NUM_SMS + 1)),
  .SLOT_COUNT_WIDTH($clog2(NUM_SMS * MAX_TBS_PER_SM + 1)), .RECOUNT(`TSR_RECOUNT)) u_table_checker ();

bind tsr_scheduler tsr_driver_checker #(
  .TB_WIDTH(TB_WIDTH),
  .NUM_SMS(NUM_SMS), .MAX_TBS_PER_SM(MAX_TBS_PER_SM), .NUM_KSRS(NUM_KSRS), .PTBQ_DEPTH(PTBQ_DEPTH),
  .SM_WIDTH($clog2(NUM_SMS + 1)), .KSR_WIDTH($clog2(NUM_KSRS + 1)), .TB_COUNT_WIDTH($clog2(MAX_TBS_PER_SM + 1)),
  .SLOT_COUNT_WIDTH($clog2(NUM_SMS * MAX_TBS_PER_SM + 1))) u_driver_checker ();

bind tsr_scheduler tsr_search_checker #(
  .TB_WIDTH(TB_WIDTH),
  .NUM_SMS(NUM_SMS), .NUM_KSRS(NUM_KSRS), .NUM_COMMAND_BUFFERS(NUM_COMMAND_BUFFERS), .NUM_CONTEXTS(NUM_CONTEXTS),
  .SEARCH_WIDTH(SEARCH_WIDTH), .PIPELINED(PIPELINED), .POLICIES(POLICIES), .KSR_WIDTH($clog2(NUM_KSRS + 1)),
  .CONTEXT_WIDTH($clog2(NUM_CONTEXTS + 1)), .BUFFER_WIDTH($clog2(NUM_COMMAND_BUFFERS + 1)),
  .TB_COUNT_WIDTH($clog2(MAX_TBS_PER_SM + 1)), .SM_COUNT_WIDTH($clog2(NUM_SMS + 1)), .RECOUNT(`TSR_RECOUNT)
) u_search_checker ();

`undef TSR_RECOUNT
