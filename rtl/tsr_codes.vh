  // SPDX-License-Identifier: Apache-2.0
  // Codes on the pins and between the parts, once. No part uses all of them.
  // verilator lint_off UNUSEDPARAM
  localparam [2:0] CONTROL_POLICY = 3'd0, CONTROL_PRIORITY = 3'd1, CONTROL_TOKENS = 3'd2, CONTROL_PAGE_TABLE = 3'd3,
                   CONTROL_PARTITION = 3'd4, CONTROL_SLICE_END = 3'd5;
  localparam [2:0] TB_DONE = 3'd0, SETUP_DONE = 3'd1, RESTORE_DONE = 3'd2, PREEMPTED = 3'd3; // kinds of SM events
  localparam [2:0] SET_UP = 3'd0, TRAP = 3'd1, FLUSH = 3'd2; // kinds of SM commands
  localparam [1:0] ASSIGN = 2'd0, RESERVE = 2'd1, RETARGET = 2'd2; // kinds of moves
  localparam [1:0] DEBT_ALWAYS = 2'd0, DEBT_GAP = 2'd1, DEBT_LONE = 2'd2; // and never
  // Kinds of jobs, a bit each, in the order in which they are picked.
  localparam JOB_ACTIVATE = 0, JOB_DEAL = 1, JOB_MOVE = 2, JOB_LEAVE = 3, JOB_TRAP = 4, JOB_SETUP = 5, JOB_EVENT = 6,
             JOB_ISSUE = 7, JOB_EVICT = 8, JOBS = 9; // the last one with the first three
  // Phases of a job, a bit each.
  localparam PICK = 0, FIND = 1, SM = 2, ROW = 3, LOAD = 4, CALC = 5, BURST = 6, WRITE = 7, PHASES = 8;
  localparam [KSR_WIDTH-1:0] NO_KSR = {KSR_WIDTH{1'b1}};
  // verilator lint_on UNUSEDPARAM
