  // SPDX-License-Identifier: Apache-2.0
  // The sizes of the core and the widths that follow from them: the parameters of every part. No part uses all of them.
  // verilator lint_off UNUSEDPARAM
  parameter NUM_SMS             = 13, // 1 .. 256
  parameter MAX_TBS_PER_SM      = 16, // slots of an SM
  parameter NUM_KSRS            = 13, // active kernels
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter PTBQ_DEPTH          = NUM_SMS * MAX_TBS_PER_SM, // handles in a KSR's ring
  parameter SEARCH_WIDTH        = 1,  // entries of the active queue a step: 1, 2, 4
  parameter TB_WIDTH            = 32, // bits of a TB's number
  parameter POLICIES            = 31, // present, a bit for each code (tsr_policy_table.vh)
  parameter WAIT_WIDTH          = 8,  // bits of the latency straps
  parameter PARITY              = 0,  // 1: a parity bit a word of RAM
  parameter LINGER              = 0,  // 1: SMs that a kernel leaves can be kept
  parameter KEPT_TURN           = 0,  // 1: under time_slice a context can keep its turn
  parameter REFILL              = 0,  // 1: TBs end and start in a lane of their own, beside the jobs
  parameter TAG_WIDTH           = 1,  // bits of a set-up's tag, 0 .. 3; 0: SMs are wired to the core, nothing is between
  // Not to be set: indices with a code for "none" (all ones), as on the pins.
  parameter SM_WIDTH       = $clog2(NUM_SMS + 1),
  parameter KSR_WIDTH      = $clog2(NUM_KSRS + 1),
  parameter CONTEXT_WIDTH  = $clog2(NUM_CONTEXTS + 1),
  parameter BUFFER_WIDTH   = $clog2(NUM_COMMAND_BUFFERS + 1),
  // Not to be set: addresses, without that code.
  parameter KSR_ADDRESS    = NUM_KSRS > 1 ? $clog2(NUM_KSRS) : 1,
  parameter CONTEXT_ADDRESS = NUM_CONTEXTS > 1 ? $clog2(NUM_CONTEXTS) : 1,
  parameter BUFFER_ADDRESS = NUM_COMMAND_BUFFERS > 1 ? $clog2(NUM_COMMAND_BUFFERS) : 1,
  parameter RING_ADDRESS   = PTBQ_DEPTH > 1 ? $clog2(PTBQ_DEPTH) : 1,
  // Not to be set: counts.
  parameter TB_COUNT_WIDTH = $clog2(MAX_TBS_PER_SM + 1),
  parameter SLOT_WIDTH     = $clog2(NUM_SMS * MAX_TBS_PER_SM + 1),
  // Not to be set: the refill lane. Bits of a TB's number that it counts, what it counts, and what it only reads.
  parameter LOW_TB_WIDTH = TB_WIDTH < (SLOT_WIDTH > 12 ? SLOT_WIDTH : 12) ? TB_WIDTH : (SLOT_WIDTH > 12 ? SLOT_WIDTH : 12),
  parameter STEP_WIDTH     = 2*LOW_TB_WIDTH + 2*SLOT_WIDTH,
  parameter BASE_WIDTH     = TB_WIDTH - LOW_TB_WIDTH + 1 + 2*SM_WIDTH,
  // Not to be set: rows of tables.
  parameter TOKEN_ROWS     = NUM_KSRS > NUM_CONTEXTS ? NUM_KSRS : NUM_CONTEXTS, // of a KSR or of a context
  parameter TOKEN_ADDRESS  = TOKEN_ROWS > 1 ? $clog2(TOKEN_ROWS) : 1,
  parameter STEPS          = (NUM_KSRS + SEARCH_WIDTH - 1) / SEARCH_WIDTH, // of a walk over a full queue
  // Not to be set: widths of a few words that pass between parts.
  parameter TOKEN_WIDTH    = 10, // tokens left, signed
  parameter DUE_WIDTH      = 32,
  parameter PARTITION_WIDTH = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1, // of partitions' numbers
  parameter DESCRIPTOR_WIDTH = 40,
  parameter TAG_BITS       = TAG_WIDTH > 0 ? TAG_WIDTH : 1, // on the pins
  // Not to be set: buses between parts (tsr_buses.vh).
  parameter POLICY_WIDTH    = 27,
  parameter OS_WRITE_WIDTH  = 22 + CONTEXT_ADDRESS,
  parameter KEPT_TURN_WIDTH = 4 + CONTEXT_ADDRESS,
  parameter LOOK_STATUS_WIDTH = SEARCH_WIDTH * (7 + CONTEXT_ADDRESS),
  parameter LOOK_LAUNCH_WIDTH = SEARCH_WIDTH * (1 + DUE_WIDTH + PARTITION_WIDTH),
  parameter STEP_PARTITION_WIDTH = 2 + PARTITION_WIDTH,
  parameter CHANGES_WIDTH   = 3 + 2*PARTITION_WIDTH,
  parameter MOVE_WIDTH      = 3 + 2*KSR_WIDTH + TOKEN_WIDTH,
  parameter SM_ROW_WIDTH    = 5 + 2*KSR_WIDTH + TB_COUNT_WIDTH,
  parameter STATUS_WIDTH    = 4 + TB_COUNT_WIDTH
  // verilator lint_on UNUSEDPARAM
