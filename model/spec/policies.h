// SPDX-License-Identifier: Apache-2.0
// The tables of policies and techniques. Names, register codes, random experiments, synthesis, coverage and Verilog
// parameters are all derived from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

// The existing scheduler cores. rtl_model and rtl are two implementations of the same core, with the same features.
enum class Cores : std::uint8_t { kTlm = 1, kClocked = 2, kBoth = kTlm | kClocked };

constexpr bool includes(Cores cores, Cores wanted) {
  return (static_cast<unsigned>(cores) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

// Keys that no policy of an experiment reads: refused; or kept, if the caller will choose other policies.
enum class UnreadKeys : std::uint8_t { kRefused, kKept };

// What a policy compares between two kernels or contexts before their order of arrival. kPartition: the deadline or the
// priority, depending on `order`, within one of the `partitions`.
enum class PolicyOrder : std::uint8_t { kNone, kPriority, kTokens, kTurn, kDeadline, kPartition };

enum PolicyTraits : std::uint8_t {
  kNoTraits = 0,
  kPreempts = 1,    // takes SMs from kernels that could continue
  kUsesAccess = 2,  // `access` makes a difference
  kHasTimer = 4,    // `time_slice_us` and `turn` do
  kKeepsSms = 8,    // `linger_us` does
};

struct PolicyInfo {
  PolicyKind kind;
  std::string_view name;
  std::uint8_t code;  // in registers (docs/hardware/register_map.md, docs/hardware/timing.md), and its bit in the
                      // Verilog's POLICIES
  PolicyOrder order;
  std::uint8_t traits;  // a set of PolicyTraits
  Cores cores;          // cores that have it

  constexpr bool has(PolicyTraits wanted) const { return (traits & wanted) != 0; }
};

#define TESSERA_POLICY(kind, name, code, order, traits, cores) \
  PolicyInfo{PolicyKind::kind, #name, code, PolicyOrder::order, traits, Cores::cores},
inline constexpr std::array kPolicies{
#include "model/spec/policies.def"
};
#undef TESSERA_POLICY
inline constexpr std::uint8_t kNumPolicyCodes = 16;
inline constexpr std::uint8_t kFirstOwnPolicyCode = 12;  // from here on: for users' own policies

struct TechniqueInfo {
  TechniqueKind kind;
  std::string_view name;
  std::uint8_t code;
  bool chooses_victims;  // decides which SM is taken and how each thread block leaves ([S16])
  Cores cores;
};

inline constexpr std::array kTechniques{
    TechniqueInfo{TechniqueKind::kContextSwitch, "context_switch", 0, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kDrain, "drain", 1, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kFlush, "flush", 2, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kChimera, "chimera", 3, true, Cores::kTlm},
    TechniqueInfo{TechniqueKind::kDualKernel, "dual_kernel", 4, true, Cores::kTlm},
};

// The row of an enumerator, or of a code; null if none has this code.
constexpr const PolicyInfo& info(PolicyKind kind) { return kPolicies.at(static_cast<std::size_t>(kind)); }
constexpr const TechniqueInfo& info(TechniqueKind kind) { return kTechniques.at(static_cast<std::size_t>(kind)); }

template <typename Info, std::size_t N>
constexpr const Info* with_code(const std::array<Info, N>& table, std::uint64_t code) {
  for (const Info& row : table) {
    if (row.code == code) return &row;
  }
  return nullptr;
}

// Properties of a scheduler's policy.
constexpr bool is_partitioned(const SchedulerSpec& scheduler) {
  return info(scheduler.policy).order == PolicyOrder::kPartition;
}
constexpr bool orders_by(const SchedulerSpec& scheduler, PolicyOrder order) {
  if (info(scheduler.policy).order != PolicyOrder::kPartition) return info(scheduler.policy).order == order;
  return order == (scheduler.order == PartitionOrder::kEdf ? PolicyOrder::kDeadline : PolicyOrder::kPriority);
}

// Whether contexts keep their turn through gaps (docs/hardware/timing.md 3.12), and pass all SMs on at once.
constexpr bool keeps_turn(const SchedulerSpec& scheduler) {
  return info(scheduler.policy).has(kHasTimer) && scheduler.turn == Turn::kKept;
}
constexpr bool switches_gpu(const SchedulerSpec& scheduler) {
  return keeps_turn(scheduler) && scheduler.switch_scope == SwitchScope::kGpu;
}

// Whether all of these cores can run it.
constexpr bool exists(const SchedulerSpec& scheduler, Cores cores) {
  return includes(info(scheduler.policy).cores, cores) && includes(info(scheduler.technique).cores, cores);
}

static_assert(
    [] {
      for (std::size_t i = 0; i < kPolicies.size(); ++i) {
        if (kPolicies[i].kind != static_cast<PolicyKind>(i)) return false;
      }
      for (std::size_t i = 0; i < kTechniques.size(); ++i) {
        if (kTechniques[i].kind != static_cast<TechniqueKind>(i)) return false;
      }
      return true;
    }(),
    "rows stand in the order of the enumerators");
static_assert(
    [] {
      std::uint32_t codes = 0;
      for (const PolicyInfo& policy : kPolicies) {
        if (policy.code >= kNumPolicyCodes || (codes >> policy.code & 1) != 0) return false;
        codes |= 1U << policy.code;
      }
      return true;
    }(),
    "each policy has a code of its own, 0 to 15");

// The policies that all of these cores have, in the order of the table.
template <typename Info, std::size_t N>
std::vector<decltype(Info::kind)> kinds_of(const std::array<Info, N>& table, Cores cores) {
  std::vector<decltype(Info::kind)> kinds;
  for (const Info& row : table) {
    if (includes(row.cores, cores)) kinds.push_back(row.kind);
  }
  return kinds;
}
inline std::vector<PolicyKind> policies_of(Cores cores) { return kinds_of(kPolicies, cores); }
// Those of them that do not depend on the workload's deadlines or partitions.
inline std::vector<PolicyKind> plain_policies_of(Cores cores) {
  std::vector<PolicyKind> kinds;
  for (const PolicyInfo& policy : kPolicies) {
    const bool is_plain = policy.order != PolicyOrder::kDeadline && policy.order != PolicyOrder::kPartition;
    if (includes(policy.cores, cores) && is_plain) kinds.push_back(policy.kind);
  }
  return kinds;
}
inline std::vector<TechniqueKind> techniques_of(Cores cores) { return kinds_of(kTechniques, cores); }

// Whether these cores have a policy of this order.
constexpr bool any_orders_by(PolicyOrder order, Cores cores) {
  for (const PolicyInfo& policy : kPolicies) {
    if (policy.order == order && includes(policy.cores, cores)) return true;
  }
  return false;
}

// One bit per policy code: the Verilog parameter POLICIES.
constexpr std::uint32_t policy_mask(Cores cores) {
  std::uint32_t mask = 0;
  for (const PolicyInfo& policy : kPolicies) mask |= includes(policy.cores, cores) ? 1U << policy.code : 0U;
  return mask;
}
inline std::uint32_t policy_mask(const std::vector<PolicyKind>& policies) {
  std::uint32_t mask = 0;
  for (const PolicyKind policy : policies) mask |= 1U << info(policy).code;
  return mask;
}

}  // namespace tessera::spec
