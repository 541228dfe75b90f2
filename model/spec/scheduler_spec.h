// SPDX-License-Identifier: Apache-2.0
// Scheduling policy and preemption technique: the experiment's `scheduler` and `baseline`, and its `dma_policy`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

#define TESSERA_POLICY(kind, ...) kind,
enum class PolicyKind {  // their properties: policies.h
#include "model/spec/policies.def"
};
#undef TESSERA_POLICY
enum class TechniqueKind { kContextSwitch, kDrain, kFlush, kChimera, kDualKernel };
enum class FlushFallback { kContextSwitch, kDrain };  // flush: how a TB leaves that may not be flushed
enum class ChimeraMix { kTb, kSm };                   // chimera: one exit per TB, or one for the whole SM
enum class SwitchPricing { kPerTb, kChannel };        // chimera, dual_kernel: whether contexts share the SM's bandwidth
// chimera, dual_kernel: estimate of a TB's further speed: that of finished TBs; that of finished TBs or of its
// neighbours, whichever vary less; or the true value.
enum class Estimator { kFinishedMean, kLeastSpread, kOracle };
enum class CandidateSets {
  kDecision,
  kLaunch
};                                                 // chimera, dual_kernel: computed in the decision, or after the
                                                   // launch
enum class Access { kExclusive, kShared };         // whether later kernels may use SMs that the first leaves idle
enum class ExclusiveScope { kNeeded, kAll };       // ppq, edf exclusive: the first takes needed SMs, or all
enum class TokenScope { kKernel, kProcess };       // dss: who owns a budget
enum class Debt { kAlways, kGap, kLone, kNever };  // dss: when an idle SM goes to a kernel without tokens left
enum class Remainder { kPool, kOnce };             // dss: whether tokens beyond equal shares are given out again
enum class PartitionOrder { kEdf, kPriority };     // static_partition: order of kernels within a partition
enum class Fill { kDepthFirst, kBreadthFirst };    // SM driver: one SM full before the next, or one TB to each
enum class DmaPolicy { kFcfs, kNpq };              // of the DMA engine

// time_slice: whether a context keeps its turn through the gaps between its kernels (docs/hardware/timing.md 3.12), and
// whether SMs change hands one by one or all at once.
enum class Turn { kPassed, kKept };
enum class SwitchScope { kSm, kGpu };
// time_slice, kept: what becomes of the SMs of a context when its slice ends.
enum class SliceEnd { kTechnique, kDrain, kWait, kContextSwitch };
// Ablations of a kept turn; the first of each is the rule.
enum class DryOwner { kPasses, kKeeps };  // an owner without work passes its turn on at once, or at the tick
enum class SliceRenewal { kQueued, kNever, kAlways };  // which slices are renewed while nobody waits
enum class NextTurn { kAtLastStart, kAtEnd };          // when it is fixed who is next

// Presets of all this (scheduler_presets.h), and the boards that differ in them.
enum class SchedulerPreset { kNvidiaTimeSlice };
enum class Board { kDataCentre, kDesktop, kTegra };

// Width of a token budget in registers and tables; exceeds the number of SMs of any GPU.
inline constexpr std::uint32_t kTokenBits = 9;
inline constexpr std::uint32_t kMaxTokens = (1U << kTokenBits) - 1;

// Width of the flush count that travels with a TB.
inline constexpr std::uint32_t kFlushCountBits = 4;
inline constexpr std::uint32_t kMaxFlushes = (1U << kFlushCountBits) - 1;

struct SchedulerSpec {
  PolicyKind policy = PolicyKind::kFcfs;
  TechniqueKind technique = TechniqueKind::kContextSwitch;
  FlushFallback flush_fallback = FlushFallback::kContextSwitch;
  std::uint32_t max_flushes_per_tb = 4;  // flush: after these a TB counts as beyond its point
  // chimera, dual_kernel ([S16])
  Picoseconds latency_limit = 5'000'000;  // bound on the time from a kernel's arrival to its places on SMs
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
  std::uint32_t search_width = 1;  // rows that a search looks at in a step, 1 .. num_sms
  Fill fill = Fill::kDepthFirst;
  std::uint32_t tbs_per_cycle = 1;       // SM driver's issue rate over the whole GPU
  Picoseconds time_slice = 500'000'000;  // time_slice: the quantum
  Turn turn = Turn::kPassed;
  SwitchScope switch_scope = SwitchScope::kSm;
  DryOwner dry_owner = DryOwner::kPasses;
  SliceRenewal slice_renewal = SliceRenewal::kQueued;
  NextTurn next_turn = NextTurn::kAtLastStart;
  std::optional<SchedulerPreset> preset{};  // from which keys come that the mapping itself does not have
  std::optional<Board> board{};
  Picoseconds linger = 0;  // ppq: hold-off of SMs that a kernel leaves, for its priority and above
};

// static_partition: SMs that only the processes of this partition use. Only partitions of a preset may share SMs; an SM
// may be in no partition.
struct PartitionSpec {
  std::string name;
  std::vector<std::uint32_t> sms;
  std::uint32_t share = 0;  // presets only: slices (mig), hundredths of a per cent of the GPU (mps)
};

}  // namespace tessera::spec
