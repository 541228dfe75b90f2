// SPDX-License-Identifier: Apache-2.0
// The scheduling tables: what a kernel has covered, and where its tokens are after every kind of move.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using test::Tables;
using testing::ElementsAre;

TEST(SchedulingTables, UncoveredTbsAreThoseNoFreeSlotAndNoReservedSmWaitsFor) {
  Tables tables(4);
  const KsrId victim = tables.add({0, 0, 1000, 2, 0});
  const KsrId k = tables.add({1, 0, 20, 4, 0});
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 20);
  tables.assign(SmId{0}, k);  // in set-up: all its slots count
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 20 - 4);
  tables.ksr(k).tbs.next = 3;  // three of them hold TBs now
  for (int i = 0; i < 3; ++i) tables.add_resident(SmId{0});
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 17 - 1);
  tables.ksr(k).preempted_tbs = 2;  // TBs in the PTBQ need a slot as well
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 17 + 2 - 1);
  tables.give(victim, {1});
  tables.reserve(SmId{1}, k);  // a whole SM is on its way
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 17 + 2 - 1 - 4);
}

TEST(SchedulingTables, AReservedSmNoLongerCoversItsOwner) {
  Tables tables(2);
  const KsrId k = tables.add({0, 0, 10, 4, 0});
  const KsrId next = tables.add({1, 0, 10, 4, 0});
  tables.assign(SmId{0}, k);
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 10 - 4);
  tables.reserve(SmId{0}, next);
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 10);
  tables.unreserve(SmId{0});
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 10 - 4);
}

TEST(SchedulingTables, ASpreadKernelCountsOnOneTbForEachSm) {
  Tables tables(4);
  const KsrId k = tables.add({0, 0, 6, 4, 0});
  tables.ksr(k).is_spread = true;
  tables.assign(SmId{0}, k);
  tables.assign(SmId{1}, k);
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 6 - 2);
  // Full SMs count for nothing: the TBs that are left could use another.
  for (const std::uint16_t sm : {0, 1}) {
    for (int i = 0; i < 4; ++i) tables.add_resident(SmId(sm));
  }
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 6);
  tables.remove_resident(SmId{0});
  EXPECT_EQ(tables.ksr(k).uncovered_tbs(), 6 - 1);
}

TEST(SchedulingTables, TokensMoveAtAssignmentReservationAndRetargetingNotAtHandOver) {
  Tables tables(2);
  const KsrId a = tables.add({0, 0, 10, 1, 5});
  const KsrId b = tables.add({1, 0, 10, 1, 5});
  const KsrId c = tables.add({2, 0, 10, 1, 5});
  const auto counts = [&] {
    return std::vector<int>{tables.ksr(a).token_count(), tables.ksr(b).token_count(), tables.ksr(c).token_count()};
  };
  EXPECT_THAT(counts(), ElementsAre(5, 5, 5));
  tables.assign(SmId{0}, a);
  EXPECT_THAT(counts(), ElementsAre(4, 5, 5));
  tables.reserve(SmId{0}, b);
  EXPECT_THAT(counts(), ElementsAre(5, 4, 5));
  tables.retarget(SmId{0}, c);
  EXPECT_THAT(counts(), ElementsAre(5, 5, 4));
  tables.hand_over(SmId{0});
  EXPECT_THAT(counts(), ElementsAre(5, 5, 4));
  tables.release(SmId{0});
  EXPECT_THAT(counts(), ElementsAre(5, 5, 5));
}

TEST(SchedulingTables, AReservedSmThatGoesIdleReturnsTheTokenOfItsNextKernel) {
  Tables tables(1);
  const KsrId a = tables.add({0, 0, 10, 1, 1});
  const KsrId b = tables.add({1, 0, 10, 1, 1});
  tables.assign(SmId{0}, a);
  tables.reserve(SmId{0}, b);
  tables.release(SmId{0});
  EXPECT_EQ(tables.ksr(a).token_count(), 1);
  EXPECT_EQ(tables.ksr(b).token_count(), 1);
  EXPECT_EQ(tables.lowest_idle_sm(), SmId{0});
}

TEST(SchedulingTables, AKernelThatFinishesClearsEveryNextThatNamesIt) {
  Tables tables(3);
  const KsrId a = tables.add({});
  const KsrId b = tables.add({1});
  tables.give(a, {0, 1, 2});
  tables.reserve(SmId{0}, b);
  tables.reserve(SmId{2}, b);
  tables.deactivate(b);
  EXPECT_EQ(tables.sm(SmId{0}).next, kNoKsr);
  EXPECT_EQ(tables.sm(SmId{2}).next, kNoKsr);
  EXPECT_EQ(tables.sm(SmId{0}).status, SmStatus::kReserved);
  EXPECT_EQ(tables.claimant(SmId{0}), kNoKsr);
  EXPECT_EQ(tables.claimant(SmId{1}), a);
  EXPECT_EQ(tables.ksr(b).sms_held(), 0);
}

TEST(SchedulingTables, TheActiveQueueKeepsActivationOrderAndCompacts) {
  Tables tables(1, 3);
  const KsrId a = tables.add({});
  const KsrId b = tables.add({1});
  const KsrId c = tables.add({2});
  EXPECT_FALSE(tables.has_free_ksr());
  EXPECT_EQ(tables.lowest_free_ksr(), kNoKsr);
  tables.deactivate(b);
  EXPECT_THAT(tables.active_queue(), ElementsAre(a, c));
  const KsrId d = tables.add({3});
  EXPECT_EQ(d, b);  // the lowest free register, but the last in the queue
  EXPECT_THAT(tables.active_queue(), ElementsAre(a, c, d));
}

}  // namespace
}  // namespace tessera::policy
