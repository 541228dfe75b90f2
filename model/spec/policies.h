// SPDX-License-Identifier: Apache-2.0
// The tables of policies and techniques: all that the rest of the project knows of one. Names, register codes, random
// experiments, synthesis, coverage and Verilog parameters follow from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

// The scheduler cores that there are. rtl_model and rtl are the same core twice: what one has, the other has.
enum class Cores : std::uint8_t { kTlm = 1, kClocked = 2, kBoth = kTlm | kClocked };

constexpr bool includes(Cores cores, Cores wanted) {
  return (static_cast<unsigned>(cores) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

// Keys that no policy of an experiment reads: refused, or as they stand, where who loads chooses policies of its own.
enum class UnreadKeys : std::uint8_t { kRefused, kKept };

// What a policy compares of two kernels or contexts, before it looks at who came first. kPartition: the deadline or the
// priority, as `order` says, of those in one partition.
enum class PolicyOrder : std::uint8_t { kNone, kPriority, kTokens, kTurn, kDeadline, kPartition };

struct PolicyInfo {
  PolicyKind kind;
  std::string_view name;
  std::uint8_t code;  // in registers (docs/register_map.md, docs/timing.md), and its bit in the Verilog's POLICIES
  PolicyOrder order;
  bool preempts;     // takes SMs from kernels that could go on
  bool uses_access;  // `access` makes a difference
  bool has_timer;    // `time_slice_us` does
  Cores cores;       // that have it
};

inline constexpr std::array kPolicies{
    PolicyInfo{PolicyKind::kFcfs, "fcfs", 0, PolicyOrder::kNone, false, false, false, Cores::kBoth},
    PolicyInfo{PolicyKind::kNpq, "npq", 1, PolicyOrder::kPriority, false, false, false, Cores::kBoth},
    PolicyInfo{PolicyKind::kPpq, "ppq", 2, PolicyOrder::kPriority, true, true, false, Cores::kBoth},
    PolicyInfo{PolicyKind::kDss, "dss", 3, PolicyOrder::kTokens, true, false, false, Cores::kBoth},
    PolicyInfo{PolicyKind::kTimeSlice, "time_slice", 4, PolicyOrder::kTurn, true, true, true, Cores::kBoth},
    PolicyInfo{PolicyKind::kEdf, "edf", 5, PolicyOrder::kDeadline, true, true, false, Cores::kBoth},
    PolicyInfo{PolicyKind::kStaticPartition, "static_partition", 6, PolicyOrder::kPartition, true, true, false,
               Cores::kBoth},
};

struct TechniqueInfo {
  TechniqueKind kind;
  std::string_view name;
  std::uint8_t code;
  bool chooses_victims;  // it says which SM is taken, and how each thread block leaves ([S16])
  Cores cores;
};

inline constexpr std::array kTechniques{
    TechniqueInfo{TechniqueKind::kContextSwitch, "context_switch", 0, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kDrain, "drain", 1, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kFlush, "flush", 2, false, Cores::kBoth},
    TechniqueInfo{TechniqueKind::kChimera, "chimera", 3, true, Cores::kTlm},
    TechniqueInfo{TechniqueKind::kDualKernel, "dual_kernel", 4, true, Cores::kTlm},
};

// The row of a value, of one of the enumerators; or of a code, null where none has it.
constexpr const PolicyInfo& info(PolicyKind kind) { return kPolicies.at(static_cast<std::size_t>(kind)); }
constexpr const TechniqueInfo& info(TechniqueKind kind) { return kTechniques.at(static_cast<std::size_t>(kind)); }

template <typename Info, std::size_t N>
constexpr const Info* with_code(const std::array<Info, N>& table, std::uint64_t code) {
  for (const Info& row : table) {
    if (row.code == code) return &row;
  }
  return nullptr;
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

// The policies that all of these cores have, in the order of the table.
constexpr std::size_t num_policies(Cores cores) {
  std::size_t count = 0;
  for (const PolicyInfo& policy : kPolicies) count += includes(policy.cores, cores) ? 1 : 0;
  return count;
}
template <typename Info, std::size_t N>
std::vector<decltype(Info::kind)> kinds_of(const std::array<Info, N>& table, Cores cores) {
  std::vector<decltype(Info::kind)> kinds;
  for (const Info& row : table) {
    if (includes(row.cores, cores)) kinds.push_back(row.kind);
  }
  return kinds;
}
inline std::vector<PolicyKind> policies_of(Cores cores) { return kinds_of(kPolicies, cores); }
inline std::vector<TechniqueKind> techniques_of(Cores cores) { return kinds_of(kTechniques, cores); }

// A bit for each one's code: what the Verilog calls POLICIES.
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
