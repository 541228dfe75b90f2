// SPDX-License-Identifier: Apache-2.0
// The registers of docs/timing.md section 4, found by name in the Verilated model. rtl/lint/public.vlt keeps them
// there.
#pragma once

#include "Vtsr_core___024root.h"
#include "core_config.h"
#include "cosim/glue/packed.h"
#include "cosim/glue/pin_binding.h"
#include "rtl_model/interfaces/core_snapshot.h"

// Verilator's name for a register of a unit.
#define TESSERA_REGISTER(unit, name) root.tsr_core__DOT__u_tsr_scheduler__DOT__##unit##__DOT__##name

namespace tessera::cosim {

inline void read_command_buffers(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows valid(TESSERA_REGISTER(u_command_buffers, valid_q), 1);
  const Rows context(TESSERA_REGISTER(u_command_buffers, context_q), kContextWidth);
  const Rows priority(TESSERA_REGISTER(u_command_buffers, priority_q), kPriorityWidth);
  const Rows tbs_per_sm(TESSERA_REGISTER(u_command_buffers, tbs_per_sm_q), kTbCountWidth);
  const auto& launches = TESSERA_REGISTER(u_command_buffers__DOT__u_launches, mem_q);  // {num_tbs, descriptor}
  snapshot.command_buffers.resize(kNumCommandBuffers);
  for (unsigned i = 0; i < kNumCommandBuffers; ++i) {
    rtl_model::CommandSnapshot& command = snapshot.command_buffers[i];
    command = {};
    if (valid[i] == 0) continue;
    const auto num_tbs = static_cast<std::uint32_t>(bits(launches[i], kDescriptorWidth, kTbWidth));
    const std::uint64_t descriptor = bits(launches[i], 0, kDescriptorWidth);
    command = {true, context.small(i), priority.small(i), num_tbs, tbs_per_sm.small(i), descriptor};
  }
  const Rows age(TESSERA_REGISTER(u_command_buffers, age_q), kBufferWidth);
  snapshot.command_ages.resize(TESSERA_REGISTER(u_command_buffers, count_q));
  for (unsigned i = 0; i < snapshot.command_ages.size(); ++i) snapshot.command_ages[i] = age.small(i);
  snapshot.last_buffer = TESSERA_REGISTER(u_command_buffers, last_q);
}

inline void read_active_queue(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows ksr(TESSERA_REGISTER(u_active_queue, ksr_q), kKsrWidth);
  snapshot.active_queue.resize(TESSERA_REGISTER(u_active_queue, count_q));
  for (unsigned i = 0; i < snapshot.active_queue.size(); ++i) snapshot.active_queue[i] = ksr.small(i);
}

// By how many times 2^kRemainingWidth a kernel had more thread blocks at first.
template <typename Root>
std::uint32_t first_more(const Root& root, unsigned ksr) {
  if constexpr (kTbWidth > kRemainingWidth) return TESSERA_REGISTER(u_ksrt__DOT__g_more__DOT__u_more, mem_q)[ksr];
  return 0;
}

// `remaining` of the contract: the KSR has its low bits; the rest follows from what was issued.
inline std::uint32_t whole_remaining(std::uint32_t first_more, std::uint32_t low, std::uint32_t next_tb) {
  const std::uint64_t borrowed = (std::uint64_t{next_tb} + low) >> kRemainingWidth;
  return low + static_cast<std::uint32_t>((first_more - borrowed) << kRemainingWidth);
}

inline void read_ksrt(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows valid(TESSERA_REGISTER(u_ksrt, valid_q), 1);
  const Rows has_pool_token(TESSERA_REGISTER(u_ksrt, has_pool_token_q), 1);
  const auto& descriptors = TESSERA_REGISTER(u_ksrt__DOT__u_descriptors, mem_q);
  const Rows context(TESSERA_REGISTER(u_ksrt, context_q), kContextWidth);
  const Rows priority(TESSERA_REGISTER(u_ksrt, priority_q), kPriorityWidth);
  const Rows tokens(TESSERA_REGISTER(u_ksrt, tokens_q), kTokenWidth);
  const Rows tbs_per_sm(TESSERA_REGISTER(u_ksrt, tbs_per_sm_q), kTbCountWidth);
  const Rows remaining(TESSERA_REGISTER(u_ksrt, remaining_q), kRemainingWidth);
  const Rows next_tb(TESSERA_REGISTER(u_ksrt, next_tb_q), kTbWidth);
  const Rows outstanding(TESSERA_REGISTER(u_ksrt, outstanding_q), kSlotCountWidth);
  const Rows preempted(TESSERA_REGISTER(u_ksrt, preempted_q), kSlotCountWidth);
  const Rows promised(TESSERA_REGISTER(u_ksrt, promised_q), kSlotCountWidth);
  const Rows owned(TESSERA_REGISTER(u_ksrt, owned_q), kSmCountWidth);
  const Rows reserved(TESSERA_REGISTER(u_ksrt, reserved_q), kSmCountWidth);
  const Rows covered(TESSERA_REGISTER(u_ksrt, covered_q), kSlotCountWidth);
  snapshot.ksrt.resize(kNumKsrs);
  for (unsigned i = 0; i < kNumKsrs; ++i) {
    const std::uint32_t left = whole_remaining(first_more(root, i), remaining.small(i), next_tb.small(i));
    snapshot.ksrt[i] = {valid[i] != 0,     has_pool_token[i] != 0, descriptors[i],      context.small(i),
                        priority.small(i), tokens.small(i),        tbs_per_sm.small(i), left,
                        next_tb.small(i),  outstanding.small(i),   preempted.small(i),  promised.small(i),
                        owned.small(i),    reserved.small(i),      covered.small(i)};
  }
  // What became active in the last cycle: the rest of its launch is on its way from the buffer.
  if (TESSERA_REGISTER(u_ksrt, launch_valid_q) == 0) return;
  const auto& launch = TESSERA_REGISTER(u_command_buffers__DOT__u_launches, read_data_o);
  rtl_model::KsrSnapshot& row = snapshot.ksrt[TESSERA_REGISTER(u_ksrt, launch_ksr_q)];
  row.descriptor = bits(launch, 0, kDescriptorWidth);
  row.remaining = static_cast<std::uint32_t>(bits(launch, kDescriptorWidth, kTbWidth));
}

inline void read_smst(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows state(TESSERA_REGISTER(u_smst, state_q), 2);
  const Rows ksr(TESSERA_REGISTER(u_smst, ksr_q), kKsrWidth);
  const Rows next(TESSERA_REGISTER(u_smst, next_q), kKsrWidth);
  const Rows running(TESSERA_REGISTER(u_smst, running_q), kTbCountWidth);
  snapshot.smst.resize(kNumSms);
  for (unsigned i = 0; i < kNumSms; ++i) {
    snapshot.smst[i] = {state.small(i), to_index<kKsrWidth>(ksr[i]), to_index<kKsrWidth>(next[i]), running.small(i)};
  }
}

inline void read_contexts(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const auto& page_tables = TESSERA_REGISTER(u_context_table__DOT__u_page_tables, mem_q);
  const Rows has_page_table(TESSERA_REGISTER(u_context_table, has_page_table_q), 1);
  const Rows has_budget(TESSERA_REGISTER(u_context_table, has_budget_q), 1);
  const Rows budget(TESSERA_REGISTER(u_context_table, budget_q), kTokenWidth);
  const Rows kernels(TESSERA_REGISTER(u_context_table, kernels_q), kKsrWidth);
  const Rows held(TESSERA_REGISTER(u_context_table, held_q), kSmCountWidth);
  const Rows has_pool_token(TESSERA_REGISTER(u_context_table, has_pool_token_q), 1);
  snapshot.contexts.resize(kNumContexts);
  for (unsigned i = 0; i < kNumContexts; ++i) {
    const std::uint64_t page_table = has_page_table[i] != 0 ? page_tables[i] : 0;
    snapshot.contexts[i] = {page_table,       has_budget[i] != 0, budget.small(i),
                            kernels.small(i), held.small(i),      has_pool_token[i] != 0};
  }
}

// After KSRT: its `preempted` says how many handles of a ring count.
inline void read_ptbq(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  const Rows head(TESSERA_REGISTER(u_ptbq, head_q), kPtbqPointerWidth);
  snapshot.ptbq.resize(kNumKsrs);
  for (unsigned ksr = 0; ksr < kNumKsrs; ++ksr) {
    std::vector<std::uint64_t>& ring = snapshot.ptbq[ksr];
    ring.resize(snapshot.ksrt[ksr].valid ? snapshot.ksrt[ksr].preempted : 0);
    for (unsigned i = 0; i < ring.size(); ++i) {
      const unsigned at = (head.small(ksr) + i) % kPtbqDepth;
      ring[i] = TESSERA_REGISTER(u_ptbq__DOT__u_sram, mem_q)[ksr * kPtbqDepth + at];
    }
  }
}

inline void read_registers(const Vtsr_core___024root& root, rtl_model::CoreSnapshot& snapshot) {
  read_command_buffers(root, snapshot);
  read_active_queue(root, snapshot);
  read_ksrt(root, snapshot);
  read_smst(root, snapshot);
  read_contexts(root, snapshot);
  read_ptbq(root, snapshot);
  snapshot.pool = TESSERA_REGISTER(u_search, pool_q);
  snapshot.policy = TESSERA_REGISTER(u_search, policy_q);
  snapshot.is_policy_at_rest = TESSERA_REGISTER(u_search, state_q) == 0;
}

}  // namespace tessera::cosim

#undef TESSERA_REGISTER
