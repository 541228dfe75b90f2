  // SPDX-License-Identifier: Apache-2.0
  // What the policies are (timing.md 5.4): a row for each, the set of its rules. A policy is named here, and nowhere else.
  // verilator lint_off UNUSEDPARAM
  localparam [3:0] FCFS = 4'd0, NPQ = 4'd1, PPQ = 4'd2, DSS = 4'd3, TIME_SLICE = 4'd4, EDF = 4'd5,
                   STATIC_PARTITION = 4'd6, NP_EDF = 4'd7;
  localparam [2:0] SWITCHES = 3'd0, DRAINS = 3'd1, FLUSHES = 3'd2, TECHNIQUES = 3'd3; // techniques, and how many

  localparam RULES = 24;
  localparam [RULES-1:0]
    NO_RULES               = 24'h000000,
    // How commands enter: from the buffer behind the last one, else in order of arrival; the first of the highest.
    ENTERS_IN_TURN         = 24'h000001,
    ENTERS_BY_PRIORITY     = 24'h000002,
    ENTERS_BY_DUE          = 24'h000004,
    ENTERS_BY_ORDER        = 24'h000008, // one of these two, as the policy register says
    ONE_CONTEXT            = 24'h000010, // only beside their own context
    // By what kernels are compared, if not all are equal.
    KEY_PRIORITY           = 24'h000020,
    KEY_DUE                = 24'h000040,
    KEY_ORDER              = 24'h000080, // one of these two
    KEY_TOKENS             = 24'h000100, // left
    KEY_NEARNESS           = 24'h000200, // of the context to the one in turn
    B_IS_POOREST           = 24'h000400, // tracker B: the lowest key of those that hold an SM; else the highest of all
    // When a kernel may have an SM: A, unless access is shared; else B.
    A_OF_FIRST_KEY         = 24'h000800,
    A_OF_FIRST_CONTEXT     = 24'h001000,
    B_OF_SCOPE_ALL         = 24'h002000, // if exclusive access takes all
    HAS_BUDGETS            = 24'h004000, // an idle one: with tokens left, or in debt
    // When it may take one away, and from whom.
    TAKES_ALWAYS           = 24'h008000,
    TAKES_IF_RICHER        = 24'h010000, // by two tokens than B
    TAKES_IN_TURN          = 24'h020000, // of B's context
    VICTIMS_LOWER_KEYS     = 24'h040000, // the lowest of them
    VICTIMS_OF_B           = 24'h080000,
    VICTIMS_OTHER_CONTEXTS = 24'h100000, // than B's
    // What else there is.
    KEEPS_SMS              = 24'h200000, // a linger, for the priority of the kernel that has left them
    TAKES_TURNS            = 24'h400000, // a slice timer
    IN_PARTITIONS          = 24'h800000, // a step looks at one partition alone
    ANY_RULE               = 24'hFFFFFF,
    ANY_ORDER              = ENTERS_BY_ORDER | KEY_ORDER,
    ANY_DUE                = ENTERS_BY_DUE | KEY_DUE | ANY_ORDER;
  // verilator lint_on UNUSEDPARAM

  function [RULES-1:0] policy_row(input [3:0] policy);
    case (policy)
      FCFS:       policy_row = ONE_CONTEXT;
      NPQ:        policy_row = ONE_CONTEXT | ENTERS_BY_PRIORITY;
      PPQ:        policy_row = ENTERS_IN_TURN | ENTERS_BY_PRIORITY | KEY_PRIORITY | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS | VICTIMS_LOWER_KEYS | KEEPS_SMS;
      DSS:        policy_row = ENTERS_IN_TURN | KEY_TOKENS | B_IS_POOREST | HAS_BUDGETS | TAKES_IF_RICHER | VICTIMS_OF_B;
      TIME_SLICE: policy_row = ENTERS_IN_TURN | KEY_NEARNESS | A_OF_FIRST_CONTEXT | TAKES_IN_TURN |
                               VICTIMS_OTHER_CONTEXTS | TAKES_TURNS;
      EDF:        policy_row = ENTERS_IN_TURN | ENTERS_BY_DUE | KEY_DUE | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS | VICTIMS_LOWER_KEYS;
      STATIC_PARTITION:
                  policy_row = ENTERS_IN_TURN | ENTERS_BY_ORDER | KEY_ORDER | A_OF_FIRST_KEY | B_OF_SCOPE_ALL |
                               TAKES_ALWAYS | VICTIMS_LOWER_KEYS | IN_PARTITIONS;
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
