// SPDX-License-Identifier: Apache-2.0
// What the policy tests share: tables filled in one line, policies by name, moves carried out at once.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <vector>

#include "model/policy/policy.h"

namespace tessera::policy {

inline bool operator==(const Decision& a, const Decision& b) {
  return a.action == b.action && a.sm == b.sm && a.kernel == b.kernel;
}
inline std::ostream& operator<<(std::ostream& out, const Decision& d) {
  return out << "action " << static_cast<int>(d.action) << " SM " << index(d.sm) << " KSR " << index(d.kernel);
}

namespace test {

inline Decision assign(SmId sm, KsrId ksr) { return {Action::kAssign, sm, ksr}; }
inline Decision reserve(SmId sm, KsrId ksr) { return {Action::kReserve, sm, ksr}; }
inline Decision retarget(SmId sm, KsrId ksr) { return {Action::kRetarget, sm, ksr}; }
MATCHER(DoesNothing, "") { return arg.action == Action::kNone; }

// What its next step finds.
inline Decision next_step(IPolicy& policy, const SchedulingTables& tables) {
  policy.begin_step(tables);
  return policy.step(tables);
}

inline PolicyConfig config(spec::PolicyKind kind, std::uint32_t num_sms, std::uint32_t num_processes,
                           spec::Access access = spec::Access::kExclusive) {
  PolicyConfig config;
  config.scheduler.policy = kind;
  config.scheduler.access = access;
  config.num_sms = num_sms;
  config.num_processes = num_processes;
  config.tokens.resize(num_processes);
  return config;
}

// For 4 processes.
inline std::unique_ptr<IPolicy> on_four_sms(spec::PolicyKind kind, spec::Access access, spec::ExclusiveScope scope) {
  PolicyConfig config = test::config(kind, 4, 4, access);
  config.scheduler.exclusive_scope = scope;
  return make_policy(config);
}

struct KernelSays {
  std::uint16_t context = 0;
  std::uint32_t priority = 0;
  std::uint32_t num_tbs = 1000;
  std::uint32_t tbs_per_sm = 1;
  std::int32_t tokens = 0;
  std::uint64_t deadline_unit = kNoDeadline;
  std::uint8_t partition = 0;
};

// Tables under construction.
class Tables : public SchedulingTables {
 public:
  explicit Tables(std::uint32_t num_sms, std::uint32_t num_ksrs = 8)
      : SchedulingTables(num_sms, num_ksrs, kNumBuffers) {}

  // A kernel enters the active queue.
  KsrId add(const KernelSays& says) {
    KsrEntry entry;
    entry.context = ContextId(says.context);
    entry.priority = says.priority;
    entry.deadline_unit = says.deadline_unit;
    entry.tbs.total = says.num_tbs;
    entry.tbs_per_sm = says.tbs_per_sm;
    entry.tokens = says.tokens;
    entry.partition = PartitionId(says.partition);
    const KsrId id = lowest_free_ksr();
    activate(id, CommandBufferId(says.context % kNumBuffers), entry);
    return id;
  }
  // It gets idle SMs and fills their slots.
  void give(KsrId id, const std::vector<std::uint16_t>& sms) {
    for (const std::uint16_t sm : sms) {
      assign(SmId(sm), id);
      for (std::uint32_t i = 0; i < ksr(id).tbs_per_sm && ksr(id).tbs.fresh() > 0; ++i) {
        ++ksr(id).tbs.next;
        add_resident(SmId(sm));
      }
    }
  }
  // A kernel waits in a command buffer.
  void wait(std::uint16_t buffer, std::uint16_t context, std::uint32_t priority, std::uint64_t arrival_order,
            std::uint64_t deadline_unit = kNoDeadline) {
    command(CommandBufferId(buffer)) = {true, ContextId(context), priority, arrival_order, deadline_unit, {}};
  }
  void carry_out(const Decision& decision) {
    switch (decision.action) {
      case Action::kAssign:
        return assign(decision.sm, decision.kernel);
      case Action::kReserve:
        return reserve(decision.sm, decision.kernel);
      case Action::kRetarget:
        return retarget(decision.sm, decision.kernel);
      case Action::kNone:
      case Action::kPass:
        return;
    }
  }

 private:
  static constexpr std::uint32_t kNumBuffers = 4;
};

// Steps until one ends the invocation; carries out what they find.
inline std::vector<Decision> moves_of(IPolicy& policy, Tables& tables) {
  std::vector<Decision> moves;
  for (Decision found = next_step(policy, tables); found.action != Action::kNone; found = next_step(policy, tables)) {
    tables.carry_out(found);
    if (found.action != Action::kPass) moves.push_back(found);
  }
  return moves;
}

}  // namespace test
}  // namespace tessera::policy
