// SPDX-License-Identifier: Apache-2.0
// time_slice with a kept turn on the tables alone: who gets an SM, and whose command enters.
#include "model/policy/kept_turn.h"
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using test::DoesNothing;
using test::Tables;

// Of 4 contexts, context 1 has the turn.
struct Bench {
  Bench() : config(test::config(spec::PolicyKind::kTimeSlice, 2, 4)) {
    config.turn = &turn;
    policy = make_policy(config);
  }

  SeenTurn turn{ContextId(1), true, true, false};
  PolicyConfig config;
  Tables tables{2};
  std::unique_ptr<IPolicy> policy;
};

TEST(KeptTimeSlicePolicy, AnIdleSmGoesToTheFirstKernelOfTheOwner) {
  Bench bench;
  bench.tables.add({2});
  const KsrId owners = bench.tables.add({1});
  bench.tables.add({1});
  EXPECT_EQ(bench.policy->step(bench.tables), test::assign(SmId{0}, owners));
  EXPECT_TRUE(bench.policy->may_use_idle_sm(bench.tables, owners));
}

TEST(KeptTimeSlicePolicy, KernelsOfOthersGetNoSmThoughOneIsIdle) {
  Bench bench;
  const KsrId other = bench.tables.add({2});
  EXPECT_THAT(bench.policy->step(bench.tables), DoesNothing());
  EXPECT_FALSE(bench.policy->may_use_idle_sm(bench.tables, other));
}

TEST(KeptTimeSlicePolicy, NobodyGetsAnSmWhileTheTurnIsOnItsWay) {
  Bench bench;
  const KsrId owners = bench.tables.add({1});
  bench.turn.gives_sms = false;
  EXPECT_THAT(bench.policy->step(bench.tables), DoesNothing());
  EXPECT_FALSE(bench.policy->may_use_idle_sm(bench.tables, owners));
}

TEST(KeptTimeSlicePolicy, AnSmIsTakenFromAnotherContextOnlyIfSmsChangeHandsOneByOne) {
  Bench bench;
  const KsrId other = bench.tables.add({2});
  const KsrId owners = bench.tables.add({1});
  bench.tables.give(other, {0, 1});
  EXPECT_THAT(bench.policy->step(bench.tables), DoesNothing());
  bench.turn.takes_sms_away = true;
  EXPECT_EQ(bench.policy->step(bench.tables), test::reserve(SmId{0}, owners));
}

TEST(KeptTimeSlicePolicy, AnSmOfTheOwnersOtherKernelIsNotTaken) {
  Bench bench;
  bench.turn.takes_sms_away = true;
  const KsrId first = bench.tables.add({1});
  bench.tables.add({1});
  bench.tables.give(first, {0, 1});
  EXPECT_THAT(bench.policy->step(bench.tables), DoesNothing());
}

TEST(KeptTimeSlicePolicy, CommandsEnterInTheOrderOfTheRingFromTheOwnerOn) {
  Bench bench;
  bench.tables.wait(0, 0, 0, 0);
  bench.tables.wait(3, 3, 0, 3);
  EXPECT_EQ(bench.policy->select_command(bench.tables), CommandBufferId(3));
  bench.tables.wait(1, 1, 0, 1);
  EXPECT_EQ(bench.policy->select_command(bench.tables), CommandBufferId(1));
}

TEST(KeptTimeSlicePolicy, WhileTheOwnersKernelsRunToTheirEndsItsCommandHoldsTheOthersBack) {
  Bench bench;
  bench.turn.activates_owner = false;
  bench.tables.wait(3, 3, 0, 3);
  EXPECT_EQ(bench.policy->select_command(bench.tables), CommandBufferId(3));
  bench.tables.wait(1, 1, 0, 1);
  EXPECT_EQ(bench.policy->select_command(bench.tables), kNoCommandBuffer);
}

TEST(KeptTimeSlicePolicy, ItNeedsNoTimerOfItsOwn) {
  Bench bench;
  bench.tables.add({1});
  bench.tables.add({2});
  EXPECT_FALSE(bench.policy->wants_timer(bench.tables));
}

}  // namespace
}  // namespace tessera::policy
