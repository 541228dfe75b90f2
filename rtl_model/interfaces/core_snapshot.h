// SPDX-License-Identifier: Apache-2.0
// The architectural registers of a scheduler core at one moment, as plain values: lockstep compares them between the
// two cores, and the invariants are checked on them. docs/hardware/timing.md section 4 has the fields.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/sm_set.h"

namespace tessera::rtl_model {

struct CommandSnapshot {
  bool valid = false;
  std::uint32_t context = 0, priority = 0, num_tbs = 0, tbs_per_sm = 0;  // defined only if valid
  std::uint64_t descriptor = 0;
  bool has_due = false;
  std::uint32_t due = 0;
  std::uint32_t partition = 0;
};

struct KsrSnapshot {
  bool valid = false;
  std::uint64_t descriptor = 0;
  std::uint32_t context = 0, priority = 0, tbs_per_sm = 0;
  std::uint32_t remaining = 0, next_tb = 0, outstanding = 0, preempted = 0, promised = 0;
  std::uint32_t saved_per_sm = 0;  // 0 in a core without a kept turn
  std::uint32_t owned = 0, reserved = 0, covered = 0;
  bool has_due = false;
  std::uint32_t due = 0;
  std::uint32_t partition = 0;
};

// Tokens left (docs/hardware/timing.md 4.3): of a KSR or, with token scope process, of a context.
struct TokenSnapshot {
  bool has_pool_token = false;
  std::uint32_t left = 0;  // 10 bits, signed
};

struct SmSnapshot {
  std::uint32_t state = 0;    // 0 idle, 1 running, 2 reserved
  std::uint32_t ksr = kNone;  // kNone: none, whatever the width of the field
  std::uint32_t next = kNone;
  std::uint32_t running = 0;
  bool is_kept = false;  // during a hold-off
  std::uint32_t partition = 0;
  std::uint32_t tag = 0;         // of its last set-up; 0 in a core without tags
  std::uint32_t unanswered = 0;  // set-ups that it may still answer; likewise
  bool is_foreign = false;       // it may count against a kernel of another partition
};

struct ContextSnapshot {
  std::uint64_t page_table = 0;
  bool has_budget = false;
  std::uint32_t budget = 0, kernels = 0;
  bool is_dealt = false;
  std::uint32_t slice_end = 0;  // 0 in a core without a kept turn
};

// static_partition (docs/hardware/timing.md 5.8)
struct PartitionsSnapshot {
  SmSet dirty;  // partitions in which something has changed
  bool wants_survey = false;
  bool are_mixed = false;
};

// A kept turn (docs/hardware/timing.md 3.12); all 0 in a core without one.
struct TurnSnapshot {
  std::uint32_t state = 0;  // 0 NOBODY, 1 OWNED, 2 LEAVING, 3 SWITCHING
  std::uint32_t turn = 0;   // defined if the policy register says that it is kept
  std::uint32_t next = 0;   // defined in LEAVING, unless unlisted, and if has_next
  bool has_next = false;
  bool tick = false, over = false, runs = false, evicts = false, loaded = false;
  bool unlisted = false;  // defined in LEAVING
  SmSet waiting, listed;  // by context, of the cycle before
};

struct CoreSnapshot {
  std::vector<CommandSnapshot> command_buffers;
  std::vector<std::uint32_t> command_ages;  // waiting buffers, oldest first
  std::uint32_t last_buffer = 0;            // activated last
  std::vector<std::uint32_t> active_queue;  // valid entries
  std::vector<KsrSnapshot> ksrt;
  bool are_tbs_counted = true;  // none is on its way through the refill lane to the row of its kernel
  std::vector<SmSnapshot> smst;
  bool lingers = false;
  std::uint32_t linger_priority = 0;  // during the hold-off
  PartitionsSnapshot partitions;
  TurnSnapshot turn;
  std::vector<ContextSnapshot> contexts;
  std::vector<std::vector<std::uint64_t>> ptbq;  // by KSR: readable handles {TB 63:32, stack pointer 31:0}, first one
                                                 // first
  std::vector<TokenSnapshot> tokens;
  bool are_tokens_settled = true;  // no token redistribution or step of tokens left is in progress
  std::uint32_t pool = 0;
  std::uint32_t policy = 0;  // bits 6:0 of the policy register
  bool is_policy_at_rest = true;
};

}  // namespace tessera::rtl_model
