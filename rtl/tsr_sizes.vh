  // SPDX-License-Identifier: Apache-2.0
  // The sizes of the core and the widths that follow from them: the parameters of every part. No part uses all of them.
  // verilator lint_off UNUSEDPARAM
  parameter NUM_SMS             = 13, // 1 .. 256
  parameter MAX_TBS_PER_SM      = 16, // slots of an SM
  parameter NUM_KSRS            = 13, // active kernels
  parameter NUM_COMMAND_BUFFERS = 16,
  parameter NUM_CONTEXTS        = 16,
  parameter PTBQ_DEPTH          = NUM_SMS * MAX_TBS_PER_SM, // handles in a KSR's ring
  parameter SEARCH_WIDTH        = 1,  // rows of SMST and active queue a step: 1, 2, 4
  parameter TB_WIDTH            = 32, // bits of a TB's number
  parameter POLICIES            = 31, // present, a bit for each code (tsr_policy_table.vh)
  parameter WAIT_WIDTH          = 8,  // bits of the latency straps
  parameter PARITY              = 0,  // 1: a parity bit a word of RAM
  parameter LINGER              = 0,  // 1: SMs that a kernel leaves can be kept
  parameter KEPT_TURN           = 0,  // 1: under time_slice a context can keep its turn
  parameter REFILL = 0,
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
  // Not to be set: rows of tables.
  parameter TOKEN_ROWS     = NUM_KSRS > NUM_CONTEXTS ? NUM_KSRS : NUM_CONTEXTS, // of a KSR or of a context
  parameter TOKEN_ADDRESS  = TOKEN_ROWS > 1 ? $clog2(TOKEN_ROWS) : 1,
  parameter STEPS          = ((NUM_SMS > NUM_KSRS ? NUM_SMS : NUM_KSRS) + SEARCH_WIDTH - 1) / SEARCH_WIDTH, // of a walk
  // Not to be set: widths of a few words that pass between parts.
  parameter TOKEN_WIDTH    = 10, // tokens left, signed
  parameter DUE_WIDTH      = 32,
  parameter PARTITION_WIDTH = NUM_SMS > 1 ? $clog2(NUM_SMS) : 1, // of partitions' numbers
  parameter DESCRIPTOR_WIDTH = 40,
  parameter TAG_BITS       = TAG_WIDTH > 0 ? TAG_WIDTH : 1 // on the pins
  // verilator lint_on UNUSEDPARAM
