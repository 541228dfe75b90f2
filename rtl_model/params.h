// SPDX-License-Identifier: Apache-2.0
// The parameters of the clocked model, worked out once from the Spec: counts, widths, latencies. The Verilog twin
// takes the same numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/spec/policies.h"
#include "model/spec/spec_fwd.h"

namespace tessera::rtl_model {

struct Params {
  explicit Params(const spec::Spec& spec);

  // Sizes.
  std::uint32_t num_sms;  // 1 .. 256
  std::uint32_t max_tbs_per_sm;
  std::uint32_t num_ksrs;
  std::uint32_t num_command_buffers;  // 1 .. 256: contexts have no use for more
  std::uint32_t num_contexts;         // processes
  std::uint32_t ptbq_depth;           // handles per KSR; N_SM x T_MAX holds whatever can be preempted at once
  unsigned tb_width;                  // bits of a TB's number: a kernel has fewer than 2^tb_width TBs
  // That the core has, a bit for each code: all, since an experiment may write any.
  std::uint32_t policies = spec::policy_mask(spec::Cores::kClocked);
  // The search: table entries a step, cycles a step.
  std::uint32_t search_width;
  std::uint32_t search_step_cycles;
  std::uint32_t activation_cycles;  // command buffer -> KSRT and active queue, in core cycles
  unsigned wait_width;              // bits that hold these two latencies; they are no sizes, so usually many
  // Core clock cycles in an SM clock cycle: as many TBs can be issued in one of the latter.
  std::uint32_t clock_ratio;
  bool is_breadth_first;  // SM driver: one TB to each SM before a second one
  bool has_loops;         // SMs: there are event-driven kernels
  // What the core takes of an SM's latencies (timing.md 7): from the end of a thread block to the next one on the pins,
  // in core cycles; of a batch's last handle, in SM cycles.
  static constexpr std::uint32_t kIssueLead = 6;
  static constexpr std::uint32_t kRestoreLead = 7;
  // The SM's own latencies, in SM cycles.
  std::uint32_t sm_setup_cycles;
  std::uint32_t tb_issue_cycles;
  std::uint32_t pipeline_drain_cycles;
  std::uint32_t trap_entry_cycles;
  // Reset values of the control registers.
  spec::SchedulerSpec scheduler;
  std::uint32_t equal_share;                          // floor(N_SM / N_p) tokens
  std::uint32_t token_pool;                           // N_SM mod N_p
  std::vector<std::optional<std::uint32_t>> budgets;  // by context: tokens of its own
  Cycle slice_cycles;                                 // period of the slice timer
  Cycle linger_cycles;                                // SMs that a kernel leaves are kept so long; 0: not at all

  bool issues_in_rounds() const { return is_breadth_first && clock_ratio > 1; }

  static Cycle slice_cycles_of(const spec::SchedulerSpec& scheduler, std::uint64_t clock_hz);

  // Widths in bits.
  unsigned sm_width() const { return index_width(num_sms); }
  unsigned ksr_width() const { return index_width(num_ksrs); }
  unsigned context_width() const { return index_width(num_contexts); }
  unsigned buffer_width() const { return index_width(num_command_buffers); }
  unsigned partition_width() const { return index_width(num_sms - 1); }
  unsigned sm_count_width() const;                                              // 0 .. N_SM
  std::uint32_t max_num_tbs() const { return 0xFFFFFFFFU >> (32 - tb_width); }  // of a kernel
  unsigned tb_count_width() const;                                              // 0 .. T_MAX
  unsigned slot_count_width() const;                                            // 0 .. N_SM x T_MAX
  static constexpr unsigned kDescriptorWidth = 40;
  static constexpr unsigned kPageTableWidth = 64;
  static constexpr unsigned kPriorityWidth = 4;
  static constexpr unsigned kTokenWidth = spec::kTokenBits;
  static constexpr unsigned kDueWidth = 32;

 private:
  static unsigned index_width(std::uint32_t count);  // of an index, and one code that says "none"
};

}  // namespace tessera::rtl_model
