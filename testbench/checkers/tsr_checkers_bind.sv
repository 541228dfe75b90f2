// SPDX-License-Identifier: Apache-2.0
// Binds the checkers to tsr_scheduler from outside: rtl/ knows nothing of them. TSR_CHECKERS_NO_RECOUNT leaves out
// what sums over all rows of all tables.
`ifdef TSR_CHECKERS_NO_RECOUNT
  `define TSR_RECOUNT 1'b0
`else
  `define TSR_RECOUNT 1'b1
`endif

bind tsr_scheduler tsr_pin_checker #(
`include "tsr_pass_sizes.vh"
) u_pin_checker (.*);

bind tsr_scheduler tsr_logical_tables #(
`include "tsr_pass_sizes.vh"
) u_logical_tables ();

bind tsr_scheduler tsr_table_checker #(.RECOUNT(`TSR_RECOUNT),
`include "tsr_pass_sizes.vh"
) u_table_checker ();

bind tsr_scheduler tsr_token_checker #(.RECOUNT(`TSR_RECOUNT),
`include "tsr_pass_sizes.vh"
) u_token_checker ();

bind tsr_scheduler tsr_expected_sms #(
`include "tsr_pass_sizes.vh"
) u_sms ();

bind tsr_scheduler tsr_expected_burst #(
`include "tsr_pass_sizes.vh"
) u_burst ();

bind tsr_scheduler tsr_expected_lane #(
`include "tsr_pass_sizes.vh"
) u_expected_lane ();

bind tsr_scheduler tsr_expected_jobs #(
`include "tsr_pass_sizes.vh"
) u_jobs ();

bind tsr_scheduler tsr_engine_checker #(
`include "tsr_pass_sizes.vh"
) u_engine_checker ();

bind tsr_scheduler tsr_search_checker #(
`include "tsr_pass_sizes.vh"
) u_search_checker ();

bind tsr_scheduler tsr_walk_checker #(
`include "tsr_pass_sizes.vh"
) u_walk_checker ();

bind tsr_scheduler tsr_partition_checker #(
`include "tsr_pass_sizes.vh"
) u_partition_checker ();

bind tsr_scheduler tsr_turn_checker #(
`include "tsr_pass_sizes.vh"
) u_turn_checker ();

bind tsr_scheduler tsr_linger_checker #(
`include "tsr_pass_sizes.vh"
) u_linger_checker ();

`undef TSR_RECOUNT
