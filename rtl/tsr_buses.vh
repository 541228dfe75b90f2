  // SPDX-License-Identifier: Apache-2.0
  // Signals that pass between the parts together: where each field of a bus lies, once. No part uses all of them.
  // verilator lint_off UNUSEDPARAM
  // policy: the policy register, as the search follows it; of its rules, RULES bits (tsr_policy_table.vh)
  localparam POLICY_SHARED = 0, POLICY_ALL = 1, POLICY_BY_PROCESS = 2, POLICY_DEBT = 3, POLICY_KEPT = 5,
             POLICY_OF_GPU = 6, POLICY_RULES = 7;
  // os_write: what the OS writes in this cycle, a bit for each kind; for which context, and the low bits of the data
  localparam OS_POLICY = 0, OS_PRIORITY = 1, OS_TOKENS = 2, OS_PAGE_TABLE = 3, OS_PARTITION = 4, OS_SLICE_END = 5,
             OS_DATA = 6, OS_CONTEXT = 22;
  // kept_turn: what a kept turn asks of the search
  localparam KEPT_MAY = 0, KEPT_HOLDS_COMMANDS = 1, KEPT_SETS_TURN = 2, KEPT_EVICTS = 3, KEPT_NEXT_TURN = 4;
  // look_status: what the KSR status has of the entries of a step, a lane each; look_launch: a cycle later, from RAM
  localparam LOOK_VALID = 0, LOOK_UNCOVERED = SEARCH_WIDTH, LOOK_HOLDS = 2*SEARCH_WIDTH, LOOK_PRIORITY = 3*SEARCH_WIDTH,
             LOOK_CONTEXT = 7*SEARCH_WIDTH;
  localparam LOOK_HAS_DUE = 0, LOOK_DUE = SEARCH_WIDTH, LOOK_PARTITION = (1 + DUE_WIDTH)*SEARCH_WIDTH;
  // step_partition: which partition a step of the search is about, if the policy has partitions and one was chosen
  localparam PARTITION_IS_ON = 0, PARTITION_IS_CHOSEN = 1, PARTITION_NUMBER = 2;
  // changes: in whose partitions the job's WRITE changes something
  localparam CHANGES_KERNEL = 0, CHANGES_SM = 1, CHANGES_FINISHES = 2, CHANGES_KERNEL_PARTITION = 3,
             CHANGES_SM_PARTITION = 3 + PARTITION_WIDTH;
  // move: the outcome of a search. A take is from the victim, or from any kernel of another partition; an assign may
  // give SMs that are kept, and with budgets as many as the limit says.
  localparam MOVE_IS_TAKE = 0, MOVE_OF_FOREIGN = 1, MOVE_TAKES_IDLE = 2, MOVE_GETS_KEPT = 3, MOVE_KSR = 4,
             MOVE_VICTIM = 4 + KSR_WIDTH, MOVE_LIMIT = 4 + 2*KSR_WIDTH;
  // sm_row: the row of SMST that is the job's
  localparam SM_RUNNING = 0, SM_RESERVED = 1, SM_TRAPPED = 2, SM_RESTORING = 3, SM_DRAINS = 4, SM_KSR = 5,
             SM_NEXT = 5 + KSR_WIDTH, SM_COUNT = 5 + 2*KSR_WIDTH;
  // status: what a WRITE says of the row of its KSR; few: of the low bits of its numbers few are left, either way
  localparam STATUS_FRESH = 0, STATUS_HANDLES = 1, STATUS_HOLDS = 2, STATUS_FEW = 3, STATUS_TBS_PER_SM = 4;
  // lane_sm: what the SM of its entry in R lets the refill lane do; lane_step: what the lane then makes of it
  localparam LANE_REFILLS = 0, LANE_COUNTS = 1, LANE_WANTS = 2, LANE_FILLS = 3, LANE_SETS_UP = 4, LANE_RUNNING = 5,
             LANE_IS_JOB = 6;
  localparam LANE_TAKES = 0, LANE_ADDS = 1, LANE_ACTIVATES = 2;
  // verilator lint_on UNUSEDPARAM
