// SPDX-License-Identifier: Apache-2.0
// Sizes and straps of the core (docs/hardware/timing.md 2), and the widths derived from the sizes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/base/sm_set.h"
#include "model/spec/policies.h"
#include "rtl_model/base/field.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {

// A set of rows of any table; tables have at most SmSet::kMax rows.
using RowSet = SmSet;

// Sizes and latencies shared by the core and the machine around it.
struct CoreShape {
  std::uint32_t num_sms = 13;
  std::uint32_t max_tbs_per_sm = 16;
  std::uint32_t num_ksrs = 13;
  std::uint32_t num_command_buffers = 4;
  std::uint32_t num_contexts = 4;
  std::uint32_t ptbq_depth = 208;                                     // handles per KSR, at least max_tbs_per_sm
  unsigned tb_width = 20;                                             // bits of a TB's number
  std::uint32_t search_width = 1;                                     // entries per step of a walk: 1, 2, 4
  unsigned tag_width = 0;                                             // bits of a set-up's tag; 0: none
  bool has_refill_lane = false;                                       // TBs end and start beside the jobs
  bool has_kept_turn = false;                                         // what a kept turn of time_slice needs
  std::uint32_t policies = spec::policy_mask(spec::Cores::kClocked);  // implemented policies, one bit per code
  std::uint32_t activation_cycles = 1;
  std::uint32_t search_step_cycles = 1;
  bool is_breadth_first = false;

  std::uint32_t search_steps() const { return (num_ksrs + search_width - 1) / search_width; }  // of the longest walk
  std::uint32_t equal_share() const { return num_sms / num_contexts; }  // tokens of a context without a budget
  std::uint32_t token_pool() const { return num_sms % num_contexts; }

  // Set-ups of an SM that may wait for their answers; only with tags.
  std::uint32_t max_unanswered() const { return 1U << tag_width; }
  unsigned policy_width() const { return has_kept_turn ? 16 : 14; }
  unsigned tag_pin_width() const { return tag_width == 0 ? 1 : tag_width; }
  bool has_partitions() const { return have_partitions(policies); }

  unsigned ksr_width() const { return bits_for_value(num_ksrs); }
  unsigned sm_width() const { return bits_for_value(num_sms); }
  unsigned context_width() const { return bits_for_value(num_contexts); }
  unsigned buffer_width() const { return bits_for_value(num_command_buffers); }
  unsigned sm_count_width() const { return bits_for_value(num_sms); }
  unsigned tb_count_width() const { return bits_for_value(max_tbs_per_sm); }
  unsigned slot_count_width() const { return bits_for_value(std::uint64_t{num_sms} * max_tbs_per_sm); }
  unsigned partition_width() const { return bits_for_value(num_sms - 1); }
  // Of a TB's number, the low bits that the refill lane counts (docs/hardware/timing.md 2, L).
  unsigned lane_count_width() const { return std::min(tb_width, std::max(12U, slot_count_width())); }
  static constexpr unsigned kMaxTagWidth = 3;
  static constexpr unsigned kDescriptorWidth = 40;
  static constexpr unsigned kPageTableWidth = 64;
  static constexpr unsigned kPriorityWidth = 4;
  static constexpr unsigned kDueWidth = 32;
  static constexpr unsigned kBudgetWidth = spec::kTokenBits;
  static constexpr unsigned kTokensLeftWidth = kBudgetWidth + 1;  // signed
};

struct CoreParams : CoreShape {
  std::uint32_t policy = 0;  // reset value of the policy register
  bool issues_in_rounds = false;
  bool lingers = false;  // hold-off: SMs that a kernel leaves are kept for a while

  // Throws std::invalid_argument for unsupported sizes.
  void check() const;
};

}  // namespace tessera::rtl_model
