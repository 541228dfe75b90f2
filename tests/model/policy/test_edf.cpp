// SPDX-License-Identifier: Apache-2.0
// Earliest deadline first on the tables alone. What it shares with ppq is tested there: here, that deadlines order,
// that nothing else does, and how they are counted.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Access;
using spec::PolicyKind;
using test::DoesNothing;
using test::Tables;

std::unique_ptr<IPolicy> edf(Access access = Access::kExclusive,
                             spec::ExclusiveScope scope = spec::ExclusiveScope::kNeeded) {
  return test::on_four_sms(PolicyKind::kEdf, access, scope);
}

test::KernelSays due(std::uint16_t context, std::uint64_t deadline_unit, std::uint32_t num_tbs = 1000) {
  test::KernelSays says;
  says.context = context;
  says.num_tbs = num_tbs;
  says.deadline_unit = deadline_unit;
  return says;
}

// ---- how deadlines are counted ---------------------------------------------------------------------------------

TEST(DeadlineUnit, IsTheDeadlinesOwnCycleInUnitsOf1024FromTheStart) {
  EXPECT_EQ(deadline_unit(0, 1023), 0U);
  EXPECT_EQ(deadline_unit(0, 1024), 1U);
  EXPECT_EQ(deadline_unit(1, 1023), 1U) << "arrival and deadline are added before they are cut";
  EXPECT_EQ(deadline_unit(5000, 10'000), 15'000U / 1024);
}

TEST(DeadlineUnit, WithoutADeadlineIsLaterThanAny) {
  EXPECT_EQ(deadline_unit(123, 0), kNoDeadline);
  EXPECT_LT(deadline_unit(kNever, kNever), kNoDeadline);
}

// ---- the order ---------------------------------------------------------------------------------------------------

TEST(EdfPolicy, TheCommandWithTheEarliestDeadlineEntersWhateverItsPriority) {
  Tables tables(4);
  tables.wait(0, 0, 15, 0, 8);
  tables.wait(1, 1, 0, 1, 7);
  tables.wait(2, 2, 15, 2);
  EXPECT_EQ(edf()->select_command(tables), CommandBufferId{1});
  tables.add({1});
  EXPECT_EQ(edf()->select_command(tables), CommandBufferId{0});
  tables.add({0});
  EXPECT_EQ(edf()->select_command(tables), CommandBufferId{2}) << "without a deadline: last, but it enters";
}

TEST(EdfPolicy, CommandsOfOneUnitEnterRoundRobin) {
  Tables tables(4);
  tables.wait(0, 0, 0, 10, 5);
  tables.wait(1, 1, 0, 11, 5);
  EXPECT_EQ(edf()->select_command(tables), CommandBufferId{0});
  tables.add({0});
  tables.wait(0, 0, 0, 12, 5);  // the same process again
  EXPECT_EQ(edf()->select_command(tables), CommandBufferId{1});
}

TEST(EdfPolicy, TheLowestIdleSmGoesToTheEarliestDeadlineThenTheEarliestEntry) {
  for (const Access access : {Access::kExclusive, Access::kShared}) {
    Tables tables(3);
    const KsrId none = tables.add(due(0, kNoDeadline));
    tables.add(due(1, 9));
    const KsrId first = tables.add(due(2, 4));
    tables.add(due(3, 4));
    tables.give(none, {0});
    EXPECT_EQ(edf(access)->step(tables), test::assign(SmId{1}, first));
  }
}

TEST(EdfPolicy, WithoutAnIdleSmTheLatestDeadlineGivesOneUpAndTheKernelWithoutOneBeforeIt) {
  Tables tables(3);
  const KsrId late = tables.add(due(0, 20));
  const KsrId none = tables.add(due(1, kNoDeadline));
  const KsrId early = tables.add(due(2, 3));
  tables.give(late, {0, 2});
  tables.give(none, {1});
  const auto policy = edf();
  for (const std::uint16_t sm : {1, 0, 2}) {
    const Decision decision = policy->step(tables);
    EXPECT_EQ(decision, test::reserve(SmId(sm), early));
    tables.carry_out(decision);
  }
  EXPECT_THAT(policy->step(tables), DoesNothing());
}

TEST(EdfPolicy, DeadlinesOfOneUnitDoNotPreemptEachOther) {
  Tables tables(1);
  const KsrId first = tables.add(due(0, 6));
  tables.add(due(1, 6));
  tables.give(first, {0});
  EXPECT_THAT(edf()->step(tables), DoesNothing());
}

TEST(EdfPolicy, AnSmReservedForALaterDeadlineIsTakenBeforeOneThatRuns) {
  Tables tables(3);
  const KsrId none = tables.add(due(0, kNoDeadline));
  const KsrId late = tables.add(due(1, 20));
  const KsrId early = tables.add(due(2, 3));
  tables.give(none, {2});
  tables.give(late, {0, 1});
  tables.reserve(SmId{2}, late);  // now nobody without a deadline holds an SM
  EXPECT_EQ(edf()->step(tables), test::retarget(SmId{2}, early));
}

// ---- access ------------------------------------------------------------------------------------------------------

TEST(EdfPolicy, OnlySharedAccessLetsALaterDeadlineHaveAnIdleSm) {
  Tables tables(2);
  const KsrId early = tables.add(due(0, 3, 1));
  const KsrId late = tables.add(due(1, 9));
  tables.give(early, {0});
  EXPECT_THAT(edf(Access::kExclusive)->step(tables), DoesNothing());
  EXPECT_EQ(edf(Access::kShared)->step(tables), test::assign(SmId{1}, late));
  EXPECT_FALSE(edf(Access::kExclusive)->may_use_idle_sm(tables, late));
  EXPECT_TRUE(edf(Access::kExclusive)->may_use_idle_sm(tables, early));
  EXPECT_TRUE(edf(Access::kShared)->may_use_idle_sm(tables, late));
}

TEST(EdfPolicy, ExclusiveAccessToAllReservesEvenWhatNobodyNeeds) {
  Tables tables(2);
  const KsrId late = tables.add(due(0, 9));
  const KsrId early = tables.add(due(1, 3, 1));
  tables.give(late, {0});
  tables.give(early, {1});
  EXPECT_THAT(edf()->step(tables), DoesNothing());
  EXPECT_EQ(edf(Access::kExclusive, spec::ExclusiveScope::kAll)->step(tables), test::reserve(SmId{0}, early));
}

}  // namespace
}  // namespace tessera::policy
