// SPDX-License-Identifier: Apache-2.0
// Who decides, and how SMs are preempted: the experiment's `scheduler` and `baseline`, and
// its `dma_policy`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

#define TESSERA_POLICY(kind, ...) kind,
enum class PolicyKind {  // what is known of each: policies.h
#include "model/spec/policies.def"
};
#undef TESSERA_POLICY
enum class TechniqueKind { kContextSwitch, kDrain, kFlush, kChimera, kDualKernel };
enum class FlushFallback { kContextSwitch, kDrain };  // flush: what becomes of a TB that may not be flushed
enum class ChimeraMix { kTb, kSm };                   // chimera: a way out for each TB, or one for all of an SM
enum class SwitchPricing { kPerTb, kChannel };  // chimera, dual_kernel: does a context have the SM's bandwidth alone?
// chimera, dual_kernel: how fast does a TB go on? As those that have finished did; as these or those that run beside
// it, whichever lie closer together; or is it known?
enum class Estimator { kFinishedMean, kLeastSpread, kOracle };
enum class CandidateSets { kDecision, kLaunch };   // chimera, dual_kernel: made in the decision, or behind the launch
enum class Access { kExclusive, kShared };         // may those behind use SMs that the first in order leaves idle?
enum class ExclusiveScope { kNeeded, kAll };       // ppq, edf exclusive: which SMs the first takes: needed ones, or all
enum class TokenScope { kKernel, kProcess };       // dss: whose budget is it?
enum class Debt { kAlways, kGap, kLone, kNever };  // dss: when does an idle SM go to a kernel without tokens left?
enum class Remainder { kPool, kOnce };             // dss: are tokens beyond equal shares given out again?
enum class PartitionOrder { kEdf, kPriority };     // static_partition: who comes first in a partition
enum class Fill { kDepthFirst, kBreadthFirst };    // SM driver: one SM full before the next, or one TB to each
enum class DmaPolicy { kFcfs, kNpq };              // of the DMA engine

// A budget of tokens, in registers and tables: as many SMs as a GPU may have, and more.
inline constexpr std::uint32_t kTokenBits = 9;
inline constexpr std::uint32_t kMaxTokens = (1U << kTokenBits) - 1;

// How often a TB has been flushed, in what travels with it.
inline constexpr std::uint32_t kFlushCountBits = 4;
inline constexpr std::uint32_t kMaxFlushes = (1U << kFlushCountBits) - 1;

struct SchedulerSpec {
  PolicyKind policy = PolicyKind::kFcfs;
  TechniqueKind technique = TechniqueKind::kContextSwitch;
  FlushFallback flush_fallback = FlushFallback::kContextSwitch;
  std::uint32_t max_flushes_per_tb = 4;  // flush: then a TB is treated like one beyond its point
  // chimera, dual_kernel ([S16])
  Picoseconds latency_limit = 5'000'000;  // from a kernel's arrival until its thread blocks have their places
  ChimeraMix chimera_mix = ChimeraMix::kTb;
  Estimator estimator = Estimator::kFinishedMean;
  SwitchPricing switch_pricing = SwitchPricing::kChannel;
  CandidateSets candidate_sets = CandidateSets::kDecision;
  bool enable_escalation = false;  // a TB that drains too long is switched, as late as the limit allows
  Access access = Access::kExclusive;
  ExclusiveScope exclusive_scope = ExclusiveScope::kNeeded;
  TokenScope token_scope = TokenScope::kKernel;
  Debt debt = Debt::kAlways;
  Remainder remainder = Remainder::kPool;
  PartitionOrder order = PartitionOrder::kEdf;
  std::uint32_t search_width = 1;  // table entries examined per search step, 1 .. num_sms
  Fill fill = Fill::kDepthFirst;
  std::uint32_t tbs_per_cycle = 1;       // SM driver's issue rate over the whole GPU
  Picoseconds time_slice = 500'000'000;  // time_slice: the quantum
  Picoseconds linger = 0;                // ppq: SMs that a kernel leaves are kept so long for its priority and above
};

// static_partition: SMs that only the processes of this partition use. Partitions share no SM, but for those of a
// preset; an SM may be in none.
struct PartitionSpec {
  std::string name;
  std::vector<std::uint32_t> sms;
  std::uint32_t share = 0;  // of a preset: slices (mig), hundredths of a per cent of the GPU (mps)
};

}  // namespace tessera::spec
