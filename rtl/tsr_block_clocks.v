// SPDX-License-Identifier: Apache-2.0
// Which blocks of the core may change at the next edge, by its registers alone (rtl.md, Clocks of the blocks): a block
// whose line is 0 keeps all that it holds, if no input that it hears is valid. With PARITY all act: the check of a word
// that was read follows a cycle later.
module tsr_block_clocks #(
`include "tsr_sizes.vh"
) (
  input       runs_i,            // 0: reset, or a fault has stopped it
  input [7:0] phase_i,
  input       activates_i,
  input       reads_handle_i,
  // The search and the commands
  input       search_rests_i,
  input       commands_rest_i,
  input       invokes_i,         // the engine, or a turn that is kept
  input       budget_read_i,
  // Tokens, a handle on its way, the open row
  input       tokens_settled_i,
  input       ptbq_settled_i,
  input       row_rests_i,
  output      search_acts_o,     // u_search, u_commands
  output      tables_act_o,      // u_tokens, u_contexts
  output      rings_act_o,       // u_ptbq
  output      row_acts_o         // u_ksr_row
);

`include "tsr_codes.vh"
`include "tsr_policy_table.vh"

  localparam HAS_PARTITIONS = (POLICIES & policies_with(IN_PARTITIONS)) != 0;

  wire all_act = !runs_i || PARITY != 0;
  wire enters  = phase_i[WRITE] && activates_i;
  wire unused  = &{1'b0, phase_i[PICK], phase_i[FIND], phase_i[SM]};

  // A job tells the search of a partition in any WRITE, of a command in that of its activation.
  assign search_acts_o = all_act || !search_rests_i || !commands_rest_i || invokes_i || enters ||
                         HAS_PARTITIONS && phase_i[WRITE];
  assign tables_act_o  = all_act || phase_i[CALC] || phase_i[WRITE] || !tokens_settled_i || budget_read_i;
  assign rings_act_o   = all_act || !ptbq_settled_i || reads_handle_i || enters;
  assign row_acts_o    = all_act || phase_i[ROW] || phase_i[LOAD] || phase_i[CALC] || phase_i[BURST] ||
                         phase_i[WRITE] || !row_rests_i;

endmodule
