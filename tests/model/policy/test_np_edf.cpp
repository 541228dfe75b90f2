// SPDX-License-Identifier: Apache-2.0
// Non-preemptive earliest deadline first on the tables alone: who enters the engine. That only a context at a time
// does, and who gets an idle SM, is as under fcfs and npq.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using test::DoesNothing;
using test::Tables;

std::unique_ptr<IPolicy> np_edf() { return make_policy(test::config(spec::PolicyKind::kNpEdf, 4, 4)); }

TEST(NpEdfPolicy, TheCommandThatIsDueEarliestEntersWhateverItsPriorityAndArrival) {
  Tables tables(4);
  EXPECT_EQ(np_edf()->select_command(tables), kNoCommandBuffer);
  tables.wait(0, 0, 15, 10, 8);
  tables.wait(1, 1, 0, 12, 7);
  tables.wait(2, 2, 7, 11, 9);
  EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{1});
}

TEST(NpEdfPolicy, ACommandWithoutADueComesLastAndEntersAlone) {
  Tables tables(4);
  tables.wait(0, 0, 15, 10);
  EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{0});
  tables.wait(3, 3, 0, 11, kNoDeadline - 1);
  EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{3});
}

// In turn, as under edf, it would be buffer 1 in both: it is behind the one that was activated last.
TEST(NpEdfPolicy, OfEqualOnesTheFirstToArriveEnters) {
  for (const std::uint64_t due : {std::uint64_t{5}, kNoDeadline}) {
    Tables tables(4);
    tables.deactivate(tables.add({0}));
    tables.wait(1, 1, 9, 12, due);
    tables.wait(2, 2, 0, 11, due);
    EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{2});
  }
}

TEST(NpEdfPolicy, AKernelOfTheCurrentContextFollowsBackToBackIfItIsFirst) {
  Tables tables(4);
  tables.add({1});
  tables.wait(1, 1, 0, 11, 4);
  tables.wait(2, 2, 0, 10, 6);
  EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{1});
}

TEST(NpEdfPolicy, TheFirstInOrderBlocksThoseBehindItWhileAnotherContextRuns) {
  Tables tables(4);
  const KsrId running = tables.add({1});
  tables.wait(1, 1, 0, 10, 6);
  tables.wait(2, 2, 0, 11, 4);
  EXPECT_EQ(np_edf()->select_command(tables), kNoCommandBuffer);
  tables.deactivate(running);
  EXPECT_EQ(np_edf()->select_command(tables), CommandBufferId{2});
}

// Dues order those that wait, and nothing else.
TEST(NpEdfPolicy, TheLowestIdleSmGoesToTheEarliestEntryWheneverItIsDue) {
  Tables tables(4);
  test::KernelSays late, early;
  late.deadline_unit = 9;
  early.deadline_unit = 3;
  const KsrId first = tables.add(late);
  const KsrId second = tables.add(early);
  tables.assign(SmId{0}, second);
  EXPECT_EQ(np_edf()->step(tables), test::assign(SmId{1}, first));
}

TEST(NpEdfPolicy, NobodyIsPreempted) {
  Tables tables(2);
  test::KernelSays early;
  early.context = 1;
  early.deadline_unit = 3;
  const KsrId never = tables.add({0});
  tables.add(early);
  tables.give(never, {0, 1});
  EXPECT_THAT(np_edf()->step(tables), DoesNothing());
}

}  // namespace
}  // namespace tessera::policy
