// SPDX-License-Identifier: Apache-2.0
// Reads the registers of docs/hardware/timing.md section 4 by name from the Verilated model. lint/public.vlt keeps them
// visible.
#pragma once

#include "Vtsr_core___024root.h"
#include "core_config.h"
#include "cosim/glue/packed.h"
#include "cosim/glue/pin_binding.h"
#include "cosim/glue/refill_view.h"
#include "rtl_model/interfaces/core_snapshot.h"

// Verilator's name of a register of the scheduler itself, and of a unit in it.
#define TESSERA_TOP_REGISTER(name) root.tsr_core__DOT__u_tsr_scheduler__DOT__##name
#define TESSERA_REGISTER(unit, name) TESSERA_TOP_REGISTER(unit##__DOT__##name)
#define TESSERA_POLICY_REGISTER(name) TESSERA_REGISTER(u_policy_register, name)
#define TESSERA_TURN_REGISTER(name) TESSERA_REGISTER(u_turn_control__DOT__g_kept_turn__DOT__u_kept_turn, name)

namespace tessera::cosim {

// Fields of a word of RAM, lowest first.
template <typename Word>
class Fields {
 public:
  explicit Fields(const Word& word) : word_(word) {}
  std::uint64_t next(unsigned width) {
    at_ += width;
    return bits(word_, at_ - width, width);
  }
  std::uint32_t next_small(unsigned width) { return static_cast<std::uint32_t>(next(width)); }

 private:
  const Word& word_;
  unsigned at_ = 0;
};

// {has_due, due}: only in a core with edf, static_partition or np_edf.
template <typename Row, typename Word>
void read_due(const Word& word, Row& row) {
  row.due = static_cast<std::uint32_t>(bits(word, 0, 32));
  row.has_due = bits(word, 32, 1) != 0;
}
template <typename Root>
void read_dues(const Root& root, rtl_model::CoreSnapshot& snapshot) {
  if constexpr (kHasDues != 0) {
    for (unsigned i = 0; i < kNumCommandBuffers; ++i) {
      rtl_model::CommandSnapshot& command = snapshot.command_buffers[i];
      if (command.valid) read_due(TESSERA_REGISTER(u_commands__DOT__g_due__DOT__u_dues, mem_q)[i], command);
    }
    const auto& dues = TESSERA_REGISTER(u_ksr_status__DOT__g_due__DOT__g_lane_due__BRA__0__KET____DOT__u_dues, mem_q);
    for (unsigned i = 0; i < kNumKsrs; ++i) {
      if (snapshot.ksrt[i].valid) read_due(dues[i], snapshot.ksrt[i]);
    }
  }
}

// Only in a core with static_partition: {partition, descriptor} of kernels; of SMs, their partitions and which may be
// foreign.
template <typename Root>
void read_partitions(const Root& root, rtl_model::CoreSnapshot& snapshot) {
  if constexpr (kHasPartitions != 0) {
    const Rows sms(TESSERA_REGISTER(u_smst__DOT__u_partitions__DOT__g_partition, partition_q), kPartitionWidth);
    const Rows foreign(TESSERA_REGISTER(u_smst__DOT__u_partitions__DOT__g_partition, foreign_q), 1);
    for (unsigned i = 0; i < kNumSms; ++i) {
      snapshot.smst[i].partition = sms.small(i);
      snapshot.smst[i].is_foreign = foreign[i] != 0;
    }
    const auto& kernels = TESSERA_REGISTER(
        u_ksr_status__DOT__g_partition__DOT__g_lane_partition__BRA__0__KET____DOT__u_partitions, mem_q);
    for (unsigned i = 0; i < kNumKsrs; ++i) {
      if (snapshot.ksrt[i].valid)
        snapshot.ksrt[i].partition = static_cast<std::uint32_t>(bits(kernels[i], 0, kPartitionWidth));
    }
    const auto& dirty = TESSERA_REGISTER(u_search__DOT__g_partitions__DOT__u_partitions, dirty_q);
    for (unsigned i = 0; i < kNumSms; ++i) snapshot.partitions.dirty.set(i, bits(dirty, i, 1) != 0);
    snapshot.partitions.wants_survey = TESSERA_REGISTER(u_search__DOT__g_partitions__DOT__u_partitions, survey_q) != 0;
    snapshot.partitions.are_mixed = TESSERA_REGISTER(u_search__DOT__g_partitions__DOT__u_partitions, mixed_q) != 0;
  }
}

// Only in a core in which contexts can keep their turn.
template <typename Root>
void read_turn(const Root& root, rtl_model::CoreSnapshot& snapshot) {
  if constexpr (kKeptTurn != 0) {
    snapshot.policy |= TESSERA_POLICY_REGISTER(g_turn__DOT__kept_q) << 14 |
                       TESSERA_POLICY_REGISTER(g_turn__DOT__of_gpu_q) << 15;
    const auto flag = [](auto bit) { return bit != 0; };
    rtl_model::TurnSnapshot& turn = snapshot.turn;
    turn.state = TESSERA_TURN_REGISTER(state_q);
    turn.turn = TESSERA_REGISTER(u_search__DOT__u_turn, turn_o);
    turn.next = TESSERA_TURN_REGISTER(next_q);
    turn.has_next = flag(TESSERA_TURN_REGISTER(has_next_q));
    turn.tick = flag(TESSERA_TURN_REGISTER(tick_q));
    turn.over = flag(TESSERA_TURN_REGISTER(over_q));
    turn.runs = flag(TESSERA_TURN_REGISTER(runs_q));
    turn.evicts = flag(TESSERA_TURN_REGISTER(evicts_q));
    turn.loaded = flag(TESSERA_TURN_REGISTER(loaded_q));
    turn.unlisted = flag(TESSERA_TURN_REGISTER(unlisted_q));
    const Rows slice_ends(TESSERA_TURN_REGISTER(slice_end_q), 2);
    for (unsigned c = 0; c < kNumContexts; ++c) {
      turn.waiting.set(c, bits(TESSERA_TURN_REGISTER(waiting_q), c, 1) != 0);
      turn.listed.set(c, bits(TESSERA_TURN_REGISTER(listed_q), c, 1) != 0);
      snapshot.contexts[c].slice_end = slice_ends.small(c);
    }
  }
}

// Only in a core with tags.
template <typename Root>
void read_tags(const Root& root, rtl_model::CoreSnapshot& snapshot) {
  if constexpr (kTagWidth != 0) {
    const Rows tag(TESSERA_REGISTER(u_smst__DOT__u_set_ups__DOT__g_tags__DOT__u_tags, tag_q), kTagWidth);
    const Rows unanswered(TESSERA_REGISTER(u_smst__DOT__u_set_ups__DOT__g_tags__DOT__u_tags, unanswered_q),
                          kTagWidth + 1);
    for (unsigned i = 0; i < kNumSms; ++i) {
      snapshot.smst[i].tag = tag.small(i);
      snapshot.smst[i].unanswered = unanswered.small(i);
    }
  }
}

inline void read_commands(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows valid(TESSERA_REGISTER(u_commands, valid_q), 1);
  const Rows context(TESSERA_REGISTER(u_commands, context_q), kContextAddress);
  const Rows priority(TESSERA_REGISTER(u_commands, priority_q), kPriorityWidth);
  const auto& launches = TESSERA_REGISTER(u_commands__DOT__u_launches, mem_q);
  snapshot.command_buffers.resize(kNumCommandBuffers);
  for (unsigned i = 0; i < kNumCommandBuffers; ++i) {
    rtl_model::CommandSnapshot& command = snapshot.command_buffers[i];
    command = {};
    if (valid[i] == 0) continue;
    Fields launch(launches[i]);
    command.valid = true;
    command.context = context.small(i);
    command.priority = priority.small(i);
    command.descriptor = launch.next(kDescriptorWidth);
    if (kHasPartitions != 0) command.partition = launch.next_small(kPartitionWidth);
    command.tbs_per_sm = launch.next_small(kTbCountWidth);
    command.num_tbs = launch.next_small(kTbWidth);
  }
  const Rows age(TESSERA_REGISTER(u_commands, age_q), kBufferAddress);
  snapshot.command_ages.resize(TESSERA_REGISTER(u_commands, count_q));
  for (unsigned i = 0; i < snapshot.command_ages.size(); ++i) snapshot.command_ages[i] = age.small(i);
  snapshot.last_buffer = TESSERA_REGISTER(u_commands, last_q);
}

// Valid entries come first.
inline void read_active_queue(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows valid(TESSERA_REGISTER(u_active_queue, valid_q), 1);
  const Rows ksr(TESSERA_REGISTER(u_active_queue, ksr_q), kKsrWidth);
  snapshot.active_queue.clear();
  for (unsigned i = 0; i < kNumKsrs && valid[i] != 0; ++i) snapshot.active_queue.push_back(ksr.small(i));
}

// Promised places in a ring are counted only if the ring may be too small.
template <typename Root>
std::uint32_t promised_of(const Root& root, unsigned ksr) {
  if constexpr (kCountsPromised != 0) {
    return TESSERA_REGISTER(u_ksr_row__DOT__u_promised__DOT__g_small__DOT__u_places, mem_q)[ksr];
  }
  return 0;
}

// The most TBs that an SM had of those in a ring: only in a core with a kept turn.
template <typename Root>
std::uint32_t saved_per_sm_of(const Root& root, unsigned ksr) {
  if constexpr (kKeptTurn != 0)
    return TESSERA_REGISTER(u_ksr_row__DOT__u_spread__DOT__g_spread__DOT__u_most, mem_q)[ksr];
  return 0;
}

// Returns where the kernel's ring begins.
template <typename Row>
std::uint32_t read_row(const Row& word, rtl_model::KsrSnapshot& ksr) {
  Fields row(word);
  ksr.tbs_per_sm = row.next_small(kTbCountWidth);
  ksr.reserved = row.next_small(kSmWidth);
  ksr.owned = row.next_small(kSmWidth);
  const std::uint32_t head = row.next_small(kRingAddress);
  ksr.covered = row.next_small(kSlotCountWidth);
  ksr.preempted = row.next_small(kSlotCountWidth);
  ksr.outstanding = row.next_small(kSlotCountWidth);
  ksr.remaining = static_cast<std::uint32_t>(~row.next(kTbWidth) & mask(kTbWidth));  // stored inverted
  ksr.next_tb = row.next_small(kTbWidth);
  return head;
}

template <typename Root>
std::uint32_t read_ksr(const Root& root, unsigned i, rtl_model::KsrSnapshot& ksr) {
  ksr.promised = promised_of(root, i);
  ksr.saved_per_sm = saved_per_sm_of(root, i);
  const auto& row = TESSERA_REGISTER(u_ksr_row__DOT__u_rows, mem_q)[i];
  if constexpr (kRefill != 0) {
    return read_split_row(row, TESSERA_STEPS_REGISTER(u_steps__DOT__mem_q)[i],
                          TESSERA_STEPS_REGISTER(u_bases__DOT__mem_q)[i], ksr);
  } else {
    return read_row(row, ksr);
  }
}

inline void read_ring(const Vtsr_core___024root& root, unsigned ksr, std::uint32_t head,
                      std::vector<std::uint64_t>& handles) {
  const auto& words = TESSERA_REGISTER(u_ptbq__DOT__u_handles, mem_q);
  for (std::uint64_t& handle : handles) {
    handle = words[ksr * kPtbqDepth + head];
    head = head + 1 == kPtbqDepth ? 0 : head + 1;
  }
}

inline void read_ksrt(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows valid(TESSERA_REGISTER(u_ksr_status, valid_q), 1);
  const Rows context(TESSERA_REGISTER(u_ksr_status, context_q), kContextAddress);
  const Rows priority(TESSERA_REGISTER(u_ksr_status, priority_q), kPriorityWidth);
  snapshot.ksrt.resize(kNumKsrs);
  snapshot.ptbq.resize(kNumKsrs);
  for (unsigned i = 0; i < kNumKsrs; ++i) {
    rtl_model::KsrSnapshot& ksr = snapshot.ksrt[i];
    ksr = {};
    snapshot.ptbq[i].clear();
    if (valid[i] == 0) continue;
    const std::uint32_t head = read_ksr(root, i, ksr);
    ksr.valid = true;
    ksr.context = context.small(i);
    ksr.priority = priority.small(i);
    ksr.descriptor = bits(TESSERA_REGISTER(u_descriptors__DOT__u_words, mem_q)[i], 0, kDescriptorWidth);
    snapshot.ptbq[i].resize(ksr.preempted);
    read_ring(root, i, head, snapshot.ptbq[i]);
  }
}

// Whether no thread block is on its way through the refill lane to the row of its kernel.
template <typename Root>
bool are_tbs_counted(const Root& root) {
  if constexpr (kRefill != 0) {
    return (TESSERA_STEPS_REGISTER(x_valid_q) | TESSERA_STEPS_REGISTER(y_valid_q) |
            TESSERA_STEPS_REGISTER(w_valid_q)) == 0;
  }
  return true;
}

inline void read_smst(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows running(TESSERA_REGISTER(u_smst, running_q), 1);
  const Rows reserved(TESSERA_REGISTER(u_smst, reserved_q), 1);
  const Rows ksr(TESSERA_REGISTER(u_smst, ksr_q), kKsrWidth);
  const Rows next(TESSERA_REGISTER(u_smst, next_q), kKsrWidth);
  const Rows count(TESSERA_REGISTER(u_smst, count_q), kTbCountWidth);
  const Rows kept(TESSERA_REGISTER(u_smst, kept_q), 1);
  snapshot.smst.resize(kNumSms);
  for (unsigned i = 0; i < kNumSms; ++i) {
    const std::uint32_t state = running.small(i) + 2 * reserved.small(i);
    snapshot.smst[i] = {
        state, to_index<kKsrWidth>(ksr[i]), to_index<kKsrWidth>(next[i]), count.small(i), kept[i] != 0, 0, 0, 0};
  }
  snapshot.lingers = TESSERA_REGISTER(u_linger, lingers_q) != 0;
  snapshot.linger_priority = TESSERA_REGISTER(u_linger, priority_q);
}

inline void read_contexts(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows has_budget(TESSERA_REGISTER(u_contexts, has_budget_q), 1);
  const Rows dealt(TESSERA_REGISTER(u_contexts, dealt_q), 1);
  const Rows kernels(TESSERA_REGISTER(u_contexts, kernels_q), kKsrWidth);
  snapshot.contexts.resize(kNumContexts);
  for (unsigned i = 0; i < kNumContexts; ++i) {
    rtl_model::ContextSnapshot& context = snapshot.contexts[i];
    context.page_table = TESSERA_REGISTER(u_contexts__DOT__u_page_tables, mem_q)[i];
    context.has_budget = has_budget[i] != 0;
    context.budget = TESSERA_REGISTER(u_contexts__DOT__u_budgets, mem_q)[i];
    context.kernels = kernels.small(i);
    context.is_dealt = dealt[i] != 0;
  }
}

// Whether a WRITE to the status or to the tokens left, or a TB that the lane has counted, is still in progress.
template <typename Root>
bool is_settling(const Root& root) {
  if constexpr (kRefill != 0) {
    if ((TESSERA_STEPS_REGISTER(v_valid_q) | TESSERA_STEPS_REGISTER(u_valid_q)) != 0) return true;
  }
  return (TESSERA_REGISTER(u_ksr_status, write_q) | TESSERA_REGISTER(u_ksr_status, write_2_q)) != 0;
}

inline void read_tokens(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows has_pool_token(TESSERA_REGISTER(u_tokens, has_pool_token_q), 1);
  const Rows left(TESSERA_REGISTER(u_tokens, left_q), kTokensLeftWidth);
  snapshot.tokens.resize(kTokenRows);
  for (unsigned i = 0; i < kTokenRows; ++i) snapshot.tokens[i] = {has_pool_token[i] != 0, left.small(i)};
  // The count follows one cycle after the bits.
  snapshot.pool = TESSERA_REGISTER(u_tokens, pool_q) + TESSERA_REGISTER(u_tokens, returns_q) +
                  TESSERA_REGISTER(u_tokens, replaces_q) - TESSERA_REGISTER(u_tokens, takes_q);
}

template <typename Root>
void read_order(const Root& root, rtl_model::CoreSnapshot& snapshot) {
  if constexpr (kHasOrder != 0) snapshot.policy |= TESSERA_POLICY_REGISTER(g_order__DOT__by_priority_q) << 13;
}

inline void read_policy(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  constexpr unsigned kIdle = 0, kFirstOfDeal = 8, kPick = 0;  // bits in tsr_search.v, tsr_codes.vh
  const unsigned state = TESSERA_REGISTER(u_search, state_q), phase = TESSERA_REGISTER(u_engine, phase_q);
  snapshot.policy = TESSERA_POLICY_REGISTER(policy_q) | TESSERA_POLICY_REGISTER(drain_q) << 4 |
                    TESSERA_POLICY_REGISTER(flush_q) << 5 | TESSERA_POLICY_REGISTER(shared_q) << 7 |
                    TESSERA_POLICY_REGISTER(all_q) << 8 | TESSERA_POLICY_REGISTER(by_process_q) << 9 |
                    TESSERA_POLICY_REGISTER(debt_q) << 10 | TESSERA_POLICY_REGISTER(once_q) << 12;
  read_order(root, snapshot);
  snapshot.are_tokens_settled = state >> kFirstOfDeal == 0 && !is_settling(root);
  snapshot.is_policy_at_rest = (state >> kIdle & 1) != 0 && (phase >> kPick & 1) != 0 &&
                               TESSERA_TOP_REGISTER(invokes_q) == 0 && !is_settling(root);
}

inline void read_registers(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  read_commands(root, snapshot);
  read_active_queue(root, snapshot);
  read_ksrt(root, snapshot);
  snapshot.are_tbs_counted = are_tbs_counted(root);
  read_dues(root, snapshot);
  read_smst(root, snapshot);
  read_contexts(root, snapshot);
  read_tokens(root, snapshot);
  read_policy(root, snapshot);
  read_partitions(root, snapshot);
  read_tags(root, snapshot);
  read_turn(root, snapshot);
}

}  // namespace tessera::cosim
