// SPDX-License-Identifier: Apache-2.0
// Time slices on the tables alone: whose turn it is, and what the others may have meanwhile.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Access;
using test::DoesNothing;
using test::Tables;

std::unique_ptr<IPolicy> time_slice(Access access = Access::kExclusive) {
  return make_policy(test::config(spec::PolicyKind::kTimeSlice, 2, 4, access));
}

TEST(TimeSlicePolicy, TheTimerRunsWhileKernelsOfTwoContextsAreActive) {
  Tables tables(2);
  const auto policy = time_slice();
  EXPECT_FALSE(policy->wants_timer(tables));
  tables.add({1});
  tables.add({1});
  EXPECT_FALSE(policy->wants_timer(tables));
  const KsrId other = tables.add({3});
  EXPECT_TRUE(policy->wants_timer(tables));
  tables.deactivate(other);
  EXPECT_FALSE(policy->wants_timer(tables));
}

TEST(TimeSlicePolicy, TheOwnersKernelTakesTheSmsOfTheOthersInItsTurn) {
  Tables tables(2);
  const auto policy = time_slice();
  const KsrId first = tables.add({0});
  const KsrId second = tables.add({2});
  tables.give(first, {0, 1});
  EXPECT_THAT(policy->step(tables), DoesNothing());  // context 0 has the turn
  policy->on_timer(tables);
  EXPECT_EQ(policy->step(tables), test::reserve(SmId{0}, second));
  tables.reserve(SmId{0}, second);
  EXPECT_EQ(policy->step(tables), test::reserve(SmId{1}, second));
  tables.reserve(SmId{1}, second);
  EXPECT_THAT(policy->step(tables), DoesNothing());
  policy->on_timer(tables);
  EXPECT_EQ(policy->step(tables), test::retarget(SmId{0}, first));  // back before it was emptied
}

TEST(TimeSlicePolicy, TurnsGoInTheOrderOfContextsAndPassThoseThatAreIdle) {
  Tables tables(2);
  const auto policy = time_slice();
  const KsrId last = tables.add({3});
  const KsrId first = tables.add({1});
  EXPECT_EQ(policy->step(tables), test::assign(SmId{0}, first));  // context 0 has no kernel
  policy->on_timer(tables);
  EXPECT_EQ(policy->step(tables), test::assign(SmId{0}, last));
  policy->on_timer(tables);
  EXPECT_EQ(policy->step(tables), test::assign(SmId{0}, first));
}

TEST(TimeSlicePolicy, TheTurnPassesWhenTheOwnersLastKernelFinishes) {
  Tables tables(1);
  const auto policy = time_slice();
  const KsrId owner = tables.add({0});
  const KsrId next = tables.add({1});
  tables.give(owner, {0});
  tables.release(SmId{0});
  tables.deactivate(owner);
  EXPECT_EQ(policy->step(tables), test::assign(SmId{0}, next));
}

TEST(TimeSlicePolicy, IdleSmsAreLentUnderSharedAccessInTheOrderOfTurns) {
  Tables tables(2);
  const KsrId owner = tables.add({0, 0, 1, 1, 0});
  const KsrId far = tables.add({3});
  tables.give(owner, {0});
  EXPECT_THAT(time_slice(Access::kExclusive)->step(tables), DoesNothing());
  EXPECT_EQ(time_slice(Access::kShared)->step(tables), test::assign(SmId{1}, far));
  const KsrId near = tables.add({1});
  EXPECT_EQ(time_slice(Access::kShared)->step(tables), test::assign(SmId{1}, near));
}

TEST(TimeSlicePolicy, ABorrowerDoesNotPreempt) {
  Tables tables(2);
  const KsrId owner = tables.add({0, 0, 1, 1, 0});
  const KsrId first = tables.add({1});
  tables.add({2});
  tables.give(owner, {0});
  tables.give(first, {1});
  EXPECT_THAT(time_slice(Access::kShared)->step(tables), DoesNothing());
}

TEST(TimeSlicePolicy, CommandsEnterRoundRobin) {
  Tables tables(2);
  tables.wait(1, 1, 0, 7);
  tables.wait(3, 3, 5, 2);
  EXPECT_EQ(time_slice()->select_command(tables), CommandBufferId{1});
}

}  // namespace
}  // namespace tessera::policy
