// SPDX-License-Identifier: Apache-2.0
// Scheduler keys that only some policies read. A key that is not read and not at its default is a mistake, since it
// would have no effect.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/spec/policies.h"

namespace tessera::spec {

struct PolicyKey {
  std::string_view name;
  std::string_view provided;  // further condition, in words
  bool (*is_read)(const SchedulerSpec& scheduler);
  bool (*is_default)(const SchedulerSpec& scheduler);
  void (*reset)(SchedulerSpec& scheduler);
};

namespace policy_keys {

template <auto kMember>
constexpr PolicyKey key(std::string_view name, bool (*is_read)(const SchedulerSpec&), std::string_view provided = "") {
  return {name, provided, is_read,
          [](const SchedulerSpec& scheduler) { return scheduler.*kMember == SchedulerSpec{}.*kMember; },
          [](SchedulerSpec& scheduler) { scheduler.*kMember = SchedulerSpec{}.*kMember; }};
}

inline bool preempts(const SchedulerSpec& scheduler) { return info(scheduler.policy).has(kPreempts); }
inline bool has_tokens(const SchedulerSpec& scheduler) { return info(scheduler.policy).order == PolicyOrder::kTokens; }
// A kept turn is of the whole GPU, whoever could use what its owner leaves idle.
inline bool has_access(const SchedulerSpec& scheduler) {
  return info(scheduler.policy).has(kUsesAccess) && !keeps_turn(scheduler);
}
inline bool has_timer(const SchedulerSpec& scheduler) { return info(scheduler.policy).has(kHasTimer); }
inline bool lingers(const SchedulerSpec& scheduler) { return info(scheduler.policy).has(kKeepsSms); }
inline constexpr std::string_view kKept = " with turn: kept";
inline constexpr std::string_view kKeptByGpu = " with turn: kept and switch_scope: gpu";
// Time slices have no scope: a turn is for the whole GPU.
inline bool has_scope(const SchedulerSpec& scheduler) {
  return has_access(scheduler) && !has_timer(scheduler) && scheduler.access == Access::kExclusive;
}

}  // namespace policy_keys

inline constexpr std::array kPolicyKeys{
    policy_keys::key<&SchedulerSpec::technique>("technique", policy_keys::preempts),
    policy_keys::key<&SchedulerSpec::access>("access", policy_keys::has_access, " (time_slice: with turn: passed)"),
    policy_keys::key<&SchedulerSpec::exclusive_scope>("exclusive_scope", policy_keys::has_scope,
                                                      " with access: exclusive"),
    policy_keys::key<&SchedulerSpec::token_scope>("token_scope", policy_keys::has_tokens),
    policy_keys::key<&SchedulerSpec::debt>("debt", policy_keys::has_tokens),
    policy_keys::key<&SchedulerSpec::remainder>("remainder", policy_keys::has_tokens),
    policy_keys::key<&SchedulerSpec::time_slice>("time_slice_us", policy_keys::has_timer),
    policy_keys::key<&SchedulerSpec::preset>("preset", policy_keys::has_timer),
    policy_keys::key<&SchedulerSpec::board>("board", policy_keys::has_timer),
    policy_keys::key<&SchedulerSpec::turn>("turn", policy_keys::has_timer),
    policy_keys::key<&SchedulerSpec::switch_scope>("switch_scope", keeps_turn, policy_keys::kKept),
    policy_keys::key<&SchedulerSpec::dry_owner>("dry_owner", keeps_turn, policy_keys::kKept),
    policy_keys::key<&SchedulerSpec::slice_renewal>("slice_renewal", keeps_turn, policy_keys::kKept),
    policy_keys::key<&SchedulerSpec::next_turn>("next_turn", keeps_turn, policy_keys::kKept),
    policy_keys::key<&SchedulerSpec::linger>("linger_us", policy_keys::lingers),
};

// Names of the policies that read the key, or can, for messages.
inline std::string names_of_readers(bool (*is_read)(const SchedulerSpec&)) {
  std::string names;
  for (const PolicyInfo& policy : kPolicies) {
    SchedulerSpec scheduler, kept;
    scheduler.policy = kept.policy = policy.kind;
    kept.turn = Turn::kKept;
    kept.switch_scope = SwitchScope::kGpu;
    if (is_read(scheduler) || is_read(kept)) names += std::string(names.empty() ? "" : ", ") + std::string(policy.name);
  }
  return names;
}
inline std::string readers_of(const PolicyKey& key) {
  return names_of_readers(key.is_read) + std::string(key.provided);
}

// Resets keys that the policy does not read to their defaults.
inline void reset_unread(SchedulerSpec& scheduler) {
  for (const PolicyKey& key : kPolicyKeys) {
    if (!key.is_read(scheduler)) key.reset(scheduler);
  }
}

}  // namespace tessera::spec
