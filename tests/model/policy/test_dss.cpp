// SPDX-License-Identifier: Apache-2.0
// Dynamic spatial sharing on the tables alone: Algorithm 1 as docs/concepts/readings.md has it, step by step.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Debt;
using spec::PolicyKind;
using spec::TokenScope;
using test::DoesNothing;
using test::Tables;
using testing::ElementsAre;

std::unique_ptr<IPolicy> dss(std::uint32_t num_sms, std::uint32_t num_processes, TokenScope scope = TokenScope::kKernel,
                             Debt debt = Debt::kAlways) {
  PolicyConfig config = test::config(PolicyKind::kDss, num_sms, num_processes);
  config.scheduler.token_scope = scope;
  config.scheduler.debt = debt;
  return make_policy(config);
}
Decision step(const SchedulingTables& tables) {
  return dss(static_cast<std::uint32_t>(tables.smst().size()), 4)->step(tables);
}

// ---- one step --------------------------------------------------------------------------------------------------

TEST(DssPolicy, IdleSmsGoToTheKernelWithMostTokensWhateverTheGap) {
  Tables tables(3);
  const KsrId first = tables.add({0, 0, 1000, 1, 1});
  const KsrId most = tables.add({1, 0, 1000, 1, 2});
  tables.add({2, 0, 1000, 1, 2});
  EXPECT_EQ(step(tables), test::assign(SmId{0}, most));  // and the earlier one at a tie
  tables.deactivate(most);
  tables.deactivate(KsrId{2});
  tables.give(first, {0, 1});
  EXPECT_EQ(step(tables), test::assign(SmId{2}, first));  // alone it goes into debt
}

// The other kernel needs none: neither a runner-up nor alone.
TEST(DssPolicy, AnAssignGivesNoMoreThanTheTokensAndOneToAKernelInDebt) {
  for (const std::int32_t tokens : {-2, 0, 1, 3}) {
    Tables tables(8);
    tables.add({0, 0, 1000, 1, tokens});
    tables.add({1, 0, 0, 1, 0});
    EXPECT_EQ(dss(8, 4, TokenScope::kKernel, Debt::kGap)->step(tables).limit,
              static_cast<std::uint32_t>(std::max(tokens, 1)));
  }
}

TEST(DssPolicy, AnAssignToAKernelAloneGivesAllSmsWhereItMayGoIntoDebt) {
  Tables tables(8);
  tables.add({0, 0, 1000, 1, 2});
  for (const Debt debt : {Debt::kAlways, Debt::kGap, Debt::kLone}) {
    EXPECT_GE(dss(8, 4, TokenScope::kKernel, debt)->step(tables).limit, 8U);
  }
  EXPECT_EQ(dss(8, 4, TokenScope::kKernel, Debt::kNever)->step(tables).limit, 2U);
}

TEST(DssPolicy, AnAssignEndsWhereTheRunnerUpWouldGetTheNextSm) {
  for (const bool is_first : {false, true}) {
    Tables tables(8);
    if (!is_first) tables.add({1, 0, 1000, 1, 3});
    const KsrId richest = tables.add({0, 0, 1000, 1, 5});
    if (is_first) tables.add({1, 0, 1000, 1, 3});
    tables.add({2, 0, 0, 1, 4});  // needs none
    const Decision found = step(tables);
    EXPECT_EQ(found.kernel, richest);
    EXPECT_EQ(found.limit, is_first ? 3U : 2U);
  }
}

// Each SM of an assign is the one that the policy would give if it gave one at a time; and it stops before that only at
// the end of the kernel's tokens.
RC_GTEST_PROP(DssPolicy, AnAssignGivesWhatOneSmAfterTheOtherWould, ()) {
  const auto scope = *rc::gen::element(TokenScope::kKernel, TokenScope::kProcess);
  Tables tables(12);
  const auto num_kernels = *rc::gen::inRange<std::uint16_t>(1, 6);
  std::vector<std::int32_t> budgets(3);
  for (std::int32_t& budget : budgets) budget = *rc::gen::inRange<std::int32_t>(-2, 9);
  for (std::uint16_t k = 0; k < num_kernels; ++k) {
    const auto context = *rc::gen::inRange<std::uint16_t>(0, 3);
    tables.add({context, 0, *rc::gen::inRange<std::uint32_t>(0, 12), *rc::gen::inRange<std::uint32_t>(1, 4),
                budgets[context]});
  }
  const auto policy = dss(12, 3, scope, *rc::gen::element(Debt::kAlways, Debt::kGap, Debt::kLone, Debt::kNever));
  const Decision first = policy->step(tables);
  if (first.action != Action::kAssign) return;
  std::uint32_t given = 0;
  do {
    const Decision one = policy->step(tables);
    RC_ASSERT(one.action == Action::kAssign && one.kernel == first.kernel);
    RC_ASSERT(one.sm == tables.idle_sm_for(first.kernel));
    tables.carry_out(one);
    ++given;
  } while (given < first.limit && tables.ksr(first.kernel).needs_another_sm() && tables.lowest_idle_sm() != kNoSm);
  const Decision next = policy->step(tables);
  if (next.action == Action::kAssign && next.kernel == first.kernel) RC_ASSERT(given == first.limit);
}

TEST(DssPolicy, AnSmMovesOnlyWhileThatBringsTheCountsCloser) {
  for (const std::int32_t tokens : {1, 2}) {  // against a kernel that has 1 token and holds 1 SM: count 0
    Tables tables(1);
    const KsrId min = tables.add({0, 0, 1000, 1, 1});
    const KsrId max = tables.add({1, 0, 1000, 1, tokens});
    tables.give(min, {0});
    if (tokens == 1) {
      EXPECT_THAT(step(tables), DoesNothing());
    } else {
      EXPECT_EQ(step(tables), test::reserve(SmId{0}, max));
    }
  }
}

TEST(DssPolicy, TheEarliestKernelWithFewestTokensLosesItsLowestSm) {
  Tables tables(4);
  const KsrId rich = tables.add({0, 0, 1000, 1, 2});
  const KsrId poor = tables.add({1, 0, 1000, 1, 0});
  const KsrId as_poor = tables.add({2, 0, 1000, 1, 0});
  const KsrId newcomer = tables.add({3, 0, 1000, 1, 3});
  tables.give(rich, {0, 3});
  tables.give(poor, {2});
  tables.give(as_poor, {1});
  EXPECT_EQ(step(tables), test::reserve(SmId{2}, newcomer));
}

TEST(DssPolicy, AnSmReservedForThePoorestIsRetargetedBeforeARunningOneIsReserved) {
  Tables tables(3);
  const KsrId poorest = tables.add({0, 0, 1000, 1, 0});
  const KsrId owner = tables.add({1, 0, 1000, 1, 2});
  const KsrId newcomer = tables.add({2, 0, 1000, 1, 3});
  tables.give(poorest, {0});
  tables.give(owner, {1, 2});
  tables.reserve(SmId{2}, poorest);  // counts now: -2, 1, 3
  EXPECT_EQ(step(tables), test::retarget(SmId{2}, newcomer));
}

TEST(DssPolicy, AReservedSmMayReturnToItsOwner) {
  Tables tables(2);
  const KsrId owner = tables.add({0, 0, 1000, 1, 2});
  const KsrId poorest = tables.add({1, 0, 1000, 1, 0});
  tables.give(owner, {0, 1});
  tables.reserve(SmId{1}, poorest);  // counts: 1, -1
  EXPECT_EQ(step(tables), test::retarget(SmId{1}, owner));
}

TEST(DssPolicy, AKernelThatHoldsNoSmCannotBeTheVictim) {
  Tables tables(1);
  const KsrId holder = tables.add({0, 0, 1000, 1, 3});
  tables.add({1, 0, 0, 1, -5});  // fewest tokens, holds nothing, needs nothing
  tables.add({2, 0, 1000, 1, 3});
  tables.give(holder, {0});  // counts 2, -5, 3
  EXPECT_THAT(step(tables), DoesNothing());
}

TEST(DssPolicy, AKernelWithNothingLeftToIssueStillGivesUpSms) {
  Tables tables(2);
  const KsrId finishing = tables.add({0, 0, 2, 1, 0});
  const KsrId newcomer = tables.add({1, 0, 1000, 1, 1});
  tables.give(finishing, {0, 1});
  ASSERT_EQ(tables.ksr(finishing).issuable_tbs(), 0);
  EXPECT_EQ(step(tables), test::reserve(SmId{0}, newcomer));
}

TEST(DssPolicy, AKernelWhoseTbsAreAllCoveredWantsNothing) {
  Tables tables(3);
  const KsrId covered = tables.add({0, 0, 4, 4, 3});
  tables.assign(SmId{0}, covered);
  EXPECT_THAT(step(tables), DoesNothing());
}

// Whatever the tables are, the moves end, and then no move would bring two counts closer together.
RC_GTEST_PROP(DssPolicy, EndsInABalanceFromAnyState, ()) {
  const auto num_sms = *rc::gen::inRange<std::uint32_t>(1, 20);
  const auto num_kernels = *rc::gen::inRange<std::uint16_t>(1, 7);
  Tables tables(num_sms);
  std::vector<KsrId> kernels;
  for (std::uint16_t k = 0; k < num_kernels; ++k) {
    kernels.push_back(tables.add({k, 0, *rc::gen::inRange<std::uint32_t>(0, 40), *rc::gen::inRange<std::uint32_t>(1, 5),
                                  *rc::gen::inRange<std::int32_t>(-3, 15)}));
  }
  for (std::uint16_t sm = 0; sm < num_sms; ++sm) {
    const auto owner = *rc::gen::inRange<std::size_t>(0, num_kernels + 1UL);
    if (owner < num_kernels) tables.give(kernels[owner], {sm});
    const auto next = *rc::gen::inRange<std::size_t>(0, 2UL * num_kernels);
    if (owner < num_kernels && next < num_kernels) tables.reserve(SmId(sm), kernels[next]);
  }
  const auto policy = dss(num_sms, num_kernels);
  // The sum of squares falls with every move between kernels, and no SM is assigned twice.
  for (Decision d = policy->step(tables); d.action != Action::kNone; d = policy->step(tables)) {
    const auto squares = [&] {
      std::int64_t sum = 0;
      for (const KsrId id : kernels) sum += std::int64_t{tables.ksr(id).token_count()} * tables.ksr(id).token_count();
      return sum;
    };
    const std::int64_t before = squares();
    tables.carry_out(d);
    RC_ASSERT(d.action == Action::kAssign || squares() < before);
  }
  bool is_anyone_in_need = false;
  std::int32_t max = std::numeric_limits<std::int32_t>::min();
  std::int32_t min = std::numeric_limits<std::int32_t>::max();
  for (const KsrId id : kernels) {
    const KsrEntry& ksr = tables.ksr(id);
    if (ksr.uncovered_tbs() > 0) max = std::max(max, ksr.token_count());
    if (ksr.sms_held() > 0) min = std::min(min, ksr.token_count());
    is_anyone_in_need = is_anyone_in_need || ksr.uncovered_tbs() > 0;
  }
  RC_ASSERT(!is_anyone_in_need || (tables.lowest_idle_sm() == kNoSm && max <= min + 1));
}

// ---- budgets ---------------------------------------------------------------------------------------------------

TEST(DssPolicy, TheRemainderTokensGoToTheFirstKernelsAndComeBack) {
  const auto policy = dss(13, 8);  // one each, and five more
  Tables tables(13);
  std::vector<std::int32_t> budgets;
  for (std::uint16_t p = 0; p < 7; ++p) {
    budgets.push_back(policy->take_tokens(ContextId(p)));
    tables.add({p, 0, 1000, 1, budgets.back()});
  }
  EXPECT_THAT(budgets, ElementsAre(2, 2, 2, 2, 2, 1, 1));
  policy->return_tokens(tables, KsrId{6});  // had none of the pool
  EXPECT_EQ(policy->take_tokens(ContextId{6}), 1);
  policy->return_tokens(tables, KsrId{2});
  EXPECT_EQ(policy->take_tokens(ContextId{7}), 2);
  EXPECT_EQ(policy->take_tokens(ContextId{2}), 1);
}

TEST(DssPolicy, EveryKernelOfAProcessHasABudgetUnderKernelScope) {
  const auto policy = dss(13, 4);  // three each, and one more
  EXPECT_EQ(policy->take_tokens(ContextId{0}), 4);
  EXPECT_EQ(policy->take_tokens(ContextId{0}), 3);
}

TEST(DssPolicy, KernelsOfAProcessShareOneBudgetUnderProcessScope) {
  const auto policy = dss(13, 4, TokenScope::kProcess);
  Tables tables(13);
  for (const std::uint16_t process : {0, 0, 1}) {
    tables.add({process, 0, 1000, 1, policy->take_tokens(ContextId(process))});
  }
  EXPECT_EQ(tables.ksr(KsrId{0}).tokens, 4);
  EXPECT_EQ(tables.ksr(KsrId{1}).tokens, 4);  // the same four
  EXPECT_EQ(tables.ksr(KsrId{2}).tokens, 3);
  // The remainder token stays until the last kernel of the process has finished.
  policy->return_tokens(tables, KsrId{0});
  tables.deactivate(KsrId{0});
  EXPECT_EQ(policy->take_tokens(ContextId{2}), 3);
  policy->return_tokens(tables, KsrId{1});
  EXPECT_EQ(policy->take_tokens(ContextId{3}), 4);
}

TEST(DssPolicy, SmsOfAllKernelsOfAProcessCountAgainstItsBudget) {
  const auto policy = dss(4, 2, TokenScope::kProcess);
  Tables tables(4);
  const KsrId a = tables.add({0, 0, 1000, 1, 2});
  const KsrId b = tables.add({0, 0, 1000, 1, 2});
  const KsrId other = tables.add({1, 0, 1000, 1, 2});
  tables.give(a, {0, 1});
  tables.give(b, {2});
  tables.give(other, {3});  // counts: -1 for both kernels of process 0, 1 for the other
  EXPECT_EQ(policy->step(tables), test::reserve(SmId{0}, other));
  tables.reserve(SmId{0}, other);
  EXPECT_THAT(policy->step(tables), DoesNothing());
}

TEST(DssPolicy, AnAssignedBudgetReplacesTheEqualShareAndReturnsTheRemainderToken) {
  PolicyConfig config = test::config(PolicyKind::kDss, 13, 4);
  config.tokens[1] = 9;
  const auto policy = make_policy(config);
  EXPECT_EQ(policy->take_tokens(ContextId{1}), 9);
  EXPECT_EQ(policy->take_tokens(ContextId{0}), 4);  // the remainder token was still there
  policy->set_tokens(ContextId{0}, 2);
  EXPECT_EQ(policy->take_tokens(ContextId{0}), 2);
  EXPECT_EQ(policy->take_tokens(ContextId{2}), 4);  // and is there again
}

TEST(DssPolicy, CommandsEnterRoundRobin) {
  Tables tables(4);
  const auto policy = dss(4, 4);
  tables.wait(0, 0, 0, 3);
  tables.wait(2, 2, 9, 1);
  EXPECT_EQ(policy->select_command(tables), CommandBufferId{0});
  tables.add({0});
  tables.wait(0, 0, 0, 4);
  EXPECT_EQ(policy->select_command(tables), CommandBufferId{2});
}

}  // namespace
}  // namespace tessera::policy
