// SPDX-License-Identifier: Apache-2.0
// What a policy is (docs/timing.md 5.4): a row of this table, by its code. What the entries mean is in
// trackers.cpp, and in command_scan.cpp for the commands.
#pragma once

#include <array>
#include <cstdint>

#include "rtl_model/policy/policy_register.h"

namespace tessera::rtl_model {

// By what kernels are compared. More is better.
enum class Key : std::uint8_t {
  kEqual,     // the first is as good as any
  kPriority,  //
  kUrgency,   // the earlier it is due
  kTokens,    // left
  kNearness,  // of the context to the one in turn
};

// When a kernel may have an SM, or take one away.
enum class Condition : std::uint8_t {
  kAlways,
  kNever,
  kSharedOrSameKey,      // A may: access is shared, or nobody has a better key
  kSharedOrSameContext,  // A may: access is shared, or its context is in turn
  kScopeAll,             // B may
  kRicherByTwo,          // A takes: it has at least two tokens more than B
  kSameContext,          // A takes: its context is in turn
};

// Whom SMs are taken from.
enum class Victims : std::uint8_t { kNobody, kLowerKeys, kB, kOtherContexts };

struct PolicyRow {
  bool is_by_arrival;       // commands are looked at by age, else in turn
  Key command_key;          // and the first of the highest is chosen
  bool is_one_context;      // that may enter only if the engine's context is its own
  Key key;                  // of kernels
  bool is_b_the_poorest;    // B: the lowest key of those that hold an SM; else the highest of all
  Condition a_may_have_sm;  //
  Condition b_may_have_sm;  // if A may not
  Condition takes_away;     //
  bool has_budgets;         // an idle SM goes to whom has tokens left, or into debt
  Victims victims;          //
  bool keeps_sms;           // a linger, for the priority of the kernel that has left them
  bool in_partitions;       // a step looks at one partition alone
};

inline constexpr std::uint32_t kNumPolicies = 7;
inline constexpr std::array<PolicyRow, kNumPolicies> kPolicyTable{{
    // fcfs
    {true, Key::kEqual, true, Key::kEqual, false, Condition::kAlways, Condition::kNever, Condition::kNever, false,
     Victims::kNobody, false, false},
    // npq
    {true, Key::kPriority, true, Key::kEqual, false, Condition::kAlways, Condition::kNever, Condition::kNever, false,
     Victims::kNobody, false, false},
    // ppq
    {false, Key::kPriority, false, Key::kPriority, false, Condition::kSharedOrSameKey, Condition::kScopeAll,
     Condition::kAlways, false, Victims::kLowerKeys, true, false},
    // dss
    {false, Key::kEqual, false, Key::kTokens, true, Condition::kAlways, Condition::kNever, Condition::kRicherByTwo,
     true, Victims::kB, false, false},
    // time_slice
    {false, Key::kEqual, false, Key::kNearness, false, Condition::kSharedOrSameContext, Condition::kNever,
     Condition::kSameContext, false, Victims::kOtherContexts, false, false},
    // edf
    {false, Key::kUrgency, false, Key::kUrgency, false, Condition::kSharedOrSameKey, Condition::kScopeAll,
     Condition::kAlways, false, Victims::kLowerKeys, false, false},
    // static_partition by dues
    {false, Key::kUrgency, false, Key::kUrgency, false, Condition::kSharedOrSameKey, Condition::kScopeAll,
     Condition::kAlways, false, Victims::kLowerKeys, false, true},
}};
inline constexpr std::uint32_t kTimeSlice = 4;  // its code

// static_partition by priority
inline constexpr PolicyRow kPartitionsByPriority{false,
                                                 Key::kPriority,
                                                 false,
                                                 Key::kPriority,
                                                 false,
                                                 Condition::kSharedOrSameKey,
                                                 Condition::kScopeAll,
                                                 Condition::kAlways,
                                                 false,
                                                 Victims::kLowerKeys,
                                                 false,
                                                 true};

inline const PolicyRow& policy_row(const PolicyRegister& policy) {
  const bool is_by_priority = kPolicyTable[policy.code].in_partitions && policy.by_priority;
  return is_by_priority ? kPartitionsByPriority : kPolicyTable[policy.code];
}

}  // namespace tessera::rtl_model
