  // SPDX-License-Identifier: Apache-2.0
  // What the policies are (timing.md 5.4): a row for each, the set of its rules. A policy is named here, and nowhere else.
  // verilator lint_off UNUSEDPARAM
  localparam [3:0] FCFS = 4'd0, NPQ = 4'd1, PPQ = 4'd2, DSS = 4'd3, TIME_SLICE = 4'd4, EDF = 4'd5,
                   STATIC_PARTITION = 4'd6, NP_EDF = 4'd7;
  localparam [2:0] SWITCHES = 3'd0, DRAINS = 3'd1, FLUSHES = 3'd2, TECHNIQUES = 3'd3; // techniques, and how many

  localparam RULES = 20;
  localparam [RULES-1:0]
    NO_RULES           = 20'h00000,
    // How commands enter: from the buffer behind the last one, else in order of arrival; the first of the highest.
    ENTERS_IN_TURN     = 20'h00001,
    ENTERS_BY_PRIORITY = 20'h00002,
    ENTERS_BY_DUE      = 20'h00004,
    ENTERS_BY_ORDER    = 20'h00008, // one of these two, as the policy register says
    ONE_CONTEXT        = 20'h00010, // only beside their own context
    // By what kernels are compared, if not all are equal.
    KEY_PRIORITY       = 20'h00020,
    KEY_DUE            = 20'h00040,
    KEY_ORDER          = 20'h00080, // one of these two
    KEY_TOKENS         = 20'h00100, // left
    KEY_NEARNESS       = 20'h00200, // of the context to the one in turn
    // When a kernel may have an SM: A, unless access is shared; else B.
    A_OF_FIRST_KEY     = 20'h00400,
    A_OF_FIRST_CONTEXT = 20'h00800,
    B_OF_SCOPE_ALL     = 20'h01000, // if exclusive access takes all
    HAS_BUDGETS        = 20'h02000, // an idle one: with tokens left, or in debt
    // When it may take one away.
    TAKES_ALWAYS       = 20'h04000,
    TAKES_IF_RICHER    = 20'h08000, // by two tokens than the victim
    TAKES_IN_TURN      = 20'h10000, // of B's context
    // What else there is.
    KEEPS_SMS          = 20'h20000, // a linger, for the priority of the kernel that has left them
    TAKES_TURNS        = 20'h40000, // a slice timer
    IN_PARTITIONS      = 20'h80000, // a step looks at one partition alone
    ANY_RULE           = 20'hFFFFF,
    ANY_ORDER          = ENTERS_BY_ORDER | KEY_ORDER,
    ANY_DUE            = ENTERS_BY_DUE | KEY_DUE | ANY_ORDER,
    ANY_TAKE           = TAKES_ALWAYS | TAKES_IF_RICHER | TAKES_IN_TURN;
  // verilator lint_on UNUSEDPARAM

  function [RULES-1:0] policy_row(input [3:0] policy);
    case (policy)
      FCFS:       policy_row = ONE_CONTEXT;
      NPQ:        policy_row = ONE_CONTEXT | ENTERS_BY_PRIORITY;
      PPQ:        policy_row = ENTERS_IN_TURN | ENTERS_BY_PRIORITY | KEY_PRIORITY | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS | KEEPS_SMS;
      DSS:        policy_row = ENTERS_IN_TURN | KEY_TOKENS | HAS_BUDGETS | TAKES_IF_RICHER;
      TIME_SLICE: policy_row = ENTERS_IN_TURN | KEY_NEARNESS | A_OF_FIRST_CONTEXT | TAKES_IN_TURN | TAKES_TURNS;
      EDF:        policy_row = ENTERS_IN_TURN | ENTERS_BY_DUE | KEY_DUE | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS;
      STATIC_PARTITION:
                  policy_row = ENTERS_IN_TURN | ENTERS_BY_ORDER | KEY_ORDER | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS | IN_PARTITIONS;
      NP_EDF:     policy_row = ONE_CONTEXT | ENTERS_BY_DUE;
`ifdef TSR_OWN_POLICIES // more rows
`include "tsr_own_policies.vh"
`endif
      default:    policy_row = NO_RULES;
    endcase
  endfunction

  // The policies that have one of these rules, a bit for each code.
  function [31:0] policies_with(input [RULES-1:0] rules);
    integer policy;
    begin
      policies_with = 32'd0;
      for (policy = 0; policy < 16; policy = policy + 1)
        policies_with[policy] = (policy_row(policy[3:0]) & rules) != NO_RULES;
    end
  endfunction
