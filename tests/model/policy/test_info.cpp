// SPDX-License-Identifier: Apache-2.0
// The table of policies says of each what it does: held against its decisions on random tables.
#include <ostream>
#include <random>
#include <set>

#include "model/spec/names.h"
#include "tests/model/policy/support.h"

namespace tessera::spec {

void PrintTo(const PolicyInfo& policy, std::ostream* out) { *out << policy.name; }

}  // namespace tessera::spec

namespace tessera::policy {
namespace {

using spec::Access;
using spec::Cores;
using spec::PolicyInfo;
using spec::PolicyOrder;
using test::Tables;

constexpr std::uint32_t kNumSms = 4;
constexpr std::uint32_t kNumContexts = 3;
constexpr int kNumTables = 2000;

std::unique_ptr<IPolicy> policy_of(const PolicyInfo& info, Access access = Access::kExclusive) {
  return make_policy(test::config(info.kind, kNumSms, kNumContexts, access));
}

// Kernels of any urgency; SMs idle, running and reserved.
Tables any_tables(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  Tables tables(kNumSms);
  std::vector<KsrId> kernels;
  for (std::uint32_t i = 0; i <= below(4); ++i) {
    test::KernelSays says;
    says.context = static_cast<std::uint16_t>(below(kNumContexts));
    says.priority = below(3);
    says.num_tbs = below(6);
    says.tokens = static_cast<std::int32_t>(below(4));
    says.deadline_unit = below(3);
    kernels.push_back(tables.add(says));
  }
  for (std::uint16_t sm = 0; sm < kNumSms; ++sm) {
    if (below(4) == 0) continue;
    tables.give(kernels[below(static_cast<std::uint32_t>(kernels.size()))], {sm});
    if (below(4) == 0) tables.reserve(SmId(sm), kernels[below(static_cast<std::uint32_t>(kernels.size()))]);
  }
  return tables;
}

class InfoOf : public testing::TestWithParam<PolicyInfo> {};

TEST_P(InfoOf, ItTakesSmsAwayOnlyIfItPreempts) {
  bool has_preempted = false;
  for (std::uint32_t seed = 0; seed < kNumTables; ++seed) {
    const Tables tables = any_tables(seed);
    const Action action = test::next_step(*policy_of(GetParam(), Access::kShared), tables).action;
    has_preempted = has_preempted || action == Action::kReserve || action == Action::kRetarget;
  }
  EXPECT_EQ(has_preempted, GetParam().has(spec::kPreempts));
}

TEST_P(InfoOf, AccessMakesADifferenceOnlyIfItUsesIt) {
  bool differs = false;
  for (std::uint32_t seed = 0; seed < kNumTables; ++seed) {
    const Tables tables = any_tables(seed);
    const bool is_same = test::next_step(*policy_of(GetParam(), Access::kExclusive), tables) ==
                         test::next_step(*policy_of(GetParam(), Access::kShared), tables);
    differs = differs || !is_same;
  }
  EXPECT_EQ(differs, GetParam().has(spec::kUsesAccess));
}

TEST_P(InfoOf, ItWantsATimerOnlyIfItHasOne) {
  bool wants_timer = false;
  for (std::uint32_t seed = 0; seed < kNumTables; ++seed) {
    wants_timer = wants_timer || policy_of(GetParam())->wants_timer(any_tables(seed));
  }
  EXPECT_EQ(wants_timer, GetParam().has(spec::kHasTimer));
}

TEST_P(InfoOf, ItDealsTokensOnlyIfItOrdersByThem) {
  EXPECT_EQ(policy_of(GetParam())->take_tokens(ContextId{0}) != 0, GetParam().order == PolicyOrder::kTokens);
}

// An idle SM is given only to a kernel that may use it, by the policy's own word.
TEST_P(InfoOf, ItGivesIdleSmsToThoseThatMayUseThem) {
  for (const Access access : {Access::kExclusive, Access::kShared}) {
    for (std::uint32_t seed = 0; seed < kNumTables; ++seed) {
      const Tables tables = any_tables(seed);
      const auto policy = policy_of(GetParam(), access);
      const Decision decision = test::next_step(*policy, tables);
      const bool by_turn = GetParam().order == PolicyOrder::kTurn && access == Access::kExclusive;  // whose: it knows
      if (decision.action != Action::kAssign || by_turn) continue;
      EXPECT_TRUE(policy->may_use_idle_sm(tables, decision.kernel)) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, InfoOf, testing::ValuesIn(spec::kPolicies),
                         [](const testing::TestParamInfo<PolicyInfo>& test) { return std::string(test.param.name); });

TEST(PolicyTable, CodesAreTheirOwnAndFitTheRegister) {
  std::set<unsigned> codes;
  for (const PolicyInfo& info : spec::kPolicies) {
    codes.insert(info.code);
    EXPECT_EQ(spec::with_code(spec::kPolicies, info.code)->kind, info.kind);
  }
  EXPECT_EQ(codes.size(), spec::kPolicies.size());
  EXPECT_EQ(spec::with_code(spec::kPolicies, 0xFF), nullptr);
}

TEST(PolicyTable, EveryPolicyExistsSomewhereAndIsMadeInTlm) {
  for (const PolicyInfo& info : spec::kPolicies) {
    EXPECT_TRUE(includes(info.cores, Cores::kTlm) || includes(info.cores, Cores::kClocked)) << info.name;
    if (includes(info.cores, Cores::kTlm)) {
      EXPECT_NE(policy_of(info), nullptr) << info.name;
    }
  }
}

TEST(PolicyTable, APairExistsWhereAllOfTheCoresHaveBoth) {
  spec::SchedulerSpec scheduler;
  for (const PolicyInfo& policy : spec::kPolicies) {
    for (const spec::TechniqueInfo& technique : spec::kTechniques) {
      scheduler.policy = policy.kind;
      scheduler.technique = technique.kind;
      for (const Cores cores : {Cores::kTlm, Cores::kClocked, Cores::kBoth}) {
        EXPECT_EQ(exists(scheduler, cores), includes(policy.cores, cores) && includes(technique.cores, cores));
      }
    }
  }
}

}  // namespace
}  // namespace tessera::policy
