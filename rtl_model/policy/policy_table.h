// SPDX-License-Identifier: Apache-2.0
// The definition of the policies (docs/hardware/timing.md 5.4): one row each. The entries are interpreted in
// trackers.cpp and, for commands, in command_scan.cpp. rtl/tsr_policy_table.vh is the same table in Verilog and is
// compared with this one.
#pragma once

#include <array>
#include <cstdint>

#include "model/spec/policies.h"
#include "rtl_model/policy/policy_register.h"

namespace tessera::rtl_model {

// Order in which commands are examined.
enum class Entry : std::uint8_t { kByArrival, kInTurn };
// Which commands may be activated.
enum class Contexts : std::uint8_t { kAny, kOne };  // kOne: only those of the engine's context

// The key by which commands and kernels are compared. Larger is better.
enum class Key : std::uint8_t {
  kEqual,     // all equal, so the first wins
  kPriority,  //
  kUrgency,   // earlier deadline
  kOrder,     // one of these two, selected by the policy register
  kTokens,    // tokens left
  kNearness,  // closeness of the context to the one in turn
};

// Condition under which a kernel may have an SM, or take one away.
enum class Condition : std::uint8_t {
  kAlways,
  kNever,
  kSharedOrSameKey,      // A may: access is shared, or no kernel has a better key
  kSharedOrSameContext,  // A may: access is shared, or its context is in turn
  kScopeAll,             // B may
  kRicherByTwo,          // A takes: it has at least two tokens more than V
  kSameContext,          // A takes: its context is in turn
  kKeptTurn,             // A may, and takes: its context has the turn, which gives SMs
};

enum Extras : std::uint8_t {
  kNoExtras = 0,
  kBudgets = 1,     // an idle SM goes to a kernel that has tokens left or may go into debt
  kLinger = 2,      // hold-off: SMs that a kernel has left are kept for its priority
  kTurns = 4,       // a slice timer
  kPartitions = 8,  // a step searches one partition
  kKeepsTurn = 16,  // the policy register says so: docs/hardware/timing.md 3.12
};

struct PolicyRow {
  spec::PolicyKind kind = spec::PolicyKind::kFcfs;
  Entry entry = Entry::kByArrival;
  Key command_key = Key::kEqual;  // the first command with the highest key is chosen
  Contexts contexts = Contexts::kOne;
  Key key = Key::kEqual;  // of kernels
  Condition a_may_have_sm = Condition::kAlways;
  Condition b_may_have_sm = Condition::kNever;  // if A may not
  Condition takes_away = Condition::kNever;
  std::uint8_t extras = kNoExtras;

  constexpr bool has(Extras wanted) const { return (extras & wanted) != 0; }
  constexpr bool has_order() const { return command_key == Key::kOrder || key == Key::kOrder; }
  constexpr bool reads_dues() const { return has_order() || command_key == Key::kUrgency || key == Key::kUrgency; }
};

inline constexpr std::array kPolicyRows{
    PolicyRow{spec::PolicyKind::kFcfs, Entry::kByArrival, Key::kEqual, Contexts::kOne, Key::kEqual, Condition::kAlways,
              Condition::kNever, Condition::kNever, kNoExtras},
    PolicyRow{spec::PolicyKind::kNpq, Entry::kByArrival, Key::kPriority, Contexts::kOne, Key::kEqual,
              Condition::kAlways, Condition::kNever, Condition::kNever, kNoExtras},
    PolicyRow{spec::PolicyKind::kPpq, Entry::kInTurn, Key::kPriority, Contexts::kAny, Key::kPriority,
              Condition::kSharedOrSameKey, Condition::kScopeAll, Condition::kAlways, kLinger},
    PolicyRow{spec::PolicyKind::kDss, Entry::kInTurn, Key::kEqual, Contexts::kAny, Key::kTokens, Condition::kAlways,
              Condition::kNever, Condition::kRicherByTwo, kBudgets},
    PolicyRow{spec::PolicyKind::kTimeSlice, Entry::kInTurn, Key::kEqual, Contexts::kAny, Key::kNearness,
              Condition::kSharedOrSameContext, Condition::kNever, Condition::kSameContext, kTurns},
    PolicyRow{spec::PolicyKind::kEdf, Entry::kInTurn, Key::kUrgency, Contexts::kAny, Key::kUrgency,
              Condition::kSharedOrSameKey, Condition::kScopeAll, Condition::kAlways, kNoExtras},
    PolicyRow{spec::PolicyKind::kStaticPartition, Entry::kInTurn, Key::kOrder, Contexts::kAny, Key::kOrder,
              Condition::kSharedOrSameKey, Condition::kScopeAll, Condition::kAlways, kPartitions},
    PolicyRow{spec::PolicyKind::kNpEdf, Entry::kByArrival, Key::kUrgency, Contexts::kOne, Key::kEqual,
              Condition::kAlways, Condition::kNever, Condition::kNever, kNoExtras},
#ifdef TESSERA_OWN_CLOCKED_POLICIES
#include TESSERA_OWN_CLOCKED_POLICIES
#endif
};

// Rows by policy code; the code must have a row.
inline constexpr auto kPolicyTable = [] {
  std::array<PolicyRow, spec::kNumPolicyCodes> table{};
  for (const PolicyRow& row : kPolicyRows) table[spec::info(row.kind).code] = row;
  return table;
}();
static_assert(
    [] {
      std::uint32_t codes = 0;
      for (const PolicyRow& row : kPolicyRows) codes |= 1U << spec::info(row.kind).code;
      return codes == spec::policy_mask(spec::Cores::kClocked);
    }(),
    "the policies with a row are those that policies.def gives the clocked cores");

// Of contexts that take turns: each keeps its own (docs/hardware/timing.md 3.12).
constexpr bool is_turn_kept(const PolicyRegister& policy) {
  return policy.keeps_turn && kPolicyTable[policy.code].has(kTurns);
}

// The row of a register, with kOrder and a kept turn resolved.
constexpr PolicyRow policy_row(const PolicyRegister& policy) {
  PolicyRow row = kPolicyTable[policy.code];
  const Key order = policy.by_priority ? Key::kPriority : Key::kUrgency;
  if (row.command_key == Key::kOrder) row.command_key = order;
  if (row.key == Key::kOrder) row.key = order;
  if (!is_turn_kept(policy)) return row;
  row.extras |= kKeepsTurn;
  row.command_key = Key::kNearness;
  row.a_may_have_sm = Condition::kKeptTurn;
  row.takes_away = policy.evicts ? Condition::kNever : Condition::kKeptTurn;
  return row;
}

// Whether `has` holds for one of these policies (one bit per code).
template <typename Has>
constexpr bool any_row(std::uint32_t policies, Has has) {
  for (std::uint32_t code = 0; code < kPolicyTable.size(); ++code) {
    if ((policies >> code & 1) != 0 && has(kPolicyTable[code])) return true;
  }
  return false;
}
constexpr bool have_dues(std::uint32_t policies) {
  return any_row(policies, [](const PolicyRow& row) { return row.reads_dues(); });
}
constexpr bool have_order(std::uint32_t policies) {
  return any_row(policies, [](const PolicyRow& row) { return row.has_order(); });
}
constexpr bool have_partitions(std::uint32_t policies) {
  return any_row(policies, [](const PolicyRow& row) { return row.has(kPartitions); });
}

}  // namespace tessera::rtl_model
