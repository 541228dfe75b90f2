// SPDX-License-Identifier: Apache-2.0
// Preemptive priority queues on the tables alone: who gets an SM, and who loses one.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Access;
using spec::PolicyKind;
using test::DoesNothing;
using test::Tables;

std::unique_ptr<IPolicy> ppq(Access access = Access::kExclusive,
                             spec::ExclusiveScope scope = spec::ExclusiveScope::kNeeded) {
  return test::on_four_sms(PolicyKind::kPpq, access, scope);
}

TEST(PpqPolicy, CommandsOfTheHighestPriorityEnterRoundRobin) {
  Tables tables(4);
  tables.wait(0, 0, 2, 10);
  tables.wait(1, 1, 2, 11);
  tables.wait(3, 3, 1, 1);
  EXPECT_EQ(ppq()->select_command(tables), CommandBufferId{0});
  tables.add({0});
  tables.wait(0, 0, 2, 12);  // the same process again
  EXPECT_EQ(ppq()->select_command(tables), CommandBufferId{1});
  tables.add({1});
  EXPECT_EQ(ppq()->select_command(tables), CommandBufferId{0});
}

TEST(PpqPolicy, TheLowestIdleSmGoesToTheHighestPriorityThenTheEarliest) {
  for (const Access access : {Access::kExclusive, Access::kShared}) {
    Tables tables(3);
    const KsrId low = tables.add({0, 0});
    const KsrId first = tables.add({1, 1});
    tables.add({2, 1});
    tables.give(low, {0});
    EXPECT_EQ(ppq(access)->step(tables), test::assign(SmId{1}, first));
  }
}

TEST(PpqPolicy, WithoutAnIdleSmTheLowestSmOfTheLowestPriorityIsReserved) {
  Tables tables(4);
  const KsrId middle = tables.add({0, 1});
  const KsrId low = tables.add({1, 0});
  const KsrId high = tables.add({2, 2});
  tables.give(middle, {0, 2});
  tables.give(low, {1, 3});
  EXPECT_EQ(ppq()->step(tables), test::reserve(SmId{1}, high));
  tables.reserve(SmId{1}, high);
  EXPECT_EQ(ppq()->step(tables), test::reserve(SmId{3}, high));
  tables.reserve(SmId{3}, high);
  EXPECT_EQ(ppq()->step(tables), test::reserve(SmId{0}, high));
}

// Of equal rank the first in the queue is the victim, whatever the numbers of its SMs and whether they are reserved.
TEST(PpqPolicy, OfKernelsOfTheLowestPriorityTheFirstInTheQueueLosesItsSms) {
  Tables tables(4);
  const KsrId first = tables.add({0, 0});
  const KsrId second = tables.add({1, 0});
  const KsrId high = tables.add({2, 2});
  tables.give(second, {0});
  tables.give(first, {1, 2, 3});
  tables.reserve(SmId{1}, second);
  EXPECT_EQ(ppq()->step(tables), test::reserve(SmId{2}, high));
  EXPECT_EQ(ppq()->step(tables).victim, first);
  tables.reserve(SmId{2}, high);
  tables.reserve(SmId{3}, high);
  EXPECT_EQ(ppq()->step(tables), test::retarget(SmId{1}, high)) << "of the second: reserved before running";
}

TEST(PpqPolicy, AnSmReservedForALowerPriorityIsTakenBeforeOneThatRuns) {
  Tables tables(3);
  const KsrId lowest = tables.add({0, 0});
  const KsrId low = tables.add({1, 1});
  const KsrId high = tables.add({2, 2});
  tables.give(lowest, {2});
  tables.give(low, {0, 1});
  tables.reserve(SmId{2}, low);  // now nobody of the lowest priority holds an SM
  EXPECT_EQ(ppq()->step(tables), test::retarget(SmId{2}, high));
}

TEST(PpqPolicy, OnlyAsManySmsAreReservedAsUncoveredTbsNeed) {
  Tables tables(4);
  const KsrId low = tables.add({0, 0});
  const KsrId high = tables.add({1, 1, 5, 4, 0});  // two SMs hold its 5 TBs
  tables.give(low, {0, 1, 2, 3});
  const auto policy = ppq();
  for (const std::uint16_t sm : {0, 1}) {
    const Decision decision = policy->step(tables);
    EXPECT_EQ(decision, test::reserve(SmId(sm), high));
    tables.carry_out(decision);
  }
  EXPECT_THAT(policy->step(tables), DoesNothing());
}

TEST(PpqPolicy, EqualPrioritiesDoNotPreemptEachOther) {
  Tables tables(1);
  const KsrId first = tables.add({0, 1});
  tables.add({1, 1});
  tables.give(first, {0});
  EXPECT_THAT(ppq()->step(tables), DoesNothing());
}

TEST(PpqPolicy, OnlySharedAccessLetsALowerPriorityHaveAnIdleSm) {
  Tables tables(2);
  const KsrId high = tables.add({0, 1, 1, 1, 0});
  const KsrId low = tables.add({1, 0});
  tables.give(high, {0});
  EXPECT_THAT(ppq(Access::kExclusive)->step(tables), DoesNothing());
  EXPECT_EQ(ppq(Access::kShared)->step(tables), test::assign(SmId{1}, low));
  tables.deactivate(high);
  EXPECT_EQ(ppq(Access::kExclusive)->step(tables), test::assign(SmId{1}, low));
}

TEST(PpqPolicy, SharedAccessLetsAMiddlePriorityPreemptALowerOne) {
  Tables tables(2);
  const KsrId high = tables.add({0, 2, 1, 1, 0});
  const KsrId low = tables.add({1, 0});
  const KsrId middle = tables.add({2, 1});
  tables.give(high, {0});
  tables.give(low, {1});
  EXPECT_EQ(ppq(Access::kShared)->step(tables), test::reserve(SmId{1}, middle));
  EXPECT_THAT(ppq(Access::kExclusive)->step(tables), DoesNothing());
}

TEST(PpqPolicy, ExclusiveAccessToAllReservesEvenWhatNobodyNeeds) {
  Tables tables(3);
  const KsrId low = tables.add({0, 0});
  const KsrId high = tables.add({1, 1, 1, 1, 0});
  tables.give(low, {0, 1});
  tables.give(high, {2});
  EXPECT_THAT(ppq(Access::kExclusive, spec::ExclusiveScope::kNeeded)->step(tables), DoesNothing());
  const auto all = ppq(Access::kExclusive, spec::ExclusiveScope::kAll);
  for (const std::uint16_t sm : {0, 1}) {
    const Decision decision = all->step(tables);
    EXPECT_EQ(decision, test::reserve(SmId(sm), high));
    tables.carry_out(decision);
  }
  EXPECT_THAT(all->step(tables), DoesNothing());
  EXPECT_THAT(ppq(Access::kShared, spec::ExclusiveScope::kAll)->step(tables), DoesNothing());
}

TEST(PpqPolicy, AnSmWhoseNextKernelHasFinishedIsNobodysVictim) {
  Tables tables(1);
  const KsrId low = tables.add({0, 0});
  const KsrId gone = tables.add({1, 1});
  tables.give(low, {0});
  tables.reserve(SmId{0}, gone);
  tables.deactivate(gone);
  tables.add({2, 2});
  EXPECT_THAT(ppq()->step(tables), DoesNothing());  // it goes idle by itself
}

TEST(PpqPolicy, AnEmptyEngineNeedsNothing) {
  const Tables tables(1);
  EXPECT_THAT(ppq()->step(tables), DoesNothing());
  EXPECT_EQ(ppq()->select_command(tables), kNoCommandBuffer);
}

}  // namespace
}  // namespace tessera::policy
